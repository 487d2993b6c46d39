"""Breadth that only ``make soak`` runs: more seeds, more cases, longer runs. See ``tests/README.md``.

The environment variable ``TAMSK_SOAK`` is read here and nowhere else.
"""

from __future__ import annotations

import os
from typing import TypeVar

SOAK = bool(os.environ.get("TAMSK_SOAK"))

T = TypeVar("T")


def in_soak(many: T, otherwise: T) -> T:
    """A number of seeds, runs or examples: ``many`` in ``make soak``, ``otherwise`` in ``make test``."""
    return many if SOAK else otherwise
