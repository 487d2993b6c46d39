"""The initial RAM disk: loads what a virtio disk with ext4 needs, and goes on to the real root.

Debian's own would be thirty times as large, and takes ten minutes where qemu-user has to run its scripts.
"""

import lzma
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Final

from tests.machine.running import MachineError

#: The modules that are asked for, with all that they need; ext4 asks for its sums only when it mounts.
MODULES: Final = ("virtio_pci", "virtio_blk", "crc32c_generic", "ext4")

#: The root is mounted for reading, as without an initial RAM disk; systemd mounts it for writing.
INIT: Final = """\
#!/bin/sh
mount -t devtmpfs dev /dev
mount -t proc proc /proc
while read -r module; do insmod "/modules/$module"; done </modules/order
for word in $(cat /proc/cmdline); do
	case $word in root=*) root=${word#root=} ;; esac
done
tries=0
while [ ! -b "$root" ] && [ $tries -lt 300 ]; do sleep 0.1; tries=$((tries + 1)); done
mount -t ext4 -o ro "$root" /new
umount /proc
mount --move /dev /new/dev
exec switch_root /new /sbin/init
"""


def in_order(dependencies: str, builtin: str, wanted: tuple[str, ...]) -> list[str]:
    """The files of modules in the order in which they can be loaded, without those that the kernel has in itself.

    Args:
        dependencies: the text of ``modules.dep``, which names the nearest need last.
        builtin: the text of ``modules.builtin``.
        wanted: names of modules.

    Raises:
        MachineError: there is no such module.
    """
    needs = {
        _name(file): (file, [_name(need) for need in others.split()])
        for file, others in (line.split(":") for line in dependencies.splitlines())
    }
    within = {_name(file) for file in builtin.split()}
    order: list[str] = []
    for name in wanted:
        if name in within:
            continue
        if name not in needs:
            raise MachineError(f"the kernel has no module {name}")
        file, others = needs[name]
        order += [needs[other][0] for other in reversed(others)] + [file]
    return list(dict.fromkeys(order))


def _name(file: str) -> str:
    return Path(file).name.partition(".")[0].replace("-", "_")


def modules_of(root: Path) -> Path:
    """The folder of a root's kernel modules, whose name is the kernel's version.

    Raises:
        MachineError: the root has not exactly one kernel.
    """
    kernels = list((root / "usr/lib/modules").iterdir())
    if len(kernels) != 1:
        raise MachineError(f"one kernel is needed in the root, not {len(kernels)}")
    return kernels[0]


def make_initrd(root: Path, initrd: Path) -> None:
    """Make the disk from the kernel's modules and the busybox in a root.

    Raises:
        MachineError: the root has not exactly one kernel, or lacks a module.
    """
    modules = modules_of(root)
    files = in_order(
        (modules / "modules.dep").read_text(encoding="utf-8"),
        (modules / "modules.builtin").read_text(encoding="utf-8"),
        MODULES,
    )
    with tempfile.TemporaryDirectory() as scratch:
        tree = Path(scratch)
        for name in ("bin", "dev", "proc", "new", "modules"):
            (tree / name).mkdir()
        shutil.copy(root / "bin/busybox", tree / "bin/busybox")
        for applet in ("sh", "mount", "umount", "insmod", "cat", "sleep", "switch_root"):
            (tree / "bin" / applet).symlink_to("busybox")
        for file in files:  # busybox reads no packed modules
            unpacked = lzma.decompress((modules / file).read_bytes())
            (tree / "modules" / Path(file).name.removesuffix(".xz")).write_bytes(unpacked)
        names = "".join(f"{Path(file).name.removesuffix('.xz')}\n" for file in files)
        (tree / "modules/order").write_text(names, encoding="utf-8")
        (tree / "init").write_text(INIT, encoding="utf-8")
        (tree / "init").chmod(0o755)
        listed = "".join(f"{path.relative_to(tree)}\n" for path in sorted(tree.rglob("*")))
        with initrd.open("wb") as out:
            subprocess.run(
                ["cpio", "--create", "--format=newc", "--owner=0:0", "--quiet"],
                cwd=tree,
                input=listed.encode(),
                stdout=out,
                check=True,
            )
