"""A capture in a bundle: its last minutes, ruled on as the whole is, without the board's id."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tamsk_hw.board.protocol import Decoder, Hello, encode
from tamsk_hw.board.wiring import load_wiring
from tamsk_hw.errors import TamskError
from tamsk_hw.table.capture import read_capture
from tamsk_hw.table.replay import Taken, replay_capture
from tamsk_hw.workbench.bundle import capture

WHOLE = Path(__file__).resolve().parents[2] / "captures" / "ring-in-the-wrong-tube.jsonl"
BOARD_ID = 0x5EC2E7A1


def with_board_id(folder: Path) -> Path:
    """The capture as a board with this id would have sent it, with something sent to it."""
    records = [json.loads(line) for line in WHOLE.read_text().splitlines()]
    for record in records:
        for message in Decoder().feed(bytes.fromhex(record.get("rx", ""))):
            if isinstance(message, Hello):
                old, new = encode(message), encode(replace(message, board_id=BOARD_ID))
                record["rx"] = record["rx"].replace(old.hex(), new.hex())
    told = {"t": records[-1]["t"], "tx": BOARD_ID.to_bytes(4, "little").hex()}
    file = folder / "capture.jsonl"
    file.write_text("".join(json.dumps(record) + "\n" for record in [*records[:-1], told, records[-1]]))
    return file


def rulings(text: str) -> list[dict[str, object]]:
    heard = replay_capture(
        read_capture((f"{line}\n".encode() for line in text.splitlines()), "it"), load_wiring(), "it"
    )
    return [ruling.as_dict() for each in heard if isinstance(each, Taken) for ruling in each.rulings]


@pytest.mark.parametrize("seconds", [3.0, 4.0, 1000.0])
def test_the_last_minutes_are_ruled_on_as_the_whole_is(
    seconds: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(capture, "SECONDS", seconds)
    part = capture.capture_part(with_board_id(tmp_path), load_wiring())
    whole = rulings(WHOLE.read_text())
    tail = rulings(part)
    assert tail
    assert [ruling["ruling"] for ruling in tail] == [ruling["ruling"] for ruling in whole[-len(tail) :]]
    assert (len(tail) == len(whole)) == (seconds == 1000.0)


def test_the_boards_id_is_nowhere_in_it(tmp_path: Path) -> None:
    part = capture.capture_part(with_board_id(tmp_path), load_wiring())
    assert BOARD_ID.to_bytes(4, "little").hex() not in part
    assert '"tx"' not in part
    raw = b"".join(bytes.fromhex(json.loads(line).get("rx", "")) for line in part.splitlines())
    assert {message.board_id for message in Decoder().feed(raw) if isinstance(message, Hello)} == {0}


def test_what_is_no_capture_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "other.jsonl"
    file.write_text('{"tamsk": 1}\n')
    with pytest.raises(TamskError, match="capture"):
        capture.capture_part(file, load_wiring())
