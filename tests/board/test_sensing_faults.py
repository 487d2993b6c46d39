"""Sensors that cannot be trusted, the link, and that the rest of the board plays on."""

from collections.abc import Callable

import pytest

from tamsk_hw.board.protocol import FaultFlag
from tamsk_hw.board.wiring import Channel, Wiring
from tamsk_hw.game.tubes import TUBES, End, Tube
from tamsk_hw.referee.events import Fault, Link, LinkState
from tests.board.sensing_board import TIMER, Board, clear, play, stand, standing_board, standing_on, told
from tests.board.test_sensing_holders import RING
from tests.boards import SEVEN, WHOLE

#: What is rare, or long: `make check` leaves it out.
pytestmark = pytest.mark.slow


def reads(tube: Tube, reading: int) -> Callable[[Board], None]:
    return lambda board: board.readings.__setitem__(tube, reading)


def reads_well(board: Board) -> None:
    board.readings.clear()


@pytest.mark.parametrize("reading", [2, 253])
@pytest.mark.parametrize("tube", [Tube.D1, Tube.D4])
def test_a_field_at_a_rail_is_a_fault_and_its_state_is_held(reading: int, tube: Tube) -> None:
    events = play(standing_board(), reads(tube, reading), 2.0, clear(Tube.A4), 0.2, reads_well, 2.0)
    assert events == [f"glass {tube} bad", "lift A4", f"glass {tube} well"]


def test_a_field_that_touches_a_rail_for_a_moment_is_nothing() -> None:
    assert play(standing_board(), *(reads(Tube.D1, 0), 0.2, reads_well, 2.0) * 3) == []


@pytest.mark.parametrize(
    ("change", "events"),
    [(clear(Tube.D1), ["lift D1"]), (stand(Tube.D1, end=End.B), ["lift D1", "seat D1 B"])],
    ids=["taken away", "turned over"],
)
def test_what_changed_behind_a_fault_follows_its_clearing(
    change: Callable[[Board], None], events: list[str]
) -> None:
    steps = (reads(Tube.D1, 255), 2.0, change, reads_well, 2.0)
    assert play(standing_board(), *steps) == ["glass D1 bad", "glass D1 well", *events]


@pytest.mark.parametrize("number", [0, 1, 2])
@pytest.mark.parametrize("reading", [0, 255])
def test_a_dead_multiplexer_is_named_and_its_glasses_alone_are_held(number: int, reading: int) -> None:
    wiring = WHOLE.wiring
    mux = wiring.references[number].mux
    on_it = next(tube for tube in TUBES if wiring.channels[tube].mux == mux)
    off_it = next(tube for tube in TUBES if wiring.channels[tube].mux != mux)
    board = standing_on(wiring, on_it, off_it)
    board.references[number] = reading
    board.readings = {place: reading for place, channel in enumerate(wiring.channels) if channel.mux == mux}
    board.clear(on_it)
    board.clear(off_it)
    board.rings(Tube.B2, 1)
    assert play(board, 2.0) == [f"lift {off_it}", "rings B2 1", f"mux {mux} bad"]
    board.references = [64, 128, 191]
    board.readings.clear()
    assert play(board, 2.0)[3:] == [f"lift {on_it}", f"mux {mux} well"]


def test_a_low_supply_spoils_all_fields_and_holds_all_glasses_but_not_the_rings() -> None:
    board = standing_board()
    board.flags = int(FaultFlag.SUPPLY_LOW)
    board.readings = dict.fromkeys(range(38), 100)
    board.rings(Tube.B2, 1)
    assert play(board, 2.0) == ["rings B2 1", "supply bad"]
    board.flags = 0
    board.readings.clear()
    board.clear(Tube.D1)
    assert play(board, 2.0)[2:] == ["lift D1", "supply well"]


@pytest.mark.parametrize("wiring", [WHOLE.wiring, SEVEN.wiring], ids=["whole", "seven"])
@pytest.mark.parametrize(("line", "high"), [(line, high) for line in range(4) for high in (False, True)])
def test_a_select_line_that_sticks_moves_no_glass_and_no_ring(wiring: Wiring, line: int, high: bool) -> None:
    """A single reference that is off is enough to hold every glass and ring from the first snapshot on."""
    board = standing_on(wiring, Tube.C3, Tube.D4, Tube.E4)
    lying = board.patterns = [int(tube in (Tube.C4, Tube.D3, Tube.E3)) for tube in TUBES]
    board.run(1.0)
    board.events.clear()
    good = board.snapshot()
    readings = (*good.fields, *good.references)
    there = {channel: readings[place] for place, channel in wiring.inputs.items()}

    def selected(number: int) -> int:
        return number | 1 << line if high else number & ~(1 << line)

    def read(channel: Channel) -> int:
        return there.get(Channel(channel.mux, selected(channel.address)), 0)  # an unused input is grounded

    board.readings |= {place: read(channel) for place, channel in wiring.inputs.items() if place < TIMER + 1}
    board.references = [read(channel) for channel in wiring.references]
    if line < 3:  # S0 to S2 choose the converter, too
        rings = sum((good.rings >> 8 * selected(chip) & 0xFF) << 8 * chip for chip in range(8))
        board.patterns = [sum((rings >> bit & 1) << n for n, bit in enumerate(bits)) for bits in board.bits]
    board.run(3.0)
    assert [event.unread for event in board.events if isinstance(event, Fault)] == [set(wiring.tubes)]
    board.readings.clear()
    board.references = list(good.references)
    board.clear(Tube.E4)
    board.run(0.02)  # the banks are visited one after the other: the last rings are read again now
    board.patterns = lying
    board.rings(Tube.C4, 2)
    assert play(board, 3.0) == ["select lines bad", "lift E4", "rings C4 2", "select lines well"]


@pytest.mark.parametrize("tube", [Tube.D1, Tube.D4])
def test_a_field_that_jumps_from_snapshot_to_snapshot_is_noisy_and_held_even_where_it_pauses(tube: Tube) -> None:
    board = standing_board()
    for step in range(2400):
        pauses = step > 1200 and step % 100 < 20
        board.readings[tube] = 128 if pauses else board.random.choice((150, 172, 190, 201))
        board.run(board.period)
    board.readings.clear()
    assert play(board, 4.0) == [f"glass {tube} bad", f"glass {tube} well"]
    assert "jumps" in next(event.detail for event in board.events if isinstance(event, Fault))


def test_hands_are_not_noise() -> None:
    board = standing_board()
    for _ in range(10):
        board.raise_glass(Tube.D1, End.A, 0.05)
        board.raise_glass(Tube.D1, End.A, 0.05, down=True)
    board.run(1.0)
    assert not [event for event in board.events if isinstance(event, Fault)]


@pytest.mark.parametrize(
    ("spoil", "detail"),
    [
        (
            lambda board: board.references.__setitem__(1, 0),
            "2/4 of 5 V reads 0; allowed 128 ± 6 (or multiplexer 1); its glasses are held as they stood; "
            "no ring is read",
        ),
        (
            lambda board: setattr(board, "references", [64, 0, 255]),
            "2/4 of 5 V reads 0, 3/4 of 5 V reads 255; allowed 128 ± 6, 191 ± 6; "
            "its glasses are held as they stood; no ring is read",
        ),
        (lambda board: board.weights.__setitem__(0, 1.53 * RING), "changed by 1.5 rings; the count is held at 0"),
        (
            lambda board: board.weights.__setitem__(0, -2 * RING),
            "weighs -2 rings; allowed are 0 to 64; calibrate it",
        ),
        (
            lambda board: setattr(board, "silent", {3}),
            "no answer from converter 3 (MCP3008, 0 to 7): the rings of A4 C3 C4 D6 and 4 more are not read; look "
            "at its place and its supply, and at the select chip's wires",
        ),
        (
            lambda board: board.counts.update(dict.fromkeys(board.bits[Tube.B2], 31)),
            "near to the threshold at B2.1 B2.2 (tube.level, 1 is the lowest); clean the window of each, or "
            "calibrate",
        ),
        (
            lambda board: board.unknown.update({*board.bits[Tube.D4], *board.bits[Tube.A1]}),
            "light falls on A1 D4: rings are not seen there; shade the board",
        ),
    ],
)
def test_a_fault_is_told_in_words_that_follow_the_sensor(spoil: Callable[[Board], None], detail: str) -> None:
    board = standing_board(holders=True)
    board.run(1.0)
    board.events.clear()
    board.period = 0.02
    spoil(board)
    board.run(8.0)
    assert detail in [event.detail for event in board.events if isinstance(event, Fault)]


def flicker(board: Board, what: str, period: float, seconds: float) -> None:
    """One bad snapshot every ``period`` seconds, the others good."""
    references = list(board.references)
    for _ in range(round(seconds / period)):
        match what:
            case "reference":
                board.references = [64, 90, 191]
            case "supply":
                board.flags = int(FaultFlag.SUPPLY_LOW)
            case "light":
                board.light(Tube.B2, 1)
        board.run(board.period)
        board.references, board.flags = references, 0
        board.unknown.clear()
        board.run(period - board.period)


@pytest.mark.parametrize(
    ("what", "period", "sensor"),
    [("reference", 0.03, "select lines"), ("supply", 0.03, "supply"), ("light", 0.2, "ring light")],
)
def test_a_fault_that_flickers_is_told_once_and_between_its_snapshots_the_good_ones_count(
    what: str, period: float, sensor: str
) -> None:
    """Lifts and rings before a sensor fault is reported, and after it, are all reported soon."""
    board = standing_board()
    for tube, count in ((Tube.D1, 1), (Tube.G1, 0)):
        begin = board.t
        board.clear(tube)
        board.rings(Tube.B2, count)
        flicker(board, what, period, 10.0)
        moves = [event for event in board.events if not isinstance(event, Fault)][-2:]
        assert sorted(told(moves)) == [f"lift {tube}", f"rings B2 {count}"]
        # A ring that counts only after the fault was reported says since when it may lie there.
        since = [getattr(event, "since", None) or event.t for event in moves]
        assert since == pytest.approx([begin, begin], abs=0.02)
    board.run(5.0)
    faults = [event for event in board.events if isinstance(event, Fault)]
    assert told(faults) == [f"{sensor} bad", f"{sensor} well"]
    assert faults[1].t > begin + 10.0


@pytest.mark.parametrize("what", ["reference", "supply", "light"])
def test_one_bad_snapshot_now_and_then_is_nothing(what: str) -> None:
    board = standing_board()
    flicker(board, what, 4.0, 20.0)
    assert board.events == []


def test_flags_that_say_nothing_of_a_sensor_change_nothing() -> None:
    board = standing_board()
    board.flags = int(FaultFlag.SCAN_OVERRUN | FaultFlag.RECEIVE_ERROR | FaultFlag.HOST_SILENT) | 0x8000
    assert play(board, 1.0, clear(Tube.D1), 0.2) == ["lift D1"]


def test_what_was_missed_while_the_link_was_lost_is_told_once_afterwards() -> None:
    board = standing_board()
    lost = board.t
    assert board.sensing.link_lost(lost) == [Link(lost, LinkState.LOST)]
    assert board.sensing.link_lost(lost) == []
    board.clear(Tube.D1)
    board.stand(Tube.D2, End.B)
    board.rings(Tube.D2, 1)
    board.stand(TIMER, End.A)
    board.t += 5.0
    assert board.feed() == []
    board.sensing.advance(board.t)
    assert board.sensing.link_restored(board.t) == [Link(board.t, LinkState.RESTORED)]
    assert board.sensing.link_restored(board.t) == []
    begin = board.t + board.period
    board.run(1.0)
    assert told(board.events) == ["lift D1", "timer lifted", "seat D2 B", "timer A", "rings D2 1"]
    assert {event.t for event in board.events} == {begin}


def test_a_state_that_had_not_held_when_the_link_was_lost_is_forgotten() -> None:
    board = standing_board()
    board.clear(Tube.D1)
    board.rings(Tube.D4, 1)
    board.run(0.02)
    board.events += board.sensing.link_lost(board.t)
    board.stand(Tube.D1)
    board.rings(Tube.D4, 0)
    board.t += 1.0
    board.events += board.sensing.link_restored(board.t)
    board.run(1.0)
    assert [type(event) for event in board.events] == [Link, Link]


def test_a_fault_outlives_a_lost_link_and_is_cleared_after_it() -> None:
    board = standing_board()
    board.readings[Tube.D1] = 0
    board.references[1] = 0
    assert play(board, 2.0) == ["select lines bad"]
    board.sensing.link_lost(board.t)
    board.readings.clear()
    board.references[1] = 128
    board.t += 1.0
    board.sensing.link_restored(board.t)
    assert play(board, 2.0) == ["select lines bad", "select lines well"]


def test_a_sensor_that_was_going_bad_when_the_link_was_lost_is_told_afterwards() -> None:
    board = standing_board()
    board.references[1] = 0
    board.run(0.3)
    board.sensing.link_lost(board.t)
    board.t += 1.0
    board.sensing.link_restored(board.t)
    assert play(board, 0.4) == []
    assert play(board, 0.3) == ["select lines bad"]
