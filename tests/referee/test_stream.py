"""Events as JSON objects, there and back, for every event of every scenario."""

from __future__ import annotations

import json

import pytest

from tamsk_hw.errors import StreamError
from tamsk_hw.forms import to_json
from tamsk_hw.referee.stream import parse_event, read_stream
from tests.scenarios.book import SCENARIOS


def test_an_event_is_written_as_it_was_read() -> None:
    kinds = set()
    for scenario in SCENARIOS:
        for line in scenario.stream.splitlines()[1:]:
            record = json.loads(line)
            written = to_json(parse_event(record))
            if record.get("cleared") is False:
                del record["cleared"]  # it is left out when it is false
            assert written == record, scenario.name
            kinds.add((written["event"], *sorted(written.keys() - {"t", "event"})))
    assert len({kind[0] for kind in kinds}) == 11, "a kind of event is in no scenario"
    assert {("link", "away", "state"), ("seat", "colour", "end", "tube"), ("timer", "state")} <= kinds


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (5, "event: the event is 5; allowed: an object"),
        (
            {"t": 1, "event": "arbiter", "action": "award", "winner": "red", "tube": "D4"},
            'event: arbiter award has the unknown key "tube"; allowed: t, event, action, winner',
        ),
        (
            {"t": 3.6e7 + 0.01, "event": "tick"},
            "event: t is 36000000.01; allowed: a number of seconds, 0 or more, at most 3.6e7",
        ),
        (
            {"t": 1, "event": "fault", "sensor": "timer", "detail": "gap", "cleared": 1},
            "event: cleared is 1; allowed: true or false",
        ),
        ({"t": 1, "event": "fault", "detail": "gap"}, "event: fault has no 'sensor'; allowed: a text"),
    ],
)
def test_a_refusal_names_place_value_and_what_is_allowed(value: object, message: str) -> None:
    with pytest.raises(StreamError) as refused:
        parse_event(value)
    assert str(refused.value) == message


def test_a_line_that_is_no_text_is_refused_at_its_byte() -> None:
    """The sixth byte is none of UTF-8."""
    with pytest.raises(StreamError, match=r"^game line 1: not UTF-8 text \(invalid start byte at byte 6\)$"):
        read_stream([b'{"tam\xff": 1}'], "game")
