"""``tamsk-hw run --capture`` and ``tamsk-hw replay --capture``, as commands."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "tamsk_hw.commands.main"]


def tamsk(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *map(str, arguments)], capture_output=True, text=True, check=False, cwd=ROOT)


@pytest.mark.usefixtures("short_games")
def test_a_simulated_game_s_capture_gives_its_events_and_rulings(tmp_path: Path) -> None:
    capture, record = tmp_path / "capture.jsonl", tmp_path / "record.jsonl"
    level = ("--level", "1", "--seed", "11")
    played = tamsk("run", "--simulated", *level, "--speed", "100", "--capture", capture, "--record", record)
    assert played.returncode == 0, played.stderr
    again = tamsk("replay", "--capture", capture, "--json")
    assert (again.returncode, again.stderr) == (0, "")
    heard = [json.loads(line) for line in again.stdout.splitlines()]
    recorded = [json.loads(line) for line in record.read_text().splitlines()]
    assert [each["event"] for each in heard if "event" in each and each["event"]["event"] != "tick"] == recorded[
        1:-1
    ]
    rulings = [json.loads(line) for line in tamsk("replay", record, "--json").stdout.splitlines()]
    ruled = [each for each in heard if "ruling" in each]
    assert all(each.pop("at") >= each["t"] for each in ruled)
    assert ruled == rulings
    assert rulings[-1]["ruling"] == "game_over"
    assert [each["notice"]["code"] for each in heard if "notice" in each] == ["board_connected"]
    words = tamsk("replay", "--capture", capture).stdout
    assert words.startswith("The board is connected")
    assert words.splitlines()[1:] == tamsk("replay", record).stdout.splitlines()


def test_a_capture_that_is_refused_is_refused_in_one_line(tmp_path: Path) -> None:
    stream = tmp_path / "stream.jsonl"
    stream.write_text('{"tamsk": 1}\n')
    done = tamsk("replay", "--capture", stream, "--json")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines() == [
        f'tamsk-hw: {stream} line 1: this is no capture; allowed: a first line with "capture": 1'
    ]


@pytest.mark.usefixtures("short_games")
def test_a_disk_that_takes_no_more_ends_the_capture_and_not_the_game() -> None:
    done = tamsk(
        "run", "--simulated", "--level", "1", "--seed", "11", "--speed", "100", "--capture", Path("/dev/full")
    )
    assert done.returncode == 0
    assert "/dev/full" in done.stderr
    assert "wins" in done.stdout


def test_a_capture_without_its_option_is_refused_with_it(tmp_path: Path) -> None:
    file = tmp_path / "game.capture"
    file.write_text('{"capture":1,"header":{"tamsk":1},"calibration":null,"wiring":"d26e7b07"}\n')
    refused = tamsk("replay", file)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr == f"tamsk-hw: {file} line 1: this is a capture; give --capture with it\n"
