"""Changes of the journal that other programs ask for, at a table that holds it, over a real socket."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from tamsk_hw.commands.main import main
from tamsk_hw.journal.archive import Archive
from tamsk_hw.journal.changes import MOST_IMPORT, Changed, NamePlayers
from tamsk_hw.journal.records import verify
from tamsk_hw.live.client import change_journal, connect
from tamsk_hw.referee.stream import json_line
from tests.journal.played import played, write
from tests.table.running_service import WALL, Running


def stream() -> bytes:
    lines = [json_line(played().header.as_dict()), *(line for line, _ in played().lines())]
    return "".join(f"{line}\n" for line in lines).encode()


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    write(tmp_path / "journal", played(), red="Ann")
    service = Running(tmp_path)
    yield service
    service.close()


def games(running: Running, *arguments: str) -> str:
    result = CliRunner().invoke(main, ["games", *arguments, "--folder", str(running.folder)])
    assert (result.exit_code, result.stderr) == (0, ""), result.stderr
    return result.stdout


def test_the_commands_ask_the_service_that_holds_the_journal(running: Running, tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    file.write_bytes(b"".join(stream().splitlines(keepends=True)[:150]))
    running.start_a_game()
    assert games(running, "import", str(file), "--red", "Bo") == "Game 3 is imported.\n"
    assert games(running, "import", str(file)) == "Game 3 is this game already; nothing was changed.\n"
    assert games(running, "name", "3", "--black", "Cé") == "Game 3: red is Bo, black is Cé.\n"
    assert games(running, "annotate", "3", "Half a game.") == "Game 3 has the remark.\n"
    assert games(running, "delete", "1", "--yes") == "Game 1 is deleted.\n"
    archive = Archive(running.folder)
    assert [game.number for game in archive.games()] == [2, 3]
    assert verify(archive.load(3)) is None
    assert archive.load(3).annotations[0].wall == WALL  # the service's clock


def test_the_game_at_the_table_is_renamed_for_everybody(running: Running) -> None:
    running.start_a_game()
    with connect((running.socket,)) as reader:
        assert change_journal(running.folder, NamePlayers(2, red="Dora"), 0.0, "") == Changed(2)
        names = next(json.loads(line)["names"] for line in reader.lines() if b'"names"' in line)
    assert names == {"red": "Dora", "black": None}
    assert Archive(running.folder).load(2).red == "Dora"
    assert running.table.names.red == "Dora"


def test_an_erased_name_is_not_given_to_the_next_game(running: Running) -> None:
    with connect((running.socket,)) as connection:
        assert "done" in connection.ask({"setup": {"names": {"red": "Ann", "black": "Bo"}}})
        answer = connection.ask({"journal": {"erase": {"name": " Ann "}}})
    assert answer["games"] == 1
    assert (running.table.names.red, running.table.names.black) == (None, "Bo")
    assert b"Ann" not in b"".join(file.read_bytes() for file in running.folder.iterdir())


def test_a_stream_comes_in_pieces_and_not_without_end(running: Running) -> None:
    text = b"".join(stream().splitlines(keepends=True)[:190]).decode()
    pieces = [{"piece": text[:100], "more": True}, {"piece": text[100:], "red": "Eve"}]
    with connect((running.socket,)) as connection:
        first, last = (connection.ask({"journal": {"import": piece}}) for piece in pieces)
    assert "game" not in first
    assert Archive(running.folder).load(last["game"]).red == "Eve"
    piece = {"journal": {"import": {"piece": "é" * 10_000, "more": True}}}
    with connect((running.socket,)) as gone:
        assert "done" in gone.ask(piece)
    with connect((running.socket,)) as greedy:  # there is all the room: the other one's piece is forgotten
        asked = 0
        while "done" in (answer := greedy.ask(piece)):
            asked += 20_000
        assert "at a time" in answer["refused"]
        assert asked <= MOST_IMPORT < asked + 20_000
    with connect((running.socket,)) as next_one:  # there is room again
        assert "import line 1" in next_one.ask({"journal": {"import": {"piece": "\ud800"}}})["refused"]
