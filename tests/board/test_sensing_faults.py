"""Sensors that cannot be trusted, the link, and that the rest of the board plays on."""

from collections.abc import Callable

import pytest

from tamsk_hw.board.protocol import FaultFlag
from tamsk_hw.board.sensing import Sensing
from tamsk_hw.board.sensing_settings import SensingSettings
from tamsk_hw.board.wiring import Channel, Wiring, load_wiring
from tamsk_hw.game.tubes import End, Tube
from tamsk_hw.referee.events import Fault, Lift, Link, LinkState, Rings, Seat, TimerSeated
from tests.board.sensing_board import TIMER, Board, faults_of, standing_board
from tests.boards import SEVEN, WHOLE


@pytest.mark.parametrize("reading", [0, 1, 254, 255])
@pytest.mark.parametrize("tube", [Tube.D1, Tube.D4])
def test_a_field_at_a_rail_is_a_fault_and_its_state_is_held(reading: int, tube: Tube) -> None:
    board = standing_board()
    board.readings[tube] = reading
    board.run(2.0)
    assert faults_of(board.events) == [(f"glass {tube}", False)]
    assert len(board.events) == 1
    board.clear(Tube.A4)
    assert [type(event) for event in board.run(0.2)] == [Lift]
    del board.readings[tube]
    events = board.run(2.0)
    assert faults_of(events) == [(f"glass {tube}", True)]
    assert len(events) == 1


def test_a_field_that_touches_a_rail_for_a_moment_is_nothing() -> None:
    board = standing_board()
    for _ in range(3):
        board.readings[Tube.D1] = 0
        board.run(0.2)
        del board.readings[Tube.D1]
        board.run(2.0)
    assert board.events == []


@pytest.mark.parametrize(
    ("end", "told"), [(None, [Lift]), (End.B, [Lift, Seat])], ids=["taken away", "turned over"]
)
def test_what_changed_behind_a_fault_follows_its_clearing(end: End | None, told: list[type]) -> None:
    board = standing_board()
    board.readings[Tube.D1] = 255
    board.run(2.0)
    if end is None:
        board.clear(Tube.D1)
    else:
        board.stand(Tube.D1, end)
    board.events.clear()
    del board.readings[Tube.D1]
    board.run(2.0)
    assert faults_of(board.events) == [("glass D1", True)]
    assert [type(event) for event in board.events[1:]] == told


@pytest.mark.parametrize("mux", [0, 1, 2])
@pytest.mark.parametrize("reading", [0, 100, 255])
def test_a_reference_that_is_off_names_its_multiplexer_and_holds_its_glasses(mux: int, reading: int) -> None:
    """Nothing tells it from a select line that sticks, unless all that the multiplexer gives is at a rail."""
    name = f"mux {mux}" if reading in (0, 255) else "select lines"
    board = standing_board(field_mux=tuple(tube % 3 for tube in range(38)))
    board.references[mux] = reading
    for tube in range(38):
        if reading == 100 or tube % 3 == mux:
            board.readings[tube] = reading
    board.rings(Tube.B2, 1)
    board.run(2.0)
    assert faults_of(board.events) == [(name, False)]
    assert [event for event in board.events if not isinstance(event, Fault)] == [
        Rings(board.events[0].t, Tube.B2, 1)
    ]
    board.references = [64, 128, 191]
    board.readings.clear()
    board.clear(Tube.D1)
    board.events.clear()
    board.run(2.0)
    assert faults_of(board.events) == [(name, True)]
    assert [type(event) for event in board.events] == [Lift, Fault]


def test_a_bad_multiplexer_is_named_and_held_as_the_wiring_map_says() -> None:
    wiring = load_wiring()
    board = standing_board()
    board.bits = wiring.ring_bits
    board.sensing = Sensing(wiring, board.calibration, SensingSettings())
    board.run(0.4)
    board.events.clear()
    for number, channel in enumerate(wiring.references):
        board.references = [64, 128, 191]
        board.references[number] = 0
        for place, wired in enumerate(wiring.channels):
            if wired.mux == channel.mux:
                board.readings[place] = 0
        on_it = next(tube for tube in (Tube.D1, Tube.A1, Tube.G1) if wiring.channels[tube].mux == channel.mux)
        off_it = Tube.G4 if wiring.channels[Tube.G4].mux != channel.mux else Tube.A4
        board.clear(on_it)
        board.clear(off_it)
        events = board.run(1.0)
        assert [event.tube for event in events if isinstance(event, Lift)] == [off_it]
        assert faults_of(events) == [(f"mux {channel.mux}", False)]
        board.stand(on_it)
        board.stand(off_it)
        board.references = [64, 128, 191]
        board.readings.clear()
        board.run(1.0)


@pytest.mark.parametrize("wiring", [WHOLE.wiring, SEVEN.wiring], ids=["whole", "seven"])
@pytest.mark.parametrize(("line", "high"), [(line, high) for line in range(4) for high in (False, True)])
def test_a_select_line_that_sticks_moves_no_glass(wiring: Wiring, line: int, high: bool) -> None:
    """Whichever it is: a reference shows it, and every glass is held from the first snapshot on."""
    board = Board()
    board.bits = wiring.ring_bits
    board.sensing = Sensing(wiring, board.calibration, SensingSettings())
    for tube in (Tube.C3, Tube.D4, Tube.E4):
        board.stand(tube)
    board.stand(TIMER, End.B)
    board.run(0.4)
    board.events.clear()
    good = board.snapshot()
    readings = (*good.fields, *good.references)
    there = {channel: readings[place] for place, channel in wiring.inputs.items()}

    def read(channel: Channel) -> int:
        address = channel.address | 1 << line if high else channel.address & ~(1 << line)
        return there.get(Channel(channel.mux, address), 0)  # an unused input is grounded

    board.readings |= {place: read(channel) for place, channel in wiring.inputs.items() if place < TIMER + 1}
    board.references = [read(channel) for channel in wiring.references]
    board.run(3.0)
    assert [event for event in board.events if not isinstance(event, Fault)] == []
    assert ("select lines", False) in faults_of(board.events)


def weigh(rings: float) -> Callable[[Board], None]:
    """Red's holder weighs as much as this many rings."""

    def spoil(board: Board) -> None:
        board.weights[0] = rings * board.calibration.holders[0].per_ring

    return spoil


def at_rail(board: Board) -> None:
    board.weights[0], board.weight_noise = -float(1 << 23), 0.0


def flag(flag: FaultFlag) -> Callable[[Board], None]:
    return lambda board: setattr(board, "flags", int(flag))


def shine(*places: tuple[Tube, int]) -> Callable[[Board], None]:
    def spoil(board: Board) -> None:
        for place in places:
            board.light(*place)

    return spoil


@pytest.mark.parametrize(
    ("spoil", "detail"),
    [
        (
            lambda board: board.readings.update({Tube.D1: 255}),
            "reads 255, as if shorted, not connected or at a magnet; allowed 3 to 252; held as it stood",
        ),
        (
            lambda board: board.references.__setitem__(1, 0),
            "2/4 of 5 V reads 0; allowed 128 ± 6 (or multiplexer 1); its glasses are held as they stood",
        ),
        (
            lambda board: setattr(board, "references", [64, 0, 255]),
            "2/4 of 5 V reads 0, 3/4 of 5 V reads 255; allowed 128 ± 6, 191 ± 6; "
            "its glasses are held as they stood",
        ),
        (flag(FaultFlag.SUPPLY_LOW), "the board's 5 V are below about 4.5 V; glasses are held as they stood"),
        (flag(FaultFlag.HOLDER_RED_SILENT), "does not answer; the count is held"),
        (at_rail, "reads -8388608, its end of scale; the count is held"),
        (weigh(1.53), "changed by 1.5 rings; the count is held at 0"),
        (weigh(-2), "weighs -2 rings; allowed are 0 to 64; calibrate it"),
        (
            lambda board: setattr(board, "weight_noise", 6000.0),
            "has not come to rest for 5 s; the count is held at 0; keep hands and draughts away, check its wires",
        ),
        (
            lambda board: board.patterns.__setitem__(Tube.D4, 0b101),
            "sees no ring below one that is seen; the count is held at 0",
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
            shine(*((Tube.D4, level) for level in (1, 2, 3, 4)), (Tube.A1, 1)),
            "light falls on A1 D4: rings are not seen there; shade the board",
        ),
    ],
)
def test_a_fault_is_told_in_words_that_follow_the_sensor(spoil: Callable[[Board], None], detail: str) -> None:
    board = standing_board(holders=True)
    board.run(1.0)
    board.events.clear()
    spoil(board)
    board.run(8.0)
    assert detail in [event.detail for event in board.events if isinstance(event, Fault)]


def test_references_off_for_a_moment_are_nothing() -> None:
    board = standing_board()
    for _ in range(3):
        board.references = [0, 0, 0]
        for tube in range(38):
            board.readings[tube] = 60
        board.run(0.1)
        board.references = [64, 128, 191]
        board.readings.clear()
        board.run(1.5)
    assert board.events == []


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


FLICKERS = [("reference", 0.03, "select lines"), ("supply", 0.03, "supply"), ("light", 0.2, "ring light")]


@pytest.mark.slow
@pytest.mark.parametrize(("what", "period", "sensor"), FLICKERS)
def test_a_fault_that_flickers_is_told_once_and_cleared_when_it_is_gone(
    what: str, period: float, sensor: str
) -> None:
    board = standing_board()
    flicker(board, what, period, 20.0)
    assert faults_of(board.events) == [(sensor, False)]
    board.run(5.0)
    assert faults_of(board.events) == [(sensor, False), (sensor, True)]


@pytest.mark.parametrize("what", ["reference", "supply", "light"])
def test_one_bad_snapshot_now_and_then_is_nothing(what: str) -> None:
    board = standing_board()
    flicker(board, what, 4.0, 60.0)
    assert board.events == []


@pytest.mark.slow
@pytest.mark.parametrize(("what", "period", "sensor"), FLICKERS)
def test_between_bad_snapshots_the_good_ones_count(what: str, period: float, sensor: str) -> None:
    """A glass is taken and a ring dropped while a fault flickers, told or not: both come, and soon."""
    for before in (0.0, 10.0):
        board = standing_board()
        flicker(board, what, period, before)
        board.events.clear()
        begin = board.t
        board.clear(Tube.D1)
        board.rings(Tube.B2, 1)
        flicker(board, what, period, 2.0)
        (lift,) = [event for event in board.events if isinstance(event, Lift)]
        (rings,) = [event for event in board.events if isinstance(event, Rings)]
        assert lift.t == pytest.approx(begin, abs=0.02)
        assert rings.t == pytest.approx(begin, abs=0.02)


def test_a_low_supply_holds_the_glasses_but_not_the_rings() -> None:
    board = standing_board()
    board.flags = FaultFlag.SUPPLY_LOW
    for tube in range(38):
        board.readings[tube] = 128
    board.rings(Tube.B2, 1)
    board.run(1.0)
    assert faults_of(board.events) == [("supply", False)]
    assert [type(event) for event in board.events] == [Rings, Fault]
    board.flags = 0
    board.readings.clear()
    assert faults_of(board.run(2.0)) == [("supply", True)]


@pytest.mark.parametrize("flag", [FaultFlag.SCAN_OVERRUN, FaultFlag.RECEIVE_ERROR, FaultFlag.HOST_SILENT, 0x8000])
def test_flags_that_say_nothing_of_a_sensor_change_nothing(flag: int) -> None:
    board = standing_board()
    board.flags = int(flag)
    board.run(1.0)
    board.clear(Tube.D1)
    board.run(0.2)
    assert [type(event) for event in board.events] == [Lift]


@pytest.mark.parametrize("tube", [Tube.D1, Tube.D4])
def test_a_field_that_jumps_from_snapshot_to_snapshot_is_noisy(tube: Tube) -> None:
    board = standing_board()
    for _ in range(1600):
        board.readings[tube] = board.random.choice((150, 172, 190, 201))
        board.run(board.period)
    assert faults_of(board.events) == [(f"glass {tube}", False)]
    assert len(board.events) == 1
    assert "jumps" in next(event.detail for event in board.events if isinstance(event, Fault))
    board.readings.clear()
    events = board.run(4.0)
    assert faults_of(events) == [(f"glass {tube}", True)]
    assert len(events) == 1


def test_a_noisy_field_is_held_even_where_it_pauses() -> None:
    board = standing_board()
    for step in range(4000):
        pauses = step > 1200 and step % 100 < 20
        board.readings[Tube.D1] = 128 if pauses else board.random.choice((150, 172, 190, 201))
        board.run(board.period)
    assert faults_of(board.events) == [("glass D1", False)]
    assert len(board.events) == 1


def test_hands_are_not_noise() -> None:
    board = standing_board()
    for _ in range(10):
        board.raise_glass(Tube.D1, End.A, 0.05)
        board.raise_glass(Tube.D1, End.A, 0.05, down=True)
    board.run(1.0)
    assert faults_of(board.events) == []


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
    assert board.events[0] == Lift(begin, Tube.D1)
    assert set(board.events) - {board.events[0], *board.events[-1:]} >= {
        Seat(begin, Tube.D2, End.B),
        TimerSeated(begin, End.A),
    }
    assert board.events[-1] == Rings(begin, Tube.D2, 1)
    assert len(board.events) == 5


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
    board.run(2.0)
    standing = faults_of(board.events)
    assert standing == [("select lines", False)]
    board.sensing.link_lost(board.t)
    board.readings.clear()
    board.references[1] = 128
    board.t += 1.0
    board.sensing.link_restored(board.t)
    board.events.clear()
    board.run(2.0)
    assert faults_of(board.events) == [(sensor, True) for sensor, _ in standing]


def test_a_sensor_that_was_going_bad_when_the_link_was_lost_is_told_afterwards() -> None:
    board = standing_board()
    board.references[1] = 0
    board.run(0.3)
    board.sensing.link_lost(board.t)
    board.t += 1.0
    board.sensing.link_restored(board.t)
    board.run(0.4)
    assert board.events == []
    board.run(0.3)
    assert faults_of(board.events) == [("select lines", False)]
