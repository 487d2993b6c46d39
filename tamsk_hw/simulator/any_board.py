"""The calls that the simulated and the emulated board share: a world with a controller, in simulated time."""

from __future__ import annotations

from typing import Protocol

from tamsk_hw.board.protocol import ResetCause
from tamsk_hw.simulator.disturbances.line import LineDisturbance
from tamsk_hw.simulator.faults import Fault
from tamsk_hw.simulator.sensors import CalibrationValues
from tamsk_hw.simulator.world import World


class AnyBoard(Protocol):
    """A board on a serial line whose time moves only by `advance`."""

    @property
    def world(self) -> World:
        """The physical world on which the board stands."""

    @property
    def now(self) -> float:
        """Simulated seconds so far."""

    def advance(self, t: float) -> list[tuple[float, bytes]]:
        """Run world and controller to ``t`` seconds; return the frames sent: (time of the last byte, bytes)."""

    def receive(self, data: bytes) -> None:
        """Take bytes that the host wrote just now."""

    def reset(self, cause: ResetCause = ResetCause.EXTERNAL) -> None:
        """Reset the controller now."""

    def put_fault(self, fault: Fault) -> None:
        """Break a part."""

    def clear_fault(self, fault: Fault) -> None:
        """Repair a broken part."""

    def disturb_line(self, *disturbances: LineDisturbance) -> None:
        """From now on frames pass through these on their way to the host, one after the other."""

    def calibration_values(self) -> CalibrationValues:
        """The values that a calibration of this board would measure."""
