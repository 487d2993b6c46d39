"""The firmware of the board of seven tubes: its tables, its size, and what it says of what is not fitted."""

from pathlib import Path

from tamsk_hw.board.firmware_file import read_firmware
from tamsk_hw.board.protocol import Decoder, FaultFlag, Hello, RingSignals, SelfTest, Snapshot, encode
from tamsk_hw.game.tubes import TUBES
from tests.boards import SEVEN, WHOLE
from tests.firmware.core_program import run_make
from tests.firmware.emulator.emulated import SECOND, running
from tests.firmware.test_core_build import FLASH_MOST, hex_bytes
from tests.firmware.toolchain import need

WIRING = SEVEN.wiring


def test_it_is_built_from_its_map_beside_that_of_the_whole_board() -> None:
    need("make")
    printed = run_make("--dry-run", "MAP=wiring/seven/board.toml")
    assert "build/seven/tamsk.hex" in printed
    assert "build/seven/generated/tables.h" in printed


def test_its_file_belongs_to_a_host_with_its_map_alone(seven_firmware: Path) -> None:
    file = read_firmware(seven_firmware.with_name("tamsk.hex"))
    assert file.misfit(WIRING.hash) is None
    misfit = file.misfit(WHOLE.wiring.hash)
    assert misfit is not None
    assert f"was built from wiring {WIRING.hash:08x}" in misfit
    assert hex_bytes(file.path.read_text(encoding="ascii")) <= FLASH_MOST


def test_what_it_sends_of_an_empty_board(seven_firmware: Path, emulator_binary: Path, tmp_path: Path) -> None:
    with running(emulator_binary, seven_firmware, tmp_path) as board:
        board.ask(f"fitted {WIRING.chips} {len(WIRING.controller.mux_inputs)}")
        for place, channel in WIRING.inputs.items():
            volts = (2510, 1260, 2510, 3760)[max(0, place - 37)]
            board.ask(f"field {channel.mux} {channel.address} {volts}")
        board.run(SECOND // 5)
        board.ask(f"send {encode(SelfTest(0)).hex()}")
        board.run(SECOND // 5)
        heard = Decoder().feed(bytes(byte for _, byte in board.sent()))
        assert board.checks() == []
    hello, *others = heard
    assert isinstance(hello, Hello)
    assert hello.wiring_hash == WIRING.hash
    assert (hello.ring_bits, hello.fields, hello.references, hello.holders) == (64, 38, 3, 0)
    snapshots = [message for message in others if isinstance(message, Snapshot)]
    assert len(snapshots) > 5
    assert hello.silent_chips == 0xF8
    # Nothing can be said of what is not there, and of the others only after a visit.
    assert {snapshot.unknown for snapshot in snapshots[-5:]} == {(1 << 64) - (1 << 24)}
    for snapshot in snapshots:
        assert snapshot.rings == 0
        assert [bool(reading) for reading in snapshot.fields] == [*(tube in WIRING.tubes for tube in TUBES), True]
        assert {snapshot.fields[index] for index in WIRING.fields} == {128}
        assert list(snapshot.references) == [64, 128, 192]
        assert snapshot.holders == (0, 0)
        assert not snapshot.faults & ~FaultFlag.HOST_SILENT
    told = [message for message in others if isinstance(message, RingSignals)]
    assert {message.chip for message in told} == set(range(8))
