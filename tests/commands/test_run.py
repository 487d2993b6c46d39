"""``tamsk-hw run`` as a program: plain lines, record and capture, the ways it ends."""

import json
import os
import signal
import subprocess
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from tamsk_hw.board.wiring import load_wiring
from tamsk_hw.commands.main import main
from tamsk_hw.game.ruleset import Ruleset, Start
from tamsk_hw.game.tubes import Player
from tamsk_hw.partner import Partner, Strength
from tamsk_hw.simulator.demo import Demo
from tamsk_hw.words.score_sheet import score_sheet
from tests.boards import SEVEN_CONFIG, SEVEN_MAP
from tests.commands.at_a_terminal import PROGRAM
from tests.commands.program import invoked, tamsk
from tests.simulation import Simulation

QUICK = ("run", "--level", "1", "--seed", "5", "--speed", "100")


@pytest.mark.usefixtures("short_games")
def test_record_and_capture_of_a_game_replay_to_what_was_shown(tmp_path: Path) -> None:
    record, capture = tmp_path / "game.jsonl", tmp_path / "game.capture"
    ran = tamsk(*QUICK, "--record", record, "--capture", capture)
    assert ran.returncode == 0, ran.stderr
    shown, _, sheet = ran.stdout.partition("\n\n")
    assert sheet.startswith("TAMSK, level 1\n\n      red  ")
    assert sheet.rstrip().endswith(("(R5.2)", "(R5.5)"))
    assert tamsk("replay", record).stdout == shown + "\n"
    connected, *captured = invoked("replay", "--capture", capture).stdout.splitlines()
    assert connected.startswith("The board is connected")
    assert captured == shown.splitlines()

    rulings = [json.loads(line) for line in invoked("replay", record, "--json").stdout.splitlines()]
    assert len(rulings) == len(shown.splitlines())
    assert rulings[-1]["ruling"] == "game_over"
    heard = [json.loads(line) for line in invoked("replay", "--capture", capture, "--json").stdout.splitlines()]
    events = [each["event"] for each in heard if "event" in each]
    recorded = [json.loads(line) for line in record.read_text().splitlines()]
    assert [event for event in events if event["event"] != "tick"] == recorded[1:-1]
    assert [each["notice"]["code"] for each in heard if "notice" in each] == ["board_connected"]
    ruled = [each for each in heard if "ruling" in each]
    assert all(each.pop("at") >= each["t"] for each in ruled)
    assert ruled == rulings


def test_the_games_of_a_simulated_board_are_kept_apart(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text(f'{SEVEN_CONFIG}[journal]\nfolder = "{tmp_path}/journal"\n')
    of_config = ["--config", str(file)]
    _, _, sheet = tamsk(*QUICK, *of_config).stdout.partition("\n\n")
    shown = CliRunner().invoke(main, ["games", "show", "1", "--simulated", *of_config])
    assert (shown.exit_code, shown.stderr) == (0, "")
    assert shown.stdout.endswith(f"\n{sheet}")
    listed = CliRunner().invoke(main, ["games", "list", *of_config]).stdout
    assert listed == "No games yet.\nBesides 1 simulated: tamsk-hw games list --simulated\n"
    assert json.loads(CliRunner().invoke(main, ["games", "list", "--json", *of_config]).stdout) == []


def test_the_partner_plays_at_the_simulated_board_under_his_name(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text(f'{SEVEN_CONFIG}[partner]\nplayer = "red"\n[journal]\nfolder = "{tmp_path}/journal"\n')
    of_config = ["--config", str(file)]
    asked = ["--partner", "black", "--strength", "easy"]  # comes before what is configured
    _, _, sheet = tamsk(*QUICK, *of_config, *asked).stdout.partition("\n\n")
    (listed,) = json.loads(CliRunner().invoke(main, ["games", "list", "--json", "--simulated", *of_config]).stdout)
    assert (listed["red"], listed["black"]) == (None, "tamsk-hw (easy)")
    wiring = load_wiring(SEVEN_MAP)
    ruleset = Ruleset(level=1, start=Start.FREE, tubes=wiring.tubes)
    brains = {Player.BLACK: Partner(Player.BLACK, ruleset, Strength.EASY, 5)}
    port = tmp_path / "port"
    with closing(
        Simulation(ruleset, 5, wiring=wiring, port=port, seat=lambda world, view: Demo(world, view, 5, brains))
    ) as game:
        assert sheet.rstrip() == score_sheet(game.play()).rstrip()


@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 143), (signal.SIGKILL, -9)])
def test_however_it_is_ended_its_record_replays(number: signal.Signals, status: int, tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    with subprocess.Popen(
        [*PROGRAM, "run", "--seed", "5", "--speed", "50", "--record", str(record)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        shown = [process.stdout.readline() for _ in range(12)]
        process.send_signal(number)
        rest, errors = process.communicate()
    assert process.returncode == status
    assert "Traceback" not in errors
    assert ("TAMSK, level 3" in rest) == (number is signal.SIGTERM)
    # What fell due after the last event that was written cannot be ruled on again; all else is.
    assert invoked("replay", record).stdout.splitlines(keepends=True)[:10] == shown[:10]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
@pytest.mark.usefixtures("short_games")
def test_a_full_disk_is_said_once_for_the_record_and_once_for_the_capture_and_the_game_goes_on() -> None:
    ran = tamsk(*QUICK, "--record", "/dev/full", "--capture", "/dev/full")
    assert ran.returncode == 0
    assert ran.stderr.count("/dev/full: No space left on device; the rest of the game is not recorded.") == 2
    assert "TAMSK, level 1" in ran.stdout


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM])
def test_a_signal_keeps_its_status_though_nobody_reads_any_more(number: signal.Signals) -> None:
    """A terminal that is closed takes the readers of pipes with it; the farewell cannot be written then."""
    command = [*PROGRAM, "run", "--simulated", "--speed", "10"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        assert process.stdout is not None
        assert process.stdout.readline()
        process.send_signal(signal.SIGSTOP)  # so that the signal is there before it can find out
        process.stdout.close()
        process.send_signal(number)
        process.send_signal(signal.SIGCONT)
        assert process.wait(60) == 128 + number
