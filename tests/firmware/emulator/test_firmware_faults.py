"""The controller's real program on a board with faults: what it says about them, and what it does not do."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tamsk_hw.board.protocol import (
    Decoder,
    FaultFlag,
    Hello,
    Identify,
    ResetCause,
    RingSignals,
    SelfTest,
    Set,
    Settings,
    Snapshot,
    encode,
)
from tests.firmware.emulator.emulated import (
    MILLISECOND,
    SECOND,
    WIRING,
    Emulator,
    at_rest,
    boot,
    heard,
    hellos,
    running,
)
from tests.soak import in_soak

EEPROM_BYTES = 1024
FULL_CHIP = 0xFF


@pytest.fixture
def board(firmware: Path, emulator_binary: Path, tmp_path: Path) -> Iterator[Emulator]:
    with running(emulator_binary, firmware, tmp_path) as emulator:
        at_rest(emulator)
        yield emulator


def the_last(board: Emulator) -> Snapshot:
    """The last snapshot of the next 0.2 s."""
    board.sent()
    board.run(SECOND // 5)
    return [message for message in heard(board) if isinstance(message, Snapshot)][-1]


# ---- resets ----


def test_after_a_hang_the_watchdog_starts_it_anew(board: Emulator) -> None:
    first = boot(board)
    for moment in range(8):  # somewhere in a scan and between two
        board.run(50 * MILLISECOND + moment * 5003)
        board.sent()
        board.ask("hang")
        begin = board.time()
        board.run(300 * MILLISECOND)
        sent = board.sent()
        restart = next(cycle for cycle, _ in sent if cycle - begin > 2 * MILLISECOND)  # after a frame's last bytes
        # 128 ms of the watchdog since a scan began, at most 2.5 ms before; 21 ms for the boot id, and a little
        assert 125 * MILLISECOND <= restart - begin <= 155 * MILLISECOND
        told = Decoder().feed(b"\0" + bytes(byte for cycle, byte in sent if cycle >= restart))
        (hello,) = (message for message in told if isinstance(message, Hello))
        assert hello.reset_cause is ResetCause.WATCHDOG
        assert hello.boot_id != first.boot_id
        first = hello
        board.ask("reflect 12 460")
        assert the_last(board).rings == 1 << 12
        board.ask("reflect 12 9")
    # it hung with the light on, or while it clocked a load cell, whose reading it then ends at the wrong bit
    hung = {"bank_left_lit", "hx711_asleep", "hx711_straddled", "hx711_not_ready", "hx711_pulses"}
    assert {check.name for check in board.checks()} <= hung


def test_power_off_and_on_is_told_as_such(board: Emulator) -> None:
    first = boot(board)
    assert first.reset_cause is ResetCause.POWER_ON
    second = boot(board, "power")
    assert second.reset_cause is ResetCause.POWER_ON
    third = boot(board, "brownout")
    assert third.reset_cause is ResetCause.BROWN_OUT
    assert len({first.boot_id, second.boot_id, third.boot_id}) == 3
    assert the_last(board).references == bytes([64, 128, 192])
    assert board.checks() == []


def test_power_that_goes_at_any_moment_of_the_start_gives_no_boot_id_twice(board: Emulator) -> None:
    """It takes some 25 ms until the new id is written and said."""
    said = [boot(board).boot_id]
    for quarter_milliseconds in range(0, 120, 3):
        board.ask("power")
        said += [hello.boot_id for hello in hellos(board, quarter_milliseconds * MILLISECOND // 4)]
        said.append(boot(board, "power").boot_id)
    assert len(said) > 40
    assert len(set(said)) == len(said)


@pytest.mark.parametrize("content", ["ff", "00", "chance 1", "chance 2", "chance 3"])
def test_it_boots_whatever_its_eeprom_holds(board: Emulator, content: str) -> None:
    if content.startswith("chance"):
        content = Random(content).randbytes(EEPROM_BYTES).hex()
    else:
        content *= EEPROM_BYTES
    board.ask(f"eeprom_set 0 {content}")
    starts = [boot(board)]
    starts += [boot(board, "reset") for _ in range(2)]
    assert [hello.board_id for hello in starts] == [0, 0, 0]  # never set
    assert len({hello.boot_id for hello in starts}) == 3
    assert the_last(board).references == bytes([64, 128, 192])


# ---- the converters of the ring sensors ----


def chip_bits(*chips: int) -> int:
    return sum(FULL_CHIP << 8 * chip for chip in chips)


RING = 460  # microamperes of a typical one


def signals(board: Emulator) -> dict[int, RingSignals]:
    """The newest of each chip."""
    board.run(SECOND)
    board.sent()
    board.run(SECOND + SECOND // 5)
    return {each.chip: each for each in heard(board) if isinstance(each, RingSignals)}


@pytest.mark.parametrize("how", ["missing", "low"])
def test_a_converter_that_does_not_answer_is_unknown_and_named(board: Emulator, how: str) -> None:
    boot(board)
    for bit in (3, 17, 40):
        board.ask(f"reflect {bit} {RING}")
    assert (the_last(board).rings, the_last(board).unknown) == (1 << 3 | 1 << 17 | 1 << 40, 0)
    board.ask(f"converter {how} 2")
    without = the_last(board)
    assert without.unknown == chip_bits(2)
    assert without.rings & ~without.unknown == 1 << 3 | 1 << 40
    board.send(encode(Identify(0)))
    assert [hello.silent_chips for hello in hellos(board, SECOND // 20)] == [1 << 2]
    board.ask("converter ok")
    whole = the_last(board)
    assert (whole.unknown, whole.rings) == (0, 1 << 3 | 1 << 17 | 1 << 40)


def test_a_start_without_any_converter_is_told_at_once(board: Emulator) -> None:
    for chip in range(8):
        board.ask(f"converter missing {chip}")
    assert boot(board).silent_chips == 0xFF
    assert the_last(board).unknown == chip_bits(*range(8))


@pytest.mark.parametrize("noise", [500, 1000, 1500])
def test_what_signals_tell_of_a_ring(board: Emulator, noise: int) -> None:
    """Mean and deviation within what 32 visits can tell."""
    boot(board)
    board.ask(f"noise ring {noise}")
    for bit, current in ((3, 105), (8, RING), (61, 1140)):
        board.ask(f"reflect {bit} {current}")
    told = signals(board)
    for bit, counts in ((3, 15), (8, 65), (61, 160), (0, 1)):
        signal = told[bit // 8].signals[bit % 8]
        assert abs(signal.mean / 16 - counts) < 3, (bit, signal)
        assert signal.deviation / 8 < 0.6 + 1.6 * noise / 1000, (bit, signal)
    assert the_last(board).rings == 1 << 3 | 1 << 8 | 1 << 61


# ---- fields ----


# The references, 1/4, 1/2 and 3/4 of the supply, have the addresses 0101, 1111 and 1010 (line 3 first).
@pytest.mark.parametrize(
    ("fault", "moved"),
    [
        ("0 high", [2]),
        ("1 high", [0]),
        ("2 high", [2]),
        ("3 high", [0]),
        ("0 low", [0, 1]),
        ("1 low", [1, 2]),
        ("2 low", [0, 1]),
        ("3 low", [1, 2]),
    ],
)
def test_a_stuck_select_line_moves_the_references_that_need_it(
    board: Emulator, fault: str, moved: list[int]
) -> None:
    boot(board)
    assert [channel.address for channel in WIRING.references] == [5, 15, 10]
    assert the_last(board).references == bytes([64, 128, 192])
    for channel in WIRING.channels:
        board.ask(f"field {channel.mux} {channel.address} 500")  # 25.6 of 256 steps
    board.ask(f"select {fault}")
    references = the_last(board).references
    for place, (own, found) in enumerate(zip((64, 128, 192), references, strict=True)):
        if place in moved:
            assert found in (0, 25, 26)  # a field, or an input without a part
        else:
            assert found == own
    board.ask(f"select {fault[0]} ok")
    assert the_last(board).references == bytes([64, 128, 192])
    assert board.checks() == []


def test_an_open_sensor_reads_0_after_half_a_second(board: Emulator) -> None:
    boot(board)
    channel = WIRING.channels[20]
    board.ask(f"field {channel.mux} {channel.address} open")
    board.run(SECOND // 2)
    fields = the_last(board).fields
    assert fields[20] == 0
    assert {field for place, field in enumerate(fields) if place != 20} == {128}
    board.ask(f"field {channel.mux} {channel.address} 2510")
    assert the_last(board).fields[20] == 128


# ---- the supply ----


# The reference's 2.5 V are 144 of 256 steps from 4.444 V down.
@pytest.mark.parametrize(
    ("millivolts", "low"), [(5500, False), (5000, False), (4500, False), (4450, False), (4440, True)]
)
def test_a_low_supply_is_told_in_every_snapshot(board: Emulator, millivolts: int, low: bool) -> None:
    boot(board)
    board.ask(f"supply {millivolts}")
    the_last(board)
    board.run(SECOND // 2)
    snapshots = [message for message in heard(board) if isinstance(message, Snapshot)]
    assert len(snapshots) >= 8
    assert {bool(snapshot.faults & FaultFlag.SUPPLY_LOW) for snapshot in snapshots} == {low}
    assert board.checks() == []


# ---- the line from the host ----

OTHER_SETTINGS = Settings(field_deadband=9, holder_deadband=77, shortest_interval=5000, longest_interval=20000)


def test_damaged_bytes_give_a_flag_and_no_command(board: Emulator) -> None:
    boot(board)
    board.run(SECOND // 10)
    commands = b"\0" + encode(Set(0, OTHER_SETTINGS)) + encode(SelfTest(1)) + encode(Identify(2))
    for seed in range(in_soak(50, otherwise=15)):
        board.ask(f"seed {seed}")
        board.sent()
        board.ask(f"receive_damage {len(commands)}")
        board.send(commands)
        board.send(b"\0")  # whole again
        board.run(SECOND // 5)
        messages = heard(board)
        assert {type(message) for message in messages} <= {Snapshot, RingSignals}
        assert any(m.faults & FaultFlag.RECEIVE_ERROR for m in messages if isinstance(m, Snapshot))
    assert not the_last(board).faults & FaultFlag.RECEIVE_ERROR  # told once
    board.send(commands)
    board.run(SECOND // 5)
    answers = {type(message) for message in heard(board)}
    assert Hello in answers


@pytest.mark.parametrize("bits", [1, 5, 12, 1000])
def test_a_break_in_a_command_gives_a_flag_and_no_command(board: Emulator, bits: int) -> None:
    boot(board)
    board.run(SECOND // 10)
    board.sent()
    board.send(b"\0" + encode(Identify(255)))
    board.run(3 * 320 + 5 * 32)  # at the fifth bit of its seq, the fourth byte: all ones
    board.ask(f"receive_break {bits * 32}")
    board.run(SECOND // 10)
    board.send(b"\0")
    board.run(SECOND // 10)
    messages = heard(board)
    assert {type(message) for message in messages} <= {Snapshot, RingSignals}
    assert any(m.faults & FaultFlag.RECEIVE_ERROR for m in messages if isinstance(m, Snapshot))
    board.send(encode(Identify(2)))
    assert len(hellos(board, SECOND // 10)) == 1
