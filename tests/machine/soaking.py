"""``make vm-soak``: each fault many times, with another game and another moment each, until there is a table.

A plugin of pytest: every try has a file of its own, and one that is there is not tried again. So it can be stopped
at any time, and goes on where it was.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Generator, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

import pytest

from tests.machine.image import PROJECT

#: The files of the tries, unless --results says otherwise.
RESULTS = PROJECT / "build" / "vm-soak"


@dataclass(frozen=True)
class Try:
    """One try of a fault."""

    fault: str
    seed: int
    passed: bool
    seconds: float | None
    """From the fault until the service had the board or the console answered; None where nothing is timed."""

    why: str = ""
    """The last lines of what pytest said of a failure."""

    @property
    def name(self) -> str:
        return f"{self.fault}-{self.seed}.json"


def table_of(tries: Iterable[Try]) -> str:
    """The tries as a table in Markdown, a line per fault."""
    by_fault: dict[str, list[Try]] = {}
    for each in tries:
        by_fault.setdefault(each.fault, []).append(each)
    lines = ["| fault | tries | failures | seconds: least, median, most |", "|---|---|---|---|"]
    for fault, tried in sorted(by_fault.items()):
        times = [each.seconds for each in tried if each.seconds is not None]
        said = f"{min(times):.1f}, {statistics.median(times):.1f}, {max(times):.1f}" if times else "–"
        lines.append(f"| {fault} | {len(tried)} | {sum(not each.passed for each in tried)} | {said} |")
    return "\n".join(lines)


def tries_in(folder: Path) -> list[Try]:
    """Read the tries that are kept in a folder, a file each."""
    return [Try(**json.loads(path.read_text(encoding="utf-8"))) for path in sorted(folder.glob("*.json"))]


def keep(folder: Path, tried: Try) -> None:
    """Write the file of a try, whole or not at all."""
    folder.mkdir(parents=True, exist_ok=True)
    unfinished = folder / f"{tried.name}.unfinished"
    unfinished.write_text(json.dumps(asdict(tried)), encoding="utf-8")
    unfinished.rename(folder / tried.name)


def fault_of(test: str) -> str:
    """The fault's name in the table, from that of its check."""
    return test.partition("[")[0].removeprefix("test_").replace("_", " ")


# What pytest calls.


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options for the number of tries and for the folder of their files."""
    parser.addoption("--tries", type=int, default=20, help="tries of each fault")
    parser.addoption("--results", type=Path, default=RESULTS, help="folder of the tries' files")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Each fault is tried with the seeds 1, 2, 3 and so on."""
    if "seed" in metafunc.fixturenames:
        metafunc.parametrize("seed", range(1, metafunc.config.getoption("--tries") + 1))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """All faults with the first seed come first, and what has been tried is left out."""
    folder: Path = config.getoption("--results")
    wanted = [
        item
        for item in items
        if isinstance(item, pytest.Function)
        and (seed := _seed(item)) is not None
        and not (folder / Try(fault_of(item.name), seed, True, None).name).exists()
    ]
    wanted.sort(key=lambda item: _seed(item) or 0)
    items[:] = wanted


def _seed(item: pytest.Function) -> int | None:
    seed = item.callspec.params.get("seed") if hasattr(item, "callspec") else None
    return seed if isinstance(seed, int) else None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Keep what came of a try; one that did not reach its fault is made again the next time."""
    report = yield
    seed = _seed(item) if isinstance(item, pytest.Function) else None
    if seed is not None and report.when == "call":
        seconds = dict(report.user_properties).get("seconds")
        why = "\n".join(report.longreprtext.splitlines()[-5:])
        keep(
            item.config.getoption("--results"),
            Try(fault_of(item.name), seed, report.passed, seconds if isinstance(seconds, float) else None, why),
        )
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print the table of all tries that there are."""
    terminalreporter.write_line(table_of(tries_in(config.getoption("--results"))))
