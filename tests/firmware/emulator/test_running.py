"""Emulated time, and the emulator's end: it serves its port and its client between two slices."""

import contextlib
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tamsk_hw.board.link_events import Connected, Lost, SnapshotArrived
from tests.firmware.emulator.emulated import Emulator, at_rest, running
from tests.firmware.emulator.host_side import Host, asked_until, ended, process


@pytest.fixture
def board(firmware: Path, emulator_binary: Path, tmp_path: Path) -> Iterator[Emulator]:
    """The real firmware on a board at rest."""
    with running(emulator_binary, firmware, tmp_path) as emulator:
        at_rest(emulator)
        yield emulator


@pytest.fixture
def port(tmp_path: Path) -> Path:
    return tmp_path / "port"


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


def test_a_killed_emulator_is_a_lost_link(firmware: Path, emulator_binary: Path, port: Path) -> None:
    with process(emulator_binary, firmware, "--pty", port) as emulator, contextlib.closing(Host(port)) as host:
        host.wait_for(Connected)
        emulator.kill()
        host.wait_for(Lost)
        emulator.wait()
        assert port.is_symlink(), "nobody was left to remove it"
    with process(emulator_binary, firmware, "--pty", port), contextlib.closing(Host(port)) as host:
        host.wait_for(Connected)


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
            # each bank has been visited after four scans
            snapshot = host.wait_for(SnapshotArrived, lambda event: not event.snapshot.unknown).snapshot
        assert snapshot.rings == 0
        assert all(abs(field - 128) <= 1 for field in snapshot.fields)
        assert all(abs(got - want) <= 1 for got, want in zip(snapshot.references, (64, 128, 192), strict=True))
        emulator.send_signal(number)
        assert ended(emulator) == (0, "", "")
    assert not port.is_symlink()
