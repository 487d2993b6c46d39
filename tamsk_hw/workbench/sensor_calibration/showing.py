"""What a walk asks of the person at the board at a moment: words, lights and how far it has come."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum


class Part(Enum):
    """What can be measured by itself."""

    FIELDS = "fields"
    RINGS = "rings"
    HOLDERS = "holders"


class Key(Enum):
    """What the person tells the walk."""

    GO_ON = "go on"
    """The start button, pressed shortly; Enter."""
    BACK = "back"
    """The black button, pressed shortly."""
    SKIP = "skip"
    """The red button, pressed shortly."""
    QUIT = "quit"
    """The start button, held down."""


class Lit(Enum):
    """What the light of a tube, or of the cradle, says."""

    HERE = "here"
    """The glass is to be set here."""
    TURN = "turn"
    """The glass that stands here is to be turned over."""
    WRONG = "wrong"
    """Something is here that should not be."""
    MISSING = "missing"
    """Rings are missing here."""
    NEXT = "next"
    """Here the glass goes next."""
    DONE = "done"
    """Measured."""
    BAD = "bad"
    """Measured, and bad."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Showing:
    """What is to be seen now.

    ``prompt``: what to do; ``trouble``: what is in the way of it, None when nothing is. ``lit``: the lights by
    field (tubes in board order, then the cradle). ``awaits_start``: it goes on when the start button is pressed.
    ``title``: where in the walk this is.
    """

    prompt: str
    trouble: str | None = None
    lit: Mapping[int, Lit] = field(default_factory=dict)
    awaits_start: bool = False
    title: str = ""
