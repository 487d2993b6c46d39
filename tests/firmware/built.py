"""Programs for the tests of the firmware are built once in a run, however many processes share the tests.

Its fixtures are for all tests: `tests/conftest.py` registers this module. The end of a run tells what was skipped.
"""

import fcntl
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.firmware.core_program import Core, run_make
from tests.firmware.emulator.emulated import build_emulator
from tests.firmware.toolchain import need


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """One line for each reason, where ``-rs`` has one for each place: without a toolchain hundreds are skipped."""
    reports = terminalreporter.getreports("skipped")
    reasons = Counter(report.longrepr[2] for report in reports if isinstance(report.longrepr, tuple))
    for reason, count in reasons.most_common():
        terminalreporter.write_line(f"{count} {reason[0].lower()}{reason[1:]}")


class BuildOnce:
    """Builds things by name into a folder that several processes share; who asks first builds, the others wait."""

    def __init__(self, shared: Path) -> None:
        self._shared = shared

    def __call__(self, name: str, make: Callable[[Path], object]) -> Path:
        """The folder into which ``make`` built; the test fails where it could not, without another try."""
        folder = self._shared / f"built-{name}"
        done = self._shared / f"built-{name}.done"
        with (self._shared / f"built-{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not done.exists():
                folder.mkdir(exist_ok=True)
                problem = _problem(folder, make)
                done.write_text(problem, encoding="utf-8")
        problem = done.read_text(encoding="utf-8")
        if problem:
            pytest.fail(problem, pytrace=False)
        return folder


def _problem(folder: Path, make: Callable[[Path], object]) -> str:
    """Build; why it cannot be built, empty when it can."""
    try:
        make(folder)
    except subprocess.CalledProcessError as error:
        return f"{error}\n{error.stdout or ''}{error.stderr or ''}"
    except pytest.fail.Exception as error:
        return str(error) or "cannot be built"
    return ""


@pytest.fixture(scope="session")
def build_once(tmp_path_factory: pytest.TempPathFactory) -> BuildOnce:
    own = tmp_path_factory.getbasetemp()
    # With pytest-xdist each process has a folder of its own in that of the run.
    return BuildOnce(own.parent if "PYTEST_XDIST_WORKER" in os.environ else own)


@pytest.fixture(scope="session")
def core(build_once: BuildOnce) -> Core:
    """The firmware's portable core, built for this machine under the sanitisers."""
    need("make", "gcc")
    folder = build_once("core", lambda folder: run_make("host", "HOST_CC=gcc", f"BUILD={folder}"))
    return Core(folder / "core_filter")


@pytest.fixture(scope="session")
def firmware(build_once: BuildOnce) -> Path:
    """The controller's program, an ELF file; beside it its ``tamsk.hex``."""
    need("make", "avr-gcc")
    return build_once("firmware", lambda folder: run_make(f"BUILD={folder}")) / "tamsk.elf"


@pytest.fixture(scope="session")
def seven_firmware(build_once: BuildOnce) -> Path:
    """The same for the board of seven tubes, built from its wiring map."""
    need("make", "avr-gcc")

    def build(folder: Path) -> None:
        run_make("MAP=wiring/seven/board.toml", f"BUILD={folder}", f"PYTHON={sys.executable}")

    return build_once("seven-firmware", build) / "tamsk.elf"


@pytest.fixture(scope="session")
def emulator_binary(build_once: BuildOnce) -> Path:
    """The program that emulates the controller and the parts around it."""
    need("make", "libsimavr")
    return build_once("emulator", build_emulator) / "emulator"
