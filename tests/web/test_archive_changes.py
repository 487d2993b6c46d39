"""What the arbiter changes in the archive, through a real service at its socket; and what is refused."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from httpx2 import Response
from playwright.sync_api import Browser, expect
from starlette.testclient import TestClient

from tamsk_hw.journal.archive import Archive, simulated_folder
from tamsk_hw.journal.changes import MOST_IMPORT
from tests.table.test_journal_door import Running
from tests.web.archive_table import HOSTILE, fill, stream
from tests.web.site import Site, Visit
from tests.web.tables import OWN_COOKIE, Table

GAME = "R7.6-just-within-the-window"
FORM = "application/x-www-form-urlencoded"


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    """A service that holds the journal."""
    fill(tmp_path / "journal", unfinished=False)
    service = Running(tmp_path)
    yield service
    service.close()


@pytest.fixture
def table(running: Running, tmp_path: Path) -> Table:
    return Table(tmp_path / "page", running.folder)


@pytest.fixture
def client(table: Table) -> TestClient:
    return table.signed_in()


def state_of(folder: Path) -> list[object]:
    """All that can be changed, to see that nothing has."""
    archive = Archive(folder)
    return [(each, archive.load(each.number).annotations) for each in archive.games()]


def changed(page: Response, address: str, words: str) -> None:
    assert page.url.path == address
    assert words in page.text


def test_players_are_named_and_a_remark_is_added(table: Table, client: TestClient) -> None:
    page = table.change(client, "names", game="3", red=" Zoe ", black="")
    changed(page, "/games/3", "The names are changed.")
    game = table.journal.load_summary(3)
    assert (game.red, game.black) == ("Zoe", None)
    page = table.change(client, "annotate", game="2", text="Black <b>should</b> have won.")
    changed(page, "/games/2", "The remark is added.")
    assert "Black &lt;b&gt;should&lt;/b&gt; have won." in page.text
    assert [each.text for each in table.journal.load(2).annotations] == ["Black <b>should</b> have won."]


def test_a_game_is_deleted_after_a_question(table: Table, client: TestClient) -> None:
    changed(table.change(client, "delete", game="2"), "/games/2", "Delete it for good? Game 2")
    assert [game.number for game in table.journal.games()] == [1, 2, 3]
    changed(table.change(client, "delete", game="2", confirmed="yes"), "/games", "Game 2 is deleted.")
    assert [game.number for game in table.journal.games()] == [1, 3]
    assert client.get("/games/2").status_code == 404


def test_a_name_is_erased_everywhere_after_a_question(table: Table, client: TestClient) -> None:
    asked = table.change(client, "erase", name=HOSTILE)
    assert "from all games, for good?" in asked.text
    assert table.journal.load_summary(3).black == HOSTILE
    done = table.change(client, "erase", name=HOSTILE, confirmed="yes")
    assert done.url.path == "/players"
    assert "The name is taken from 1 game." in done.text
    assert table.journal.load_summary(3).black is None
    assert HOSTILE not in table.journal.load(1).annotations[0].text


def test_a_chosen_file_is_imported_once_and_a_large_one_refused(
    running: Running, table: Table, browser: Browser, tmp_path: Path
) -> None:
    site = Site(table)
    visit = Visit(browser, site.address, f"arbiter#token={table.token}")
    page = visit.page
    expect(page.locator("#answer")).to_be_attached()
    file = tmp_path / "game.jsonl"

    def send(content: bytes, red: str) -> None:
        file.write_bytes(content)
        page.goto(site.address + "games")
        page.locator("#import-file").set_input_files(file)
        page.locator("#import-red").fill(red)
        page.locator("#import-save").click()

    send(stream(GAME), "Zoe")
    expect(page.locator("#answer")).to_have_text("The game is imported.")
    expect(page.locator(".side.red")).to_contain_text("Zoe")
    address = page.url
    send(stream(GAME), "Eve")
    expect(page.locator("#answer")).to_contain_text("in the journal already")
    assert page.url.partition("?")[0] == address.partition("?")[0]
    assert [game.red for game in table.journal.games()] == ["Ada", "Bo", None, "Zoe"]
    send(b"x" * (MOST_IMPORT + 100_000), "")
    expect(page.locator("#why")).to_contain_text("at most 1 MiB")
    visit.complaints.clear()  # the browser itself tells of the 413
    visit.close()
    site.close()


def test_what_the_service_refuses_is_said(running: Running, table: Table, client: TestClient) -> None:
    running.start_a_game()
    before = state_of(running.folder)
    page = table.change(client, "delete", game=str(table.journal.running()), confirmed="yes")
    assert f"Refused; nothing was changed. Game {table.journal.running()} is not over" in page.text
    page = table.change(client, "erase", name="Ada", confirmed="yes")
    assert "A game is being played" in page.text
    for content, why in (
        (b'{"tamsk": 1}\nnonsense\n', "import line 2"),
        (b'{"tamsk": 1}\n', "no game is started"),
        (b"<script>alert(1)</script>", "import line 1"),
    ):
        page = table.upload(client, content)
        assert page.url.path == "/games"
        assert why in page.text.lower()
        assert "<script>alert" not in page.text
    assert state_of(running.folder) == before


def test_without_a_service_the_command_is_named(tmp_path: Path) -> None:
    fill(tmp_path / "journal")
    table = Table(tmp_path, tmp_path / "journal")
    client = table.signed_in()
    before = state_of(tmp_path / "journal")
    for page, command in (
        (table.change(client, "names", game="1", red="X", black="Y"), "tamsk-hw games name 1 --red"),
        (table.change(client, "annotate", game="1", text="X"), "tamsk-hw games annotate 1"),
        (table.change(client, "delete", game="1", confirmed="yes"), "tamsk-hw games delete 1"),
        (table.change(client, "delete", game="s1", confirmed="yes"), "tamsk-hw games delete --simulated 1"),
        (table.change(client, "erase", name="Ada", confirmed="yes"), "tamsk-hw games erase-name"),
        (table.upload(client, stream(GAME)), "tamsk-hw games import FILE"),
    ):
        assert "No service runs that has the journal; nothing was changed." in page.text
        assert command in page.text
    assert state_of(tmp_path / "journal") == before


def test_a_service_with_the_journal_leaves_the_simulated_games(table: Table, client: TestClient) -> None:
    """Its game 1 is another one than the simulated game 1."""
    page = table.change(client, "delete", game="s1", confirmed="yes")
    assert "nothing was changed" in page.text
    assert [game.number for game in table.journal.games()] == [1, 2, 3]
    assert len(Archive(simulated_folder(table.journal.folder)).games()) == 1


def posts(table: Table, client: TestClient, **headers: str) -> Iterator[int]:
    """Everything that changes something, posted; the status of each answer."""
    fields = table.fields(table.signed_in())
    for more in ({"change": "delete", "game": "1"}, {"change": "erase", "name": "Ada"}):
        data = {**fields, **more, "confirmed": "yes"}
        yield client.post("/games/change", data=data, headers=headers).status_code
    files = {"file": ("game.jsonl", stream(GAME))}
    yield client.post("/games/import", data=fields, files=files, headers=headers).status_code


def test_only_who_is_signed_in_changes_something(running: Running, table: Table) -> None:
    before = state_of(running.folder)
    stranger = table.client()
    for path in ("/games", "/games/1", "/players?name=Ada"):
        page = stranger.get(path).text
        assert "csrf" not in page
        assert 'method="post" action="/games' not in page
    assert set(posts(table, stranger)) == {401}
    stranger.cookies.set(OWN_COOKIE, "guessed")
    assert set(posts(table, stranger)) == {401}
    # Signed in, but with the mark of another's session.
    assert set(posts(table, table.signed_in())) == {403}
    assert state_of(running.folder) == before


def test_a_file_that_is_too_large_is_refused(running: Running, table: Table, client: TestClient) -> None:
    before = state_of(running.folder)
    answer = table.upload(client, b"x" * (MOST_IMPORT + 1))
    assert answer.status_code == 413
    assert "at most 1 MiB" in answer.text
    assert table.upload(client, b"x" * MOST_IMPORT).status_code == 200  # and refused by the service
    assert state_of(running.folder) == before


BOUNDARY = "multipart/form-data; boundary=b"


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"no parts", BOUNDARY, 400),
        (b"--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--\r\n", BOUNDARY, 400),
        (b"", "multipart/form-data; boundary=", 400),
        (b"file=x", FORM, 415),
        (b"x", "", 415),
    ],
)
def test_an_upload_that_is_none_is_refused(table: Table, body: bytes, kind: str, status: int) -> None:
    client = table.signed_in()
    answer = client.post("/games/import", content=body, headers={"content-type": kind})
    assert answer.status_code in (status, 403 if status == 400 else status)
    assert "Traceback" not in answer.text


@pytest.mark.parametrize(
    "fields",
    [
        {"change": "drop"},
        {"change": "delete"},
        {"change": "delete", "game": "../1", "confirmed": "yes"},
        {"change": "delete", "game": "9" * 4000, "confirmed": "yes"},
        {"change": "annotate", "game": "1", "text": "x" * 1001},
        {"change": "names", "game": "1", "red": "x" * 101},
        {"change": "erase", "name": " ", "confirmed": "yes"},
    ],
)
def test_what_no_form_has_is_refused(
    running: Running, table: Table, client: TestClient, fields: dict[str, str]
) -> None:
    before = state_of(running.folder)
    answer = client.post("/games/change", data={**table.fields(client), **fields})
    assert answer.status_code == 400
    assert "That is not understood." in answer.text
    assert state_of(running.folder) == before
