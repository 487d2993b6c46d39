"""The severity of a finding."""

from tamsk_hw.errors import Severity

__all__ = ["Severity"]
