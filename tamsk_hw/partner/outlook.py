"""The board that a view shows, as a search begins from it."""

from __future__ import annotations

from collections.abc import Mapping

from tamsk_hw.game.players import GLASSES_EACH, PLAYERS, Player
from tamsk_hw.game.position import Position
from tamsk_hw.game.ruleset import Ruleset, Start
from tamsk_hw.game.tubes import Tube
from tamsk_hw.partner.search import Outset
from tamsk_hw.referee.view import GlassState, View

#: Seconds that a full glass runs, while no view has shown otherwise (R6.1).
NOMINAL = 180.0


def position_of(view: View, ruleset: Ruleset, turn: Player) -> Position:
    """The lawful position with ``turn`` to move. A doubtful glass may be moved, so it is not lost (R6.4)."""
    masks = dict.fromkeys(PLAYERS, 0)
    lost = fresh = 0
    for glass in view.glasses:
        bit = 1 << glass.tube
        masks[glass.owner] |= bit
        if glass.state is GlassState.LOST:
            lost |= bit
        elif glass.state is GlassState.UNSTARTED:
            fresh |= bit
    each = GLASSES_EACH if ruleset.start is Start.FREE else 0
    off = {player: max(0, each - masks[player].bit_count()) for player in PLAYERS}
    position = Position(
        ruleset,
        turn,
        red=masks[Player.RED],
        black=masks[Player.BLACK],
        lost=lost,
        fresh=fresh,
        full=sum(1 << tube for tube in view.full),
        counts=int.from_bytes(bytes(view.rings), "little"),
        red_left=view.left[Player.RED],
        black_left=view.left[Player.BLACK],
        red_off=off[Player.RED],
        black_off=off[Player.BLACK],
    )
    return position.turned_to(turn)


def outset_of(
    view: View, position: Position, me: Player, *, first: float, paces: Mapping[Player, float]
) -> Outset:
    """The beginning of a search for ``me``, who counts on his own least sand and on the other's most.

    His own doubtful glass may be moved until it is certainly empty, so he counts on that (R6.4).
    """
    sand: dict[Tube, float] = {}
    whole = []
    for glass in view.glasses:
        if glass.state.may_run:
            least, most = glass.seconds
            prudent = glass.owner is me and glass.state is GlassState.RUNNING
            sand[glass.tube] = least if prudent else most
            if glass.fraction[1] > 0:
                whole.append(most / glass.fraction[1])
    return Outset(position, sand, sum(whole) / len(whole) if whole else NOMINAL, first, paces)
