"""Values as JSON by their types: written, read back, and refused with place, value and what is allowed."""

from dataclasses import dataclass
from enum import Enum, Flag, auto
from pathlib import Path
from typing import Annotated, Any, ClassVar

import pytest

from tamsk_hw.errors import SettingError, StreamError
from tamsk_hw.forms import Shape, form_of, from_json, number, to_json


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Fault(Flag):
    HOT = auto()
    DRY = auto()


@dataclass(frozen=True)
class Drop:
    count: Annotated[int, number(int, 1, 3)]
    colour: Colour | None = None
    name: ClassVar = "drop"
    shape: ClassVar = Shape(tag="do", spare=("colour",), strict=True)


@dataclass(frozen=True)
class Turn:
    to: Colour
    by: tuple[float, float]
    name: ClassVar = "turn"
    shape: ClassVar = (
        Shape(tag="do", also={"to": Colour.RED}, last=("by",)),
        Shape(tag="do", also={"to": Colour.BLUE}, only=()),
    )


@dataclass(frozen=True)
class Report:
    said: tuple[Drop | Turn, ...]
    seen: frozenset[Colour]
    faults: Fault
    counts: dict[Colour, int]
    place: Path | None

    def __post_init__(self) -> None:
        if len(self.counts) > 1:
            raise SettingError("report", "counts", self.counts, "one")


REPORT = Report((Drop(2), Drop(1, Colour.RED)), frozenset(Colour), Fault.HOT, {Colour.BLUE: 5}, None)
WRITTEN = {
    "said": [{"do": "drop", "count": 2}, {"do": "drop", "count": 1, "colour": "red"}],
    "seen": ["red", "blue"],
    "faults": ["hot"],
    "counts": {"blue": 5},
    "place": None,
}


def test_a_value_is_written_and_read_back() -> None:
    assert to_json(REPORT) == WRITTEN
    assert from_json(Report, {**WRITTEN, "later": 1}, "here") == REPORT
    assert to_json(Turn(Colour.RED, (1.0, 2.5))) == {"do": "turn", "to": "red", "by": [1.0, 2.5]}
    assert from_json(Drop | Turn, {"do": "turn", "to": "red", "by": [1, 2.5]}, "here") == Turn(
        Colour.RED, (1.0, 2.5)
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"said": 5}, "said is 5; allowed: a list"),
        ({"said": [{"do": "drop", "count": 4}]}, "said[0].count is 4; allowed: 1 to 3"),
        ({"said": [{"do": "drop", "count": True}]}, "said[0].count is true; allowed: 1 to 3"),
        ({"said": [{"do": "drop"}]}, "said[0] has no 'count'; allowed: 1 to 3"),
        ({"said": [{"do": "drop", "count": 1, "colour": None}]}, 'said[0].colour is null; allowed: "red", "blue"'),
        (
            {"said": [{"do": "drop", "count": 1, "t": 1}]},
            'said[0] has the unknown key "t"; allowed: do, count, colour',
        ),
        ({"said": [{"do": "fly"}]}, 'said[0].do is "fly"; allowed: "drop", "turn"'),
        ({"said": [{}]}, 'said[0] has no \'do\'; allowed: "drop", "turn"'),
        ({"said": [{"do": "turn", "to": "red", "by": [1]}]}, "said[0].by is [1]; allowed: a list of 2"),
        ({"seen": ["green"]}, 'seen[0] is "green"; allowed: "red", "blue"'),
        ({"faults": [["hot"]]}, 'faults[0] is ["hot"]; allowed: "hot", "dry"'),
        ({"counts": {"green": 1}}, 'counts.green is "green"; allowed: "red", "blue"'),
        ({"counts": {"red": 1e300}}, "counts.red is 1e+300; allowed: a whole number"),
        ({"counts": {"red": 1, "blue": 2}}, 'counts is {"red": 1, "blue": 2}; allowed: one'),
        ({"place": 5}, "place is 5; allowed: a text, null"),
    ],
)
def test_what_does_not_fit_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(StreamError) as refused:
        from_json(Report, WRITTEN | change, "line 3", "the report")
    assert str(refused.value) == f"line 3: {message}"


def test_the_whole_value_has_the_name_that_it_is_given() -> None:
    with pytest.raises(StreamError, match=r"^line 3: the report is 5; allowed: an object$"):
        from_json(Report, 5, "line 3", "the report")


def test_the_schema_says_the_same() -> None:
    schema = form_of(Drop).schema
    assert schema["required"] == ["do", "count"]
    assert schema["properties"]["count"] == {"type": "integer", "minimum": 1, "maximum": 3}
    assert schema["properties"]["colour"] == {"enum": ["red", "blue"]}
