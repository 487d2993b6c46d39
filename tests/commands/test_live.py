"""``tamsk-hw live`` before a service that says something wrong."""

import json
import socket

import pytest

from tamsk_hw.commands.live import _print
from tamsk_hw.live.client import SERVICE
from tamsk_hw.live.stream import Greeting
from tamsk_hw.system.sockets import LineConnection

GREETING = Greeting(life="5f0c", program="0.2.0", board=None, simulated=True, speed=1.0).as_dict(7)


@pytest.mark.parametrize("line", [b'{"seq":', b'{"seq":NaN}', b'{"seq":9', b'{"seq":' + b"[" * 100_000])
def test_a_line_that_is_cut_is_printed_and_asked_for_again(
    line: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    own, other = socket.socketpair()
    with other:
        other.sendall(json.dumps(GREETING).encode() + b'\n{"seq":8,"saved":7,"game":null}\n' + line + b"\n")
        other.shutdown(socket.SHUT_WR)
        with LineConnection(own, SERVICE) as connection:
            assert _print(connection, None) == {"since": 8, "life": "5f0c"}
    assert '{"seq":8,' in capsys.readouterr().out
