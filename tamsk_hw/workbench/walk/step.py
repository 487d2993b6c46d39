"""One step of a walk: a state machine without clock and hardware."""

from __future__ import annotations

from tamsk_hw.board.protocol import SelfTestReport, Snapshot
from tamsk_hw.workbench.walk.prompt import Answer, Prompt


class Step:
    """A step. Times are seconds of one clock that never goes back. The defaults do nothing."""

    def __init__(self) -> None:
        self.over = False
        """The step has come to its end."""

    def begin(self, t: float) -> None:
        """Begin the step."""

    def see(self, snapshot: Snapshot, t: float) -> None:
        """Take the board's readings at ``t``."""

    def restart(self) -> None:
        """Forget what was gathered from a run of snapshots: some were missed."""

    def self_test_due(self, t: float) -> bool:
        """True when the board is to test its ring sensors now; asked for once."""
        return False

    def report(self, report: SelfTestReport, t: float) -> None:
        """Take the result of the board's self-test."""

    def answer(self, answer: Answer, t: float) -> None:
        """Take an answer; never `Answer.SKIP` or `Answer.QUIT`, which are the walk's own."""

    def advance(self, t: float) -> None:
        """Time has passed to ``t``."""

    def prompt(self) -> Prompt:
        """The present prompt."""
        raise NotImplementedError
