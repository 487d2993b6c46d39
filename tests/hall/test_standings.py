"""Standings, reckoned by hand, and exports."""

import json
from dataclasses import astuple, replace
from fractions import Fraction

from tamsk_hw.forms import from_json, to_json
from tamsk_hw.game import Player
from tamsk_hw.hall.tournament import Overview, Pairing, Result, System, rounds_csv, standings, standings_csv
from tests.hall.tournaments import BLACK_ABSENT, BOTH_ABSENT, TIE, of_size, tournament

RED, BLACK, HALF = Player.RED, Player.BLACK, Fraction(1, 2)

#: Ann 2 points, Bob 1½, Cid 2½, Dan none.
PLAYED = replace(
    tournament(System.ROUND_ROBIN, ["Ann", "Bob", "Cid", "Dan"]),
    pairings=(
        Pairing(1, 1, "Ann", "Dan", Result(RED, 10, 20)),
        Pairing(1, 2, "Bob", "Cid", Result(None, 15, 15)),
        Pairing(2, 1, "Ann", "Bob", Result(RED, 5, 6)),
        Pairing(2, 2, "Dan", "Cid", Result(BLACK, 20, 18)),
        Pairing(3, 1, "Cid", "Ann", Result(RED, 9, 9)),  # by sand
        Pairing(3, 2, "Bob", "Dan", Result(RED, 8, 12)),
    ),
)

#: Cid beat Ann (2) and Dan (0) and tied with Bob (½ of 1½).
STANDINGS = """\
place,name,points,buchholz,sonneborn_berger,ring_difference
1,Cid,2.5,3.5,2.75,2
2,Ann,2,4,1.5,11
3,Bob,1.5,4.5,1.25,3
4,Dan,0,6,0,-16
"""


def ranked(*pairings: Pairing) -> list[tuple[object, ...]]:
    """The standings of four entrants, 1 to 4."""
    return [astuple(each) for each in standings(replace(of_size(System.SWISS, 4), pairings=pairings))]


def test_points_then_buchholz_then_sonneborn_berger_then_rings() -> None:
    assert standings_csv(PLAYED).splitlines() == STANDINGS.splitlines()


def test_before_the_first_result_all_are_first() -> None:
    assert [line[:2] for line in ranked(Pairing(1, 1, "1", "3"))] == [(1, "1"), (1, "2"), (1, "3"), (1, "4")]


def test_with_all_else_equal_the_ring_difference_decides() -> None:
    """More than of rings of one's own: those that the opponents were left with, too."""
    first, second = Pairing(1, 1, "1", "3", Result(RED, 10, 15)), Pairing(1, 2, "2", "4", Result(RED, 12, 20))
    assert [line[:2] for line in ranked(first, second)] == [(1, "2"), (2, "1"), (3, "3"), (4, "4")]


def test_equals_share_a_place() -> None:
    first, second = Pairing(1, 1, "1", "4", Result(RED, 10, 20)), Pairing(1, 2, "2", "3", TIE)
    assert ranked(first, second) == [
        (1, "1", 1, 0, 0, 10),
        (2, "2", HALF, HALF, HALF / 2, 0),
        (2, "3", HALF, HALF, HALF / 2, 0),
        (4, "4", 0, 1, 0, -10),
    ]


def test_a_bye_or_forfeit_counts_as_a_tie_against_oneself() -> None:
    """In Buchholz and Sonneborn-Berger, not in points. 1 beat 2, had a bye, and then 3 did not come."""
    assert ranked(
        Pairing(1, 1, "1", "2", Result(RED, 8, 9)), Pairing(2, 1, "1"), Pairing(3, 1, "1", "3", BLACK_ABSENT)
    ) == [
        (1, "1", 3, 0 + 3 + 3, 0 + 3 * HALF + 3 * HALF, 1),
        (2, "2", 0, 3, 0, -1),
        (3, "3", 0, 0, 0, 0),
        (3, "4", 0, 0, 0, 0),
    ]


def test_if_neither_came_neither_has_a_point() -> None:
    assert [line[:3] for line in ranked(Pairing(1, 1, "1", "2", BOTH_ABSENT), Pairing(1, 2, "3", "4", TIE))] == [
        *((1, "3", HALF), (1, "4", HALF), (3, "1", 0), (3, "2", 0))
    ]


def test_the_rounds_as_csv() -> None:
    pairings = (
        Pairing(2, 1, "Dan", "Ann"),
        Pairing(1, 2, "Cid"),
        Pairing(1, 1, "Ann", "Dan, jr", Result(None, 7, 7)),
        Pairing(2, 2, "Bob", "Cid", BLACK_ABSENT),
    )
    names = ["Ann", "Bob", "Cid", "Dan", "Dan, jr"]
    assert rounds_csv(replace(tournament(System.SWISS, names), pairings=pairings)).splitlines() == [
        "round,table,red,black,red_points,black_points,red_rings,black_rings",
        '1,1,Ann,"Dan, jr",0.5,0.5,7,7',
        "1,2,Cid,,1,,,",
        "2,1,Dan,Ann,,,,",
        "2,2,Bob,Cid,1,0,,",
    ]


def test_a_name_that_a_spreadsheet_would_take_for_a_formula_is_a_text() -> None:
    """As OWASP advises (CSV Injection): an apostrophe before it. Numbers stay numbers, also below nothing."""
    names = ["=1+1", "+49", "-Zoe", "@Ann", "\tTab", "Bo=b"]
    pairings = (Pairing(1, 1, "=1+1", "-Zoe", Result(BLACK, 9, 8)),)
    odd = replace(tournament(System.SWISS, names), pairings=pairings)
    assert rounds_csv(odd).splitlines()[1] == "1,1,'=1+1,'-Zoe,0,1,9,8"
    listed = [line.split(",") for line in standings_csv(odd).splitlines()[1:]]
    assert {line[1] for line in listed} == {"'=1+1", "'+49", "'-Zoe", "'@Ann", "'\tTab", "Bo=b"}
    assert [line[-1] for line in listed if line[1] == "'=1+1"] == ["-1"]


def test_tournament_and_standings_as_json() -> None:
    written = to_json(Overview(PLAYED, standings(PLAYED)))
    assert written["standings"][0] == {
        **{"place": 1, "name": "Cid", "points": 2.5, "buchholz": 3.5, "sonneborn_berger": 2.75},
        "ring_difference": 2,
    }
    assert written["tournament"]["system"] == "round_robin"
    assert written["tournament"]["entrants"][0] == {"name": "Ann", "withdrawn": False}
    assert written["tournament"]["pairings"][3] == {
        **{"round": 2, "table": 2, "red": "Dan", "black": "Cid"},
        "result": {"winner": "black", "red": 20, "black": 18},
    }
    assert from_json(Overview, json.loads(json.dumps(written)), "here") == Overview(PLAYED, standings(PLAYED))
