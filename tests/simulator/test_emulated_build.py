"""The emulated controller is built wherever its sources lie."""

import shutil
from pathlib import Path

import pytest

from tests.boards import SEVEN
from tests.emulated import build as build_module
from tests.emulated.build import build
from tests.firmware.toolchain import need


def test_a_checkout_in_a_folder_with_a_blank_is_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need("make", "avr-gcc", "libsimavr")
    checkout = tmp_path / "Spiele für Zwei"
    shutil.copytree(build_module.FIRMWARE, checkout / "firmware", ignore=shutil.ignore_patterns("build"))
    make = build_module.FIRMWARE.parent / "wiring" / "make"
    shutil.copytree(make, checkout / "wiring" / "make", ignore=shutil.ignore_patterns("__pycache__"))
    seven = checkout / "wiring" / "seven" / "board.toml"
    seven.parent.mkdir(parents=True)
    monkeypatch.setattr(build_module, "FIRMWARE", checkout / "firmware")
    shutil.copyfile(SEVEN.map_file, seven)
    for wiring in (None, seven):
        built = build(wiring=wiring)
        assert built.program.is_relative_to(checkout)
        assert built.program.exists()
        assert built.emulator.exists()
