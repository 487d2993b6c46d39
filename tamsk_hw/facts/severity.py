"""The severity of a finding."""

from __future__ import annotations

from enum import Enum


class Severity(Enum):
    """The judgement on what was looked at."""

    OK = "ok"
    WARNING = "warning"
    """Something to look at."""
    PROBLEM = "problem"
    """Something that must be mended."""
