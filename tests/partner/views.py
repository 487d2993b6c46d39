"""Views of positions, as the referee would show them, with the sand that a test wants."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tamsk_hw.game.position import Position
from tamsk_hw.game.tubes import PLAYERS, Tube, tubes_in
from tamsk_hw.referee.view import GlassState, View
from tests.panel.boards import glass, view


def shown(position: Position, *, t: float = 0.0, sand: Mapping[Tube, float] | None = None, **fields: Any) -> View:
    """The view of a position at ``t``; each glass that has been moved has 100 s of sand, or what ``sand`` says."""
    moved = GlassState.RUNNING if position.ruleset.has_sand else GlassState.NO_SAND
    glasses = []
    for player in PLAYERS:
        for tube in tubes_in(position.glasses(player)):
            fresh = GlassState.UNSTARTED if position.fresh >> tube & 1 else moved
            state = GlassState.LOST if position.lost >> tube & 1 else fresh
            each = glass(player, tube, state, seconds=(sand or {}).get(tube, 100.0))
            glasses.append(replace(each, may_move=bool(position.movable(player) >> tube & 1)))
    known = {
        "turn": None if position.is_over() else position.turn,
        "rings": tuple(position.rings),
        "rings_seen": tuple(position.rings),
        "full": frozenset(tubes_in(position.full)),
        "left": {player: position.left(player) for player in PLAYERS},
        "tubes": position.ruleset.tubes,
    }
    return view(t=t, level=position.ruleset.level, number=1, glasses=tuple(glasses), **{**known, **fields})


def placed(position: Position, red: str, black: str, **fields: Any) -> Position:
    """A position with glasses elsewhere: ``placed(start, "A1 B2 C3", "E4 F5 G4")``."""
    his, other = (sum(1 << Tube[name] for name in names.split()) for names in (red, black))
    return position._replace(red=his, black=other, fresh=0, history=(), **fields)
