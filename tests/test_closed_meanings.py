"""A meaning that is missing somewhere fails in the type checker.

The test patches a copy of the package: it adds one value to each closed set of meanings, a new ruling and a new
event. Mypy must complain wherever they become lights, sounds, picture, words, score sheet or rulings.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from tests.firmware.built import BuildOnce

PACKAGE = Path(__file__).parents[1] / "tamsk_hw"

#: The rooms that mypy reads.
ROOMS = (
    *("system", "game", "referee", "partner", "board", "panel"),
    *("configuration", "journal", "facts", "words", "svg", "terminal", "simulator", "workbench"),
)

#: For each enum that gets a new value: its module, and the modules that must know the value.
VALUES = {
    "Asks": (
        "panel/diagnosis.py",
        {"panel/lights.py", "svg/signs.py", "terminal/cells.py", "words/board_state.py"},
    ),
    "Holds": ("panel/diagnosis.py", {"panel/lights.py", "svg/signs.py", "terminal/cells.py"}),
    "Stance": ("panel/diagnosis.py", {"panel/lights.py", "svg/cards.py", "words/players.py"}),
    "News": ("panel/diagnosis.py", {"terminal/picture.py", "words/prompts.py", "words/rulings.py"}),
    "Action": (
        "referee/events.py",
        {"referee/arbiter.py", "referee/stream.py", "panel/possible.py", "words/prompts.py"},
    ),
    "Idle": ("panel/prompts.py", {"words/prompts.py"}),
    "ButtonName": ("referee/events.py", {"referee/referee.py"}),
    "Illegality": ("game/position.py", {"referee/hands.py"}),
    "LatePenalty": ("game/ruleset.py", {"referee/turns.py"}),
    "Phase": ("referee/view.py", {"referee/referee.py"}),
    "Start": ("game/ruleset.py", {"game/position.py"}),
    "GlassState": ("referee/view.py", {"panel/diagnosis.py", "svg/hourglass.py", "words/board_state.py"}),
    "Code": ("referee/rulings.py", {"words/rulings.py"}),
    "Caution": ("referee/rulings.py", {"words/rulings.py"}),
    "RingKind": ("referee/rulings.py", {"referee/rings.py", "referee/sheet.py", "words/rulings.py"}),
    "Reason": ("referee/rulings.py", {"words/rulings.py"}),
    "PenaltyKind": ("referee/rulings.py", {"words/rulings.py"}),
    "SensorKind": ("referee/sensor_id.py", {"referee/sensor_id.py", "workbench/glass_calibration/watch.py"}),
    "Lit": ("workbench/walk/prompt.py", {"workbench/walk/lights.py"}),
    "PortState": ("facts/doctor_findings.py", {"words/doctor_findings.py"}),
    "LeftBecause": ("facts/selftest_findings.py", {"words/selftest_findings.py"}),
    "RingFault": ("facts/selftest_findings.py", {"words/selftest_findings.py"}),
    "RingVerdict": ("facts/tube_findings.py", {"words/tube_findings.py"}),
    "HallVerdict": ("facts/tube_findings.py", {"words/tube_findings.py"}),
    "FieldFault": ("facts/calibration_findings.py", {"words/calibration_findings.py"}),
}

#: For each union that gets a new class: its module, its first member, and the modules that must know the class.
CLASSES = {
    "Ruling": ("referee/rulings.py", "Setup", {"panel/sounds.py", "referee/sheet.py", "words/rulings.py"}),
    "Event": ("referee/events.py", "TubeEvent", {"referee/referee.py", "referee/stream.py"}),
    "DoctorFinding": ("facts/doctor_findings.py", "ConfigurationRead", {"words/doctor_findings.py"}),
    "SelfTestFinding": ("facts/selftest_findings.py", "PartUnfinished", {"words/selftest_findings.py"}),
    "TubeFinding": ("facts/tube_findings.py", "FiguresCalculated", {"words/tube_findings.py"}),
    "CalibrationFinding": ("facts/calibration_findings.py", "FieldFinding", {"words/calibration_findings.py"}),
    "FaultDetail": ("board/sensing/sensed.py", "FieldAtRail", {"words/faults.py"}),
    "Fault": ("simulator/faults.py", "RingSensorStuck", {"simulator/faults.py", "simulator/emulated/stimuli.py"}),
    "Prompt": ("panel/prompts.py", "KeyList", {"panel/desk.py", "words/prompts.py"}),
    "Question": ("referee/questions.py", "StillRunning", {"referee/questions.py", "words/rulings.py"}),
}


def add_value(path: Path, enum: str) -> None:
    """Give an enum the value ``BRAND_NEW``."""
    text, times = re.subn(
        rf"^(class {enum}\(Enum\):\n(?:    .*\n|\n(?=    ))*)",
        r"\1    BRAND_NEW = 'brand_new'\n",
        path.read_text(encoding="utf-8"),
        flags=re.MULTILINE,
    )
    assert times == 1, enum
    path.write_text(text, encoding="utf-8")


def add_class(path: Path, union: str, first: str) -> None:
    """Give a union the class ``New`` and its own name, a time, and the union's base if there is one."""
    text = path.read_text(encoding="utf-8")
    base = f"(Base{union})" if f"class Base{union}:" in text else ""
    text, times = re.subn(
        rf"^{union} = (\(?\s*){first}\b",
        f"@dataclass(frozen=True, slots=True)\nclass New{union}{base}:\n    t: float\n\n\n"
        rf"{union} = \1New{union} | {first}",
        text,
        flags=re.MULTILINE,
    )
    assert times == 1, union
    path.write_text(text, encoding="utf-8")


def complaints(folder: Path, cache: Path) -> str:
    """Mypy's words on a patched copy of the package, made in a folder."""
    package = folder / "tamsk_hw"
    package.mkdir()
    for room in ROOMS:
        shutil.copytree(PACKAGE / room, package / room, ignore=shutil.ignore_patterns("__pycache__"))
    for module in ("__init__.py", "errors.py"):
        shutil.copy(PACKAGE / module, package / module)
    for enum, (module, _) in VALUES.items():
        add_value(package / module, enum)
    for union, (module, first, _) in CLASSES.items():
        add_class(package / module, union, first)
    asked = {module for _, modules in VALUES.values() for module in modules}
    asked |= {module for _, _, modules in CLASSES.values() for module in modules}
    told = subprocess.run(
        [
            *(sys.executable, "-m", "mypy", "--strict", "--explicit-package-bases", "--no-error-summary"),
            *("--config-file=", "--follow-imports=silent", f"--cache-dir={cache}"),
            *(f"tamsk_hw/{module}" for module in sorted(asked)),
        ],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert told.returncode == 1, told.stdout + told.stderr
    return told.stdout


@pytest.fixture(scope="session")
def unknown_to(build_once: BuildOnce, pytestconfig: pytest.Config) -> dict[str, set[str]]:
    """For each new value or class the modules in which mypy finds it missing."""
    cache = pytestconfig.cache.mkdir("meanings")
    folder = build_once(
        "meanings",
        lambda folder: (folder / "complaints").write_text(complaints(folder, cache), encoding="utf-8"),
    )
    found: dict[str, set[str]] = defaultdict(set)
    for line in (folder / "complaints").read_text(encoding="utf-8").splitlines():
        missing = re.match(
            r'tamsk_hw/(\S+?):\d+: error: .*"assert_never" has incompatible type "(?:Literal\[)?(\w+)', line
        )
        if missing:
            found[missing[2]].add(missing[1])
    return found


@pytest.mark.parametrize("enum", VALUES)
def test_a_new_value_is_missed_wherever_it_must_be_known(enum: str, unknown_to: dict[str, set[str]]) -> None:
    assert unknown_to[enum] == VALUES[enum][1]


@pytest.mark.parametrize("union", CLASSES)
def test_a_new_class_is_missed_wherever_it_must_be_known(union: str, unknown_to: dict[str, set[str]]) -> None:
    assert unknown_to[f"New{union}"] == CLASSES[union][2]
