"""Maps that the emulated controller cannot play: refused in one line, before anything is built or run."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from tamsk_hw.board.wiring import Wiring
from tests.boards import SEVEN, WHOLE
from tests.emulated import build as build_module
from tests.emulated.board import check_pins
from tests.emulated.build import build
from tests.emulated.process import EmulatorError
from tests.firmware.toolchain import need


@pytest.mark.parametrize("wiring", [WHOLE.wiring, SEVEN.wiring], ids=["whole", "seven"])
def test_the_projects_own_maps_are_on_its_pins(wiring: Wiring) -> None:
    check_pins(wiring)


def test_a_map_with_other_pins_is_refused() -> None:
    other = replace(SEVEN.wiring, controller=replace(SEVEN.wiring.controller, latch="PD3"))
    with pytest.raises(EmulatorError, match=r"controller\.latch: 'PD3'; the emulated controller has 'PB2'"):
        check_pins(other)


def test_a_map_with_other_converter_inputs_is_refused() -> None:
    other = replace(SEVEN.wiring, controller=replace(SEVEN.wiring.controller, mux_inputs=("ADC7",)))
    with pytest.raises(EmulatorError, match=r"controller\.mux_inputs: \('ADC7',\)"):
        check_pins(other)


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


@pytest.mark.parametrize("folder", ["my boards", "a$b"])
def test_a_map_where_make_cannot_find_it_is_refused(folder: str, tmp_path: Path) -> None:
    with pytest.raises(EmulatorError, match="move the map"):
        build(tmp_path / "built", tmp_path / folder / "board.toml")
