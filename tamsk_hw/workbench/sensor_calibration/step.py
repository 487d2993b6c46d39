"""What the steps of a walk over the sensors have in common."""

from __future__ import annotations

from tamsk_hw.workbench.walk.step import Step


class MeasuringStep(Step):
    """A step that measures. It is over when it has what it wants."""

    def __init__(self) -> None:
        super().__init__()
        self.taken = 0
        """Samples taken so far."""
