"""Raw bytes as a line gives them, made from the golden frames (tests/golden/frames.json)."""

import json
from pathlib import Path
from typing import Any

GOLDEN: dict[str, Any] = json.loads(
    (Path(__file__).resolve().parents[1] / "golden" / "frames.json").read_text(encoding="utf-8")
)

FRAMES: dict[str, bytes] = {each["name"]: bytes.fromhex(each["frame"]) for each in GOLDEN["messages"]}

STREAMS: dict[str, dict[str, Any]] = {each["name"]: each for each in GOLDEN["streams"]}


def stream(name: str) -> bytes:
    """All bytes of one golden stream."""
    return b"".join(bytes.fromhex(chunk) for chunk in STREAMS[name]["chunks"])
