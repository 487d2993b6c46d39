"""``tamsk-hw doctor``: how configuration, computer and board are, line by line, with what to do."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from textwrap import wrap

from rich.console import Console
from rich.text import Text

from tamsk_hw.configuration import Places
from tamsk_hw.errors import printable
from tamsk_hw.workbench.doctor.checks import Finding, Verdict, examine
from tamsk_hw.workbench.doctor.gathering import Surroundings, gather, this_place

_STYLES = {Verdict.OK: "green", Verdict.WARNING: "bold yellow", Verdict.PROBLEM: "bold red"}

#: Columns of a verdict, and of a subject.
_VERDICT, _SUBJECT = 9, 20


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
    return 1 if any(finding.verdict is Verdict.PROBLEM for finding in findings) else 0


def summary(findings: Sequence[Finding]) -> str:
    """How many of which."""
    problems = sum(finding.verdict is Verdict.PROBLEM for finding in findings)
    warnings = sum(finding.verdict is Verdict.WARNING for finding in findings)
    return f"{_count(problems, 'problem')}, {_count(warnings, 'warning')}.".capitalize()


def _count(number: int, what: str) -> str:
    return f"{number or 'no'} {what}{'s' * (number != 1)}"


def _lines(finding: Finding, width: int | None) -> list[Text]:
    """A finding: on one line, or wrapped to a terminal's width."""
    verdict = Text(finding.verdict.value.ljust(_VERDICT), _STYLES[finding.verdict])
    words = printable(finding.words)
    advice = f"→ {printable(finding.advice)}" if finding.advice else ""
    subject = Text(finding.subject.ljust(_SUBJECT))
    if width is None:
        return [verdict + subject + Text(f"{words} {advice}".rstrip())]
    room = max(20, width - _VERDICT - _SUBJECT)
    told = [*wrap(words, room), *wrap(advice, room, subsequent_indent="  ")]
    indent = Text(" " * (_VERDICT + _SUBJECT))
    return [(verdict + subject if not place else indent) + Text(line) for place, line in enumerate(told)]
