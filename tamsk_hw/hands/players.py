"""Players played by the program at a simulated board: they see the view that the service publishes, and use hands.

They wait while no service is there, the board is out of its reach, or no game is at hand. Without I/O: states and
rulings come in as they are heard, and what the arbiter decides goes out.
"""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, Final

from tamsk_hw.errors import JournalError, LiveError, SocketError
from tamsk_hw.forms import to_json
from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.game.tubes import PLAYERS, TUBE_OF_NAME, End, Player, Tube
from tamsk_hw.live.client import ask
from tamsk_hw.live.stream import TableState, read_state
from tamsk_hw.partner import Partner, Strength
from tamsk_hw.partner.intention import PartnerSeat, seat_of
from tamsk_hw.referee.events import Arbiter, Event
from tamsk_hw.referee.rulings import Ruling, parse_ruling
from tamsk_hw.referee.stream import parse_header
from tamsk_hw.referee.view import Phase, View
from tamsk_hw.simulator.demo import ThinkingPlayer
from tamsk_hw.simulator.glasses import WorldGlass
from tamsk_hw.simulator.people import Activity, DemoArbiter, DemoPlayer, Manners, Pause, PlayerScheduler
from tamsk_hw.simulator.truth import WorldError
from tamsk_hw.simulator.world import World
from tamsk_hw.system.sockets import Absence

#: Seconds for which the players wait until the service has seen a glass that they have set down. A service that
#: hangs is ended after 20 s and ready again after some more; a sensor that is broken must not stop them for ever.
SEEN_WITHIN: Final = 60.0


class Seated:
    """The players at ``world`` whom the program plays; with both of them an arbiter who looks at the sand.

    They hear the service at their board: a `tamsk_hw.system.sockets.Listener`.
    """

    def __init__(
        self,
        world: World,
        players: Sequence[Player],
        seed: int,
        strength: Strength | None = None,
        *,
        named: bool = False,
        follows_names: bool = False,
    ) -> None:
        """``strength``: that of players who think (docs/partner.md); without one they are the demo's, who only
        keep the rules.

        ``named``: the service's place was named, so whatever it says of its board, it is at this one.

        ``follows_names``: whoever has a partner's name is played at that strength, and nobody else.
        """
        self._world = world
        self._players = tuple(player for player in PLAYERS if player in players)
        self._seed = seed
        self._strength = strength
        self._games = 0
        self._ruleset = Ruleset()
        self._view: View | None = None
        self._is_on = False
        self._people: PlayerScheduler | None = None
        self._unseen_since: float | None = None
        self._seat_taken: PartnerSeat | None = None
        self._named = named
        self._follows_names = follows_names
        self._newest = 0
        self._is_stopped_by_pauses = False

    @property
    def next_wakeup(self) -> float | None:
        """The world's time at which somebody next acts; None while nobody does."""
        people = self._people
        if people is None or self._view is None or self._view.link_lost or self._view.paused:
            return None
        due = people.next_wakeup
        if due is None or self._unseen_since is None:
            return due
        return max(due, self._unseen_since + SEEN_WITHIN)

    @property
    def stands(self) -> bool:
        """The game pauses, and the service has the board stand still meanwhile."""
        return self._is_stopped_by_pauses and self._view is not None and self._view.paused

    def play_by(self, ruleset: Ruleset) -> None:
        """The service's game has this ruleset; with another than before everybody sits down again."""
        if ruleset != self._ruleset:
            self._ruleset = ruleset
            self._sit_down_again()

    def see(self, state: TableState) -> None:
        """The service's state is this now."""
        view = state.view
        # The service counts the game's seconds, the players the world's.
        ahead = self._world.now - view.t
        deadline = None if view.deadline is None else view.deadline + ahead
        self._view = replace(view, t=self._world.now, deadline=deadline)
        self._look()
        self._is_on = not state.offered and view.phase is not Phase.OVER
        self._take_seats()

    def hear(self, ruling: Ruling) -> None:
        """The service has ruled."""
        if self._people is not None:
            self._people.on_rulings([ruling])

    def greeted(self, greeting: Mapping[str, Any]) -> Mapping[str, Any]:
        """The service is there; the current game's header is wanted, and of its rulings those that are new.

        Raises:
            LiveError: it plays on a simulated board of its own, without hands.
        """
        if greeting["simulated"] and not self._named:
            raise LiveError("this service plays on a board of its own")
        self._newest = greeting["seq"]
        self._is_stopped_by_pauses = bool(greeting["simulated"])
        return {"since": 0}

    def heard(self, record: Mapping[str, Any]) -> None:
        """It said this.

        Raises:
            LiveError: this version does not know such a line.
        """
        match record:
            case {"header": header, **rest}:
                self.play_by(parse_header(header).ruleset)
                self._seat(rest.get("names"))
            case {"names": names}:
                self._seat(names)
            case {"ruling": ruling, "seq": int(seq)} if seq > self._newest:
                try:
                    self.hear(parse_ruling(ruling))
                except JournalError as error:
                    raise LiveError(f"the service has ruled what is not understood ({error})") from None
            case {"state": state}:
                self.see(read_state(state))

    def lost(self, why: Absence) -> None:
        """The service is gone; when it comes back its game goes on, or another one begins."""
        self._view = None

    def act(self) -> list[Event]:
        """Have those act whose time has come; give what the arbiter decides."""
        self._look()
        people, due = self._people, self.next_wakeup
        if people is None or due is None or due > self._world.now:
            return []
        people.advance(self._world.now)
        return [event for event in people.drain_events() if isinstance(event, Arbiter)]

    def _look(self) -> None:
        """Note since when a glass of the players stands where the service has not seen it yet.

        Who has made a move knows it, though a service that hangs or comes back still says that it is his turn.
        """
        view, world = self._view, self._world
        if view is None or view.phase is not Phase.PLAY:
            self._unseen_since = None
            return
        seen = {glass.standing for glass in view.glasses}
        mine = (glass for glass in world.glasses if glass.owner in self._players and not glass.leaning)
        if all(glass.tube in {None, *seen} for glass in mine):
            self._unseen_since = None
        elif self._unseen_since is None:
            self._unseen_since = world.now

    def _sit_down(self) -> None:
        self._games += 1
        seed = f"{self._seed}/{self._games}"
        world, manners = self._world, Manners()
        decisions: list[Event] = []
        lives = [self._life(player, manners, Random(f"{seed}/{player}")) for player in self._players]
        if self._players == PLAYERS:
            lives.append(DemoArbiter(world, self._seen, decisions.append, Random(f"{seed}/arbiter")).live())
        self._people = PlayerScheduler(world, lives, Random(f"{seed}/reaction"))
        self._people.events = decisions

    def _life(self, me: Player, manners: Manners, chance: Random) -> Activity:
        """A player's life, which begins again when somebody else's hand was quicker than his."""
        world = self._world
        while True:
            try:
                yield from self._empty_hands(me)
                if self._strength is None:
                    yield from DemoPlayer(me, world, self._seen, manners, chance).live()
                else:
                    brain = Partner(me, self._ruleset, self._strength, seed=chance.randrange(1 << 32))
                    yield from ThinkingPlayer(me, world, self._seen, manners, chance).live(brain)
            except WorldError:
                if manners.hand is me:
                    manners.hand = None
                yield Pause(world.now + chance.uniform(0.5, 1.0))

    def _empty_hands(self, me: Player) -> Activity:
        """Put back what is in a player's hands: each glass where and as it belongs, else off the board.

        Raises:
            WorldError: a hand is still under way.
        """
        world = self._world
        for glass in world.held(me):
            tube, end = self._home(glass)
            if tube is not None and world.can_seat(tube):
                yield Pause(world.seat(me, tube, turned=glass.down is not end, glass=glass))
            else:
                yield Pause(world.put_away(me, glass=glass))
        for _ in range(world.rings_in_hand(me)):
            yield Pause(world.put_back(me))

    def _home(self, glass: WorldGlass) -> tuple[Tube | None, End]:
        """The tube in which a glass in the hand belongs, if any, and the end that was down there."""
        view = self._seen()
        for seen in view.glasses:
            if seen.owner is glass.owner and seen.standing is None:
                return seen.tube, seen.end
        start = TUBE_OF_NAME.get(glass.name) if view.phase is Phase.SETUP else None
        return start, glass.down

    def _take_seats(self) -> None:
        """Sit down while a game is on, else stand up."""
        if not self._is_on:
            self._stand_up()
        elif self._people is None and self._players:
            self._sit_down()

    def _sit_down_again(self) -> None:
        if self._people is not None:
            self._stand_up()
            self._sit_down()

    def _seat(self, names: Any) -> None:
        """Play the colour at which the program's name stands: a rematch has given it the other one."""
        seat = seat_of(**names) if names else None
        if self._follows_names:
            if seat != self._seat_taken:
                self._seat_taken = seat
                self._stand_up()
                self._players = () if seat is None else (seat.player,)
                self._strength = self._strength if seat is None else seat.strength
                self._take_seats()
        elif seat is not None and len(self._players) == 1 and self._players != (seat.player,):
            self._players = (seat.player,)
            self._sit_down_again()

    def _stand_up(self) -> None:
        if self._people is not None:
            self._people.leave()
        self._people = None

    def _seen(self) -> View:
        """The view as it is now: the service publishes none while nothing but time changes."""
        assert self._view is not None
        return replace(self._view, t=self._world.now)


async def decide(places: Sequence[Path], event: Event) -> None:
    """Have the service take an arbiter's decision; one that has no effect any more is left."""
    done = to_json(event)
    del done["t"]

    with suppress(SocketError):  # gone, and the question with it
        await asyncio.to_thread(ask, places, {"do": done})
