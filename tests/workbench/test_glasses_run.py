"""``tamsk-hw calibrate glasses``, whole: through the serial port in made-up time."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from tamsk_hw.board.calibration import backup_of, read_calibration
from tamsk_hw.commands.main import main
from tamsk_hw.errors import TamskError
from tamsk_hw.game.tubes import Player, Tube
from tamsk_hw.simulator.truth import GlassRanOut, Truth
from tamsk_hw.simulator.world import World
from tamsk_hw.system.service import Stopped
from tamsk_hw.workbench.glasses import calibrate_glasses
from tests.workbench.command_bench import Room

#: The person's reaction in made-up time: a little slower than is taken for granted.
LATE = 0.25


#: True running times of D1.
D1 = (19.0, 21.0)


class TimingRoom(Room):
    """A person who turns D1 over and types its name as its last grain falls; D1 and G4 were timed before."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        world = World(7)
        world.glass("D1").seconds = D1
        super().__init__(folder, world, monkeypatch)
        self.calibration.write_text(
            "version = 1\n[fields]\nD4 = { rest = 126.5 }\n"
            "[sand]\ntolerance = 0.25\n[sand.glasses]\nD1 = [20.0, 20.0]\nG4 = [20.0, 20.0]\n",
            encoding="utf-8",
        )
        world.listen(self._see)
        self.at(3.0, lambda: self.type(""))
        self.at(5.0, self.turn)

    def turn(self) -> None:
        done = self.world.lift(Player.RED, Tube.D1)
        self.at(done, lambda: self.world.seat(Player.RED, Tube.D1, turned=True, travel=0.5))

    def _see(self, entry: Truth) -> None:
        if isinstance(entry, GlassRanOut) and entry.glass.name == "D1":
            self.at(entry.t + LATE, lambda: self.type("D1"))
            self.at(entry.t + LATE + 1.0, self.turn)

    def calibrate(self, *only: str) -> int:
        """The command's exit status."""
        return calibrate_glasses(config=self.file, only=only, equipment=self.equipment())

    def found(self) -> dict[Tube, tuple[float, float]]:
        """The durations that are saved."""
        return dict(read_calibration(self.calibration).calibration.sand.glasses)


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TimingRoom]:
    monkeypatch.setattr("tamsk_hw.workbench.walk.LOOK_SECONDS", 0.05)
    room = TimingRoom(tmp_path, monkeypatch)
    yield room
    room.close()


def test_ended_early_what_is_complete_is_saved_and_what_was_known_stays(
    room: TimingRoom, capsys: pytest.CaptureFixture[str]
) -> None:
    room.at(120.0, lambda: room.type("end"))
    before = room.calibration.read_bytes()
    assert room.calibrate("D1", "G4") == 1
    assert room.found()[Tube.D1] == pytest.approx(D1, abs=0.4)
    assert room.found()[Tube.G4] == (20.0, 20.0)
    known = read_calibration(room.calibration)
    assert known.calibration.sand.tolerance == 0.25
    assert known.calibration.fields[Tube.D4].rest == 126.5
    assert backup_of(room.calibration).read_bytes() == before
    said = capsys.readouterr().out
    assert "ress start" in said
    assert "glass  end A down" in said
    assert "Not complete, so not kept: G4." in said
    assert "glasses timed earlier keep the larger one" in said
    assert f"Saved in {room.calibration}." in said


def test_a_cable_pulled_in_mid_run_costs_that_run_and_a_file_that_cannot_be_used_is_kept_beside(
    room: TimingRoom, capsys: pytest.CaptureFixture[str]
) -> None:
    room.calibration.write_text("version = 9\n")
    room.at(12.0, room.board.unplug)
    room.at(15.0, room.board.replug)
    assert room.calibrate("D1") == 0
    said = capsys.readouterr().out
    assert "version: 9" in said
    assert "D1 was out of sight" in said
    assert "that run was not timed" in said
    assert room.found()[Tube.D1] == pytest.approx(D1, abs=0.4)
    assert backup_of(room.calibration).read_text() == "version = 9\n"


@pytest.mark.parametrize(("after", "saved"), [(40.0, False), (120.0, True)])
def test_stopped_what_is_complete_is_saved_and_without_anything_nothing_is_written(
    room: TimingRoom, after: float, saved: bool
) -> None:
    def stop() -> None:
        raise Stopped(130)

    room.at(after, stop)
    before = room.calibration.read_bytes()
    with pytest.raises(Stopped):
        room.calibrate("D1", "G4")
    assert (room.calibration.read_bytes() != before) is saved
    assert (room.found()[Tube.D1] != (20.0, 20.0)) is saved


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("/board", "/nothing", "plug in the board"),
        ("/calibration.toml", "/config.toml/x", "the calibration cannot be saved here"),
    ],
)
def test_refused_before_the_walk(room: TimingRoom, old: str, new: str, words: str) -> None:
    room.file.write_text(room.file.read_text().replace(old, new))
    with pytest.raises(TamskError, match=words):
        room.calibrate("D1")


@pytest.mark.parametrize("arguments", [["--runs", "1"], ["--only", "C3"], ["--port"]])
def test_refused_options(arguments: list[str]) -> None:
    assert CliRunner().invoke(main, ["calibrate", "glasses", *arguments]).exit_code == 2
