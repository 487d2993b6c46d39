"""Emulated time, and the emulator's end: it serves its port and its client between two slices."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from tamsk_hw.board.link_events import Connected, Lost, SnapshotArrived
from tests.firmware.emulator.conftest import Start
from tests.firmware.emulator.emulated import SECOND, Emulator, Refused, running
from tests.firmware.emulator.host_side import (
    Host,
    a_board_at_rest,
    asked_until,
    controlled,
    ended,
    open_port,
    process,
)

MOVING = ["realtime", "realtime 0.5", "free"]
SLICE = SECOND // 1000


@pytest.fixture
def board(firmware: Path, emulator_binary: Path, tmp_path: Path) -> Iterator[Emulator]:
    """The real firmware on a board at rest."""
    with running(emulator_binary, firmware, tmp_path) as emulator:
        a_board_at_rest(emulator)
        yield emulator


@pytest.fixture
def port(tmp_path: Path) -> Path:
    return tmp_path / "port"


# ---- modes


def has_moved(emulator: Emulator, cycles: int) -> None:
    """Wait until so many cycles have passed."""
    end = emulator.time() + cycles
    asked_until(lambda: emulator.time() >= end)


@pytest.mark.parametrize("mode", MOVING)
def test_time_moves_by_itself_until_it_is_stopped(start: Start, mode: str) -> None:
    emulator = start("clock", KIND=0)
    emulator.ask(mode)
    has_moved(emulator, SECOND // 20)
    stopped = int(emulator.ask("stepped"))
    assert emulator.time() == emulator.time() == stopped
    assert int(emulator.ask("stepped")) == stopped
    # to the cycle the same program as on command
    cycles = [cycle for cycle, _ in emulator.marks()]
    assert len(cycles) == 4096
    assert {later - earlier for earlier, later in pairwise(cycles)} == {100}
    assert emulator.run_to(stopped + 1000) - stopped in (1000, 1001)


@pytest.mark.parametrize("mode", MOVING)
def test_time_that_moves_by_itself_takes_no_command(start: Start, mode: str) -> None:
    emulator = start("clock", KIND=0)
    emulator.ask(mode)
    for command in ("run 1000", "run_to 1000"):
        with pytest.raises(Refused, match=f"in mode {mode.split()[0]}: stop it with stepped"):
            emulator.ask(command)
    emulator.ask("stepped")
    emulator.run(1000)


# ---- the project's own link


def shows(ring: int) -> Callable[[SnapshotArrived], bool]:
    """True for a snapshot that has this ring as its highest."""
    return lambda event: event.snapshot.rings >> ring == 1


@pytest.mark.parametrize("mode", ["realtime", "free"])
def test_the_link_comes_back_with_the_cable(board: Emulator, port: Path, mode: str) -> None:
    board.ask(f"pty {port}")
    board.ask(mode)
    with contextlib.closing(Host(port)) as host:
        boots = {host.wait_for(Connected).hello.boot_id}
        for ring in range(2):
            board.ask("unplug")
            host.wait_for(Lost)
            board.ask(f"reflect {ring} 300")
            board.ask("replug")
            again = host.wait_for(Connected)
            assert not again.restarted
            boots.add(again.hello.boot_id)
            host.wait_for(SnapshotArrived, shows(ring))
    assert len(boots) == 1, "the board ran on"


def test_the_link_resets_a_board_that_was_made_so(board: Emulator, port: Path) -> None:
    board.ask(f"pty {port} reset")
    board.ask("realtime")
    boots = set()
    for _ in range(3):
        with contextlib.closing(Host(port)) as host:
            boots.add(host.wait_for(Connected).hello.boot_id)
        asked_until(lambda: board.ask("port") == "closed 0")
    assert len(boots) == 3


@pytest.mark.parametrize("mode", ["realtime", "free"])
def test_a_reader_that_never_reads_does_not_stop_time(start: Start, port: Path, mode: str) -> None:
    emulator = start("uart_flood")
    emulator.ask(f"pty {port}")
    with open_port(port):
        emulator.ask(mode)
        asked_until(lambda: emulator.ask("port") not in ("open 0", "closed 0"))
        has_moved(emulator, SECOND // 10)
        state, lost = emulator.ask("port").split()
    assert state == "open"
    assert int(lost) > 0


def test_a_killed_emulator_is_a_lost_link(firmware: Path, emulator_binary: Path, port: Path) -> None:
    with process(emulator_binary, firmware, "--pty", port) as emulator, contextlib.closing(Host(port)) as host:
        host.wait_for(Connected)
        emulator.kill()
        host.wait_for(Lost)
        emulator.wait()
        assert port.is_symlink(), "nobody was left to remove it"
    with process(emulator_binary, firmware, "--pty", port), contextlib.closing(Host(port)) as host:
        host.wait_for(Connected)


# ---- ends


@pytest.mark.parametrize("commands", [[], ["realtime"]])
@pytest.mark.parametrize("rest", [b"", b"time\nrun 1099511627776\nti"])
def test_a_client_that_goes_away_ends_it(
    firmware: Path, emulator_binary: Path, tmp_path: Path, port: Path, commands: list[str], rest: bytes
) -> None:
    control = tmp_path / "control"
    with process(emulator_binary, firmware, control) as emulator:
        with controlled(emulator, control) as connection:
            client = Emulator(connection)
            for command in [f"pty {port}", *commands]:
                client.ask(command)
            assert port.is_symlink()
            connection.sendall(rest)
            connection.shutdown(socket.SHUT_RDWR)
        assert ended(emulator) == (0, "", "")
    assert not port.is_symlink()
    assert not control.exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("command", ["realtime", "run 1099511627776"])
def test_a_signal_ends_it_cleanly(
    firmware: Path, emulator_binary: Path, tmp_path: Path, port: Path, number: signal.Signals, command: str | None
) -> None:
    control = tmp_path / "control"
    with process(emulator_binary, firmware, control) as emulator, controlled(emulator, control) as connection:
        client = Emulator(connection)
        client.ask(f"pty {port}")
        if command is not None:
            connection.sendall(command.encode() + b"\n")
        emulator.send_signal(number)
        assert ended(emulator) == (0, "", "")
        assert not port.is_symlink()
        assert not control.exists()


# ---- without a client


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_alone_it_is_a_board_at_rest_in_real_time_until_a_signal(
    firmware: Path, emulator_binary: Path, port: Path, number: signal.Signals
) -> None:
    with process(emulator_binary, firmware, "--pty", port) as emulator:
        assert emulator.stdout is not None
        assert emulator.stdout.readline() == f"the board's port is {port}; end it with Ctrl-C\n"
        assert os.readlink(port).startswith("/dev/pts/")
        with contextlib.closing(Host(port)) as host:
            host.wait_for(Connected)
            snapshot = host.wait_for(SnapshotArrived).snapshot
        assert (snapshot.rings, snapshot.dark) == (0, 0)
        assert all(abs(field - 128) <= 1 for field in snapshot.fields)
        assert all(abs(got - want) <= 1 for got, want in zip(snapshot.references, (64, 128, 192), strict=True))
        emulator.send_signal(number)
        assert ended(emulator) == (0, "", "")
    assert not port.is_symlink()
