"""The Swiss system: judged by the library's own checker of reports to FIDE, and by the rules that people know."""

import sys
from itertools import combinations

import networkx
import pytest
from caissify_pairings.fpc import check_trf
from caissify_pairings.trf import write_trf
from hypothesis import given
from hypothesis import strategies as st

from tamsk_hw.errors import HallError
from tamsk_hw.game import Player
from tamsk_hw.hall.tournament import System, Tournament, next_round, round_by_hand
from tests.hall.tournaments import (
    BLACK_WINS,
    RED_WINS,
    TIE,
    any_result,
    of_size,
    pairs,
    with_results,
    with_round,
    without,
)


def report(now: Tournament) -> str:
    """The tournament as a report to FIDE (TRF16)."""
    results: dict[str, dict[int, object]] = {each.name: {} for each in now.entrants}
    for pairing in now.pairings:
        for side, other in zip(pairing.sides(), reversed(pairing.sides()), strict=True):
            is_bye, played = pairing.black is None, side.opponent is not None
            code = {1: "1" if played else "+", 0: "0" if played else "-"}.get(int(side.points * 2) / 2, "=")
            results[side.name][pairing.round] = {
                "opponent": None if is_bye else int(other.name),
                "color": None if is_bye else "w" if side.colour is Player.RED else "b",
                "result": "U" if is_bye else code,
            }
    players = [
        {"starting_number": int(name), "name": name, "results": rounds, "score": 0.0}
        for name, rounds in results.items()
    ]
    return str(write_trf({"name": "club night"}, players, now.rounds + 1))


def test_the_upper_half_meets_the_lower_half_first() -> None:
    assert pairs(next_round(of_size(System.SWISS, 7))) == [("1", "4"), ("5", "2"), ("3", "6"), ("7", None)]


def test_winners_meet_winners() -> None:
    """Round 1: 1–5, 6–2, 3–7, 8–4, won by red."""
    now = with_results(of_size(System.SWISS, 8), lambda _: RED_WINS)
    assert [{*pair} for pair in pairs(next_round(now))] == [{"1", "6"}, {"3", "8"}, {"2", "5"}, {"4", "7"}]


def test_colours_alternate() -> None:
    """With all at equal points, everybody who was red can meet somebody who was black."""
    now = with_results(with_results(of_size(System.SWISS, 8), lambda _: TIE), lambda _: TIE)
    assert sorted(each.red for each in now.pairings) == now.active


@given(st.data(), st.integers(8, 13), st.integers(2, 4))
def test_the_checker_of_reports_finds_the_same_pairings(data: st.DataObject, size: int, rounds: int) -> None:
    now = of_size(System.SWISS, size)
    gone = data.draw(st.sampled_from([*now.active, "nobody"]))
    for number in range(1, rounds + 1):
        if number == 2:
            now = without(now, gone)
        now = with_results(now, lambda _: data.draw(any_result))
    found = check_trf(report(now))
    assert found["summary"]["rounds_checked"] == rounds
    assert not [each for each in found["rounds"] if not each["match"]]


def met_and_free(now: Tournament) -> tuple[set[frozenset[str]], set[str]]:
    """The pairs who played each other, and who has won without playing."""
    sides = [side for pairing in now.pairings for side in pairing.sides()]
    met = {frozenset((side.name, side.opponent)) for side in sides if side.opponent is not None}
    return met, {side.name for side in sides if side.opponent is None and side.points}


def can_pair_new(now: Tournament) -> bool:
    """Everybody can meet somebody new; one of an odd number has a first bye, or nobody lacks one."""
    met, free = met_and_free(now)
    graph = networkx.Graph(pair for pair in combinations(now.active, 2) if frozenset(pair) not in met)
    if len(now.active) % 2:
        graph.add_edges_from((name, "bye") for name in now.active if name not in free or free == {*now.active})
    return 2 * len(networkx.max_weight_matching(graph, maxcardinality=True)) == len({*now.active, *graph.nodes})


@given(st.data(), st.integers(2, 9), st.integers(1, 10))
def test_nobody_meets_twice_as_long_as_possible(data: st.DataObject, size: int, rounds: int) -> None:
    """And everybody is at one table; a bye comes before anybody's second, a win by forfeit being one, too."""
    now = of_size(System.SWISS, size)
    for _ in range(rounds):
        new, (met, free) = next_round(now), met_and_free(now)
        assert sorted(name for pair in pairs(new) for name in pair if name) == now.active
        byes = {each.red for each in new if each.black is None}
        assert len(byes) == size % 2
        assert not byes & free or free == {*now.active}
        assert not can_pair_new(now) or not any(frozenset(pair) in met for pair in pairs(new))
        now = with_round(now, new, *(data.draw(any_result) for each in new if each.black is not None))


def test_rounds_by_hand_count_as_any_other() -> None:
    now = of_size(System.SWISS, 4)
    now = with_round(now, round_by_hand(now, [("1", "2"), ("3", "4")]), TIE, TIE)
    now = with_round(now, round_by_hand(now, [("4", "1"), ("2", "3")]), TIE, TIE)
    assert {frozenset(pair) for pair in pairs(next_round(now))} == {frozenset("13"), frozenset("24")}


def test_a_withdrawn_entrant_is_not_paired() -> None:
    now = without(with_results(of_size(System.SWISS, 6), lambda _: BLACK_WINS), "6")
    assert sorted(name for pair in pairs(next_round(now)) for name in pair if name) == ["1", "2", "3", "4", "5"]


def test_without_the_library_an_error_names_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "caissify_pairings", None)
    missing = r"^The library for Swiss pairings is missing: pip install 'tamsk-hw\[hall\]'$"
    with pytest.raises(HallError, match=missing):
        next_round(of_size(System.SWISS, 4))
    assert next_round(of_size(System.ROUND_ROBIN, 4))
