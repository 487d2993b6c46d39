"""The breadboard evening (wiring/build.md): the program shows the one tube, and what is not connected."""

import re
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from tamsk_hw.workbench.sensors import show_sensors
from tests.firmware.emulator.emulated import running


def test_sensors_shows_the_one_tube_and_what_is_not_connected(
    firmware: Path, emulator_binary: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "config.toml"
    config.write_text(f'[board]\nport = "{tmp_path}/port"\n', encoding="utf-8")
    with running(emulator_binary, firmware, tmp_path) as board:
        board.ask("fitted 1 3")
        for field in range(16):
            board.ask(f"field 0 {field} 3700")  # a magnet at the one Hall sensor, which has no multiplexer
            for other in (1, 2):
                board.ask(f"field {other} {field} open")
        board.ask("reflect all 0")
        board.ask("reflect 0 460")
        board.ask(f"pty {tmp_path}/port")
        board.ask("realtime 1")
        show_sensors(None, config, once=True, console=Console(file=StringIO(), width=80))
    said = capsys.readouterr().out
    assert re.search(r"A1\.1 6\d/12 \(\d\)", said)
    assert "no answer from converter 1 2 3 4 5 6 7, or not connected" in said
    assert "weakest ring" in said
