"""``tamsk-hw calibrate glasses``, whole: through the serial port in made-up time."""

from __future__ import annotations

import heapq
import io
import os
import select
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.console import Console

from tamsk_hw.board.calibration import GLASS_NAMES, backup_of, read_calibration
from tamsk_hw.commands.main import main
from tamsk_hw.errors import ConfigError, LinkError
from tamsk_hw.game.tubes import TUBE_OF_NAME, Player, Tube
from tamsk_hw.simulator.board import SimulatedBoard
from tamsk_hw.simulator.pty_board import PtyBoard
from tamsk_hw.simulator.truth import GlassRanOut, TimerRanOut, Truth
from tamsk_hw.simulator.world import World
from tamsk_hw.system.service import Stopped
from tamsk_hw.workbench.board import Clock
from tamsk_hw.workbench.figures import TIMER
from tamsk_hw.workbench.glasses import GlassesSettings, calibrate_glasses
from tamsk_hw.workbench.walk import Equipment

#: The person's reaction in made-up time: a little slower than is taken for granted.
LATE = 0.25


def seconds_of(nominal: float) -> dict[str, tuple[float, float]]:
    """True running time of each glass: none like another."""
    return {name: (nominal * (1 + 0.02 * n), nominal * (1.05 - 0.02 * n)) for n, name in enumerate(GLASS_NAMES)}


def write_files(folder: Path, nominal: float) -> Path:
    """A configuration, and a calibration that knows the glasses roughly; gives the configuration's file."""
    calibration = folder / "calibration.toml"
    pairs = "\n".join(f"{name} = [{nominal}, {nominal}]" for name in GLASS_NAMES)
    calibration.write_text(
        f"version = 1\n[fields]\nD4 = {{ rest = 126.5 }}\n[sand]\ntolerance = 0.25\n[sand.glasses]\n{pairs}\n",
        encoding="utf-8",
    )
    file = folder / "config.toml"
    file.write_text(
        f'[board]\nport = "{folder}/board"\ncalibration = "{calibration}"\n[gpio]\nfactory = "mock"\n'
        '[lights]\nroute = "none"\n',
        encoding="utf-8",
    )
    return file


class Room:
    """A board on a port, a person who types, and time that passes only while the program waits."""

    def __init__(self, folder: Path, nominal: float) -> None:
        self.file = write_files(folder, nominal)
        self.calibration = folder / "calibration.toml"
        self.seconds = seconds_of(nominal)
        self.timer = (14.7, 15.4)
        self.world = World(7, glass_seconds=self.seconds, timer_seconds=self.timer)
        self.board = PtyBoard(SimulatedBoard(self.world), folder / "board")
        self.keys, self.typing = os.pipe()
        self._agenda: list[tuple[float, int, Callable[[], object]]] = []
        self._serial = 0
        self._hands_free = 0.0
        self.world.listen(self._see)

    @property
    def clock(self) -> Clock:
        return Clock(now=lambda: self.board.board.now, wait=self._wait)

    def at(self, t: float, action: Callable[[], object]) -> None:
        self._serial += 1
        heapq.heappush(self._agenda, (t, self._serial, action))

    def type(self, line: str) -> None:
        os.write(self.typing, f"{line}\n".encode())

    def turn(self, name: str) -> None:
        """Turn a glass over as soon as a hand is free."""
        now = self.world.now
        if now < self._hands_free:
            self.at(self._hands_free, lambda: self.turn(name))
            return
        self._hands_free = now + 2.5
        if name == TIMER:
            self.world.turn_timer(Player.RED)
            return
        tube = TUBE_OF_NAME[name]
        done = self.world.lift(Player.RED, tube)
        self.at(done, lambda: self.world.seat(Player.RED, tube, turned=True, travel=0.5))

    def _see(self, entry: Truth) -> None:
        if isinstance(entry, (GlassRanOut, TimerRanOut)):
            name = entry.glass.name if isinstance(entry, GlassRanOut) else TIMER
            self.at(entry.t + LATE, lambda: self.type(name))
            self.at(entry.t + LATE + 1.0, lambda: self.turn(name))

    def _wait(self, descriptor: int | None, seconds: float) -> None:
        sent = self.board.sent
        now = self.board.board.now + seconds
        assert now < 900.0, "the walk does not end"
        self.board.step(now)
        while self._agenda and self._agenda[0][0] <= now:
            heapq.heappop(self._agenda)[2]()
        if descriptor is not None and self.board.sent > sent:
            # The kernel hands the bytes over a moment later, in real time.
            select.select([descriptor], [], [], 1.0)

    def calibrate(self, *only: str, columns: int = 80) -> tuple[int, str]:
        """The command's status and what it printed."""
        console = Console(file=io.StringIO(), width=columns)
        settings = GlassesSettings(config=self.file, only=only)
        return calibrate_glasses(settings, Equipment(console=console, clock=self.clock))

    def close(self) -> None:
        self.board.close()
        os.close(self.typing)


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Room]:
    room = Room(tmp_path, 20.0)
    with os.fdopen(room.keys) as keys:
        monkeypatch.setattr(sys, "stdin", keys)
        monkeypatch.setattr("tamsk_hw.workbench.walk.LOOK_SECONDS", 0.05)
        yield room
    room.close()


def test_all_glasses_and_the_timer_through_the_serial_port(room: Room, capsys: pytest.CaptureFixture[str]) -> None:
    room.at(3.0, lambda: room.type(""))
    for number, name in enumerate((*GLASS_NAMES, TIMER)):
        room.at(5.0 + 3 * number, lambda name=name: room.turn(name))
    before = room.calibration.read_bytes()
    assert room.calibrate() == 0
    known = read_calibration(room.calibration)
    assert known.problem is None
    assert known.untimed == ()
    assert known.timer_timed
    for tube, pair in known.calibration.sand.glasses:
        assert pair == pytest.approx(room.seconds[tube.name], abs=0.4)
    assert known.calibration.sand.timer == pytest.approx(room.timer, abs=0.3)
    assert known.calibration.sand.tolerance < 0.08
    # What other walks have measured stays, and so does the file before.
    assert known.calibration.fields[Tube.D4].rest == 126.5
    assert backup_of(room.calibration).read_bytes() == before
    said = capsys.readouterr().out
    assert "Press start" in said or "press start" in said
    assert "glass  end A down" in said
    assert f"Saved in {room.calibration}." in said


def test_a_cable_pulled_in_mid_run_costs_that_run_only(room: Room, capsys: pytest.CaptureFixture[str]) -> None:
    room.at(3.0, lambda: room.type(""))
    room.at(5.0, lambda: room.turn("D1"))
    room.at(12.0, room.board.unplug)
    room.at(15.0, room.board.replug)
    assert room.calibrate("D1") == 0
    said = capsys.readouterr().out
    assert "D1 was out of sight" in said
    assert "that run was not timed" in said
    assert read_calibration(room.calibration).calibration.sand.glasses[0][1] == pytest.approx(
        room.seconds["D1"], abs=0.4
    )


def test_ended_early_what_is_complete_is_saved(room: Room, capsys: pytest.CaptureFixture[str]) -> None:
    room.at(3.0, lambda: room.type(""))
    room.at(5.0, lambda: room.turn("D1"))
    room.at(120.0, lambda: room.type("end"))
    assert room.calibrate("D1", "G4") == 1
    sand = dict(read_calibration(room.calibration).calibration.sand.glasses)
    assert sand[Tube.D1] == pytest.approx(room.seconds["D1"], abs=0.4)
    assert sand[Tube.G4] == (20.0, 20.0)
    # G4 was timed in an earlier session, to 25 %.
    assert read_calibration(room.calibration).calibration.sand.tolerance == 0.25
    said = capsys.readouterr().out
    assert "Not complete, so not kept: G4." in said
    assert "glasses timed earlier keep the larger one" in said


def test_ended_before_anything_is_complete_nothing_is_written(room: Room) -> None:
    room.at(3.0, lambda: room.type(""))
    room.at(5.0, lambda: room.turn("D1"))
    room.at(40.0, lambda: room.type("end"))
    before = room.calibration.read_bytes()
    assert room.calibrate("D1") == 1
    assert room.calibration.read_bytes() == before


def test_whatever_ends_it_saves_what_is_complete(room: Room) -> None:
    room.at(3.0, lambda: room.type(""))
    room.at(5.0, lambda: room.turn("D1"))

    def end() -> None:
        raise Stopped(130)

    room.at(120.0, end)
    with pytest.raises(Stopped):
        room.calibrate("D1", "G4")
    assert dict(read_calibration(room.calibration).calibration.sand.glasses)[Tube.D1] != (20.0, 20.0)


def test_a_file_that_cannot_be_used_is_replaced_and_kept_beside(
    room: Room, capsys: pytest.CaptureFixture[str]
) -> None:
    room.calibration.write_text("version = 9\n")
    room.at(3.0, lambda: room.type(""))
    room.at(5.0, lambda: room.turn("D1"))
    assert room.calibrate("D1") == 0
    assert "version: 9" in capsys.readouterr().out
    assert read_calibration(room.calibration).glasses == {"D1"}
    assert backup_of(room.calibration).read_text() == "version = 9\n"


def test_a_board_that_is_not_there_is_said_at_once(room: Room) -> None:
    room.board.unplug()
    with pytest.raises(LinkError, match="plug in the board"):
        room.calibrate("D1")


def test_a_board_that_says_nothing_is_said(room: Room, capsys: pytest.CaptureFixture[str]) -> None:
    """The port is there, and nothing ever comes through it."""
    now = [0.0]

    def wait(descriptor: int | None, seconds: float) -> None:
        if now[0] < 20.0 <= now[0] + seconds:
            room.type("end")
        now[0] += seconds

    settings = GlassesSettings(config=room.file, only=("D1",))
    assert calibrate_glasses(settings, Equipment(clock=Clock(now=lambda: now[0], wait=wait))) == 1
    assert capsys.readouterr().out.count("the board says nothing for 5 s") == 1


def test_a_place_that_cannot_be_written_is_refused_before_the_walk(room: Room) -> None:
    taken = room.file.parent / "taken"
    taken.write_text("no folder")
    text = room.file.read_text()
    assert "/calibration.toml" in text
    room.file.write_text(text.replace("/calibration.toml", "/taken/calibration.toml"))
    with pytest.raises(ConfigError, match="the calibration cannot be saved here"):
        room.calibrate("D1")


def test_without_buttons_and_input_nobody_could_call(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    room.file.write_text(room.file.read_text() + "[buttons]\nenabled = false\n")
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(ConfigError, match="no buttons and no standard input"):
        room.calibrate("D1")


@pytest.mark.parametrize("arguments", [["--runs", "1"], ["--only", "C3"], ["--port"]])
def test_what_the_command_refuses(arguments: list[str]) -> None:
    assert CliRunner().invoke(main, ["calibrate", "glasses", *arguments]).exit_code == 2
