"""A player's choice of moves: he keeps his glasses alive, and himself more mobile than the other."""

from random import Random

from tamsk_hw.game.position import Move, Position
from tamsk_hw.game.tubes import CAPACITY, Player, Tube
from tamsk_hw.simulator.glasses import WorldGlass
from tests.players.table import Table

#: A glass with less sand than this (seconds) makes its owner uneasy.
UNEASY = 50.0


def possible_moves(
    table: Table, player: Player, *, sand_margin: float, glass: WorldGlass | None = None
) -> list[Move]:
    """The legal moves of ``player`` (of his ``glass`` alone, if given) that he would make with his eyes open.

    Left out are glasses with less than ``sand_margin`` seconds left, and tubes that are not free to enter:
    something there is to be put right, or a hand is on its way there.
    """
    position = table.position
    if position.turn is not player:
        position = position.turned_to(player)
    if position.history:
        # a repeated position ends the game only once the move is started (R5.1): to the player it is as any other
        position = position._replace(history=())
    shunned = table.wrong_tubes() | table.under_hand_of(player.opponent)
    moves = []
    for move in position.legal_moves():
        if move.to_tube in shunned or not table.world.can_seat(move.to_tube):
            continue
        if move.from_tube is not None:
            mover = table.glass_of(move.from_tube)
            if mover is None or (glass is not None and mover is not glass) or mover in table.ruled_lost:
                continue
            in_hand = mover in table.grips
            if not in_hand and (move.from_tube in shunned or not table.stands_right(mover)):
                continue
            # what counts for a glass in the hand is the sand it had when it was lifted (R6.3)
            runs = table.ruleset.has_sand and not position.fresh >> move.from_tube & 1 and not in_hand
            if runs and mover.upper_seconds(table.world.now) < sand_margin:
                continue
        moves.append(move)
    return moves


def best_move(table: Table, player: Player, moves: list[Move], chance: Random, *, careless: bool) -> Move:
    """The move that leaves ``player`` best off; ``careless``: without a look at the sand. Ties are drawn."""
    sand: dict[Tube, tuple[float, float]] = {}
    if table.ruleset.has_sand and not careless:
        for glass in table.own(player):
            home = table.belongs[glass]
            if home is not None and not table.position.lost >> home & 1:
                sand[home] = glass.upper_seconds(table.world.now), glass.lower_seconds(table.world.now)
    fresh = table.position.fresh

    def uneasiness(moved: Tube | None) -> float:
        total = 0.0
        for home, (upper, lower) in sand.items():
            if home is not moved and fresh >> home & 1:
                continue
            seconds = lower if home is moved else upper
            if seconds < UNEASY:
                total += 7.0 * (1.0 - seconds / UNEASY)
        return total

    best, best_value = moves[0], float("-inf")
    for move in moves:
        after = _after(table.position, player, move)
        value = after.move_count(player) - after.move_count(player.opponent) - uneasiness(move.from_tube)
        value += chance.uniform(0.0, 1.5)
        if value > best_value:
            best, best_value = move, value
    return best


def _after(position: Position, player: Player, move: Move) -> Position:
    if move.from_tube is None:
        after = position.placed(player, move.to_tube)
    else:
        after = position.moved(move.from_tube, move.to_tube)
    return after.ringed(move.to_tube, player) if after.left(player) else after


def best_penalty_tube(table: Table, player: Player, chance: Random) -> Tube | None:
    """The tube in which a penalty ring (R7.6) hurts the other most; None when no tube is free for it."""
    position, shunned = table.position, table.wrong_tubes() | table.under_hand_of(player.opponent)
    # where a move's ring is missing, it would be taken for that
    shunned.update(entered.tube for entered in table.entered.values() if entered.ring is None)
    best, best_value = None, float("-inf")
    for tube in table.ruleset.tubes:
        if position.rings[tube] >= CAPACITY[tube] or tube in shunned or not table.world.can_drop(tube):
            continue
        after = position.ringed(tube, player)
        value = after.move_count(player) - after.move_count(player.opponent) + chance.uniform(0.0, 0.9)
        if value > best_value:
            best, best_value = tube, value
    return best
