"""The tutor: leads a lesson at a running service, whose live stream it reads.

It begins the lesson's game, has its prelude and replies carried out, and says how far it has come. At a simulated
board the program's hands carry them out; elsewhere people do.
"""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeVar, assert_never

from tamsk_hw.errors import HandsError, LiveError, TamskError
from tamsk_hw.forms import to_json
from tamsk_hw.hands import client as hands_client
from tamsk_hw.hands.client import do_together, requests_for
from tamsk_hw.lessons.lessons import Lesson, LessonStep, LessonText, Progress, Stage, progress_of
from tamsk_hw.live import client
from tamsk_hw.live.stream import TableState, read_state
from tamsk_hw.referee.rulings import Ruling, parse_ruling
from tamsk_hw.referee.stream import Header, parse_header
from tamsk_hw.referee.view import Phase
from tamsk_hw.system.sockets import Absence, LineConnection
from tamsk_hw.words.table import prelude_words
from tamsk_hw.words.translating import spoken, tr

T = TypeVar("T")


class HeardGame:
    """The newest state, and the rulings of the current game: a `tamsk_hw.system.sockets.Listener`."""

    def __init__(self) -> None:
        self.state: TableState | None = None
        """The newest state; None while no service is heard."""
        self.is_missed = False
        """The service was looked for last, and not found."""
        self.begun = 0
        """Number of the line with which the current game began; 0 for one that was under way before."""
        self.rulings: list[Ruling] = []
        """The rulings since then."""
        self._words: dict[Ruling, str] = {}
        self._changed = asyncio.Event()
        self._speed = 1.0
        self._at = 0.0

    @property
    def now(self) -> float:
        """The game's time now, in seconds; only while there is a state."""
        assert self.state is not None
        return self.state.view.t + (time.monotonic() - self._at) * self._speed

    def words_of(self, ruling: Ruling) -> str:
        """The service's sentence for a ruling of the current game."""
        return self._words[ruling]

    async def change(self, seconds: float) -> None:
        """Wait until something new is heard, for at most ``seconds`` (real)."""
        self._changed.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):  # unlike `asyncio.wait_for` of Python 3.11 never misses its end
                await self._changed.wait()

    def greeted(self, greeting: Mapping[str, Any]) -> Mapping[str, Any]:
        """The service is there; only what is new is wanted."""
        self.is_missed = False
        self._speed = float(greeting["speed"])
        self.begun, self.rulings, self._words = 0, [], {}
        return {"since": greeting["seq"], "life": greeting["life"]}

    def heard(self, record: Mapping[str, Any]) -> None:
        """It said this.

        Raises:
            TamskError: this version does not know such a line.
        """
        match record:
            case {"header": _, "seq": seq}:
                self.begun, self.rulings, self._words = int(seq), [], {}
            case {"ruling": ruling}:
                self.rulings.append(parse_ruling(ruling))
                self._words[self.rulings[-1]] = str(record["words"])
            case {"state": state}:
                self.state, self._at = read_state(state), time.monotonic()
        self._changed.set()

    def lost(self, why: Absence) -> None:
        """It is not there."""
        self.state, self.is_missed = None, True
        self._changed.set()


def text_of(lesson: Lesson) -> LessonText:
    """A lesson's words in the language that is spoken."""
    return lesson.texts[spoken()]


def progress_words(lesson: Lesson, progress: Progress) -> str:
    """The sentences for people when the lesson has come there."""
    text, end = text_of(lesson), progress.end
    match progress.stage:
        case Stage.SETUP:
            return tr("The board is being set up for the lesson.")
        case Stage.PRELUDE:
            assert progress.step is not None
            return prelude_words(progress.number, len(lesson.prelude), progress.step.advice)
        case Stage.STRAYED:
            return tr("What comes before the task went another way. Begin the lesson again.")
        case Stage.OPEN:
            return text.task
        case Stage.SOLVED:
            assert end is not None
            return tr("Solved ({clause}).", clause=end.clause) + f" {text.learned}"
        case Stage.FAILED:
            assert end is not None
            return tr("Not solved ({clause}).", clause=end.clause) + f" {text.failed[progress.number]}"
        case _:
            assert_never(progress.stage)


#: Real seconds between two looks while nothing is heard.
LOOK_SECONDS: Final = 0.1

#: Real seconds for which a service or its board is waited for.
PATIENCE: Final = 15.0


class Tutor:
    """Leads lessons at the service at one of ``services``, with the hands of the board at one of ``boards``."""

    def __init__(
        self, game: HeardGame, services: Sequence[Path], boards: Sequence[Path], tell: Callable[[Progress], None]
    ) -> None:
        """Lead lessons in ``game``, which somebody keeps reading; ``tell`` is given each new progress."""
        self._game = game
        self._services = services
        self._boards = boards
        self._tell = tell

    async def teach(self, lesson: Lesson) -> Progress:
        """Lead a lesson from its set-up to its end, whatever game was played before: that is abandoned.

        Raises:
            TamskError: no service answers or it refuses the game, its board is gone, or hands are refused.
        """
        by_hands = await asyncio.to_thread(self._at_hands, _check_board) is not None
        begun = await self._begin(lesson)
        carried: list[LessonStep] = []
        told: Progress | None = None
        while True:
            if self._game.state is None:
                raise LiveError("the service has gone", "start the lesson again when it is back")
            if self._game.begun != begun:
                raise TamskError("another game was begun", "start the lesson again")
            progress = progress_of(lesson, self._game.rulings)
            if progress != told:
                told = progress
                self._tell(progress)
            match progress.stage:
                case Stage.SOLVED | Stage.FAILED | Stage.STRAYED:
                    return progress
                case Stage.SETUP:
                    await self._start()
                case Stage.PRELUDE | Stage.OPEN:
                    step = progress.step_at(self._game.now)
                    if not by_hands:
                        await self._advise(step)
                    elif step is not None and not any(step is each for each in carried):
                        carried.append(step)
                        await self._carry_out(step)
            await self._game.change(LOOK_SECONDS)

    # ---- the game

    async def _begin(self, lesson: Lesson) -> int:
        """End the game that is played, set the board up, and set up the lesson's game; give its line's number."""
        state = await self._there()
        if state.offered:
            await self._ask({"do": {"game": "abandon"}})
        elif state.view.is_played:
            await self._ask({"do": {"event": "arbiter", "action": "abandon"}})
        await self._have_done([{"do": "tidy"}])
        ruleset = Header(ruleset=parse_header({"tamsk": 1, "ruleset": dict(lesson.ruleset)}).ruleset).as_dict()
        names = {"red": None, "black": None}
        asked = {"setup": {"ruleset": ruleset["ruleset"], "names": names}}
        begun = int((await self._ask(asked))["done"])
        while self._game.begun < begun:
            await self._game.change(PATIENCE)
        return begun

    async def _there(self) -> TableState:
        """The state, as soon as there is one."""
        loop = asyncio.get_running_loop()
        until = loop.time() + PATIENCE
        while self._game.state is None:
            if self._game.is_missed or loop.time() > until:
                client.connect(self._services).close()  # which says what is the matter
            if loop.time() > until:
                raise LiveError("the service does not say how its game stands", "restart it")
            await self._game.change(LOOK_SECONDS)
        return self._game.state

    async def _start(self) -> None:
        """Press start once the board is set up."""
        state = self._game.state
        assert state is not None
        if state.view.phase is Phase.SETUP and not state.view.wrong and not state.view.link_lost:
            await self._ask({"do": {"event": "button", "button": "start", "press": "short"}}, refusable=True)

    async def _ask(self, what: dict[str, Any], *, refusable: bool = False) -> Mapping[str, Any]:
        """Have the service do it; give its answer.

        Raises:
            TamskError: it refuses, and may not.
            LiveError: it does not answer.
        """
        answer = await asyncio.to_thread(client.ask, self._services, what)
        if "refused" in answer and not refusable:
            raise TamskError(str(answer["refused"]))
        return answer

    async def _advise(self, step: LessonStep | None) -> None:
        """Have the board show what people are to carry out now."""
        wanted = None if step is None else step.advice
        state = self._game.state
        if state is not None and state.advice != wanted and not state.view.wrong:
            await self._ask({"advise": None if wanted is None else to_json(wanted)}, refusable=True)

    # ---- the hands

    async def _carry_out(self, step: LessonStep) -> None:
        for request in requests_for(step.player, step.intention):
            await self._have_done([request])

    async def _have_done(self, records: Sequence[dict[str, Any]]) -> None:
        """Have hands do all of these at once; at a real board nothing."""
        await asyncio.to_thread(self._at_hands, lambda connection: do_together(connection, records))

    def _at_hands(self, work: Callable[[LineConnection], T]) -> T | None:
        """Do some work with the hands of the simulated board; None at a real one."""
        try:
            connection = hands_client.connect(self._boards)
        except HandsError:
            return None
        with connection:
            return work(connection)


def _check_board(connection: LineConnection) -> bool:
    """A simulated board is there. Raises `TamskError` where the program plays."""
    if connection.greeting["players"]:
        raise TamskError("the program plays at this board", "start it with --players none")
    return True
