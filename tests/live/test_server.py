"""The socket of the live stream, over real connections. Nothing here waits for time to pass but for an answer."""

import asyncio
import gc
import json
import shutil
import socket
import stat
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from threading import Event as ThreadEvent
from threading import Thread
from typing import Any

import pytest

from tamsk_hw.errors import LiveError, SocketError
from tamsk_hw.facts.notices import LineWell
from tamsk_hw.live import server as server_module
from tamsk_hw.live.client import connect
from tamsk_hw.live.publishing import Publisher
from tamsk_hw.live.server import LiveServer
from tamsk_hw.live.stream import NO_NAMES, GameBegun, Greeting, LiveStream, TableState
from tamsk_hw.referee import Header, Referee
from tamsk_hw.referee.events import Tick
from tamsk_hw.system import line_server
from tamsk_hw.system.line_server import TakenError
from tamsk_hw.system.sockets import LineConnection
from tests.commands.test_run_web import until

#: Real seconds after which a reader who hears nothing more fails its test.
PATIENCE = 60.0

VIEW = Referee(Header()).view(0.0)
STATE = TableState(VIEW, False)


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that waits long enough for a reader on a busy machine to say what he has already."""
    monkeypatch.setattr(server_module, "GRACE", 20.0)


class Service:
    """A stream that is published, and ``woken`` when somebody asks for something."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.stream = LiveStream(Greeting(life="5f0c", program="0.2.0", board=None, simulated=True, speed=1.0))
        self.woken = ThreadEvent()
        self.server = LiveServer(path, self.stream, self.woken.set)

    def say(self, count: int = 1) -> None:
        for _ in range(count):
            self.stream.append(LineWell())
        self.server.tell(STATE)

    def game(self, ticks: int) -> None:
        self.stream.append(GameBegun(Header(), "a", None, NO_NAMES, False))
        for t in range(ticks):
            self.stream.append(Tick(float(t)))
        self.server.tell(STATE)


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    made = Service(tmp_path / "live.sock")
    yield made
    made.server.close()


class Reader:
    """One who reads by lines."""

    def __init__(self, path: Path) -> None:
        self.connection: LineConnection = connect([path])
        self._lines = self.connection.lines(time.monotonic() + PATIENCE)

    def next(self, key: str) -> Any:
        """The next line with this key; those before it are passed over."""
        while True:
            line = json.loads(next(self._lines))
            if key in line:
                return line

    def seqs(self, to: int) -> list[int]:
        """The numbers of the lines up to number ``to``."""
        found: list[int] = []
        while not found or found[-1] < to:
            found.append(self.next("seq")["seq"])
        return found


def greets(path: Path) -> bool:
    """A service there takes somebody, and does not close the connection at once."""
    with suppress(LiveError):
        connect([path]).close()
        return True
    return False


def test_the_greeting_comes_first_then_the_state_then_what_is_new(service: Service) -> None:
    service.say(3)
    reader = Reader(service.path)
    assert reader.connection.greeting == service.stream.greeting.as_dict(3)
    assert reader.next("state")["state"]["phase"] == "setup"
    service.say()
    assert reader.next("seq")["seq"] == 4


def test_each_game_begins_with_a_state_of_its_own(service: Service) -> None:
    """Also where it looks as the last one did; and before it there is none, though an answer wakes the server."""
    publisher, reader = Publisher(service.stream, service.server), Reader(service.path)
    for number, key in enumerate("abc", 1):
        publisher.game(Header(), key, NO_NAMES)
        service.server._call(service.server._tell)
        assert reader.next("header")["key"] == key
        publisher.tell(replace(STATE, view=replace(VIEW, t=float(number))))
        assert reader.next("state")["state"]["t"] == number


@pytest.mark.usefixtures("patient")
def test_since_sends_again_and_then_the_state_and_to_another_life_the_current_game_whole(service: Service) -> None:
    service.say(5)
    service.game(495)
    reader, stranger = Reader(service.path), Reader(service.path)
    reader.connection.send({"since": 100, "life": "5f0c"})
    lines = [json.loads(next(reader._lines)) for _ in range(402)]
    assert [line.get("seq") for line in lines] == [*range(101, 502), None]
    assert "state" in lines[-1]
    stranger.connection.send({"since": 100, "life": "another"})
    assert stranger.seqs(501) == list(range(6, 502))


def test_a_state_in_which_only_time_has_passed_is_no_news(service: Service) -> None:
    service.say()
    reader = Reader(service.path)
    reader.next("state")
    service.server.tell(TableState(replace(VIEW, t=5.0), False))
    service.server.tell(TableState(replace(VIEW, t=6.0, number=4), False))
    assert reader.next("state")["state"]["number"] == 4


def test_requests_are_taken_and_answered_also_to_one_who_ends_his_side(service: Service) -> None:
    """As ``printf … | nc -U`` does."""
    reader = Reader(service.path)
    reader.connection.send({"id": "x", "do": {"game": "next"}})
    assert service.woken.wait(10)
    [asked] = service.server.take()
    asked.done(12)
    assert reader.next("re") == {"re": "x", "done": 12}
    service.woken.clear()
    reader.connection.send({"id": "y", "do": {"game": "next"}})
    reader.connection._socket.shutdown(socket.SHUT_WR)
    assert service.woken.wait(10)
    service.server.take()[0].refused("Not now.")
    assert reader.next("re") == {"re": "y", "refused": "Not now."}


def test_a_flood_of_requests_is_refused_beyond_a_bound(service: Service) -> None:
    reader = Reader(service.path)
    for number in range(server_module.MOST_REQUESTS + 3):
        reader.connection.send({"id": number, "do": {"game": "next"}})
    refused = [reader.next("re")["re"] for _ in range(3)]
    assert refused == [50, 51, 52]
    assert len(service.server.take()) == 50


def test_one_who_does_not_read_is_disconnected_and_slows_nobody(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_module._LiveReader, "patience", 0.5)
    deaf = Reader(service.path)
    reader = Reader(service.path)
    for _ in range(40):
        service.say(500)
    assert reader.seqs(20_000) == list(range(1, 20_001))
    until(lambda: len(service.server._socket.clients) == 1)
    with pytest.raises((StopIteration, ConnectionError)):
        deaf.seqs(20_001)


def test_one_who_goes_at_once_is_no_error(
    service: Service, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """From Python 3.12 on ``writelines`` fails with a TypeError once the connection is lost."""
    writelines = asyncio.StreamWriter.writelines

    def as_in_3_12(writer: asyncio.StreamWriter, pieces: Iterable[bytes]) -> None:
        if writer.is_closing():
            raise TypeError("'NoneType' object is not callable")
        writelines(writer, pieces)

    monkeypatch.setattr(asyncio.StreamWriter, "writelines", as_in_3_12)
    service.say()
    for _ in range(5):
        connect([service.path]).close()
    # Whoever came later is written to later.
    reader = Reader(service.path)
    assert reader.next("state")
    service.say()
    assert reader.next("seq")
    assert "Unhandled exception" not in caplog.text


@pytest.mark.parametrize("reads", [False, True])
def test_those_who_have_gone_leave_room_for_others_while_nothing_happens(
    service: Service, monkeypatch: pytest.MonkeyPatch, reads: bool
) -> None:
    service.server._socket.most = 3
    monkeypatch.setattr(line_server, "LOOK_SECONDS", 0.01)
    monkeypatch.setattr(server_module, "GRACE", 1000.0)  # not for those who can say no more
    service.say(1)
    for _ in range(3):
        reader = Reader(service.path)
        if reads:
            reader.connection.send({"since": 0})
            reader.next("state")
        reader.connection.close()
    until(lambda: greets(service.path))


def test_a_second_service_finds_the_first_one(service: Service) -> None:
    with pytest.raises(TakenError, match="another service"):
        Service(service.path)
    Reader(service.path)


def test_a_socket_that_a_killed_service_left_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "live.sock"
    left = socket.socket(socket.AF_UNIX)
    left.bind(str(path))
    left.close()
    made = Service(path)
    Reader(path)
    made.server.close()
    assert not path.exists()


def test_what_is_no_socket_is_never_replaced(tmp_path: Path) -> None:
    path = tmp_path / "live.sock"
    path.write_text("precious", encoding="utf-8")
    with pytest.raises(SocketError, match="no socket"):
        Service(path)
    assert path.read_text(encoding="utf-8") == "precious"


@pytest.mark.parametrize("place", ["x" * 200, "file/live.sock"])
def test_a_place_that_cannot_be_is_refused(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SocketError, match="--live"):
        Service(tmp_path / place)


def test_a_socket_that_is_removed_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As logind removes a user's runtime folder at the last logout, while the service goes on."""
    monkeypatch.setattr(line_server, "WATCH_SECONDS", 0.01)
    service = Service(tmp_path / "user" / "tamsk-hw" / "live.sock")
    service.say()
    first = Reader(service.path)
    assert first.next("state")
    assert stat.S_IMODE(service.path.stat().st_mode) == 0o660
    shutil.rmtree(tmp_path / "user")
    until(lambda: greets(service.path))
    assert stat.S_IMODE(service.path.stat().st_mode) == 0o660
    second = Reader(service.path)
    service.say()
    assert first.next("seq")["seq"] == second.next("seq")["seq"] == 2
    # What another program has put there is left.
    service.path.unlink()
    service.path.write_text("another's", encoding="utf-8")
    service.server.close()
    assert service.path.read_text(encoding="utf-8") == "another's"


def test_nothing_is_left_undone_at_the_end_with_readers(
    service: Service, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A reader who takes nothing is cut off after the farewell."""
    monkeypatch.setattr(line_server, "FAREWELL", 0.01)
    service.game(20_000)
    readers = [Reader(service.path) for _ in range(20)]
    for reader in readers:
        reader.connection.send({"since": 0})
        assert reader.next("seq")
    service.server.close()
    service.server._thread.join()
    gc.collect()
    assert "Task was destroyed" not in caplog.text
    assert not caplog.records


@pytest.mark.usefixtures("patient")
def test_at_the_end_everything_is_sent_and_the_socket_goes(service: Service) -> None:
    reader = Reader(service.path)
    reader.connection.send({"since": 0})
    service.game(300)
    service.server.close()
    assert reader.seqs(301) == list(range(1, 302))
    assert not service.path.exists()
    with pytest.raises(LiveError, match="no service"):
        connect([service.path])


def test_the_last_state_is_sent_at_the_end_though_it_is_not_due(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reader may have a ruling with the state before it; the service may end before the next state is due."""
    monkeypatch.setattr(server_module, "STATE_SECONDS", 1000.0)
    service.say()
    reader = Reader(service.path)
    assert reader.next("state")["state"]["number"] == VIEW.number
    service.server.tell(TableState(replace(VIEW, t=6.0, number=4), False))
    service.server.close()
    assert [json.loads(line)["state"]["number"] for line in reader._lines] == [4]


def test_what_is_new_while_the_reader_takes_a_state_is_sent_though_the_service_ends_meanwhile(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    leaving = ThreadEvent()
    leave = server_module._LiveReader.leave

    def told(reader: server_module._LiveReader) -> None:
        leave(reader)
        leaving.set()

    def large(state: TableState) -> dict[str, Any]:
        return {"number": state.view.number, "more than the system keeps for a reader": "x" * 900_000}

    monkeypatch.setattr(line_server, "FAREWELL", 60.0)
    monkeypatch.setattr(server_module, "state_as_dict", large)
    monkeypatch.setattr(server_module._LiveReader, "leave", told)
    service.server.tell(STATE)
    reader = Reader(service.path)
    assert reader.connection._socket.recv(1, socket.MSG_PEEK)  # the state, of which most waits to be read
    service.stream.append(LineWell())
    service.server.tell(TableState(replace(VIEW, t=6.0, number=4), False))
    closing = Thread(target=service.server.close)
    closing.start()
    assert leaving.wait(60)
    lines = [json.loads(line) for line in reader._lines]
    closing.join()
    assert [line.get("seq") or line["state"]["number"] for line in lines] == [VIEW.number, 1, 4]
