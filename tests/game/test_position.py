"""The move rules as a library: R1 to R5 as far as they need no clock."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tamsk_hw.errors import MisuseError
from tamsk_hw.game import Illegality, Move, Player, Position, Ruleset, Termination, Tube
from tamsk_hw.game.position import Outcome, perft
from tamsk_hw.game.ruleset import Start
from tamsk_hw.game.tubes import CAPACITY, NEIGHBOURS, TUBES, tubes_in
from tests.game.slow_perft import slow_perft
from tests.soak import in_soak

LEVEL_1 = Ruleset(level=1)


def go(text: str) -> Move:
    """``"D1-D2"`` as a move; ``"-D2"`` places a glass."""
    left, right = text.split("-")
    return Move(Tube[left] if left else None, Tube[right])


def line(position: Position, *moves: str) -> Position:
    for text in moves:
        position = position.play(go(text.rstrip("°")), ring=not text.endswith("°"))
    return position


@pytest.mark.parametrize(("depth", "lines"), [(0, 1), (1, 9), (2, 81), (3, 858), (4, 8994), (5, 100146)])
def test_perft_with_rings_always(depth: int, lines: int) -> None:
    assert perft(depth) == lines


@pytest.mark.slow
def test_perft_to_depth_six() -> None:
    assert perft(6) == 1102410


@pytest.mark.parametrize(("depth", "lines"), [(1, 18), (2, 324), (3, 6864)])
def test_perft_with_rings_optional(depth: int, lines: int) -> None:
    assert perft(depth, optional_rings=True) == lines


@pytest.mark.parametrize(("depth", "optional"), [(4, False), (3, True)])
def test_perft_agrees_with_a_slow_count_from_the_text_of_the_rules(depth: int, optional: bool) -> None:
    assert perft(depth, optional_rings=optional) == slow_perft(depth, optional)


@settings(max_examples=in_soak(400, otherwise=40), deadline=None)
@given(st.randoms(use_true_random=False), st.integers(0, 80), st.booleans())
def test_perft_agrees_with_the_slow_count_anywhere_in_a_game(random: Any, plies: int, optional: bool) -> None:
    """Late in a game there are passes, players without rings, repetitions and ends."""
    position = Position.start(LEVEL_1)._replace(red_left=random.randint(0, 32), black_left=random.randint(0, 32))
    for _ in range(plies):
        if position.is_over():
            break
        moves = position.legal_moves()
        position = position.play(random.choice(moves), random.random() < 0.8) if moves else position.pass_turn()
    names = {Player.RED: "red", Player.BLACK: "black"}

    def glasses(red: int, black: int) -> dict[str, str]:
        return {**{str(tube): "red" for tube in tubes_in(red)}, **{str(tube): "black" for tube in tubes_in(black)}}

    slow = slow_perft(
        2,
        optional,
        names[position.turn],
        glasses(position.red, position.black),
        {str(tube): count for tube, count in zip(TUBES, position.rings, strict=True)},
        {"red": position.red_left, "black": position.black_left},
        [(names[player], glasses(red, black)) for player, red, black in position.history],
    )
    assert perft(2, optional_rings=optional, position=position) == slow


def test_perft_of_a_glass_alone_counted_by_hand() -> None:
    """Red has one glass, on A1 of the three edge tubes A1-A2-A3; black has none and passes."""
    board = Ruleset(level=1, start=Start.FREE, tubes=(Tube.A1, Tube.A2, Tube.A3))
    position = Position(board, Player.RED, red=1 << Tube.A1)
    # To A2; a pass; to A1 or A3: then A2, with its ring, is full and the game over.
    assert [perft(depth, position=position) for depth in range(6)] == [1, 1, 1, 2, 0, 0]
    # Each move with its ring or without. A2 without a ring can be entered again, from A1 and from A3.
    optional = [perft(depth, optional_rings=True, position=position) for depth in range(6)]
    assert optional == [1, 2, 2, 8, 4, 8]
    # Who has no ring left drops none.
    assert perft(1, optional_rings=True, position=position._replace(red_left=0)) == 1


def test_a_move_is_written_with_an_arrow() -> None:
    assert str(go("D1-D2")) == "D1→D2"
    assert str(go("-D2")) == "→D2"


def test_r4_1_a_move_is_played_with_its_ring_unless_it_is_said() -> None:
    start = Position.start(LEVEL_1)
    assert start.play(go("D1-D2")).left(Player.RED) == 31
    assert start.play(go("D1-D2"), ring=False).left(Player.RED) == 32


def test_a_game_is_of_level_3_unless_it_is_said() -> None:
    assert Position.start() == Position.start(Ruleset(level=3))


def test_r1_1_neighbours() -> None:
    assert {tube.name for tube in NEIGHBOURS[Tube.F1]} == {"E1", "E2", "F2", "G1"}
    assert {tube.name for tube in NEIGHBOURS[Tube.D4]} == {"C3", "C4", "D3", "D5", "E3", "E4"}
    assert all(tube in NEIGHBOURS[near] for tube in TUBES for near in NEIGHBOURS[tube])
    assert sum(map(len, NEIGHBOURS)) == 2 * 90  # 37 tubes on a hexagon of side 4 have 90 contacts


def test_r1_2_capacities() -> None:
    assert sorted(CAPACITY) == [1] * 18 + [2] * 12 + [3] * 6 + [4]
    assert CAPACITY[Tube.D4] == 4


def test_wikipedia_four_turns() -> None:
    position = line(Position.start(LEVEL_1), "D1-D2", "G1-F1")
    assert position.is_full(Tube.F1)
    assert not position.is_full(Tube.D2)
    position = line(position, "D2-E2")
    black = {move.to_tube.name for move in position.legal_moves() if move.from_tube is Tube.F1}
    assert black == {"F2", "G1", "E1"}
    assert position.why_illegal(go("F1-E2")) is Illegality.OCCUPIED
    assert line(position, "F1-E1").is_full(Tube.E1)


@pytest.mark.parametrize(
    ("moves", "move", "why"),
    [
        ((), "G1-F1", Illegality.NOT_YOUR_TURN),
        ((), "D4-D5", Illegality.NO_GLASS),
        ((), "D1-D3", Illegality.NOT_ADJACENT),
        ((), "-D3", Illegality.NOTHING_TO_PLACE),
        (("D1-D2", "G1-F1", "D2-E2"), "F1-E2", Illegality.OCCUPIED),
        (("D1-E1", "G1-G2"), "E1-D1", None),
        (("D1-E1", "G1-F1", "E1-E2", "D7-D6", "E2-E3"), "F1-E1", Illegality.FULL),
    ],
)
def test_why_a_move_is_not_legal(moves: tuple[str, ...], move: str, why: Illegality | None) -> None:
    position = line(Position.start(LEVEL_1), *moves)
    assert position.why_illegal(go(move)) is why
    if why is not None:
        with pytest.raises(MisuseError, match=why.value):
            position.play(go(move))


@pytest.mark.parametrize(
    "move",
    [
        None,
        "D1-D2",
        (Tube.D1, Tube.D2),
        Move("D1", Tube.D2),  # type: ignore[arg-type]
        Move(15, Tube.D2),  # type: ignore[arg-type]
        Move(Tube.D1, 16),  # type: ignore[arg-type]
        Move(Tube.D1, None),  # type: ignore[arg-type]
    ],
)
def test_what_is_no_move_is_refused(move: Any) -> None:
    with pytest.raises(MisuseError, match=r"is no move; allowed: a Move, e\.g\. Move\(Tube\.D1, Tube\.D2\)$"):
        Position.start(LEVEL_1).play(move)


def test_what_is_no_ruleset_is_refused() -> None:
    with pytest.raises(MisuseError, match=r"a position starts from 3; allowed: a Ruleset$"):
        Position.start(3)  # type: ignore[arg-type]


def test_r2_3_a_lost_glass_does_not_move() -> None:
    position = Position.start(LEVEL_1).lose(Tube.D1)
    assert position.why_illegal(go("D1-D2")) is Illegality.DEAD_GLASS
    assert position.revive(Tube.D1).why_illegal(go("D1-D2")) is None


def test_r2_4_first_three_turns_move_each_glass_once() -> None:
    position = line(Position.start(Ruleset(level=2)), "D1-D2", "G1-F1")
    assert position.why_illegal(go("D2-D3")) is Illegality.ALREADY_MOVED
    position = line(position, "G4-G3", "D7-D6", "A4-A3", "A1-B1")
    assert position.why_illegal(go("D2-D3")) is None


def test_r2_7_a_pass_needs_a_reason() -> None:
    with pytest.raises(MisuseError, match=r"^red cannot pass: there is a legal move$"):
        Position.start(LEVEL_1).pass_turn()
    stuck = Position.start(LEVEL_1).lose(Tube.D1).lose(Tube.G4).lose(Tube.A4)
    assert stuck.legal_moves() == []
    assert stuck.outcome() is None
    assert stuck.pass_turn().turn is Player.BLACK


@pytest.mark.parametrize(
    ("red_left", "black_left", "over"),
    [(0, 0, True), (1, 0, False), (0, 1, False), (2, 0, False), (0, 2, False), (1, 1, False)],
)
def test_r5_1_over_when_nobody_has_a_ring_left(red_left: int, black_left: int, over: bool) -> None:
    position = Position.start()._replace(red_left=red_left, black_left=black_left)
    assert position.is_over() is over


def test_r5_1_third_repetition_ends_level_one() -> None:
    there_and_back = ("D1-D2°", "G1-F1°", "D2-D1°", "F1-G1°")
    position = line(Position.start(LEVEL_1), *there_and_back)
    assert position.outcome() is None
    position = line(position, *there_and_back)
    assert position.outcome() is not None
    assert position.outcome().termination is Termination.TIE  # type: ignore[union-attr]
    assert position.legal_moves() == []
    with pytest.raises(MisuseError, match=r"^red D1→D2 is not legal: the game is over$"):
        position.play(go("D1-D2"))
    with pytest.raises(MisuseError, match=r"^red cannot pass: the game is over$"):
        position.pass_turn()


def test_r5_1_a_ring_begins_the_count_afresh() -> None:
    there_and_back = ("D1-D2°", "G1-F1°", "D2-D1°", "F1-G1°")
    position = line(Position.start(LEVEL_1), *there_and_back, "D1-D2", "G1-F1°", "D2-D1°", "F1-G1°")
    assert position.outcome() is None


def test_r5_1_a_ring_of_blacks_begins_the_count_afresh_too() -> None:
    there_and_back = ("D1-D2°", "G1-F1°", "D2-D1°", "F1-G1°")
    position = line(Position.start(LEVEL_1), *there_and_back, "D1-D2°", "G1-F1", "D2-D1°", "F1-G1°")
    assert position.outcome() is None


def test_r5_2_the_fewest_rings_left_win() -> None:
    start = Position.start()
    assert start._replace(red_left=3, black_left=5).result() == Outcome(Player.RED, Termination.FEWEST_RINGS)
    assert start._replace(red_left=5, black_left=3).result() == Outcome(Player.BLACK, Termination.FEWEST_RINGS)
    assert start.result() == Outcome(None, Termination.SAND)


def test_r8_free_start_places_first() -> None:
    position = Position.start(Ruleset(level=3, start=Start.FREE))
    assert len(position.legal_moves()) == 37
    position = line(position, "-D4", "-C3")
    assert position.why_illegal(go("D4-D5")) is Illegality.MUST_PLACE
    assert position.why_illegal(go("-D4")) is Illegality.OCCUPIED
    position = line(position, "-A1", "-A2", "-A3", "-A4")
    assert position.to_place(Player.RED) == 0
    assert position.why_illegal(go("D4-D5")) is None


def test_r8_no_glass_moves_before_all_stand() -> None:
    position = line(Position.start(Ruleset(start=Start.FREE)), "-A1", "-G4")
    assert position.movable(Player.RED) == position.movable(Player.BLACK) == 0


@pytest.mark.parametrize("last", list(Tube), ids=str)
def test_r8_one_vacant_tube_is_enough_to_place(last: Tube) -> None:
    position = Position.start(Ruleset(start=Start.FREE, tubes=(last,)))
    assert position.has_move(Player.RED)
    assert position.move_count(Player.RED) == 1
    assert not position.placed(Player.RED, last).has_move(Player.BLACK)


@settings(max_examples=in_soak(600, otherwise=25))
@given(st.randoms(use_true_random=False), st.sampled_from([1, 2, 3]), st.sampled_from(list(Start)))
def test_whole_games_keep_the_board_possible(random: object, level: int, start: Start) -> None:
    position = Position.start(Ruleset(level=level, start=start))
    choose = random.choice  # type: ignore[attr-defined]
    for _ in range(200):
        if position.outcome() is not None:
            break
        moves = position.legal_moves()
        assert all(position.why_illegal(move) is None for move in moves)
        assert len(moves) == position.move_count(position.turn)
        assert bool(moves) == position.has_move(position.turn)
        if moves:
            move, ring = choose(moves), choose([True, True, False])
            assert position.after(move, ring) == _by_steps(position, move, ring)
            position = position.play(move, ring)
        else:
            position = position.pass_turn()
        assert not position.red & position.black
        assert position.red.bit_count() + position.red_off == position.black.bit_count() + position.black_off == 3
        assert sum(position.rings) == 64 - position.red_left - position.black_left
        assert all(position.rings[tube] <= CAPACITY[tube] for tube in TUBES)
        assert all(position.is_full(tube) == (position.rings[tube] == CAPACITY[tube]) for tube in TUBES)


def _by_steps(position: Position, move: Move, ring: bool) -> Position:
    """The position after ``move``, made by the referee's steps."""
    player = position.turn
    if move.from_tube is None:
        after = position.placed(player, move.to_tube)
    else:
        after = position.moved(move.from_tube, move.to_tube)
    if ring and position.left(player):
        after = after.ringed(move.to_tube, player)
    return after.turned_to(player.opponent)


def test_a_ring_taken_back_leaves_what_was_before() -> None:
    before = line(Position.start(Ruleset(level=2)), "D1-D2", "G1-F1°")
    filled = before.ringed(Tube.F1, Player.BLACK)
    assert filled.is_full(Tube.F1)
    assert filled.rings[Tube.F1] == filled.rings[Tube.D2] == 1
    assert filled.unringed(Tube.F1, Player.BLACK) == before
