"""Faults in mid-game: each is judged by what lies on the board outside and by what the service says."""

from __future__ import annotations

import time

import pytest

from tests.machine.table import Table


@pytest.fixture
def game(table: Table) -> Table:
    """A game of which some turns are played."""
    table.bring(seed=3)
    table.plug()
    table.start_game()
    table.play(turns=3)
    return table


def goes_on(table: Table, turns: int = 2) -> None:
    """The same game is played on, and the service sees the board as it is."""
    table.play(turns)
    assert len(table.list_of_games()) == 1
    table.is_true()


def test_the_plug_is_pulled_and_put_in_again(game: Table) -> None:
    life, device = game.property("InvocationID"), game.device()
    game.pull()
    print(f"connected again after {game.plug():.1f} s as {device} → {game.device()}")
    goes_on(game)
    assert game.property("InvocationID") == life


def test_the_board_comes_back_under_another_name(game: Table) -> None:
    life, device = game.property("InvocationID"), game.device()
    # Somebody who holds the old device keeps its number from the one that comes.
    game.machine.run(f"sleep 100000 <>/dev/{device} & echo $! >/run/holder")
    game.pull()
    game.plug()
    assert game.device() != device
    goes_on(game)
    assert game.property("InvocationID") == life
    game.machine.run("kill $(cat /run/holder)")


def test_the_service_is_killed(game: Table) -> None:
    life = game.property("InvocationID")
    before = game.saved()
    game.machine.run("systemctl kill --signal=KILL --kill-whom=main tamsk-hw")
    began = time.monotonic()
    game.is_started_anew(life)
    print(f"killed to ready: {time.monotonic() - began:.1f} s")
    assert game.property("NRestarts") == "1"
    game.is_connected()
    game.resume(before)
    goes_on(game)


def test_the_power_is_cut(game: Table) -> None:
    before = game.saved()
    game.machine.kill()
    print(f"power to console: {game.machine.start():.1f} s")
    game.is_ready()
    game.plug()
    game.resume(before)
    goes_on(game)


def test_the_service_hangs_longer_than_the_watchdog_waits(game: Table) -> None:
    life = game.property("InvocationID")
    before = game.saved()
    began = time.monotonic()
    game.machine.run("kill -STOP $(systemctl show -P MainPID tamsk-hw)")
    game.is_started_anew(life)
    print(f"stopped to ready: {time.monotonic() - began:.1f} s")
    said = game.machine.run("journalctl -b -u tamsk-hw -o cat --no-pager _PID=1")
    assert "Watchdog timeout" in said
    game.is_connected()
    game.resume(before)
    goes_on(game)
