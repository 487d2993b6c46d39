"""Search: positions judged, replies looked at.

The worth of a position whose end is not in sight, in hundredths of a ring, for the player to move.

Who has dropped more rings wins (R5.2), and who can still move drops more. The terms, each for one player less the
same for the other:

- **rings**: those dropped so far;
- **reach**: tubes that his glasses come to sooner than his opponent's, where rings will be his;
- **room**: tubes that his glasses can enter at once; without one he passes while the other goes on;
- **sand**: fear for each glass that must soon be moved, the greater the less it has left and the more of his must
  be moved before it; and the loss of those that have run out, which is missed the more the earlier it is.

Search for the best move: alpha-beta with iterative deepening, bounded by a number of positions.

A move costs seconds. The search lets them pass, move by move, and knows of each glass when it will run out: one
that is turned over runs on for as long as it has run down (R6.1), and one that has run out is lost (R6.2). Rings
are dropped while there are any: the opponent could claim what is left out (R4.3), to gain one and cost one.

The board that a view shows, as a search begins from it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

from tamsk_hw.game.position import Move, Position
from tamsk_hw.game.ruleset import Ruleset, Start
from tamsk_hw.game.tubes import GLASSES_EACH, NEIGHBOUR_MASKS, PLAYERS, RINGS_EACH, TUBES, Player, Tube
from tamsk_hw.referee.view import GlassState, View

#: The value of a game that is won; the rings by which it is won are added.
WIN = 100_000.0


#: The worth of a tube that is reached first, and of one that can be entered at once.
REACH, ROOM = 14.0, 6.0

#: The worth of a glass that runs out now, and of one that is lost with all rings yet to be dropped.
FEAR, LOSS = 200.0, 500.0

#: Seconds of sand with which there is no fear.
UNEASY = 50.0


def _spread_table(first: int, bits: int) -> list[int]:
    """The neighbours of each set of the tubes from ``first`` on, as many as there are bits."""
    table = [0] * (1 << bits)
    for tubes in range(1, 1 << bits):
        low = tubes & -tubes
        tube = first + low.bit_length() - 1
        table[tubes] = table[tubes ^ low] | (NEIGHBOUR_MASKS[tube] if tube < len(TUBES) else 0)
    return table


_SPREAD = (_spread_table(0, 10), _spread_table(10, 9), _spread_table(19, 9), _spread_table(28, 9))


def spread(tubes: int) -> int:
    """The tubes that touch one of ``tubes``."""
    first, second, third, fourth = _SPREAD
    return first[tubes & 1023] | second[tubes >> 10 & 511] | third[tubes >> 19 & 511] | fourth[tubes >> 28]


def reach(mine: int, theirs: int, vacant: int) -> int:
    """The vacant tubes that ``mine`` reach first, less those that ``theirs`` reach first."""
    lead = 0
    while vacant and (mine or theirs):
        mine, theirs = spread(mine) & vacant, spread(theirs) & vacant
        lead += (mine & ~theirs).bit_count() - (theirs & ~mine).bit_count()
        vacant &= ~(mine | theirs)
    return lead


def judged(position: Position, sand: Mapping[Tube, float], t: float, cycle: float) -> float:
    """The worth for the player to move at ``t`` (seconds).

    ``sand``: when each running glass will run out. ``cycle``: seconds from one turn of a player to his next.
    """
    turn = position.turn
    if turn is Player.RED:
        mine, theirs, lead = position.red, position.black, position.black_left - position.red_left
    else:
        mine, theirs, lead = position.black, position.red, position.red_left - position.black_left
    lost = position.lost
    vacant = position.ruleset.tube_mask & ~(mine | theirs | position.full)
    live_mine, live_theirs = mine & ~lost, theirs & ~lost
    my_room, their_room = spread(live_mine) & vacant, spread(live_theirs) & vacant
    blocked = not my_room and not their_room and not position.red_off and not position.black_off
    if blocked or not (position.red_left or position.black_left):
        return settled(position, sand)
    value = 100.0 * lead
    value += ROOM * (my_room.bit_count() - their_room.bit_count())
    value += REACH * reach(live_mine, live_theirs, vacant)
    if sand or lost:
        value += FEAR * (fear(sand, live_theirs, t, cycle) - fear(sand, live_mine, t, cycle))
        if lost:
            loss = LOSS * (position.red_left + position.black_left) / (2 * RINGS_EACH)
            value += loss * ((theirs & lost).bit_count() - (mine & lost).bit_count())
    return value


def fear(sand: Mapping[Tube, float], glasses: int, t: float, cycle: float) -> float:
    """The fear for some glasses of one player: each has to wait for those that run out before it."""
    fears, safe = 0.0, t + UNEASY
    for end in sorted(end for tube, end in sand.items() if glasses >> tube & 1):
        if end < safe:
            fears += (safe - end) / UNEASY
        safe += cycle
    return fears


def settled(position: Position, sand: Mapping[Tube, float]) -> float:
    """The value of a game that is over, for the player to move: by rings, then by the sand (R5.2, R5.3)."""
    lead: float = position.black_left - position.red_left
    if not lead and sand:
        last = max(sand, key=lambda tube: sand[tube])
        lead = 0.5 if position.red >> last & 1 else -0.5
    if not lead:
        return 0.0
    value = 100.0 * lead + (WIN if lead > 0 else -WIN)
    return value if position.turn is Player.RED else -value


#: Sand that differs by less than this (seconds) is taken as the same where a position is met again.
ALIKE = 8.0

#: Seconds for which a glass is in the hand, where no sand runs (R6.3).
IN_HAND = 1.0


@dataclass(frozen=True, slots=True)
class SearchStart:
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
class SearchResult:
    """The result of a search: the moves with their values for the player to move, the best first.

    Those behind the first are worth at most what is said. ``depth``: plies of the last search that was finished.
    """

    moves: tuple[tuple[Move, float], ...]
    depth: int
    nodes: int


class _Spent(Exception):
    """The search has looked at as many positions as it may."""


class Search:
    """One search. It reads no clock: the same beginning and number of nodes find the same moves."""

    def __init__(self, outset: SearchStart, nodes: int, *, chance: Random | None = None) -> None:
        """``nodes``: positions that may be looked at, 1 or more. ``chance`` chooses among moves of equal value."""
        self._outset = outset
        self._limit = nodes
        self._cycle = sum(outset.paces.values())
        self._chance = chance
        self._sand = dict(outset.sand)
        self._has_sand = outset.position.ruleset.has_sand
        self._known: dict[tuple[object, ...], tuple[int, float, float, Move | None]] = {}
        self._merits: dict[Move, int] = {}
        self.nodes = 0

    def best(self, depth: int = 64, *, exact: bool = False) -> SearchResult:
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
        return SearchResult(tuple(ranked), reached, self.nodes)

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
            return judged(position, self._sand, t, self._cycle)
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


def search_start(
    view: View, position: Position, me: Player, *, first: float, paces: Mapping[Player, float]
) -> SearchStart:
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
    return SearchStart(position, sand, sum(whole) / len(whole) if whole else NOMINAL, first, paces)
