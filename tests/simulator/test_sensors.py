"""Readings of the sensors: fields, ring bits, light, load cells."""

from __future__ import annotations

import itertools

import pytest

from tamsk_hw.board.protocol import FIELDS, TIMER_FIELD
from tamsk_hw.board.wiring import load_wiring
from tamsk_hw.errors import ConfigError
from tamsk_hw.game.tubes import CAPACITY, TUBES, End, Player, Tube
from tamsk_hw.simulator.board import SimulatedBoard
from tamsk_hw.simulator.faults import fault_of
from tamsk_hw.simulator.sensors import COUNTS_PER_GRAM, QUIET, Noise, Sensors
from tamsk_hw.simulator.things import FIRST_PLACE, WorldStart
from tamsk_hw.simulator.truth import RingDropped
from tamsk_hw.simulator.world import World

RED = Player.RED
WIRING = load_wiring()


class Probe:
    """Sensors read at will, and what a calibration makes of them."""

    def __init__(self, world: World, noise: Noise = QUIET) -> None:
        self.world = world
        self.sensors = Sensors(world, WIRING, noise)
        self.calibration = self.sensors.calibration_values()
        self.scan = 0

    def at(self, t: float) -> Probe:
        self.world.advance(t)
        self.sensors.advance(t)
        self.scan += 1
        return self

    @property
    def fields(self) -> bytes:
        return self.sensors.analog(self.sensors.fields(self.world.now), self.scan)[0]

    def share(self, field: int) -> float:
        """The field as a share of the calibrated deflection, whichever end is down."""
        deflection = self.fields[field] - self.calibration.rest[field]
        ends = self.calibration.end_a if deflection > 0 else self.calibration.end_b
        return abs(deflection) / ends[field]

    @property
    def counts(self) -> list[int | None]:
        """Rings per tube by the thermometer code, None for one with a gap."""
        bits = self.sensors.rings()[0]
        counts: list[int | None] = []
        for tube in TUBES:
            levels = [bits >> bit & 1 for bit in WIRING.ring_bits[tube]]
            counts.append(sum(levels) if levels == sorted(levels, reverse=True) else None)
        return counts


@pytest.mark.parametrize("seed", range(4))
def test_at_rest_glasses_read_seated_by_their_end_and_bare_tubes_rest(seed: int) -> None:
    probe = Probe(World(seed))
    world = probe.world
    for tube in TUBES:
        glass = world.glass_at[tube]
        if glass is None:
            assert abs(probe.fields[tube] - probe.calibration.rest[tube]) < 1.5
        else:
            # magnets 5 % either way, the one of the walk too, and its place in the tube
            assert 0.89 < probe.share(tube) < 1.16
            assert (probe.fields[tube] > 128) is (glass.down is End.A)
    assert 0.9 < probe.share(TIMER_FIELD) < 1.1


def test_every_sensor_differs() -> None:
    values = Probe(World(1)).calibration
    assert len(values.rest) == len(values.end_a) == len(values.end_b) == FIELDS
    assert max(values.rest) - min(values.rest) > 4
    assert all(124.5 < rest < 131.5 for rest in values.rest)
    assert max(values.end_a) / min(values.end_a) > 1.1
    assert all(67 * 0.9 * 0.95 * 0.97 < deflection < 67 * 1.1 * 1.05 for deflection in values.end_a + values.end_b)


def test_noise_is_one_step_either_way() -> None:
    probe = Probe(World(2), Noise(weak_ring_sensors=0))
    quiet = Probe(World(2)).fields
    readings = []
    for step in range(2000):
        readings.append(probe.at(step * 0.0025).fields)
    off = [reading[field] - quiet[field] for reading in readings for field in range(FIELDS)]
    assert set(off) == {-1, 0, 1}
    # 30 % of 76 000 readings; four standard errors are 0.7 %
    assert sum(map(abs, off)) / len(off) == pytest.approx(0.3, abs=0.007)
    assert sum(off) / len(off) == pytest.approx(0.0, abs=0.01)


@pytest.mark.parametrize("seed", range(4))
def test_seating_bounces_and_ends_seated(seed: int) -> None:
    world = World(seed)
    probe = Probe(world)
    done = world.lift(RED, Tube.D1)
    assert probe.at(done).share(Tube.D1) < 0.03
    rest = world.seat(RED, Tube.D2, turned=True)
    shares = []
    while world.now < rest + 0.02:
        shares.append(probe.at(world.now + 0.001).share(Tube.D2))
    touched = next(n for n, share in enumerate(shares) if share > 0.8)
    assert min(shares[touched:]) < 0.86, "no bounce"
    assert all(share > 0.84 for share in shares[-20:])
    assert max(shares) < 1.2


def test_a_wobble_leaves_the_seated_band_for_a_dozen_milliseconds_only() -> None:
    for seed in range(10):
        world = World(seed)
        probe = Probe(world)
        low, longest = 0, 0
        end = world.knock(Tube.D1)
        before = probe.share(Tube.D1)
        seen = []
        while world.now < end:
            seen.append(probe.at(min(end, world.now + 0.001)).share(Tube.D1))
            low = low + 1 if seen[-1] < 0.7 else 0
            longest = max(longest, low)
        assert min(seen) < 0.85 * before
        assert longest <= 14
        assert probe.share(Tube.D1) == pytest.approx(before, abs=0.02)


def test_a_falling_ring_bounces_and_counts_when_it_lies() -> None:
    changes_seen, gaps_seen = 0, 0
    for seed in range(20):
        world = World(seed)
        probe = Probe(world)
        rest = world.drop(RED, Tube.D4)
        counts: list[int | None] = []
        while world.now < rest + 0.1:
            counts.append(probe.at(world.now + 0.001).counts[Tube.D4])
        dropped = next(entry for entry in world.truth if isinstance(entry, RingDropped))
        assert dropped.t == rest
        first = next(n for n, count in enumerate(counts) if count != 0) / 1000
        assert 0.1 < rest - first < 0.52
        assert all(count == 1 for count in counts[-95:])
        changes_seen += sum(one != other for one, other in itertools.pairwise(counts))
        gaps_seen += None in counts
    assert changes_seen > 20 * 6
    assert gaps_seen == 20, "every ring passes the sensors above its place"


def test_a_finger_never_looks_like_a_ring_for_long() -> None:
    for seed in range(20):
        world = World(seed)
        probe = Probe(world)
        if seed % 2:
            world.advance(world.drop(RED, Tube.D4))
        end = world.touch(RED, Tube.D4)
        before, wrong, longest, ever = world.rings[Tube.D4], 0, 0, False
        while world.now < end + 0.05:
            count = probe.at(world.now + 0.001).counts[Tube.D4]
            wrong = wrong + 1 if count not in (before, None) else 0
            longest = max(longest, wrong)
            ever = ever or count != before
        assert longest <= 46
        assert ever
        assert probe.counts[Tube.D4] == before


def test_a_lamp_blinds_bare_sensors_only() -> None:
    world = World(4)
    probe = Probe(world)
    for tube in (Tube.D4, Tube.D4, Tube.C3, Tube.A1):
        world.advance(world.drop(RED, tube))
    rings, unknown = probe.at(world.now + 1).sensors.rings()
    assert (rings.bit_count(), unknown) == (4, 0)
    world.lamp(True)
    blind, unknown = probe.sensors.rings()
    assert blind == rings
    assert unknown & rings == 0
    assert 20 < unknown.bit_count() < 60
    world.lamp(False)
    assert probe.sensors.rings() == (rings, 0)


def test_weak_sensors_are_unknown_for_moments() -> None:
    world = World(5)
    probe = Probe(world, Noise(field=0.0, weak_ring_sensors=64))
    for tube in TUBES:
        for _ in range(CAPACITY[tube]):
            player = RED if world.holders[RED].rings else Player.BLACK
            world.advance(world.drop(player, tube))
    lost, longest, times = 0, 0, 0
    start = world.now + 1
    for step in range(40_000):
        missing = probe.at(start + step * 0.001).sensors.rings()[1] != 0
        times += missing and not lost
        lost = lost + 1 if missing else 0
        longest = max(longest, lost)
    assert 2 <= times <= 30
    assert 3 <= longest <= 21


def test_between_two_counts_below_a_threshold_and_two_above_a_sensor_is_unknown() -> None:
    world = World(6)
    probe = Probe(world)
    world.advance(world.drop(RED, Tube.D4))
    place, bit = FIRST_PLACE[Tube.D4], WIRING.ring_bits[Tube.D4][0]
    sensors = probe.at(world.now + 1).sensors
    found = []
    for counts, threshold in ((14.5, 0), (13.5, 0), (10.5, 0), (9.5, 0), (13.5, 0), (13.5, 10), (13.5, 20)):
        sensors.ring_counts[place], sensors.thresholds[bit] = counts, threshold
        sensors.version += 1
        found.append(tuple(bits >> bit & 1 for bits in sensors.rings()))
    assert found == [(1, 0), (1, 1), (1, 1), (0, 0), (0, 1), (1, 0), (0, 0)]


def test_load_cells_step_by_a_ring_after_four_conversions() -> None:
    world = World(7)
    probe = Probe(world)
    probe.at(1.0)
    before = [probe.sensors.holder(index, 1.0) for index in (0, 1)]
    assert before[0] - probe.calibration.holder_zero[0] == pytest.approx(
        32 * probe.calibration.holder_per_ring[0], abs=200
    )
    taken = world.take_up(RED)
    probe.at(taken + 0.3)
    after = [probe.sensors.holder(index, taken + 0.3) for index in (0, 1)]
    # 2.5 g, each ring up to 4 % off
    assert before[0] - after[0] == pytest.approx(2.5 * COUNTS_PER_GRAM, rel=0.05)
    assert after[1] == before[1]
    probe.at(taken + 0.5)
    world.advance(world.put_back(RED))
    probe.at(world.now + 0.3)
    assert probe.sensors.holder(0, world.now) == pytest.approx(before[0], abs=1)


def test_a_knock_swings_a_load_cell_and_dies_away() -> None:
    world = World(8)
    probe = Probe(world)
    probe.at(1.0)
    before = probe.sensors.holder(1, 1.0)
    world.knock_holder(Player.BLACK)
    swing = [abs(probe.at(1.0 + n * 0.0125).sensors.holder(1, 1.0 + n * 0.0125) - before) for n in range(1, 20)]
    assert max(swing) > 1.5 * COUNTS_PER_GRAM
    assert swing[9:] == [0] * 10


def test_load_cells_wander_slowly_and_noisily() -> None:
    world = World(9)
    probe = Probe(world, Noise())
    readings = [probe.at(n * 0.0125).sensors.holder(0, n * 0.0125) for n in range(800)]
    steps = [abs(one - other) for one, other in itertools.pairwise(readings)]
    assert 20 < sum(steps) / len(steps) < 100  # 45 counts: two of them differ by 51 on average
    far = [probe.at(10.0 + n).sensors.holder(0, 10.0 + n) for n in range(900)]
    assert 0.3 * COUNTS_PER_GRAM < max(far) - min(far) < 0.8 * COUNTS_PER_GRAM


def test_noise_that_cannot_be_is_refused() -> None:
    with pytest.raises(ConfigError, match="field: 2; allowed are 0 to 1"):
        Noise(field=2)


PLACE = FIRST_PLACE[Tube.D4]
BIT = load_wiring().ring_bits[Tube.D4][0]


def board_with_a_ring() -> SimulatedBoard:
    """A ring on D4, below a strong sensor."""
    world = World(1, setup=WorldStart.BOX)
    board = SimulatedBoard(world, noise=QUIET)
    board.sensors.ring_counts[PLACE : PLACE + 2] = [50.0, 150.0]
    board.advance(world.drop(Player.RED, Tube.D4) + 0.5)
    return board


def read(board: SimulatedBoard, bit: int) -> tuple[float | None, int]:
    """The signal of a sensor, in counts, and its ring bit."""
    return board.sensors.signals(bit // 8)[bit % 8].counts, board.sensors.rings()[0] >> bit & 1


def test_a_sunk_or_dusty_sensor_is_seen_in_its_signal_and_mended_again() -> None:
    board = board_with_a_ring()
    assert read(board, BIT) == (50.0, 1)
    for words, least, most, ring in (
        ("recess D4.1 6", 3.0, 4.0, 0),
        ("dust D4.1 0.5", 25.0, 25.0, 1),
        ("dust D4.1 0.1", 5.0, 5.0, 0),
    ):
        fault = fault_of(words)
        board.put_fault(fault)
        counts, seen = read(board, BIT)
        assert counts is not None
        assert (least <= counts <= most, seen) == (True, ring)
        board.clear_fault(fault)
        assert read(board, BIT) == (50.0, 1)


def test_a_strong_sensor_in_a_shallow_recess_takes_the_ring_below_for_its_own() -> None:
    board, above = board_with_a_ring(), load_wiring().ring_bits[Tube.D4][1]
    assert read(board, above)[1] == 0
    board.put_fault(fault_of("recess D4.2 0.2"))
    board.sensors.push_rings(near=True)
    assert read(board, above)[1] == 1


def test_no_sensor_without_a_ring_has_more_light_than_62_microamperes() -> None:
    """However strong it is, with the ring below pushed to its side: 8.6 counts, far from the threshold's 12."""
    board = board_with_a_ring()
    board.sensors.ring_counts = [158.0] * len(board.sensors.ring_counts)
    board.sensors.push_rings(near=True)
    above = read(board, WIRING.ring_bits[Tube.D4][1])
    assert above[0] is not None
    assert 4.0 < above[0] <= 0.062 * 680 * 1024 / 5000
    assert above[1] == 0
