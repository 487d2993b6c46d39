"""Messages of the service to systemd: on a bound datagram socket that stands for it."""

import contextlib
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tamsk_hw.system.service import ServiceManager, notify_address, watchdog_period

ME = 4711
PATIENCE = {"WATCHDOG_USEC": "20000000"}
"""20 seconds."""


class Systemd:
    """systemd's end."""

    def __init__(self, address: str) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(address)
        self.socket.setblocking(False)

    def heard(self) -> list[str]:
        """The datagrams since the last look."""
        datagrams = []
        while True:
            try:
                datagrams.append(self.socket.recv(4096).decode())
            except BlockingIOError:
                return datagrams


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "notify")


@pytest.fixture
def systemd(path: str) -> Iterator[Systemd]:
    end = Systemd(path)
    with end.socket:
        yield end


@pytest.fixture
def manager(path: str, systemd: Systemd) -> ServiceManager:
    return ServiceManager({"NOTIFY_SOCKET": path, **PATIENCE}, process=ME)


# ---- words


def test_each_step_of_starting_gets_time(manager: ServiceManager, systemd: Systemd) -> None:
    """sd_notify(3): from the message on systemd waits for at least so many microseconds."""
    manager.starting()
    manager.starting()
    manager.ready("a game")
    manager.status("another")
    extended = "EXTEND_TIMEOUT_USEC=120000000"
    assert systemd.heard() == [extended, extended, "READY=1\nSTATUS=a game", "STATUS=another"]


def test_a_status_is_said_once_and_is_one_short_line_whatever_it_holds(
    manager: ServiceManager, systemd: Systemd
) -> None:
    """A second line would be taken for an assignment of its own."""
    for text in ("turn 1", "turn 1", "turn 2", "the board says:\nMAINPID=1\r\n\tSTOPPING=1", "a path \udcff"):
        manager.status(text)
    known = ["STATUS=turn 1", "STATUS=turn 2", "STATUS=the board says: MAINPID=1 STOPPING=1", "STATUS=a path ?"]
    assert systemd.heard() == known
    manager.status("ü" * 100_000)
    (said,) = systemd.heard()
    assert 100 < len(said.encode()) < 4096


# ---- the watchdog


def test_the_watchdog_is_fed_at_half_its_patience(manager: ServiceManager, systemd: Systemd) -> None:
    assert manager.beat_every == 10.0
    fed = []
    for tenth in range(400):
        manager.beat(1000 + tenth / 10)
        fed += [tenth / 10] * len(systemd.heard())
    assert fed == [0.0, 10.0, 20.0, 30.0]


def test_a_slow_round_does_not_put_off_the_next_beat(manager: ServiceManager, systemd: Systemd) -> None:
    for now in (0.0, 17.0, 26.9, 27.0):
        manager.beat(now)
    assert systemd.heard() == ["WATCHDOG=1"] * 3


@pytest.mark.parametrize(
    "environment",
    [
        {},
        {"WATCHDOG_USEC": "0"},
        {"WATCHDOG_USEC": "soon"},
        {**PATIENCE, "WATCHDOG_PID": "1"},
        {**PATIENCE, "WATCHDOG_PID": "?"},
    ],
    ids=str,
)
def test_no_watchdog_of_this_process(environment: dict[str, str], path: str, systemd: Systemd) -> None:
    assert watchdog_period(environment, ME) is None
    manager = ServiceManager({"NOTIFY_SOCKET": path, **environment}, process=ME)
    assert manager.beat_every is None
    manager.beat(0.0)
    assert systemd.heard() == []


# ---- the socket


def test_an_abstract_socket(path: str) -> None:
    name = f"@tamsk-hw-test{path}"
    systemd = Systemd("\0" + name[1:])
    with systemd.socket:
        ServiceManager({"NOTIFY_SOCKET": name}).ready("up")
        assert systemd.heard() == ["READY=1\nSTATUS=up"]


@pytest.mark.parametrize("name", ["", "@", "/", "notify", "vsock:2:1234"])
def test_what_is_no_socket_of_a_service(name: str) -> None:
    assert notify_address({"NOTIFY_SOCKET": name}) is None


def test_without_systemd_nothing_is_said_and_nothing_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    manager = ServiceManager(PATIENCE, process=ME)
    monkeypatch.setattr(socket, "socket", None)
    manager.ready("up")
    manager.beat(0.0)
    manager.status("playing")
    manager.stopping()
    assert manager.beat_every is None


def test_what_could_not_be_said_comes_with_a_later_beat(
    manager: ServiceManager, systemd: Systemd, path: str
) -> None:
    """systemd starting itself anew does not listen for a moment."""
    systemd.socket.close()
    manager.ready("up")
    Path(path).unlink()
    manager.status("playing")
    manager.beat(0.0)
    again = Systemd(path)
    with again.socket:
        manager.beat(0.1)
        assert again.heard() == [], "not at every round of the loop"
        manager.beat(5.0)
        assert again.heard() == ["READY=1\nSTATUS=playing\nWATCHDOG=1"]
        manager.beat(15.0)
        assert again.heard() == ["WATCHDOG=1"]


def test_a_missed_beat_is_tried_again_in_time(manager: ServiceManager, systemd: Systemd, path: str) -> None:
    """One that came only half a patience later would be too late."""
    manager.beat(0.0)
    systemd.heard()
    Path(path).rename(f"{path}.away")
    manager.beat(10.0)
    Path(f"{path}.away").rename(path)
    fed = []
    for tenth in range(1, 100):
        manager.beat(10 + tenth / 10)
        fed += [tenth / 10] * len(systemd.heard())
    assert fed
    assert fed[0] < 2.0


def test_a_full_socket_does_not_hold_up_the_game(manager: ServiceManager, systemd: Systemd, path: str) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as others:
        others.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            while True:
                others.sendto(b"STATUS=chatter", path)
        manager.status("playing")  # would wait for ever if it waited at all
        systemd.heard()
        manager.beat(0.0)
        assert systemd.heard() == ["STATUS=playing\nWATCHDOG=1"]
