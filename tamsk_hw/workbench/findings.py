"""Findings as people read them: a line for each, and how many there are."""

from collections.abc import Sequence
from textwrap import wrap

from rich.console import Console
from rich.text import Text

from tamsk_hw.errors import Finding, Severity, printable

OK, WARNING, PROBLEM = Severity.OK, Severity.WARNING, Severity.PROBLEM

_STYLES = {OK: "green", WARNING: "bold yellow", PROBLEM: "bold red"}

#: Columns of a severity, and of a subject.
_SEVERITY, _SUBJECT = 9, 20


def print_findings(findings: Sequence[Finding], console: Console) -> int:
    """Print findings and how many there are; the program's exit status: 0 without problems, 1 with some."""
    for finding in findings:
        for line in _lines(finding, console.width if console.is_terminal else None):
            console.print(line, soft_wrap=True)
    console.print(Text(summary(findings)), soft_wrap=True)
    return 1 if any(finding.severity is PROBLEM for finding in findings) else 0


def summary(findings: Sequence[Finding]) -> str:
    """The number of problems and warnings, as a sentence."""
    severities = [finding.severity for finding in findings]
    problems, warnings = severities.count(PROBLEM), severities.count(WARNING)
    return f"{_count(problems, 'problem')}, {_count(warnings, 'warning')}.".capitalize()


def _count(number: int, noun: str) -> str:
    return f"{number or 'no'} {noun}{'s' * (number != 1)}"


def plain_line(finding: Finding) -> str:
    """A finding on one line."""
    advice = f" → {finding.advice}" if finding.advice else ""
    subject = finding.subject.ljust(_SUBJECT)
    return printable(f"{finding.severity.value.ljust(_SEVERITY)}{subject}{finding.cause}{advice}")


def _lines(finding: Finding, width: int | None) -> list[Text]:
    """A finding: on one line, or wrapped to a terminal's width."""
    if width is None:
        return [Text(plain_line(finding))]
    head = Text(finding.severity.value.ljust(_SEVERITY), _STYLES[finding.severity])
    head += Text(finding.subject.ljust(_SUBJECT))
    room = max(20, width - _SEVERITY - _SUBJECT)
    rows = wrap(printable(finding.cause), room)
    if finding.advice:
        rows += wrap(f"→ {printable(finding.advice)}", room, subsequent_indent="  ")
    indent = Text(" " * (_SEVERITY + _SUBJECT))
    return [(indent if place else head) + Text(row) for place, row in enumerate(rows)]
