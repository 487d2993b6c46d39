"""The virtual machine's disk: a bare Debian, into which `make install` has installed the program.

Both parts are kept below ``build/vm``, each under a hash of all that goes into it: the bare system, and the image
with the program. Nothing but what has changed is made again.
"""

import hashlib
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.machine.architecture import Architecture
from tests.machine.device_tree import make_device_tree
from tests.machine.initrd import make_initrd
from tests.machine.modules import SOURCES, make_modules
from tests.machine.running import MachineError, run, run_within
from tests.machine.system import LEFT_OUT, PACKAGES, SUITE, make_system, run_foreign_programs

PROJECT: Final = Path(__file__).parents[2]
GUEST: Final = Path(__file__).parent / "guest"

#: Files of the project that `make install` reads.
INSTALLED: Final = (
    "Makefile",
    "LICENSE",
    "README.md",
    "pyproject.toml",
    "setup.py",
    "systemd",
    "tamsk_hw",
    "wiring",
)

#: Units that are wanted at every start. The first two are the program's own, which `make install` enables where
#: systemd runs.
WANTED: Final = (
    "/usr/local/lib/systemd/system/tamsk-hw.service",
    "/usr/local/lib/systemd/system/tamsk-hw-web.service",
    "/etc/systemd/system/vm-console.service",
    "/etc/systemd/system/vm-network.service",
    "/etc/systemd/system/vm-live.socket",
    "/etc/systemd/system/vm-hands.socket",
    "/etc/systemd/system/vm-pins.service",
)

#: Units that only cost time in an emulated machine: nobody logs in, nothing is kept up to date.
MASKED: Final = (
    "apt-daily.timer",
    "apt-daily-upgrade.timer",
    "dpkg-db-backup.timer",
    "e2scrub_all.timer",
    "e2scrub_reap.service",
    "fstrim.timer",
    "getty@tty1.service",
    "serial-getty@ttyS0.service",
    "serial-getty@hvc0.service",
    "systemd-logind.service",
    "systemd-networkd.service",
)

#: Units that run only where a check starts them.
NOT_WANTED: Final = ("ModemManager.service",)

#: Processors and memory of the machine, as QEMU's options. The smallest Raspberry Pi 4 has more of both.
SIZE: Final = ("-smp", "2", "-m", "768")

#: The size of the machine's disk in MB; about a third of it is used.
DISK: Final = 2500

#: MB that must be free to make an image: two archives, an unpacked system, the image.
ROOM: Final = 4000

#: Whom this computer trusts, by which pip inside reaches the index that pip outside does.
AUTHORITIES: Final = Path("/etc/ssl/certs/ca-certificates.crt")

#: Programs that this computer must have for every architecture, with Debian's packages of them.
TOOLS: Final = {
    "qemu-img": "qemu-utils",
    "mmdebstrap": "mmdebstrap",
    "arch-test": "arch-test",
    "mke2fs": "e2fsprogs",
    "cpio": "cpio",
    "git": "git",
}


@dataclass(frozen=True)
class Image:
    """A finished image, with the kernel and the initial RAM disk to boot it."""

    architecture: Architecture
    disk: Path
    kernel: Path
    initrd: Path
    device_tree: Path | None
    """None: as QEMU makes it."""


def missing(
    tools: Mapping[str, str], has: Callable[[str], bool], *, root: bool, free: int, made: bool
) -> str | None:
    """Say in one line what keeps an image from being made or booted, or give None.

    Args:
        tools: the programs that are needed, with their packages.
        has: whether this computer has a program.
        root: whether we are root, which only making an image takes.
        free: MB that are free for it.
        made: whether the image is there already.
    """
    packages = [package for tool, package in tools.items() if not has(tool)]
    if packages:
        return f"missing: {', '.join(packages)}; apt-get install {' '.join(packages)}"
    if made:
        return None
    if not root:
        return "making the image takes root (mmdebstrap, chroot): sudo make vm; later runs take none"
    if free < ROOM:
        return f"making the image takes {ROOM} MB in build/vm, {free} MB are free; make room"
    return None


def key(parts: Mapping[str, bytes]) -> str:
    """A short name for contents: 16 hexadecimal digits that change with any name or byte."""
    whole = hashlib.sha256()
    for name, content in sorted(parts.items()):
        for part in (name.encode(), content):
            whole.update(len(part).to_bytes(8, "big") + part)
    return whole.hexdigest()[:16]


def system_key(architecture: Architecture) -> str:
    """The name of the bare system."""
    parts = (SUITE, architecture.name, architecture.kernel, architecture.packages, PACKAGES, LEFT_OUT)
    return key({"": repr(parts).encode()})


def image_key(architecture: Architecture, project: Path = PROJECT) -> str:
    """The name of the image: the bare system, the program's files as they stand, and what the tests add."""
    files = [
        *installed_files(project),
        *(path for folder in (GUEST, SOURCES) for path in folder.rglob("*") if path.is_file()),
        *(Path(__file__).with_name(f"{name}.py") for name in ("device_tree", "image", "initrd", "modules")),
    ]
    parts = {str(path.relative_to(project)): path.read_bytes() for path in files}
    return key(parts | {"": system_key(architecture).encode()})


def installed_files(project: Path = PROJECT) -> list[Path]:
    """The project's files that `make install` reads: committed ones, and new ones that git does not ignore."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", *INSTALLED],
        cwd=project,
        check=True,
        capture_output=True,
        text=True,
    )
    paths = (project / name for name in listed.stdout.split("\0") if name)
    return sorted(path for path in paths if path.is_file())


def ensure_image(architecture: Architecture, folder: Path = PROJECT / "build" / "vm") -> Image:
    """The image of the program as it stands, made now if it is not there yet.

    Raises:
        MachineError: something is missing on this computer, or a step of it failed.
    """
    place = folder / image_key(architecture)
    folder.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(folder).free // 1_000_000
    lacking = missing(
        {**architecture.tools, **TOOLS},
        lambda tool: shutil.which(tool) is not None,
        root=os.geteuid() == 0,
        free=free,
        made=place.is_dir(),
    )
    if lacking is not None:
        raise MachineError(lacking)
    if not place.is_dir():
        archive = folder / f"system-{system_key(architecture)}.tar"
        if not archive.exists():
            _step(f"a bare Debian {SUITE} for {architecture.name}", lambda: make_system(architecture, archive))
        with tempfile.TemporaryDirectory(dir=folder) as scratch:
            made = Path(scratch) / "image"
            made.mkdir()
            root = Path(scratch) / "root"
            wheels = folder / f"wheels-{architecture.name}"
            _step("make install, and the image", lambda: _make_image(architecture, archive, root, made, wheels))
            made.rename(place)
    tree = place / "device.dtb"
    return Image(
        architecture, place / "disk.img", place / "vmlinuz", place / "initrd.img", tree if tree.exists() else None
    )


def _step(what: str, do: Callable[[], None]) -> None:
    print(f"Making {what} ...", flush=True)
    began = time.monotonic()
    do()
    print(f"  {(time.monotonic() - began) / 60:.1f} minutes", flush=True)


def _make_image(architecture: Architecture, archive: Path, root: Path, made: Path, wheels: Path) -> None:
    if architecture.is_foreign:
        run_foreign_programs()
    root.mkdir()
    run("tar", "--numeric-owner", "-xpf", archive, "-C", root)
    _install(root, wheels)
    if architecture.says_raspberry_pi:
        make_modules(root)
    for path in GUEST.rglob("*"):
        if path.is_file():
            shutil.copyfile(path, _below(root, path.relative_to(GUEST)))
    shutil.copyfile(PROJECT / "wiring" / "seven" / "board.toml", root / "etc/tamsk-hw/seven.toml")
    units = root / "etc/systemd/system"
    for unit in MASKED:
        _below(units, unit).symlink_to("/dev/null")
    for unit in WANTED:
        _below(units, f"multi-user.target.wants/{Path(unit).name}").symlink_to(unit)
    for unit in NOT_WANTED:
        (units / "multi-user.target.wants" / unit).unlink()
    _below(root, "var/log/journal").mkdir(exist_ok=True)
    (root / "etc/hostname").write_text("tamsk-vm\n")
    (root / "etc/fstab").write_text("/dev/vda / ext4 errors=remount-ro 0 1\n")
    (root / "etc/machine-id").write_text(f"{hashlib.md5(SUITE.encode()).hexdigest()}\n")  # no first start
    shutil.copyfile((root / "vmlinuz").parent / os.readlink(root / "vmlinuz"), made / "vmlinuz")
    make_initrd(root, made / "initrd.img")
    if architecture.says_raspberry_pi:
        make_device_tree(architecture, SIZE, made / "device.dtb")
    disk = made / "disk.img"
    with disk.open("wb") as file:
        file.truncate(DISK * 1_000_000)
    run("mke2fs", "-q", "-t", "ext4", "-L", "root", "-d", root, disk)


def _below(root: Path, path: str | Path) -> Path:
    """A path in the machine, whose folder is there."""
    full = root / path
    full.parent.mkdir(parents=True, exist_ok=True)
    return full


def _install(root: Path, wheels: Path) -> None:
    """`make install` in the machine's root, as on a computer whose systemd does not run yet.

    ``wheels`` is the folder in which pip keeps what it has fetched and compiled for the next image.
    """
    source, cache = root / "root" / "tamsk-hw", root / "root" / "wheels"
    if wheels.is_dir():
        wheels.rename(cache)
    for path in installed_files():
        shutil.copy(path, _below(source, path.relative_to(PROJECT)))
    given = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    if AUTHORITIES.is_file():
        given["PIP_CERT"] = "/root/authorities.pem"
    with _borrowed(root):
        command = ("make", "--no-print-directory", "-C", "/root/tamsk-hw", "install")
        try:
            run_within(root, *command, **given | {"PIP_CACHE_DIR": f"/{cache.relative_to(root)}"})
        finally:
            if cache.is_dir():  # what has been compiled is kept, be the rest of it missing
                cache.rename(wheels)
    shutil.rmtree(source)


@contextmanager
def _borrowed(root: Path) -> Iterator[None]:
    """Lend what pip needs to reach its index from inside: names, certificates and settings of this computer."""
    with ExitStack() as stack:
        lent = {Path("/") / name: name for name in ("etc/resolv.conf", "etc/hosts", "etc/pip.conf")}
        for here, name in (lent | {AUTHORITIES: "root/authorities.pem"}).items():
            there = _below(root, name)
            if here.is_file() and not there.exists():
                shutil.copyfile(here, there)
                stack.callback(there.unlink)
        yield
