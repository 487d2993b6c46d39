"""``tamsk-hw calibrate sensors`` as a program: at a board, with a person, and what it refuses."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tamsk_hw.board.calibration import KnownCalibration, backup_of, read_calibration
from tamsk_hw.commands.main import main
from tamsk_hw.commands.workbench import CALIBRATED
from tamsk_hw.game.tubes import Tube
from tamsk_hw.simulator.board import SimulatedBoard
from tamsk_hw.simulator.running import RunningBoard
from tamsk_hw.simulator.things import WorldStart
from tamsk_hw.simulator.world import World
from tamsk_hw.workbench import calibrate as calibrating
from tests.workbench.calibrating_board import SEED

TRUE = SimulatedBoard(World(SEED, setup=WorldStart.BOX)).sensors


class Calibrating:
    """The program in a process of its own, and the hands of the person at its board."""

    def __init__(self, folder: Path, *options: str, typing: bool = False) -> None:
        self.path = folder / "calibration.toml"
        theirs, mine = os.pipe()
        self._process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "tests.workbench.calibrating_board",
                str(folder),
                str(theirs),
                *options,
            ],
            stdin=subprocess.PIPE if typing else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            bufsize=1,
            pass_fds=(theirs,),
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        os.close(theirs)
        self._hands = os.fdopen(mine, "w", buffering=1)
        self.lines: list[str] = []

    def until(self, words: str) -> None:
        """Read on until a line has these words."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.lines.append(line.rstrip("\n"))
            if words in line:
                return
        raise AssertionError(f"never said {words!r}:\n" + "\n".join(self.lines))

    def hands(self, *acts: str) -> None:
        for act in acts:
            self._hands.write(f"{act}\n")

    def type(self, words: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{words}\n")

    def interrupt(self) -> None:
        self._process.send_signal(signal.SIGINT)

    def end(self) -> int:
        """Its exit status, when it has ended by itself."""
        assert self._process.stdout is not None
        self.lines += self._process.stdout.read().splitlines()
        status = self._process.wait()
        self._hands.close()
        return status

    @property
    def known(self) -> KnownCalibration:
        return read_calibration(self.path)


def is_true(known: KnownCalibration, tube: Tube) -> None:
    values = known.calibration.fields[tube]
    assert abs(values.rest - TRUE.rest[tube]) <= 0.75
    for told in (values.end_a, values.end_b):
        # The glass's own magnets are within 5 % of a standard one, and it stands up to 3.5 % beside the axis.
        assert TRUE.full[tube] * 0.95 * 0.965 - 1.5 <= told <= TRUE.full[tube] * 1.05 + 1.5


def test_by_buttons_and_lights_alone_with_the_cable_pulled_in_between(tmp_path: Path) -> None:
    program = Calibrating(tmp_path, "--tube", "D4", "--tube", "timer")
    program.until("Empty board: Take glasses, the timer and rings off the board, then press start.")
    program.hands("press start 0.1")
    program.until("1 of 2: Set the glass into D4, end A down.")
    program.hands("set D4 A")
    program.until("1 of 2: Turn the glass over: end B down in D4.")
    program.hands("unplug")
    program.until("The board is out of reach")
    program.hands("turn D4", "replug")
    program.until("The board is back")
    program.until("2 of 2: Set the timer into its cradle, end A down.")
    program.hands("timer A")
    program.until("2 of 2: Turn the timer over: end B down in its cradle.")
    program.hands("timer B")
    program.until("Rings: Fill with rings: D4 (4).")
    program.hands("rings D4 4")
    assert program.end() == 0, program.lines
    assert program.known.measured == {"D4", "timer"}
    is_true(program.known, Tube.D4)
    assert len(program.known.light_times["D4"]) == 4
    assert f"What was completed is saved in {program.path}." in program.lines
    assert "This board is calibrated but for 36 of 38 fields." in program.lines
    assert not [line for line in program.lines if "Traceback" in line]


def test_ctrl_c_keeps_what_was_completed_and_says_so(tmp_path: Path) -> None:
    earlier = "version = 1\n[fields]\nG4 = { rest = 120.0, end_a = 50.0, end_b = 51.0, noise = 4.0 }\n"
    (tmp_path / "calibration.toml").write_text(earlier)
    program = Calibrating(tmp_path, "--only", "fields", typing=True)
    program.until("then press start")
    program.type("")
    program.until("1 of 38: Set the glass into A1")
    program.type("jump")
    program.until("'jump': press Enter to go on, or type back, skip or quit.")
    program.hands("set A1 A")
    program.until("1 of 38: Turn the glass over")
    program.hands("turn A1")
    program.until("2 of 38: Set the glass into A2")
    program.type("skip")
    program.until("3 of 38: Set the glass into A3")
    program.hands("set A3 A")
    program.until("3 of 38: Turn the glass over")
    program.interrupt()
    assert program.end() == 130
    assert "Ended early." in program.lines
    assert (
        f"What was completed is saved in {program.path}; the one before is calibration.toml.bak." in program.lines
    )
    assert program.known.measured == {"A1", "G4"}
    is_true(program.known, Tube.A1)
    assert program.known.calibration.fields[Tube.G4].end_b == 51.0
    assert backup_of(program.path).read_text() == earlier


def test_the_start_button_held_down_ends_it_with_nothing_saved(tmp_path: Path) -> None:
    program = Calibrating(tmp_path)
    program.until("then press start")
    program.hands("press start 1.8")
    assert program.end() == 1
    assert f"Nothing was completed; {program.path} stays as it is." in program.lines
    assert not program.path.exists()


# ---- what it refuses


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "config.toml").write_text(
        f'[board]\nport = "{tmp_path}/board"\ncalibration = "{tmp_path}/calibration.toml"\n'
        '[gpio]\nfactory = "mock"\n[lights]\nroute = "none"\n[buttons]\nenabled = false\n'
    )
    return tmp_path


def calibrate(folder: Path, *options: str) -> Result:
    return CliRunner().invoke(main, ["calibrate", "sensors", "--config", str(folder / "config.toml"), *options])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--tube", "D9"), "--tube D9: there is no such tube; allowed are A1 to G4, and timer"),
        (("--tube", "timer", "--only", "rings"), "leave nothing to be measured"),
        ((), "plug in the board"),
        (("--port", "/dev/null"), ""),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(folder: Path, options: tuple[str, ...], words: str) -> None:
    refused = calibrate(folder, *options)
    assert refused.exit_code == 2
    assert words in refused.stderr
    assert refused.stderr.count("\n") == 1
    assert refused.stdout == ""


def test_a_place_that_cannot_be_written_is_refused_before_the_walk(folder: Path) -> None:
    file = folder / "config.toml"
    (folder / "taken").write_text("no folder")
    file.write_text(file.read_text().replace("/calibration.toml", "/taken/calibration.toml"))
    refused = calibrate(folder)
    assert refused.exit_code == 2
    assert "the calibration cannot be saved here" in refused.stderr


def test_nobody_who_could_press_start_is_refused(folder: Path) -> None:
    with RunningBoard(folder / "board", setup=WorldStart.BOX):
        refused = subprocess.run(
            [
                sys.executable,
                "-m",
                "tamsk_hw.commands.main",
                "calibrate",
                "sensors",
                "--config",
                str(folder / "config.toml"),
            ],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
    assert refused.returncode == 2
    assert "nobody could press start" in refused.stderr


def test_the_command_line_offers_each_part() -> None:
    assert calibrating.PARTS == CALIBRATED
