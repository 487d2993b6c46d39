"""``tamsk-hw replay``: a torn last line, and what a terminal is given."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tamsk_hw.commands.main import main

HEADER = b'{"tamsk":1}\n'
START = b'{"t":1,"event":"button","button":"start","press":"short"}\n'
SEAT = b'{"t":2,"event":"seat","tube":"D4","end":"A"}'


def replay(tmp_path: Path, stream: bytes, *options: str) -> Result:
    file = tmp_path / "stream.jsonl"
    file.write_bytes(stream)
    return CliRunner().invoke(main, ["replay", str(file), *options])


@pytest.mark.parametrize("end", [SEAT[:-9], b"{", '{"t":2,"event":"fault","detail":"ü'.encode()[:-1], b"\0\0\0\0"])
def test_a_torn_last_line_alone_is_left_out_with_a_warning(tmp_path: Path, end: bytes) -> None:
    whole = replay(tmp_path, HEADER + START)
    torn = replay(tmp_path, HEADER + START + end)
    assert (torn.exit_code, torn.stdout) == (0, whole.stdout)
    file = tmp_path / "stream.jsonl"
    assert torn.stderr == f"tamsk-hw: {file} line 3: cut off in the middle, as by a power cut: left out\n"


@pytest.mark.parametrize(
    "stream",
    [
        HEADER + SEAT[:-9] + b"\n" + START,  # not the last
        HEADER + START + SEAT[:-9] + b"\n",  # it has its end
        HEADER + START + b'{"t":2,"event":"nonsense"}',  # it is JSON
        HEADER + START + b'{"t":2,"t":3,"event":"tick"}',
        HEADER + START + b"9" * 5000,
        HEADER + START + b"[" * 50_000 + b"]" * 50_000,
        HEADER[:-3],  # nothing is left
    ],
)
def test_everything_else_malformed_is_refused_whole(tmp_path: Path, stream: bytes) -> None:
    ran = replay(tmp_path, stream)
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert "stream.jsonl line " in ran.stderr.splitlines()[-1]


def test_a_last_line_that_only_lacks_its_end_is_taken(tmp_path: Path) -> None:
    ran = replay(tmp_path, HEADER + START[:-1])
    assert (ran.exit_code, ran.stderr) == (0, "")
    assert "The board is not ready" in ran.stdout


def test_stream_and_capture_are_not_taken_for_each_other(tmp_path: Path) -> None:
    place = f"tamsk-hw: {tmp_path / 'stream.jsonl'} line 1:"
    ran = replay(tmp_path, HEADER, "--capture")
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert ran.stderr == f'{place} this is no capture; allowed: a first line with "capture": 1\n'
    ran = replay(tmp_path, b'{"capture":1,"header":{"tamsk":1},"wiring":"d26e7b07"}\n')
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert ran.stderr == f"{place} this is a capture; give --capture with it\n"


#: CSI in one character, others of its kind, a line's end, and characters that turn the writing's direction.
STEERING = "\x7f\x80\x9b2J\x9f\u2028\u200f\u202e\u2066\u061c"


def test_json_steers_no_terminal(tmp_path: Path) -> None:
    fault = {"t": 2, "event": "fault", "sensor": "glass D4", "detail": STEERING}
    seats = "".join(
        f'{{"t":0,"event":"seat","tube":"{tube}","end":"A"}}\n' for tube in ("A1", "A4", "D1", "D7", "G1", "G4")
    )
    line = json.dumps(fault, ensure_ascii=False).encode()
    ran = replay(tmp_path, HEADER + seats.encode() + START + line + b"\n", "--json")
    assert ran.exit_code == 0, ran.stderr
    assert all(row.isprintable() for row in ran.stdout.splitlines())
    assert "\\u009b2J" in ran.stdout
    assert "\\u202e" in ran.stdout
    details = [json.loads(row).get("detail") for row in ran.stdout.splitlines()]
    assert STEERING in details
