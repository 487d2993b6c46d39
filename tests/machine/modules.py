"""The tests' own kernel modules, built for the kernel of a virtual machine: pins and SPI of a Raspberry Pi."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

from tests.machine.running import run_within

#: The modules' sources; each says at its beginning what it is to programs and to tests.
SOURCES: Final = Path(__file__).parent / "module"

#: Where the modules are in the machine; vm-pins.service loads them from there.
PLACE: Final = Path("usr/local/lib/vm")


def make_modules(root: Path) -> None:
    """Build the modules in a root that has a compiler and its kernel's headers, and put them into their place.

    Raises:
        MachineError: a program failed.
    """
    (kernel,) = (root / "usr/lib/modules").iterdir()
    inside = Path("root/module")
    shutil.copytree(SOURCES, root / inside)
    run_within(root, "make", "-C", f"/usr/lib/modules/{kernel.name}/build", f"M=/{inside}")
    (root / PLACE).mkdir(parents=True)
    for module in (root / inside).glob("*.ko"):
        run_within(root, "strip", "--strip-debug", "-o", f"/{PLACE / module.name}", f"/{inside / module.name}")
    shutil.rmtree(root / inside)
