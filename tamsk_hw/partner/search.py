"""Search for the best move: alpha-beta with iterative deepening, bounded by a number of positions.

A move costs seconds. The search lets them pass, move by move, and knows of each glass when it will run out: one
that is turned over runs on for as long as it has run down (R6.1), and one that has run out is lost (R6.2). Rings
are dropped while there are any: the opponent could claim what is left out (R4.3), to gain one and cost one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

from tamsk_hw.game.players import Player
from tamsk_hw.game.position import Move, Position
from tamsk_hw.game.tubes import Tube
from tamsk_hw.partner.evaluation import WEIGHTS, WIN, Weights, judged, settled

#: Sand that differs by less than this (seconds) is taken as the same where a position is met again.
ALIKE = 8.0

#: Seconds for which a glass is in the hand, where no sand runs (R6.3).
IN_HAND = 1.0


@dataclass(frozen=True, slots=True)
class Outset:
    """The beginning of a search: what stands on the board, and the seconds that things take.

    ``sand``: seconds from now until each running glass runs out. ``whole``: seconds that a full glass runs.
    ``first``: seconds until the move that is looked for seats its glass. ``paces``: seconds of each player's turns
    after that.
    """

    position: Position
    sand: Mapping[Tube, float] = field(default_factory=dict)
    whole: float = 180.0
    first: float = 0.0
    paces: Mapping[Player, float] = field(default_factory=lambda: dict.fromkeys(Player, 0.0))


@dataclass(frozen=True, slots=True)
class Found:
    """What a search has found: the moves with their values for the player to move, the best first.

    Those behind the first are worth at most what is said. ``depth``: plies of the last search that was finished.
    """

    moves: tuple[tuple[Move, float], ...]
    depth: int
    nodes: int


class _Spent(Exception):
    """The search has looked at as many positions as it may."""


class Search:
    """One search. It reads no clock: the same beginning and number of nodes find the same moves."""

    def __init__(
        self, outset: Outset, nodes: int, *, weights: Weights | None = None, chance: Random | None = None
    ) -> None:
        """``nodes``: positions that may be looked at, 1 or more. ``chance`` chooses among moves of equal value."""
        self._outset = outset
        self._limit = nodes
        self._weights = weights or WEIGHTS
        self._cycle = sum(outset.paces.values())
        self._chance = chance
        self._sand = dict(outset.sand)
        self._has_sand = outset.position.ruleset.has_sand
        self._known: dict[tuple[object, ...], tuple[int, float, float, Move | None]] = {}
        self._merits: dict[Move, int] = {}
        self.nodes = 0

    def best(self, depth: int = 64, *, exact: bool = False) -> Found:
        """Search up to ``depth`` plies deep (1 …).

        ``exact``: find the true value of every move; else only the best one's is true.
        """
        position = self._outset.position
        moves = position.legal_moves()
        if self._chance is not None:
            self._chance.shuffle(moves)
        ranked = [(move, 0.0) for move in moves]
        reached = 0
        while reached < depth and ranked and self.nodes < self._limit:
            try:
                ranked = self._ranked(position, [move for move, _ in ranked], reached + 1, exact)
            except _Spent as spent:
                partly: list[tuple[Move, float]] = spent.args[0]
                # The best so far was searched first: another one is better, or it still is.
                if partly and not exact:
                    rest = [entry for entry in ranked if all(entry[0] is not move for move, _ in partly)]
                    ranked = [*sorted(partly, key=lambda entry: -entry[1]), *rest]
                break
            reached += 1
            if len(moves) == 1 or abs(ranked[0][1]) > WIN / 2:
                break
        return Found(tuple(ranked), reached, self.nodes)

    def _ranked(self, position: Position, moves: list[Move], depth: int, exact: bool) -> list[tuple[Move, float]]:
        """The moves, each searched ``depth`` plies deep, the best first."""
        best = -2 * WIN
        values: list[tuple[Move, float]] = []
        for move in moves:
            try:
                value = -self._after(
                    position, move, self._outset.first, depth - 1, -2 * WIN, 2 * WIN if exact else -best
                )
            except _Spent:
                raise _Spent(values) from None
            if value > best:
                best = value
            values.append((move, value))
        return sorted(values, key=lambda entry: -entry[1])

    def _after(self, position: Position, move: Move, t: float, depth: int, alpha: float, beta: float) -> float:
        """The value, for the other player, of a move whose glass is seated at ``t``."""
        after = position.after(move)
        if not self._has_sand:
            return self._value(after, t, depth, alpha, beta)
        sand, home = self._sand, move.from_tube
        old = None if home is None else sand.pop(home, None)
        if old is None or home is None:
            sand[move.to_tube] = t + self._outset.whole
        elif old > t - IN_HAND:
            sand[move.to_tube] = 2 * t + self._outset.whole - old
        else:
            sand[move.to_tube] = old  # it has run out before it was lifted
        for tube, end in sand.items():
            if end <= t and not after.lost >> tube & 1:
                after = after.lose(tube)
        value = self._value(after, t, depth, alpha, beta)
        del sand[move.to_tube]
        if old is not None and home is not None:
            sand[home] = old
        return value

    def _value(self, position: Position, t: float, depth: int, alpha: float, beta: float) -> float:
        """The value for the player to move at ``t``, exact between ``alpha`` and ``beta``, else a bound."""
        if self.nodes >= self._limit:
            raise _Spent([])
        self.nodes += 1
        if depth <= 0:
            return judged(position, self._sand, t, self._cycle, self._weights)
        key = self._key(position, t)
        known = self._known.get(key)
        first = None
        if known is not None:
            known_depth, least, most, first = known
            if known_depth >= depth:
                if least >= beta or least == most:
                    return least
                if most <= alpha:
                    return most
        moves = position.legal_moves()
        if not moves:
            if position.is_over():
                return settled(position, self._sand)
            passed = position.turned_to(position.turn.opponent)
            return -self._value(passed, t, depth, -beta, -alpha)
        if depth > 1:
            merits = self._merits
            moves.sort(key=lambda move: -merits.get(move, 0))
        if first is not None:
            moves.remove(first)
            moves.insert(0, first)
        seated = t + self._outset.paces[position.turn]
        best, chosen, lower = -3 * WIN, first, alpha
        for move in moves:
            value = -self._after(position, move, seated, depth - 1, -beta, -lower)
            if value > best:
                best, chosen = value, move
                if value > lower:
                    lower = value
                    if value >= beta:
                        self._merits[move] = self._merits.get(move, 0) + depth * depth
                        break
        least, most = (best if best > alpha else -3 * WIN), (best if best < beta else 3 * WIN)
        self._known[key] = (depth, least, most, chosen)
        return best

    def _key(self, position: Position, t: float) -> tuple[object, ...]:
        """The value by which a position is known again: what stands where, whose turn it is, how the sand is."""
        _, turn, red, black, lost, fresh, _, counts, red_left, _, red_off, _, _ = position
        if not self._has_sand:
            return turn, red, black, counts, red_left, red_off
        sand = 0
        for tube, end in self._sand.items():
            sand += int(end / ALIKE) + 64 << 10 * tube
        return turn, red, black, counts, red_left, red_off, lost, fresh, t, sand
