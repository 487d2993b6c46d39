"""The language of the commands: the environment's or the configuration's for people, none for programs."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from tamsk_hw.commands.main import main
from tamsk_hw.words import translating
from tests.boards import SEVEN_CONFIG
from tests.journal.played import played, write

COMMAND = [sys.executable, "-m", "tamsk_hw.commands.main"]

STREAM = """{"tamsk":1,"ruleset":{"level":1}}
{"t":1,"event":"seat","tube":"D1","end":"A"}
{"t":1,"event":"button","button":"start","press":"short"}
{"t":2,"event":"fault","sensor":"glass D4","detail":"reads 255"}
"""


def tamsk(*arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """The program with no variable of the locale but these."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG"))}
    kept |= {"PYTHONIOENCODING": "utf-8"} | environment
    return subprocess.run(
        [*COMMAND, *map(str, arguments)], env=kept, capture_output=True, encoding="utf-8", check=False
    )


@pytest.fixture
def stream(tmp_path: Path) -> Path:
    file = tmp_path / "stream.jsonl"
    file.write_text(STREAM)
    return file


@pytest.mark.parametrize(
    ("environment", "words"),
    [
        ({}, "The board is not ready: put a black glass on A1; put a red glass on A4; "),
        ({"LANG": "C"}, "The board is not ready: put a black glass on A1; put a red glass on A4; "),
        ({"LANG": "de_DE.UTF-8"}, "Das Brett ist nicht bereit: eine Sanduhr von Schwarz auf A1 stellen; eine "),
        (
            {"LANG": "de_DE.UTF-8", "LC_ALL": "fr_FR"},
            "Le plateau n'est pas prêt : poser un sablier de Noir sur A1 ; poser ",
        ),
        ({"LC_MESSAGES": "nl_NL"}, "Het bord is niet klaar: zet een zandloper van zwart op A1; zet een "),
    ],
)
def test_replay_speaks_the_language_of_the_environment(
    stream: Path, environment: dict[str, str], words: str
) -> None:
    ran = tamsk("replay", stream, **environment)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert words in ran.stdout


def test_json_has_no_language(stream: Path) -> None:
    english = tamsk("replay", "--json", stream)
    assert english.returncode == 0
    assert [json.loads(line)["ruling"] for line in english.stdout.splitlines()][:1] == ["setup"]
    assert tamsk("replay", "--json", stream, LANG="de_DE.UTF-8").stdout == english.stdout


def test_refusals_and_help_stay_english(tmp_path: Path, stream: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text('[words]\nlanguage = "es"\n')
    for arguments in (["run", "--config", config], ["replay", tmp_path / "nothing"], ["run", "--help"]):
        english, german = tamsk(*arguments), tamsk(*arguments, LANG="de_DE.UTF-8")
        assert (english.stdout, english.stderr) == (german.stdout, german.stderr)
    refused = tamsk("run", "--config", config)
    assert refused.returncode == 2
    assert 'words.language: "es"; allowed is "en", "de", "fr", "nl" or "auto"' in refused.stderr


@pytest.mark.soak(but=["auto-words0"])
@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("auto", ["TAMSK, Stufe 1", "      Rot ", "Verstöße", "Rot am Zug"]),
        ("fr", ["TAMSK, niveau 1", "      Rouge ", "infractions"]),
    ],
)
def test_a_game_and_its_sheet_speak_the_configured_language(
    language: str, words: list[str], tmp_path: Path
) -> None:
    config, record = tmp_path / "config.toml", tmp_path / "game.jsonl"
    config.write_text(f'{SEVEN_CONFIG}[words]\nlanguage = "{language}"\n')
    arguments = ["run", "--level", "1", "--seed", "5", "--speed", "100", "--record", record, "--config", config]
    ran = tamsk(*arguments, LANG="de_DE.UTF-8")
    assert ran.returncode == 0
    assert all(each in ran.stdout for each in words[:3])
    # The recorded stream is the same, so it has the rulings of an English game.
    again = tamsk("replay", record, LANG={"auto": "de", "fr": "fr"}[language])
    shown, _, _ = ran.stdout.partition("\n\n")
    assert again.stdout == shown + "\n"
    assert "The " not in shown


def test_the_score_sheet_of_a_stored_game(tmp_path: Path) -> None:
    write(tmp_path, played(), red="Anna")
    arguments = ["games", "show", "1", "--folder", tmp_path]
    heading, players, *sheet = tamsk(*arguments, LANG="de_DE.UTF-8").stdout.splitlines()
    assert heading.startswith("Spiel 1, begonnen ")
    assert heading.endswith(" (beendet)")
    assert players == "Rot: Anna, Schwarz: -"
    assert sheet[0].startswith("TAMSK, Stufe ")
    english = tamsk(*arguments).stdout
    assert english.startswith("Game 1, begun ")
    document = ["games", "show", "1", "--json", "--folder", tmp_path]
    assert tamsk(*document).stdout == tamsk(*document, LANG="de_DE.UTF-8").stdout


def test_without_its_catalogue_a_language_gives_way_to_english(
    stream: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a warning: nobody waits for a game because of a word."""
    monkeypatch.setattr(translating, "CATALOGUES", tmp_path)
    translating.catalogue.cache_clear()
    ran = CliRunner().invoke(main, ["replay", str(stream)], env={"LC_ALL": "de_DE.UTF-8"})
    translating.catalogue.cache_clear()
    assert ran.exit_code == 0
    assert "The board is not ready: " in ran.stdout
    (warning,) = ran.stderr.splitlines()
    assert warning.startswith('tamsk-hw: the catalogue of the language "de" cannot be read (')
    assert warning.endswith("): install the program again")
