"""The lessons' pages without a board: what they show, what they refuse, and what they say when nobody answers."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

from starlette.testclient import TestClient
from starlette.types import ASGIApp

from tamsk_hw.game.tubes import Player
from tamsk_hw.lessons.lessons import all_lessons
from tamsk_hw.system.output import Language
from tamsk_hw.web.lessons import TutorProcess
from tamsk_hw.web.live import LiveTable
from tamsk_hw.web.seats import HandsLink, Seats
from tests.web.asking import Answer, ask
from tests.web.tables import ORIGIN, served_page

LESSONS = all_lessons()
FORM = {"content-type": "application/x-www-form-urlencoded", "origin": ORIGIN}


def page(folder: Path, *, boards: bool = True, seats: Seats | None = None) -> ASGIApp:
    places = [folder / "hands.sock"] if boards else []
    hands = HandsLink(places) if boards else None
    return served_page(LiveTable(lambda: 0.0, lambda: 0.0), folder, hands, boards=places, seats=seats)


def asked(app: ASGIApp, path: str, headers: Mapping[str, str] | None = None, body: bytes | None = None) -> Answer:
    return asyncio.run(ask(app, "GET" if body is None else "POST", path, headers=headers, body=body or b""))


def test_the_list_and_each_lesson_are_in_the_readers_language(tmp_path: Path) -> None:
    app = page(tmp_path)
    speaks = {"accept-language": "fr"}
    listed = asked(app, "/learn", speaks).body.decode()
    for number, lesson in enumerate(LESSONS, start=1):
        text = lesson.texts[Language("fr")]
        assert f'href="/learn/{number}">{text.title}'.replace("'", "&#39;") in listed
        shown = asked(app, f"/learn/{number}", speaks)
        assert text.task.replace("'", "&#39;") in shown.body.decode()
        assert f'data-name="{lesson.name}"' in shown.body.decode()


def test_other_lessons_are_not_begun(tmp_path: Path) -> None:
    for number in (b"0", b"12", b"01", b"x"):
        assert asked(page(tmp_path), "/learn/begin", FORM, b"lesson=" + number).status == 400


def test_where_the_page_is_open_who_has_both_seats_begins_a_lesson(tmp_path: Path) -> None:
    """A lesson ends the game of both players."""
    seats = Seats(f"{ORIGIN}/")
    phone = TestClient(
        page(tmp_path, seats=seats),
        base_url=ORIGIN,
        client=("192.168.1.20", 40000),
        headers={"origin": ORIGIN},
        follow_redirects=False,
    )
    for player, words in ((Player.RED, "no seat"), (Player.BLACK, "other player")):
        refused = phone.post("/learn/begin", data={"lesson": "1"})
        assert refused.status_code == 403
        assert words in refused.text
        phone.post("/table/sit", json={"seat": player.value, "secret": seats.secrets[player]})
    assert phone.post("/learn/begin", data={"lesson": "1"}).status_code == 303


def test_at_a_real_board_there_are_none(tmp_path: Path) -> None:
    app = page(tmp_path, boards=False)
    assert asked(app, "/learn").status == 404
    assert b'href="/learn"' not in asked(app, "/").body


def test_where_no_service_answers_the_lesson_says_so(tmp_path: Path) -> None:
    async def begin() -> None:
        school = TutorProcess([tmp_path / "live.sock"], [tmp_path / "hands.sock"])
        assert school.shown()["stage"] == ""
        told = asyncio.Event()
        school.watch(told.set)
        school.begin(2)
        assert (school.shown()["lesson"], school.shown()["stage"]) == (2, "setup")
        while school.shown()["stage"] == "setup":
            await asyncio.wait_for(told.wait(), 30.0)
            told.clear()
        assert school.shown()["stage"] == "trouble"
        assert "no service at" in school.shown()["words"]

    asyncio.run(begin())
