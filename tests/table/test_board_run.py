"""The program at a configured board, whole: serial port, buttons, journal, signals, systemd. In real time, but
nothing waits for the clock: each step waits for the line that the program says next.
"""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tamsk_hw.board.calibration import (
    Calibration,
    KnownCalibration,
    board_identity,
    read_baselines,
    save_calibration,
)
from tamsk_hw.board.protocol import Decoder, SetThresholds
from tamsk_hw.board.wiring import load_wiring
from tamsk_hw.game.tubes import Tube
from tamsk_hw.journal.archive import Archive
from tamsk_hw.referee.rulings import Moved, Ruling
from tamsk_hw.table.capture import read_capture
from tamsk_hw.table.replay import ReplayedEvent, replay_capture
from tests.boards import SEVEN, SEVEN_MAP
from tests.table.board_program import PATIENCE, ROOT, Program


@pytest.fixture
def running() -> Iterator[list[Program]]:
    programs: list[Program] = []
    yield programs
    for program in programs:
        if program.process.poll() is None:
            program.process.kill()
        program.process.wait()


def test_a_killed_game_is_offered_goes_on_and_can_be_abandoned(running: list[Program], tmp_path: Path) -> None:
    first = Program(tmp_path)
    running.append(first)
    first.hear("not calibrated")
    first.hear("The board is ready")
    first.do("press 0.2")
    first.hear("Turn 1: red to move")
    first.do("move D1 D2", "ring D2")
    first.hear("Red moves D1→D2")
    first.hear("Red's ring on D2 counts")
    first.do("move D7 D6")
    first.hear("Black moves D7→D6")  # a second later: what was shown before is saved
    first.do("kill")
    assert first.process.wait(PATIENCE) == -signal.SIGKILL

    second = Program(tmp_path)  # the simulated board stands as at the start: somebody has put everything back
    running.append(second)
    second.hear("Game 1 was not finished")
    second.do("press 0.2")
    second.hear("Nobody watched the board")
    second.hear("taken off D2")
    assert second.end(signal.SIGINT) == 130

    third = Program(tmp_path)
    running.append(third)
    third.hear("Game 1 was not finished")
    third.do("press 2.5")
    third.hear("Game 1 is abandoned")
    third.hear("The board is ready")
    assert third.end(signal.SIGTERM) == 143
    listed = subprocess.run(
        [sys.executable, "-m", "tamsk_hw.commands.main", "games", "list", "--folder", str(tmp_path / "journal")],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    ).stdout
    assert "abandoned" in listed


def test_a_pulled_cable_is_said_and_the_board_comes_back(running: list[Program], tmp_path: Path) -> None:
    program = Program(tmp_path)
    running.append(program)
    program.hear("The board is ready")
    program.do("press 0.2")
    program.hear("Turn 1: red to move")
    program.do("unplug")
    program.hear("out of reach")
    program.do("move D1 D2", "replug")
    program.hear("The board is connected")
    program.hear("Red moves D1→D2")
    assert program.end(signal.SIGINT) == 130


def ruled_again(folder: Path) -> list[Ruling]:
    """Rulings on the program's capture."""
    with (folder / "capture.jsonl").open("rb") as lines:
        heard = replay_capture(read_capture(lines, "capture"), load_wiring(), "capture")
    return [ruling for each in heard if isinstance(each, ReplayedEvent) for ruling in each.rulings]


def test_a_capture_of_a_running_board_gives_the_very_rulings_that_were_saved(
    running: list[Program], tmp_path: Path
) -> None:
    """Also of a game that was resumed; times, as the clock had them, to the last bit."""
    first = Program(tmp_path)
    running.append(first)
    first.hear("The board is ready")
    first.do("press 0.2")
    first.hear("Turn 1: red to move")
    first.do("move D1 D2", "ring D2")
    first.hear("Red's ring on D2 counts")
    assert first.end(signal.SIGTERM) == 143
    archive = Archive(tmp_path / "journal")
    saved = archive.load(1).rulings()
    assert ruled_again(tmp_path) == saved

    second = Program(tmp_path)
    running.append(second)
    second.hear("Game 1 was not finished")
    second.do("press 0.2")
    second.hear("taken off D2")
    assert second.end(signal.SIGTERM) == 143
    assert ruled_again(tmp_path) == archive.load(1).rulings()[len(saved) :]


def test_a_board_of_seven_tubes_is_played_and_resumed_as_one(running: list[Program], tmp_path: Path) -> None:
    first = Program(tmp_path, None, SEVEN_MAP)
    running.append(first)
    first.hear("The board is connected")
    first.do("press 0.2")
    first.hear("Turn 1: red to move")
    first.do("place red D4", "ring D4")
    first.hear("Red places a glass on D4")
    first.hear("Red's ring on D4 counts")
    first.do("place black E3")
    first.hear("Black places a glass on E3")
    first.do("kill")
    assert first.process.wait(PATIENCE) == -signal.SIGKILL
    header, _ = Archive(tmp_path / "journal").load(1).header_and_events()
    assert header.ruleset.tubes == SEVEN.wiring.tubes
    assert header.pause_when_lost is True

    second = Program(tmp_path, None, SEVEN_MAP)
    running.append(second)
    second.hear("Game 1 was not finished")
    second.do("press 0.2")
    second.hear("Nobody watched the board")
    assert second.end(signal.SIGINT) == 130


def wait_until(is_so: Callable[[], bool]) -> None:
    """Ask again and again, for `PATIENCE` at most."""
    ends = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < ends
        time.sleep(0.02)


def full_pipe() -> tuple[int, int]:
    """A pipe that takes nothing any more: reading and writing end."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    with contextlib.suppress(BlockingIOError):
        while True:
            os.write(writer, b"x" * 4096)
    os.set_blocking(writer, True)
    return reader, writer


@pytest.mark.parametrize(
    ("stuck", "is_full"),
    [("stdout", False), ("stderr", False), ("stdout", True)],
    ids=["stdout", "stderr", "full"],
)
def test_a_game_goes_on_and_ends_though_nothing_can_be_printed(stuck: str, is_full: bool, tmp_path: Path) -> None:
    """Nobody reads, as with a pager, or a terminal that Ctrl-S has stopped; or the disk is full."""
    reader, writer = full_pipe()
    with Path("/dev/full").open("w") as full:
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, stuck: full if is_full else writer}
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.table.live_board", str(tmp_path)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=streams["stdout"],
            stderr=streams["stderr"],
            text=True,
            bufsize=1,
        )
    os.close(writer)
    with process:
        assert process.stdin is not None
        heard = process.stderr if stuck == "stdout" else process.stdout
        assert heard is not None
        expected = "connected" if stuck == "stdout" else "The board is ready"
        while expected not in heard.readline():
            pass
        process.stdin.write("press 0.2\n")
        archive = Archive(tmp_path / "journal")
        wait_until(lambda: bool(archive.games()))
        process.stdin.write("move D1 D2\n")
        wait_until(lambda: any(isinstance(ruling, Moved) for ruling in archive.load(1).rulings()))
        assert process.poll() is None
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 143
    os.close(reader)


def test_systemd_hears_that_it_is_ready_and_alive_and_how_the_game_stands(
    running: list[Program], tmp_path: Path
) -> None:
    """READY does not wait for a game; a bound datagram socket stands for systemd."""
    address = tmp_path / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(str(address))
        listener.settimeout(PATIENCE)
        program = Program(tmp_path, {"NOTIFY_SOCKET": str(address), "WATCHDOG_USEC": "200000"})
        running.append(program)
        heard = ""
        while "READY=1" not in heard or heard.count("WATCHDOG=1") < 3:
            heard += listener.recv(4096).decode() + "\n"
        assert heard.index("READY=1") < heard.index("WATCHDOG=1")
        ends = time.monotonic() + PATIENCE
        for status in ("level 1, setting up the board", "board unplugged since "):
            while f"STATUS={status}" not in heard:
                assert time.monotonic() < ends, heard
                heard += listener.recv(4096).decode() + "\n"
            program.do("unplug")
        assert program.end(signal.SIGTERM) == 143
        listener.setblocking(False)
        while "STOPPING=1" not in heard:
            heard += listener.recv(4096).decode() + "\n"


def test_what_sensors_drift_by_is_kept_and_a_damaged_file_is_said(running: list[Program], tmp_path: Path) -> None:
    """Of a board without a calibration, too; at the next start it is part of the capture."""
    file = tmp_path / "journal" / "rests.toml"
    file.parent.mkdir()
    file.write_text("D4 = ", encoding="utf-8")
    first = Program(tmp_path)
    running.append(first)
    first.hear(f"{file} is no TOML")
    first.hear("The board is ready")
    assert first.end(signal.SIGTERM) == 143
    rests = read_baselines(file, board_identity(Calibration(), load_wiring()), time.time())
    assert rests == (128.0,) * 38

    drifted = file.read_text(encoding="utf-8").replace("D4 = 128.0", "D4 = 133.0")
    file.write_text(drifted, encoding="utf-8")
    second = Program(tmp_path)
    running.append(second)
    second.hear("The board is ready")
    assert second.end(signal.SIGTERM) == 143
    with (tmp_path / "capture.jsonl").open("rb") as lines:
        head = read_capture(lines, "capture")
    assert head.rests is not None
    assert (head.rests[Tube.D4], head.rests[Tube.D3]) == (133.0, 128.0)


def test_a_calibrated_boards_ring_sensors_are_given_their_thresholds(
    running: list[Program], tmp_path: Path
) -> None:
    state = tmp_path / "data" / "tamsk-hw"
    state.mkdir(parents=True)
    known = KnownCalibration(ring_counts={"D4": (64, 48, 30, 100)})
    save_calibration(state / "calibration.toml", known, datetime(2026, 11, 22, tzinfo=UTC))
    program = Program(tmp_path, {"XDG_DATA_HOME": str(state.parent)})
    running.append(program)
    program.hear("The board is ready")

    def given() -> dict[int, int]:
        """What was sent: each sensor's threshold, by its bit."""
        lines = (tmp_path / "capture.jsonl").read_text(encoding="utf-8").splitlines()
        words = [bytes.fromhex(line["tx"]) for line in map(json.loads, lines[1:-1]) if "tx" in line]
        sent = [each for each in Decoder().feed(b"".join(words)) if isinstance(each, SetThresholds)]
        return {8 * each.chip + n: threshold for each in sent for n, threshold in enumerate(each.thresholds)}

    bits = load_wiring().ring_bits[Tube.D4]
    wait_until(lambda: {*bits} <= given().keys())
    assert [given()[bit] for bit in bits] == [32, 24, 15, 50]
    assert program.end(signal.SIGTERM) == 143


def test_options_of_the_simulated_board_are_refused_at_a_real_one(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text('[board]\nport = "/dev/tamsk-board"\n', encoding="utf-8")
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "tamsk_hw.commands.main",
            "run",
            "--seed",
            "1",
            "--speed",
            "2",
            "--config",
            str(file),
        ],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "--seed, --speed" in done.stderr
    assert "--simulated" in done.stderr
