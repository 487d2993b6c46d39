"""Views of positions, as the referee would show them, with the sand that a test wants."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tamsk_hw.game.position import Position
from tamsk_hw.game.tubes import Tube
from tamsk_hw.referee.view import GlassState, View
from tamsk_hw.svg.drawing import view_of

#: Seconds of a full glass in these tests.
WHOLE = 180.0


def shown(position: Position, *, t: float = 0.0, sand: Mapping[Tube, float] | None = None, **fields: Any) -> View:
    """The view of a position at ``t``; each glass that has been moved has 100 s of sand, or what ``sand`` says."""
    view = view_of(position)
    glasses = tuple(
        replace(
            glass,
            state=GlassState.RUNNING,
            seconds=(seconds, seconds),
            fraction=(seconds / WHOLE, seconds / WHOLE),
        )
        if position.ruleset.has_sand and glass.state is GlassState.NO_SAND
        else glass
        for glass in view.glasses
        for seconds in [(sand or {}).get(glass.tube, 100.0)]
    )
    return replace(view, t=t, glasses=glasses, number=1, **fields)


def placed(position: Position, red: str, black: str, **fields: Any) -> Position:
    """A position with glasses elsewhere: ``placed(start, "A1 B2 C3", "E4 F5 G4")``."""

    def mask(names: str) -> int:
        return sum(1 << Tube[name] for name in names.split())

    return position._replace(red=mask(red), black=mask(black), fresh=0, history=(), **fields)
