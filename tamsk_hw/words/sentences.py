"""Small things that sentences share."""

from __future__ import annotations

from collections.abc import Iterable


def capital(text: str) -> str:
    """The text with a capital at its beginning, and otherwise unchanged."""
    return text[:1].upper() + text[1:]


def some_of(names: Iterable[str], most: int = 12) -> str:
    """At most ``most`` names one after the other, and the number of the others."""
    names = list(names)
    more = len(names) - most
    return " ".join(names) if more <= 0 else f"{' '.join(names[:most])} and {more} more"
