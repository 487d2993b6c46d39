"""The base of the steps of a walk over the sensors."""

from __future__ import annotations

from tamsk_hw.workbench.walk.step import Step


class MeasuringStep(Step):
    """A step that measures; it is over when its measurements are complete."""

    def __init__(self) -> None:
        super().__init__()
        self.taken = 0
        """Samples taken so far."""
