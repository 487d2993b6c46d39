"""The EEPROM's records on the emulated controller: boot ids on worn cells."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tamsk_hw.board.protocol import Decoder, Hello
from tests.firmware.emulator.emulated import MILLISECOND, SECOND, Emulator, running
from tests.firmware.test_core_boot import record

BYTE = 3.4 * MILLISECOND  # an EEPROM's byte is written
RECORD = 6  # bytes
RING, RECORDS = 8, 8  # the boot ids' first address, and how many they are


@pytest.fixture
def board(firmware: Path, emulator_binary: Path, tmp_path: Path) -> Iterator[Emulator]:
    """About to start for the first time, with boot ids from 2 on: the ring's first record holds 1."""
    with running(emulator_binary, firmware, tmp_path) as emulator:
        emulator.ask(f"eeprom_set {RING} {record(1).hex()}")
        for holder in (0, 1):  # a reset in the midst of a reading would be told as a fault of the program
            emulator.ask(f"holder {holder} silent")
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
