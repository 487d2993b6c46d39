"""Numbers as they are written in texts and drawings."""

from __future__ import annotations


def number(value: float) -> str:
    """A number with three digits that count, without a power of ten (0.00123, 1.23, 123, 12300)."""
    if value == 0:
        return "0"
    text = f"{value:.3g}"
    if "e" in text:
        text = f"{float(text):.0f}" if abs(value) >= 1 else f"{float(text):.10f}".rstrip("0")
    return text


def places(value: float) -> str:
    """A length with at most three decimals, without zeros at its end."""
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
