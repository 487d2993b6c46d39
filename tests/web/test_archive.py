"""The archive through the application: lists, players, a game and its downloads, and what is refused."""

import asyncio
import json
import re
import shutil
import threading
import time
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from starlette.testclient import TestClient

from tamsk_hw.commands.main import main
from tamsk_hw.journal.archive import simulated_folder
from tamsk_hw.journal.database import DATABASE
from tamsk_hw.journal.journal import Journal
from tamsk_hw.live.stream import Names
from tamsk_hw.web import archive as archive_pages
from tamsk_hw.web import pages, replay
from tests.journal.played import SITTING
from tests.journal.test_journal_damage import run_sql
from tests.scenarios.book import BOOK
from tests.web.archive_table import fill, put
from tests.web.asking import PATIENCE, ask
from tests.web.stream import Told, greeting
from tests.web.tables import Table


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("journal")
    fill(folder)
    return folder


@pytest.fixture
def table(folder: Path, tmp_path: Path) -> Table:
    return Table(tmp_path, folder)


@pytest.fixture
def client(table: Table) -> TestClient:
    return table.client()


@pytest.mark.parametrize("path", ["/games/{}", "/games/{}/replay"])
def test_a_game_that_takes_long_keeps_nobody_else_waiting(
    table: Table, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on, begun = threading.Event(), [0]

    def slowly(make: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def made(game: Any) -> Any:
            if game.number == 1:
                begun[0] += 1
                assert go_on.wait(PATIENCE)
            return make(game)

        return made

    monkeypatch.setattr(archive_pages, "game_content", slowly(archive_pages.game_content))
    monkeypatch.setattr(replay, "ReplayedGame", slowly(replay.ReplayedGame))
    monkeypatch.setattr(archive_pages, "MOST_SECONDS", PATIENCE)

    async def look() -> None:
        waiting = [asyncio.create_task(ask(table.app, "GET", path.format(1))) for _ in range(50)]
        try:
            while not begun[0]:
                await asyncio.sleep(0)
            assert (await ask(table.app, "GET", path.format(2))).status == 200
            with monkeypatch.context() as impatient:
                impatient.setattr(archive_pages, "MOST_SECONDS", 0.0)
                late = await ask(table.app, "GET", path.format(1))
            assert (late.status, late.headers["retry-after"]) == (503, "30")
        finally:
            go_on.set()
        assert {answer.status for answer in await asyncio.gather(*waiting)} == {200}
        assert begun == [1], "it is made once"

    asyncio.run(look())


def words_of(page: str) -> str:
    """The words of a page, as a reader sees them."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", page)).split())


def numbers_of(page: str) -> list[str]:
    """The addresses of the games that a page lists."""
    return re.findall(r'<a class="number" href="([^"]+)"', page)


def rows_of(page: str) -> list[str]:
    """The games of the lists on a page."""
    return [words_of(row) for part in page.split('<ol class="games"')[1:] for row in part.split("<li")[1:]]


def test_times_of_day_name_their_zone(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader's zone need not be the board's."""
    monkeypatch.setenv("TZ", "Asia/Kolkata")
    time.tzset()
    try:
        shown = client.get("/games").text, client.get("/games/1").text
    finally:
        monkeypatch.undo()
        time.tzset()
    for page in shown:
        times = re.findall(r"\d{4}-\d\d-\d\d \d\d:\d\d(?: \w+)?", page)
        assert times
        assert all(each.endswith(" IST") for each in times), times


def test_the_list_has_the_newest_game_first_and_simulated_ones_apart(client: TestClient) -> None:
    page = client.get("/games").text
    assert numbers_of(page) == ["/games/4", "/games/3", "/games/2", "/games/1"]
    unended, _, award, fewest = rows_of(page)
    for words in ("Ada wins", "31 rings left to 32", "Level 2", "8 turns", "imported", "1 remark"):
        assert words in fewest
    assert "remark" not in award
    assert "unfinished" in unended
    assert "imported" not in unended
    (simulated,) = rows_of(client.get("/games?kind=simulated").text)
    assert "Eve" in simulated


@pytest.mark.parametrize(
    ("asked", "games"),
    [
        ("player=bO", ["/games/2", "/games/1"]),
        ("player=a", ["/games/4", "/games/2", "/games/1"]),
        ("player=a&level=2", ["/games/1"]),
        ("since=2025-11-23&until=2025-11-25", ["/games/3", "/games/2", "/games/1"]),
        ("until=2025-11-22", ["/games/4"]),
        ("kind=simulated", ["/games/s1"]),
        ("kind=simulated&level=1", []),
        ("player=Zoe", []),
    ],
)
def test_the_list_is_searched(client: TestClient, asked: str, games: list[str]) -> None:
    page = client.get(f"/games?{asked}").text
    assert numbers_of(page) == games
    assert ("No such game is in the journal." in page) == (not games)


def test_who_has_played_at_no_board_is_shown_the_simulated_games(tmp_path: Path) -> None:
    fill(tmp_path / "filled")
    shutil.copytree(simulated_folder(tmp_path / "filled"), simulated_folder(tmp_path / "journal"))
    client = Table(tmp_path, tmp_path / "journal").client()
    page = client.get("/games").text
    assert numbers_of(page) == ["/games/s1"]
    assert "count for nobody's results" in unescape(page)
    assert "No such game" in client.get("/games?kind=board").text


def test_a_long_list_has_pages(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "GAMES_A_PAGE", 3)
    first, second = client.get("/games?player=").text, client.get("/games?page=2").text
    assert numbers_of(first) == ["/games/4", "/games/3", "/games/2"]
    assert 'rel="next" href="/games?page=2"' in first
    assert numbers_of(second) == ["/games/1"]
    assert 'rel="prev" href="/games"' in second
    assert "Page 2 of 2" in second
    assert client.get("/games?page=3").status_code == 404
    monkeypatch.setattr(pages, "GAMES_A_PAGE", 1)
    assert 'rel="next" href="/games?player=Bo&amp;page=2"' in client.get("/games?player=Bo").text


def test_variants_stand_in_the_list(tmp_path: Path) -> None:
    put(tmp_path / "journal", "R3.2-placed-in-a-full-tube")
    put(tmp_path / "journal", "R4.3-skipped-player-claims")
    lose_turn, free = rows_of(Table(tmp_path, tmp_path / "journal").client().get("/games").text)
    assert "free start" in free
    assert "lateness costs a turn" not in free
    assert "lateness costs a turn" in lose_turn


def test_a_player_has_a_page_with_head_to_head(client: TestClient) -> None:
    page = client.get("/players", params={"name": "Bo"}).text
    against = page.partition("</thead>")[2].partition("</table>")[0]
    total, ada = against.split("<tr")[1:]
    for row in (total, ada):
        assert re.findall(r">([\d.]+)<", row) == ["2", "0", "0", "0", "2", "0", "31.5"]
    assert "/players?name=Ada" in ada
    other = client.get("/players", params={"name": "Ada"}).text.partition("</thead>")[2].partition("</table>")[0]
    bo = next(row for row in other.split("<tr") if "/players?name=Bo" in row)
    assert re.findall(r">([\d.]+)<", bo) == ["2", "2", "1", "1", "0", "0", "31.5"]
    assert numbers_of(page) == ["/games/2", "/games/1"]


def test_a_game_has_all_that_is_known_of_it(client: TestClient) -> None:
    page = client.get("/games/1").text
    assert '<p class="result"><bdi>Ada wins</bdi>: 31 rings left to 32</p>' in page
    ended = json.loads(BOOK["R5.2-fewest-rings"].given.splitlines()[-1])["t"]
    assert f'<a href="/games/1/replay?t={ended:.3f}">Fewest rings left</a>' in page
    assert 'id="tube-D4"' in page
    assert "Black won. " in page
    assert "TAMSK, level 2" in page
    row = r'replay\?t=([\d.]+)"><time>.*?</time></a> <span>.*?</span>\s*<a class="clause" href="/rules#(.*?)">'
    shown = re.findall(row, page)
    assert [float(t) for t, _ in shown] == [
        json.loads(line)["t"] for line in BOOK["R5.2-fewest-rings"].given.splitlines()
    ]
    assert [clause.replace("-", ".").upper() for _, clause in shown] == [
        line.split("(")[-1].rstrip(")\n") for line in replayed("R5.2-fewest-rings")
    ]
    for path in ("replay", "stream", "json"):
        assert f'href="/games/1/{path}"' in page


def test_a_decision_stands_before_what_follows_from_it(client: TestClient) -> None:
    said = re.findall(r"</time></a> <span>(.*?)</span>", client.get("/games/2").text)
    assert said[-2].startswith("The arbiter decides: ")
    assert "wins" in said[-1]


def replayed(scenario: str) -> list[str]:
    """The lines of `tamsk-hw replay`, whose rulings end with their clauses."""
    result = CliRunner().invoke(main, ["replay", "-"], input=BOOK[scenario].stream)
    return [line for line in result.stdout.splitlines() if re.match(r"\d\d:\d\d", line)]


def test_the_charts_are_there_as_tables_too(client: TestClient) -> None:
    """Red drops the only ring that counts; glasses run out in the order of the scenario's durations."""
    page = client.get("/games/1").text
    rings = page.partition('id="rings-title"')[2].partition("</figure>")[0]
    rows = re.findall(
        r'<tr><th scope="row">(.*?)</th><td class="figure">(\d+)</td><td class="figure">(\d+)</td>', rings
    )
    assert [(int(red), int(black)) for _, red, black in rows] == [(32, 32), (31, 32)]
    sand = page.partition('id="sand-title"')[2].partition("</figure>")[0]
    glasses = re.findall(r'<tr><th scope="row">(Red|Black) ([123])</th>', sand)
    assert len(glasses) == 6


def test_a_game_that_is_played_leads_to_the_scoreboard(tmp_path: Path) -> None:
    fill(tmp_path / "journal")
    client = Table(tmp_path, tmp_path / "journal").client()
    assert "to the scoreboard" not in client.get("/games/4").text
    with Journal(tmp_path / "journal") as journal:
        unfinished = journal.unfinished
        assert unfinished is not None
        journal.resume(unfinished, SITTING)
        assert "to the scoreboard" in client.get("/games/4").text
        assert "to the scoreboard" not in client.get("/games/1").text
        assert "being played" in rows_of(client.get("/games").text)[0]


def test_downloads_are_what_the_command_exports(client: TestClient, folder: Path) -> None:
    for key, name, where in (
        ("1", "tamsk-game-1", folder),
        ("s1", "tamsk-simulated-game-1", simulated_folder(folder)),
    ):
        for path, form, ending in (("stream", "stream", "jsonl"), ("json", "json", "json")):
            answer = client.get(f"/games/{key}/{path}")
            exported = CliRunner().invoke(main, ["games", "export", "1", "--format", form, "--folder", str(where)])
            assert answer.content == exported.stdout_bytes
            assert answer.headers["content-disposition"] == f'attachment; filename="{name}.{ending}"'
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert "html" not in answer.headers["content-type"]


@pytest.mark.parametrize(
    "path",
    [
        *("/games/77", "/games/s77", "/games/01", "/games/%D9%A1", "/games/..%2f..%2fetc%2fpasswd"),
        *(
            "/games/1/nope",
            "/games/nope/stream",
            "/games?page=0",
            "/games?page=x",
            "/games?page=2",
            "/games?level=4",
        ),
        *("/games?since=soon", "/games?until=2025-1-1", "/games?kind=other"),
        *("/players?name=Zoe", "/games?player=" + "x" * 101, "/players?name=Ada&page=2", "/games/import"),
    ],
)
def test_what_is_not_there_is_said(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert "Traceback" not in answer.text
    assert "root:" not in answer.text


def test_names_and_remarks_are_shown_and_nothing_else(client: TestClient) -> None:
    """Markup is text, and what steers a terminal or the direction of a text stands as its number."""
    for path in ("/games", "/games/3", "/games/1", "/players"):
        page = client.get(path).text
        assert not {"\x1b", "\u202e", "\u2066"} & set(words_of(page))
    page = client.get("/games/3").text
    assert "&lt;img src=x&gt;&amp;\\x1b[31m\\u202egnp\\u2066" in page
    link = re.search(r'href="(/players\?name=%22[^"]+)"', page)
    assert link is not None
    assert client.get(unescape(link[1])).status_code == 200


def test_without_a_journal_the_pages_are_friendly(tmp_path: Path) -> None:
    client = Table(tmp_path, tmp_path / "nothing").client()
    assert "No games yet." in client.get("/games").text
    assert "No finished game has names" in client.get("/players").text
    assert client.get("/games/1").status_code == 404
    assert not (tmp_path / "nothing").exists()


def test_a_journal_that_cannot_be_read_is_said_with_what_helps(tmp_path: Path) -> None:
    (tmp_path / "journal.db").write_bytes(b"no database" * 100)
    client = Table(tmp_path, tmp_path).client()
    for path in ("/games", "/players", "/games/1", "/games/1/json"):
        answer = client.get(path)
        assert answer.status_code == 503
        assert "The journal cannot be read" in answer.text
        assert "not a database" in answer.text


def test_a_damaged_game_is_said_and_the_others_stay(tmp_path: Path) -> None:
    fill(tmp_path)
    run_sql(tmp_path / DATABASE, "UPDATE event SET checksum = 5 WHERE game = 1 AND number = 3")
    client = Table(tmp_path, tmp_path).client()
    answer = client.get("/games/1")
    assert answer.status_code == 503
    assert "event 3 is damaged" in answer.text
    assert client.get("/games/2").status_code == 200


@pytest.mark.parametrize(("simulated", "address"), [(False, "/games/12"), (True, "/games/s12")])
def test_the_scoreboard_leads_to_the_games_page_at_the_end(table: Table, simulated: bool, address: str) -> None:
    told = Told()
    table.live.greeted(greeting(simulated=simulated))
    lines = list(told.game("R5.2-fewest-rings", names=Names(red="Ada")))
    for record in lines[:-2]:
        table.live.heard(record)
    table.live.heard({"seq": len(told.lines), "saved": 5, "game": 12})
    assert address not in table.client().get("/").text
    told.lines.append({})
    for record in lines[-2:]:
        table.live.heard({**record, "seq": record["seq"] + 1} if "seq" in record else record)
    client = table.client()
    for path in ("/", "/now"):
        assert f'<a href="{address}">' in client.get(path).text
    assert "signed-in" not in client.get("/").text
    assert "signed-in" in table.signed_in().get("/").text
