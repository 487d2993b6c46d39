"""The pages of tournaments: who may read, who may change, and what is refused in one sentence."""

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from tamsk_hw.hall.tournament import Result, System
from tests.hall.club import BLACK, FOUR, RED, Club


@pytest.fixture
def paired(club: Club, arbiter: TestClient) -> Club:
    assert club.answered(arbiter, "new", system="swiss", level="3", entrants=FOUR) == "Done."
    assert club.answered(arbiter, "pair", round="1") == "Done."
    return club


def test_everybody_reads_and_nobody_changes_without_signing_in(paired: Club) -> None:
    guest = paired.browser(signed_in=False)
    for path in ("", "/Cup", "/Cup/standings.csv", "/Cup/rounds.csv", "/Cup/tournament.json"):
        answer = guest.get(f"/tournament{path}")
        assert answer.status_code == 200
        assert "<form method=" not in answer.text.replace('<form method="post" action="/language"', "")
    before = paired.cup
    for what in (
        "new",
        "pair",
        "hand",
        "unpair",
        "send",
        "start",
        "result",
        "take",
        "enter",
        "withdraw",
        "remove",
    ):
        answer = paired.post(guest, what, round="2", table="1", winner="red", entrant="Zoe", entrants="A\nB")
        assert answer.status_code == 401
    assert guest.post("/tournament/import", files={"file": ("t.json", b"{}")}).status_code == 401
    assert paired.cup is before
    assert list(paired.every.all) == ["Cup"]


def test_a_form_of_another_site_or_session_changes_nothing(paired: Club, arbiter: TestClient) -> None:
    fields = {"csrf": "x", "request": "request-abc", "tournament": "Cup", "change": "unpair"}
    assert arbiter.post("/tournament/change", data=fields).status_code == 403
    foreign = {"origin": "http://evil.example"}
    assert arbiter.post("/tournament/change", data=fields, headers=foreign).status_code == 403
    assert paired.cup.rounds == 1


def test_a_form_that_comes_twice_is_done_once(paired: Club, arbiter: TestClient) -> None:
    csrf = re.search(r'name="csrf" value="([^"]+)"', arbiter.get("/tournament/Cup").text)
    assert csrf is not None
    fields = {
        "csrf": csrf[1],
        "request": "request-twice",
        "tournament": "Cup",
        "change": "enter",
        "entrant": "Eve",
    }
    for _ in range(2):
        assert ">Done.<" in arbiter.post("/tournament/change", data=fields).text
    assert len(paired.cup.entrants) == 5


@pytest.mark.parametrize(
    ("name", "entrants", "why"),
    [
        ("Cup", "Ann\nBob\nAnn", "2 entrants are called Ann."),
        ("A/B", FOUR, "A tournament needs a name of its own, without / and without a full stop first."),
        ("..", FOUR, "A tournament needs a name of its own, without / and without a full stop first."),
    ],
)
def test_a_form_that_is_refused_stays_filled_in(
    club: Club, arbiter: TestClient, name: str, entrants: str, why: str
) -> None:
    text = club.post(arbiter, "new", name, system="knock_out", level="1", entrants=entrants).text
    assert why in text
    assert f'value="{name}"' in text
    assert f'rows="8" required>{entrants}</textarea>' in text
    assert '<option value="knock_out" selected>' in text
    assert club.every.all == {}


def test_a_name_is_taken_once(paired: Club, arbiter: TestClient) -> None:
    text = paired.post(arbiter, "new", system="swiss", level="3", entrants="A\nB").text
    assert "A tournament needs a name of its own" in text
    assert len(paired.cup.entrants) == 4


def test_a_result_before_a_later_round_is_corrected_after_a_question(paired: Club, arbiter: TestClient) -> None:
    for table in ("1", "2"):
        assert (
            paired.answered(arbiter, "result", round="1", table=table, winner="red", red="4", black="9") == "Done."
        )
    assert paired.answered(arbiter, "pair", round="2") == "Done."
    corrected = {"round": "1", "table": "2", "winner": "black", "red": "9", "black": "4"}
    text = paired.post(arbiter, "result", **corrected).text
    assert "Later rounds are paired already; they stay. Correct this result of round 1, table 2?" in text
    assert paired.at(1, 2).result == Result(RED, 4, 9)
    for field, value in corrected.items():
        assert f'name="{field}" value="{value}"' in text
    assert paired.answered(arbiter, "result", **corrected, confirmed="yes") == "Done."
    assert paired.at(1, 2).result == Result(BLACK, 9, 4)
    two = paired.at(1, 2)
    assert paired.said()[-1] == ("", f"Round 1, table 2, {two.red} – {two.black}: 1 : 0 (4 : 9) → 0 : 1 (9 : 4)")


def test_a_form_for_a_round_by_hand_that_is_empty_pairs_nobody(paired: Club, arbiter: TestClient) -> None:
    words = paired.answered(arbiter, "hand", round="2")
    assert words == "By its system no round follows; one can be given by hand."
    assert paired.cup.rounds == 1


@pytest.mark.parametrize(
    ("winner", "red", "black", "result"),
    [
        ("", "4", "9", Result(RED, 4, 9)),  # fewest rings left (R5.2)
        ("", "9", "4", Result(BLACK, 9, 4)),
        ("", "7", "7", Result(None, 7, 7)),
        ("red", "7", "7", Result(RED, 7, 7)),  # by the sand
        ("black", "", "", Result(BLACK)),  # red did not come
        ("nobody", "", "", Result(None)),  # neither came
        ("", "", "", None),
    ],
)
def test_a_result_by_hand(
    paired: Club, arbiter: TestClient, winner: str, red: str, black: str, result: Result | None
) -> None:
    given = {"winner": winner, "red": red, "black": black}
    assert paired.answered(arbiter, "result", round="1", table="1", **given) == "Done."
    assert paired.at(1, 1).result == result


def test_rings_out_of_range_are_refused_in_one_sentence(paired: Club, arbiter: TestClient) -> None:
    words = paired.answered(arbiter, "result", round="1", table="1", winner="red", red="33", black="1")
    assert words == "Rings left: 0 to 32 for both players, or none for both."
    assert paired.at(1, 1).result is None


def test_a_missing_result_is_named_before_the_next_round(paired: Club, arbiter: TestClient) -> None:
    one = paired.at(1, 1)
    assert paired.answered(arbiter, "pair", round="2") == (
        f"Round 1: the result of {one.red} against {one.black} is missing."
    )


def test_names_are_texts_on_the_page_whatever_they_are(club: Club, arbiter: TestClient) -> None:
    odd = '<img src=x onerror="a()">'
    name = "Köln & Umland? 100% #1"
    assert club.answered(arbiter, "new", name, system="swiss", level="3", entrants=f"{odd}\n=1+1") == "Done."
    assert club.answered(arbiter, "pair", name, round="1") == "Done."
    address = re.search(r'href="(/tournament/[^"]+)"', arbiter.get("/tournament").text)
    assert address is not None
    page = arbiter.get(address[1]).text
    assert odd not in page
    assert "&lt;img src=x" in page
    assert "'=1+1" in arbiter.get(f"{address[1]}/rounds.csv").text


def test_the_standings_are_read_in_quarters(club: Club, arbiter: TestClient) -> None:
    """Two ties of three: half a point each; Sonneborn-Berger half of the opponent's half."""
    club.answered(arbiter, "new", system="by_hand", level="3", entrants="Ann\nBob")
    club.answered(arbiter, "hand", round="1", **{"red-1": "0", "black-1": "1"})
    club.answered(arbiter, "result", round="1", table="1", red="5", black="5")
    row = re.search(r"<td>1</td>.*?</tr>", arbiter.get("/tournament/Cup").text)
    assert row is not None
    assert re.findall(r'class="figure">(?:<b>)?([^<]*)<', row[0]) == ["½", "½", "¼", "0"]


@pytest.mark.parametrize(
    "path", ["/tournament/Nothing", "/tournament/Cup/nothing.csv", "/tournament/Nothing/rounds.csv"]
)
def test_what_is_not_there_is_said_so(paired: Club, path: str) -> None:
    assert paired.browser(signed_in=False).get(path).status_code == 404


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(
    what=st.sampled_from(["new", "pair", "hand", "result", "take", "enter", "withdraw", "import", "nonsense", ""]),
    fields=st.dictionaries(
        st.sampled_from(
            ["round", "table", "winner", "red", "black", "board", "game", "entrant", "red-1", "black-1"]
        )
        | st.sampled_from(["system", "level", "entrants"]),
        st.sampled_from(["", "0", "1", "2", "-1", "²", "99999", "red", "x" * 101, "swiss", "\x00", "yes"]),
    ),
)
def test_no_form_brings_the_page_down(
    paired: Club, arbiter: TestClient, what: str, fields: dict[str, str]
) -> None:
    answer = paired.post(arbiter, what, **fields)
    assert answer.status_code in (200, 400)
    assert paired.browser(signed_in=False).get("/tournament/Cup").status_code == 200


def test_systems_have_names(club: Club, arbiter: TestClient) -> None:
    page = arbiter.get("/tournament").text
    assert len(
        re.findall(r"<option value=\"(?:round_robin|swiss|knock_out|by_hand)\"[^>]*>[A-Z][a-z -]+", page)
    ) == len(System)
