"""Random boards: what hands do is told, all of it, in order, in time, and nothing else."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf

from hypothesis import example, given, settings
from hypothesis import strategies as st

from tamsk_hw.board.calibration import Calibration, FieldCalibration
from tamsk_hw.board.protocol import RingSignal, RingSignals, Snapshot
from tamsk_hw.board.sensing import Sensing
from tamsk_hw.board.sensing_settings import SensingSettings
from tamsk_hw.game.tubes import CAPACITY, TUBES, End, Tube
from tamsk_hw.referee.events import Event, Lift, Rings, Seat, TimerLifted, TimerSeated
from tests.board.sensing_board import RING_DWELL, TIMER, Board, ring_bits, share_at, wired
from tests.soak import in_soak

PERIOD = 0.0025

#: Snapshots that may be lost in a row.
LOST = 3


@dataclass
class Channel:
    """True history of one sensor: signals over time, and the events that must come of them."""

    signals: list[tuple[float, Callable[[float], float]]] = field(default_factory=list)
    """From each time on, the signal as a function of time."""
    free_at: float = 0.0
    truth: list[tuple[Event, float]] = field(default_factory=list)
    """Events, with the earliest time; and the latest time."""

    def at(self, t: float) -> float:
        signal = 0.0
        for begin, function in self.signals:
            if begin <= t:
                signal = function(t)
        return signal


class World:
    """Hands at work at several tubes at once."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.fields = [Channel() for _ in range(38)]
        self.rings = [Channel() for _ in TUBES]
        self.standing: dict[int, End | None] = dict.fromkeys(range(38))
        self.counts = [0] * 37

    def put_down(self, index: int, t: float, seconds: float) -> None:
        """A glass comes down into a tube, wobbles a little, stands."""
        channel = self.fields[index]
        t = max(t, channel.free_at)
        end = self.random.choice((End.A, End.B))
        sign = 1 if end is End.A else -1
        down, wobble = t + seconds, self.random.uniform(0, 0.05)
        channel.signals += [
            (t, lambda now: sign * share_at(40 * (1 - (now - t) / seconds))),
            (down, lambda now: sign * (0.85 if (now - down) % 0.02 < 0.01 else 0.62)),
            (down + wobble, lambda now: sign * 1.0),
        ]
        channel.free_at = down + wobble + 0.1
        self.standing[index] = end
        event = TimerSeated(t, end) if index == TIMER else Seat(t, TUBES[index], end)
        channel.truth.append((event, down + wobble))

    def take_up(self, index: int, t: float, seconds: float) -> None:
        """A hand takes the glass out."""
        channel = self.fields[index]
        t = max(t, channel.free_at)
        sign = 1 if self.standing[index] is End.A else -1
        channel.signals += [
            (t, lambda now: sign * share_at(40 * (now - t) / seconds)),
            (t + seconds, lambda now: 0.0),
        ]
        channel.free_at = t + seconds + 0.1
        self.standing[index] = None
        event = TimerLifted(t) if index == TIMER else Lift(t, TUBES[index])
        channel.truth.append((event, t + seconds))

    def disturb(self, index: int, t: float, seconds: float) -> None:
        """A glass held over an empty tube, or a standing one raised 1.5 mm for a moment."""
        channel = self.fields[index]
        t = max(t, channel.free_at)
        end = self.standing[index]
        if end is None:
            share, rest = share_at(self.random.choice((4.5, 9, 18))), 0.0
        else:
            share, rest = share_at(1.5), 1.0
            seconds = min(seconds, 0.2)
        sign = -1 if end is End.B else 1
        channel.signals += [(t, lambda now: sign * share), (t + seconds, lambda now: sign * rest)]
        channel.free_at = t + seconds + 0.1

    def drop_or_take_ring(self, tube: int, t: float) -> None:
        """The count changes by one, with bounce."""
        channel = self.rings[tube]
        t = max(t, channel.free_at, self.fields[tube].free_at)
        former = self.counts[tube]
        count = (
            former + 1
            if former == 0
            else former - 1
            if former == CAPACITY[tube]
            else former + self.random.choice((-1, 1))
        )
        settled = t
        for _ in range(self.random.randint(0, 4)):
            channel.signals.append((settled, lambda now: count))
            settled += self.random.uniform(0, 0.03)
            channel.signals.append((settled, lambda now: former))
            settled += self.random.uniform(0, 0.03)
        channel.signals.append((settled, lambda now: count))
        channel.free_at = self.fields[tube].free_at = settled + 0.1
        self.counts[tube] = count
        channel.truth.append((Rings(t, TUBES[tube], count), settled))

    def touch(self, tube: int, t: float, seconds: float) -> None:
        """A finger on the sensor of the next ring."""
        channel = self.rings[tube]
        t = max(t, channel.free_at)
        count = self.counts[tube]
        if count < CAPACITY[tube]:
            seconds = min(seconds, 0.045)
            channel.signals += [(t, lambda now: count + 1), (t + seconds, lambda now: count)]
            channel.free_at = t + seconds + 0.1


actions = st.tuples(
    st.sampled_from(["glass", "glass", "timer", "ring", "ring", "disturb", "touch"]),
    st.integers(0, 5),
    st.floats(0, 0.15),
    st.floats(0.03, 0.15),
)


def world_of(script: list[tuple[str, int, float, float]], seed: int) -> World:
    """Hands at work at six tubes and the timer, one `actions` after the other."""
    world = World(seed)
    tubes = world.random.sample(range(37), 6)
    t = 0.1
    for kind, which, wait, seconds in script:
        t += wait
        index = TIMER if kind == "timer" else tubes[which]
        if kind in ("glass", "timer"):
            (world.put_down if world.standing[index] is None else world.take_up)(index, t, seconds)
        elif kind == "ring":
            world.drop_or_take_ring(index, t)
        elif kind == "disturb":
            world.disturb(index, t, 5 * seconds)
        else:
            world.touch(index, t, seconds)
    return world


@example([("glass", 0, 0.0, 0.125)] * 11 + [("ring", 0, 0.0, 0.125)], 0, 0.0, False)
@settings(max_examples=in_soak(600, otherwise=25))
@given(
    st.lists(actions, min_size=1, max_size=14), st.integers(0, 10**6), st.sampled_from([0.0, 0.4]), st.booleans()
)
def test_what_hands_do_is_told_in_order_and_nothing_else(
    script: list[tuple[str, int, float, float]], seed: int, loss: float, rights_known: bool
) -> None:
    """It makes no difference whether every ring is due because nobody speaks of rights, or by right."""
    world = world_of(script, seed)
    channels = [*world.fields, *world.rings]
    end = max(channel.free_at for channel in channels) + 1.5

    fields = tuple(
        FieldCalibration(
            rest=world.random.uniform(118, 138),
            end_a=world.random.uniform(40, 85),
            end_b=world.random.uniform(40, 85),
        )
        for _ in range(38)
    )
    board = Board(calibration=Calibration(fields=fields), seed=seed)
    busy_fields = [i for i, channel in enumerate(world.fields) if channel.signals]
    busy_rings = [i for i, channel in enumerate(world.rings) if channel.signals]
    given_out: list[tuple[Event, float]] = []
    promised = 0.0
    missed = 0
    while board.t < end:
        board.t += PERIOD
        if missed < LOST and world.random.random() < loss:
            missed += 1
            board.sensing.advance(board.t)
            continue
        missed = 0
        for index in busy_fields:
            board.shares[index] = world.fields[index].at(board.t)
        for index in busy_rings:
            board.rings(TUBES[index], int(world.rings[index].at(board.t)))
        events = board.feed()
        if rights_known:
            rights = dict.fromkeys(TUBES, (0.0, inf))
            events += board.sensing.expect_rings(rights)
        for event in events:
            assert event.t >= promised
            given_out.append((event, board.t))
        assert board.sensing.settled >= promised
        promised = board.sensing.settled

    times = [event.t for event, _ in given_out]
    assert times == sorted(times)
    late = PERIOD * (LOST + 1) + 1e-9
    told = [event for event, _ in given_out]
    clear_at: dict[int, float] = {}
    for channel, mine in [
        *((channel, [e for e in told if _field_of(e) == index]) for index, channel in enumerate(world.fields)),
        *(
            (channel, [e for e in told if isinstance(e, Rings) and e.tube == index])
            for index, channel in enumerate(world.rings)
        ),
    ]:
        assert len(mine) == len(channel.truth)
        for event, (true, latest) in zip(mine, channel.truth, strict=True):
            assert _without_time(event) == _without_time(true)
            assert true.t <= event.t <= latest + late
            clear_at[id(event)] = latest
    # An event is told a ring's dwell after its beginning, or 30 ms after the hand is done if that is later: a
    # glass that is lifted slowly is felt for a while after its lift began. What began after it waits for it.
    due = 0.0
    for event, at in given_out:
        due = max(due, event.t + RING_DWELL, clear_at[id(event)] + 0.030)
        assert at <= due + 2 * late


def _field_of(event: Event) -> int | None:
    if isinstance(event, Seat | Lift):
        return int(event.tube)
    return TIMER if isinstance(event, TimerSeated | TimerLifted) else None


def _without_time(event: Event) -> tuple[object, ...]:
    return (type(event), getattr(event, "tube", None), getattr(event, "end", None), getattr(event, "count", None))


def still(*, rings: int, holders: tuple[int, int]) -> Snapshot:
    """A snapshot of a board whose fields are all at the lower rail."""
    references = bytes((64, 128, 191))
    return Snapshot(
        seq=0, time=0, rings=rings, unknown=0, fields=bytes(38), references=references, holders=holders, faults=0
    )


def signals_in(snapshot: Snapshot) -> RingSignals:
    """Signals out of a snapshot's bytes."""
    rows = [snapshot.fields[at : at + 4] for at in range(8)]
    signals = tuple(RingSignal((one - 128) * 256 + two, three, four, one) for one, two, three, four in rows)
    return RingSignals(0, snapshot.seq, signals)


@given(
    st.lists(
        st.tuples(
            st.builds(
                Snapshot,
                seq=st.integers(0, 255),
                time=st.integers(0, 2**32 - 1),
                rings=st.integers(0, 2**64 - 1),
                unknown=st.one_of(st.just(0), st.integers(0, 2**64 - 1)),
                fields=st.binary(min_size=38, max_size=38),
                references=st.one_of(st.just(bytes((64, 128, 191))), st.binary(min_size=3, max_size=3)),
                holders=st.tuples(st.integers(-(2**23), 2**23 - 1), st.integers(-(2**23), 2**23 - 1)),
                faults=st.one_of(st.just(0), st.integers(0, 2**16 - 1)),
            ),
            st.floats(0, 3),
            st.integers(1, 40),
        ),
        max_size=25,
    ),
    st.booleans(),
    st.lists(st.dictionaries(st.sampled_from(TUBES), st.tuples(st.floats(0, 20), st.floats(0, 80))), min_size=1),
)
@example(
    [
        (still(rings=1, holders=(0, 1069)), 1.0, 1),
        (still(rings=0, holders=(0, 0)), 0.0, 1),
        (still(rings=0, holders=(0, 0)), 1.0, 7),
    ],
    True,
    [{}],
)  # a ring that waited for both holders, and was told before the second came to rest
@settings(max_examples=in_soak(1000, otherwise=50))
def test_garbage_never_raises_and_is_told_in_order(
    script: list[tuple[Snapshot, float, int]], holders: bool, rights: list[dict[Tube, tuple[float, float]]]
) -> None:
    sensing = Sensing(wired(ring_bits()), Calibration(), SensingSettings(), holders)
    t = 0.0
    told: list[Event] = []
    promised = 0.0
    for number, (snapshot, gap, times) in enumerate(script):
        for _ in range(times):
            t += gap / times
            events = sensing.feed(snapshot, t)
            sensing.take_signals(signals_in(snapshot))
            if number % 3:
                events += sensing.expect_rings(rights[number % len(rights)])
            assert all(event.t >= promised for event in events)
            assert promised <= sensing.settled <= t
            promised = sensing.settled
            told += events
        if number % 7 == 3:
            told += sensing.link_lost(t)
            told += sensing.link_restored(t + 0.1)
            t += 0.1
        t += gap
        sensing.advance(t)
        assert sensing.settled <= t
    times_told = [event.t for event in told]
    assert times_told == sorted(times_told)
    assert all(time <= t for time in times_told)


@given(st.lists(st.integers(0, 255), min_size=30, max_size=120), st.integers(0, 10**6))
@settings(max_examples=in_soak(600, otherwise=25))
def test_a_glass_is_only_ever_seated_lifted_or_tilted_in_turn(readings: list[int], seed: int) -> None:
    """Whatever one field reads: no lift without a glass, no second seat without a lift or a lean between."""
    board = Board(seed=seed)
    for reading in readings:
        board.readings[18] = reading
        board.run(board.random.choice((0.0025, 0.02, 0.04, 0.1, 0.3)))
    state = "empty"
    for event in board.events:
        if isinstance(event, Seat):
            assert state in ("empty", "leaning")
            state = "seated"
        elif isinstance(event, Lift):
            assert state in ("seated", "leaning")
            state = "empty"
        elif type(event).__name__ == "Tilt":
            assert state in ("empty", "seated")
            state = "leaning"
