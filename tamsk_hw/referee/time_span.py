"""A length of time known within bounds, rounded outward in one unit: never more certain than what is known.

It is recorded as text, such as ``60 to 75 seconds``. `span_text` is that text and `read_span` its
reverse; nothing else depends on it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from math import ceil, floor


class TimeUnit(Enum):
    """A unit of time by its seconds, the longest first."""

    DAY = 86400
    HOUR = 3600
    MINUTE = 60
    SECOND = 1


#: A unit is used for spans of at least two of it.
_LEAST_UNITS = 2


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """``least`` to ``most`` units of time."""

    least: int
    most: int
    unit: TimeUnit

    @classmethod
    def of(cls, least: float, most: float) -> TimeSpan:
        """The span from ``least`` to ``most`` seconds."""
        unit = next((unit for unit in TimeUnit if most >= _LEAST_UNITS * unit.value), TimeUnit.SECOND)
        return cls(floor(least / unit.value), max(1, ceil(most / unit.value)), unit)


def span_text(span: TimeSpan) -> str:
    """The text of a span in a ruling's JSON object."""
    unit = span.unit.name.lower() + ("" if span.most == 1 else "s")
    if span.least == span.most:
        return f"{span.most} {unit}"
    return f"up to {span.most} {unit}" if span.least == 0 else f"{span.least} to {span.most} {unit}"


_SPAN = re.compile(r"(?:(?P<up>up) to |(?P<least>\d+) to )?(?P<most>\d+) (?P<unit>[a-z]+?)s?")


def read_span(text: str) -> TimeSpan | None:
    """The span that was recorded as ``text``; None when it is none."""
    found = _SPAN.fullmatch(text)
    unit = None if found is None else TimeUnit.__members__.get(found["unit"].upper())
    if found is None or unit is None:
        return None
    most = int(found["most"])
    least = 0 if found["up"] else int(found["least"] or most)
    return TimeSpan(least, most, unit)
