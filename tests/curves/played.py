"""A game on a disturbed board, refereed by the program: world, controller, bytes, link, sensing, referee.

The program runs as its loop runs it: it wakes when bytes arrive, and after 50 ms without any.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import inf

from tamsk_hw.board.sensing import Sensing
from tamsk_hw.board.sensing_settings import SensingSettings
from tamsk_hw.board.session import LinkSession
from tamsk_hw.facts.notices import BoardNotice
from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.referee.events import Event, Tick
from tamsk_hw.referee.rulings import Ruling
from tamsk_hw.simulator.people import PlayerScheduler
from tamsk_hw.simulator.sensors import CalibrationValues
from tamsk_hw.simulator.world import World
from tamsk_hw.table.loop import LOOK_SECONDS
from tamsk_hw.table.refereeing import RefereedGame
from tamsk_hw.table.simulation import calibration_of
from tests.curves.undisturbed import TrueGame, world_of
from tests.disturbances.board import DisturbedBoard
from tests.disturbances.line import Arrival
from tests.disturbances.sensors import own_thresholds
from tests.disturbances.stalls import KEPT_BYTES, Host
from tests.players.habits import Habits
from tests.players.match import Match

#: Seconds that the program is given after the end of the game.
AFTERWARDS = 3.0

#: Players without mischief, who do nothing of which nobody could say what came first.
HABITS = Habits(pace=0.5, lifts_early=0.0)


@dataclass
class Told:
    """The program's events, rulings and notices, each with the time at which it gave them."""

    events: list[tuple[float, Event]] = field(default_factory=list)
    rulings: list[tuple[float, Ruling]] = field(default_factory=list)
    notices: list[tuple[float, BoardNotice]] = field(default_factory=list)


class Program:
    """The program under test, at the end of a line."""

    def __init__(
        self, board: DisturbedBoard, game: TrueGame, values: CalibrationValues, thresholds: Sequence[bytes] | None
    ) -> None:
        self.told = Told()
        self.now = 0.0
        self.session = LinkSession(board.wiring.hash, thresholds=thresholds)
        self.session.opened(0.0)
        self._board = board
        self.stalls: Host | None = None
        self._arrived: deque[Arrival] = deque()
        self._pressed: list[Event] = []
        sensing = Sensing(board.wiring, calibration_of(values), SensingSettings(), game.header.holders)
        self.refereeing = RefereedGame(
            game.header,
            sensing,
            record=self._keep,
            notice=lambda notice: self.told.notices.append((self.now, notice)),
        )

    def run(self, t: float, arrived: Sequence[Arrival], pressed: Sequence[Event]) -> None:
        """Run to ``t``: what arrived by then, and buttons that were pressed."""
        self._arrived += arrived
        self._pressed += pressed
        while (wake := self._next_wake()) <= t:
            self.now = wake
            self._round()

    def _next_wake(self) -> float:
        arrival = self._arrived[0][0] if self._arrived else inf
        wake = max(self.now, min(self.now + LOOK_SECONDS, arrival))
        return wake if self.stalls is None else self.stalls.runs_at(wake)

    def _round(self) -> None:
        """Take presses and frames in the order of `BoardTable.advance`."""
        now = self.now
        data = bytearray()
        while self._arrived and self._arrived[0][0] <= now:
            data += self._arrived.popleft()[1]
        del data[KEPT_BYTES:]
        events = self.session.receive(bytes(data), now) if data else []
        events += self.session.advance(now)
        outgoing = self.session.take_outgoing()
        if outgoing:
            self._board.receive(outgoing)
        if self._pressed:
            self.refereeing.take(self._pressed)
            self._pressed = []
        for event in events:
            self.refereeing.take_link(event)
        self.told.rulings += [(now, ruling) for ruling in self.refereeing.advance(now)]

    def _keep(self, event: Event, rulings: Sequence[Ruling]) -> None:
        if not isinstance(event, Tick):
            self.told.events.append((self.now, event))


#: Seats people at a world.
Seat = Callable[[World], PlayerScheduler]

#: Puts a disturbance into a board before its game; a disturbance of the host is returned.
Disturb = Callable[[DisturbedBoard], Host | None]


@dataclass(frozen=True)
class PlayedGame:
    """A game, the truth and what the program told of it."""

    game: TrueGame
    told: Told
    program: Program
    board: DisturbedBoard


def play(
    seed: int,
    disturb: Disturb,
    *,
    level: int = 3,
    holders: bool = False,
    calibrated: bool = False,
    seat: Seat | None = None,
    limit: float = 600.0,
    rest: tuple[float, float] | None = None,
    from_setup: bool = False,
) -> PlayedGame:
    """Play a game to its end, or for ``limit`` seconds, on a board that is disturbed as soon as it has started.

    ``from_setup``: it is disturbed before; people who set a board up wait until they see that it is ready, and
    these do not. ``calibrated``: the ring sensors have thresholds of their own. ``seat`` gives other people than
    the tests' players. ``rest`` (begin, seconds): from then on nobody does anything for so long, and the board
    goes on.
    """
    ruleset = Ruleset(level=level)
    board = DisturbedBoard(world_of(ruleset, seed), holders=holders)
    values = board.sensors.calibration_values()
    if from_setup:
        disturb(board)
    if seat is None:
        people: PlayerScheduler = Match(board.world, ruleset, seed, habits=HABITS, holders=holders, patience=1e9)
    else:
        people = seat(board.world)
    game = TrueGame(ruleset, seed, board.world, values, holders=holders, people=people)
    program = Program(board, game, values, own_thresholds(board.sensors) if calibrated else None)
    disturbed = from_setup
    while not game.is_over and board.now < limit:
        if not disturbed and game.has_started:
            program.stalls = disturb(board)
            disturbed = True
        if rest is not None and board.now >= rest[0]:
            pause(board, game, program, rest[1])
            rest = None
        due = game.next_step()
        look = board.now + LOOK_SECONDS
        step = look if due is None or due <= board.now else min(look, due)
        arrived = board.advance(step)
        program.run(step, arrived, game.advance(step))
    end = board.now + AFTERWARDS
    while board.now < end:
        step = board.now + LOOK_SECONDS
        program.run(step, board.advance(step), game.advance(step))
    return PlayedGame(game, program.told, program, board)


def pause(board: DisturbedBoard, game: TrueGame, program: Program, seconds: float) -> None:
    """Nobody does anything for so long; what hands are about they finish."""
    end = board.now + seconds
    while board.now < end:
        step = board.now + 1.0
        program.run(step, board.advance(step), game.hold())
