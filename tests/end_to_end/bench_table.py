"""A board on the bench: hands that do what a test says, on the real firmware, refereed, in emulated time."""

from collections.abc import Callable
from random import Random

from tamsk_hw.board.link_events import Connected
from tamsk_hw.board.protocol import Hello
from tamsk_hw.board.sensing import Sensing
from tamsk_hw.board.sensing_settings import SensingSettings
from tamsk_hw.game.ruleset import Ruleset, Start
from tamsk_hw.game.tubes import Player, Tube
from tamsk_hw.referee import Header
from tamsk_hw.referee.events import Button, ButtonName, Event, Fault, Press
from tamsk_hw.referee.rulings import Moved, RingCounted, Ruling
from tamsk_hw.simulator.things import WorldStart
from tamsk_hw.simulator.world import World
from tamsk_hw.table.refereeing import RefereedGame
from tamsk_hw.table.simulation import LOOK, calibration_of, timed_glasses
from tests.boards import WHOLE, PlayedBoard
from tests.emulated.board import EmulatedBoard
from tests.emulated.process import Emulator
from tests.said import Said
from tests.simulation import DirectWire

#: Seconds for which hands rest after each act: the board comes to rest, and the referee rules.
REST = 0.5

Act = Callable[[World], float]


def acts(player: Player, origin: Tube | None, target: Tube) -> list[Act]:
    """Acts of a turn: lift, turn over and seat a glass, or place one; then drop a ring."""
    seat: list[Act] = [
        lambda world: world.lift(player, origin),
        lambda world: world.seat(player, target, turned=True),
    ]
    place: list[Act] = [lambda world: world.place(player, target)]
    return [*(place if origin is None else seat), lambda world: world.drop(player, target)]


class BenchTable:
    """The board's own start; the game is started by button as soon as the board is connected."""

    def __init__(
        self,
        emulator: Emulator,
        played: PlayedBoard = WHOLE,
        *,
        seed: int = 1,
        level: int = 1,
        holders: bool = False,
    ) -> None:
        wiring = played.wiring
        self.emulator = emulator
        self.played = played
        self.world = World(seed, setup=WorldStart.FREE if played.start is Start.FREE else WorldStart.CORNERS)
        self.board = EmulatedBoard(self.world, emulator, wiring=wiring)
        self.wire = DirectWire(self.board, wiring)
        values = self.board.sensors.calibration_values()
        ruleset = Ruleset(level=level, start=played.start, tubes=wiring.tubes)
        sand = timed_glasses(values, ruleset.start, Random(f"{seed}/stop-watch"))
        self.events: list[Event] = []
        self.said = Said()
        self.hellos: list[Hello] = []
        self.refereeing = RefereedGame(
            Header(ruleset=ruleset, sand=sand, holders=holders),
            Sensing(wiring, calibration_of(values), SensingSettings(), holders),
            record=lambda event, _: self.events.append(event),
            notice=self.said,
        )

    def run(self, seconds: float) -> list[Ruling]:
        """Let time pass; what was ruled meanwhile."""
        end = self.world.now + seconds
        ruled: list[Ruling] = []
        while self.world.now < end - 1e-9:
            now = min(self.world.now + LOOK, end)
            for event in self.wire.poll(now):
                if isinstance(event, Connected):
                    self.hellos.append(event.hello)
                self.refereeing.take_link(event)
            ruled += self.refereeing.advance(now)
        return ruled

    def do(self, action: Act) -> list[Ruling]:
        """Have a hand do something; until it is done and all is at rest again."""
        return self.run(action(self.world) - self.world.now + REST)

    def start(self) -> None:
        """Connect, and press start."""
        self.run(1.0)
        assert self.refereeing.connected
        self.press_start()

    def press_start(self) -> None:
        """Press start."""
        self.refereeing.take([Button(self.world.now, ButtonName.START, Press.SHORT)])
        self.run(1.0)

    def move(self, player: Player, origin: Tube | None, target: Tube) -> list[Ruling]:
        """A whole turn, with its ring."""
        return [ruling for act in acts(player, origin, target) for ruling in self.do(act)]

    @property
    def moves(self) -> list[tuple[Player, Tube | None, Tube]]:
        """The moves that were ruled."""
        return [(r.player, r.from_tube, r.to) for r in self.refereeing.rulings if isinstance(r, Moved)]

    @property
    def rings(self) -> list[tuple[Player, Tube]]:
        """The rings that were counted."""
        return [(r.player, r.tube) for r in self.refereeing.rulings if isinstance(r, RingCounted)]

    def faults(self, *, cleared: bool = False) -> list[str]:
        """The sensors that were told to be at fault, or to be good again."""
        return [e.sensor.name for e in self.events if isinstance(e, Fault) and e.cleared is cleared]
