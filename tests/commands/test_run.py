"""``tamsk-hw run`` as a program: plain lines, the record, the ways it ends."""

import json
import os
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from tamsk_hw.commands.main import main
from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.game.tubes import Player
from tamsk_hw.partner import Partner, Strength
from tamsk_hw.simulator.demo import Demo
from tamsk_hw.words.score_sheet import score_sheet
from tests.boards import SEVEN_CONFIG
from tests.simulation import Simulation

COMMAND = [sys.executable, "-m", "tamsk_hw.commands.main"]


@pytest.mark.usefixtures("short_games")
def test_a_game_is_shown_recorded_and_replays_to_the_same_rulings(tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    arguments = ["run", "--level", "1", "--seed", "5", "--speed", "100", "--record", str(record)]
    ran = subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, check=True)
    shown, _, sheet = ran.stdout.partition("\n\n")
    replayed = subprocess.run([*COMMAND, "replay", str(record)], capture_output=True, text=True, check=True)
    assert replayed.stdout == shown + "\n"
    assert sheet.startswith("TAMSK, level 1\n\n      red  ")
    assert "\n  1.  (R)" in sheet
    result = sheet.rstrip().splitlines()[-1]
    assert result.endswith(("(R5.2)", "(R5.5)"))
    as_json = subprocess.run(
        [*COMMAND, "replay", "--json", str(record)], capture_output=True, text=True, check=True
    )
    rulings = [json.loads(line) for line in as_json.stdout.splitlines()]
    assert len(rulings) == len(shown.splitlines())
    assert rulings[-1]["ruling"] == "game_over"


def test_the_games_of_a_simulated_board_are_kept_apart(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text(f'{SEVEN_CONFIG}[journal]\nfolder = "{tmp_path}/journal"\n')
    of_config = ["--config", str(file)]
    arguments = ["run", *of_config, "--level", "1", "--seed", "5", "--speed", "100"]
    ran = subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, check=True)
    _, _, sheet = ran.stdout.partition("\n\n")
    shown = CliRunner().invoke(main, ["games", "show", "1", "--simulated", *of_config])
    assert (shown.exit_code, shown.stderr) == (0, "")
    assert shown.stdout.endswith(f"\n{sheet}")
    listed = CliRunner().invoke(main, ["games", "list", *of_config]).stdout
    assert listed == "No games yet.\nBesides 1 simulated: tamsk-hw games list --simulated\n"
    assert json.loads(CliRunner().invoke(main, ["games", "list", "--json", *of_config]).stdout) == []


def test_the_partner_plays_at_the_simulated_board_under_his_name(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text(f'[partner]\nplayer = "red"\n[journal]\nfolder = "{tmp_path}/journal"\n')
    of_config = ["--config", str(file)]
    asked = ["--partner", "black", "--strength", "easy"]  # comes before what is configured
    arguments = ["run", *of_config, "--level", "1", "--seed", "5", "--speed", "100", *asked]
    ran = subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, check=True)
    _, _, sheet = ran.stdout.partition("\n\n")
    (listed,) = json.loads(CliRunner().invoke(main, ["games", "list", "--json", "--simulated", *of_config]).stdout)
    assert (listed["red"], listed["black"]) == (None, "tamsk-hw (easy)")
    ruleset = Ruleset(level=1)
    brains = {Player.BLACK: Partner(Player.BLACK, ruleset, Strength.EASY, 5)}
    game = Simulation(ruleset, 5, port=tmp_path / "port", seat=lambda world, view: Demo(world, view, 5, brains))
    with closing(game):
        assert sheet.rstrip() == score_sheet(game.play()).rstrip()


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_it_can_be_ended_and_keeps_the_record(number: int, status: int, tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    with subprocess.Popen(
        [*COMMAND, "run", "--seed", "5", "--speed", "50", "--record", str(record)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        shown = [process.stdout.readline() for _ in range(8)]
        process.send_signal(number)
        rest, errors = process.communicate()
    assert process.returncode == status
    assert "Traceback" not in errors
    assert "TAMSK, level 3" in rest
    replayed = subprocess.run([*COMMAND, "replay", str(record)], capture_output=True, text=True, check=True)
    assert replayed.stdout.splitlines(keepends=True)[:8] == shown


def test_a_killed_program_leaves_a_record_that_replays(tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    with subprocess.Popen(
        [*COMMAND, "run", "--seed", "6", "--speed", "50", "--record", str(record)],
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        shown = [process.stdout.readline() for _ in range(12)]
        process.kill()
    replayed = subprocess.run([*COMMAND, "replay", str(record)], capture_output=True, text=True, check=True)
    # What fell due after the last event that was written cannot be ruled on again; all else is.
    again = replayed.stdout.splitlines(keepends=True)
    assert again[:10] == shown[:10]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
@pytest.mark.usefixtures("short_games")
def test_a_full_disk_is_said_once_and_the_game_goes_on() -> None:
    arguments = ["run", "--level", "1", "--seed", "3", "--speed", "100", "--record", "/dev/full"]
    ran = subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, check=True)
    assert ran.stderr.count("not recorded") == 1
    assert "TAMSK, level 1" in ran.stdout


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM])
def test_a_signal_keeps_its_status_though_nobody_reads_any_more(number: signal.Signals) -> None:
    """A terminal that is closed takes the readers of pipes with it; the farewell cannot be written then."""
    command = [*COMMAND, "run", "--simulated", "--speed", "10"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        assert process.stdout is not None
        assert process.stdout.readline()
        process.send_signal(signal.SIGSTOP)  # so that the signal is there before it can find out
        process.stdout.close()
        process.send_signal(number)
        process.send_signal(signal.SIGCONT)
        assert process.wait(60) == 128 + number
