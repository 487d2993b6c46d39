"""The lines of a score sheet, from the referee's rulings: one for each turn.

Rulings come one by one. This module assigns each ring to its move, marks the rings that fill a tube, and assigns
each glass that runs out to the turn during which it does.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import assert_never

from tamsk_hw.game.notation import Ply, PlyKind, RingKind, SheetRing
from tamsk_hw.game.tubes import CAPACITY, RINGS_EACH, TUBES, Player, Tube
from tamsk_hw.referee import rulings
from tamsk_hw.referee.rulings import Reason, Ruling


class _Writer:
    """Writes the lines of the sheet from rulings, which come in order."""

    def __init__(self, changed_owner: frozenset[int]) -> None:
        self.lines: list[Ply] = []
        self._changed_owner = changed_owner
        self._counted = [0] * len(TUBES)
        self._last_finished: Ply | None = None
        self._lifted: dict[Player, Tube] = {}

    def _last_of(self, player: Player, to: Tube | None = None) -> Ply | None:
        """The latest finished move of a player, or his latest into a tube: not always the latest line (R7.5)."""
        found = None
        for line in self.lines:
            if line.player is player and line.kind is PlyKind.MOVE and (to is None or line.to is to):
                found = line
        return found

    def take(self, place: int, ruling: Ruling) -> None:
        """Write down the ruling at ``place`` of the list."""
        match ruling:
            case rulings.Turn(t=t, player=player, number=number):
                self.lines.append(Ply(number=number, player=player, began=t))
            case rulings.Moved():
                self._move(ruling)
            case rulings.Passed():
                self._end(ruling.player, PlyKind.PASS, ruling.t)
            case rulings.Skip():
                self._end(ruling.player, PlyKind.SKIP, ruling.t)
            case rulings.TimerExpired(against=player):
                self._end(player, PlyKind.TIMEOUT, ruling.t)
            case rulings.Forfeit():
                self._end(ruling.player, PlyKind.FORFEIT, ruling.t)
            case rulings.MoveStarted(player=player, tube=tube):
                self._lifted[player] = tube
            case rulings.GameOver(winner=Player() as winner, reason=Reason.FULL_TUBE):
                loser = winner.opponent
                self._end(loser, PlyKind.MOVE, ruling.t, self._lifted.get(loser))
            case rulings.RingCounted():
                self._ring(place, ruling)
            case rulings.Uncounted():
                self._take_back(ruling.player, ruling.tube)
            case rulings.GlassLost(tube=tube):
                if self.lines:
                    self.lines[-1].lost.append(tube)
            case rulings.GlassDoubtful(tube=tube):  # a lost glass is in doubt again once it is revived (R9.6)
                for line in self.lines:
                    line.lost = [lost for lost in line.lost if lost is not tube]
            case rulings.Violation():
                if self.lines:
                    self.lines[-1].violations += 1
            case (
                rulings.Setup()
                | rulings.Started()
                | rulings.TimerStarted()
                | rulings.Penalty()
                | rulings.Restored()
                | rulings.Warned()
                | rulings.ArbiterNeeded()
                | rulings.GameOver()
            ):
                pass
            case _:
                assert_never(ruling)

    def _end(self, player: Player, kind: PlyKind, t: float, from_tube: Tube | None = None) -> None:
        """A player's latest turn ended without a lawful move; ``from_tube``: the glass that was moved."""
        line = next((line for line in reversed(self.lines) if line.player is player), None)
        if line is not None and line.kind is not PlyKind.MOVE:
            line.kind, line.from_tube = kind, from_tube
            line.ended = t if line.ended is None else line.ended

    def _move(self, ruling: rulings.Moved) -> None:
        """A finished move; a late one belongs to the turn whose time ran out, one or two turns back."""
        wanted = PlyKind.TIMEOUT if ruling.late else PlyKind.OPEN
        for line in reversed(self.lines):
            if line.player is ruling.player and line.kind is wanted:
                break
        else:
            return
        line.kind, line.ended = PlyKind.MOVE, ruling.t
        line.from_tube, line.to, line.late = ruling.from_tube, ruling.to, ruling.late
        if ruling.late and self._last_finished is not None and self._last_finished.number > line.number:
            line.late_after = self._last_finished.number
        self._last_finished = line

    def _ring(self, place: int, ruling: rulings.RingCounted) -> None:
        """A ring that counts, or one whose owner the arbiter changed."""
        player, tube, kind = ruling.player, ruling.tube, ruling.kind
        if place in self._changed_owner:
            self._take_back(player.opponent, tube)
        self._counted[tube] += 1
        fills = self._counted[tube] == CAPACITY[tube]
        match kind:
            case RingKind.MOVE:
                line = self._last_of(player, tube)
            case RingKind.CLAIM:
                line = self._last_of(player.opponent, tube) or self._last_of(player)
            case RingKind.PENALTY:
                line = self._last_of(player)
            case _:
                assert_never(kind)
        if line is None and self.lines:
            line = self.lines[-1]
        if line is not None:
            line.rings.append(SheetRing(kind, tube, fills))

    def _take_back(self, player: Player, tube: Tube) -> None:
        """Strike a player's last ring in a tube off the sheet: the other's, or never dropped (R9.6, R9.7)."""
        for line in reversed(self.lines):
            for ring in reversed(line.rings):
                owner = line.player.opponent if ring.right is RingKind.CLAIM else line.player
                if ring.tube is tube and owner is player:
                    line.rings.remove(ring)
                    self._counted[tube] -= 1
                    return


def _owner_changes(listed: Sequence[Ruling]) -> frozenset[int]:
    """Places of the rings that the arbiter gave from one player to the other (R9.6).

    Their rulings look like those of uncounted rings that he gave. The difference shows in the next ruling with the
    other player's rings left: he has one more again. If none follows, a ring changed its owner if its tube had no
    uncounted ring, or was full.
    """
    left = dict.fromkeys(Player, RINGS_EACH)
    pending: dict[Player, list[int]] = {player: [] for player in Player}
    uncounted: dict[Tube, int] = {}
    counted = dict.fromkeys(TUBES, 0)
    changed: set[int] = set()
    likely: set[int] = set()

    def known(player: Player, before: int) -> None:
        given = pending[player]
        changed.update(given[: max(0, before - left[player])])
        given.clear()

    for place, ruling in enumerate(listed):
        match ruling:
            case rulings.RingCounted(player=player, tube=tube):
                known(player, ruling.left + 1)
                left[player] = ruling.left
                counted[tube] += 1
                if ruling.by_arbiter:
                    pending[player.opponent].append(place)
                    if uncounted.get(tube, 0) > 0 and counted[tube] <= CAPACITY[tube]:
                        uncounted[tube] -= 1
                    else:
                        likely.add(place)
                        counted[tube] -= 1
            case rulings.Uncounted(player=player, tube=tube):
                known(player, ruling.left - 1)
                left[player] = ruling.left
                counted[tube] -= 1
            case rulings.GameOver():
                for player in Player:
                    known(player, ruling.rings_left[player])
            case rulings.Violation(restore=(rulings.Correction(tube, int(has), int(should)),)):
                uncounted[tube] = has - should
            case rulings.Restored(of_rings=True):
                uncounted.clear()
            case _:
                pass
    return frozenset(changed.union(place for given in pending.values() for place in given if place in likely))


def plies(given: Iterable[Ruling]) -> tuple[Ply, ...]:
    """The lines of the score sheet: one for each turn that began, in order."""
    listed = list(given)
    writer = _Writer(_owner_changes(listed))
    for place, ruling in enumerate(listed):
        writer.take(place, ruling)
    return tuple(writer.lines)


@dataclass
class Tally:
    """A player's game in figures: seconds of all turns, penalties against him, violations."""

    seconds: float = 0.0
    penalties: int = 0
    violations: int = 0


def tallies(given: Iterable[Ruling]) -> dict[Player | None, Tally]:
    """The players' figures; those of None are violations by nobody who could be named."""
    listed = list(given)
    figures: dict[Player | None, Tally] = {player: Tally() for player in (*Player, None)}
    for ply in plies(listed):
        figures[ply.player].seconds += ply.seconds or 0.0
    for ruling in listed:
        if isinstance(ruling, rulings.Penalty):
            figures[ruling.player.opponent].penalties += 1
        elif isinstance(ruling, rulings.Violation):
            figures[ruling.player].violations += 1
    return figures


def pairs(plies: Iterable[Ply]) -> list[tuple[Ply | None, Ply | None]]:
    """The turns in rows of red's and black's, in order; None where a player has no turn in that row."""
    rows: list[tuple[Ply | None, Ply | None]] = []
    for ply in plies:
        if ply.player is Player.RED:
            rows.append((ply, None))
        elif rows and rows[-1][1] is None:
            rows[-1] = (rows[-1][0], ply)
        else:
            rows.append((None, ply))
    return rows
