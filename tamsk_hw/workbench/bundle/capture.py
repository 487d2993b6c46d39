"""The last minutes of a capture (``tamsk-hw run --capture``), as a bug report needs them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from tamsk_hw.board.wiring import Wiring
from tamsk_hw.referee.stream import json_line
from tamsk_hw.system.files import open_file, read_lines
from tamsk_hw.table.capture import LONGEST_LINE, MOST_BYTES
from tamsk_hw.table.replay import last_minutes
from tamsk_hw.workbench.bundle.line import harmless_bytes

#: Seconds of a capture that are packed.
SECONDS: Final = 180.0


def capture_part(file: Path, wiring: Wiring) -> str:
    """The last `SECONDS` of the capture in ``file``, which ``tamsk-hw replay --capture`` takes.

    The board's id in it is 0, and what was sent to the board, which the replay ignores, is left out.

    Raises:
        StreamError: it is no capture, or one of a board with another wiring map.
        InputError: it is no file, or too long.
        OSError: it cannot be read.
    """
    with open_file(file) as stream:
        lines = list(read_lines(stream, longest=LONGEST_LINE, most=MOST_BYTES))
    tail = [json.loads(line) for line in last_minutes(lines, wiring, SECONDS)]
    records = [record for record in tail if "tx" not in record]
    raw = b"".join(bytes.fromhex(record.get("rx", "")) for record in records)
    cleaned = harmless_bytes(raw)  # frames are as long as they were
    taken = 0
    for record in records:
        if "rx" in record:
            length = len(record["rx"]) // 2
            record["rx"] = cleaned[taken : taken + length].hex()
            taken += length
    return "".join(json_line(record) + "\n" for record in records)
