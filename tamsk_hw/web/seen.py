"""The table as eyes see it: things where they really are, with what the referee says of them. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from hashlib import blake2b

from tamsk_hw.game.players import PLAYERS
from tamsk_hw.game.tubes import TUBE_OF_NAME, TUBES, Tube
from tamsk_hw.hands.eyes import GlassSeen, Look
from tamsk_hw.referee.view import GlassState, GlassView, View
from tamsk_hw.web.at_hand import SeenGlass, TableAtHand
from tamsk_hw.web.scene import TableScene

#: The seconds of a full glass, to let its sand run between two looks (R6.1).
FULL_SECONDS = 180.0


def table_at_hand(view: View, look: Look) -> TableAtHand:
    """All that can be taken in the hand; the glasses are matched with those that the referee knows."""
    return TableAtHand(look, tuple(_glasses(view, look)))


def seen_scene(scene: TableScene, at_hand: TableAtHand) -> TableScene:
    """The scene with glasses and rings where eyes see them, and its own revision."""
    look = at_hand.look
    drawn = tuple(glass.view for glass in at_hand.glasses if glass not in at_hand.off)
    rings = tuple(look.rings.get(tube, 0) for tube in TUBES)
    view = replace(scene.view, glasses=drawn, rings_seen=rings)
    still = (
        scene.at,
        [(glass.seen.name, glass.seen.tube, glass.seen.hand, glass.seen.leaning) for glass in at_hand.glasses],
        [(glass.seen.end, glass.view.state, glass.seen.runs) for glass in at_hand.glasses],
        sorted(look.rings.items()),
        [look.players[player] for player in PLAYERS],
        (look.timer.place, look.timer.end, look.timer.runs),
        look.buttons,
    )
    at = blake2b(repr(still).encode(), digest_size=6).hexdigest()
    return replace(scene, state=replace(scene.state, view=view), at=at, at_hand=at_hand)


def _glasses(view: View, look: Look) -> Iterator[SeenGlass]:
    """Every glass, those that are drawn first."""
    for player in PLAYERS:
        mine = [glass for glass in look.glasses if glass.owner is player]
        known = {
            glass.standing: glass for glass in view.glasses if glass.owner is player and glass.standing is not None
        }
        there = {seen.name: known.pop(seen.tube) for seen in mine if seen.tube is not None and seen.tube in known}
        # Of the others nobody knows which is which, and nothing depends on it.
        rest = [glass for glass in view.glasses if glass.owner is player and glass not in there.values()]
        mine.sort(key=lambda seen: seen.tube is None and seen.hand is None)
        for number, seen in enumerate(mine, 1):
            glass = there.get(seen.name) or (rest.pop(0) if rest else None)
            yield SeenGlass(seen, number, _seen_view(seen, glass), glass is not None)


def _seen_view(seen: GlassSeen, glass: GlassView | None) -> GlassView:
    """A glass as it is drawn; ``glass``: what the referee knows of it, None before it was placed."""
    home = TUBE_OF_NAME.get(seen.name, Tube.D4) if seen.tube is None else seen.tube
    return GlassView(
        owner=seen.owner,
        tube=home if glass is None else glass.tube,
        standing=seen.tube,
        end=seen.end,
        state=_state(seen, glass),
        seconds=(seen.above * FULL_SECONDS, seen.above * FULL_SECONDS),
        fraction=(seen.above, seen.above),
        may_move=glass is not None and glass.may_move,
    )


def _state(seen: GlassSeen, glass: GlassView | None) -> GlassState:
    """The state in which a glass is drawn: sand that is seen to run runs, whatever the referee knows."""
    if seen.above > 0:
        return GlassState.RUNNING
    if glass is not None and glass.state in (GlassState.LOST, GlassState.UNSTARTED):
        return glass.state
    return GlassState.NO_SAND
