"""``int`` has 16 bits on the AVR: what the tests ask of the core on the host holds on the controller too.

Every test of these modules that asks a core is here once more; what it receives `test_firmware_frames` has. Its
core is the same C, built as the firmware is, on the emulated ATmega328P; each answer must also be the host's,
character by character.
"""

import inspect
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from tests.firmware.built import BuildOnce
from tests.firmware.core_on_avr import AvrCore
from tests.firmware.core_program import Core, run_make
from tests.firmware.emulator.emulated import running
from tests.firmware.toolchain import need
from tests.soak import SOAK

PARTS = ("boot", "controller", "frames", "pacing", "rings", "settings", "tables")
MODULES = [import_module(f"tests.firmware.test_core_{part}") for part in PARTS]

#: Of the ring sensors' filter, whose visits are many, those in ``make test`` that meet each of its branches.
RINGS_ALWAYS = {
    "test_its_own_threshold_sees_what_the_common_one_does_not",
    "test_the_common_threshold_rises_with_the_light_that_is_there",
    "test_what_cannot_be_read_is_unknown_at_once_and_known_again_at_once",
    "test_a_plan_visits_every_bank_every_fourth_scan",
}


@pytest.fixture(scope="module")
def core(
    core: Core, build_once: BuildOnce, emulator_binary: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Core]:
    need("avr-gcc")
    elf = build_once("core_on_avr", lambda folder: run_make("filter", f"BUILD={folder}")) / "core_filter.elf"
    with running(emulator_binary, elf, tmp_path_factory.mktemp("core_on_avr")) as board:
        yield AvrCore(core, board)


def of_a_core(module: ModuleType) -> dict[str, object]:
    """The tests of a module that ask a core."""
    return {
        name: each
        for name, each in vars(module).items()
        if name.startswith("test_") and "core" in inspect.signature(each).parameters
    }


for module in MODULES:
    found = of_a_core(module)
    if module.__name__.endswith("rings") and not SOAK:
        found = {name: each for name, each in found.items() if name in RINGS_ALWAYS}
    assert found
    assert not found.keys() & globals().keys()
    globals().update(found)
