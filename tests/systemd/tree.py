"""`make install` into a folder of its own, and the service run from there."""

import os
import socket
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import tamsk_hw
from tests.systemd.tools import PROJECT
from tests.systemd.unit_file import read_unit

PROGRAM = "opt/tamsk-hw/venv"
UNIT = "usr/local/lib/systemd/system/tamsk-hw.service"

#: Seconds after which a word that does not come fails the test; on a good day it is there within two.
PATIENCE = 60.0


def make(target: str, **variables: str | Path) -> tuple[int, str]:
    """Run a target of the project's Makefile, offline: its exit status and all that it printed.

    Only the program itself is installed, not the libraries it stands on (see `environment_of`), and it is compiled
    when it runs.
    """
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    environment |= {"PIP_NO_DEPS": "1", "PIP_NO_INDEX": "1", "PIP_NO_COMPILE": "1", "LC_ALL": "C"}
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
    contents: dict[str, str | bytes] = {
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: tamsk-hw\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/entry_points.txt": "[console_scripts]\n"
        + "".join(f"{name} = {where}\n" for name, where in project["project"]["scripts"].items()),
    }
    for package in project["tool"]["setuptools"]["packages"]:
        below = package.replace(".", "/")
        for file in sorted((PROJECT / places.get(package, below)).iterdir()):
            if file.suffix in (".py", ".toml", ".md", ".typed"):
                contents[f"{below}/{file.name}"] = file.read_bytes()
        for pattern in project["tool"]["setuptools"]["package-data"].get(package, ()):
            for file in sorted((PROJECT / below).glob(pattern)):
                contents[str(file.relative_to(PROJECT))] = file.read_bytes()
    contents[f"{info}/RECORD"] = "".join(f"{name},,\n" for name in [*contents, f"{info}/RECORD"])
    wheel = folder / f"tamsk_hw-{version}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, content in contents.items():
            archive.writestr(name, content)
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


class RunningService:
    """A service that runs, the socket that stands for its systemd, and what it prints in ``output``.

    Nothing waits for the clock: each step waits for the datagram that comes next.
    """

    def __init__(self, process: subprocess.Popen[bytes], systemd: socket.socket, output: Path) -> None:
        self.process = process
        self.output = output
        self.heard: list[str] = []
        """Each line of each datagram, in their order."""
        self._systemd = systemd
        systemd.settimeout(PATIENCE)

    @property
    def printed(self) -> str:
        """Output of the program so far."""
        return self.output.read_text(encoding="utf-8")

    def hear(self, until: Callable[[], object]) -> None:
        """Take datagrams until that is so."""
        while not until():
            try:
                self.heard += self._systemd.recv(4096).decode().splitlines()
            except TimeoutError:
                raise AssertionError(f"heard {self.heard[-5:]} and no more; printed: {self.printed}") from None

    def hear_word(self, word: str, times: int = 1) -> None:
        """Take datagrams until this line has come so often from now on."""
        so_far = self.heard.count(word)
        self.hear(lambda: self.heard.count(word) >= so_far + times)

    def end(self) -> int:
        """The exit status; what systemd is told until then is in ``heard``."""
        status = self.process.wait(PATIENCE)
        self._systemd.setblocking(False)
        with suppress(BlockingIOError):
            while True:
                self.heard += self._systemd.recv(4096).decode().splitlines()
        return status


@contextmanager
def running_service(
    tree: Path, folder: Path, configuration: str, *options: str, watchdog: float = 20.0
) -> Iterator[RunningService]:
    """The unit's own ExecStart, run from a tree, with a configuration file of that text.

    ``folder`` is the working folder and holds what belongs to the service; ``options`` are added to the command;
    ``watchdog`` is systemd's patience in seconds. At the end the program is killed if it still runs.
    """
    file, output, address = folder / "config.toml", folder / "output", folder / "notify"
    file.write_text(configuration, encoding="utf-8")
    program, *arguments = read_unit(tree / UNIT)["Service"]["ExecStart"][0].split()
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(address))
        environment = environment_of(
            NOTIFY_SOCKET=str(address),
            WATCHDOG_USEC=str(round(watchdog * 1e6)),
            TAMSK_HW_CONFIG=str(file),
            HOME=str(folder),
        )
        with (
            output.open("w") as printed,
            subprocess.Popen(
                [f"{tree}{program}", *arguments, *options],
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=printed,
                stderr=subprocess.STDOUT,
            ) as process,
        ):
            try:
                yield RunningService(process, systemd, output)
            finally:
                process.kill()
