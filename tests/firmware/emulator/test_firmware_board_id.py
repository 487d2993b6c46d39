"""The board id on the real firmware: set over the line, kept in EEPROM, told when it is there (section 5.5)."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from tamsk_hw.board.protocol import (
    Decoder,
    FaultFlag,
    Heartbeat,
    Hello,
    Set,
    SetBoardId,
    Settings,
    Snapshot,
    encode,
)
from tests.firmware.emulator.emulated import MILLISECOND, Emulator, at_rest, boot, heard, running

#: Milliseconds within which a SET_BOARD_ID is answered, and what the answer waits for besides, as with IDENTIFY:
#: a snapshot of 75 bytes that is being sent, and the HELLO's own 28, of 0.02 ms each.
WITHIN = 100 + (75 + 28) * 0.02

NEW = 0x1A2B3C4D


@pytest.fixture
def board(firmware: Path, emulator_binary: Path, tmp_path: Path) -> Iterator[Emulator]:
    with running(emulator_binary, firmware, tmp_path) as emulator:
        at_rest(emulator, holders=False)
        yield emulator
        assert emulator.checks() == []


def answers(board: Emulator, data: bytes, milliseconds: int = 150) -> list[tuple[float, int]]:
    """The board id of each HELLO within so long, with the milliseconds since the end of ``data``."""
    board.sent()
    board.send(data)
    ended = board.time() + len(data) * 320
    board.run_to(ended + milliseconds * MILLISECOND)
    decoder = Decoder()
    found = []
    for cycle, byte in board.sent():
        for message in decoder.feed(bytes([byte])):
            if isinstance(message, Hello):
                found.append(((cycle - ended) / MILLISECOND, message.board_id))
    return found


def test_it_is_told_when_it_is_written_and_kept_over_any_reset(board: Emulator) -> None:
    assert boot(board).board_id == 0
    ((at, told),) = answers(board, encode(SetBoardId(0, NEW)))
    assert told == NEW
    # Six bytes of 3.4 ms each are there first; 100 ms is what section 5.5 allows.
    assert 6 * 3.4 <= at <= WITHIN
    for how in ("reset", "brownout", "power"):
        assert boot(board, how).board_id == NEW


def test_a_worn_cell_is_told_by_another_id(board: Emulator) -> None:
    boot(board)
    board.ask("eeprom_worn 2")
    told = [told for _, told in answers(board, encode(SetBoardId(0, NEW)))]
    assert len(told) == 1
    assert told != [NEW]
    assert boot(board, "reset").board_id == told[0]
    board.ask("eeprom_worn ok")
    assert [told for _, told in answers(board, encode(SetBoardId(0, NEW)))] == [NEW]


def test_power_that_goes_while_it_is_written_costs_that_id_at_most(board: Emulator) -> None:
    """Old, new or none; the boot ids go on, and it can be set again."""
    boots = [boot(board).boot_id]
    answers(board, encode(SetBoardId(0, NEW)))
    old, seen = NEW, set()
    for moment in range(20):
        wanted = 0x01010101 * (1 + moment)
        board.send(encode(SetBoardId(0, wanted)))
        board.run(moment * 2 * MILLISECOND)
        hello = boot(board, "power")
        assert hello.board_id in (old, wanted, 0)
        seen.add("old" if hello.board_id == old else "new" if hello.board_id == wanted else "none")
        boots.append(hello.boot_id)
        assert [told for _, told in answers(board, encode(SetBoardId(0, wanted)))] == [wanted]
        old = wanted
    assert seen == {"old", "new", "none"}
    assert len(set(boots)) == len(boots)


def test_scans_and_snapshots_go_on_meanwhile(board: Emulator) -> None:
    """No snapshot comes late, and none tells of a scan that was too long."""
    boot(board)
    board.send(encode(Heartbeat(0)) + encode(Set(1, Settings(0, 0, 2500, 5000))))
    board.run(50 * MILLISECOND)
    board.sent()
    board.send(encode(SetBoardId(2, NEW)))
    board.run(120 * MILLISECOND)
    messages = heard(board)
    snapshots = [message for message in messages if isinstance(message, Snapshot)]
    assert [message.board_id for message in messages if isinstance(message, Hello)] == [NEW]
    flags = FaultFlag.SCAN_OVERRUN | FaultFlag.RECEIVE_ERROR
    assert not [snapshot for snapshot in snapshots if snapshot.faults & flags]
    apart = [later.time - earlier.time for earlier, later in pairwise(snapshots)]
    assert len(apart) > 20
    # The longest interval of 5 ms, give or take the 0.25 ms of section 4.
    assert max(apart) <= 5250
