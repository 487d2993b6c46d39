"""Builds the tests' own kernel modules for a virtual machine: the pins and the SPI of a Raspberry Pi."""

import shutil
from pathlib import Path
from typing import Final

from tests.machine.initrd import modules_of
from tests.machine.running import run_within

#: The modules' sources; each says at its beginning what it is to programs and to tests.
SOURCES: Final = Path(__file__).parent / "module"

#: Where the modules are in the machine; vm-pins.service loads them from there.
PLACE: Final = Path("usr/local/lib/vm")


def make_modules(root: Path) -> None:
    """Build the modules with the compiler in a machine's root, and put them into `PLACE` there.

    Raises:
        MachineError: the root has not exactly one kernel, or a program failed.
    """
    kernel = modules_of(root)
    inside = Path("root/module")
    shutil.copytree(SOURCES, root / inside)
    run_within(root, "make", "-C", f"/usr/lib/modules/{kernel.name}/build", f"M=/{inside}")
    (root / PLACE).mkdir(parents=True)
    for module in (root / inside).glob("*.ko"):
        run_within(root, "strip", "--strip-debug", "-o", f"/{PLACE / module.name}", f"/{inside / module.name}")
    shutil.rmtree(root / inside)
