"""``CONTRIBUTING.md``: the example of a changed rule can still be followed."""

from __future__ import annotations

import json
import re

import yaml

from tamsk_hw.referee.rings import ANNOUNCEMENT_SECONDS
from tests.house import ROOT
from tests.scenarios import test_scenarios

PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
SCENARIOS = ROOT / "tests" / "scenarios"


def last_times(name: str) -> list[float]:
    """The times of the last event and of the last ruling of a scenario."""
    files = (SCENARIOS / f"{name}.{kind}.jsonl" for kind in ("events", "rulings"))
    return [json.loads(file.read_text(encoding="utf-8").splitlines()[-1])["t"] for file in files]


def test_the_clause_stands_as_it_is_quoted() -> None:
    rules = " ".join((ROOT / "tamsk_hw" / "referee" / "RULES.md").read_text(encoding="utf-8").split())
    (quoted,) = re.findall(r'clause R4\.6, has "([^"]+)"', PAGE)
    assert quoted in rules
    assert ANNOUNCEMENT_SECONDS == 5.0


def test_the_scenarios_are_as_they_are_described() -> None:
    assert last_times("R4.6-announced-just-in-time") == [16.9, 16.9]
    assert last_times("R4.6-announced-too-long-ago") == [17, 17]
    assert "| R4.6-announced-just-in-time |" in (SCENARIOS / "INDEX.md").read_text(encoding="utf-8")
    assert "R4.6-announced-seven-seconds-before" not in test_scenarios.NAMES


def test_every_make_target_that_is_named_is_there() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    named = {target for line in re.findall(r"`make ([a-z ]+)", PAGE) for target in line.split()}
    assert named
    for target in named:
        assert re.search(rf"^[\w ]*\b{target}\b[\w ]*:", makefile, re.MULTILINE), target


def test_the_hooks_fetch_nothing() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    assert [repository["repo"] for repository in hooks["repos"]] == ["local"]
    assert {hook["language"] for hook in hooks["repos"][0]["hooks"]} == {"system"}
