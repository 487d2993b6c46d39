"""`make install` into a folder of its own, and the service run from there."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import tamsk_hw
from tests.systemd.tools import PROJECT
from tests.systemd.unit_file import read_unit

UNIT = "usr/local/lib/systemd/system/tamsk-hw.service"


def make(target: str, **variables: str | Path) -> tuple[int, str]:
    """Run a target of the project's Makefile, offline: its exit status and all that it printed.

    Only the program itself is installed, not the libraries it stands on (see `environment_of`).
    """
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    environment |= {"PIP_NO_DEPS": "1", "PIP_NO_INDEX": "1", "LC_ALL": "C"}
    given = [f"{name}={value}" for name, value in {"PYTHON": sys.executable, **variables}.items()]
    done = subprocess.run(
        ["make", "--no-print-directory", "-C", PROJECT, target, *given],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


def make_wheel(folder: Path) -> Path:
    """A wheel of the program as it stands here, without the tools that otherwise build one."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())
    version = tamsk_hw.__version__
    info = f"tamsk_hw-{version}.dist-info"
    places = project["tool"]["setuptools"]["package-dir"]
    contents = {
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: tamsk-hw\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/entry_points.txt": "[console_scripts]\n"
        + "".join(f"{name} = {where}\n" for name, where in project["project"]["scripts"].items()),
    }
    for package in project["tool"]["setuptools"]["packages"]:
        below = package.replace(".", "/")
        for file in sorted((PROJECT / places.get(package, below)).iterdir()):
            if file.suffix in (".py", ".toml", ".md", ".typed"):
                contents[f"{below}/{file.name}"] = file.read_text(encoding="utf-8")
    contents[f"{info}/RECORD"] = "".join(f"{name},,\n" for name in [*contents, f"{info}/RECORD"])
    wheel = folder / f"tamsk_hw-{version}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, text in contents.items():
            archive.writestr(name, text)
    return wheel


def environment_of(**variables: str) -> dict[str, str]:
    """The environment of a program installed by `make`: the libraries it stands on are those of the tests."""
    return {"PATH": os.defpath, "PYTHONPATH": sysconfig.get_path("purelib"), **variables}


def files_of(tree: Path) -> set[str]:
    """All files and links below a folder but those of the virtual environment, which is one of them."""
    found = set()
    for folder, folders, files in os.walk(tree):
        here = Path(folder).relative_to(tree)
        if "pyvenv.cfg" in files:
            found.add(str(here))
            folders.clear()
            continue
        found |= {str(here / name) for name in files}
    return found


@contextmanager
def running_service(
    tree: Path, folder: Path, variables: Mapping[str, str], *, watchdog: float = 20.0
) -> Iterator[tuple[subprocess.Popen[bytes], socket.socket]]:
    """The unit's own ExecStart, run from a tree: the process, and the socket that stands for systemd.

    ``folder`` is the working folder and holds the socket, and what the program prints as ``output``; ``watchdog``
    is systemd's patience in seconds. The process gets ``variables`` as well, as TAMSK_HW_CONFIG. At the end it is
    killed if it still runs.
    """
    program, *arguments = read_unit(tree / UNIT)["Service"]["ExecStart"][0].split()
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(folder / "notify"))
        environment = environment_of(
            NOTIFY_SOCKET=str(folder / "notify"),
            WATCHDOG_USEC=str(round(watchdog * 1e6)),
            HOME=str(folder),
            **variables,
        )
        with (
            (folder / "output").open("w") as output,
            subprocess.Popen(
                [f"{tree}{program}", *arguments],
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            ) as process,
        ):
            try:
                yield process, systemd
            finally:
                process.kill()
