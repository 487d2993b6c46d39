"""The bridge from a board's live stream to the broker of its hall, and back.

`Outbox` has the lines of the stream that the broker has not taken yet. It passes on what is on the disk, in order,
and remembers the games of the stream, so that the hall can have any part again; older games come from the journal.
"""

import asyncio
import json
from collections import OrderedDict, deque
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, get_args

from tamsk_hw.configuration.settings import MqttSettings
from tamsk_hw.errors import JournalError, SocketError, TamskError
from tamsk_hw.journal.archive import Archive, simulated_folder
from tamsk_hw.live.client import SERVICE
from tamsk_hw.live.stream import NO_NAMES, Names
from tamsk_hw.mqtt.broker import Broker, connected, for_ever, say
from tamsk_hw.mqtt.messages import (
    AgainMessage,
    AnswerMessage,
    EventMessage,
    ExcerptMessage,
    GameLine,
    GamesMessage,
    HeaderMessage,
    Message,
    PresenceMessage,
    RequestMessage,
    RuledEvent,
    RulingMessage,
    StateMessage,
    Topic,
)
from tamsk_hw.system.output import marked
from tamsk_hw.system.service import Priority
from tamsk_hw.system.sockets import Absence, LineFollower

#: Games of the journal that a board tells its hall of: the newest.
MOST_GAMES: Final = 200

#: Games of the stream that are remembered.
_REMEMBERED: Final = 2

#: Events in one part of a game that was asked for again.
_MOST_ENTRIES: Final = 100

#: Messages that wait for a broker.
_MOST_WAITING: Final = 20_000

#: Requests that are remembered, so that one that comes twice is done once.
_MOST_REQUESTS: Final = 100

#: Real seconds between two looks at the journal while no service is there.
LOOK_SECONDS: Final = 3.0

#: Real seconds after which a board says once more that it is there.
PRESENCE_SECONDS: Final = 20.0

#: Real seconds in which at most two states are sent.
STATE_SECONDS: Final = 1.0


@dataclass(slots=True)
class KeptGame:
    """A game as far as it is on the disk: its header, and its events with their rulings."""

    key: str
    header: Mapping[str, Any]
    names: Names
    entries: list[RuledEvent] = field(default_factory=list)
    heard: int = 0
    """The number of events, on the disk or not."""
    decided: int = 0
    """The number of the event with the arbiter's last decision."""
    over: int = 0
    """The number of the event by which it ended; 0 before that."""

    def lines(self, first: int) -> Iterable[GameLine]:
        """The messages of the events from number ``first`` on; 0 is the header."""
        if first == 0:
            yield HeaderMessage(game=self.key, header=self.header, names=self.names)
        for number, entry in enumerate(self.entries[max(0, first - 1) :], max(1, first)):
            yield EventMessage(game=self.key, number=number, event=entry.event, rulings=len(entry.rulings))
            for place, ruling in enumerate(entry.rulings):
                yield RulingMessage(game=self.key, number=number, place=place, ruling=ruling)

    def excerpts(self, first: int) -> Iterable[ExcerptMessage]:
        """The same in parts, for the hall alone: at least one, which has the header."""
        for number in range(max(1, first), max(2, first + 1, len(self.entries) + 1), _MOST_ENTRIES):
            entries = tuple(self.entries[number - 1 : number - 1 + _MOST_ENTRIES])
            yield ExcerptMessage(
                game=self.key, number=number, header=self.header, names=self.names, entries=entries
            )


class Outbox:
    """The lines of a service that a broker has not taken yet: a `tamsk_hw.system.sockets.Listener`.

    ``waiting`` are the messages to send, in order.
    """

    def __init__(self) -> None:
        self.waiting: deque[Message] = deque()
        self.service: Mapping[str, Any] | None = None
        """The service's greeting; None while it is not there."""
        self.state: StateMessage | None = None
        """The newest state."""
        self.games: OrderedDict[str, KeptGame] = OrderedDict()
        """The newest games of the stream, as far as they are on the disk."""
        self.news = asyncio.Event()
        """Something is to be sent."""
        self.new_state = asyncio.Event()
        """A state is to be sent."""
        self.is_ruled = False
        """The newest state comes of a ruling."""
        self.has_new_game = False
        self.wanted: OrderedDict[str, int] = OrderedDict()
        """Games that the hall asks for again, each from the event of this number on."""
        self._life = ""
        self._newest = self._until = 0
        self._unsaved: deque[tuple[int, KeptGame, Mapping[str, Any]]] = deque()
        self._game: KeptGame | None = None
        self._record: Mapping[str, Any] = {}
        self._sent: dict[str, int] = {}
        self._at_hall: Mapping[str, int] = {}
        self._looks = 0
        self._answers: OrderedDict[str, AnswerMessage | None] = OrderedDict()

    @property
    def presence(self) -> PresenceMessage:
        """The service is there, and which, or it is not."""
        return PresenceMessage(online=self.service is not None, service=self.service)

    # What the service says.

    def greeted(self, greeting: Mapping[str, Any]) -> Mapping[str, Any]:
        """The service is there; give what to ask it for."""
        if greeting["life"] != self._life:
            self._life, self._newest, self._game = greeting["life"], 0, None
            self._unsaved.clear()
        self._until = greeting["seq"]
        self.service = {key: value for key, value in greeting.items() if key != "seq"}
        self._send(self.presence)
        return {"since": self._newest, "life": self._life}

    def lost(self, why: Absence) -> None:
        """The service is gone; from now on the journal knows best, as of what was saved at the end."""
        if self.service is not None:
            self.service = None
            self.games.clear()
            self.has_new_game = True
            unknown = marked("The service has not answered; look at the board before you try again.")
            for name in [name for name, answer in self._answers.items() if answer is None]:
                self._answered(name, {"refused": unknown})
            self._send(self.presence)

    def heard(self, record: Mapping[str, Any]) -> None:
        """The service has said this."""
        if "state" in record:
            self._record = record["state"]
            self._tell_state()
        elif "re" in record:
            self._answered(str(record["re"]), record)
        elif record["seq"] > self._newest:
            self._newest = record["seq"]
            self._take(record)

    def _take(self, record: Mapping[str, Any]) -> None:
        """Keep a numbered line until it is on the disk."""
        match record:
            case {"header": header, "key": key}:
                self._game = KeptGame(key, header, Names.read(record))
                self._record = {}  # that of another game
                if not record["resumed"]:
                    self.games[key] = self._game
                self.has_new_game = True
                self.news.set()
            case {"event": event} if self._game is not None:
                self._game.heard += 1
                if event["event"] == "arbiter":
                    self._game.decided = self._game.heard
                self._unsaved.append((record["seq"], self._game, record))
            case {"ruling": ruling} if self._game is not None:
                self.is_ruled = True
                if ruling["ruling"] == "game_over":
                    self._game.over = self._game.heard
                self._unsaved.append((record["seq"], self._game, record))
            case {"names": _} if self._game is not None:
                self._game.names = Names.read(record)
                self._tell_state()
            case {"saved": saved}:
                self._save(saved)

    def _save(self, seq: int) -> None:
        """Everything up to line ``seq`` is on the disk: pass it on, if that was not done in another life."""
        changed: dict[str, KeptGame] = {}
        while self._unsaved and self._unsaved[0][0] <= seq:
            _, game, record = self._unsaved.popleft()
            changed[game.key] = game
            if "event" in record:
                game.entries.append(RuledEvent(event=record["event"], rulings=()))
            else:
                last = game.entries[-1]
                game.entries[-1] = RuledEvent(event=last.event, rulings=(*last.rulings, record["ruling"]))
        for key, game in changed.items():
            self.games[key] = game
            sent = self._sent.get(key, -1)
            self._send(*game.lines(sent + 1))
            self._sent[key] = max(sent, len(game.entries))
            self.has_new_game |= game is not self._game
        while len(self.games) > _REMEMBERED:
            self.games.popitem(last=False)
        self._tell_state()

    def _tell_state(self) -> None:
        game = self._game
        if self._record:
            self.state = StateMessage(
                game=None if game is None else game.key,
                number=0 if game is None else len(game.entries),
                names=NO_NAMES if game is None else game.names,
                state=self._record,
            )
            self.new_state.set()

    def _send(self, *messages: Message) -> None:
        if any(isinstance(each, PresenceMessage) for each in messages):
            self._forget(PresenceMessage)
        self.waiting.extend(messages)
        if len(self.waiting) > _MOST_WAITING:  # the hall will ask for them, as the list of games tells it
            self._forget(*get_args(GameLine))
            self.has_new_game = True
        self.news.set()

    def _forget(self, *kinds: type[Message]) -> None:
        self.waiting = deque(each for each in self.waiting if not isinstance(each, kinds))

    # What the hall says.

    def received(self, games: Mapping[str, int]) -> None:
        """The hall has these: nothing of that has to be sent, as after a restart."""
        self._at_hall, self._looks = games, 0
        self.waiting = deque(
            each
            for each in self.waiting
            if not isinstance(each, GameLine) or games.get(each.game, -1) < each.number
        )

    def remind(self, told: Mapping[str, int]) -> None:
        """Have sent again what the hall has not confirmed of the newest game; for a time in which nothing waits.

        A broker may lose what it has taken, and the hall cannot know that there is more. Done ever more rarely
        while the hall says nothing: it may be off. ``told`` are the numbers of events by games, as it was told.
        """
        self._looks += 1
        counts = {**told, **{key: len(game.entries) for key, game in self.games.items()}}
        newest = next(reversed(counts), "")
        had = self._at_hall.get(newest, -1)
        if self._at_hall and had < counts.get(newest, -1) and self._looks & (self._looks - 1) == 0:
            self.wanted[newest] = had + 1

    def again(self, wanted: AgainMessage) -> None:
        """The hall asks for a part of a game once more."""
        self.wanted[wanted.game] = wanted.number
        if len(self.wanted) > MOST_GAMES:
            self.wanted.popitem(last=False)
        self.news.set()

    def request(self, asked: RequestMessage) -> Mapping[str, Any] | None:
        """The line by which the service does what is asked for; None where that is refused or was done before."""
        if asked.id in self._answers:
            answer = self._answers[asked.id]
            if answer is not None:
                self._send(answer)
            return None
        if (refused := self._refusal(asked)) is not None:
            self._send(AnswerMessage(id=asked.id, done=False, refused=refused))
            return None
        self._answers[asked.id] = None
        if len(self._answers) > _MOST_REQUESTS:
            self._answers.popitem(last=False)
        return {"id": asked.id, **asked.request}

    def _refusal(self, asked: RequestMessage) -> str | None:
        """The reason for which a request is not passed on."""
        game, wish = self._game, asked.request.get("do")
        if asked.request.keys() not in ({"do"}, {"setup"}):
            return "A hall may not ask for that."
        if game is None or self._newest < self._until or (asked.game == game.key and asked.number > game.heard):
            return marked("The game is still being read; nothing was changed.")
        if asked.game != game.key:
            return marked("Another game is on the board by now; nothing was changed.")
        if game.decided > asked.number:
            return marked("The arbiter has decided something since; nothing was changed.")
        is_press = isinstance(wish, Mapping) and wish.get("event") == "button"
        if asked.number < game.over or (is_press and asked.number != game.heard):
            return marked("The game has gone on since; nothing was changed.")
        return None

    def _answered(self, name: str, record: Mapping[str, Any]) -> None:
        """A request was answered."""
        refused = record.get("refused")
        answer = AnswerMessage(id=name, done=refused is None, refused=None if refused is None else str(refused))
        self._answers[name] = answer
        self._send(answer)


def _from_journal(archive: Archive, key: str) -> KeptGame | None:
    """A game of the journal; None where it is not there, or damaged."""
    with suppress(TamskError, ValueError, KeyError):
        number, _ = archive.keys(MOST_GAMES)[key]
        game = archive.load(number)
        entries = [
            RuledEvent(event=json.loads(each.line), rulings=tuple(map(json.loads, each.rulings)))
            for each in game.entries
        ]
        return KeptGame(key, json.loads(game.header_line), Names(red=game.red, black=game.black), entries)
    return None


class Bridge:
    """A board's bridge, for ever."""

    def __init__(
        self, settings: MqttSettings, services: Sequence[Path], folder: Path, *, is_simulated: bool
    ) -> None:
        """``services``: the places of the service's socket; ``folder``: that of the journal.

        ``is_simulated``: as long as no service says otherwise the games are those of the simulated board.
        """
        self._settings = settings
        self._folder = folder
        self._is_simulated = is_simulated
        self._outbox = Outbox()
        self._stream = LineFollower(services, SERVICE, self._outbox)

    async def run(self) -> None:
        """Read the stream, and send what it tells whenever there is a broker."""
        await asyncio.gather(self._stream.run(), for_ever(self._settings, self._connect))

    @property
    def _archive(self) -> Archive:
        """The journal of the service that is heard, or was heard last."""
        if self._outbox.service is not None:
            self._is_simulated = self._outbox.service["simulated"]
        return Archive(simulated_folder(self._folder) if self._is_simulated else self._folder)

    async def _connect(self) -> None:
        """Send and hear as long as the broker is there."""
        board, gone = self._settings.board, PresenceMessage(online=False)
        async with connected(self._settings, f"tamsk:{self._settings.hall}:{board}", (board, gone)) as broker:
            try:
                await broker.subscribe(board, (Topic.RECEIVED, Topic.AGAIN, Topic.REQUESTS))
                # Its acknowledgement comes after what the broker has kept for this board, which is known by then.
                await broker.publish(board, self._outbox.presence)
                await broker.be_discovered(board)
                say(f"in the hall {self._settings.hall} as {board}", Priority.INFO)
                async with asyncio.TaskGroup() as tasks:
                    tasks.create_task(self._hear(broker))
                    tasks.create_task(self._send(broker))
                    tasks.create_task(self._send_states(broker))
                    while True:  # a cluster may send the last will of an earlier connection late
                        await asyncio.sleep(PRESENCE_SECONDS)
                        await broker.publish(board, self._outbox.presence)
            finally:
                with suppress(Exception):
                    await broker.publish(board, gone)

    async def _send(self, broker: Broker) -> None:
        """Send what waits, each once the one before has arrived."""
        board, outbox = self._settings.board, self._outbox
        outbox.has_new_game = True
        told: GamesMessage | None = None
        while True:
            outbox.news.clear()
            if outbox.has_new_game or outbox.service is None:
                with suppress(JournalError):
                    newest_first = (await asyncio.to_thread(self._archive.keys, MOST_GAMES)).items()
                    outbox.has_new_game = False
                    games = GamesMessage(games={key: events for key, (_, events) in reversed(newest_first)})
                    if games != told:
                        await broker.publish(board, games)
                        told = games
            while outbox.waiting:
                message = outbox.waiting[0]
                await broker.publish(board, message)
                if outbox.waiting and outbox.waiting[0] is message:
                    outbox.waiting.popleft()
            if outbox.wanted:
                await self._send_again(broker, *outbox.wanted.popitem(last=False))
                continue  # lines that wait come first
            try:
                async with asyncio.timeout(LOOK_SECONDS):
                    await outbox.news.wait()
            except TimeoutError:
                outbox.remind({} if told is None else told.games)

    async def _send_again(self, broker: Broker, key: str, number: int) -> None:
        """Send a game from an event on, from memory or from the journal."""
        game = self._outbox.games.get(key)
        if game is None or len(game.entries) < number:
            game = await asyncio.to_thread(_from_journal, self._archive, key) or game
        for part in () if game is None else game.excerpts(number):
            await broker.publish(self._settings.board, part)

    async def _send_states(self, broker: Broker) -> None:
        """Send the newest state: after a ruling at once, else once in a second."""
        outbox, time = self._outbox, asyncio.get_running_loop().time
        outbox.new_state.set()
        times = deque((-STATE_SECONDS, -STATE_SECONDS), maxlen=2)
        while True:
            await outbox.new_state.wait()
            wait = times[0 if outbox.is_ruled else 1] + STATE_SECONDS - time()
            outbox.new_state.clear()
            if wait > 0 and not outbox.is_ruled:
                with suppress(TimeoutError):
                    async with asyncio.timeout(wait):
                        await outbox.new_state.wait()
                outbox.new_state.set()
            elif outbox.state is not None:
                if wait > 0:
                    outbox.new_state.set()  # the broker is to keep it, too
                else:
                    times.append(time())
                outbox.is_ruled = False
                topic = Topic.RULED if wait > 0 else Topic.STATE
                await broker.publish(self._settings.board, outbox.state, topic)

    async def _hear(self, broker: Broker) -> None:
        """Do what the hall asks for."""
        async for board, _, message, is_kept in broker.messages():
            match message:
                case GamesMessage() if board == self._settings.board:
                    self._outbox.received(message.games)
                case AgainMessage() if not is_kept:
                    self._outbox.again(message)
                case RequestMessage() if not is_kept:
                    if (line := self._outbox.request(message)) is not None:
                        say(f"{message.by} asks for {dict(message.request)}", Priority.NOTICE)
                        try:
                            self._stream.send(line)
                        except SocketError:
                            why = marked("The service does not answer; nothing was changed.")
                            self._outbox.heard({"re": message.id, "refused": why})
