"""The ruleset: the tubes of the board, and the start that they allow (R1.3, R8)."""

from dataclasses import replace
from typing import Any

import pytest

from tamsk_hw.errors import ConfigError
from tamsk_hw.game import Illegality, Move, Position, Ruleset, Tube
from tamsk_hw.game.position import perft
from tamsk_hw.game.ruleset import Start, missing_corners
from tamsk_hw.game.tubes import ALL_TUBES, TUBES

SEVEN = (Tube.C3, Tube.C4, Tube.D3, Tube.D4, Tube.D5, Tube.E3, Tube.E4)


def seven(level: int = 1) -> Ruleset:
    return Ruleset(level=level, start=Start.FREE, tubes=SEVEN)


def placed(*names: str) -> Position:
    """Red, black, red, … place glasses there, without rings."""
    position = Position.start(seven())
    for name in names:
        position = position.play(Move(None, Tube[name]), ring=False)
    return position


def test_a_board_has_all_tubes_unless_it_is_said() -> None:
    assert Ruleset().tubes == TUBES
    assert Ruleset().tube_mask == ALL_TUBES
    assert Ruleset() == Ruleset(tubes=TUBES)


def test_tubes_are_in_board_order_however_they_are_given() -> None:
    rules = Ruleset(start=Start.FREE, tubes=SEVEN[::-1])
    assert rules == Ruleset(start=Start.FREE, tubes=SEVEN)
    assert rules.tubes == SEVEN
    assert rules.tube_mask == sum(1 << tube for tube in SEVEN)
    assert replace(rules, level=1).tubes == SEVEN


@pytest.mark.parametrize("tubes", [(), (Tube.D4, Tube.D4), (Tube.D4, 19), ("D4",)])
def test_tubes_that_cannot_be_are_refused(tubes: tuple[Tube, ...]) -> None:
    with pytest.raises(ConfigError, match=r"ruleset: tubes is .*; allowed: tubes, one or more, each once"):
        Ruleset(start=Start.FREE, tubes=tubes)


@pytest.mark.parametrize("tubes", [5, True, Tube.D4, [[1]], iter([Tube.D4]), "D4", None])
def test_what_is_no_list_of_tubes_is_refused(tubes: Any) -> None:
    with pytest.raises(ConfigError, match="ruleset: tubes is"):
        Ruleset(start=Start.FREE, tubes=tubes)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("level", 4, "level is 4; allowed: 1, 2, 3"),
        ("level", 0, "level is 0; allowed: 1, 2, 3"),
        ("level", True, "level is True; allowed: 1, 2, 3"),
        ("late_penalty", "two_rings", 'late_penalty is "two_rings"; allowed: a LatePenalty'),
        ("start", "free", 'start is "free"; allowed: a Start'),
        ("forfeit_penalised", 1, "forfeit_penalised is 1; allowed: a bool"),
        ("timer_side", "left", 'timer_side is "left"; allowed: a TimerSide or None'),
        ("ring_window", -1, "ring_window is -1; allowed: a number of seconds, 0 or more"),
        ("penalty_window", "5", 'penalty_window is "5"; allowed: a number of seconds, 0 or more'),
        ("final_window", 1e16, "final_window is 1e+16; allowed: a number of seconds, 0 or more"),
        ("settle", None, "settle is None; allowed: a number of seconds, 0 or more"),
    ],
)
def test_a_value_that_cannot_be_is_refused(key: str, value: Any, message: str) -> None:
    with pytest.raises(ConfigError) as refused:
        Ruleset(**{key: value})
    assert str(refused.value) == f"ruleset: {message}"


@pytest.mark.parametrize("window", ["ring_window", "penalty_window", "final_window", "settle"])
def test_a_window_may_have_any_length(window: str) -> None:
    assert getattr(Ruleset(**{window: 0}), window) == 0
    assert getattr(Ruleset(**{window: 1e15}), window) == 1e15


def test_a_start_from_the_corners_needs_all_six() -> None:
    assert missing_corners(TUBES) == []
    assert missing_corners(SEVEN) == [Tube.A1, Tube.A4, Tube.D1, Tube.D7, Tube.G1, Tube.G4]
    with pytest.raises(ConfigError, match='start is "corners"; allowed: "free", as the board has no A1, A4, D1'):
        Ruleset(tubes=SEVEN)
    most = tuple(tube for tube in TUBES if tube is not Tube.G4)
    with pytest.raises(ConfigError, match=r'"free", as the board has no G4$'):
        Ruleset(tubes=most)
    assert Ruleset(tubes=tuple(tube for tube in TUBES if tube is not Tube.D4)).start is Start.CORNERS


def test_glasses_are_placed_in_the_boards_tubes_alone() -> None:
    position = Position.start(seven())
    assert [move.to_tube for move in position.legal_moves()] == list(SEVEN)
    assert position.why_illegal(Move(None, Tube.A1)) is Illegality.NO_TUBE
    # Seven tubes, then six, then five: each glass takes one.
    assert [perft(depth, position=position) for depth in (1, 2, 3)] == [7, 7 * 6, 7 * 6 * 5]


def test_a_glass_moves_to_the_boards_tubes_alone() -> None:
    position = placed("C3", "E4", "C4", "E3", "D5", "D3")
    # Each of red's three glasses touches the one tube that is free.
    assert {(str(move.from_tube), str(move.to_tube)) for move in position.legal_moves()} == {
        ("C3", "D4"),
        ("C4", "D4"),
        ("D5", "D4"),
    }
    assert position.why_illegal(Move(Tube.C3, Tube.B2)) is Illegality.NO_TUBE
    assert position.why_illegal(Move(Tube.C3, Tube.A1)) is Illegality.NOT_ADJACENT


def test_who_has_no_tube_to_go_to_passes() -> None:
    position = placed("C3", "E4", "C4", "E3", "D5", "D3").play(Move(Tube.C4, Tube.D4), ring=False)
    # C4 touches C3, D4 and D5 of the seven: red's, all of them.
    assert position.legal_moves() == []
    assert not position.is_over()
    assert position.pass_turn().legal_moves() != []


def test_a_game_on_seven_tubes_comes_to_its_end() -> None:
    position = Position.start(seven())
    for _ in range(200):
        if position.is_over():
            break
        moves = position.legal_moves()
        position = position.play(moves[0]) if moves else position.pass_turn()
    assert position.is_over()
    assert all(not position.rings[tube] for tube in TUBES if tube not in SEVEN)
