"""Sensing: whole snapshots in, events for the referee out (docs/design.md, Sensing). Pure: time is an argument.

A snapshot in which no tube changed its state costs a few comparisons of whole values: every field has the two
bytes between which nothing changes, so the work per tube is done only for the tubes that leave them.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import inf
from operator import gt, lt

from tamsk_hw.board.calibration import Calibration
from tamsk_hw.board.field_watch import FieldWatch
from tamsk_hw.board.glass_sensing import Field
from tamsk_hw.board.holder_sensing import RingHolder
from tamsk_hw.board.protocol import FIELDS, TIMER_FIELD, FaultFlag, RingSignals, Snapshot
from tamsk_hw.board.ring_sensing import RingSensors
from tamsk_hw.board.sensing_settings import SensingSettings
from tamsk_hw.board.timeline import NOWHERE, FaultWatch, References, Timeline
from tamsk_hw.board.wiring import Wiring
from tamsk_hw.errors import MisuseError
from tamsk_hw.game.tubes import PLAYERS, End, Player, Tube
from tamsk_hw.referee import events
from tamsk_hw.referee.events import Event, SensorId

#: The controller's flags that sensing looks at; those on the traffic with the host are the link's.
_SUPPLY_LOW = int(FaultFlag.SUPPLY_LOW)
_SILENT = (int(FaultFlag.HOLDER_RED_SILENT), int(FaultFlag.HOLDER_BLACK_SILENT))

_SUPPLY_WORDS = "the board's 5 V are below about 4.5 V; glasses are held as they stood"


class Sensing:
    """Turns snapshots into events.

    ``wiring``: tubes that are not fitted are not looked at, and a bad multiplexer holds its own fields only.
    ``holders`` is True when the ring holders are counted; None: where the map has them.

    What `feed`, `advance`, `link_lost` and `link_restored` return is in the order of the events' times, over
    all calls; an event's time is when its state began, unless a later one has been given out already
    (`timeline`). Times ``t`` are seconds, never decreasing over all calls, else `MisuseError`.
    """

    def __init__(
        self, wiring: Wiring, calibration: Calibration, settings: SensingSettings, holders: bool | None = None
    ) -> None:
        self._settings = settings
        self._field_mux = [None if channel is None else channel.mux for channel in wiring.channels]
        self._timeline = timeline = Timeline()
        self._now = -inf
        self._seen = -inf
        self._connected = True
        self._due = -inf

        self._low = [0] * FIELDS
        self._high = [0] * FIELDS
        self._fields = [
            Field(index, measured, settings, timeline, self._low, self._high)
            for index, measured in enumerate(calibration.fields)
        ]
        fitted = [field for field in self._fields if field.tube is None or wiring.ring_bits[field.tube]]
        for field in self._fields:
            if field not in fitted:
                field.hold("not fitted")
        self._watch = FieldWatch(fitted, calibration.fields, timeline)

        self._holders = [
            RingHolder(player, measured, settings, timeline, NOWHERE + place)
            for place, (player, measured) in enumerate(zip(PLAYERS, calibration.holders, strict=True))
            if (bool(wiring.holders) if holders is None else holders)
        ]
        self._ring_sensors = RingSensors(
            wiring.ring_bits, self._fields[:TIMER_FIELD], settings, timeline, self._holders
        )
        self._rings = 0
        self._unknown = 0
        self._selected = True
        """The select lines chose the right converters for the last bits, as far as the references show."""

        self._references = References(timeline, wiring, settings)
        self._good_references: set[bytes] = set()
        self._supply = FaultWatch(timeline, events.SUPPLY, dwell=settings.fault_dwell, spoils=settings.glass_dwell)
        self._distrust: tuple[frozenset[int], bool] = frozenset(), False
        """The multiplexers that are not to be believed in the last snapshot, and True where the supply was low."""
        self._flags = 0

    def restore(self, past: Iterable[Event]) -> None:
        """Begin with an earlier run's last event on each sensor: the first snapshots report what differs from it.

        ``past``: the stream in its order, with those of people, too. Otherwise sensing starts from an empty
        board; absent sensors are ignored.

        Raises:
            MisuseError: a snapshot has been fed already.
        """
        if self._seen > -inf:
            raise MisuseError("an earlier run was restored after the first snapshot; allowed is before it")
        glasses: dict[Tube | None, tuple[End | None, bool]] = {}
        rings: dict[Tube, int] = {}
        holders: dict[Player, int] = {}
        faults: dict[SensorId, frozenset[Tube]] = {}
        for event in past:
            match event:
                case events.Seat(_, tube, end):
                    glasses[tube] = end, False
                case events.Tilt(_, tube):
                    glasses[tube] = glasses.get(tube, (None, False))[0], True
                case events.Lift(_, tube):
                    glasses.pop(tube, None)
                case events.TimerSeated(_, end):
                    glasses[None] = end, False
                case events.TimerLifted():
                    glasses.pop(None, None)
                case events.Rings(_, tube, count):
                    rings[tube] = count
                case events.Holder(_, player, count):
                    holders[player] = count
                case events.Fault(_, sensor, cleared=True):
                    faults.pop(sensor, None)
                case events.Fault(_, sensor, unread=unread):
                    faults[sensor] = unread
                case _:
                    pass
        for field in self._fields:
            field.restore(*glasses.get(field.tube, (None, False)), faults)
        self._ring_sensors.restore(rings, faults)
        for holder in self._holders:
            holder.restore(holders.get(holder.player), faults)
        self._references.restore(faults)
        self._supply.restore(faults)
        self._watch.restore(faults)

    @property
    def baselines(self) -> tuple[float, ...]:
        """The reading of each field without a glass, as it has been followed (steps)."""
        return tuple(field.followed.rest for field in self._fields)

    def restore_baselines(self, baselines: Sequence[float]) -> None:
        """Begin with the `baselines` that an earlier run followed, within the bounds of what is followed.

        Where the first readings are nearer to the calibrated rest, that one is taken.

        Raises:
            MisuseError: a snapshot has been fed already, or there are not 38.
        """
        if self._seen > -inf:
            raise MisuseError("baselines were given after the first snapshot; allowed is before it")
        if len(baselines) != FIELDS:
            raise MisuseError(f"baselines: {len(baselines)} fields; allowed is {FIELDS}")
        for field, rest in zip(self._fields, baselines, strict=True):
            field.begin_at(rest)

    def feed(self, snapshot: Snapshot, t: float, missed: bool = False) -> list[Event]:
        """A snapshot, taken at host time ``t``; what counts now. While the link is lost it is ignored.

        ``missed``: frames were lost since the one before, so nobody knows what was between; of that time no more
        than `SensingSettings.gap_credit` counts towards a state that is still there.
        """
        if not t >= self._now:
            raise MisuseError(f"a snapshot of {t!r} s came after {self._now!r} s; times must not decrease")
        fields = snapshot.fields
        if (
            t < self._due
            and not missed
            and snapshot.rings == self._rings
            and snapshot.unknown == self._unknown
            and snapshot.faults == self._flags
            and snapshot.references in self._good_references
            and not any(map(lt, fields, self._low))
            and not any(map(gt, fields, self._high))
            and (
                not self._holders
                or all(
                    each.low <= reading <= each.high
                    for each, reading in zip(self._holders, snapshot.holders, strict=False)
                )
            )
        ):
            self._now = self._seen = t
            return []
        return self._take(snapshot, t, missed)

    def take_signals(self, told: RingSignals) -> None:
        """Take the signals of a converter's ring sensors; what follows from them comes with the next snapshot."""
        if self._connected and self._seen > -inf:
            self._ring_sensors.take_signals(told, self._seen)
            self._due = min(self._due, self._timeline.deadline)

    def expect_rings(self, rights: Mapping[Tube, tuple[float, float]]) -> list[Event]:
        """Rights to rings are open in these tubes, each from and until a time; what counts now.

        To be called after each ruling on what was given out. Elsewhere a rise of the count is looked at for
        longer. Until the first call every tube is taken for one in which rings are due.
        """
        self._ring_sensors.expect(rights, self._now)
        self._timeline.ripen(self._seen)
        self._due = min(self._due, self._timeline.deadline)
        return self._timeline.drain()

    def advance(self, t: float) -> None:
        """Time has passed to ``t`` without a snapshot: `settled` moves on, as far as no state has begun.

        Nothing counts by time alone: the frame that would tell that a state ended may have been lost. The next
        snapshot shows whether it held; one comes every 50 ms.
        """
        if not t >= self._now:
            raise MisuseError(f"time {t!r} s came after {self._now!r} s; times must not decrease")
        self._now = t

    def link_lost(self, t: float) -> list[Event]:
        """The connection is lost: states that had not held for their dwell are forgotten. Twice is once."""
        self.advance(t)
        if not self._connected:
            return []
        self._connected = False
        self._timeline.drop_runs()
        for field in self._fields:
            field.reset()
        self._ring_sensors.reset()
        for holder in self._holders:
            holder.link_lost()
        self._references.reset()
        self._supply.reset()
        self._trust(frozenset(), False)
        self._watch.reset()
        self._timeline.drop_runs()
        self._timeline.publish(events.Link(t, events.LinkState.LOST))
        return self._timeline.drain()

    def link_restored(self, t: float) -> list[Event]:
        """The connection is back: the next snapshots tell what has changed since. Without a loss nothing."""
        self.advance(t)
        if self._connected:
            return []
        self._connected = True
        self._due = -inf
        self._timeline.publish(events.Link(t, events.LinkState.RESTORED))
        return self._timeline.drain()

    @property
    def settled(self) -> float:
        """No event still to come is older than this (seconds): the referee's clock may go as far, no further.

        The present, unless a state that has begun has not held for its dwell yet.
        """
        return self._timeline.settled(self._now)

    def settled_by(self, now: float) -> float:
        """The same, if nothing that was seen before ``now`` (seconds) is still under way."""
        return self._timeline.settled(max(now, self._now))

    def _take(self, snapshot: Snapshot, t: float, missed: bool) -> list[Event]:
        """A snapshot that may change something."""
        self._now = self._timeline.now = t
        if not self._connected:
            return []
        self._watch.recent.append((t, snapshot.fields))
        if missed:
            self._timeline.postpone(max(0.0, t - self._seen - self._settings.gap_credit))
        else:
            self._timeline.ripen(min(t, self._seen + self._settings.silence))
        read_at, self._seen = self._seen, t
        self._see_trust(snapshot, t)
        self._see_rings(snapshot, t, read_at, missed)
        fields = snapshot.fields
        for field, reading, low, high in zip(self._fields, fields, self._low, self._high, strict=False):
            if not low <= reading <= high:
                field.feed(reading, t)
        for holder, reading, silent in zip(self._holders, snapshot.holders, _SILENT, strict=False):
            holder.feed(reading, bool(snapshot.faults & silent), t)
        if t >= self._watch.due:
            self._watch.feed(fields, t)
        self._timeline.ripen(t)
        self._flags = snapshot.faults
        self._due = min(self._timeline.deadline, self._watch.due)
        if self._references.distrusted:
            self._due = -inf  # their return to what is well known must be seen too
        return self._timeline.drain()

    def _see_rings(self, snapshot: Snapshot, t: float, read_at: float, missed: bool) -> None:
        bits = snapshot.rings, snapshot.unknown, self._references.blamed != events.SELECT_LINES
        if bits != (self._rings, self._unknown, self._selected) or not self._ring_sensors.fresh:
            self._ring_sensors.feed(*bits, t, read_at, missed=missed)
        self._rings, self._unknown, self._selected = bits

    def _see_trust(self, snapshot: Snapshot, t: float) -> None:
        references = snapshot.references
        if references not in self._good_references and not self._references.off(references):
            self._good_references.add(references)
        self._references.feed(references, snapshot.fields, t)
        low = bool(snapshot.faults & _SUPPLY_LOW)
        self._supply.feed(_SUPPLY_WORDS if low else None, t)
        self._trust(self._references.distrusted, low)

    def _trust(self, distrusted: frozenset[int], low: bool) -> None:
        """Hold the fields whose readings in this snapshot cannot be trusted, release the others."""
        if (distrusted, low) == self._distrust:
            return
        self._distrust = distrusted, low
        for field, mux in zip(self._fields, self._field_mux, strict=True):
            if low or (mux in distrusted if mux is not None else distrusted):
                field.hold("readings")
            else:
                field.release("readings")
