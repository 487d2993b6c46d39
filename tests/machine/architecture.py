"""The processors for which a virtual machine can be made, and how QEMU is to be that machine."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from tests.machine.running import MachineError


@dataclass(frozen=True, kw_only=True)
class Architecture:
    """A kind of computer, by Debian's name for it."""

    name: str
    kernel: str
    """Debian's package of the kernel."""

    packages: tuple[str, ...] = ()
    """Debian packages for this processor alone: what compiling libraries and our kernel modules takes."""

    tools: Mapping[str, str]
    """Programs that this computer must have for it, with Debian's packages of them."""

    machine: tuple[str, ...]
    """QEMU's program, and its options for processor and machine."""

    console: str
    """The kernel's serial line."""

    is_foreign: bool = False
    """This computer's processor cannot run its programs: qemu-user does, while the image is made."""

    says_raspberry_pi: bool = False
    """Its device tree can be changed, and says that it is a Raspberry Pi 4."""


AMD64: Final = Architecture(
    name="amd64",
    kernel="linux-image-amd64",
    tools={"qemu-system-x86_64": "qemu-system-x86"},
    machine=("qemu-system-x86_64", "-M", "q35", "-cpu", "qemu64"),
    console="ttyS0",
)

ARM64: Final = Architecture(
    name="arm64",
    kernel="linux-image-arm64",
    packages=("gcc", "libc6-dev", "python3-dev", "linux-headers-arm64"),
    tools={
        "qemu-system-aarch64": "qemu-system-arm",
        "qemu-aarch64-static": "qemu-user-static",
        "update-binfmts": "binfmt-support",
        "fdtput": "device-tree-compiler",
    },
    machine=("qemu-system-aarch64", "-M", "virt", "-cpu", "cortex-a72"),
    console="ttyAMA0",
    is_foreign=True,
    says_raspberry_pi=True,
)

BY_NAME: Final = {each.name: each for each in (AMD64, ARM64)}

#: Names the architecture for the tests; `make vm-test ARCH=arm64` sets it.
VARIABLE: Final = "TAMSK_VM_ARCH"


def chosen(environment: Mapping[str, str] = os.environ) -> Architecture:
    """The architecture that has been asked for; amd64 where none has.

    Raises:
        MachineError: there is no machine of it.
    """
    name = environment.get(VARIABLE) or AMD64.name
    if name not in BY_NAME:
        raise MachineError(f"ARCH={name}: there are {' and '.join(BY_NAME)}")
    return BY_NAME[name]
