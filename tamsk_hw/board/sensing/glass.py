"""A tube's glass: seats, lifts and leaning."""

from __future__ import annotations

from tamsk_hw.board.calibration import FieldCalibration
from tamsk_hw.board.sensing.field import Field
from tamsk_hw.board.sensing.settings import SensingSettings
from tamsk_hw.board.sensing.timeline import Rank, Timeline
from tamsk_hw.game.players import End
from tamsk_hw.game.tubes import Tube
from tamsk_hw.referee.events import Lift, Seat, Tilt
from tamsk_hw.referee.sensor_id import SensorId


class GlassField(Field):
    """The Hall sensor under a tube.

    A glass found with the other end down without having been seen gone was turned fast: a lift and a seat.
    """

    def __init__(
        self,
        tube: Tube,
        calibration: FieldCalibration,
        settings: SensingSettings,
        timeline: Timeline,
        low: list[int],
        high: list[int],
    ) -> None:
        super().__init__(int(tube), SensorId.glass(tube), calibration, settings, timeline, low, high)
        self.tube = tube

    def tell_seated(self, end: End, t: float) -> None:
        """A seat."""
        self._timeline.put(Seat(t, self.tube, end), Rank.SEAT, self.index)

    def tell_lifted(self, t: float) -> None:
        """A lift, also of what was only leaning."""
        self._timeline.put(Lift(t, self.tube), Rank.LIFT, self.index)

    def tell_leaning(self, t: float) -> None:
        """A tilt."""
        self._timeline.put(Tilt(t, self.tube), Rank.TILT, self.index)
