"""Results of calculations: a check with its limit, and a subject with its checks."""

from __future__ import annotations

from dataclasses import dataclass

from wiring.make.numbers import number


@dataclass(frozen=True, slots=True)
class Check:
    """One calculation held against its limit.

    ``what`` names it; ``formula`` is the calculation with its numbers; ``result`` and ``limit`` carry their units;
    ``value`` is the result as a number in that unit; ``source`` says where limit and figures come from.
    """

    what: str
    formula: str
    result: str
    limit: str
    holds: bool
    source: str
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A part of the circuit with its checks; the subclasses have the figures that their texts name."""

    checks: tuple[Check, ...]


def at_most(what: str, formula: str, result: float, limit: float, unit: str, source: str) -> Check:
    """A check that holds while ``result`` is not above ``limit``, both in ``unit``."""
    return Check(
        what,
        formula,
        f"{number(result)} {unit}",
        f"at most {number(limit)} {unit}",
        result <= limit,
        source,
        result,
    )


def at_least(what: str, formula: str, result: float, limit: float, unit: str, source: str) -> Check:
    """A check that holds while ``result`` is not below ``limit``, both in ``unit``."""
    return Check(
        what,
        formula,
        f"{number(result)} {unit}",
        f"at least {number(limit)} {unit}",
        result >= limit,
        source,
        result,
    )
