"""``make mutants``: changes game, referee and sensing, one line at a time, and looks whether a test fails.

mutmut writes the changed functions below ``mutants/``; its ``show`` and ``browse`` find the verdicts there. mypy
refuses many of them at once. The others are tried here and not by mutmut itself, which starts pytest anew for each
and takes ten times as long: one pytest collects the tests, then a copy of its process (fork) tries each mutant,
beginning with the tests that noticed a mutant of the same function before.

Verdicts are kept. A mutant that no test noticed, and one whose function was edited, is tried again.
"""

import argparse
import gc
import json
import os
import resource
import signal
import subprocess
import sys
import time
import traceback
from collections import Counter, defaultdict
from collections.abc import Iterable
from fnmatch import fnmatch
from pathlib import Path
from random import Random
from types import FunctionType
from typing import Any

import pytest
from mutmut.__main__ import copy_also_copy_files, copy_src_dir, create_mutants, walk_mutatable_files
from mutmut.configuration import config
from mutmut.mutation.data import MutantLineSpans, SourceFileMutationData
from mutmut.state import state
from mutmut.stats import status_by_exit_code
from mutmut.utils.format_utils import get_mutant_name, mangled_name_from_mutant_name

ACTIVE = "MUTANT_UNDER_TEST"  # read by what mutmut writes into the changed code
FOLDER = Path("mutants")
TASK, VERDICTS = "task.json", "verdicts.jsonl"
SURVIVED, KILLED, NO_TESTS, SUSPICIOUS, TIMEOUT, TYPES = 0, 1, 33, 35, 36, 37  # mutmut's numbers

#: The quick tests that must notice the mutants whose names begin so; the first that fits.
SCENARIOS = "tests/scenarios/test_scenarios.py"
TESTS = {
    "tamsk_hw.game.notation": ["tests/game/test_notation.py", "tests/words/test_score_sheet.py"],
    "tamsk_hw.game": ["tests/game", "tests/referee", SCENARIOS],
    "tamsk_hw.referee.sheet": ["tests/referee/test_sheet.py", "tests/words/test_score_sheet.py"],
    "tamsk_hw.referee": ["tests/referee", "tests/scenarios"],
    "tamsk_hw.board.sensing": ["tests/board/test_sensing*"],
}

#: A test under a mutant may take so many seconds of the processor, and so many times its own.
LEAST_SECONDS, TIMES_LONGER = 2.0, 10.0
MOST_SECONDS = 300
MEMORY_BYTES = 2 << 30  # for a mutant that never stops collecting


# In mutants/, as a plugin of pytest

failed: list[str] = []


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note a failure of the test, of its setting up or of its clearing away."""
    if report.failed:
        failed.append(report.nodeid)


def _run(items: list[pytest.Item], seconds: dict[str, float]) -> str | None:
    """The first of the tests that fails; None if all pass."""
    for item, following in zip(items, [*items[1:], None], strict=False):
        signal.setitimer(signal.ITIMER_PROF, LEAST_SECONDS + TIMES_LONGER * seconds[item.nodeid])
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if failed:
            return failed[0]
    return None


class Reach:
    """Which tests run which functions, and how long each takes."""

    def __init__(self, items: list[pytest.Item]) -> None:
        self.seconds: dict[str, float] = {}
        self.tests: dict[str, set[str]] = defaultdict(set)
        receiving, sending = os.pipe()
        if (child := os.fork()) == 0:
            with os.fdopen(sending, "w") as answer:
                for item, following in zip(items, [*items[1:], None], strict=False):
                    state()._stats.clear()
                    before = time.process_time()
                    item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                    if failed:
                        print(json.dumps({"failed": failed[0]}), file=answer, flush=True)
                        os._exit(1)
                    took = time.process_time() - before
                    print(json.dumps([item.nodeid, took, sorted(state()._stats)]), file=answer, flush=True)
            os._exit(0)
        os.close(sending)
        with os.fdopen(receiving) as answer:
            for line in map(json.loads, answer):
                if isinstance(line, dict):
                    pytest.exit(f"{line['failed']} fails although nothing is changed", returncode=1)
                test, self.seconds[test], functions = line
                for function in functions:
                    self.tests[function].add(test)
        os.waitpid(child, 0)


class Switches:
    """The places where mutmut put its switch between a function and its mutants.

    A switch makes a call ten times as slow. So each is replaced by the function itself; only the one of the mutant
    that is tried comes back. (Those that nothing but a table holds stay, and work.)
    """

    def __init__(self) -> None:
        self.places: dict[str, list[tuple[Any, str, Any]]] = defaultdict(list)
        modules = [module for name, module in sys.modules.items() if name.startswith("tamsk_hw")]
        classes = {item for module in modules for item in vars(module).values() if isinstance(item, type)}
        for owner in [*modules, *(found for found in classes if found.__module__.startswith("tamsk_hw"))]:
            for name, held in list(vars(owner).items()):
                if isinstance(held, FunctionType) and held.__code__.co_name == "_trampoline_wrapper":
                    self.places[f"{held.__module__}.{held.__qualname__}"].append((owner, name, held))
                    setattr(owner, name, held.__wrapped__)

    def back(self, mutant: str) -> None:
        """Put the switches of a mutant's function back."""
        module, _, mangled = mangled_name_from_mutant_name(mutant).rpartition(".")
        function = mangled.removeprefix("x_").removeprefix("xǁ").replace("ǁ", ".")
        for owner, name, switch in self.places[f"{module}.{function}"]:
            setattr(owner, name, switch)


class Trial:
    """All mutants, some at a time, each in a process of its own."""

    def __init__(self, session: pytest.Session) -> None:
        self.items = {item.nodeid: item for item in session.items}
        self.arguments = session.config.args + config().pytest_add_cli_args
        self.at_import = set(state()._stats)
        self.reach = Reach(session.items)
        self.switches = Switches()
        self.noticed: dict[str, Counter[str]] = defaultdict(Counter)
        self.running: dict[int, tuple[str, int]] = {}
        os.environ[ACTIVE] = ""
        gc.freeze()

    def _ordered(self, mutant: str) -> list[pytest.Item]:
        """The tests that may notice a mutant, the likeliest first, then the quickest."""
        function = mangled_name_from_mutant_name(mutant)
        same, near = self.noticed[function], self.noticed[function.rpartition(".")[0]]
        tests = sorted(
            self.reach.tests[function], key=lambda test: (-same[test], -near[test], self.reach.seconds[test], test)
        )
        return [self.items[test] for test in tests]

    def start(self, mutant: str) -> int | None:
        """Try a mutant; or the verdict if no test runs its function."""
        items = self._ordered(mutant)
        fresh = mangled_name_from_mutant_name(mutant) in self.at_import
        if not items and not fresh:
            return NO_TESTS
        receiving, sending = os.pipe()
        child = os.fork()
        if child == 0:
            verdict = SUSPICIOUS
            try:
                noticed = self._noticed(mutant, items, fresh)
                os.write(sending, (noticed or "").encode())
                verdict = KILLED if noticed else SURVIVED
            except Exception:
                traceback.print_exc()
            finally:
                os._exit(verdict)
        os.close(sending)
        self.running[child] = mutant, receiving
        return None

    def _noticed(self, mutant: str, items: list[pytest.Item], fresh: bool) -> str | None:
        """In a process of its own: the test that notices the mutant."""
        os.environ[ACTIVE] = mutant
        self.switches.back(mutant)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
        resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))
        noticed = _run(items, self.reach.seconds)
        if fresh and not noticed:  # what runs while tests are imported is seen when they are imported again
            again = subprocess.run([sys.executable, "-m", "pytest", "-x", *self.arguments], capture_output=True)
            noticed = "at import" if again.returncode else None
        return noticed

    def wait(self) -> tuple[str, int, str]:
        """The next mutant that is done, its verdict and the test that noticed it."""
        child, status = os.wait()
        mutant, receiving = self.running.pop(child)
        with os.fdopen(receiving) as answer:
            by = answer.read()
        verdict = os.waitstatus_to_exitcode(status)
        if verdict == -signal.SIGPROF:
            verdict = TIMEOUT
        if by:
            function = mangled_name_from_mutant_name(mutant)
            self.noticed[function][by] += 1
            self.noticed[function.rpartition(".")[0]][by] += 1
        return mutant, verdict, by


def pytest_runtestloop(session: pytest.Session) -> bool:
    """Instead of the tests, try the mutants of the task."""
    if session.testsfailed:
        raise session.Interrupted("the tests cannot be imported")
    task = json.loads(Path(TASK).read_text())
    session.config.pluginmanager.unregister(name="terminalreporter")
    sys.stderr.write(f"{len(session.items)} tests are run once without a mutant ...\n")
    trial = Trial(session)
    with Path(VERDICTS).open("w") as verdicts:

        def tell(mutant: str, verdict: int, by: str = "") -> None:
            print(json.dumps([mutant, verdict, by]), file=verdicts, flush=True)

        for number, mutant in enumerate(task["mutants"], 1):
            sys.stderr.write(f"\r{number} of {len(task['mutants'])}: {mutant}\033[K")
            while len(trial.running) >= task["jobs"]:
                tell(*trial.wait())
            if (verdict := trial.start(mutant)) is not None:
                tell(mutant, verdict)
        while trial.running:
            tell(*trial.wait())
    return True


# In the project's folder


def generate(jobs: int) -> None:
    """Write the mutants of what was edited since the last time."""
    os.environ[ACTIVE] = "mutant_generation"
    FOLDER.mkdir(exist_ok=True)
    copy_src_dir()
    copy_also_copy_files()
    create_mutants(jobs)


def refused_by_types() -> set[str]:
    """Names of the mutants that mypy refuses.

    All mutants of a function stand side by side in one file; what mypy says of this itself does not count.
    """
    command = [sys.executable, "-m", "mypy", "--output", "json", "-p", "tamsk_hw"]
    command += ["--no-warn-unused-ignores", "--disable-error-code", "no-redef"]
    told = subprocess.run(command, cwd=FOLDER, stdout=subprocess.PIPE, text=True, check=False).stdout
    lines: dict[str, list[int]] = defaultdict(list)
    for error in map(json.loads, filter(None, told.splitlines())):
        if error["severity"] == "error":
            lines[error["file"]].append(error["line"])
    refused = set()
    for path, numbers in lines.items():
        index = MutantLineSpans.load(path)
        assert index is not None, path
        for name, span in index.span_by_function_name.items():
            if any(span.start <= number <= span.end for number in numbers):
                assert not name.endswith("_orig"), f"mypy refuses {path} although nothing is changed"
                refused.add(get_mutant_name(Path(path), name))
    return refused


def data() -> list[SourceFileMutationData]:
    """The mutants and their verdicts, by file."""
    files = [SourceFileMutationData(path=path) for path in sorted(walk_mutatable_files())]
    for file in files:
        file.load()
    return files


def keep(verdicts: Iterable[tuple[str, int]]) -> None:
    """Save verdicts where mutmut looks for them."""
    found = dict(verdicts)
    for file in data():
        if new := {name: found[name] for name in file.exit_code_by_key if name in found}:
            file.exit_code_by_key.update(new)
            file.save()


def report(wanted: set[str]) -> None:
    """Print the numbers by file and the mutants that nothing noticed."""
    total: Counter[str] = Counter()
    unnoticed = []
    for file in data():
        here = Counter(status_by_exit_code[code] for name, code in file.exit_code_by_key.items() if name in wanted)
        total += here
        if here:
            print(f"{file.path}:", ", ".join(f"{number} {status}" for status, number in sorted(here.items())))
        unnoticed += [
            f"{name}: {status_by_exit_code[code]}"
            for name, code in file.exit_code_by_key.items()
            if name in wanted and code not in (KILLED, TYPES, TIMEOUT)
        ]
    print(*unnoticed, sep="\n")
    noticed = sum(total[status_by_exit_code[code]] for code in (KILLED, TYPES, TIMEOUT))
    print(f"{noticed} of {total.total()} noticed ({noticed / total.total():.1%}):", dict(total))


def try_in(mutants: list[str], tests: list[str], jobs: int) -> None:
    """Try the mutants of a room on its tests."""
    (FOLDER / TASK).write_text(json.dumps({"mutants": mutants, "jobs": jobs}))
    (FOLDER / VERDICTS).unlink(missing_ok=True)
    command = [sys.executable, "-m", "pytest", "-p", "tests.mutants", "-p", "no:cacheprovider", "-s"]
    for pattern in tests:
        command += sorted(map(str, Path().glob(pattern))) if "*" in pattern else [pattern]
    command += config().pytest_add_cli_args
    try:
        subprocess.run(command, cwd=FOLDER, env=os.environ | {ACTIVE: "stats"}, check=True)
    finally:
        lines = (FOLDER / VERDICTS).read_text().splitlines() if (FOLDER / VERDICTS).exists() else []
        keep((mutant, verdict) for mutant, verdict, _ in map(json.loads, lines))


def main() -> None:
    """Read the command line, write the mutants, try them, report."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("only", nargs="*", default=["*"], help="names of mutants, as 'tamsk_hw.game.sand*'")
    arguments.add_argument("--jobs", type=int, default=os.cpu_count(), help="so many at a time")
    arguments.add_argument("--sample", type=int, help="so many of them, drawn at random, in that order")
    arguments.add_argument("--seed", type=int, default=1, help="of the sample")
    arguments.add_argument("--tests", nargs="+", help="instead of all tests that concern a mutant")
    options = arguments.parse_args()

    generate(options.jobs)
    refused = refused_by_types()
    found = {name: code for file in data() for name, code in file.exit_code_by_key.items()}
    wanted = [name for name in found if any(fnmatch(name, pattern) for pattern in options.only)]
    if options.sample is not None:
        wanted = Random(options.seed).sample(wanted, min(options.sample, len(wanted)))
    keep((name, TYPES) for name in wanted if name in refused)
    todo = [name for name in wanted if name not in refused and found[name] not in (KILLED, TIMEOUT)]
    print(
        f"{len(wanted)} mutants; mypy refuses {len(refused.intersection(wanted))}; {len(todo)} to try", flush=True
    )
    todo.sort(key=lambda name: found[name] is not None)  # those not tried yet first
    for beginning, tests in {"": options.tests}.items() if options.tests else TESTS.items():
        if here := [name for name in todo if name.startswith(beginning)]:
            todo = [name for name in todo if name not in here]
            try_in(here, tests, options.jobs)
    report(set(wanted))


if __name__ == "__main__":
    main()
