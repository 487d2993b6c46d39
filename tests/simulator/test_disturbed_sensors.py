"""Disturbed sensors, light, hands, controller and frames: what a board's snapshots show of them."""

from collections.abc import Callable, Iterable
from itertools import pairwise

import pytest

from tamsk_hw.board.protocol import TIMER_FIELD, Decoder, Snapshot
from tamsk_hw.game.tubes import CAPACITY, Player, Tube
from tamsk_hw.simulator.sensors import QUIET
from tamsk_hw.simulator.things import Things
from tamsk_hw.simulator.world import World
from tests.disturbances import light, sensors
from tests.disturbances.board import DisturbedBoard
from tests.disturbances.hands import lower


def quiet_board(seed: int = 1, **settings: bool) -> DisturbedBoard:
    board = DisturbedBoard(World(seed), noise=QUIET, **settings)  # type: ignore[arg-type]
    board.advance(0.5)
    return board


def snapshots(board: DisturbedBoard, seconds: float) -> list[Snapshot]:
    decoder = Decoder()
    read = [message for _, frame in board.advance(board.now + seconds) for message in decoder.feed(frame)]
    return [message for message in read if isinstance(message, Snapshot)]


DISTURBANCES: dict[str, Callable[[DisturbedBoard], object]] = {
    "noise": lambda board: board.sensors.disturb(scatter=sensors.FieldNoise(1.0, 1)),
    "drift": lambda board: board.sensors.disturb(drift=sensors.RestDrift(10.0, 1, seconds=2.0, start=board.now)),
    "flashes": lambda board: board.sensors.disturb(light=[light.pwm(9000, 5.0, 0.05)]),
    "holders": lambda board: board.sensors.disturb(weighing=sensors.HolderNoise(0.2, 1)),
    "creep": lambda board: board.sensors.disturb(weighing=sensors.HolderNoise(0.0, 1, creep=3600.0)),
    "supply": lambda board: board.disturb_supply(low=sensors.Flicker(0.03, 1, start=board.now)),
    "reference": lambda board: board.disturb_supply(reference=sensors.Flicker(0.03, 1, start=board.now)),
}


@pytest.mark.parametrize("disturb", DISTURBANCES.values(), ids=DISTURBANCES)
def test_a_disturbance_is_seen_until_it_ends(disturb: Callable[[DisturbedBoard], object]) -> None:
    board = quiet_board(holders=True)

    def readings(seconds: float) -> list[tuple[object, ...]]:
        return [
            (each.rings, each.unknown, each.fields, each.references, each.holders, each.faults)
            for each in snapshots(board, seconds)
        ]

    still = readings(2.0)[-1]
    disturb(board)
    assert sum(each != still for each in readings(3.0)) > 10
    board.sensors.disturb()
    board.disturb_supply()
    assert readings(1.0)[-1] == still


def bits_of(board: DisturbedBoard, tubes: Iterable[Tube]) -> int:
    return sum(1 << bit for tube in tubes for bit in board.wiring.ring_bits[tube])


# ---- controller and frames


def test_a_silent_controller_sends_nothing_and_goes_on() -> None:
    board = quiet_board()
    board.go_silent()
    board.world.drop(Player.RED, Tube.D4)
    assert board.advance(board.now + 20) == []
    board.speak()
    assert snapshots(board, 0.1)[-1].rings == 1 << board.wiring.ring_bits[Tube.D4][0]


def test_frames_dropped_damaged_and_noise_between_cost_those_frames_only() -> None:
    board = quiet_board()
    decoder = Decoder()

    def read(seconds: float) -> int:
        frames = board.advance(board.now + seconds)
        return sum(len(decoder.feed(frame)) for _, frame in frames)

    read(1.0)
    board.drop_frames(3)
    board.corrupt_frames(2)
    board.inject(bytes(range(1, 90)))
    good = read(2.0)
    counters = decoder.counters
    # the noise runs into the first damaged frame: both are lost as one or two
    assert counters.crc_errors + counters.malformed in (2, 3)
    assert counters.missing == 5
    assert good in range(50, 53)
    assert read(1.0) in (27, 28, 29)
    assert decoder.counters.missing == 5


# ---- fields


def test_magnets_are_unequal_at_both_ends() -> None:
    board = quiet_board()
    values = board.sensors.calibration_values()
    strengths = sensors.unequal_magnets(0.25, 1)
    assert all(0.75 <= each <= 1.25 for pair in strengths for each in pair)
    assert len({each for pair in strengths for each in pair}) == 14
    sensors.set_magnets(board.world, strengths)
    fields = snapshots(board, 0.1)[-1].fields
    for glass, (a, b) in zip(board.world.glasses, strengths, strict=False):
        tube = glass.tube
        assert tube is not None
        up = fields[tube] > values.rest[tube]
        # the calibration was measured with a magnet of its own, within 5 %
        full = values.end_a[tube] if up else values.end_b[tube]
        assert abs(fields[tube] - values.rest[tube]) / full == pytest.approx(a if up else b, rel=0.1)
    assert fields[TIMER_FIELD] != 128


# ---- light


def test_light_that_can_be_read_changes_nothing() -> None:
    board = quiet_board()
    board.advance(board.world.drop(Player.RED, Tube.D4) + 0.1)
    ring = bits_of(board, [Tube.D4]) & snapshots(board, 0.1)[-1].rings
    assert ring
    board.sensors.disturb(light=[light.steady(1000), light.mains(200, 100.3)])
    assert {(each.rings, each.unknown) for each in snapshots(board, 3.0)} == {(ring, 0)}
    board.advance(board.world.lift(Player.RED, Tube.D1) + 0.1)
    board.advance(board.world.drop(Player.RED, Tube.D4) + 0.05)
    newest = snapshots(board, 0.1)[-1]
    assert (newest.rings.bit_count(), newest.unknown) == (2, 0)


def test_light_blinds_bare_sensors_where_it_falls() -> None:
    """Beyond 6.5 mA a transistor is at its end, but for a ring's shade."""
    board = quiet_board()
    board.advance(board.world.drop(Player.RED, Tube.A1) + 0.1)
    shaded = 1 << board.wiring.ring_bits[Tube.A1][0]
    board.sensors.disturb(light=[light.patch(9000, 300, width=1.0, speed=0.0)])
    newest = snapshots(board, 0.5)[-1]
    assert newest.unknown == bits_of(board, (Tube.A1, Tube.A2, Tube.A3, Tube.A4)) & ~shaded
    assert newest.rings == shaded


def test_signals_tell_of_the_light() -> None:
    board = quiet_board()
    board.sensors.disturb(light=[light.steady(2000)])
    board.advance(board.now + 0.1)
    for chip in range(8):
        for signal in board.sensors.signals(chip):
            # in steps of 4, below noise of one count
            assert signal.dark_counts == pytest.approx(2e-3 * 680 / 5 * 1024, abs=8)
            assert signal.counts == pytest.approx(0, abs=12)


# ---- hands


def covered(board: DisturbedBoard, tube: Tube, seconds: float) -> list[list[tuple[float, float]]]:
    """For each level of a tube from when to when its sensor is covered, each time (seconds)."""
    spans: list[list[tuple[float, float]]] = [[] for _ in range(CAPACITY[tube])]
    end = board.now + seconds
    before = 0
    while board.now < end:
        board.advance(board.now + 0.001)
        rings = board.sensors.rings()[0]
        for level, bit in enumerate(board.wiring.ring_bits[tube]):
            if rings >> bit & 1:
                begin = spans[level].pop()[0] if before >> bit & 1 else board.now
                spans[level].append((begin, board.now + 0.001))
        before = rings
    return spans


def lengths(spans: list[tuple[float, float]]) -> list[float]:
    return [end - begin for begin, end in spans]


@pytest.mark.parametrize(
    ("fingers", "least", "most"), [(Things.fingers, 0.01, 0.045), ((1.0, 0.02, 0.5), 0.02, 0.5)]
)
def test_a_finger_stays_on_the_place_of_the_next_ring(
    fingers: tuple[float, float, float], least: float, most: float
) -> None:
    spans: list[float] = []
    for seed in range(20):
        board = quiet_board(seed)
        board.world.fingers = fingers
        board.advance(board.world.lift(Player.RED, Tube.D1))
        board.world.seat(Player.RED, Tube.D4, turned=True)
        spans += lengths(covered(board, Tube.D4, 2.5)[0])
    assert len(spans) >= 20 * fingers[0] * 0.5
    assert all(least - 0.003 <= span <= most + 0.003 for span in spans)
    assert max(spans) > 0.6 * most


def test_a_ring_let_down_slowly_is_seen_by_each_sensor_in_turn() -> None:
    board = quiet_board()
    world = board.world
    done = lower(world, Player.RED, Tube.D4, 1.0)
    spans = [lengths(level) for level in covered(board, Tube.D4, done - board.now + 0.3)]
    assert [len(each) for each in spans] == [1, 1, 1, 1]
    assert [each[0] for each in spans[1:]] == pytest.approx([0.2] * 3, abs=0.005)
    assert spans[0][0] == pytest.approx(0.5, abs=0.005)
    assert world.rings[Tube.D4] == 1


@pytest.mark.parametrize(("bounce", "most"), [(1.0, 0.023), (4.0, 0.083)])
def test_a_ring_bounces_out_of_sight(bounce: float, most: float) -> None:
    gaps: list[float] = []
    for seed in range(15):
        board = quiet_board(seed)
        board.world.bounce = bounce
        done = board.world.drop(Player.RED, Tube.A1)
        seen = covered(board, Tube.A1, done - board.now + 0.1)[0]
        gaps += [later[0] - earlier[1] for earlier, later in pairwise(seen)]
    assert 0.6 * most < max(gaps) <= most


def test_a_ring_that_leaves_its_holder_just_before_it_lies() -> None:
    board = quiet_board()
    world = board.world
    world.drop(Player.RED, Tube.A1, within=0.3)
    while world.holders[Player.RED].rings == 32:
        board.advance(board.now + 0.001)
    taken = board.now
    while not world.rings[Tube.A1]:
        board.advance(board.now + 0.001)
    assert board.now - taken == pytest.approx(0.3, abs=0.003)


# ---- holders
