"""The lawful position: where the glasses stand, which rings count, whose turn it is, and what may be played.

A `Position` is an immutable value without time. It knows R1 to R5 as far as they need no clock. Of the sand it
knows which glasses are lost (`lose`). `play` makes a whole move, with or without its ring. The referee, to whom
glass, ring and turn come one by one, uses the steps of which `play` is made: `moved`, `placed`, `ringed` and
`turned_to`. Programs that search look at many positions: `after` makes a whole move of `legal_moves` unchecked.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from types import NoneType
from typing import NamedTuple, assert_never

from tamsk_hw.errors import MisuseError
from tamsk_hw.game.ruleset import Ruleset, Start
from tamsk_hw.game.tubes import (
    CAPACITY,
    GLASSES_EACH,
    NEIGHBOUR_MASKS,
    NEIGHBOURS,
    RINGS_EACH,
    START_TUBES,
    TUBES,
    Player,
    Tube,
    mask_of,
    tubes_in,
)


@dataclass(frozen=True, slots=True)
class Move:
    """A glass goes from ``from_tube`` to ``to_tube``; ``from_tube`` None: placed from off the board (R8)."""

    from_tube: Tube | None
    to_tube: Tube

    def __str__(self) -> str:
        return f"{'' if self.from_tube is None else self.from_tube}→{self.to_tube}"


#: For the bit of each tube the bits of its neighbours and the moves there, in board order.
_STEPS: dict[int, tuple[tuple[int, Move], ...]] = {
    1 << tube: tuple((1 << near, Move(tube, near)) for near in NEIGHBOURS[tube]) for tube in TUBES
}

#: For the bit of each tube those of its neighbours, as one mask.
_NEAR: dict[int, int] = {1 << tube: NEIGHBOUR_MASKS[tube] for tube in TUBES}

#: For each tube the bit of its glass, one ring in `Position.counts`, the place of its count there, and the count
#: that fills it.
_RING: tuple[tuple[int, int, int, int], ...] = tuple(
    (1 << tube, 1 << 8 * tube, 8 * tube, CAPACITY[tube]) for tube in TUBES
)

_RED, _BLACK = Player.RED, Player.BLACK


class Illegality(Enum):
    """Reasons for which a move is not legal; the value finishes the sentence "… is not legal: "."""

    GAME_OVER = "the game is over"
    NO_GLASS = "no glass stands there"
    NOT_YOUR_TURN = "it is the other player's glass"
    DEAD_GLASS = "its sand has run out"
    ALREADY_MOVED = "each glass moves once in the first three turns, and this one has"
    MUST_PLACE = "the first three turns place a glass from off the board"
    NOTHING_TO_PLACE = "all of the player's glasses are on the board"
    NOT_ADJACENT = "the tubes do not touch"
    NO_TUBE = "the board has no such tube"
    OCCUPIED = "a glass stands there"
    FULL = "the tube is full, and entering it loses the game"


class Termination(Enum):
    """Reasons for which a position has no continuation (R5)."""

    FEWEST_RINGS = "fewest_rings"
    TIE = "tie"
    SAND = "last_glass"
    """Equal rings at level 2 or 3: the sand decides, which a position does not know (R5.3)."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game: the winner (None for a tie, or while the sand has yet to decide) and the reason."""

    winner: Player | None
    termination: Termination


class Position(NamedTuple):
    """A lawful position. Tube sets are bit masks (see `tamsk_hw.game.tubes`).

    It is a tuple, because searches make positions by the million, and a tuple is made quickly.
    """

    ruleset: Ruleset
    turn: Player
    red: int = 0
    """Tubes with red's glasses."""
    black: int = 0
    """Tubes with black's glasses."""
    lost: int = 0
    """Tubes with lost glasses (R6.2)."""
    fresh: int = 0
    """Tubes with glasses that must yet make their first move (R2.4)."""
    full: int = 0
    """Full tubes (R3.1)."""
    counts: int = 0
    """Counted rings, a byte a tube, A1's the lowest; `rings` unpacks them."""
    red_left: int = RINGS_EACH
    """Rings left to red (R1.4)."""
    black_left: int = RINGS_EACH
    """Rings left to black (R1.4)."""
    red_off: int = 0
    """Glasses that red has yet to place (R8 free start)."""
    black_off: int = 0
    """Glasses that black has yet to place (R8 free start)."""
    history: tuple[tuple[Player, int, int], ...] = ()
    """At level 1 the player to move, red's and black's glasses in each turn since a ring was dropped (R5.1)."""

    @classmethod
    def start(cls, ruleset: Ruleset | None = None) -> Position:
        """The start of a game (R1.3, R1.4); with a free start the board is empty (R8)."""
        ruleset = Ruleset() if ruleset is None else ruleset
        if not isinstance(ruleset, Ruleset):
            raise MisuseError(f"a position starts from {ruleset!r}; allowed: a Ruleset")
        start = cls(ruleset, Player.RED)
        match ruleset.start:
            case Start.FREE:
                start = start._replace(red_off=GLASSES_EACH, black_off=GLASSES_EACH)
            case Start.CORNERS:
                red, black = mask_of(START_TUBES[Player.RED]), mask_of(START_TUBES[Player.BLACK])
                start = start._replace(red=red, black=black, fresh=red | black if ruleset.has_sand else 0)
            case never:
                assert_never(never)
        return start.turned_to(Player.RED)

    # Contents

    def glasses(self, player: Player) -> int:
        """The tubes on which ``player``'s glasses stand."""
        return self.red if player is _RED else self.black

    def owner(self, tube: Tube) -> Player | None:
        """The owner of the glass in ``tube``."""
        bit = 1 << tube
        if self.red & bit:
            return _RED
        return _BLACK if self.black & bit else None

    def left(self, player: Player) -> int:
        """Rings left to ``player`` (R1.4)."""
        return self.red_left if player is _RED else self.black_left

    @property
    def rings(self) -> bytes:
        """Counted rings of each tube (37)."""
        return self.counts.to_bytes(len(TUBES), "little")

    def on_board(self, player: Player) -> int:
        """The number of ``player``'s rings on the board; uncounted ones are nobody's."""
        return RINGS_EACH - self.left(player)

    def to_place(self, player: Player) -> int:
        """Glasses that ``player`` has yet to place (R8 free start)."""
        return self.red_off if player is _RED else self.black_off

    def is_full(self, tube: Tube) -> bool:
        """The rings of ``tube`` equal its capacity (R3.1)."""
        return bool(self.full >> tube & 1)

    # Legal moves

    @property
    def vacant(self) -> int:
        """Tubes of the board that hold no glass and are not full (R2.1)."""
        return self.ruleset.tube_mask & ~(self.red | self.black | self.full)

    def movable(self, player: Player) -> int:
        """``player``'s glasses that are neither lost nor barred by R2.4 or R8, even without a destination."""
        glasses, to_place = (self.red, self.red_off) if player is _RED else (self.black, self.black_off)
        if to_place:
            return 0
        return ((glasses & self.fresh) or glasses) & ~self.lost

    def destinations(self, tube: Tube) -> int:
        """Legal destinations of a movable glass in ``tube`` (R2.1)."""
        return NEIGHBOUR_MASKS[tube] & self.vacant

    def has_move(self, player: Player) -> bool:
        """``player`` has a legal move if it is his turn (R2.7)."""
        vacant = self.ruleset.tube_mask & ~(self.red | self.black | self.full)
        glasses = self.movable(player)
        while glasses:
            low = glasses & -glasses
            if _NEAR[low] & vacant:
                return True
            glasses ^= low
        return vacant != 0 and self.to_place(player) > 0

    def move_count(self, player: Player) -> int:
        """The number of legal moves that ``player`` has if it is his turn."""
        vacant = self.ruleset.tube_mask & ~(self.red | self.black | self.full)
        glasses = self.movable(player)
        count = 0
        while glasses:
            low = glasses & -glasses
            count += (_NEAR[low] & vacant).bit_count()
            glasses ^= low
        return count or (vacant.bit_count() if self.to_place(player) else 0)

    def legal_moves(self) -> list[Move]:
        """Every legal move of the player to move, in board order; empty when he must pass or it is over."""
        if self.is_over():
            return []
        vacant = self.vacant
        if self.to_place(self.turn):
            return [Move(None, tube) for tube in tubes_in(vacant)]
        glasses = self.movable(self.turn)
        moves = []
        while glasses:
            low = glasses & -glasses
            moves += [move for to, move in _STEPS[low] if to & vacant]
            glasses ^= low
        return moves

    def why_illegal(self, move: Move) -> Illegality | None:
        """The obstacle to ``move`` by the player to move; None when it is legal (R2.1, R2.3, R2.4, R3, R8).

        Raises:
            MisuseError: ``move`` is no `Move`.
        """
        if not (isinstance(move, Move) and isinstance(move.to_tube, Tube)) or not isinstance(
            move.from_tube, (Tube, NoneType)
        ):
            raise MisuseError(f"{move!r} is no move; allowed: a Move, e.g. Move(Tube.D1, Tube.D2)")
        if self.is_over():
            return Illegality.GAME_OVER
        return self.obstacle(self.turn, move)

    def obstacle(self, player: Player, move: Move) -> Illegality | None:
        """The reason for which ``move`` is not legal for ``player`` on his turn; None when it is."""
        to = 1 << move.to_tube
        if move.from_tube is None:
            if not self.to_place(player):
                return Illegality.NOTHING_TO_PLACE
        else:
            owner = self.owner(move.from_tube)
            if owner is None:
                return Illegality.NO_GLASS
            if owner is not player:
                return Illegality.NOT_YOUR_TURN
            if self.lost >> move.from_tube & 1:
                return Illegality.DEAD_GLASS
            if self.to_place(player):
                return Illegality.MUST_PLACE
            if not self.movable(player) >> move.from_tube & 1:
                return Illegality.ALREADY_MOVED
            if not NEIGHBOUR_MASKS[move.from_tube] & to:
                return Illegality.NOT_ADJACENT
        if not self.ruleset.tube_mask & to:
            return Illegality.NO_TUBE
        if (self.red | self.black) & to:
            return Illegality.OCCUPIED
        return Illegality.FULL if self.full & to else None

    # Playing

    def play(self, move: Move, ring: bool = True) -> Position:
        """The position after ``move``, with its ring dropped when ``ring`` and one is left (R4.1).

        Raises:
            MisuseError: the rules do not allow it; the message says why.
        """
        why = self.why_illegal(move)
        if why is not None:
            raise MisuseError(f"{self.turn} {move} is not legal: {why.value}")
        return self.after(move, ring)

    def after(self, move: Move, ring: bool = True) -> Position:
        """The position after one of `legal_moves`, as `play` makes it, but quickly: nothing is checked."""
        rules, turn, red, black, lost, fresh, full, counts, red_left, black_left, red_off, black_off, history = (
            self
        )
        come, unit, place, capacity = _RING[move.to_tube]
        is_red = turn is _RED
        if move.from_tube is None:
            red, black = (red | come, black) if is_red else (red, black | come)
            red_off, black_off = (red_off - 1, black_off) if is_red else (red_off, black_off - 1)
        else:
            gone = 1 << move.from_tube
            red, black = (red ^ gone | come, black) if is_red else (red, black ^ gone | come)
            fresh &= ~gone
        if ring and (red_left if is_red else black_left):
            counts += unit
            if counts >> place & 255 >= capacity:
                full |= come
            red_left, black_left = (red_left - 1, black_left) if is_red else (red_left, black_left - 1)
            history = ()
        turn = _BLACK if is_red else _RED
        if rules.level == 1:
            history = (*history, (turn, red, black))
        rings = (full, counts, red_left, black_left)
        return tuple.__new__(Position, (rules, turn, red, black, lost, fresh, *rings, red_off, black_off, history))

    def pass_turn(self) -> Position:
        """The position after the player to move has passed (R2.7).

        Raises:
            MisuseError: he has a legal move, or the game is over.
        """
        if self.is_over():
            raise MisuseError(f"{self.turn} cannot pass: {Illegality.GAME_OVER.value}")
        if self.has_move(self.turn):
            raise MisuseError(f"{self.turn} cannot pass: there is a legal move")
        return self.turned_to(self.turn.opponent)

    def moved(self, from_tube: Tube, to_tube: Tube) -> Position:
        """The glass of ``from_tube`` now stands in ``to_tube``; turn and rings as before."""
        gone, come = 1 << from_tube, 1 << to_tube
        is_red = self.red & gone
        red = self.red ^ gone | come if is_red else self.red
        black = self.black if is_red else self.black ^ gone | come
        return self._replace(red=red, black=black, fresh=self.fresh & ~gone)

    def placed(self, player: Player, tube: Tube) -> Position:
        """A glass of ``player`` from off the board now stands in ``tube`` (R8 free start)."""
        if player is _RED:
            return self._replace(red=self.red | 1 << tube, red_off=self.red_off - 1)
        return self._replace(black=self.black | 1 << tube, black_off=self.black_off - 1)

    def ringed(self, tube: Tube, player: Player) -> Position:
        """A ring of ``player`` counts on ``tube``; the count of repetitions starts again (R5.1)."""
        bit, unit, place, capacity = _RING[tube]
        counts = self.counts + unit
        full = self.full | (bit if counts >> place & 255 >= capacity else 0)
        if player is _RED:
            return self._replace(full=full, counts=counts, red_left=self.red_left - 1, history=())
        return self._replace(full=full, counts=counts, black_left=self.black_left - 1, history=())

    def unringed(self, tube: Tube, player: Player) -> Position:
        """A ring of ``player`` on ``tube`` counts no more (R9.7)."""
        bit, unit, _, _ = _RING[tube]
        after = self._replace(full=self.full & ~bit, counts=self.counts - unit)
        if player is _RED:
            return after._replace(red_left=self.red_left + 1)
        return after._replace(black_left=self.black_left + 1)

    def ring_given(self, player: Player) -> Position:
        """One counted ring of the other player's is ``player``'s after all (R9.6)."""
        change = 1 if player is _RED else -1
        return self._replace(red_left=self.red_left - change, black_left=self.black_left + change)

    def turned_to(self, player: Player) -> Position:
        """It is ``player``'s turn now."""
        if self.ruleset.level == 1:
            return self._replace(turn=player, history=(*self.history, (player, self.red, self.black)))
        return self._replace(turn=player)

    def lose(self, tube: Tube) -> Position:
        """The glass in ``tube`` is lost (R6.2)."""
        return self._replace(lost=self.lost | 1 << tube)

    def revive(self, tube: Tube) -> Position:
        """The glass in ``tube`` is not lost after all (R9.6)."""
        return self._replace(lost=self.lost & ~(1 << tube))

    # The end

    def repetitions(self) -> int:
        """The number of times that this position has occurred since a ring was dropped (level 1)."""
        return self.history.count((self.turn, self.red, self.black))

    def is_blocked(self) -> bool:
        """Neither player has a legal move (R5.1)."""
        return not self.has_move(self.turn) and not self.has_move(self.turn.opponent)

    def is_over(self) -> bool:
        """The game has ended, as far as a position without time can tell (R5.1)."""
        return (
            (self.red_left == 0 and self.black_left == 0)
            or (len(self.history) >= 5 and self.repetitions() >= 3)
            or self.is_blocked()
        )

    def result(self) -> Outcome:
        """The winner by rings left if the game were over now (R5.2, R5.3)."""
        if self.red_left != self.black_left:
            winner = _RED if self.red_left < self.black_left else Player.BLACK
            return Outcome(winner, Termination.FEWEST_RINGS)
        return Outcome(None, Termination.SAND if self.ruleset.has_sand else Termination.TIE)

    def outcome(self) -> Outcome | None:
        """The end of the game, None while it goes on (R5)."""
        return self.result() if self.is_over() else None


def perft(depth: int, *, optional_rings: bool = False, position: Position | None = None) -> int:
    """Count the lines of ``depth`` plies from ``position`` (default: the start at level 1).

    A ply is a move with its ring dropped, or (``optional_rings``) dropped or not, or a pass; a finished game has
    no continuation. ``depth`` is 0 or more; the last ply is counted without being played.
    """
    return _lines(position or Position.start(Ruleset(level=1)), depth, optional_rings)


def _lines(position: Position, depth: int, optional_rings: bool) -> int:
    """The lines of ``depth`` plies from ``position``; none is remembered, each is counted."""
    if depth == 0:
        return 1
    if position.is_over():
        return 0
    choices = (True, False) if optional_rings and position.left(position.turn) else (True,)
    if depth == 1:
        return position.move_count(position.turn) * len(choices) or 1  # a pass is a ply, too
    moves = position.legal_moves()
    if not moves:
        return _lines(position.pass_turn(), depth - 1, optional_rings)
    return sum(_lines(position.after(move, ring), depth - 1, optional_rings) for move in moves for ring in choices)
