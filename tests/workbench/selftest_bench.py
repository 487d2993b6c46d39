"""A self-test in simulated time: of the panel alone, or at a simulated board, with a person's hands."""

from collections.abc import Callable, Sequence

from tamsk_hw.board.calibration import KnownCalibration
from tamsk_hw.board.link_events import LinkEvent
from tamsk_hw.board.session import LinkSession
from tamsk_hw.board.wiring import Wiring
from tamsk_hw.configuration import Configuration
from tamsk_hw.errors import Finding
from tamsk_hw.game.tubes import Player, Tube
from tamsk_hw.referee.events import Button, ButtonName, Press
from tamsk_hw.simulator.faults import BrokenPart
from tamsk_hw.simulator.things import WorldStart
from tamsk_hw.simulator.world import World
from tamsk_hw.workbench.parts import Part
from tamsk_hw.workbench.selftest import SelfTestWalk, parts_of
from tamsk_hw.workbench.walk import Answer
from tests.disturbances.board import DisturbedBoard
from tests.workbench.boards import WIRING, assert_says, setup_of, wrong_among

RED = Player.RED

#: Simulated seconds between two rounds of the program.
ROUND = 0.05


class PanelTrial:
    """A self-test of a part of the panel; time passes when the test says so."""

    now = 100.0

    def __init__(self, *parts: Part, configuration: Configuration | None = None) -> None:
        self.test = SelfTestWalk(setup_of(configuration=configuration), parts, self.now)

    def run(self, seconds: float) -> None:
        """Let this time pass."""
        for _ in range(round(seconds / 0.1)):
            self.now += 0.1
            self.test.advance(self.now)

    def answer(self, *answers: Answer) -> None:
        for answer in answers:
            self.test.answer(answer, self.now)

    def press(self, name: ButtonName = ButtonName.START, press: Press = Press.SHORT) -> None:
        self.test.on_press(Button(self.now, name, press), self.now)

    def wrong(self) -> list[Finding]:
        """All that is not in order."""
        return wrong_among(self.test.findings())

    def expect(self, *lines: str) -> None:
        """The findings that are not in order are these; ``…`` stands for anything."""
        assert_says(self.test.findings(), *lines)


class Trial(PanelTrial):
    """A self-test and the simulated board that it is about."""

    def __init__(
        self,
        *parts: Part,
        faults: Sequence[BrokenPart] = (),
        hands: bool = True,
        known: KnownCalibration | None = None,
        wiring: Wiring = WIRING,
        holders: bool = True,
    ) -> None:
        self.world = World(1, setup=WorldStart.BOX)
        self.board = DisturbedBoard(self.world, wiring=wiring, holders=holders)
        for fault in faults:
            self.board.put_fault(fault)
        self.link = LinkSession(wiring.hash)
        self.link.opened(0.0)
        self.test = SelfTestWalk(setup_of(wiring, known), parts_of(parts, hands=hands), 0.0, hands=hands)

    @property
    def now(self) -> float:  # type: ignore[override]
        return self.world.now

    def run(self, seconds: float) -> None:
        """The program's loop for this many simulated seconds."""
        for _ in range(round(seconds / ROUND)):
            self._round()

    def until(self, condition: Callable[[], bool], within: float = 60.0) -> None:
        """The program's loop until something is so."""
        end = self.now + within
        while not condition():
            assert self.now < end, f"not within {within} s: {self.test.prompt}"
            self._round()

    def until_over(self, within: float = 60.0) -> None:
        self.until(lambda: self.test.over, within)

    def _round(self) -> None:
        self.board.receive(self.link.take_outgoing())
        now = self.now + ROUND
        events: list[LinkEvent] = []
        for at, data in self.board.advance(now):
            events += self.link.receive(data, at)
        events += self.link.advance(now)
        self.test.statistics = self.link.statistics
        for event in events:
            self.test.on_link_event(event, now)
        self.test.advance(now)

    # ---- the person

    def do(self, *actions: Callable[[World], float]) -> None:
        """The person's hands, one action after the other; after each the program runs a little longer."""
        for action in actions:
            done = action(self.world)
            self.run(done - self.now + 0.3)

    def play(self, script: str) -> None:
        """Let the person do what a script says: words as ``ring D4``, ``glass D1``, ``turn D1``, ``yes``."""
        for step in script.split("; "):
            what, *where = step.split()
            place = where[0] if where else ""
            match what:
                case "empty":
                    self.until(lambda: bool(self.test.prompt.answers))
                    self.answer(Answer.YES)
                    self.until(lambda: Answer.YES in self.test.prompt.answers or self.test.over)
                case "ring" if place in ("red", "black"):
                    self.until(lambda: "Lay one ring" in self.test.prompt.words)
                    self.do(lambda world: world.take_up(Player(place)))  # noqa: B023
                case "ring":
                    self.do(lambda world: world.drop(RED, Tube[place]))  # noqa: B023
                case "glass":
                    self.do(lambda world: world.place(RED, Tube[place]))  # noqa: B023
                case "turn" | "move":
                    at, to = Tube[place], Tube[where[-1]]
                    self.do(
                        lambda world: world.lift(RED, at),  # noqa: B023
                        lambda world: world.seat(RED, to, turned=what == "turn"),  # noqa: B023
                    )
                case "wait":
                    self.run(float(place))
                case "over":
                    self.until_over(200.0)
                case _:
                    self.answer(Answer(what))
