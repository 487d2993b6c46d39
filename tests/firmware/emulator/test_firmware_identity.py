"""The EEPROM's records on the emulated controller: boot ids on worn cells, and a board id that is set."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tamsk_hw.board.protocol import Decoder, Hello, crc16
from tests.firmware.built import BuildOnce
from tests.firmware.emulator.emulated import SECOND, Emulator, running
from tests.firmware.emulator.firmware_programs import build_firmware_with
from tests.firmware.toolchain import need

MILLISECOND = SECOND // 1000
BYTE = 3.4 * MILLISECOND  # an EEPROM's byte is written
RECORD = 6  # bytes
RING, RECORDS = 8, 8  # the boot ids' first address, and how many they are

STARTED, WRITTEN = 0xB0, 0xB1  # marks of programs/identity.c


def record(number: int) -> bytes:
    """As firmware/core/boot_record.h describes it."""
    data = number.to_bytes(4, "little")
    return data + crc16(data).to_bytes(2, "big")


# ---- worn cells, the whole program ----


@pytest.fixture
def board(firmware: Path, emulator_binary: Path, tmp_path: Path) -> Iterator[Emulator]:
    """About to start for the first time, with boot ids from 2 on: the ring's first record holds 1."""
    with running(emulator_binary, firmware, tmp_path) as emulator:
        emulator.ask(f"eeprom_set {RING} {record(1).hex()}")
        yield emulator


def start(board: Emulator, *, within: int = 100 * MILLISECOND) -> tuple[int, int]:
    """Pull the reset pin; the boot id that HELLO tells, and after how many cycles its frame begins."""
    board.ask("reset")
    board.sent()
    begin = board.time()
    board.run(within)
    sent = board.sent()
    (hello,) = (
        message for message in Decoder().feed(bytes(byte for _, byte in sent)) if isinstance(message, Hello)
    )
    return hello.boot_id, sent[0][0] - begin


@pytest.mark.parametrize("cell", range(RECORD))
def test_a_worn_cell_costs_no_boot_id(board: Emulator, cell: int) -> None:
    """The fourth record of the ring has one that holds an 0x5A for ever, which no record has there."""
    worn = RING + 3 * RECORD + cell
    board.ask(f"eeprom_set {worn} 5a")
    board.ask(f"eeprom_worn {worn}")
    starts = [start(board) for _ in range(3 * RECORDS)]
    assert [boot_id for boot_id, _ in starts] == list(range(2, 2 + 3 * RECORDS))
    # Two records where the first is worn: bytes that are as they should be already are not written again.
    assert max(starts, key=lambda each: each[1]) == starts[2]
    assert 6 * BYTE < starts[2][1] < 2 * RECORD * BYTE + 5 * MILLISECOND
    assert board.checks() == []


def test_with_every_record_worn_it_starts_all_the_same(board: Emulator) -> None:
    """Later, and with an id that the next start will say again: nothing can be kept."""
    for place in range(RING + 1, RING + RECORD * RECORDS, RECORD):
        board.ask(f"eeprom_set {place} 5a")
        board.ask(f"eeprom_worn {place}")
    _, cycles = start(board, within=SECOND)
    assert cycles < RECORDS * RECORD * BYTE + 10 * MILLISECOND
    board.ask("eeprom_worn ok")
    ids = [start(board)[0] for _ in range(3)]
    assert ids == [ids[0], ids[0] + 1, ids[0] + 2]


# ---- a board id that is set: the firmware's identity alone ----


@pytest.fixture
def alone(build_once: BuildOnce, emulator_binary: Path, tmp_path: Path) -> Iterator[Emulator]:
    """programs/identity.c, not run yet; the ring's first record holds 41."""
    need("make", "avr-gcc")
    folder = build_once("identity", lambda folder: build_firmware_with(folder, "identity", of_avr="identity"))
    with running(emulator_binary, folder / "tamsk.elf", tmp_path) as emulator:
        emulator.ask(f"eeprom_set {RING} {record(41).hex()}")
        yield emulator


def told(board: Emulator) -> list[tuple[int, ...]]:
    """The marks since the last call with the numbers behind them: STARTED with two, WRITTEN with one."""
    values = [value for _, value in board.marks()]
    found = []
    while values:
        count = {STARTED: 2, WRITTEN: 1}[values[0]]
        assert len(values) >= 1 + 4 * count
        numbers = [int.from_bytes(values[place : place + 4], "little") for place in range(1, 1 + 4 * count, 4)]
        found.append((values[0], *numbers))
        values = values[1 + 4 * count :]
    return found


def stored(board: Emulator, address: int) -> bytes:
    return bytes.fromhex(board.ask(f"eeprom_get {address} {RECORD}"))


def number_bytes(number: int) -> bytes:
    return number.to_bytes(4, "little")


@pytest.mark.parametrize("board_id", [1, 0x12345678, 0xFEDCBA98, 0])
def test_a_board_id_that_was_set_is_there_after_a_reset(alone: Emulator, board_id: int) -> None:
    alone.run(30 * MILLISECOND)
    assert told(alone) == [(STARTED, 0, 42), (WRITTEN, 0)]
    alone.send(number_bytes(board_id))
    alone.run(round(5 * BYTE))
    assert told(alone) == []  # six bytes take longer
    alone.run(round(2 * BYTE))
    assert told(alone) == [(WRITTEN, board_id)]
    assert stored(alone, 0) == record(board_id)
    alone.ask("reset")
    alone.run(30 * MILLISECOND)
    assert told(alone) == [(STARTED, board_id, 43), (WRITTEN, board_id)]
    assert alone.checks() == []


@pytest.mark.parametrize("written", range(7))
def test_a_second_board_id_takes_the_place_of_the_first(alone: Emulator, written: int) -> None:
    """So many bytes of the first are written, or begun, as the second comes."""
    alone.run(30 * MILLISECOND)
    told(alone)
    alone.send(number_bytes(0x11223344))
    alone.run(round(written * BYTE))
    alone.send(number_bytes(0x55667788))
    alone.run(50 * MILLISECOND)
    assert told(alone)[-1] == (WRITTEN, 0x55667788)
    assert stored(alone, 0) == record(0x55667788)
    assert alone.checks() == []


@pytest.mark.parametrize("written", range(7))
def test_a_board_id_that_comes_before_the_boot_id_is_written_waits_for_it(alone: Emulator, written: int) -> None:
    alone.run(4 * MILLISECOND + round(written * BYTE))  # it reads the records for some 3 ms
    alone.send(number_bytes(0x11223344))
    alone.run_to(28 * MILLISECOND)
    assert stored(alone, RING + RECORD) == record(42)
    assert stored(alone, 0) != record(0x11223344)
    alone.run(50 * MILLISECOND)
    assert told(alone)[-1] == (WRITTEN, 0x11223344)
    assert stored(alone, 0) == record(0x11223344)
    assert stored(alone, RING + RECORD) == record(42)
    alone.ask("reset")
    alone.run(30 * MILLISECOND)
    assert told(alone)[0] == (STARTED, 0x11223344, 43)


@pytest.mark.parametrize("command", ["reset", "power"])
def test_a_reset_while_it_is_written_costs_the_board_id_at_most(alone: Emulator, command: str) -> None:
    alone.run(30 * MILLISECOND)
    told(alone)
    found = []
    for boot, quarters in enumerate(range(0, 28), start=43):
        alone.ask(f"eeprom_set 0 {record(7).hex()}")
        alone.send(number_bytes(0x11223344))
        alone.run(MILLISECOND + round(quarters * BYTE / 4))
        told(alone)
        alone.ask(command)
        alone.run(30 * MILLISECOND)
        (_, board_id, boot_id), *_ = told(alone)
        assert boot_id == boot
        found.append(board_id)
    # The old one until the first byte is begun, the new one from the last byte's end on, in between none.
    assert set(found) == {0, 0x11223344}
    assert found == sorted(found)


def test_a_board_id_on_a_worn_cell_is_told_as_none(alone: Emulator) -> None:
    alone.ask("eeprom_worn 2")
    alone.run(30 * MILLISECOND)
    told(alone)
    alone.send(number_bytes(0x11223344))
    alone.run(50 * MILLISECOND)
    assert told(alone) == [(WRITTEN, 0)]
    assert stored(alone, RING + RECORD) == record(42)
