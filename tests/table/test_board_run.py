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
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from click.testing import CliRunner

from tamsk_hw.board.calibration import (
    Calibration,
    KnownCalibration,
    board_identity,
    read_baselines,
    save_calibration,
)
from tamsk_hw.board.protocol import Decoder, SetThresholds
from tamsk_hw.board.wiring import Wiring, load_wiring
from tamsk_hw.commands.main import main
from tamsk_hw.game.tubes import Tube
from tamsk_hw.journal.archive import Archive
from tamsk_hw.journal.records import GameState
from tamsk_hw.referee.rulings import Moved, Ruling
from tamsk_hw.table.capture import read_capture
from tamsk_hw.table.replay import ReplayedEvent, replay_capture
from tests.boards import SEVEN, SEVEN_MAP
from tests.table.board_program import PATIENCE, ROOT
from tests.table.conftest import Start


def ruled_again(folder: Path, wiring: Wiring) -> list[Ruling]:
    """Rulings on the program's capture."""
    with (folder / "capture.jsonl").open("rb") as lines:
        heard = replay_capture(read_capture(lines, "capture"), wiring, "capture")
    return [ruling for each in heard if isinstance(each, ReplayedEvent) for ruling in each.rulings]


def test_a_killed_game_is_offered_goes_on_and_can_be_abandoned(start: Start, tmp_path: Path) -> None:
    """What was ruled in between is ruled again from the capture; times, as the clock had them, to the last bit."""
    first = start()
    first.hear("not calibrated")
    first.begin()
    first.do("move D1 D2", "ring D2")
    first.hear("Red moves D1→D2")
    first.hear("Red's ring on D2 counts")
    first.do("move D7 D6")
    first.hear("Black moves D7→D6")  # a second later: what was shown before is saved
    first.do("kill")
    assert first.process.wait(PATIENCE) == -signal.SIGKILL
    archive = Archive(tmp_path / "journal")
    saved = len(archive.load(1).rulings())

    second = start()  # the simulated board stands as at the start: somebody has put everything back
    second.hear("Game 1 was not finished")
    second.do("press 0.2")
    second.hear("Nobody watched the board")
    second.hear("taken off D2")
    assert second.end(signal.SIGINT) == 130
    assert ruled_again(tmp_path, load_wiring()) == archive.load(1).rulings()[saved:]

    third = start()
    third.hear("Game 1 was not finished")
    third.do("press 2.5")
    third.hear("Game 1 is abandoned")
    third.hear("The board is ready")
    assert third.end(signal.SIGTERM) == 143
    assert archive.load(1).state is GameState.ABANDONED


def test_a_board_of_seven_tubes_is_played_and_resumed_as_one(start: Start, tmp_path: Path) -> None:
    first = start(None, SEVEN_MAP)
    first.hear("The board is connected")
    first.do("press 0.2")
    first.hear("Turn 1: red to move")
    first.do("place red D4", "ring D4")
    first.hear("Red places a glass on D4")
    first.hear("Red's ring on D4 counts")
    assert first.end(signal.SIGTERM) == 143
    game = Archive(tmp_path / "journal").load(1)
    assert ruled_again(tmp_path, SEVEN.wiring) == game.rulings()
    header, _ = game.header_and_events()
    assert header.ruleset.tubes == SEVEN.wiring.tubes
    assert header.pause_when_lost is True

    second = start(None, SEVEN_MAP)
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


def test_a_game_goes_on_and_ends_though_nothing_can_be_printed(tmp_path: Path) -> None:
    """Nobody reads, as with a pager, or a terminal that Ctrl-S has stopped."""
    reader, writer = full_pipe()
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.table.live_board", str(tmp_path)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
        bufsize=1,
    )
    os.close(writer)
    with process:
        assert process.stdin is not None
        assert process.stderr is not None
        while "connected" not in process.stderr.readline():
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


def test_systemd_hears_that_it_is_ready_and_alive_and_that_the_cable_is_pulled(
    start: Start, tmp_path: Path
) -> None:
    """READY does not wait for a game; a bound datagram socket stands for systemd."""
    address = tmp_path / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(str(address))
        listener.settimeout(PATIENCE)
        program = start({"NOTIFY_SOCKET": str(address), "WATCHDOG_USEC": "200000"})
        heard = ""

        def hear(words: str, times: int = 1) -> None:
            nonlocal heard
            ends = time.monotonic() + PATIENCE
            while heard.count(words) < times:
                assert time.monotonic() < ends, heard
                heard += listener.recv(4096).decode() + "\n"

        hear("WATCHDOG=1", times=3)
        assert heard.index("READY=1") < heard.index("WATCHDOG=1")
        hear("STATUS=level 1, setting up the board")
        program.do("unplug")
        program.hear("out of reach")
        hear("STATUS=board unplugged since ")
        program.do("replug")
        program.hear("The board is connected")
        assert program.end(signal.SIGTERM) == 143
        hear("STOPPING=1")


def test_what_sensors_drift_by_is_kept_and_a_damaged_file_is_said(start: Start, tmp_path: Path) -> None:
    """Of a board without a calibration, too; at the next start it is part of the capture."""
    file = tmp_path / "journal" / "rests.toml"
    file.parent.mkdir()
    file.write_text("D4 = ", encoding="utf-8")
    first = start()
    first.hear(f"{file} is no TOML")
    first.hear("The board is ready")
    assert first.end(signal.SIGTERM) == 143
    rests = read_baselines(file, board_identity(Calibration(), load_wiring()), time.time())
    assert rests == (128.0,) * 38

    drifted = file.read_text(encoding="utf-8").replace("D4 = 128.0", "D4 = 133.0")
    file.write_text(drifted, encoding="utf-8")
    second = start()
    second.hear("The board is ready")
    assert second.end(signal.SIGTERM) == 143
    with (tmp_path / "capture.jsonl").open("rb") as lines:
        head = read_capture(lines, "capture")
    assert head.rests is not None
    assert (head.rests[Tube.D4], head.rests[Tube.D3]) == (133.0, 128.0)


def test_a_calibrated_boards_ring_sensors_are_given_their_thresholds(start: Start, tmp_path: Path) -> None:
    state = tmp_path / "data" / "tamsk-hw"
    state.mkdir(parents=True)
    known = KnownCalibration(ring_counts={"D4": (64, 48, 30, 100)})
    save_calibration(state / "calibration.toml", known, datetime(2026, 11, 22, tzinfo=UTC))
    program = start({"XDG_DATA_HOME": str(state.parent)})
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
    done = CliRunner().invoke(main, ["run", "--seed", "1", "--speed", "2", "--config", str(file)])
    assert (done.exit_code, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert "--seed, --speed" in line
    assert "--simulated" in line
