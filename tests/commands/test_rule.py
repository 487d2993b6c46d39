"""`tamsk-hw rule`: clauses, sections, and what is none."""

from __future__ import annotations

from click.testing import CliRunner, Result

from tamsk_hw.commands.main import main
from tamsk_hw.words.rules import rule_book


def rule(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["rule", *arguments], env={"COLUMNS": "80"})


def test_a_clause_is_printed_with_its_number() -> None:
    printed = rule("R3.1")
    assert printed.exit_code == 0
    assert printed.stdout.startswith("R3.1 A tube with as many rings")
    assert "R3.2" not in printed.stdout.split("R3.1", 1)[1].split()


def test_a_section_is_printed_with_its_title_and_all_its_clauses() -> None:
    printed = rule("R3").stdout
    assert printed.startswith("R3 Full tubes\n")
    assert [line.split()[0] for line in printed.splitlines() if line.startswith("R3.")] == ["R3.1", "R3.2"]


def test_the_variants_are_printed_as_a_table_as_wide_as_the_terminal() -> None:
    lines = rule("R8").stdout.splitlines()
    assert any("lose_turn" in line and "F 3.4" in line for line in lines)
    assert max(map(len, lines)) <= 80


def test_without_a_clause_the_sections_are_listed() -> None:
    listed = rule().stdout.splitlines()
    assert listed == [f"{section.number}  {section.title}" for section in rule_book().sections]
    assert [line.split()[0] for line in listed] == [f"R{number}" for number in range(1, 10)]


def test_an_unknown_clause_is_one_line_on_standard_error() -> None:
    refused = rule("R4.66")
    assert refused.exit_code == 2
    assert refused.stdout == ""
    (line,) = refused.stderr.splitlines()
    assert line.startswith('tamsk-hw: the rules have no clause "R4.66"')
    assert "R4.6" in line.replace("R4.66", "")
