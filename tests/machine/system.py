"""The bare Debian of a virtual machine, made by mmdebstrap, without the program."""

import os
import re
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from tests.machine.architecture import Architecture
from tests.machine.running import MachineError, run

SUITE: Final = "trixie"

#: What the program's service needs of a Debian, and what the tests need. Suggestions are left out.
PACKAGES: Final = (
    "init",
    "systemd",
    "systemd-sysv",
    "udev",
    "dbus",
    "kmod",
    "iproute2",
    "procps",
    "python3",
    "python3-venv",
    "make",
    "modemmanager",
    "e2fsprogs",
    "busybox-static",
)

#: Documentation and translations, which nobody reads there.
LEFT_OUT: Final = ("/usr/share/doc/*", "/usr/share/man/*", "/usr/share/locale/*")

#: Where Linux keeps the interpreters of foreign programs.
FOREIGN: Final = Path("/proc/sys/fs/binfmt_misc")


def mirror(sources: Iterable[str]) -> str | None:
    """The address of the Debian that this computer's apt uses, from the texts of its lists; None: no such Debian.

    Both forms of lists are read: ``deb ADDRESS SUITE …`` and ``URIs: ADDRESS``.
    """
    for text in sources:
        for line in text.splitlines():
            found = re.match(r"(?:URIs:|deb(?:\s+\[[^]]*\])?)\s+(\S+/debian)/?(?:\s|$)", line.strip())
            if found:
                return found[1]
    return None


def make_system(architecture: Architecture, archive: Path) -> None:
    """Make the bare system as a tar file, whole or not at all.

    Raises:
        MachineError: this computer's apt names no Debian, or a program failed.
    """
    lists = [Path("/etc/apt/sources.list"), *sorted(Path("/etc/apt/sources.list.d").glob("*"))]
    address = mirror(path.read_text(encoding="utf-8") for path in lists if path.is_file())
    if address is None:
        raise MachineError(
            "no Debian in this computer's apt sources (/etc/apt), from which the system could be made"
        )
    if architecture.is_foreign:
        run_foreign_programs()
    with tempfile.TemporaryDirectory(dir=archive.parent) as scratch:
        unfinished = Path(scratch) / "system.tar"
        run(
            "mmdebstrap",
            "--mode=root",
            f"--arch={architecture.name}",
            "--variant=minbase",
            '--aptopt=Acquire::Languages "none"',
            '--aptopt=APT::Install-Recommends "false"',
            *(f"--dpkgopt=path-exclude={pattern}" for pattern in LEFT_OUT),
            f"--include={','.join((*PACKAGES, *architecture.packages, architecture.kernel))}",
            SUITE,
            unfinished,
            f"deb {address} {SUITE} main",
            **{**os.environ, "INITRD": "No"},  # the kernel's package makes none, as tests.machine.initrd does
        )
        unfinished.rename(archive)


def run_foreign_programs() -> None:
    """Have this computer's kernel run other processors' programs by qemu-user.

    Raises:
        MachineError: it does not.
    """
    if not (FOREIGN / "status").exists():
        run("mount", "-t", "binfmt_misc", "binfmt_misc", FOREIGN)
    run("update-binfmts", "--enable")
