"""Breadth that only ``make soak`` runs: more seeds, more cases, longer runs. See ``tests/README.md``.

The environment variables ``TAMSK_SOAK`` and ``TAMSK_QUICK`` are read here and nowhere else;
``MUTANT_UNDER_TEST`` is set by ``make mutants``.
"""

import os
from collections.abc import Sequence
from typing import TypeVar

SOAK = bool(os.environ.get("TAMSK_SOAK"))
QUICK = bool(os.environ.get("TAMSK_QUICK")) or "MUTANT_UNDER_TEST" in os.environ

T = TypeVar("T")


def in_soak(many: T, otherwise: T) -> T:
    """A number of seeds, runs or examples: ``many`` in ``make soak``, ``otherwise`` in ``make test``.

    ``make check``, for every save, and ``make mutants``, which runs the tests thousands of times, take a tenth.
    """
    if QUICK and isinstance(otherwise, int):
        return max(1, otherwise // 10)  # type: ignore[return-value]
    return many if SOAK else otherwise


def sample(cases: Sequence[T], soak: int, otherwise: int) -> Sequence[T]:
    """Every ``soak``-th of the cases in ``make soak``, every ``otherwise``-th in ``make test``.

    ``make check`` and ``make mutants`` take a tenth of these.
    """
    return cases[:: soak if SOAK else 10 * otherwise if QUICK else otherwise]
