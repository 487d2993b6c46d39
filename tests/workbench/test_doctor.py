"""``tamsk-hw doctor`` and ``tamsk-hw config check`` from end to end, and the wait for a board."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tamsk_hw.board.link_events import PortNotOpened
from tamsk_hw.board.wiring import load_wiring
from tamsk_hw.commands.main import main
from tamsk_hw.simulator.board import SimulatedBoard
from tamsk_hw.simulator.pty_board import PtyBoard, RunningBoard
from tamsk_hw.simulator.world import World
from tamsk_hw.workbench.link_check import link_facts
from tests.boards import SEVEN, SEVEN_CONFIG
from tests.disturbances.opening import OpenedRunning, Opening
from tests.workbench.boards import made_up_time

HASH = load_wiring().hash


def doctor(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["doctor", *map(str, arguments)])


def line(result: Result, subject: str) -> str:
    """The one line on a subject, without its name: verdict, words, advice."""
    (found,) = [each for each in result.stdout.splitlines() if each[9:].startswith(subject)]
    return found[:9] + found[9:].removeprefix(subject).strip()


# ---- from end to end


def test_a_board_that_is_there(board: RunningBoard, configuration: Path) -> None:
    configuration.write_text(f'board.port = "{board.port}"\nbuttons.enabled = false\nbuzzer.enabled = false\n')
    result = doctor()
    assert result.exit_code == 0, result.output
    assert line(result, "link").startswith("ok       connected after")
    versions = line(result, "versions")
    assert f"board 007a3517: firmware 2.0.0, protocol 2.0, wiring {HASH:08x}" in versions
    assert line(result, "calibration").startswith("warning ")
    assert result.stdout.splitlines()[-1].startswith("No problems, ")


def test_opening_the_line_is_no_fault_of_the_cable(configuration: Path, tmp_path: Path) -> None:
    with OpenedRunning(tmp_path / "opened", Opening(old=2, cut=80, echoed=4)) as board:
        board.wait(0.6)
        configuration.write_text(f'board.port = "{board.port}"\n')
        result = doctor()
    assert line(result, "link").startswith("ok       connected after")
    traffic = next(each for each in result.stdout.splitlines() if each[9:].startswith("traffic"))
    assert traffic.startswith("ok ")  # another line may say that this computer is overloaded
    assert "arrives damaged" not in result.stdout


def test_without_a_board_nothing_is_a_problem() -> None:
    result = doctor()
    assert result.exit_code == 0
    assert "no board is configured" in line(result, "port")


def test_a_refused_configuration_is_a_problem_and_the_rest_is_looked_at(tmp_path: Path) -> None:
    other = tmp_path / "other.toml"
    other.write_text("board.prt = 3\n")
    result = doctor("--config", other)
    assert result.exit_code == 1
    assert "board.prt" in line(result, "configuration")
    assert line(result, "disk")


def test_a_board_of_another_wiring(board: RunningBoard, configuration: Path) -> None:
    configuration.write_text(f'{SEVEN_CONFIG}port = "{board.port}"\n')
    result = doctor()
    assert result.exit_code == 1
    assert line(result, "link").startswith("problem ")
    assert f"wiring {SEVEN.wiring.hash:08x}; board 007a3517: firmware 2.0.0" in line(result, "versions")
    assert f"wiring {HASH:08x} → flash the firmware built from this map" in line(result, "versions")


# ---- the link


def test_a_board_that_says_nothing_is_waited_for_five_seconds(tmp_path: Path) -> None:
    clock = made_up_time()
    with PtyBoard(SimulatedBoard(World(1)), tmp_path / "silent") as board:  # it never runs
        facts = link_facts(board.port, HASH, clock)
    assert (facts.connected_after, facts.hello, facts.statistics.received_bytes) == (None, None, 0)
    assert clock.now() == pytest.approx(5.0, abs=0.1)


def test_a_port_that_cannot_be_opened_is_told_at_once(tmp_path: Path) -> None:
    clock = made_up_time()
    assert isinstance(link_facts(str(tmp_path / "nothing"), HASH, clock).problem, PortNotOpened)
    assert clock.now() < 0.1


# ---- config check


def config_check(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["config", "check", *map(str, arguments)])


def test_it_prints_what_differs_and_what_cannot_work(configuration: Path, tmp_path: Path) -> None:
    calibration = tmp_path / ".local/share/tamsk-hw/calibration.toml"
    calibration.parent.mkdir(parents=True)
    calibration.write_text("[fields.D4]\nrest = 300\n")
    configuration.write_text(
        'board.port = "/dev/nowhere"\nlights.palette.red = [1, 2, 3]\nplayers.red = "Zoë"\nruleset.level = 3\n',
        encoding="utf-8",
    )
    for arguments in ((), ("--config", configuration)):
        result = config_check(*arguments)
        assert (result.exit_code, result.stderr) == (0, "")
        assert result.stdout.splitlines()[:5] == [
            f"Configuration: {configuration}",
            "Other than the defaults:",
            '  board.port = "/dev/nowhere" (default "none")',
            "  lights.palette.red = [1, 2, 3] (default [255, 25, 0])",
            '  players.red = "Zoë" (default "")',
        ]
        assert (
            line(result, "port") == "problem  /dev/nowhere is not there → plug in the board, or correct board.port"
        )
        assert line(result, "calibration").startswith(f"problem  {calibration} fields.D4.rest: 300")
        assert result.stdout.splitlines()[-1].startswith("2 problems, ")
        assert set(result.stdout.splitlines()[5:-1]) <= set(doctor(*arguments).stdout.splitlines())


def test_without_a_file_it_says_where_it_looked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TAMSK_HW_CONFIG")
    monkeypatch.setenv("XDG_CONFIG_HOME", f"{tmp_path}/.config")
    lines = config_check().stdout.splitlines()
    assert lines[:3] == [
        "Configuration: defaults (there is no configuration file)",
        f"Looked for: /etc/tamsk-hw/config.toml, {tmp_path}/.config/tamsk-hw/config.toml",
        "Every value is its default.",
    ]
    assert "no board is configured; tamsk-hw run plays on the simulated one" in lines[3]


def test_a_file_that_is_passed_over(configuration: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", f"{tmp_path}/.config")
    user = tmp_path / ".config/tamsk-hw/config.toml"
    user.parent.mkdir(parents=True)
    user.touch()
    for look in (config_check, doctor):
        assert f"{user} is there, too, and is not read" in look().stdout
        # Someone who names a file knows which one is read.
        assert "not read" not in look("--config", configuration).stdout


def test_a_wiring_map_that_cannot_be_used_is_refused(configuration: Path, tmp_path: Path) -> None:
    configuration.write_text('[board]\nwiring = "own.toml"\n')
    good = (Path(__file__).parents[2] / "wiring" / "board.toml").read_text(encoding="utf-8")
    (tmp_path / "own.toml").write_text(good.replace("lights = 18", "lights = 28"))
    words = f"config.toml: board.wiring: {tmp_path}/own.toml: pi.lights is 28; allowed"
    result = config_check()
    assert (result.exit_code, result.stdout) == (2, "")
    assert words in result.stderr
    assert words in line(doctor(), "configuration")
    (tmp_path / "own.toml").write_text(good)
    assert config_check().exit_code == 0
