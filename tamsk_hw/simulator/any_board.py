"""What the simulated and the emulated board have in common: a world with a controller, in simulated time."""

from __future__ import annotations

from typing import Protocol

from tamsk_hw.board.protocol import ResetCause
from tamsk_hw.simulator.faults import Fault
from tamsk_hw.simulator.sensors import CalibrationValues
from tamsk_hw.simulator.world import World


class AnyBoard(Protocol):
    """A board on a serial line whose time moves only when it is told to.

    See docs/design.md, Three boards behind one door.
    """

    @property
    def world(self) -> World:
        """What stands, lies and moves on it."""

    @property
    def now(self) -> float:
        """Simulated seconds to which it has run."""

    def advance(self, t: float) -> list[tuple[float, bytes]]:
        """Run world and controller to ``t`` seconds; give what left until then: (time of its last byte, bytes)."""

    def receive(self, data: bytes) -> None:
        """Take bytes that the host wrote, now."""

    def reset(self, cause: ResetCause = ResetCause.EXTERNAL) -> None:
        """Reset the controller now."""

    def put_fault(self, fault: Fault) -> None:
        """Break a part."""

    def clear_fault(self, fault: Fault) -> None:
        """Mend a part that was broken."""

    def calibration_values(self) -> CalibrationValues:
        """What a calibration walk over this board would have measured."""
