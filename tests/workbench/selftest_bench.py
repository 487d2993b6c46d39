"""A self-test at a simulated board, in simulated time: the link's session between them, and a person's hands."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tamsk_hw.board.calibration import KnownCalibration
from tamsk_hw.board.link_events import LinkEvent
from tamsk_hw.board.session import LinkSession
from tamsk_hw.board.wiring import Wiring
from tamsk_hw.configuration import Configuration
from tamsk_hw.errors import Finding
from tamsk_hw.game.tubes import Player
from tamsk_hw.referee.events import Button, ButtonName, Press
from tamsk_hw.simulator.board import SimulatedBoard
from tamsk_hw.simulator.faults import Fault
from tamsk_hw.simulator.things import WorldStart
from tamsk_hw.simulator.world import World
from tamsk_hw.workbench.parts import Bench, LivePhase, LiveStep, Part
from tamsk_hw.workbench.selftest import SelfTestWalk, parts_of
from tamsk_hw.workbench.walk import Answer
from tests.workbench.boards import WIRING, wrong_among

RED = Player.RED

#: Simulated seconds between two rounds of the program.
ROUND = 0.01


class Trial:
    """A self-test and the board that it is about."""

    def __init__(
        self,
        *parts: Part,
        faults: Sequence[Fault] = (),
        hands: bool = True,
        setup: WorldStart = WorldStart.BOX,
        known: KnownCalibration | None = None,
        configuration: Configuration | None = None,
        wiring: Wiring = WIRING,
        holders: bool = True,
        seed: int = 1,
    ) -> None:
        self.world = World(seed, setup=setup)
        self.board = SimulatedBoard(self.world, wiring=wiring, holders=holders)
        for fault in faults:
            self.board.put_fault(fault)
        self.link = LinkSession(wiring.hash)
        self.link.opened(0.0)
        self.bench = Bench(
            configuration=configuration or Configuration(),
            wiring=wiring,
            known=known or KnownCalibration(),
            hands=hands,
        )
        self.test = SelfTestWalk(self.bench, parts_of(parts, hands=hands), "/dev/board", 0.0)
        self.sweeps = 0

    @property
    def now(self) -> float:
        return self.world.now

    def run(self, seconds: float) -> None:
        """The program's loop for so many simulated seconds."""
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
        if self.test.board.connected and self.test.self_test_due(now):
            self.sweeps += 1
            self.link.start_self_test()
        self.test.advance(now)

    # ---- the person

    def answer(self, answer: Answer) -> None:
        self.test.answer(answer, self.now)

    def press(self, name: ButtonName = ButtonName.START, press: Press = Press.SHORT) -> None:
        self.test.on_press(Button(self.now, name, press), self.now)

    def do(self, action: Callable[[World], float]) -> None:
        """The person's hands begin something; the program runs until it is done, and a little longer."""
        done = action(self.world)
        self.run(done - self.now + 0.3)

    def empty_board_seen(self) -> None:
        """The person says that the board is empty, and it is looked at."""
        self.until(lambda: bool(self.test.prompt.answers))
        self.answer(Answer.YES)
        self.until(lambda: self.phase() in (LivePhase.TRY, None) or self.test.over)

    def phase(self) -> LivePhase | None:
        step = self.test.step
        return step.phase if isinstance(step, LiveStep) else None

    # ---- what was found

    def wrong(self) -> list[Finding]:
        """All that is not in order."""
        return wrong_among(self.test.findings())

    def only_wrong(self) -> Finding:
        (finding,) = self.wrong()
        return finding
