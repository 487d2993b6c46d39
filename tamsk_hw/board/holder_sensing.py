"""Rings in the holders.

A weight is stable when 8 readings or more, over the holder dwell, agree within the calibrated margin. The
first stable weight gives the count from the calibrated zero; after that only steps count, rounded to whole
rings, and every stable weight is the new zero of the next step, so creep and drift never add up. A weight
that is no whole number of rings more or less (a hand resting, a coin) or would leave less than none is not
counted: the count is held, and a fault reported; so is a weight that does not come to rest for seconds.

A ring may land before the weight of the holder that it was taken from is stable: the ring's count then waits,
and that weight counts no later than from the ring's beginning (`RingHolder.first_waiting`).
"""

from collections.abc import Callable, Collection
from math import inf

from tamsk_hw.board.calibration import HolderCalibration
from tamsk_hw.board.sensing_settings import SensingSettings
from tamsk_hw.board.timeline import FaultWatch, Rank, Run, Timeline
from tamsk_hw.game.tubes import RINGS_EACH, Player
from tamsk_hw.referee.events import Holder, SensorId

#: Readings that must agree.
AGREEING = 8

#: The most by which a step may be off a whole number of rings, in rings: for one ring, and more for each further
#: one, since the calibrated weight of a ring is itself a little off. Never as much as half a ring.
STEP_ERROR, STEP_ERROR_EACH, MOST_STEP_ERROR = 0.30, 0.02, 0.45

#: Seconds that a weight which is no count may stay before it is a fault: a hand may rest on the holder.
FOREIGN_DWELL = 2.0

#: Seconds without a stable weight that are a fault: longer than a hand takes to fetch a ring. It is over after
#: `STEADY_AGAIN` seconds of rest, since readings that stray agree now and then by chance.
UNSTEADY_AFTER, STEADY_AGAIN = 5.0, 1.0

#: The converter's ends of scale: a cell that is not connected.
_RAILS = (-(1 << 23), (1 << 23) - 1)


class RingHolder:
    """One player's holder.

    ``low`` … ``high`` are the readings within which nothing changes.
    """

    def __init__(
        self,
        player: Player,
        calibration: HolderCalibration,
        settings: SensingSettings,
        timeline: Timeline,
        place: int,
    ) -> None:
        self.low, self.high = inf, -inf
        self.count: int | None = None
        """The count that was reported last; None when none was."""
        self.player = player
        self.on_settled: Callable[[], None] | None = None
        """Called when the weight is stable again."""
        self.first_waiting: Callable[[float], float] = lambda since: inf
        """Beginning of the first ring that waits for a weight on its way since ``since``, or infinity."""
        self._calibration = calibration
        self._settings = settings
        self._timeline = timeline
        self._place = place
        self._weighed = False
        """There was a stable weight, which is the zero of the next step."""
        self._zero = 0.0
        self._run: Run | None = None
        self._lowest = self._highest = 0
        self._sum = self._readings = 0
        self._unsteady_since: float | None = None
        """Time at which the weight left its rest; None while it is stable."""
        self._steady: Run | None = None
        self._refused = self._unsteady = False
        """The present weight is no count; it is none because it does not come to rest."""
        self._fault = FaultWatch(
            timeline, SensorId.holder(player), dwell=settings.fault_dwell, on_cleared=self.reset, place=place
        )

    def restore(self, count: int | None, faults: Collection[SensorId]) -> None:
        """Begin with the report of an earlier run: the count, if any, and the sensors at fault.

        What the holder weighed is not known: the first stable weight gives a count from the calibrated zero.
        """
        self.count = count
        self._fault.restore(faults)

    def feed(self, reading: int, silent: bool, t: float) -> None:
        """A reading at time ``t``; ``silent``: the controller has had no fresh one for a while."""
        railed = reading in _RAILS
        if silent or railed:
            end_of_scale = f"reads {reading}, its end of scale; the count is held"
            self._fault.feed(end_of_scale if railed else "does not answer; the count is held", t)
            self.reset()
            return
        if not self._refused:
            self._fault.feed(None, t)
            if self._fault.standing:
                return
        if not self.low <= reading <= self.high:
            self._agree(reading, t)

    @property
    def moving_since(self) -> float | None:
        """Time at which the weight left its rest, if it is on its way to another; None at rest and at fault."""
        return None if self._fault.standing else self._unsteady_since

    def reset(self) -> None:
        """The cell was silent: the count and its weight stand, the next reading is news."""
        self._stop()
        self._stop_steady()
        self._refused = self._unsteady = False
        self._unsteady_since = None
        self.low, self.high = inf, -inf

    def link_lost(self) -> None:
        """The link is lost: the same, and whatever was going on is not known any more."""
        self.reset()
        self._fault.reset()

    def _stop(self) -> None:
        self._timeline.stop(self._run)
        self._run = None
        self._readings = 0

    def _stop_steady(self) -> None:
        self._timeline.stop(self._steady)
        self._steady = None

    def _agree(self, reading: int, t: float) -> None:
        """A reading while the weight is on its way: every one is news until they agree."""
        if self._unsteady_since is None:
            self._unsteady_since = t
            self.low, self.high = inf, -inf
            self._stop_steady()
        elif t - self._unsteady_since >= UNSTEADY_AFTER:
            self._refused = self._unsteady = True
            held = "no ring is counted" if self.count is None else f"the count is held at {self.count}"
            advice = "keep hands and draughts away, check its wires"
            self._fault.feed(f"has not come to rest for {UNSTEADY_AFTER:g} s; {held}; {advice}", t)
        lowest, highest = min(self._lowest, reading), max(self._highest, reading)
        if self._readings == 0 or highest - lowest > self._calibration.margin:
            self._stop()
            self._lowest = self._highest = self._sum = reading
            self._readings = 1
            self._run = self._timeline.start(Run(t, inf, Rank.HOLDER, self._ripe))
            return
        self._lowest, self._highest = lowest, highest
        self._sum += reading
        self._readings += 1
        run = self._run
        if run is not None and self._readings >= AGREEING:
            run.deadline = max(run.begin + self._settings.holder_dwell, t)

    def _ripe(self, run: Run) -> None:
        """A stable weight, since the run's beginning."""
        weight = self._sum / self._readings
        self._run = None
        self._readings = 0
        since, self._unsteady_since = self._unsteady_since, None
        t = run.begin if since is None else min(run.begin, self.first_waiting(since))
        self._weigh(weight, t, run.deadline)
        if self.on_settled is not None:
            self.on_settled()

    def _weigh(self, weight: float, t: float, now: float) -> None:
        """Count the rings of a weight that is stable ``now`` and was there since ``t``."""
        if self.count is None or not self._weighed:
            steps, before, error = (weight - self._calibration.zero) / self._calibration.per_ring, 0, None
        else:
            steps, before, error = (weight - self._zero) / self._calibration.per_ring, self.count, STEP_ERROR
        rings = round(steps)
        if error is not None:
            allowed = min(MOST_STEP_ERROR, error + STEP_ERROR_EACH * max(0, abs(rings) - 1))
            if abs(steps - rings) > allowed:
                self._refuse(f"changed by {steps:.1f} rings; the count is held at {before}", now, weight)
                return
        if not 0 <= before + rings <= 2 * RINGS_EACH:
            allowed_rings = f"allowed are 0 to {2 * RINGS_EACH}"
            self._refuse(f"weighs {before + rings} rings; {allowed_rings}; calibrate it", now, weight)
            return
        if self._unsteady and self._fault.standing:
            self._steady = self._timeline.start(
                Run(now, now + STEADY_AGAIN, Rank.CLEARED, self._rested, dated=False)
            )
        else:
            self._trust(now)
        self._weighed = True
        self._zero = weight
        self._bound(weight)
        if self.count != before + rings:
            self.count = before + rings
            self._timeline.put(Holder(t, self.player, self.count), Rank.HOLDER, self._place)

    def _rested(self, run: Run) -> None:
        """The weight that was unsteady has stayed at rest."""
        self._steady = None
        self._trust(run.deadline)

    def _trust(self, t: float) -> None:
        """The present weight is a count."""
        self._refused = self._unsteady = False
        self._fault.feed(None, t)

    def _refuse(self, detail: str, t: float, weight: float) -> None:
        """Report a weight that stays and matches no count of rings; check again when it changes."""
        self._refused, self._unsteady = True, False
        self._fault.feed(detail, t, dwell=FOREIGN_DWELL)
        self._bound(weight)

    def _bound(self, weight: float) -> None:
        half = self._calibration.margin / 2
        self.low, self.high = weight - half, weight + half
