"""The core's receiver and the golden streams; the fuzzer has any other bytes (tests/firmware/fuzz)."""

from typing import Any

import pytest

from tests.firmware.core_program import GOLDEN, Core, words

CONTENTS = {each["name"]: bytes.fromhex(each["content"]) for each in GOLDEN["messages"]}


@pytest.mark.parametrize("stream", GOLDEN["streams"], ids=lambda stream: stream["name"])
def test_golden_stream(core: Core, stream: dict[str, Any]) -> None:
    chunks = [bytes.fromhex(chunk) for chunk in stream["chunks"]]
    answers = core.ask(["receiver", *(words("receive", chunk) for chunk in chunks)])[1:]
    verdicts = " ".join(answers).split()
    counters = stream["counters"]
    frames = [verdict for verdict in verdicts if verdict.startswith("F")]
    assert len(frames) == counters["frames"]
    assert verdicts.count("M") == counters["malformed"]
    assert verdicts.count("C") == counters["crc_errors"]
    # Of the good frames those that are neither unknown nor misshapen are the named messages, in order.
    heads = [bytes.fromhex(verdict.split(":")[3]) for verdict in frames]
    named = [CONTENTS[name][:11] for name in stream["messages"]]
    if not counters["unknown"] and not counters["misshapen"]:
        # Bytes beyond the payload that is known are there as well, but not looked at.
        assert [head[: len(name)] for head, name in zip(heads, named, strict=True)] == named
    else:
        rest = iter(heads)
        assert all(head in rest for head in named)
        assert len(heads) - len(named) == counters["unknown"] + counters["misshapen"]
