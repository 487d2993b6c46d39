"""The search: it finds what trying everything finds, keeps to its nodes, and knows what sand does."""

from random import Random

import pytest

from tamsk_hw.game.position import Move, Position
from tamsk_hw.game.ruleset import Ruleset, Start
from tamsk_hw.game.tubes import PLAYERS, Player, Tube, tubes_in
from tamsk_hw.partner.search import Search, SearchStart
from tests.partner.views import placed
from tests.soak import in_soak

RED, BLACK = Player.RED, Player.BLACK
PACES = {RED: 6.0, BLACK: 6.0}

#: The centre and its neighbours, and three tubes of the edge between them.
SMALL = tuple(Tube[name] for name in ["C3", "C4", "D3", "D4", "D5", "E3", "E4", "D2", "C2"])


def worth(position: Position) -> int:
    """Rings by which red wins if both play best and drop every ring: everything is tried."""
    if position.is_over():
        return position.black_left - position.red_left
    moves = position.legal_moves()
    if not moves:
        return worth(position.pass_turn())
    values = [worth(position.play(move)) for move in moves]
    return max(values) if position.turn is RED else min(values)


def small_position(chance: Random) -> Position:
    """Two glasses each on nine tubes, of which some rings fill all but a few."""
    position = Position.start(Ruleset(level=1, start=Start.FREE, tubes=SMALL))
    tubes = chance.sample(SMALL, 4)
    position = position._replace(
        turn=chance.choice(PLAYERS),
        red=1 << tubes[0] | 1 << tubes[1],
        black=1 << tubes[2] | 1 << tubes[3],
        red_off=0,
        black_off=0,
        history=(),
    )
    while sum(position.rings) < 18:
        tube = chance.choice([tube for tube in SMALL if not position.is_full(tube)])
        position = position.ringed(tube, chance.choice(PLAYERS))
    lead = chance.randint(-1, 1)
    position = position._replace(red_left=20, black_left=20 + lead)
    return position if position.legal_moves() else small_position(chance)


@pytest.mark.parametrize("seed", range(in_soak(600, otherwise=60)))
def test_small_positions_are_played_as_trying_everything_would(seed: int) -> None:
    """A game that can be won is won, one that can be tied is not lost; by how many rings is all the same."""
    position = small_position(Random(seed))
    sign = 1 if position.turn is RED else -1
    values = {move: sign * worth(position.play(move)) for move in position.legal_moves()}
    best = max(values.values())
    chosen = values[Search(SearchStart(position), 200_000).best().moves[0][0]]
    assert (chosen > 0, chosen >= 0) == (best > 0, best >= 0)


@pytest.mark.parametrize("seed", range(in_soak(300, otherwise=30)))
def test_no_more_positions_are_looked_at_than_is_said(seed: int) -> None:
    chance = Random(seed)
    nodes = chance.randint(1, 400)
    position = Position.start(Ruleset(level=chance.choice([1, 2, 3])))
    for _ in range(chance.randint(0, 40)):
        moves = position.legal_moves()
        position = position.play(chance.choice(moves)) if moves else position.pass_turn()
    before = SearchStart(position, {}, paces=PACES)
    found, again = (Search(before, nodes, chance=Random(7)).best() for _ in range(2))
    assert found.nodes <= nodes
    assert {move for move, _ in found.moves} == set(position.legal_moves())
    assert found == again


def open_board(red: str, black: str) -> Position:
    return placed(Position.start(Ruleset(level=2)), red, black)


def test_a_glass_that_runs_out_before_a_hand_is_there_is_given_up() -> None:
    """With 0.5 s of sand one glass is past help; the other, with 8 s, is not, if it is turned now."""
    position = open_board("B3 D4 F3", "A1 G1 D7")
    sand = dict.fromkeys(tubes_in(position.red | position.black), 100.0)
    sand |= {Tube.B3: 0.5, Tube.F3: 8.0}
    move = Search(SearchStart(position, sand, first=2.0, paces=PACES), 2000).best().moves[0][0]
    assert move.from_tube is Tube.F3


def test_a_glass_just_turned_is_not_turned_back_with_little_above() -> None:
    """Turned after 3 s, a glass would have 3 s above, and the next turn is 12 s away (R6.1)."""
    position = open_board("B3 D4 F3", "A1 G1 D7")
    sand = dict.fromkeys(tubes_in(position.red | position.black), 100.0)
    sand |= {Tube.D4: 177.0}
    move = Search(SearchStart(position, sand, first=0.0, paces=PACES), 2000).best().moves[0][0]
    assert move.from_tube is not Tube.D4


def test_equal_rings_are_decided_by_the_glass_that_runs_longest() -> None:
    """R5.3: red has one move, which ends play; it decides which of two tubes, and the sand is all that counts."""
    board = Ruleset(level=2, start=Start.FREE, tubes=(Tube.A1, Tube.A2, Tube.G4))
    position = Position(board, RED, red=1 << Tube.A1, black=1 << Tube.G4, red_left=1, black_left=0)
    longer = Search(SearchStart(position, {Tube.A1: 100.0, Tube.G4: 60.0}, paces=PACES), 50).best().moves[0][1]
    shorter = Search(SearchStart(position, {Tube.A1: 100.0, Tube.G4: 90.0}, paces=PACES), 50).best().moves[0][1]
    assert longer > 0 > shorter  # turned over, red's glass has 80 s above


def test_a_move_is_found_where_only_one_is_legal() -> None:
    board = Ruleset(level=1, start=Start.FREE, tubes=(Tube.A1, Tube.A2))
    position = Position(board, RED, red=1 << Tube.A1)
    assert Search(SearchStart(position), 1).best().moves[0][0] == Move(Tube.A1, Tube.A2)
