"""Findings in words: the one place where subject, cause and advice of a finding are made."""

from __future__ import annotations

from tamsk_hw.facts.doctor_findings import DoctorFinding
from tamsk_hw.facts.findings import Finding
from tamsk_hw.facts.selftest_findings import SelfTestFinding
from tamsk_hw.facts.tube_findings import TubeFinding
from tamsk_hw.words.calibration_findings import calibration_words
from tamsk_hw.words.doctor_findings import doctor_words
from tamsk_hw.words.selftest_findings import selftest_words
from tamsk_hw.words.translating import Wording
from tamsk_hw.words.tube_findings import tube_words


def finding_words(finding: Finding) -> Wording:
    """A finding in words."""
    if isinstance(finding, DoctorFinding):
        return doctor_words(finding)
    if isinstance(finding, SelfTestFinding):
        return selftest_words(finding)
    if isinstance(finding, TubeFinding):
        return tube_words(finding)
    return calibration_words(finding)
