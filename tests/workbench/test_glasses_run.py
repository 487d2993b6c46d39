"""``tamsk-hw calibrate glasses``, whole: through the serial port in made-up time."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from tamsk_hw.board.calibration import GLASS_NAMES, backup_of, read_calibration
from tamsk_hw.commands.main import main
from tamsk_hw.errors import ConfigError, LinkError
from tamsk_hw.game.tubes import TUBE_OF_NAME, Player, Tube
from tamsk_hw.simulator.truth import GlassRanOut, TimerRanOut, Truth
from tamsk_hw.simulator.world import World
from tamsk_hw.system.service import Stopped
from tamsk_hw.workbench.figures import TIMER
from tamsk_hw.workbench.glasses import calibrate_glasses
from tests.workbench.command_bench import Room

#: The person's reaction in made-up time: a little slower than is taken for granted.
LATE = 0.25


def seconds_of(nominal: float) -> dict[str, tuple[float, float]]:
    """True running time of each glass: none like another."""
    return {name: (nominal * (1 + 0.02 * n), nominal * (1.05 - 0.02 * n)) for n, name in enumerate(GLASS_NAMES)}


class TimingRoom(Room):
    """A person who turns glasses over and types the name of each as its last grain falls."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.seconds, self.timer = seconds_of(20.0), (14.7, 15.4)
        world = World(7)
        for glass in world.glasses:
            glass.seconds = self.seconds[glass.name]
        world.timer.seconds = self.timer
        super().__init__(folder, world, monkeypatch)
        pairs = "\n".join(f"{name} = [20.0, 20.0]" for name in GLASS_NAMES)
        self.calibration.write_text(
            f"version = 1\n[fields]\nD4 = {{ rest = 126.5 }}\n[sand]\ntolerance = 0.25\n[sand.glasses]\n{pairs}\n",
            encoding="utf-8",
        )
        self._hands_free = 0.0
        world.listen(self._see)

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

    def calibrate(self, *only: str) -> int:
        """The command's exit status."""
        return calibrate_glasses(config=self.file, only=only, equipment=self.equipment())


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TimingRoom]:
    monkeypatch.setattr("tamsk_hw.workbench.walk.LOOK_SECONDS", 0.05)
    room = TimingRoom(tmp_path, monkeypatch)
    yield room
    room.close()


def test_all_glasses_and_the_timer_through_the_serial_port(
    room: TimingRoom, capsys: pytest.CaptureFixture[str]
) -> None:
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


def test_a_cable_pulled_in_mid_run_costs_that_run_and_a_file_that_cannot_be_used_is_kept_beside(
    room: TimingRoom, capsys: pytest.CaptureFixture[str]
) -> None:
    room.calibration.write_text("version = 9\n")
    room.at(3.0, lambda: room.type(""))
    room.at(5.0, lambda: room.turn("D1"))
    room.at(12.0, room.board.unplug)
    room.at(15.0, room.board.replug)
    assert room.calibrate("D1") == 0
    said = capsys.readouterr().out
    assert "version: 9" in said
    assert "D1 was out of sight" in said
    assert "that run was not timed" in said
    known = read_calibration(room.calibration)
    assert known.glasses == {"D1"}
    assert known.calibration.sand.glasses[0][1] == pytest.approx(room.seconds["D1"], abs=0.4)
    assert backup_of(room.calibration).read_text() == "version = 9\n"


def test_ended_early_what_is_complete_is_saved(room: TimingRoom, capsys: pytest.CaptureFixture[str]) -> None:
    room.at(3.0, lambda: room.type(""))
    room.at(5.0, lambda: room.turn("D1"))
    room.at(120.0, lambda: room.type("end"))
    assert room.calibrate("D1", "G4") == 1
    sand = read_calibration(room.calibration).calibration.sand
    assert dict(sand.glasses)[Tube.D1] == pytest.approx(room.seconds["D1"], abs=0.4)
    assert dict(sand.glasses)[Tube.G4] == (20.0, 20.0)
    # G4 was timed in an earlier session, to 25 %.
    assert sand.tolerance == 0.25
    said = capsys.readouterr().out
    assert "Not complete, so not kept: G4." in said
    assert "glasses timed earlier keep the larger one" in said


@pytest.mark.parametrize(("after", "saved"), [(40.0, False), (120.0, True)])
def test_stopped_what_is_complete_is_saved_and_without_anything_nothing_is_written(
    room: TimingRoom, after: float, saved: bool
) -> None:
    def stop() -> None:
        raise Stopped(130)

    room.at(3.0, lambda: room.type(""))
    room.at(5.0, lambda: room.turn("D1"))
    room.at(after, stop)
    before = room.calibration.read_bytes()
    with pytest.raises(Stopped):
        room.calibrate("D1", "G4")
    assert (room.calibration.read_bytes() != before) is saved
    assert (dict(read_calibration(room.calibration).calibration.sand.glasses)[Tube.D1] != (20.0, 20.0)) is saved


@pytest.mark.parametrize(
    ("old", "new", "error", "words"),
    [
        ("/board", "/nothing", LinkError, "plug in the board"),
        ("/calibration.toml", "/config.toml/x", ConfigError, "the calibration cannot be saved here"),
        ("[gpio]", "[buttons]\nenabled = false\n[gpio]", ConfigError, "no buttons and no standard input"),
    ],
)
def test_refused_before_the_walk(
    room: TimingRoom, monkeypatch: pytest.MonkeyPatch, old: str, new: str, error: type[Exception], words: str
) -> None:
    room.file.write_text(room.file.read_text().replace(old, new))
    monkeypatch.setattr(sys, "stdin", None)
    room.keyboard = None
    with pytest.raises(error, match=words):
        room.calibrate("D1")


@pytest.mark.parametrize("arguments", [["--runs", "1"], ["--only", "C3"], ["--port"]])
def test_refused_options(arguments: list[str]) -> None:
    assert CliRunner().invoke(main, ["calibrate", "glasses", *arguments]).exit_code == 2
