"""Whatever a service answers, its client gives an answer or says in words that there is none."""

import json
import socket
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from tamsk_hw.errors import LiveError
from tamsk_hw.live.client import SERVICE
from tamsk_hw.system import sockets as socket_client
from tamsk_hw.system.sockets import LineConnection
from tests.live.spoilt_lines import lines_of_schema, spoilt
from tests.soak import in_soak

GREETING = {
    "live": 1,
    "life": "5f0c",
    "program": "0.2.0",
    "board": None,
    "simulated": True,
    "speed": 1.0,
    "seq": 0,
}
ANSWERS = [{"re": "1", "done": 17}, {"re": "1", "refused": "Not now."}]


def asked(said: bytes) -> object:
    """The answer of a service that says this and ends."""
    own, other = socket.socketpair()
    sending = threading.Thread(target=send, args=(other, said))
    sending.start()
    try:
        with LineConnection(own, SERVICE) as connection:
            return connection.ask({"do": {"game": "next"}})
    finally:
        own.close()
        sending.join()


def send(other: socket.socket, said: bytes) -> None:
    with other:
        try:
            other.sendall(said)
            other.shutdown(socket.SHUT_WR)
            while other.recv(65536):
                pass
        except OSError:
            pass


def encoded(record: object) -> bytes:
    return json.dumps(record).encode() + b"\n"


def test_an_answer_comes_after_the_stream() -> None:
    said = encoded(GREETING) + encoded({"seq": 1, "saved": 0, "game": None}) + encoded(ANSWERS[0])
    assert asked(said) == ANSWERS[0]


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"[" * 100_000 + b"\n",
        encoded({**GREETING, "live": 2}),
        encoded({**GREETING, "seq": "x"}),
        encoded(GREETING),
        encoded(GREETING) + b'{"re":"1"}\n',
        encoded(GREETING) + b'{"re":"1","done":"x"}\n',
        encoded(GREETING) + b'{"re":NaN\n',
    ],
)
def test_what_is_no_answer_is_said(said: bytes) -> None:
    with pytest.raises(LiveError):
        asked(said)


def test_a_line_without_an_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket_client, "MOST_BYTES", 1000)
    with pytest.raises(LiveError):
        asked(encoded(GREETING) + b'{"re":"1","done":1' + b" " * 200_000 + b"}\n")


@settings(max_examples=in_soak(2000, otherwise=20))
@given(
    first=some.one_of(some.just(encoded(GREETING)), spoilt([GREETING])),
    rest=some.lists(some.one_of(lines_of_schema().map(encoded), spoilt(ANSWERS)), max_size=3),
)
def test_whatever_is_answered_is_an_answer_or_an_error_in_words(first: bytes, rest: list[bytes]) -> None:
    try:
        answer = asked(first + b"\n" + b"\n".join(rest))
    except LiveError:
        return
    assert isinstance(answer, dict)
    assert isinstance(answer.get("done"), int | float) or isinstance(answer["refused"], str)
