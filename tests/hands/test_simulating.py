"""The process ``tamsk-hw simulate``: its pace, its places, what it prints and how it ends."""

import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
import serial
from click.testing import CliRunner

from tamsk_hw.board.protocol import Decoder, Hello
from tamsk_hw.board.wiring import load_wiring
from tamsk_hw.commands.main import main
from tamsk_hw.errors import LiveError, SocketError
from tamsk_hw.game.tubes import PLAYERS
from tamsk_hw.hands.client import connect
from tamsk_hw.hands.players import Seated
from tamsk_hw.hands.simulating import MOST_STEP, next_step, usual_setup
from tamsk_hw.simulator.things import WorldStart
from tamsk_hw.simulator.world import World
from tamsk_hw.system.sockets import Absence
from tests.commands.test_run_web import until
from tests.house import ROOT


def test_the_world_keeps_pace_with_the_clock_and_goes_on_after_a_stall_where_it_was() -> None:
    assert next_step(100.0, 0.0, 100.01) == (100.0, pytest.approx(0.01))
    behind, until = next_step(100.0, 0.01, 160.0)
    assert until == pytest.approx(0.01 + MOST_STEP)
    assert next_step(behind, 0.06, 160.02)[1] == pytest.approx(0.08), "what was lost is not caught up"
    assert next_step(95.0, 5.2, 100.1)[1] == 5.2, "it never goes back"


def test_glasses_begin_in_the_corners_where_there_are_any() -> None:
    assert usual_setup(load_wiring()) is WorldStart.CORNERS
    assert usual_setup(load_wiring(ROOT / "wiring" / "seven" / "board.toml")) is WorldStart.FREE


def test_a_service_at_a_board_of_its_own_is_not_listened_to() -> None:
    ear = Seated(World(1), PLAYERS, 1)
    with pytest.raises(LiveError, match="a board of its own"):
        ear.greeted({"simulated": True, "seq": 5, "life": "a"})
    named = Seated(World(1), PLAYERS, 1, named=True)
    for each in (ear, named):
        assert each.greeted({"simulated": each is named, "seq": 5, "life": "a"}) == {"since": 0}
    unknown = {"ruling": "from the future", "t": 1.0, "rule": "R0"}
    ear.heard({"seq": 5, "ruling": unknown})  # it is of the past
    with pytest.raises(LiveError, match="not understood"):
        ear.heard({"seq": 6, "ruling": unknown})
    ear.heard({"notice": {"code": "of no concern"}, "words": ""})
    ear.lost(Absence.NONE_THERE)


@pytest.fixture
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="tamsk-") as name:  # a socket's path must be short
        yield Path(name)


def command(folder: Path, *more: str) -> list[str]:
    places = ["--port", str(folder / "board"), "--hands", str(folder / "hands.sock")]
    return [sys.executable, "-u", "-m", "tamsk_hw.commands.main", "simulate", *places, *more]


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_it_runs_until_a_signal_and_leaves_nothing(folder: Path, number: signal.Signals, status: int) -> None:
    wiring = ROOT / "wiring" / "seven" / "board.toml"
    options = ("--seed", "7", "--wiring", str(wiring), "--fault", "ring D4.1 1", "--players", "red")
    with subprocess.Popen(command(folder, *options), stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        said = []
        for line in process.stdout:
            said.append(line)
            if "Ctrl-C" in line:
                break
        with connect((folder / "hands.sock",)) as hands:
            assert hands.greeting["tubes"] == ["C3", "C4", "D3", "D4", "D5", "E3", "E4"]
            assert hands.greeting["players"] == ["red"]
            look = hands.ask({"look": True})["look"]
            assert look["faults"] == ["ring D4.1 1"]
            assert {glass["tube"] for glass in look["glasses"]} == {None}
            with serial.Serial(str(folder / "board"), 500_000, timeout=10) as line_to_board:
                decoder = Decoder()
                assert "done" in hands.ask({"do": "reset"})
                while not any(isinstance(each, Hello) for each in decoder.feed(line_to_board.read(16))):
                    pass
        second = CliRunner().invoke(main, command(folder)[4:])
        assert second.exit_code == 2
        assert "another simulated board is there" in second.stderr
        assert (folder / "board").exists(), "the first one keeps its port"
        process.send_signal(number)
        assert process.wait(30) == status
    assert any(f'port = "{folder / "board"}"' in line for line in said)
    assert list(folder.iterdir()) == []


def test_port_and_socket_that_are_removed_are_made_again(folder: Path) -> None:
    """As logind removes a user's runtime folder at the last logout, while the board runs on."""
    places = (folder / "board", folder / "hands.sock")

    def is_there() -> bool:
        with suppress(SocketError):
            connect((places[1],)).close()
            return places[0].exists()
        return False

    with subprocess.Popen(command(folder), cwd=ROOT) as process:
        try:
            until(is_there)
            with connect((places[1],)) as hands:
                for place in places:
                    place.unlink()
                until(is_there)
                assert "done" in hands.ask({"do": "reset"})
            with connect((places[1],)) as hands:
                assert hands.greeting["port"] == str(places[0])
        finally:
            process.terminate()
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--fault", "everything"], "fault: "),
        (["--fault", "converter 9"], "there is no converter 9"),
        (["--wiring", "nowhere.toml"], "nowhere.toml"),
        (["--players", "green"], "green"),
        (["--seed", "-1"], "-1"),
    ],
)
def test_what_is_not_understood_is_refused_and_leaves_nothing(
    folder: Path, options: list[str], words: str
) -> None:
    result = CliRunner().invoke(main, command(folder, *options)[4:])
    assert result.exit_code == 2
    assert words in result.stderr
    assert list(folder.iterdir()) == []


def test_a_place_that_is_taken_is_refused(folder: Path) -> None:
    (folder / "board").write_text("mine", encoding="utf-8")
    result = CliRunner().invoke(main, command(folder)[4:])
    assert result.exit_code == 2
    assert "is no symlink" in result.stderr
    (folder / "board").unlink()
    (folder / "hands.sock").write_text("mine", encoding="utf-8")
    result = CliRunner().invoke(main, command(folder)[4:])
    assert result.exit_code == 2
    assert "--hands" in result.stderr
    assert [each.name for each in folder.iterdir()] == ["hands.sock"]
