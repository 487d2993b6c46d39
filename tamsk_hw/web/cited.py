"""Sentences with their time and the clause on which they rest, as pages list them."""

from __future__ import annotations

from dataclasses import dataclass

from tamsk_hw.referee.events import Arbiter
from tamsk_hw.referee.rulings import Ruling
from tamsk_hw.words.decisions import decided_words
from tamsk_hw.words.rules import anchor_of
from tamsk_hw.words.rulings import said, short_clock


@dataclass(frozen=True, slots=True)
class Cited:
    """A sentence in a list, its ``clock`` as ``mm:ss``; ``clause`` is "" where none is known."""

    clock: str
    words: str
    clause: str

    @property
    def anchor(self) -> str:
        """The place of the clause on the page of the rules."""
        return anchor_of(self.clause)


def cited(what: Ruling | Arbiter) -> Cited:
    """A ruling, or a decision of the arbiter, in the language that is spoken."""
    words = decided_words(what) if isinstance(what, Arbiter) else said(what)
    return Cited(short_clock(what.t), words, what.rule)
