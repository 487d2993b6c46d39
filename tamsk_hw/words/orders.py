"""Everything that must be put right, as orders to the people at the board."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from tamsk_hw.game.players import End, Player
from tamsk_hw.game.tubes import Tube
from tamsk_hw.referee.rulings import Empty, Mend, RingCount
from tamsk_hw.words.translating import ntr, tr, tr_in


def orders(mends: Sequence[Mend], setup: bool = False) -> list[str]:
    """The orders that put things right, each without a full stop; ``setup``: the game has not begun.

    A glass in a wrong tube gives one order for its two tubes: off the one, back on the other.
    """
    listed: list[str] = []
    rest = list(mends)
    while rest:
        mend = rest.pop(0)
        home = rest[0] if rest else None
        if (
            home is not None
            and not setup
            and isinstance(mend.has, Player)
            and isinstance(mend.should, Empty)
            and isinstance(home.has, Empty)
            and home.should is mend.has
        ):
            rest.pop(0)
            listed.append(
                tr(
                    "put {player}'s glass from {tube} back on {home}",
                    player=mend.has,
                    tube=mend.tube,
                    home=home.tube,
                )
            )
        else:
            listed.append(_order(mend, setup))
    return listed


def joined(listed: Sequence[str]) -> str:
    """Orders in one line."""
    return tr_in("between orders", "; ").join(listed)


def _order(mend: Mend, setup: bool) -> str:
    """The order that puts one tube right."""
    tube, has, should = mend.tube, mend.has, mend.should
    match should:
        case RingCount():
            return _rings(tube, (has.rings if isinstance(has, RingCount) else 0) - should.rings)
        case End():
            return tr("turn the glass on {tube} over", tube=tube)
        case Player():
            if isinstance(has, Empty):
                if setup:
                    return tr("put a {player} glass on {tube}", player=should, tube=tube)
                return tr("put {player}'s glass back on {tube}", player=should, tube=tube)
            if has is None or has is should:
                return tr("set the glass on {tube} upright", tube=tube)
            return tr("take the glass off {tube}, where a {player} one belongs", tube=tube, player=should)
        case Empty() | None:
            if isinstance(has, Player):
                return tr("take {player}'s glass off {tube}", player=has, tube=tube)
            return tr("take the glass off {tube}", tube=tube)
        case _:
            assert_never(should)


def _rings(tube: Tube, extra: int) -> str:
    """The order for a tube that has ``extra`` rings too many, or too few where that is negative."""
    if extra > 0:
        return ntr("take {count} ring off {tube}", "take {count} rings off {tube}", extra, tube=tube)
    return ntr("put {count} ring back on {tube}", "put {count} rings back on {tube}", -extra, tube=tube)
