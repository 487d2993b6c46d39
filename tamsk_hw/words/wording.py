"""A finding in words: its subject, its cause, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Wording:
    """``subject``: what was looked at; ``cause``: how it is; ``advice``: what to do, empty when nothing is."""

    subject: str
    cause: str
    advice: str = ""
