"""Settings of all tests: property tests draw the same examples every time, and new ones in ``make soak``.

Cases that are marked ``soak`` are left out of ``make test``. What is built of the firmware is there for all tests,
and so are the compiled catalogues. Programs that tests start speak English, whatever is spoken around them, to a
terminal that can do everything.
"""

import gc
import itertools
import os
import shutil
import signal
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, settings

from tests.catalogues import compile_changed
from tests.soak import SOAK

pytest_plugins = ["tests.firmware.built"]

os.environ["LC_ALL"] = "C.UTF-8"
os.environ["TERM"] = "xterm-256color"
for _name in ("COLUMNS", "FORCE_COLOR", "LINES", "NO_COLOR"):
    os.environ.pop(_name, None)

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.register_profile("mutants", derandomize=True, deadline=None, phases=(Phase.explicit, Phase.generate))
settings.register_profile("soak", derandomize=False, deadline=None)
settings.load_profile("soak" if SOAK else "repeatable")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "soak(but=[ids]): only `make soak` runs this test; `make test` runs those of its cases that are in `but`",
    )
    config.addinivalue_line("markers", "slow: `make check` leaves this test out")
    if not hasattr(config, "workerinput"):  # once, before other processes begin
        compile_changed()


#: What `make test` leaves out and `make long` runs: whole games, programs, pages, drawings in every variant.
LONG = tuple(Path(__file__).with_name("long.txt").read_text().split())


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out what is long, unless it is asked for, or everything is."""
    is_asked_for = SOAK or config.args != config.getini("testpaths")
    return True if not is_asked_for and collection_path.relative_to(config.rootpath).as_posix() in LONG else None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for no garbage among the ten thousand tests while they are collected, and never again: they stay."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what only ``make soak`` runs. Refuse a mark that keeps a case which does not exist."""
    chosen: list[pytest.Item] = []
    left_out: list[pytest.Item] = []
    cases: dict[tuple[str, frozenset[str]], set[str]] = defaultdict(set)
    for item in items:
        mark = item.get_closest_marker("soak")
        if mark is None:
            chosen.append(item)
            continue
        kept = frozenset(mark.kwargs.get("but", ()))
        case = item.callspec.id if hasattr(item, "callspec") else ""
        cases[item.nodeid.partition("[")[0], kept].add(case)
        (chosen if SOAK or case in kept else left_out).append(item)
    if not any("::" in argument for argument in config.args):
        for (test, kept), there in cases.items():
            if unknown := kept - there:
                raise pytest.UsageError(f"{test}: no cases {sorted(unknown)}; there are {sorted(there)}")
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = chosen


_numbers = itertools.count()


@pytest.fixture(autouse=True)
def runtime_folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A runtime folder for each test, where its services publish their streams; made by who needs it. Its path is
    short, as those of sockets must be. Configuration and journal of whoever runs the tests are out of their reach.
    """
    folder = Path(tempfile.gettempdir()) / f"tamsk-{os.getpid()}-{next(_numbers)}"
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(folder / "data"))
    monkeypatch.delenv("RUNTIME_DIRECTORY", raising=False)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def processes(runtime_folder: Path) -> Iterator[list[subprocess.Popen[Any]]]:
    """The programs that a test has started: it adds them, and they end with it, the last one first."""
    started: list[subprocess.Popen[Any]] = []
    yield started
    stayed = []
    for process in reversed(started):
        with process:
            process.terminate()
            try:
                process.wait(60.0)
            except subprocess.TimeoutExpired:
                process.kill()
                stayed.append(process.args)
    assert not stayed, "told to end, and stayed"


# Programs that tests start and end must hear signals, though the tests themselves were started with nohup or in a
# shell's background, which have their programs ignore some; a program keeps what it finds.
for _number, _usual in (
    (signal.SIGINT, signal.default_int_handler),
    (signal.SIGHUP, signal.SIG_DFL),
    (signal.SIGTERM, signal.SIG_DFL),
):
    if signal.getsignal(_number) is signal.SIG_IGN:
        signal.signal(_number, _usual)
