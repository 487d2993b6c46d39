"""``tamsk-hw doctor``: prints the findings on configuration, computer and board, with what to do."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from textwrap import wrap

from rich.console import Console
from rich.text import Text

from tamsk_hw.configuration import Places
from tamsk_hw.errors import printable
from tamsk_hw.facts.findings import Finding
from tamsk_hw.facts.severity import Severity
from tamsk_hw.words.findings import finding_words
from tamsk_hw.workbench.doctor.checks import examine
from tamsk_hw.workbench.doctor.gathering import Surroundings, gather, this_place

_STYLES = {Severity.OK: "green", Severity.WARNING: "bold yellow", Severity.PROBLEM: "bold red"}

#: Columns of a severity, and of a subject.
_SEVERITY, _SUBJECT = 9, 20


def show_doctor(config: Path | None, here: Surroundings | None = None, console: Console | None = None) -> int:
    """Print all findings; the program's exit status: 0 without problems, 1 with some."""
    findings = examine(gather(config, Places.of(os.environ), here or this_place()))
    return print_findings(findings, console or Console())


def print_findings(findings: Sequence[Finding], console: Console) -> int:
    """Print findings and how many there are; the program's exit status: 0 without problems, 1 with some."""
    for finding in findings:
        for line in _lines(finding, console.width if console.is_terminal else None):
            console.print(line, soft_wrap=True)
    console.print(summary(findings), soft_wrap=True, highlight=False)
    return 1 if any(finding.severity is Severity.PROBLEM for finding in findings) else 0


def summary(findings: Sequence[Finding]) -> str:
    """The number of problems and warnings, as a sentence."""
    problems = sum(finding.severity is Severity.PROBLEM for finding in findings)
    warnings = sum(finding.severity is Severity.WARNING for finding in findings)
    return f"{_count(problems, 'problem')}, {_count(warnings, 'warning')}.".capitalize()


def _count(number: int, what: str) -> str:
    return f"{number or 'no'} {what}{'s' * (number != 1)}"


def plain_line(finding: Finding) -> str:
    """A finding on one line."""
    words = finding_words(finding)
    advice = f" → {words.advice}" if words.advice else ""
    subject = words.subject.ljust(_SUBJECT)
    return printable(f"{finding.severity.value.ljust(_SEVERITY)}{subject}{words.cause}{advice}")


def _lines(finding: Finding, width: int | None) -> list[Text]:
    """A finding: on one line, or wrapped to a terminal's width."""
    if width is None:
        return [Text(plain_line(finding))]
    words = finding_words(finding)
    head = Text(finding.severity.value.ljust(_SEVERITY), _STYLES[finding.severity])
    head += Text(words.subject.ljust(_SUBJECT))
    room = max(20, width - _SEVERITY - _SUBJECT)
    rows = wrap(printable(words.cause), room)
    if words.advice:
        rows += wrap(f"→ {printable(words.advice)}", room, subsequent_indent="  ")
    indent = Text(" " * (_SEVERITY + _SUBJECT))
    return [(indent if place else head) + Text(row) for place, row in enumerate(rows)]
