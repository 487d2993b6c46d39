"""The virtual machine's disk: a Debian made by mmdebstrap, into which `make install` has installed the program.

Both parts are kept below ``build/vm``, each under a hash of all that goes into it: the bare system, and the image
with the program. Nothing but what has changed is made again.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

PROJECT: Final = Path(__file__).parents[2]
GUEST: Final = Path(__file__).parent / "guest"

SUITE: Final = "trixie"
ARCHITECTURE: Final = "amd64"

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
    "linux-image-amd64",
)

#: Documentation and translations, which nobody reads there.
LEFT_OUT: Final = ("/usr/share/doc/*", "/usr/share/man/*", "/usr/share/locale/*")

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

#: The image's size in MB; about a third of it is used.
SIZE: Final = 2500

#: MB that must be free to make an image: two archives, an unpacked system, the image.
ROOM: Final = 4000

#: Whom this computer trusts, by which pip inside reaches the index that pip outside does.
AUTHORITIES: Final = Path("/etc/ssl/certs/ca-certificates.crt")

TOOLS: Final = {
    "qemu-system-x86_64": "qemu-system-x86",
    "qemu-img": "qemu-utils",
    "mmdebstrap": "mmdebstrap",
    "mke2fs": "e2fsprogs",
    "git": "git",
}


class MachineError(Exception):
    """Something that a virtual machine needs is missing or has failed; the message says what to do."""


@dataclass(frozen=True)
class Image:
    """A finished image, with the kernel and the initial RAM disk to boot it."""

    disk: Path
    kernel: Path
    initrd: Path


def missing(has: Callable[[str], bool], *, root: bool, free: int, made: bool) -> str | None:
    """Say in one line what keeps an image from being made or booted, or give None.

    Args:
        has: whether this computer has a program.
        root: whether we are root, which only making an image takes.
        free: MB that are free for it.
        made: whether the image is there already.
    """
    packages = [package for tool, package in TOOLS.items() if not has(tool)]
    if packages:
        return f"missing: {', '.join(packages)}; apt-get install {' '.join(packages)}"
    if made:
        return None
    if not root:
        return "making the image takes root (mmdebstrap, chroot): sudo make vm; later runs take none"
    if free < ROOM:
        return f"making the image takes {ROOM} MB in build/vm, {free} MB are free; make room"
    return None


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


def key(parts: Mapping[str, bytes]) -> str:
    """A short name for contents: 16 hexadecimal digits that change with any name or byte."""
    whole = hashlib.sha256()
    for name, content in sorted(parts.items()):
        for part in (name.encode(), content):
            whole.update(len(part).to_bytes(8, "big") + part)
    return whole.hexdigest()[:16]


def system_key() -> str:
    """The name of the bare system."""
    return key({"suite": f"{SUITE} {ARCHITECTURE}".encode(), "packages": repr((PACKAGES, LEFT_OUT)).encode()})


def image_key(project: Path = PROJECT) -> str:
    """The name of the image: the bare system, the program's files as they stand, and what the tests add."""
    files = [*installed_files(project), *(path for path in GUEST.rglob("*") if path.is_file()), Path(__file__)]
    parts = {str(path.relative_to(project)): path.read_bytes() for path in files}
    return key(parts | {"": system_key().encode()})


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


def ensure_image(folder: Path = PROJECT / "build" / "vm") -> Image:
    """The image of the program as it stands, made now if it is not there yet.

    Raises:
        MachineError: something is missing on this computer, or a step of it failed.
    """
    place = folder / image_key()
    folder.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(folder).free // 1_000_000
    lacking = missing(
        lambda tool: shutil.which(tool) is not None, root=os.geteuid() == 0, free=free, made=place.is_dir()
    )
    if lacking is not None:
        raise MachineError(lacking)
    if not place.is_dir():
        archive = folder / f"system-{system_key()}.tar"
        if not archive.exists():
            _step(f"a bare Debian {SUITE}", lambda: _make_system(archive))
        with tempfile.TemporaryDirectory(dir=folder) as scratch:
            made = Path(scratch) / "image"
            made.mkdir()
            _step("make install, and the image", lambda: _make_image(archive, Path(scratch) / "root", made))
            made.rename(place)
    return Image(place / "disk.img", place / "vmlinuz", place / "initrd.img")


def _step(what: str, do: Callable[[], None]) -> None:
    print(f"Making {what} ...", flush=True)
    began = time.monotonic()
    do()
    print(f"  {(time.monotonic() - began) / 60:.1f} minutes", flush=True)


def _run(*command: str | Path, **environment: str) -> None:
    """Run a command quietly.

    Raises:
        MachineError: it failed; with the last lines of what it said.
    """
    done = subprocess.run(
        command,
        env=environment or None,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode:
        said = "\n".join(done.stdout.splitlines()[-15:])
        raise MachineError(f"{command[0]} failed with {done.returncode}:\n{said}")


def _make_system(archive: Path) -> None:
    lists = [Path("/etc/apt/sources.list"), *sorted(Path("/etc/apt/sources.list.d").glob("*"))]
    address = mirror(path.read_text(encoding="utf-8") for path in lists if path.is_file())
    if address is None:
        raise MachineError(
            "no Debian in this computer's apt sources (/etc/apt), from which the system could be made"
        )
    unfinished = archive.with_name("unfinished-system.tar")
    _run(
        "mmdebstrap",
        "--mode=root",
        f"--arch={ARCHITECTURE}",
        "--variant=minbase",
        '--aptopt=Acquire::Languages "none"',
        '--aptopt=APT::Install-Recommends "false"',
        *(f"--dpkgopt=path-exclude={pattern}" for pattern in LEFT_OUT),
        f"--include={','.join(PACKAGES)}",
        SUITE,
        unfinished,
        f"deb {address} {SUITE} main",
    )
    unfinished.rename(archive)


def _make_image(archive: Path, root: Path, made: Path) -> None:
    root.mkdir()
    _run("tar", "--numeric-owner", "-xpf", archive, "-C", root)
    _install(root)
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
    shutil.copyfile((root / "initrd.img").parent / os.readlink(root / "initrd.img"), made / "initrd.img")
    disk = made / "disk.img"
    with disk.open("wb") as file:
        file.truncate(SIZE * 1_000_000)
    _run("mke2fs", "-q", "-t", "ext4", "-L", "root", "-d", root, disk)


def _below(root: Path, path: str | Path) -> Path:
    """A path in the machine, whose folder is there."""
    full = root / path
    full.parent.mkdir(parents=True, exist_ok=True)
    return full


def _install(root: Path) -> None:
    """`make install` in the machine's root, as on a computer whose systemd does not run yet."""
    source = root / "root" / "tamsk-hw"
    for path in installed_files():
        shutil.copy(path, _below(source, path.relative_to(PROJECT)))
    given = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    if AUTHORITIES.is_file():
        given["PIP_CERT"] = "/root/authorities.pem"
    with _borrowed(root), _mounted(root):
        _run(
            "chroot",
            root,
            "make",
            "--no-print-directory",
            "-C",
            "/root/tamsk-hw",
            "install",
            PATH="/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            HOME="/root",
            LC_ALL="C.UTF-8",
            PIP_NO_CACHE_DIR="1",
            **given,
        )
    shutil.rmtree(source)


@contextmanager
def _borrowed(root: Path) -> Iterator[None]:
    """What pip needs to reach its index from inside: names, certificates and settings of this computer."""
    with ExitStack() as stack:
        lent = {Path("/") / name: name for name in ("etc/resolv.conf", "etc/hosts", "etc/pip.conf")}
        for here, name in (lent | {AUTHORITIES: "root/authorities.pem"}).items():
            there = _below(root, name)
            if here.is_file() and not there.exists():
                shutil.copyfile(here, there)
                stack.callback(there.unlink)
        yield


@contextmanager
def _mounted(root: Path) -> Iterator[None]:
    with ExitStack() as stack:
        for kind, place in (("proc", root / "proc"), ("devtmpfs", root / "dev")):
            _run("mount", *(("--bind", "/dev") if kind == "devtmpfs" else ("-t", kind, kind)), place)
            stack.callback(_run, "umount", place)
        yield
