"""``tamsk-hw doctor`` from end to end, and how its facts are found out."""

from __future__ import annotations

import os
import socket
import stat
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tamsk_hw.board.link_events import OtherWiring, PortNotOpened
from tamsk_hw.board.wiring import load_wiring
from tamsk_hw.commands.main import main
from tamsk_hw.configuration import Configuration
from tamsk_hw.configuration.checking import Machine
from tamsk_hw.configuration.settings import GpioSettings
from tamsk_hw.panel.hardware import DriverError, DriverTrouble, DriverTroubleKind, PinFactory
from tamsk_hw.simulator.running import RunningBoard
from tamsk_hw.workbench import gathering
from tamsk_hw.workbench.board import Clock
from tamsk_hw.workbench.gathering import (
    Surroundings,
    bounded,
    clock_facts,
    disk_facts,
    holders_of,
    link_facts,
    pin_facts,
    port_facts,
)
from tests.disturbances.opening import OpenedRunning, Opening
from tests.workbench.boards import board_of_other_wiring, made_up_time, other_wiring

HASH = load_wiring().hash


@pytest.fixture
def here(tmp_path: Path) -> Surroundings:
    """A computer that is no Pi, on which nothing else runs."""
    processes = tmp_path / "proc"
    processes.mkdir()
    return Surroundings(machine=Machine(device_tree=tmp_path / "device-tree"), clock=Clock(), processes=processes)


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
    assert f"board 007a3517: firmware 1.1.0, protocol 1.0, wiring {HASH:08x}" in versions
    assert line(result, "calibration").startswith("warning ")
    assert result.stdout.splitlines()[-1].startswith("No problems, ")


@pytest.mark.parametrize(
    "opening",
    [Opening(old=8), Opening(cut=37), Opening(old=2, cut=80, echoed=4), Opening(old=60)],
    ids=["old bytes", "in the middle of a frame", "a terminal first", "from the board's start on"],
)
def test_opening_the_line_is_no_fault_of_the_cable(opening: Opening, configuration: Path, tmp_path: Path) -> None:
    with OpenedRunning(tmp_path / "opened", opening) as board:
        board.wait(0.6)
        configuration.write_text(f'board.port = "{board.port}"\n')
        result = doctor()
    assert line(result, "link").startswith("ok       connected after")
    assert line(result, "traffic").startswith("ok ")
    assert "arrives damaged" not in result.stdout


def test_without_a_board_nothing_is_a_problem() -> None:
    result = doctor()
    assert result.exit_code == 0
    assert "no board is configured" in line(result, "port")


def test_a_port_that_is_not_there(configuration: Path, tmp_path: Path) -> None:
    configuration.write_text(f'board.port = "{tmp_path}/nothing"\n')
    result = doctor()
    assert result.exit_code == 1
    assert line(result, "port").startswith("problem ")
    assert result.stdout.splitlines()[-1].startswith("1 problem, ")


def test_a_refused_configuration_is_a_problem_and_the_rest_is_looked_at(tmp_path: Path) -> None:
    other = tmp_path / "other.toml"
    other.write_text("board.prt = 3\n")
    result = doctor("--config", other)
    assert result.exit_code == 1
    assert "board.prt" in line(result, "configuration")
    assert line(result, "disk")


def test_a_board_of_another_wiring(configuration: Path, tmp_path: Path) -> None:
    with board_of_other_wiring(tmp_path / "other") as other:
        configuration.write_text(f'board.port = "{other.port}"\n')
        result = doctor()
    assert result.exit_code == 1
    assert line(result, "link").startswith("problem ")
    assert f"wiring {other_wiring().hash:08x}" in line(result, "versions")


def test_a_damaged_calibration(board: RunningBoard, configuration: Path, tmp_path: Path) -> None:
    broken = tmp_path / "calibration.toml"
    broken.write_text("[fields.D4]\nrest = 300\n")
    configuration.write_text(f'board.port = "{board.port}"\nboard.calibration = "{broken}"\n')
    result = doctor()
    assert result.exit_code == 1
    assert "fields.D4.rest: 300" in line(result, "calibration")


# ---- the port


def test_whose_the_port_is(here: Surroundings, board: RunningBoard) -> None:
    facts = port_facts(board.port, replace(here, may_use=lambda path: False))
    status = os.stat(board.port)
    assert (facts.exists, facts.is_line, facts.may_use) == (True, True, False)
    assert facts.in_group == (status.st_gid in {os.getegid(), *os.getgroups()})
    assert facts.group_may == bool(status.st_mode & stat.S_IRGRP and status.st_mode & stat.S_IWGRP)


def test_a_file_is_no_line(here: Surroundings, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    assert not port_facts(str(file), here).is_line


def test_who_has_it_open(here: Surroundings, tmp_path: Path) -> None:
    port = tmp_path / "ttyUSB0"
    port.touch()
    link = tmp_path / "by-id"
    link.symlink_to(port)
    for number, words, target in (
        ("12", b"/usr/bin/python3\0-u\0/usr/bin/tamsk-hw\0run\0", port),
        ("13", b"minicom\0", port),
        ("14", b"sh\0", tmp_path),
        (str(os.getpid()), b"doctor\0", port),
    ):
        (here.processes / number / "fd").mkdir(parents=True)
        (here.processes / number / "cmdline").write_bytes(words)
        (here.processes / number / "fd" / "3").symlink_to(target)
    assert holders_of(str(link), here.processes) == {12: "tamsk-hw", 13: "minicom"}


def test_the_kernel_tells_who_has_it_open(board: RunningBoard) -> None:
    """This process has it open, and is not counted."""
    with open(board.port, "rb", buffering=0):
        assert holders_of(board.port, Path("/proc")) == {}


# ---- the link


def test_a_board_that_answers(board: RunningBoard) -> None:
    facts = link_facts(board.port, HASH, Clock())
    assert facts.connected_after is not None
    assert facts.hello is not None
    assert facts.snapshot is not None
    assert facts.statistics.frames >= facts.snapshots > 0
    assert facts.problem is None


def test_a_board_that_says_nothing_is_waited_for_five_seconds(board: RunningBoard) -> None:
    with board.lock:
        board.board.go_silent()
    clock = made_up_time()
    facts = link_facts(board.port, HASH, clock)
    assert (facts.connected_after, facts.hello, facts.statistics.received_bytes) == (None, None, 0)
    assert clock.now() == pytest.approx(5.0, abs=0.1)


def test_a_board_that_is_refused_is_told_at_once(tmp_path: Path) -> None:
    with board_of_other_wiring(tmp_path / "other") as other:
        facts = link_facts(other.port, HASH, Clock())
    assert isinstance(facts.problem, OtherWiring)
    assert facts.hello is not None
    assert facts.hello.wiring_hash == other_wiring().hash


def test_a_port_that_cannot_be_opened_is_told_at_once(tmp_path: Path) -> None:
    clock = made_up_time()
    facts = link_facts(str(tmp_path / "nothing"), HASH, clock)
    assert isinstance(facts.problem, PortNotOpened)
    assert clock.now() < 0.1


# ---- the rest


def test_a_pin_factory_is_opened_and_closed(here: Surroundings) -> None:
    closed = []

    class Opened:
        def close(self) -> None:
            closed.append(True)

    facts = pin_facts(Configuration(), replace(here, open_pins=lambda name: Opened()))
    assert (facts.needed, facts.problem, closed) == (True, None, [True])


def test_a_pin_factory_that_fails_or_hangs(here: Surroundings, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(name: PinFactory) -> Any:
        raise DriverError(trouble)

    trouble = DriverTrouble(DriverTroubleKind.NOT_INSTALLED, "lgpio", "tamsk-hw")
    assert pin_facts(Configuration(), replace(here, open_pins=fail)).problem == (
        "lgpio is not installed",
        "pip install tamsk-hw",
    )
    never = threading.Event()
    monkeypatch.setattr(gathering, "MOST", 0.01)
    hangs = pin_facts(Configuration(), replace(here, open_pins=lambda name: never.wait())).problem
    assert hangs == ("its driver gives no answer", "restart the computer")
    never.set()


def test_a_simulated_board_is_asked_whether_it_is_there(here: Surroundings, tmp_path: Path) -> None:
    place = tmp_path / "hands.sock"
    settings = GpioSettings(factory=PinFactory.SIMULATE, hands=place)
    problem = pin_facts(Configuration(gpio=settings), here).problem
    assert problem == (f"no simulated board at {place}", "start tamsk-hw simulate")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(place))
        listening.listen()

        def greet() -> None:
            connected, _ = listening.accept()
            with connected:
                connected.sendall(b'{"hands": 1}\n')

        greeting = threading.Thread(target=greet)
        greeting.start()
        assert pin_facts(Configuration(gpio=settings), here).problem is None
        greeting.join()


def test_what_hangs_or_fails_is_left(tmp_path: Path) -> None:
    never = threading.Event()
    assert bounded(never.wait, False, 0.01) is False
    never.set()
    assert bounded(lambda: os.stat(tmp_path / "nothing").st_size, -1) == -1
    assert bounded(lambda: 7, -1) == 7


def test_the_journals_folder_or_the_nearest_above_it(tmp_path: Path) -> None:
    facts = disk_facts(tmp_path / "not" / "there" / "yet")
    assert (facts.nearest, facts.is_folder, facts.writable) == (tmp_path, True, True)
    assert facts.free is not None
    (tmp_path / "file").touch()
    assert not disk_facts(tmp_path / "file" / "journal").is_folder


def test_the_clock_is_set_once_the_file_is_there(here: Surroundings, tmp_path: Path) -> None:
    mark = tmp_path / "synchronized"
    mark.touch()
    facts = clock_facts(replace(here, synchronised=mark))
    assert (facts.synchronised, facts.backward) == (True, 0.0)


@pytest.mark.parametrize(("said", "known"), [("yes", True), ("no", False), ("riddle", None)])
def test_else_timedatectl_is_asked(
    here: Surroundings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str, known: bool | None
) -> None:
    command = tmp_path / "timedatectl"
    command.write_text(f"#!/bin/sh\necho {said}\n")
    command.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert clock_facts(replace(here, synchronised=tmp_path / "not-there")).synchronised is known
