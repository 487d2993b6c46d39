"""The installed service as systemd runs it: the unit's own command, from the tree that `make install` makes.

In real time, for it is the program itself; a bound datagram socket stands for systemd.
"""

import signal
from pathlib import Path

import pytest

from tests.boards import SEVEN_CONFIG
from tests.systemd.tree import UNIT, RunningService, running_service
from tests.systemd.unit_file import Section, read_unit

#: No port: two simulated players at the simulated board. What the lights would show is not looked at here.
SIMULATED = '[ruleset]\nlevel = 1\n[lights]\nroute = "none"\n'

#: The same, at the board with the shortest games.
SHORT = f'{SEVEN_CONFIG}[lights]\nroute = "none"\n'

#: Seconds of systemd's patience, much shorter than the unit's, so that many beats are heard in a short game.
IMPATIENT = 0.2


def at_a_board(folder: Path) -> str:
    """A board that nobody has plugged in."""
    return (
        f'[board]\nport = "{folder}/board"\n[gpio]\nfactory = "mock"\n[lights]\nroute = "none"\n'
        f'[journal]\nfolder = "{folder}/state"\n'
    )


@pytest.fixture
def service(tree: Path) -> Section:
    return read_unit(tree / UNIT)["Service"]


def statuses(section: Section, key: str) -> set[int]:
    return {int(word) for line in section[key] for word in line.split()}


def stop(running: RunningService) -> int:
    running.process.send_signal(signal.SIGTERM)
    return running.end()


def test_without_a_board_it_plays_and_feeds_the_watchdog(tree: Path, tmp_path: Path, service: Section) -> None:
    with running_service(tree, tmp_path, SIMULATED, watchdog=IMPATIENT) as running:
        running.hear_word("READY=1")
        assert any(line.startswith("STATUS=a game on the simulated board, seed ") for line in running.heard)
        running.hear(lambda: "Turn 1: red to move" in running.printed)
        running.hear(lambda: "Red moves " in running.printed)
        running.hear_word("WATCHDOG=1", 5)
        assert running.process.poll() is None
        assert "STOPPING=1" not in running.heard
        assert stop(running) in statuses(service, "SuccessExitStatus")
        assert running.heard[-1] == "STOPPING=1"
        assert running.heard.count("READY=1") == 1
        assert "TAMSK, level 1" in running.printed
        assert "Stopped before the end of the game." in running.printed


def test_a_simulated_game_ends_and_is_not_started_again(tree: Path, tmp_path: Path, service: Section) -> None:
    """Restart=on-failure leaves a service alone that ended with 0."""
    with running_service(tree, tmp_path, SHORT, "--level", "1", "--seed", "5", "--speed", "100") as running:
        running.hear_word("STOPPING=1")
        assert running.end() == 0
        assert running.heard.index("READY=1") < running.heard.index("STOPPING=1")
        assert running.printed.rstrip().endswith(("(R5.2)", "(R5.5)")), "the sheet ends with the result"
    assert service["Restart"] == ["on-failure"]


def test_ready_does_not_wait_for_the_board(tree: Path, tmp_path: Path, service: Section) -> None:
    with running_service(tree, tmp_path, at_a_board(tmp_path), watchdog=IMPATIENT) as running:
        running.hear_word("READY=1")
        assert f"STATUS=waiting for the board at {tmp_path}/board" in running.heard
        ready = running.heard.index("READY=1")
        assert [word.partition("=")[0] for word in running.heard[:ready]].count("EXTEND_TIMEOUT_USEC") >= 2
        running.hear(lambda: f"{tmp_path}/board: no such file or directory" in running.printed)
        running.hear_word("WATCHDOG=1", 5)
        assert running.process.poll() is None
        assert stop(running) in statuses(service, "SuccessExitStatus")
        assert running.heard[-1] == "STOPPING=1"


def test_what_is_refused_is_not_tried_again(tree: Path, tmp_path: Path, service: Section) -> None:
    with running_service(tree, tmp_path, "[board]\nprot = 1\n") as running:
        assert {running.end()} == statuses(service, "RestartPreventExitStatus")
        assert "READY=1" not in running.heard
        (said,) = running.printed.splitlines()
        assert f"{tmp_path / 'config.toml'}: line 2: board.prot: unknown key" in said
