"""Finds what disturbs fields and is no glass: jitter, readings that lie off, a magnet from outside.

Now and then a burst of consecutive snapshots is kept.

- *Jitter*, as with a loose wire or a dying supply: for each field the turns are counted, a reading that jumps by
  more than the margin and straight back. A hand cannot do that within 5 ms. A controller sends at its shortest
  interval when a field moves beyond its deadband, so snapshots that come slowly are quiet by themselves.
- *Off*: fields that lie farther from what is expected than is followed, for longer than anybody holds a glass.
- *A magnet from outside*, as in a loudspeaker or a holder for telephones, can read like a glass that was put down
  or lifted. A glass's own magnets are small: at the next tube they make 0.12 mT, less than a step. One that makes
  20 steps in a tube from a distance of 60 mm makes 4 in the tubes around it. So before a state counts, its
  neighbours are looked at: when they have shifted together, nothing is concluded here until they are back.
"""

from collections import deque
from collections.abc import Collection, Sequence
from functools import partial
from itertools import pairwise
from math import inf
from statistics import fmean

from tamsk_hw.board.calibration import FieldCalibration
from tamsk_hw.board.field_levels import FOLLOWED_STRAY
from tamsk_hw.board.glass_sensing import Field
from tamsk_hw.board.timeline import FaultWatch, Timeline
from tamsk_hw.game.tubes import NEIGHBOURS
from tamsk_hw.referee.events import FIELDS, SensorId

#: Snapshots in a burst, and seconds from the end of one to the next.
BURST, PAUSE = 16, 0.4

#: Snapshots further apart than this (seconds) say that nothing jumps.
SLOW = 0.012

#: Turns in a burst that make a field noisy: of 14 possible, iid noise of three margins gives about 9.
TURNS = 4

#: Seconds for which fields must be off without a break: nobody holds a glass above its tube for as long.
OFF_FOR = 10.0

#: Steps by which a tube's neighbours read beside what is usual, in the mean, when a magnet from outside is near,
#: or half of the noise where that is more. Each counts up to the second, so that a hand with a glass at one of
#: them is no magnet; and those at which nothing has begun read at least half of it.
SHIFTED, SHIFTED_MOST = 2.0, 3.0

#: Seconds after a magnet was felt last until it is believed to have gone: longer than a state needs to count.
GONE_AFTER = 1.5

#: Noisy bursts in a row that are a fault, quiet ones in a row that clear it.
NOISY_BURSTS, QUIET_BURSTS = 2, 3


class FieldWatch:
    """Watches over the ``fields`` that are fitted; ``calibration`` has those of all 38."""

    def __init__(
        self, fields: Sequence[Field], calibration: Sequence[FieldCalibration], timeline: Timeline
    ) -> None:
        self.due = -inf
        """Time of the next wanted snapshot."""
        self._fields = fields
        self._margins = [2 * calibration[field.index].noise for field in fields]
        self._neighbours = {
            field: [each for each in fields if each.tube in NEIGHBOURS[field.tube]]
            for field in fields
            if field.tube is not None
        }
        self._near_magnet: list[Field] = []
        """Fields that are held until the next burst because a magnet from outside is near."""
        self._magnet_at = -inf
        self._magnet = ""
        """When a magnet was felt last, and at which tubes."""
        for field in self._neighbours:
            field.is_magnet = self._is_magnet
        self.recent: deque[tuple[float, bytes]] = deque(maxlen=BURST)
        """Times and readings of the last snapshots that could change something, the present one among them."""
        self._burst: list[bytes] = []
        self._last = -inf
        self._scores = [0] * len(fields)
        self._off_since = inf
        self._off_watch = FaultWatch(timeline, FIELDS, dwell=PAUSE)
        self._watches = [
            FaultWatch(
                timeline, field.sensor, dwell=0.0, on_cleared=partial(field.release, "noise"), place=field.index
            )
            for field in fields
        ]

    def feed(self, fields: bytes, t: float) -> None:
        """A snapshot at time ``t``, not before `due`."""
        if self._burst and t - self._last > SLOW:
            self._follow([(reading,) for reading in fields], t)
            self._judge([], t)
            return
        self._last = t
        self._burst.append(fields)
        if len(self._burst) == BURST:
            columns = list(zip(*self._burst, strict=True))
            self._follow(columns, t)
            self._judge(columns, t)

    def restore(self, faults: Collection[SensorId]) -> None:
        """Begin with what an earlier run reported of all fields together."""
        self._off_watch.restore(faults)

    def reset(self) -> None:
        """The link is lost."""
        self._off_watch.reset()
        self._off_since = inf
        self._burst = []
        self._scores = [0] * len(self._scores)

    def _follow(self, columns: Sequence[Sequence[int]], t: float) -> None:
        """Have each field follow what drifts; ``columns`` are the readings of each."""
        if self._near_magnet:
            self._magnet_at = t
            self._magnet = " ".join(str(field.tube) for field in self._near_magnet)
            for field in self._near_magnet:
                field.release("magnet")  # what it shows is asked again
            self._near_magnet = []
        if t < self._magnet_at + GONE_AFTER:  # what the magnet does to other fields is not followed
            self._off_watch.feed(f"a magnet that is no glass is near {self._magnet}: take it away", t)
            return
        for field in self._fields:
            field.follow(columns[field.index])
        off = _off_detail(self._fields)
        self._off_since = inf if off is None else min(self._off_since, t)
        self._off_watch.feed(off if t - self._off_since >= OFF_FOR else None, t)

    def _is_magnet(self, field: Field, since: float) -> bool:
        """True when a magnet from outside has made the state that is about to count; the field is held then."""
        shifts, still, least = [], [], SHIFTED
        readings = [readings for t, readings in self.recent if t >= since]
        for near in self._neighbours[field]:
            shift = near.shift(fmean(each[near.index] for each in readings))
            if shift is not None:
                shifts.append(shift)
                least = max(least, near.followed.noise / 2)
                if near.is_still:
                    still.append(shift)
        most = least * SHIFTED_MOST / SHIFTED
        if not still or fmean(still) < least / 2 or fmean(min(shift, most) for shift in shifts) < least:
            return False
        self._near_magnet.append(field)
        field.hold("magnet")
        field.reset()  # what it shows afterwards begins anew
        return True

    def _judge(self, columns: Sequence[Sequence[int]], t: float) -> None:
        """Count the noisy bursts of each field; without ``columns`` all are quiet."""
        watched = zip(self._fields, self._margins, self._watches, strict=True)
        for index, (field, margin, watch) in enumerate(watched):
            column = columns[field.index] if columns else (0,)
            noisy = max(column) - min(column) > margin and turns(column, margin) >= TURNS
            score = self._scores[index]
            score = max(score, 0) + 1 if noisy else min(score, 0) - 1
            self._scores[index] = score
            if score >= NOISY_BURSTS and not watch.standing:
                field.hold("noise")
                jumps = f"jumps by up to {max(column) - min(column)} steps"
                watch.feed(f"{jumps}; allowed {margin:g}; held as it stood", t)
            elif score <= -QUIET_BURSTS and watch.standing:
                watch.feed(None, t)
        self._burst = []
        self.due = t + PAUSE


def _off_detail(fields: Sequence[Field]) -> str | None:
    """The tubes whose fields lie farther off than is followed, so that lifts are missed, and what to look for."""
    off = [field for field in fields if abs(field.offset) > FOLLOWED_STRAY]
    if not off:
        return None
    if 2 * len(off) > len(fields):
        where = f"{len(off)} of {len(fields)} fields"
        cause = "the board is not calibrated, has another supply, or stands on steel"
    else:
        where = " ".join(str(field.tube or "the timer") for field in off)
        cause = "a magnet or steel is near, or they are not calibrated"
    most = round(max(abs(field.offset) for field in off))
    return f"{where} read up to {most} steps beside what they should; lifts there may be missed: {cause}"


def turns(readings: Sequence[int], margin: float) -> int:
    """Number of times that the readings jump by more than ``margin`` and straight back by more than it."""
    jumps = [after - before for before, after in pairwise(readings)]
    return sum(
        1
        for one, other in pairwise(jumps)
        if (one > margin and -other > margin) or (-one > margin and other > margin)
    )
