"""``tamsk-hw games`` as people use it."""

import fcntl
import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tamsk_hw.commands.main import main
from tamsk_hw.game import Player
from tamsk_hw.journal.archive import Archive
from tamsk_hw.journal.journal import Journal
from tamsk_hw.journal.records import Entry
from tamsk_hw.referee.events import Button, ButtonName, Press
from tamsk_hw.referee.rulings import GameOver, Reason, RingCounted
from tamsk_hw.referee.stream import json_line
from tests.commands.at_a_terminal import PROGRAM, AtATerminal
from tests.journal.played import Played, entries_of, played, stored_lines, write

EVIL = "\x1b[31mBo\u202e\x9b2J [red]李"
SHOWN = r"\x1b[31mBo\u202e\x9b2J [red]李"


def games(folder: Path, *arguments: str, answer: str | None = None) -> Result:
    return CliRunner().invoke(main, ["games", *arguments, "--folder", str(folder)], input=answer)


def said(folder: Path, *arguments: str) -> str:
    result = games(folder, *arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def refused(folder: Path, *arguments: str) -> str:
    """The one line of a command that is refused."""
    result = games(folder, *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    return line


def won(winner: str, reason: Reason = Reason.RESIGNED) -> Played:
    """A game that a player wins since the other resigns; or, as no referee rules, for another reason."""
    game = played()
    t = game.entries[40].event.t
    button = Button(t, ButtonName(Player(winner).opponent.value), Press.LONG)
    events = [*(entry.event for entry in game.entries[:40]), button]
    *before, last = entries_of(game.header, events)
    (over,) = last.rulings
    assert isinstance(over, GameOver)
    return replace(game, entries=(*before, Entry(button, [replace(over, reason=reason)])))


def rings_left(game: Played, player: str) -> int:
    """After the last ring that a player dropped."""
    dropped = [each for entry in game.entries for each in entry.rulings if isinstance(each, RingCounted)]
    return [each.left for each in dropped if each.player is Player(player)][-1]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two finished games and one that is not."""
    folder = tmp_path_factory.mktemp("written")
    write(folder, played(), red="Anna")
    write(folder, won("black"))
    write(folder, played(), 30)
    return folder


@pytest.fixture
def folder(written: Path, tmp_path: Path) -> Path:
    """A copy of its own, for each test that changes something."""
    return shutil.copytree(written, tmp_path, dirs_exist_ok=True)


#: The command line; it says on standard error when it waits for the reader of standard output.
WAITING = """
import os, select
from tamsk_hw.commands.main import main
wait = select.select
select.select = lambda *files: (os.write(2, b"waits"), wait(*files))[1]
main()
"""


@pytest.mark.parametrize("command", [["export", "1"], ["show", "1", "--json"]], ids=" ".join)
def test_a_pipe_that_does_not_block_gets_all_of_it(written: Path, command: list[str]) -> None:
    """Its reader begins when the program waits for it or has ended."""
    arguments = ["games", *command, "--folder", str(written)]
    whole = CliRunner().invoke(main, arguments).stdout
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    takes = fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
    program_with = [sys.executable, "-c", WAITING, *arguments]
    with (
        subprocess.Popen(program_with, stdout=writer, stderr=subprocess.PIPE) as program,
        os.fdopen(reader) as lines,
    ):
        os.close(writer)
        assert program.stderr is not None
        program.stderr.read(1)
        assert lines.read() == whole
    assert program.returncode == 0
    assert len(whole) > takes


def test_list(folder: Path) -> None:
    heading, *rows = said(folder, "list").splitlines()
    assert heading.split() == ["Game", "Begun", "Red", "Black", "Level", "Turns", "State", "Result"]
    first, second, third = rows
    assert first.split()[0] == "1"
    assert first.split()[3:8] == ["Anna", "-", "1", "64", "finished"]
    assert first.endswith("tie, rings left 0:0")
    left = {player: rings_left(won("black"), player) for player in ("red", "black")}
    assert second.endswith(f"black wins, resigned, rings left {left['red']}:{left['black']}")
    assert third.split()[-2:] == ["unfinished", "-"]  # no program plays it
    with Journal(folder):
        assert said(folder, "list").splitlines()[3].split()[-2:] == ["running", "-"]
        assert [game["played"] for game in json.loads(said(folder, "list", "--json"))] == [False, False, True]
    listed = json.loads(said(folder, "list", "--json"))
    assert [(game["number"], game["played"]) for game in listed] == [(1, False), (2, False), (3, False)]
    assert [game["state"] for game in listed] == ["finished", "finished", "running"]
    assert listed[1]["result"]["winner"] == "black"
    assert listed[1]["result"]["rings_left"] == left
    assert listed[0]["begun"] == "2025-11-13T02:13:20.000+00:00"
    assert listed[2]["result"] is None


def test_a_journal_that_is_not_there_holds_no_games(tmp_path: Path) -> None:
    nowhere = tmp_path / "nowhere"
    assert said(nowhere, "list") == "No games yet.\n"
    assert json.loads(said(nowhere, "list", "--json")) == []
    assert "No finished games" in said(nowhere, "players")
    assert refused(nowhere, "show", "1").endswith("no game 1; see tamsk-hw games list")
    assert not nowhere.exists()


def test_show(folder: Path) -> None:
    heading, players, level, _, columns, first, *_, last = said(folder, "show", "1").splitlines()
    assert heading.startswith("Game 1, begun ")
    assert heading.endswith(" (finished)")
    assert (players, level) == ("Red: Anna, black: -", "TAMSK, level 1")
    assert columns.split() == ["red", "time", "black", "time"]
    assert first.startswith("  1.  (R)")
    assert last == "A tie: equal rings (rings left: red 0, black 0). (R5.2)"
    assert said(folder, "export", "1", "--format", "sheet") == said(folder, "show", "1")


def test_an_exported_stream_replays_to_the_stored_rulings(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    file.write_text("precious")
    refused(folder, "export", "77", "-o", str(file))
    assert file.read_text() == "precious"
    assert "/nowhere/game.txt" in refused(folder, "export", "1", "-o", "/nowhere/game.txt")
    assert said(folder, "export", "1", "-o", str(file)) == ""
    lines = [json_line(played().header.as_dict()), *(line for line, _ in played().lines())]
    assert file.read_bytes() == "".join(f"{line}\n" for line in lines).encode()
    replayed = CliRunner().invoke(main, ["replay", "--json", str(file)])
    assert replayed.exit_code == 0
    stored = [ruling for _, rulings in stored_lines(Archive(folder).load(1)) for ruling in rulings]
    assert replayed.stdout.splitlines() == stored
    assert said(folder, "export", "1").encode() == file.read_bytes()


def test_all_that_is_known_can_be_exported(folder: Path) -> None:
    record = json.loads(said(folder, "export", "1", "--format", "json"))
    assert json.loads(said(folder, "show", "1", "--json")) == record
    assert (record["number"], record["red"], record["state"]) == (1, "Anna", "finished")
    assert record["header"] == played().header.as_dict()
    assert [json_line(entry["event"]) for entry in record["entries"]] == [line for line, _ in played().lines()]
    assert [tuple(map(json_line, entry["rulings"])) for entry in record["entries"]] == [
        rulings for _, rulings in played().lines()
    ]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
def test_a_full_disk_is_said_in_one_line(folder: Path) -> None:
    assert refused(folder, "export", "1", "-o", "/dev/full") == "tamsk-hw: /dev/full: No space left on device"


def test_delete_asks_first(folder: Path) -> None:
    no = games(folder, "delete", "2", answer="n\n")
    assert no.exit_code == 0
    assert "Delete game 2 (" in no.stdout
    assert "red - black, " in no.stdout
    assert no.stdout.endswith("Game 2 is kept.\n")
    assert len(Archive(folder).games()) == 3
    yes = games(folder, "delete", "2", answer="y\n")
    assert yes.stdout.endswith("Game 2 is deleted.\n")
    with Journal(folder):
        assert f"is held by process {os.getpid()}" in refused(folder, "delete", "1", "--yes")
    assert said(folder, "delete", "1", "--yes") == "Game 1 is deleted.\n"
    words = refused(folder, "delete", "3")
    assert words == "tamsk-hw: game 3 is not over; allowed: a game that is finished or abandoned"
    assert [game.number for game in Archive(folder).games()] == [3]


@pytest.mark.parametrize("number", ["0", "4", "x", "1.5", "99999999999999999999", "²", "", "1 "])
def test_bad_numbers_are_refused_in_one_line(folder: Path, number: str) -> None:
    for command, *options in (["show"], ["export"], ["delete", "--yes"], ["name", "--red", "Anna"]):
        assert "see tamsk-hw games list" in refused(folder, command, number, *options)
    assert [(game.number, game.red) for game in Archive(folder).games()] == [(1, "Anna"), (2, None), (3, None)]


def test_a_recorded_stream_is_imported_once(folder: Path, tmp_path: Path) -> None:
    file, other = tmp_path / "game.jsonl", tmp_path / "other"
    said(folder, "export", "2", "-o", str(file))
    assert said(folder, "import", str(file)) == "Game 2 is this game already; nothing was changed.\n"
    assert said(other, "import", str(file), "--black", EVIL) == "Game 1 is imported.\n"
    assert said(other, "export", "1") == file.read_text()
    row = said(other, "list").splitlines()[1].split()
    assert row[:2] == ["1", "imported"]
    listed = json.loads(said(other, "list", "--json"))[0]
    assert (listed["begun"], listed["black"]) == (None, EVIL)
    assert listed["imported"] is not None
    assert said(other, "show", "1").startswith("Game 1, imported ")
    file.write_text(f'{file.read_text()}{{"t":')
    again = games(other, "import", str(file))
    assert (again.exit_code, again.stdout) == (0, "Game 1 is this game already; nothing was changed.\n")
    assert f"{file} line 43: cut off in the middle" in again.stderr


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "the stream is empty"),
        (b'{"tamsk": 1}\n{"t": 1, "event": "dance"}\n', "line 2"),
        (b'{"tamsk": 1}\n', "no game is started in it"),
    ],
)
def test_what_is_no_recorded_game_is_refused_in_one_line(
    folder: Path, tmp_path: Path, content: bytes, told: str
) -> None:
    file = tmp_path / "game.jsonl"
    file.write_bytes(content)
    words = refused(folder, "import", str(file))
    assert str(file) in words
    assert told in words
    assert len(Archive(folder).games()) == 3
    assert "a folder, not a file" in refused(folder, "import", str(tmp_path))


def test_a_remark_stands_on_the_score_sheet_and_changes_no_ruling(folder: Path) -> None:
    before = said(folder, "show", "2").splitlines()
    assert said(folder, "annotate", "2", "Black had resigned.") == "Game 2 has the remark.\n"
    after = said(folder, "show", "2").splitlines()
    assert [line for line in after if line not in before] == [after[1]]
    assert after[1].startswith("Remark of ")
    assert after[1].endswith(": Black had resigned.")
    assert json.loads(said(folder, "show", "2", "--json"))["annotations"][0]["text"] == "Black had resigned."
    assert "no remark" in refused(folder, "annotate", "2", " ")


def test_a_name_is_erased_after_a_question(folder: Path) -> None:
    no = games(folder, "erase-name", "Anna", answer="n\n")
    assert no.stdout.endswith("The name is kept.\n")
    assert Archive(folder).load(1).red == "Anna"
    (folder / "journal-set-aside-2025-01-01-120000.db").write_bytes(b"Anna")
    words = said(folder, "erase-name", " Anna ", "--yes").splitlines()
    assert words[0] == "The name is taken from 1 game."
    assert words[1] == f"{folder}/journal-set-aside-2025-01-01-120000.db has it still, and is left as it is."
    assert Archive(folder).load(1).red is None
    assert "the name is empty" in refused(folder, "erase-name", " ", "--yes")


def test_names_are_given_afterwards(folder: Path) -> None:
    assert said(folder, "name", "2", "--red", "Anna", "--black", "Bo") == "Game 2: red is Anna, black is Bo.\n"
    assert said(folder, "name", "2", "--red", "") == "Game 2: red is not named, black is Bo.\n"
    assert "allowed: --red NAME, --black NAME or both" in refused(folder, "name", "2")
    assert "not UTF-8 text" in refused(folder, "name", "2", "--red", "\udcff")
    assert "at most 100" in refused(folder, "name", "2", "--red", "A" * 101)
    assert Archive(folder).load(2).black == "Bo"


def test_names_that_would_steer_a_terminal_are_shown_as_they_are_written(folder: Path) -> None:
    assert said(folder, "name", "2", "--black", EVIL).endswith(f"black is {SHOWN}.\n")
    outputs = [games(folder, "delete", "2", answer="n\n").stdout]
    outputs += [said(folder, *command) for command in (("list",), ("show", "2"), ("players",))]
    for output in outputs:
        assert SHOWN in output
    outputs += [said(folder, *command, "--json") for command in (("list",), ("show", "2"), ("players",))]
    for output in outputs:
        assert all(character.isprintable() or character == "\n" for character in output)


def test_joiners_within_names_are_shown_and_others_are_not(tmp_path: Path) -> None:
    """Persian and Indian names are written with them."""
    within, before = "نیک\u200cبین", "\u200dBo"
    write(tmp_path, won("red"), red=within)
    said(tmp_path, "name", "1", "--black", before)
    listed = said(tmp_path, "list")
    assert within in listed
    assert r"\u200dBo" in listed


def test_results_of_players_and_pairs(tmp_path: Path) -> None:
    for red, black, game in (
        ("Anna", "Bo", won("red")),
        ("Bo", "Anna", won("red")),
        ("Bo", "Anna", won("black")),
        ("Anna", "Bo", played()),
        ("Anna", "Cé", won("black", Reason.LAST_GLASS)),
        ("Anna", None, won("red")),
        ("Bo", "Bo", won("red")),
        ("Anna", "Bo", won("red", Reason.ABANDONED)),
        ("Anna", "tamsk-hw (strong)", won("red")),  # against the program: not among anybody's games in all
    ):
        write(tmp_path, game, red=red)
        number = str(len(Archive(tmp_path).games()))
        if black is not None:
            said(tmp_path, "name", number, "--black", black)

    def counts(games: int, red: int, black: int, lost: int, tied: int) -> dict[str, int]:
        won = {"won": red + black, "won_as_red": red, "won_as_black": black}
        return {"games": games, **won, "lost": lost, "tied": tied}

    results: dict[str, Any] = json.loads(said(tmp_path, "players", "--json"))
    assert results["players"] == [
        {"name": "Anna", **counts(6, 2, 1, 2, 1)},
        {"name": "Bo", **counts(4, 1, 0, 2, 1)},
        {"name": "Cé", **counts(1, 0, 1, 0, 0)},
    ]
    assert results["pairs"] == [
        {"name": "Anna", "against": "Bo", **counts(4, 1, 1, 1, 1)},
        {"name": "Anna", "against": "Cé", **counts(1, 0, 0, 1, 0)},
        {"name": "Anna", "against": "tamsk-hw (strong)", **counts(1, 1, 0, 0, 0)},
    ]
    table = [line.split() for line in said(tmp_path, "players").splitlines()]
    assert table[1] == ["Anna", "6", "3", "2", "1", "2", "1"]
    assert ["Anna", "Bo", "4", "2", "1", "1", "1", "1"] in table


def test_a_game_that_is_ruled_otherwise_now_is_told_and_shown_as_it_was(tmp_path: Path) -> None:
    write(tmp_path, won("red", Reason.AWARDED))  # as if there had been another rule
    result = games(tmp_path, "show", "1")
    assert result.exit_code == 0
    assert "Red wins: awarded by the arbiter" in result.stdout
    (line,) = result.stderr.splitlines()
    assert line.startswith("tamsk-hw: This version of tamsk-hw rules otherwise on game 1, event 41: ")


def test_a_terminal_gets_a_drawn_table(folder: Path) -> None:
    terminal = AtATerminal(*PROGRAM, "games", "list", "--folder", str(folder))
    assert terminal.end() == 0
    assert "│" in terminal.shown
    assert "Anna" in terminal.shown
