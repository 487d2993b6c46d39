"""Fingers before ring sensors, while a glass is placed or taken."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fingers:
    """At a glass that comes or goes, fingers brush the tube's ring sensors with probability ``share``.

    On the place where the next ring would lie they stay for ``least`` to ``most`` seconds. By default that is
    sooner than a ring would be accepted; people's fingers stay for 0.02 to 0.5 s.
    """

    share: float = 0.3
    least: float = 0.01
    most: float = 0.045
