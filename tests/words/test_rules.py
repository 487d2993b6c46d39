"""The rules, taken apart into sections and clauses: nothing lost, and everything that rulings cite is there."""

import ast
from pathlib import Path

import pytest

import tamsk_hw.referee
from tamsk_hw.errors import TamskError, printable
from tamsk_hw.words.rules import Clause, anchor_of, find_rule, rule_book

REFEREE = Path(tamsk_hw.referee.__file__).parent


def cited_by_rulings() -> set[str]:
    """Clauses and sections that stand in the referee's code as values, so that a ruling can name them."""
    found = set()
    for path in REFEREE.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value[:1] == "R":
                rest = node.value[1:].replace(".", "", 1)
                if rest.isdigit():
                    found.add(node.value)
    return found


def test_every_clause_that_a_ruling_can_cite_exists() -> None:
    cited = cited_by_rulings()
    assert {"R2.1", "R4.3", "R8", "R9.7"} <= cited
    for number in cited:
        assert find_rule(number).number == number


def test_no_word_of_the_rules_is_lost() -> None:
    text = (REFEREE / "RULES.md").read_text(encoding="utf-8")
    after_preface = text[text.index("## R1 ") :]
    kept = " ".join(section.markdown for section in rule_book())

    def words(markdown: str) -> list[str]:
        return sorted(word.strip("*") for word in markdown.split() if word.strip("*") not in ("##", "-", ""))

    assert words(kept) == words(after_preface)


def test_anchors_differ() -> None:
    named = [each for section in rule_book() for each in (section, *section.clauses)]
    assert len({anchor_of(each.number) for each in named}) == len(named)


@pytest.mark.parametrize("citation", ["R4.6", "r4.6", " 4.6 ", "r4-6"])
def test_a_clause_is_found_however_it_is_written(citation: str) -> None:
    found = find_rule(citation)
    assert isinstance(found, Clause)
    assert found.number == "R4.6"
    assert found.text.startswith("To whom a ring is credited")
    assert "\n" not in found.text, "its lines are joined"


@pytest.mark.parametrize(
    ("citation", "near"), [("R5.9", "R5.5"), ("R44", "R4.4"), ("R4\n\x1b[2J", "tamsk-hw rule")]
)
def test_an_unknown_clause_is_refused_with_what_is_near(citation: str, near: str) -> None:
    with pytest.raises(TamskError) as refused:
        find_rule(citation)
    assert f'"{printable(citation)}"' in refused.value.cause
    assert str(refused.value).isprintable()
    assert near in (refused.value.advice or "")
