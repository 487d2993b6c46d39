"""The record at byte 104 of the built program (firmware/README.md) says what the program says in its HELLO."""

from pathlib import Path

from tamsk_hw.board.firmware_file import IDENTIFICATION_AT, read_firmware
from tamsk_hw.board.wiring import load_wiring
from tamsk_hw.simulator.board import FIRMWARE_VERSION
from tests.firmware.emulator.emulated import boot, running


def test_the_built_file_is_taken_and_belongs_to_this_hosts_map(firmware: Path) -> None:
    file = read_firmware(firmware.with_name("tamsk.hex"))
    assert file.misfit(load_wiring().hash) is None
    assert file.program[IDENTIFICATION_AT : IDENTIFICATION_AT + 6] == b"TAMSK\x01"
    # The vector of the reset jumps behind the record.
    assert int.from_bytes(file.program[2:4], "little") * 2 >= IDENTIFICATION_AT + 18


def test_it_says_what_hello_says_and_the_simulated_board_has_the_same_version(
    firmware: Path, emulator_binary: Path, tmp_path: Path
) -> None:
    with running(emulator_binary, firmware, tmp_path) as board:
        hello = boot(board)
    said = read_firmware(firmware.with_name("tamsk.hex")).identification
    assert said is not None
    assert (said.protocol, said.firmware, said.wiring_hash) == (hello.protocol, hello.firmware, hello.wiring_hash)
    # Since 2.0.0 it measures rings by differences; 1.1.0 was the last with protocol 1.
    assert said.firmware == FIRMWARE_VERSION == (2, 0, 0)
