"""The language of the commands: the environment's or the configuration's for people, none for programs."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tamsk_hw.commands.main import main
from tamsk_hw.words import translating
from tests.boards import SEVEN_CONFIG
from tests.commands.program import invoked, tamsk
from tests.journal.played import played, write

STREAM = """{"tamsk":1,"ruleset":{"level":1}}
{"t":1,"event":"seat","tube":"D1","end":"A"}
{"t":1,"event":"button","button":"start","press":"short"}
{"t":2,"event":"fault","sensor":"glass D4","detail":"reads 255"}
"""


@pytest.fixture
def stream(tmp_path: Path) -> Path:
    file = tmp_path / "stream.jsonl"
    file.write_text(STREAM)
    return file


@pytest.mark.parametrize(
    ("environment", "words"),
    [
        ({}, "The board is not ready: put a black glass on A1; put a red glass on A4; "),
        ({"LANG": "de_DE.UTF-8"}, "Das Brett ist nicht bereit: eine Sanduhr von Schwarz auf A1 stellen; eine "),
        (
            {"LANG": "de_DE.UTF-8", "LC_ALL": "fr_FR"},
            "Le plateau n'est pas prêt : poser un sablier de Noir sur A1 ; poser ",
        ),
        ({"LC_MESSAGES": "nl_NL"}, "Het bord is niet klaar: zet een zandloper van zwart op A1; zet een "),
    ],
)
def test_replay_speaks_the_language_of_the_environment_and_its_json_none(
    stream: Path, environment: dict[str, str], words: str
) -> None:
    ran = invoked("replay", stream, **environment)
    assert (ran.exit_code, ran.stderr) == (0, "")
    assert words in ran.stdout
    for line in invoked("replay", "--json", stream, **environment).stdout.splitlines():
        assert json.loads(line).keys() & {"ruling", "words"} == {"ruling"}


def test_refusals_and_help_stay_english(tmp_path: Path, stream: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text('[words]\nlanguage = "eo"\n')
    for arguments in (["run", "--config", config], ["replay", tmp_path / "nothing"], ["run", "--help"]):
        english, german = invoked(*arguments), invoked(*arguments, LANG="de_DE.UTF-8")
        assert (english.stdout, english.stderr) == (german.stdout, german.stderr)


def test_a_game_and_its_sheet_speak_the_configured_language_before_the_environments(tmp_path: Path) -> None:
    config, record = tmp_path / "config.toml", tmp_path / "game.jsonl"
    config.write_text(f'{SEVEN_CONFIG}[words]\nlanguage = "fr"\n')
    arguments = ["run", "--level", "1", "--seed", "5", "--speed", "100", "--record", record, "--config", config]
    ran = tamsk(*arguments, LANG="de_DE.UTF-8")
    assert ran.returncode == 0
    shown, _, sheet = ran.stdout.partition("\n\n")
    assert sheet.startswith("TAMSK, niveau 1")
    assert "      Rouge " in sheet
    # The recorded stream is the same, so it has the rulings of an English game.
    assert tamsk("replay", record, LANG="fr").stdout == shown + "\n"
    assert "The " not in shown


def test_a_kept_game_is_shown_in_the_language_of_the_environment_and_its_json_in_none(tmp_path: Path) -> None:
    write(tmp_path, played(), red="Anna")
    arguments = ["games", "show", "1", "--folder", tmp_path]
    heading, players, *_ = invoked(*arguments, LANG="de_DE.UTF-8").stdout.splitlines()
    assert heading.startswith("Spiel 1, begonnen ")
    assert players == "Rot: Anna, Schwarz: -"
    assert invoked(*arguments, "--json").stdout == invoked(*arguments, "--json", LANG="de_DE.UTF-8").stdout


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
