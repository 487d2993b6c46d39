"""The form by which a game is set up: level, variants, names, and colours by lot. Chance comes in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tamsk_hw.errors import JournalError
from tamsk_hw.game.ruleset import LatePenalty, Start
from tamsk_hw.journal.entries import checked_name
from tamsk_hw.live.lines import Names

_LEVELS = {"1": 1, "2": 2, "3": 3}
_PENALTIES = {each.value: each.value for each in LatePenalty}
_STARTS = {each.value: each.value for each in Start}
_YES = {"yes": True, "no": False}

#: The choices of the form, as keys of the ruleset in a header.
CHOICES: Mapping[str, Mapping[str, Any]] = {
    "level": _LEVELS,
    "start": _STARTS,
    "late_penalty": _PENALTIES,
    "forfeit_penalised": _YES,
}


class FormError(Exception):
    """A form that no desk has sent; its text is the name of the wrong field."""


@dataclass(frozen=True, slots=True)
class NewGame:
    """A game as the arbiter wants it; ``ruleset`` None: the names alone change. ``drawn``: colours by lot."""

    ruleset: Mapping[str, Any] | None
    names: Names
    drawn: bool

    def as_request(self) -> dict[str, Any]:
        """What the service is asked for (docs/live.md, Requests)."""
        names = {"names": self.names.as_dict()}
        return {"setup": names if self.ruleset is None else {"ruleset": dict(self.ruleset), **names}}


def read_form(fields: Mapping[str, str], choose: Callable[[tuple[bool, bool]], bool]) -> NewGame:
    """The game that a form describes; ``choose`` draws one of two for colours by lot.

    Raises:
        FormError: a choice that the form does not have, or a name that is too long.
    """
    ruleset: dict[str, Any] = {}
    for key, choices in CHOICES.items():
        if key in fields:
            if fields[key] not in choices:
                raise FormError(key)
            ruleset[key] = choices[fields[key]]
    red, black = (_name(fields, player) for player in ("red", "black"))
    drawn = fields.get("lot") == "yes"
    if drawn and choose((False, True)):
        red, black = black, red
    return NewGame(ruleset or None, Names(red=red, black=black), drawn)


def _name(fields: Mapping[str, str], player: str) -> str | None:
    try:
        return checked_name(fields.get(player))
    except JournalError:
        raise FormError(player) from None
