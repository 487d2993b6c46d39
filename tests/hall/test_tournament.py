"""Tournaments: results, round robin, knock-out, rounds by hand, and what the next round lacks."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import pytest
from caissify_pairings.engines.round_robin import berger_round
from hypothesis import given
from hypothesis import strategies as st

from tamsk_hw.errors import HallError
from tamsk_hw.game import Player
from tamsk_hw.hall.tournament import (
    Pairing,
    Result,
    Side,
    System,
    Tournament,
    dealt,
    next_round,
    round_by_hand,
    with_pairings,
)
from tests.hall.tournaments import (
    BLACK_ABSENT,
    BLACK_WINS,
    BOTH_ABSENT,
    RED_WINS,
    TIE,
    of_size,
    pairs,
    tournament,
    with_results,
    with_round,
    without,
)

FOUR = tournament(System.SWISS, ["Ann", "Bob", "Cid", "Dan"])


def played_out(now: Tournament) -> Tournament:
    """The tournament to its end, always won by the better seed."""
    while next_round(now):
        now = with_results(now, lambda each: RED_WINS if int(each.red) < int(each.black or 0) else BLACK_WINS)
    return now


def met(now: Tournament) -> Counter[frozenset[str]]:
    """How often each pair met."""
    return Counter(frozenset((each.red, each.black)) for each in now.pairings if each.black is not None)


def everybody_once(now: Tournament) -> Counter[frozenset[str]]:
    return Counter(map(frozenset, combinations([each.name for each in now.entrants], 2)))


def byes(now: Tournament) -> Counter[str]:
    return Counter(each.red for each in now.pairings if each.black is None)


# --- Values ---


def test_a_name_stands_for_one_entrant() -> None:
    with pytest.raises(HallError, match=r"^2 entrants are called Ann\.$"):
        tournament(System.SWISS, ["Ann", "Bob", "Ann"])
    with pytest.raises(HallError, match=r"^An entrant has no name\.$"):
        tournament(System.SWISS, ["Ann", ""])


@pytest.mark.parametrize(("red", "black"), [(33, 0), (0, -1), (5, None), (None, 5)])
def test_rings_left_are_0_to_32_for_both(red: int | None, black: int | None) -> None:
    with pytest.raises(HallError, match=r"^Rings left: 0 to 32 for both players, or none for both\.$"):
        Result(None, red, black)


@pytest.mark.parametrize(
    ("result", "points", "rings"),
    [
        (Result(Player.RED, 0, 32), (1, 0), (32, -32)),
        (Result(Player.BLACK, 9, 9), (0, 1), (0, 0)),  # by sand
        (Result(None, 9, 9), (0.5, 0.5), (0, 0)),
    ],
)
def test_a_game_gives_points_and_a_ring_difference(
    result: Result, points: tuple[float, float], rings: tuple[int, int]
) -> None:
    assert Pairing(1, 1, "Ann", "Bob", result).sides() == (
        Side("Ann", Player.RED, Fraction(points[0]), "Bob", rings[0]),
        Side("Bob", Player.BLACK, Fraction(points[1]), "Ann", rings[1]),
    )


def test_a_forfeit_is_a_win_without_a_game() -> None:
    won, lost = Side("Ann", Player.RED, Fraction(1)), Side("Bob", Player.BLACK, Fraction(0))
    assert Pairing(1, 1, "Ann", "Bob", BLACK_ABSENT).sides() == (won, lost)
    assert Pairing(1, 1, "Ann", "Bob", BOTH_ABSENT).sides() == (replace(won, points=Fraction(0)), lost)


def test_a_bye_is_a_win() -> None:
    assert Pairing(1, 1, "Ann").sides() == (Side("Ann", Player.RED, Fraction(1)),)
    assert Pairing(1, 1, "Ann").winner == "Ann"


# --- Round robin ---


def test_four_play_by_the_table_of_berger() -> None:
    """FIDE Handbook C.05, annex 1: three or four players; here the best seeds have the first table."""
    now = played_out(of_size(System.ROUND_ROBIN, 4))
    assert pairs(now.pairings) == [("1", "4"), ("2", "3"), ("1", "2"), ("4", "3"), ("3", "1"), ("2", "4")]
    assert [(each.round, each.table) for each in now.pairings] == [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (3, 2)]


@pytest.mark.parametrize("size", range(2, 17, 2))
def test_a_round_robin_follows_the_tables_of_berger(size: int) -> None:
    now = of_size(System.ROUND_ROBIN, size)
    for number in range(1, size):
        new = next_round(now)
        assert {(int(each.red), int(each.black or 0)) for each in new} == {*berger_round(size, number)}
        now = with_round(now, new, *[TIE] * len(new))
    assert next_round(now) == ()


@pytest.mark.parametrize("size", range(2, 14))
def test_everybody_meets_everybody_with_colours_even(size: int) -> None:
    now = played_out(of_size(System.ROUND_ROBIN, size))
    assert met(now) == everybody_once(now)
    for each in now.entrants:
        colours = Counter(s.colour for p in now.pairings for s in p.sides() if s.name == each.name and s.opponent)
        assert abs(colours[Player.RED] - colours[Player.BLACK]) == (size - 1) % 2
    assert byes(now) == ({each.name: 1 for each in now.entrants} if size % 2 else {})


def test_a_bye_is_last_in_the_list() -> None:
    assert pairs(next_round(of_size(System.ROUND_ROBIN, 3))) == [("2", "3"), ("1", None)]


@given(st.data(), st.integers(3, 9), st.integers(0, 3))
def test_everybody_meets_everybody_after_rounds_by_hand_too(data: st.DataObject, size: int, before: int) -> None:
    now = of_size(System.ROUND_ROBIN, size)
    for _ in range(before):
        now = with_results(now, lambda _: TIE)
    everyone = data.draw(st.permutations(now.active))
    chosen = [each for each in zip(everyone[::2], everyone[1::2], strict=False) if frozenset(each) not in met(now)]
    new = round_by_hand(now, chosen)
    now = played_out(with_round(now, new, *[TIE] * len(new)))
    assert met(now) == everybody_once(now)


@given(st.data(), st.integers(3, 9))
def test_a_round_robin_makes_up_for_the_games_against_a_withdrawn_entrant(data: st.DataObject, size: int) -> None:
    """Each of the others has as many games and byes as without the withdrawal."""
    now = of_size(System.ROUND_ROBIN, size)
    for _ in range(data.draw(st.integers(0, size - 2))):
        now = with_results(now, lambda _: TIE)
    gone, played = data.draw(st.sampled_from(now.active)), len(now.pairings)
    now = played_out(without(now, gone))
    assert not any(gone in (each.red, each.black) for each in now.pairings[played:])
    for name in now.active:
        parts = sum(name in (each.red, each.black) for each in now.pairings)
        assert parts == size - 1 + size % 2
    assert now.rounds == size - 1 + size % 2


# --- Knock-out ---


def test_the_first_seeds_have_byes_up_to_the_next_power_of_two() -> None:
    now = tournament(System.KNOCK_OUT, ["Ann", "Bob", "Cid", "Dan", "Eve", "Fay"])
    first = next_round(now)
    assert pairs(first) == [("Ann", None), ("Bob", None), ("Cid", "Fay"), ("Eve", "Dan")]
    now = with_round(now, first, BLACK_WINS, RED_WINS)
    assert pairs(next_round(now)) == [("Ann", "Eve"), ("Fay", "Bob")]  # Ann had no colour, Eve red, Fay black


@pytest.mark.parametrize("size", range(2, 20))
def test_the_first_two_seeds_meet_in_the_final(size: int) -> None:
    now = played_out(of_size(System.KNOCK_OUT, size))
    rounds = (size - 1).bit_length()
    assert now.rounds == rounds
    [final] = [each for each in now.pairings if each.round == rounds]
    assert {final.red, final.black} == {"1", "2"}
    assert final.winner == "1"
    assert len(met(now)) == size - 1
    assert [*byes(now)] == [str(seed) for seed in range(1, 2**rounds - size + 1)]
    assert {each.round for each in now.pairings if each.black is None} <= {1}


def test_a_tied_knock_out_game_is_played_again() -> None:
    before = tournament(System.KNOCK_OUT, ["Ann", "Bob", "Cid", "Dan"])
    first = next_round(before)
    for undecided in (TIE, BOTH_ABSENT):
        with pytest.raises(HallError, match=r"^Round 1: Cid against Bob has no winner; play it again\.$"):
            next_round(with_round(before, first, RED_WINS, undecided))
    assert pairs(next_round(with_round(before, first, RED_WINS, BLACK_WINS))) == [("Bob", "Ann")]


def test_in_a_knock_out_the_opponent_of_a_withdrawn_entrant_has_a_bye() -> None:
    now = with_results(of_size(System.KNOCK_OUT, 8), lambda _: RED_WINS)
    assert pairs(now.pairings) == [("1", "8"), ("7", "2"), ("3", "6"), ("5", "4")]
    now = without(now, "5", "6")  # 6 is out already
    assert pairs(next_round(now)) == [("1", None), ("3", "7")]
    assert next_round(without(now, "1", "3")) == ()  # 7 has won
    assert pairs(next_round(without(of_size(System.KNOCK_OUT, 5), "2"))) == [("1", "5"), ("4", "3")]


# --- The next round ---


@pytest.mark.parametrize("system", System)
def test_a_missing_result_is_named(system: System) -> None:
    now = tournament(system, ["Ann", "Bob", "Cid", "Dan"])
    now = with_round(now, round_by_hand(now, [("Cid", "Dan"), ("Ann", "Bob")]), RED_WINS, RED_WINS)
    now = with_round(now, round_by_hand(now, [("Cid", "Ann"), ("Bob", "Dan")]), BLACK_WINS, None)
    with pytest.raises(HallError, match=r"^Round 2: the result of Bob against Dan is missing\.$"):
        next_round(now)


@pytest.mark.parametrize("system", System)
def test_a_round_by_hand_is_possible_in_each_system(system: System) -> None:
    now = tournament(system, ["Ann", "Bob", "Cid"])
    new = round_by_hand(now, [("Cid", "Ann"), ("Bob", None)])
    assert new == (Pairing(1, 1, "Cid", "Ann"), Pairing(1, 2, "Bob"))
    assert [each.round for each in round_by_hand(replace(now, pairings=new), [("Ann", "Bob")])] == [2]


def test_by_hand_no_pairings_are_computed() -> None:
    assert next_round(tournament(System.BY_HAND, ["Ann", "Bob"])) == ()


@pytest.mark.parametrize("system", System)
def test_one_alone_is_not_paired(system: System) -> None:
    assert next_round(without(tournament(system, ["Ann", "Bob"]), "Bob")) == ()


@pytest.mark.parametrize(
    ("chosen", "why"),
    [
        ([("Ann", "Bob"), ("Ann", None)], "Ann is paired twice"),
        ([("Ann", "Ann")], "Ann is paired twice"),
        ([("Ann", "Zoe")], "Zoe is not among the active entrants"),
        ([("Cid", "Ann")], "Cid is not among the active entrants"),
    ],
)
def test_a_round_by_hand_is_checked(chosen: list[tuple[str, str | None]], why: str) -> None:
    now = without(tournament(System.SWISS, ["Ann", "Bob", "Cid"]), "Cid")
    with pytest.raises(HallError, match=rf"^Round 1: {why}\.$"):
        round_by_hand(now, chosen)


@pytest.mark.parametrize(
    "pairings",
    [
        (Pairing(1, 1, "Ann", "Zoe"),),
        (Pairing(1, 1, "Ann", "Bob"), Pairing(1, 1, "Cid", "Dan")),
        (Pairing(1, 1, "Ann", "Bob"), Pairing(1, 2, "Cid", "Ann")),
        (Pairing(1, 1, "Ann", "Ann"),),
    ],
    ids=["nobody", "table", "twice", "against himself"],
)
def test_pairings_that_cannot_be_are_refused(pairings: tuple[Pairing, ...]) -> None:
    """As a file may have them that somebody has written himself."""
    with pytest.raises(HallError, match=r"^The pairings do not go with the entrants\.$"):
        Tournament(System.SWISS, FOUR.entrants, pairings)


def test_boards_are_dealt_to_the_tables_where_somebody_plays() -> None:
    pairings = (Pairing(1, 1, "A", "B"), Pairing(1, 2, "C"), Pairing(1, 3, "D", "E"), Pairing(1, 4, "F", "G"))
    assert [each.board for each in dealt(pairings, ["2", "10"])] == ["2", None, "10", None]


def test_a_result_is_entered_at_its_table_alone() -> None:
    first, second = Pairing(1, 1, "Ann", "Bob"), Pairing(1, 2, "Cid", "Dan")
    played = replace(second, result=RED_WINS, board="7", game="k")
    before = Tournament(System.SWISS, FOUR.entrants, (first, second))
    assert with_pairings(before, [played]) == replace(before, pairings=(first, played))
