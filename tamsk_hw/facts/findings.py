"""Findings: what doctor, self-test and calibration judge of a board and its computer.

Each is a frozen dataclass with its severity, its subject and its facts; `Finding` is the closed table of them.
`tamsk_hw.words.findings` gives each a cause and advice.
"""

from __future__ import annotations

from tamsk_hw.facts.calibration_findings import CalibrationFinding
from tamsk_hw.facts.doctor_findings import DoctorFinding
from tamsk_hw.facts.selftest_findings import SelfTestFinding
from tamsk_hw.facts.tube_findings import TubeFinding

#: Every finding there is.
Finding = DoctorFinding | SelfTestFinding | TubeFinding | CalibrationFinding
