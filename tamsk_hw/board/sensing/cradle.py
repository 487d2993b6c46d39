"""The 15-second timer in its cradle."""

from __future__ import annotations

from tamsk_hw.board.calibration import FieldCalibration
from tamsk_hw.board.protocol.messages import TIMER_FIELD
from tamsk_hw.board.sensing.field import Field
from tamsk_hw.board.sensing.settings import SensingSettings
from tamsk_hw.board.sensing.timeline import Rank, Timeline
from tamsk_hw.game.players import End
from tamsk_hw.referee.events import TimerLifted, TimerSeated
from tamsk_hw.referee.sensor_id import TIMER


class CradleField(Field):
    """The Hall sensor of the cradle. Its events are seated and lifted; a leaning timer is not reported."""

    tells_leaning = False

    def __init__(
        self,
        calibration: FieldCalibration,
        settings: SensingSettings,
        timeline: Timeline,
        low: list[int],
        high: list[int],
    ) -> None:
        super().__init__(TIMER_FIELD, TIMER, calibration, settings, timeline, low, high)

    def tell_seated(self, end: End, t: float) -> None:
        """The timer stands."""
        self._timeline.put(TimerSeated(t, end), Rank.SEAT, self.index)

    def tell_lifted(self, t: float) -> None:
        """The timer left its cradle."""
        self._timeline.put(TimerLifted(t), Rank.LIFT, self.index)

    def tell_leaning(self, t: float) -> None:
        """Never asked (`tells_leaning`)."""
        raise NotImplementedError
