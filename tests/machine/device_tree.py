"""The device tree by which a virtual machine says that it is a Raspberry Pi 4."""

from pathlib import Path
from typing import Final

from tests.machine.architecture import Architecture
from tests.machine.running import run

MODEL: Final = "Raspberry Pi 4 Model B Rev 1.4"
COMPATIBLE: Final = ("raspberrypi,4-model-b", "brcm,bcm2711", "linux,dummy-virt")

#: The revision code of that model with 2 GB, by which gpiozero knows the pins of the header.
REVISION: Final = "b03114"

#: What would be the first gpiochip, and the power key at one of its pins.
LEFT_OUT: Final = ("/gpio-keys", "/pl061@9030000")


def make_device_tree(architecture: Architecture, options: tuple[str, ...], file: Path) -> None:
    """Write the tree that QEMU makes for a machine with these options, changed as above.

    Raises:
        MachineError: a program failed.
    """
    run(*architecture.machine, *options, "-display", "none", "-machine", f"dumpdtb={file}")
    run("fdtput", "-t", "s", file, "/", "model", MODEL)
    run("fdtput", "-t", "s", file, "/", "compatible", *COMPATIBLE)
    run("fdtput", "-c", file, "/system")
    run("fdtput", "-t", "x", file, "/system", "linux,revision", REVISION)
    for node in LEFT_OUT:
        run("fdtput", "-t", "s", file, node, "status", "disabled")
