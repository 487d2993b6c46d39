"""``tamsk-hw calibrate sensors`` as a command: at a board, with a person, and what it refuses."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tamsk_hw.board.calibration import KnownCalibration, backup_of, read_calibration
from tamsk_hw.commands.main import main
from tamsk_hw.commands.workbench import CALIBRATED
from tamsk_hw.errors import ConfigError
from tamsk_hw.game.tubes import PLAYERS, End, Tube
from tamsk_hw.referee.events import ButtonName
from tamsk_hw.simulator.things import WorldStart
from tamsk_hw.simulator.world import World
from tamsk_hw.system.service import Stopped
from tamsk_hw.workbench import calibrate as calibrating
from tests.workbench.command_bench import Room
from tests.workbench.walker import ME, fill_holder, lay_rings


class CalibratingRoom(Room):
    """A person who does one thing of ``script`` after the other, each as soon as its words are shown."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__(folder, World(5, setup=WorldStart.BOX), monkeypatch)
        for player in PLAYERS:
            fill_holder(self.world, player, 0)
        self.script: list[tuple[str, Callable[[], object]]] = []

    def on_spoken(self, line: str) -> None:
        if self.script and self.script[0][0] in line:
            self.script.pop(0)[1]()

    def calibrate(self, *tubes: str, only: tuple[str, ...] = ()) -> int:
        """The command's exit status."""
        equipment = self.equipment(screen=self)
        return calibrating.calibrate_sensors(config=self.file, tubes=tubes, only=only, equipment=equipment)

    def set_down(self, tube: Tube, end: End) -> None:
        """Set the glass there with that end down."""
        glass, world = self.world.glass("D1"), self.world

        def seat() -> None:
            world.seat(ME, tube, turned=glass.down is not end)

        if glass.tube is None:
            self.at(
                world.place(ME, tube, glass=glass) + 0.1, lambda: glass.down is end or self.set_down(tube, end)
            )
        else:
            self.at(world.lift(ME, glass.tube) + 0.1, seat)

    @property
    def known(self) -> KnownCalibration:
        return read_calibration(self.calibration)


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[CalibratingRoom]:
    room = CalibratingRoom(tmp_path, monkeypatch)
    yield room
    room.close()


def test_by_buttons_and_lights_alone_with_the_cable_pulled_in_between(
    room: CalibratingRoom, capsys: pytest.CaptureFixture[str]
) -> None:
    def turn_and_plug_in() -> None:
        room.set_down(Tube.D4, End.B)
        room.at(room.now + 3.0, room.board.replug)

    room.script = [
        (
            "Empty board: Take glasses, the timer and rings off the board, then press start.",
            lambda: room.press(ButtonName.START, 0.1),
        ),
        ("1 of 1: Set the glass into D4, end A down.", lambda: room.set_down(Tube.D4, End.A)),
        ("1 of 1: Turn the glass over: end B down in D4.", room.board.unplug),
        ("The board is out of reach", turn_and_plug_in),
        ("The board is back", lambda: None),
        ("Rings: Fill with rings: D4 (4).", lambda: lay_rings(room.world, Tube.D4, 4)),
    ]
    assert room.calibrate("D4") == 0
    assert not room.script
    assert room.known.measured == {"D4"}
    assert len(room.known.ring_counts["D4"]) == 4
    lines = capsys.readouterr().out.splitlines()
    assert f"What was completed is saved in {room.calibration}." in lines
    assert "This board is calibrated but for 37 of 38 fields." in lines


def test_stopped_it_keeps_the_completed_fields_and_says_so(
    room: CalibratingRoom, capsys: pytest.CaptureFixture[str]
) -> None:
    def stop() -> None:
        raise Stopped(130)

    earlier = "version = 1\n[fields]\nG4 = { rest = 120.0, end_a = 50.0, end_b = 51.0, noise = 4.0 }\n"
    room.calibration.write_text(earlier)
    room.script = [
        ("then press start", lambda: room.type("")),
        ("1 of 38: Set the glass into A1", lambda: room.type("jump")),
        ("'jump': press Enter to go on, or type back", lambda: room.set_down(Tube.A1, End.A)),
        ("1 of 38: Turn the glass over", lambda: room.set_down(Tube.A1, End.B)),
        ("2 of 38: Set the glass into A2", lambda: room.type("skip")),
        ("3 of 38: Set the glass into A3", lambda: room.set_down(Tube.A3, End.A)),
        ("3 of 38: Turn the glass over", stop),
    ]
    with pytest.raises(Stopped):
        room.calibrate(only=("fields",))
    lines = capsys.readouterr().out.splitlines()
    assert "Ended early." in lines
    assert f"What was completed is saved in {room.calibration}; the one before is calibration.toml.bak." in lines
    assert room.known.measured == {"A1", "G4"}
    assert room.known.calibration.fields[Tube.G4].end_b == 51.0
    assert backup_of(room.calibration).read_text() == earlier


def test_the_start_button_held_down_ends_it_with_nothing_saved(
    room: CalibratingRoom, capsys: pytest.CaptureFixture[str]
) -> None:
    room.script = [("then press start", lambda: room.press(ButtonName.START, 1.8))]
    assert room.calibrate() == 1
    assert f"Nothing was completed; {room.calibration} stays as it is." in capsys.readouterr().out
    assert not room.calibration.exists()


# ---- what it refuses


def calibrate(room: CalibratingRoom, *options: str) -> Result:
    return CliRunner().invoke(main, ["calibrate", "sensors", "--config", str(room.file), *options])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--tube", "D9"), "--tube D9: there is no such tube; allowed are A1 to G4, and timer"),
        (("--tube", "timer", "--only", "rings"), "leave nothing to be measured"),
        (("--port", "/dev/nothing"), "plug in the board"),
        (("--port", "/dev/null"), ""),
    ],
)
def test_impossible_options_are_refused_in_one_line(
    room: CalibratingRoom, options: tuple[str, ...], words: str
) -> None:
    refused = calibrate(room, *options)
    assert refused.exit_code == 2
    assert words in refused.stderr
    assert refused.stderr.count("\n") == 1
    assert refused.stdout == ""


def test_a_place_that_cannot_be_written_is_refused_before_the_walk(room: CalibratingRoom) -> None:
    room.file.write_text(room.file.read_text().replace("/calibration.toml", "/config.toml/calibration.toml"))
    refused = calibrate(room)
    assert refused.exit_code == 2
    assert "the calibration cannot be saved here" in refused.stderr


def test_nobody_who_could_press_start_is_refused(room: CalibratingRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    room.file.write_text(room.file.read_text() + "[buttons]\nenabled = false\n")
    monkeypatch.setattr(sys, "stdin", None)
    room.keyboard = None
    with pytest.raises(ConfigError, match="nobody could press start"):
        room.calibrate()


def test_the_command_line_offers_each_part() -> None:
    assert calibrating.PARTS == CALIBRATED
