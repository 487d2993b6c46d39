"""A state of the table as the page shows it, with a revision: the same while only sand and seconds have run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from hashlib import blake2b
from typing import Any, Final

from tamsk_hw.game.players import Player
from tamsk_hw.live.lines import Names
from tamsk_hw.live.state import TableState
from tamsk_hw.panel.diagnosis import Diagnosis, diagnose
from tamsk_hw.panel.prompts import Ways
from tamsk_hw.referee.events import ButtonName
from tamsk_hw.referee.view import GlassView, View
from tamsk_hw.web.at_hand import TableAtHand

_NO_SAND: Final = (0.0, 0.0)
_ALL_SAND: Final = (1.0, 1.0)


@dataclass(frozen=True, slots=True)
class TableScene:
    """A state, its diagnosis, the players' names and its revision ``at``."""

    state: TableState
    diagnosis: Diagnosis
    names: Names
    at: str
    at_hand: TableAtHand | None = None
    """What people can take in the hand; None where they cannot."""

    @property
    def view(self) -> View:
        """The game as it stands."""
        return self.state.view

    @property
    def still_view(self) -> View:
        """The same view with all sand above: what is made of it differs when more than sand has run."""
        return replace(
            self.view,
            t=0.0,
            glasses=tuple(replace(_still(glass), fraction=_ALL_SAND) for glass in self.view.glasses),
        )

    @property
    def runs(self) -> bool:
        """Sand or seconds run in it."""
        return self.state.runs

    def name_of(self, player: Player) -> str | None:
        """The player's name, if he has one."""
        return self.names.red if player is Player.RED else self.names.black


def scene_of(state: TableState, names: Names, *, simulated: bool) -> TableScene:
    """The scene of a state; on a ``simulated`` board without buttons the players start by themselves."""
    ways = Ways(buttons=state.buttons, demo=simulated and not state.buttons, page=True)
    diagnosis = diagnose(state.view, offered=state.offered, ways=ways, advice=state.advice)
    return TableScene(state, diagnosis, names, _revision(state, diagnosis, names))


def _revision(state: TableState, diagnosis: Diagnosis, names: Names) -> str:
    """The revision: a short text made of all that is shown but of sand and seconds."""
    view = state.view
    shown = [
        _plain(getattr(view, field.name))
        for field in fields(View)
        if field.name not in ("t", "glasses", "ring_open", "deadline")
    ]
    rights = {tube: (ring.player, ring.seconds is None) for tube, ring in view.ring_open.items()}
    timer = diagnosis.timer
    shown += [
        state.offered,
        [button in state.buttons for button in ButtonName],
        names,
        [_still(glass) for glass in view.glasses],
        _plain(rights),
        [(sign.holds, sign.asks, sign.asked) for sign in diagnosis.tubes],
        diagnosis.advice,
        None if timer is None else (timer.against, timer.urgent),
    ]
    return blake2b(repr(shown).encode(), digest_size=6).hexdigest()


def _still(glass: GlassView) -> GlassView:
    """The glass without the seconds of its sand."""
    return replace(glass, seconds=_NO_SAND, fraction=_NO_SAND)


def _plain(value: Any) -> Any:
    """A value whose text does not depend on the order in which it was made."""
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, Mapping):
        return sorted(((key.value, item) for key, item in value.items()), key=lambda item: item[0])
    return value
