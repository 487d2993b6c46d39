"""Recorded forms: events, rulings, and the facts in them that are text."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tamsk_hw.forms import to_json
from tamsk_hw.game import Player, Tube
from tamsk_hw.referee.events import SensorId, SensorKind, TimeSpan, read_span, span_text
from tamsk_hw.referee.rulings import (
    Caution,
    Code,
    Correction,
    Empty,
    GameOver,
    Question,
    Reason,
    Ruling,
    Violation,
    Warned,
    question_text,
    read_question,
)
from tamsk_hw.referee.stream import json_line, parse_event
from tests.scenarios.book import SCENARIOS
from tests.soak import in_soak


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


RED, D4 = Player.RED, Tube.D4


@pytest.mark.parametrize(
    ("ruling", "line"),
    [
        (
            Violation(2.5, "R8", RED, Code.NOT_ADJACENT, D4, (Correction(D4, RED, Empty()), Correction(D4, 2, 0))),
            '{"t":2.5,"ruling":"violation","player":"red","code":"not_adjacent","tube":"D4",'
            '"restore":[{"tube":"D4","has":"red","should":"empty"},'
            '{"tube":"D4","has":{"rings":2},"should":{"rings":0}}],"rule":"R8"}',
        ),
        (
            Warned(2.5, "R9.4", Caution.SENSOR_FAULT, None, D4),
            '{"t":2.5,"ruling":"warning","code":"sensor_fault","player":null,"tube":"D4","rule":"R9.4"}',
        ),
        (
            Warned(2.5, "R9.5", Caution.SENSOR_FAULT, None, D4, SensorId.glass(D4), "gap"),
            '{"t":2.5,"ruling":"warning","code":"sensor_fault","player":null,"tube":"D4","sensor":"glass D4",'
            '"detail":"gap","rule":"R9.5"}',
        ),
        (
            GameOver(2.5, "R5.3", None, Reason.TIE, {Player.RED: 3, Player.BLACK: 4}),
            '{"t":2.5,"ruling":"game_over","winner":null,"reason":"tie","rings_left":{"red":3,"black":4},'
            '"rule":"R5.3"}',
        ),
    ],
)
def test_a_ruling_as_a_line(ruling: Ruling, line: str) -> None:
    assert json_line(ruling.as_dict()) == line


KNOWN = {
    "glass D4": SensorId(SensorKind.GLASS, tube=Tube.D4),
    "ring D4.2": SensorId(SensorKind.RING, tube=Tube.D4, level=2),
    "timer": SensorId(SensorKind.TIMER),
    "holder red": SensorId(SensorKind.HOLDER, player=Player.RED),
    "mux 1": SensorId(SensorKind.MUX, mux=1),
    "select lines": SensorId(SensorKind.SELECT_LINES),
    "supply": SensorId(SensorKind.SUPPLY),
    "ring light": SensorId(SensorKind.RING_LIGHT),
    "fields": SensorId(SensorKind.FIELDS),
    "ring converters": SensorId(SensorKind.RING_CONVERTERS),
    "ring signals": SensorId(SensorKind.RING_SIGNALS),
}

#: It stays as it is, and still gives the tube that it names.
UNKNOWN = {
    name: SensorId(SensorKind.OTHER, tube=tube, other=name)
    for name, tube in (
        ("lamp over D4", Tube.D4),
        ("ring D4.9", Tube.D4),
        ("ring A1.2", Tube.A1),
        ("glass  D4", Tube.D4),
        ("glass H1", None),
        ("mux 01", None),
        ("mux 8", None),
        ("Timer", None),
        ("", None),
    )
}


def test_the_names_of_sensors_that_this_version_knows_and_of_others() -> None:
    names = KNOWN | UNKNOWN
    assert {name: SensorId.named(name) for name in names} == names
    assert {sensor.kind for sensor in names.values()} == set(SensorKind)


@settings(max_examples=in_soak(200, otherwise=25))
@given(st.text() | st.from_regex(r"(glass|ring|holder|mux|timer|supply) ?[A-H]?[0-9]?(\.[0-9])?", fullmatch=True))
def test_no_name_is_changed(name: str) -> None:
    assert SensorId.named(name).name == name


@pytest.mark.parametrize(
    ("least", "most", "words"),
    [
        (0, 0, "up to 1 second"),
        (1, 1, "1 second"),
        (60.7, 74.2, "60 to 75 seconds"),
        (119.5, 121, "1 to 3 minutes"),
        (0, 3600, "up to 60 minutes"),
        (7200, 9000, "2 to 3 hours"),
        (0, 31 * 86400, "up to 31 days"),
    ],
)
def test_a_span_and_its_recorded_text(least: float, most: float, words: str) -> None:
    """In one unit, rounded outward: never more certain than what is known."""
    span = TimeSpan.of(least, most)
    assert span_text(span) == words
    assert read_span(words) == span


@pytest.mark.parametrize("text", ["", "3 years", "60 to seconds", "up to 3 to 4 days", "stuck at 255"])
def test_a_text_that_is_no_span(text: str) -> None:
    assert read_span(text) is None


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (Question(), "Whose glass ran out last?"),
        (Question(Player.RED), "Has red still a glass running, now that black has none?"),
        (Question(Player.BLACK), "Has black still a glass running, now that red has none?"),
        (
            Question(Tube.D4),
            "Whose glass was put into the full tube D4? If it was the player's on move, he has lost.",
        ),
        (Question("Who began?"), "Who began?"),
    ],
)
def test_a_question_and_its_recorded_text(question: Question, text: str) -> None:
    assert question_text(question) == text
    assert read_question(text) == question
