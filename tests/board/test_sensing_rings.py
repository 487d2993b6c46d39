"""Ring counts: the thermometer code, bounce, fingers, light, gaps."""

from __future__ import annotations

import pytest

from tamsk_hw.game.tubes import CAPACITY, TUBES, End, Tube
from tamsk_hw.referee.events import Fault, Rings, Seat
from tests.board.sensing_board import Board, faults_of, share_at, standing_board


@pytest.mark.parametrize("tube", TUBES)
def test_every_count_of_every_tube(tube: Tube) -> None:
    board = standing_board()
    expected = []
    for count in [*range(1, CAPACITY[tube] + 1), *reversed(range(CAPACITY[tube]))]:
        board.rings(tube, count)
        expected.append(Rings(board.t + board.period, tube, count))
        board.run(0.1)
    assert board.events == expected


def test_a_ring_counts_60_ms_after_it_lies() -> None:
    board = standing_board()
    board.rings(Tube.C2, 1)
    board.run(0.060)
    assert board.events == []
    board.run(0.005)
    assert len(board.events) == 1


def test_a_ring_half_on_that_shakes_at_its_sensor_is_nothing() -> None:
    board = standing_board()
    for _ in range(60):
        board.patterns[Tube.E4] ^= 1
        board.run(0.040)
    board.run(1.0)
    assert board.events == []


def test_a_ring_lowered_by_a_slow_hand_counts_where_it_comes_to_rest() -> None:
    board = standing_board()
    board.rings(Tube.D4, 1)
    board.run(0.2)
    for pattern in (0b1001, 0b1101, 0b0101):
        board.patterns[Tube.D4] = pattern
        board.run(0.25)
    board.rings(Tube.D4, 2)
    board.run(0.2)
    assert [event.count for event in board.events if isinstance(event, Rings)] == [1, 2]
    assert len(board.events) == 2


@pytest.mark.parametrize("count", [0, 1, 2])
@pytest.mark.parametrize("covered", [True, False])
def test_a_lamp_switched_on_and_off_is_nothing(count: int, covered: bool) -> None:
    board = standing_board()
    board.rings(Tube.D4, count)
    board.run(0.2)
    board.events.clear()
    for _ in range(2):
        for level in range(count + 1 if covered else 1, 5):
            board.light(Tube.D4, level)
        board.run(2.0)
        board.dark.clear()
        board.run(8.0)
    assert board.events == []


def test_the_scan_in_which_a_lamp_goes_on_may_see_light_only_when_lit() -> None:
    board = standing_board()
    board.rings(Tube.D4, 4)
    board.run(board.period)
    for level in range(1, 5):
        board.light(Tube.D4, level)
    board.run(1.0)
    board.dark.clear()
    board.run(board.period)
    board.rings(Tube.D4, 0)
    board.run(1.0)
    assert board.events == []


def test_a_flickering_lamp_whose_dark_read_misses_most_flashes_is_nothing() -> None:
    board = standing_board()
    for _ in range(6):
        board.rings(Tube.C3, 3)
        board.light(Tube.C3, 3)
        board.run(0.01)
        board.dark.clear()
        board.run(0.15)
    board.rings(Tube.C3, 0)
    board.run(1.0)
    assert board.events == []


def test_a_ring_dropped_while_a_lamp_shines_is_counted_when_it_can_be_seen() -> None:
    board = standing_board()
    board.light(Tube.C3, 1)
    board.light(Tube.C3, 2)
    board.run(0.5)
    board.rings(Tube.C3, 1)
    board.dark.discard(board.bits[Tube.C3][0])
    board.run(0.5)
    assert board.events == []
    board.dark.clear()
    begin = board.t + board.period
    board.run(1.0)
    assert board.events == [Rings(begin, Tube.C3, 1)]


def test_light_that_stays_is_a_fault_and_the_rest_of_the_board_plays_on() -> None:
    board = standing_board()
    board.light(Tube.C3, 2)
    board.run(4.9)
    board.rings(Tube.A1, 1)
    board.run(1.0)
    rings, fault = board.events
    assert rings == Rings(rings.t, Tube.A1, 1)
    assert isinstance(fault, Fault)
    assert fault.sensor.name == "ring light"
    assert "C3.2" in fault.detail
    board.dark.clear()
    board.run(3.0)
    assert [event.cleared for event in board.events[2:] if isinstance(event, Fault)] == [True]


@pytest.mark.parametrize("first", [0, 3, 7])
def test_a_chain_that_ends_in_ones_is_named_and_no_ring_of_it_believed(first: int) -> None:
    """A broken wire, or a chip that is missing: those before it may be in each other's place (PROTOCOL.md section
    4).
    """
    board = standing_board()
    board.rings(Tube.D4, 2)
    board.run(0.2)
    board.events.clear()
    board.dark = set(range(8 * first, 64))
    board.rings(Tube.D4, 3)
    for tube in (Tube.A1, Tube.C3, Tube.G4):
        board.rings(tube, 1)
    board.run(10.0)
    (fault,) = board.events
    assert isinstance(fault, Fault)
    assert fault.sensor.name == "ring chain"
    assert "no ring is read" in fault.detail
    assert (str(first) in fault.detail) == (first > 0)
    board.dark.clear()
    board.run(2.0)
    told = [event for event in board.events[1:] if isinstance(event, Rings)]
    assert [(event.tube, event.count) for event in told] == [
        (Tube.A1, 1),
        (Tube.C3, 1),
        (Tube.D4, 3),
        (Tube.G4, 1),
    ]
    assert [event.cleared for event in board.events[1:] if isinstance(event, Fault)] == [True]


def test_light_on_all_but_one_sensor_of_the_last_chip_is_light() -> None:
    board = standing_board()
    board.dark = set(range(56, 63))
    board.rings(Tube.A1, 1)
    board.run(6.0)
    ring, fault = board.events
    assert ring == Rings(ring.t, Tube.A1, 1)
    assert isinstance(fault, Fault)
    assert fault.sensor.name == "ring light"


def shade(board: Board, *tubes: Tube) -> None:
    """Light over the whole board, but for these tubes."""
    board.dark = set(range(64)) - {bit for tube in tubes for bit in board.bits[tube]}


def test_light_over_the_board_leaves_shaded_tubes_readable() -> None:
    """The chain's last chip sees nothing but light; a hand's shadow lies on tubes of other chips."""
    board = standing_board()
    shaded = [tube for tube in (Tube.A1, Tube.C3, Tube.G2) if max(board.bits[tube]) < 56]
    assert len(shaded) > 1
    shade(board, *shaded)
    board.run(1.0)
    for tube in shaded:
        board.rings(tube, 1)
        board.run(1.0)
    board.run(5.0)
    told = [(event.tube, event.count) for event in board.events if isinstance(event, Rings)]
    assert told == [(tube, 1) for tube in shaded]
    (fault,) = [event for event in board.events if isinstance(event, Fault)]
    assert fault.sensor.name == "ring light"


def test_light_that_grows_over_the_whole_board_is_light() -> None:
    board = standing_board()
    for level in range(0, 65, 4):
        board.dark = set(range(level))
        board.run(0.5)
    board.run(10.0)
    assert [event.sensor.name for event in board.events if isinstance(event, Fault)] == ["ring light"]
    board.dark.clear()
    board.run(2.0)
    board.rings(Tube.A1, 1)
    board.run(1.0)
    assert [event.cleared for event in board.events if isinstance(event, Fault)] == [False, True]
    assert isinstance(board.events[-1], Rings)


def test_lamps_that_flicker_over_the_whole_board_are_never_a_broken_chain() -> None:
    """Mains light, twice per period of 20 ms: at its peak all see it, in between some, then none."""
    board = standing_board()
    for step in range(2000):
        board.dark = set(range((64, 40, 0, 24)[step % 4]))
        board.run(board.period)
    board.dark.clear()
    board.run(2.0)
    assert all(event.sensor.name == "ring light" for event in board.events if isinstance(event, Fault))


def test_a_wire_that_breaks_while_a_lamp_shines_elsewhere_is_found_at_the_next_ring_after_it() -> None:
    board = standing_board()
    lamp = {bit for bit in board.bits[Tube.D4] if bit < 56}
    board.dark = lamp | set(range(56, 64))
    board.run(8.0)
    board.dark = set(range(56, 64))
    board.run(6.0)
    board.rings(Tube.A1, 1)
    board.run(10.0)
    told = faults_of(board.events)
    assert told[0] == ("ring light", False)
    assert sorted(told[1:]) == [("ring chain", False), ("ring light", True)]


def test_a_broken_chain_that_was_named_stays_one_when_a_lamp_shines_too() -> None:
    board = standing_board()
    board.dark = set(range(40, 64))
    board.run(2.0)
    board.dark |= set(range(8))
    board.rings(Tube.A1, 1)
    board.run(10.0)
    (fault,) = board.events
    assert isinstance(fault, Fault)
    assert fault.sensor.name == "ring chain"


def test_a_gap_is_a_fault_never_a_count_and_recovers_with_the_new_count() -> None:
    board = standing_board()
    board.rings(Tube.D4, 1)
    board.run(0.2)
    board.patterns[Tube.D4] = 0b0101
    begin = board.t
    board.run(3.0)
    board.rings(Tube.G2, 1)
    board.run(0.2)
    board.rings(Tube.D4, 3)
    recovered = board.t + board.period
    board.run(0.2)
    first, fault, elsewhere, cleared, count = board.events
    assert first == Rings(first.t, Tube.D4, 1)
    assert isinstance(fault, Fault)
    assert (fault.sensor.name, fault.cleared) == ("ring D4.2", False)
    assert begin + 0.06 < fault.t < begin + 2.0
    assert elsewhere == Rings(elsewhere.t, Tube.G2, 1)
    assert isinstance(cleared, Fault)
    assert (cleared.sensor.name, cleared.cleared) == ("ring D4.2", True)
    assert count == Rings(recovered, Tube.D4, 3)


def test_another_gap_in_the_same_tube_clears_the_first() -> None:
    board = standing_board()
    board.patterns[Tube.D4] = 0b1011
    board.run(2.0)
    board.patterns[Tube.D4] = 0b1101
    board.run(2.0)
    told = faults_of(board.events)
    assert told == [("ring D4.3", False), ("ring D4.3", True), ("ring D4.2", False)]


def test_bits_of_a_running_self_test_are_not_used() -> None:
    board = standing_board()
    board.rings(Tube.C3, 1)
    board.run(0.03)
    board.flags = 0x40
    board.run(1.0)
    assert board.events == []
    board.flags = 0
    begin = board.t + board.period
    board.run(1.0)
    assert board.events == [Rings(begin, Tube.C3, 1)]


def test_the_seat_comes_before_the_ring_dropped_over_a_glass_that_still_wobbles() -> None:
    board = standing_board()
    board.raise_glass(Tube.D2, End.A, 0.1, down=True)
    board.rings(Tube.D2, 1)
    for _ in range(6):
        board.stand(Tube.D2, End.A, share_at(1.5))
        board.run(0.020)
        board.stand(Tube.D2)
        board.run(0.020)
    board.run(0.2)
    seat, rings = board.events
    assert isinstance(seat, Seat)
    assert rings == Rings(seat.t, Tube.D2, 1)


def test_a_ring_does_not_wait_for_ever_for_a_glass_that_never_settles() -> None:
    board = standing_board()
    board.rings(Tube.D1, 1)
    begin = board.t
    while not board.events:
        board.stand(Tube.D1, End.A, share_at(1.5))
        board.run(0.1)
        board.stand(Tube.D1, End.A, share_at(6))
        board.run(0.1)
        assert board.t < begin + 0.6
    assert board.events == [Rings(begin + board.period, Tube.D1, 1)]
