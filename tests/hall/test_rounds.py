"""A tournament while it is played: rounds go to the boards, results come back, and everything is in the log."""

import json
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tamsk_hw.hall.rounds import score
from tamsk_hw.hall.tournament import Entrant, Result, System, standings
from tamsk_hw.live.stream import Names
from tamsk_hw.mqtt.messages import PresenceMessage
from tamsk_hw.referee.rulings import Reason
from tests.hall.club import BLACK, FOUR, PLAY, RED, Club


def begin(club: Club, arbiter: TestClient, system: System = System.SWISS, entrants: str = FOUR) -> None:
    words = club.answered(arbiter, "new", system=system.value, level="2", entrants=entrants)
    assert words == "Done."


def paired(club: Club, arbiter: TestClient, system: System = System.SWISS) -> None:
    """Round 1 of four, at the boards 1 and 2: in a Swiss round the upper half meets the lower (FIDE, Dutch)."""
    begin(club, arbiter, system)
    assert club.answered(arbiter, "pair", round="1") == "Done."


def sent(club: Club, arbiter: TestClient, system: System = System.SWISS) -> None:
    paired(club, arbiter, system)
    assert club.answered(arbiter, "send") == "Done."


def test_a_round_is_dealt_to_the_boards_sent_and_started(club: Club, arbiter: TestClient) -> None:
    paired(club, arbiter)
    assert [(each.board, each.game) for each in club.cup.pairings] == [("1", None), ("2", None)]
    assert [{each.red, each.black} for each in club.cup.pairings] == [{"Ann", "Cid"}, {"Bob", "Dan"}]
    assert club.answered(arbiter, "send") == "Done."
    one = club.at(1, 1)
    assert club.boards["1"].asked == [
        {"setup": {"ruleset": {"level": 2}, "names": {"red": one.red, "black": one.black}}}
    ]
    assert [each.game for each in club.cup.pairings] == ["1-2", "2-2"]  # each board's second game
    assert arbiter.get("/tournament/Cup").text.count(">set up<") == 2
    assert club.answered(arbiter, "start") == "Done."
    assert club.boards["2"].asked[1:] == [{"do": {"event": "button", "button": "start", "press": "short"}}]
    assert arbiter.get("/tournament/Cup").text.count(">being played<") == 2
    assert club.said() == [
        ("", "Entrants: 4"),
        ("", "Round 1 is paired."),
        ("", "Round 1 is sent to the boards: 1, 2"),
        ("", "Round 1 begins at the boards: 1, 2"),
    ]


def test_a_board_that_refuses_or_is_gone_is_named_and_asked_again(club: Club, arbiter: TestClient) -> None:
    paired(club, arbiter)
    club.boards["1"].refuses = "A glass is missing."
    club.boards["2"].on_message(PresenceMessage(online=False), 0.0)
    assert club.answered(arbiter, "send") == "Boards that did it: 0, that did not: 2."
    text = arbiter.get("/tournament/Cup").text
    assert "The board refuses: A glass is missing." in text
    assert "The board has not answered." in text
    club.boards["1"].refuses = ""
    assert club.answered(arbiter, "send") == "Boards that did it: 1, that did not: 1."
    assert "A glass is missing." not in arbiter.get("/tournament/Cup").text
    club.boards["2"].on_message(PresenceMessage(online=True), 0.0)
    assert club.answered(arbiter, "send") == "Done."
    assert len(club.boards["1"].asked) == 2, "it has its game already"
    club.boards["1"].refuses = "Put the glasses in their corners."
    assert club.answered(arbiter, "start") == "Boards that did it: 1, that did not: 1."
    club.boards["1"].refuses = ""
    assert club.answered(arbiter, "start") == "Done."
    assert len(club.boards["2"].asked) == 2, "it has started already"


def test_why_a_board_has_refused_is_said_of_these_players_alone(club: Club, arbiter: TestClient) -> None:
    paired(club, arbiter)
    club.boards["1"].refuses = "A glass is missing."
    assert "A glass is missing." in club.post(arbiter, "send").text
    club.answered(arbiter, "unpair")
    club.answered(arbiter, "hand", round="1", **{"red-1": "0", "black-1": "1"})
    assert "A glass is missing." not in arbiter.get("/tournament/Cup").text


def test_a_result_comes_from_the_board_once(club: Club, arbiter: TestClient) -> None:
    sent(club, arbiter)
    club.boards["1"].end(BLACK, 5, 3)
    club.hall.publish()
    club.hall.publish()
    assert club.at(1, 1).result == Result(BLACK, 5, 3)
    assert club.at(1, 2).result is None
    one = club.at(1, 1)
    assert club.said()[3:] == [("1", f"Round 1, table 1, {one.red} – {one.black}: – → 0 : 1 (5 : 3)")]
    # The arbiter's correction stays, also when the hall is started again.
    assert (
        club.answered(arbiter, "result", round="1", table="1", winner="", red="3", black="5", board="1") == "Done."
    )
    assert club.at(1, 1).result == Result(RED, 3, 5)
    club.restart()
    club.hall.publish()
    assert club.at(1, 1).result == Result(RED, 3, 5)
    assert club.said()[4:] == [("", f"Round 1, table 1, {one.red} – {one.black}: 0 : 1 (5 : 3) → 1 : 0 (3 : 5)")]


def test_a_game_that_ends_while_the_hall_is_down_is_entered_when_it_is_back(
    club: Club, arbiter: TestClient
) -> None:
    sent(club, arbiter)
    club.boards["1"].end(None, 4, 4, Reason.TIE)  # before the tournament has looked
    club.store.save()
    club.restart()
    assert club.at(1, 1).result == Result(None, 4, 4)


@pytest.mark.parametrize("is_renamed", [False, True])
def test_no_result_comes_of_an_abandoned_game_or_of_other_players(
    club: Club, arbiter: TestClient, is_renamed: bool
) -> None:
    sent(club, arbiter)
    board = club.boards["1"]
    if is_renamed:
        board.names = Names(red="Zoe", black="Dan")
        board.show(PLAY)
    board.end(RED if is_renamed else None, 20, 21, Reason.FEWEST_RINGS if is_renamed else Reason.ABANDONED)
    club.hall.publish()
    assert club.at(1, 1).result is None
    assert "Take it" not in arbiter.get("/tournament/Cup").text
    # The abandoned game is not the board's any more: it can be sent again.
    assert club.answered(arbiter, "send") == "Done."
    assert club.at(1, 1).game == "1-3"


def test_a_game_that_was_not_set_up_for_its_pairing_is_only_offered(club: Club, arbiter: TestClient) -> None:
    """The two have begun by themselves, with the other colours."""
    paired(club, arbiter)
    before = club.at(1, 1)
    club.boards["2"].begin(Names(red=before.black, black=before.red))
    club.boards["2"].end(RED, 3, 9)
    club.hall.publish()
    assert club.at(1, 1) == before
    assert "1 : 0 (3 : 9)" in club.browser(signed_in=False).get("/tournament/Cup").text
    assert club.answered(arbiter, "take", round="1", table="1", game="2-2") == "Done."
    taken = club.at(1, 1)
    assert (taken.red, taken.black, taken.board) == (before.black, before.red, "2")
    assert (taken.result, taken.winner) == (Result(RED, 3, 9), before.black)
    assert (
        club.answered(arbiter, "take", round="1", table="1", game="2-2") == "This game cannot be taken any more."
    )


def test_a_tied_knock_out_game_is_sent_again_and_its_new_result_counts(club: Club, arbiter: TestClient) -> None:
    sent(club, arbiter, System.KNOCK_OUT)
    club.boards["1"].end(None, 7, 7, Reason.TIE)
    club.boards["2"].end(RED, 1, 2)
    club.hall.publish()
    assert "has no winner; play it again." in club.answered(arbiter, "pair", round="2")
    assert club.answered(arbiter, "send") == "Done."
    assert club.at(1, 1).result is None
    assert club.at(1, 2).result == Result(RED, 1, 2)
    club.boards["1"].end(BLACK, 7, 6)
    club.hall.publish()
    assert club.answered(arbiter, "pair", round="2") == "Done."
    assert club.cup.rounds == 2


def test_a_lost_evening_is_built_again_of_the_games_that_the_boards_send(tmp_path: Path) -> None:
    """The database is gone: the same entrants in the same order, the same pairings, and the games are taken."""
    club = Club(tmp_path)
    arbiter = club.browser()
    begin(club, arbiter)
    for number in ("1", "2"):
        club.answered(arbiter, "pair", round=number)
        club.answered(arbiter, "send")
        for place, board in enumerate(club.boards.values()):
            board.end(RED, 3 + place, 9)
        club.hall.publish()
    before = club.cup
    (tmp_path / "later").mkdir()
    later = Club(tmp_path / "later")
    for name, board in club.boards.items():
        for lines in board.games.values():
            later.boards[name].games[lines.key] = lines
    arbiter = later.browser()
    begin(later, arbiter)
    for number in ("1", "2"):
        later.answered(arbiter, "pair", round=number)
        for offer in [*later.every.offers("Cup")]:
            later.answered(arbiter, "take", round=number, table=str(offer.table), game=str(offer.game))
    assert standings(later.cup) == standings(before)
    assert later.cup == before


def test_entrants_come_late_leave_and_come_back(club: Club, arbiter: TestClient) -> None:
    begin(club, arbiter)
    assert club.answered(arbiter, "enter", entrant="  Eve ") == "Done."
    assert club.answered(arbiter, "withdraw", entrant="Bob") == "Done."
    assert club.cup.entrants[1] == Entrant("Bob", withdrawn=True)
    assert club.cup.active == ["Ann", "Cid", "Dan", "Eve"]
    assert club.answered(arbiter, "enter", entrant="Eve") == "2 entrants are called Eve."
    assert club.answered(arbiter, "withdraw", entrant="Bob") == "Done."
    assert club.cup.active == ["Ann", "Bob", "Cid", "Dan", "Eve"]


def test_nobody_enters_a_knock_out_that_has_begun(club: Club, arbiter: TestClient) -> None:
    paired(club, arbiter, System.KNOCK_OUT)
    assert club.answered(arbiter, "enter", entrant="Eve").startswith("Nobody can enter a knock-out")


def test_a_round_by_hand_and_one_taken_back(club: Club, arbiter: TestClient) -> None:
    """Seats are places in the list of entrants, from 0; one alone has a bye."""
    begin(club, arbiter, System.BY_HAND, entrants="Ann\nBob\nCid")
    assert club.answered(arbiter, "pair", round="1") == "By its system no round follows; one can be given by hand."
    seats = {"red-1": "2", "black-1": "0", "black-2": "1"}
    assert club.answered(arbiter, "hand", round="1", **seats) == "Done."
    assert [(each.red, each.black, each.board) for each in club.cup.pairings] == [
        ("Cid", "Ann", "1"),
        ("Bob", None, None),
    ]
    assert club.answered(arbiter, "hand", round="1", **seats) == "Round 1 is paired already."
    assert club.answered(arbiter, "unpair") == "Done."
    assert club.cup.pairings == ()
    club.answered(arbiter, "hand", round="1", **seats)
    club.answered(arbiter, "result", round="1", table="1", winner="red")
    assert club.answered(arbiter, "unpair") == "Round 1 has results; it stays."
    doubled = {"red-1": "2", "black-1": "2"}
    assert club.answered(arbiter, "hand", round="2", **doubled) == "Round 2: Cid is paired twice."


def test_a_table_without_a_board_gets_the_next_one_that_is_free(club: Club, arbiter: TestClient) -> None:
    begin(club, arbiter, entrants=FOUR + "\nEve\nFay")
    club.answered(arbiter, "pair", round="1")
    assert [each.board for each in club.cup.pairings] == ["1", "2", None]
    club.boards["1"].on_message(PresenceMessage(online=False), 0.0)
    assert club.answered(arbiter, "send") == "Boards that did it: 1, that did not: 1."
    assert club.answered(arbiter, "start") == "Boards that did it: 1, that did not: 1."
    club.boards["2"].refuses = "A glass is missing."
    club.boards["2"].end(RED, 1, 2)
    assert club.answered(arbiter, "send") == "Boards that did it: 0, that did not: 2."
    assert club.at(1, 3).board is None, "it has not set it up"
    club.boards["2"].refuses = ""
    club.answered(arbiter, "send")
    assert [each.game for each in club.cup.pairings] == [None, "2-2", "2-3"]
    assert club.boards["2"].names == Names(red=club.at(1, 3).red, black=club.at(1, 3).black)
    assert "Round 1 is sent to the boards: 2" in club.said()[-1]


def test_a_tournament_is_removed_as_long_as_it_has_no_round(club: Club, arbiter: TestClient) -> None:
    paired(club, arbiter)
    assert club.answered(arbiter, "remove") == "Round 1 is paired already."
    assert 'id="remove"' not in arbiter.get("/tournament/Cup").text
    club.answered(arbiter, "unpair")
    assert 'id="remove"' in arbiter.get("/tournament/Cup").text
    assert club.answered(arbiter, "remove") == "Done."
    assert arbiter.get("/tournament/Cup").status_code == 404
    club.restart()
    assert (club.every.all, club.said()) == ({}, [])


def test_boards_that_play_for_another_tournament_are_left_alone(club: Club, arbiter: TestClient) -> None:
    club.answered(arbiter, "new", "Juniors", system="swiss", level="1", entrants="Kim\nLea")
    club.answered(arbiter, "pair", "Juniors", round="1")
    paired(club, arbiter)
    assert [each.board for each in club.cup.pairings] == ["2", None]
    assert ">no board<" in arbiter.get("/tournament/Cup").text
    # The arbiter changes them by hand.
    assert club.answered(arbiter, "result", round="1", table="2", board="1") == "Done."
    assert club.at(1, 2).board == "1"
    assert club.at(1, 2).result is None


@pytest.mark.parametrize(
    ("result", "shown"),
    [
        (None, "–"),
        (Result(RED, 2, 9), "1 : 0 (2 : 9)"),
        (Result(None, 4, 4), "½ : ½ (4 : 4)"),
        (Result(BLACK), "− : +"),
        (Result(None), "− : −"),
    ],
)
def test_results_in_figures(result: Result | None, shown: str) -> None:
    assert score(result) == shown


def test_an_exported_tournament_is_imported(club: Club, arbiter: TestClient) -> None:
    sent(club, arbiter)
    club.boards["1"].end(RED, 2, 3)
    club.hall.publish()
    exported = arbiter.get("/tournament/Cup/tournament.json")
    assert exported.headers["content-disposition"] == 'attachment; filename="tournament.json"'
    written = json.loads(exported.content)
    assert written["standings"][0]["name"] == club.at(1, 1).red

    def imported(name: str, content: bytes) -> str:
        page = arbiter.get("/tournament").text
        csrf = page.split('name="csrf" value="')[1].split('"')[0]
        fields = {"csrf": csrf, "request": f"import-{name}", "tournament": name, "change": "import"}
        return arbiter.post("/tournament/import", data=fields, files={"file": ("t.json", content)}).text

    assert ">Done.<" in imported("Another", exported.content)
    assert club.every.all["Another"] == club.cup
    assert "That is no exported tournament" in imported("Broken", b"{")
    unprintable = json.dumps({**written, "tournament": {**written["tournament"], "pairings": []}})
    assert "That is no exported tournament" in imported(
        "Surrogate", unprintable.replace("Ann", "\\ud800").encode()
    )
    written["tournament"]["pairings"][0]["red"] = "Zoe"
    assert "The pairings do not go with the entrants." in imported("Broken-again", json.dumps(written).encode())
    assert list(club.every.all) == ["Cup", "Another"]
