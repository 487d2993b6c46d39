"""What a calculation says: a check with its limit, and a subject with its checks."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Check:
    """One calculation held against its limit.

    ``what`` is checked; ``formula`` says how, with the numbers filled in; ``result`` and ``limit`` carry their
    units; ``source`` says where limit and figures come from.
    """

    what: str
    formula: str
    result: str
    limit: str
    holds: bool
    source: str


@dataclass(frozen=True, slots=True)
class Subject:
    """A part of the circuit: its ``values`` (part, value, why), what a builder should know, and its checks."""

    title: str
    values: tuple[tuple[str, str, str], ...]
    text: str
    checks: tuple[Check, ...]


def number(value: float) -> str:
    """A number with three digits that count, without a power of ten (0.00123, 1.23, 123, 12300)."""
    if value == 0:
        return "0"
    text = f"{value:.3g}"
    if "e" in text:
        text = f"{float(text):.0f}" if abs(value) >= 1 else f"{float(text):.10f}".rstrip("0")
    return text


def at_most(what: str, formula: str, result: float, limit: float, unit: str, source: str) -> Check:
    """A check that holds while ``result`` is not above ``limit``, both in ``unit``."""
    return Check(
        what, formula, f"{number(result)} {unit}", f"at most {number(limit)} {unit}", result <= limit, source
    )


def at_least(what: str, formula: str, result: float, limit: float, unit: str, source: str) -> Check:
    """A check that holds while ``result`` is not below ``limit``, both in ``unit``."""
    return Check(
        what, formula, f"{number(result)} {unit}", f"at least {number(limit)} {unit}", result >= limit, source
    )
