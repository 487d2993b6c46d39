"""The rule book as streams: each must give the rulings that stand with it.

The expected rulings are written by hand from RULES.md and docs/formats.md. They must be as many, in that
order, and each key given must be equal (numbers within 1e-6); a key that is left out is not determined by the
texts, nor is the kind of a ruling whose line does not name it. The problems of a `setup` may come in any order.
A scenario's name begins with the clause that it is about.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import tamsk_hw.referee
from tamsk_hw.referee import Referee
from tests.scenarios.book import BOOK, SCENARIOS, Scenario

RULES = Path(tamsk_hw.referee.__file__).with_name("RULES.md")
TOLERANCE = 1e-6


def _differs(expected: Any, actual: Any) -> bool:
    """True if a value is not the expected one; an object may have more keys than expected."""
    if isinstance(expected, bool) or isinstance(actual, bool):
        return expected is not actual
    if isinstance(expected, (int, float)) and isinstance(actual, (int, float)):
        return abs(expected - actual) > TOLERANCE
    if isinstance(expected, dict) and isinstance(actual, dict):
        return any(key not in actual or _differs(value, actual[key]) for key, value in expected.items())
    if isinstance(expected, list) and isinstance(actual, list):
        return len(expected) != len(actual) or any(map(_differs, expected, actual))
    return bool(expected != actual)


def _in_one_order(ruling: dict[str, Any]) -> dict[str, Any]:
    """The ruling with the problems of a `setup`, whose order is free, sorted by tube."""
    if ruling.get("ruling") != "setup" or "problems" not in ruling:
        return ruling
    return ruling | {"problems": sorted(ruling["problems"], key=lambda mend: str(mend["tube"]))}


def _referee(scenario: Scenario) -> list[dict[str, Any]]:
    """The rulings that the referee gives on a scenario's events."""
    header, events = scenario.read()
    referee = Referee(header)
    return [ruling.as_dict() for event in events for ruling in referee.handle(event)]


def _complaint(expected: list[dict[str, Any]], actual: list[dict[str, Any]]) -> str | None:
    """The difference to the expected rulings, from the first on that differs; None without one."""
    for number, wanted in enumerate(expected):
        given = actual[number] if number < len(actual) else None
        if given is None or _differs(_in_one_order(wanted), _in_one_order(given)):
            following = [json.dumps(ruling) for ruling in actual[number : number + 4]]
            return "\n".join(
                [f"ruling {number + 1} of {len(expected)}:", f"  expected {json.dumps(wanted)}", "  given"]
                + [f"    {line}" for line in following or ["nothing more"]]
            )
    if len(actual) > len(expected):
        more = "\n".join(f"    {json.dumps(ruling)}" for ruling in actual[len(expected) :])
        return f"after the {len(expected)} expected rulings more are given:\n{more}"
    return None


def _clauses() -> list[str]:
    """The clauses of RULES.md in its order; R8, a table of variants, is one clause."""
    clauses = re.findall(r"^- \*\*(R\d+\.\d+)\*\*", RULES.read_text(encoding="utf-8"), re.MULTILINE)
    return [*clauses, "R8"]


CLAUSES = frozenset(_clauses())


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_scenario(scenario: Scenario) -> None:
    expected = [json.loads(line) for line in scenario.given.splitlines()]
    assert any("ruling" in ruling for ruling in expected), "a scenario expects at least one named ruling"
    given = _referee(scenario)
    assert {ruling["rule"] for ruling in given} <= CLAUSES
    complaint = _complaint(expected, given)
    if complaint is not None:
        pytest.fail(f"{scenario.name}: {complaint}", pytrace=False)


def test_every_clause_has_a_scenario() -> None:
    clauses = _clauses()
    assert len(clauses) > 40, "RULES.md was not understood"
    shown = {name.split("-", 1)[0] for name in BOOK}
    assert shown <= CLAUSES, f"scenarios of unknown clauses: {sorted(shown - CLAUSES)}"
    missing = [clause for clause in clauses if clause not in shown]
    assert not missing, f"no scenario shows {', '.join(missing)}"
