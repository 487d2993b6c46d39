"""Findings as people read them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tamsk_hw.facts.findings import Finding
from tamsk_hw.facts.severity import Severity
from tamsk_hw.words.findings import finding_words


@dataclass(frozen=True, slots=True)
class Line:
    """A finding in words, with its severity."""

    subject: str
    severity: Severity
    words: str
    advice: str


def line_of(finding: Finding) -> Line:
    words = finding_words(finding)
    return Line(words.subject, finding.severity, words.cause, words.advice)


def lines(findings: Iterable[Finding]) -> list[Line]:
    return [line_of(finding) for finding in findings]


def wrong_among(findings: Iterable[Finding]) -> list[Line]:
    """All that is not in order."""
    return [line for line in lines(findings) if line.severity is not Severity.OK]
