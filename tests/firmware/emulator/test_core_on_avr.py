"""``int`` has 16 bits on the AVR: what the tests ask of the core on the host holds on the controller too.

Every test of ``tests/firmware/test_core_*.py`` that asks a core is here once more. Its core is the same C, built
as the firmware is, on the emulated ATmega328P; each answer must also be the host's, character by character.
"""

import inspect
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from tests.firmware import (
    test_core_boot,
    test_core_controller,
    test_core_frames,
    test_core_pacing,
    test_core_receiver,
    test_core_settings,
    test_core_tables,
)
from tests.firmware.built import BuildOnce
from tests.firmware.core_on_avr import AvrCore
from tests.firmware.core_program import Core, run_make
from tests.firmware.emulator.emulated import running
from tests.firmware.toolchain import need

MODULES = (
    test_core_boot,
    test_core_controller,
    test_core_frames,
    test_core_pacing,
    test_core_receiver,
    test_core_settings,
    test_core_tables,
)


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
    assert found
    assert not found.keys() & globals().keys()
    globals().update(found)


@pytest.mark.soak  # each kind of frame, good and damaged, is among the golden streams
def test_random_streams_have_the_python_decoders_verdict(core: Core) -> None:
    test_core_receiver.test_random_streams_have_the_python_decoders_verdict(core)
