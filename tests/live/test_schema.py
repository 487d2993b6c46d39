"""The JSON Schema of the live stream against real lines, and the files in docs against the schema.

The lines are of whole games of simulated people; of notices, which games do not give, one of each kind is made.
"""

import json
from collections.abc import Iterator
from dataclasses import fields
from enum import Enum, Flag
from functools import cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import pytest
from jsonschema import Draft202012Validator, ValidationError

from tamsk_hw.facts.notices import Notice
from tamsk_hw.forms import to_json
from tamsk_hw.game.ruleset import LatePenalty, Ruleset, Start
from tamsk_hw.game.tubes import Tube
from tamsk_hw.live.publishing import Publisher
from tamsk_hw.live.stream import (
    NO_NAMES,
    GameBegun,
    Greeting,
    LiveStream,
    SavedTo,
    TableState,
    line_as_dict,
    state_as_dict,
)
from tamsk_hw.referee.events import SensorId
from tests.boards import SEVEN, WHOLE
from tests.docs.references.live import PAGE, SCHEMA, page, schema, state_fields
from tests.panel.boards import ADVICES
from tests.simulation import Simulation

ROOT = Path(__file__).parents[2]


@cache
def validator() -> Draft202012Validator:
    Draft202012Validator.check_schema(schema())
    return Draft202012Validator(schema())


def greeting() -> Greeting:
    return Greeting(life="5f0c", program="0.2.0", board="0a1b2c3d", simulated=True, speed=36.0)


GAMES = [
    Ruleset(level=1),
    Ruleset(level=2, late_penalty=LatePenalty.LOSE_TURN),
    Ruleset(level=3),
    Ruleset(level=3, start=Start.FREE),
]


@pytest.mark.soak(but=["level-3-free"])
@pytest.mark.parametrize("ruleset", GAMES, ids=lambda ruleset: f"level-{ruleset.level}-{ruleset.start.value}")
def test_every_line_of_a_game_fits_the_schema(ruleset: Ruleset) -> None:
    stream = LiveStream(greeting())
    publisher = Publisher(stream)
    wiring = SEVEN.wiring if ruleset.start is SEVEN.start else WHOLE.wiring
    game = Simulation(ruleset, 11, wiring=wiring, took=publisher.took, notice=publisher.notice)
    publisher.game(game.header, "a" * 32, NO_NAMES)
    states = []
    while not game.is_over and game.now < 900.0:
        game.advance(game.now + 10.0)
        states.append(state_as_dict(TableState(game.refereeing.view(), False)))
    seq, kinds = 0, set()
    while lines := stream.after(seq):
        for seq, data in lines:  # noqa: B007
            line = json.loads(data)
            validator().validate(line)
            kinds |= line.keys()
    assert kinds >= {"header", "event", "ruling", "notice"}
    for state in states:
        validator().validate({"state": state})
    for advice in ADVICES:
        validator().validate({"state": states[0] | {"advice": to_json(advice)}})
    assert states[0].keys() == state_fields().keys()


def made(hint: Any) -> Any:
    """A value of a type, as plain as can be."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return made(inner[0])
    if origin is tuple:
        return tuple(made(each) for each in inner if each is not Ellipsis)
    if isinstance(hint, type) and issubclass(hint, Flag):
        return hint(next(iter(hint)))
    if isinstance(hint, type) and issubclass(hint, Tube):
        return Tube.D4
    if isinstance(hint, type) and issubclass(hint, Enum):
        return next(iter(hint))
    plain = {int: 3, float: 0.25, str: "text", bool: True, NoneType: None, Path: Path("/var/lib")}
    if hint in plain:
        return plain[hint]
    if hint is SensorId:
        return SensorId.named("glass D4")
    hints = get_type_hints(hint)
    return hint(**{field.name: made(hints[field.name]) for field in fields(hint) if field.init})


@pytest.mark.parametrize("kind", get_args(Notice), ids=lambda kind: kind.__name__)
def test_every_notice_fits_the_schema(kind: type) -> None:
    validator().validate(line_as_dict(made(kind), 1))


def other_lines() -> Iterator[Any]:
    yield greeting().as_dict(0)
    for line in (GameBegun(Simulation(Ruleset(), 1).header, "b", 12, NO_NAMES, True), NO_NAMES, SavedTo(5, 12)):
        yield line_as_dict(line, 7)
    yield {"re": "x", "done": 5}
    yield {"re": "x", "done": 5, "game": 12, "already": True}
    yield {"re": None, "refused": "Not now."}


def test_the_other_lines_fit_the_schema() -> None:
    for line in other_lines():
        validator().validate(line)


@pytest.mark.parametrize(
    "line",
    [
        {"live": 2},
        {"seq": 1, "names": {"red": None}},
        {"seq": 1, "ruling": {"t": 1.0, "ruling": "pass", "player": "green", "rule": "R2.7"}, "words": ""},
        {"seq": 1, "event": {"t": 1.0, "event": "lift", "tube": "Z9"}},
        {"seq": 1, "notice": {"code": "unknown"}, "words": ""},
    ],
)
def test_what_is_no_line_does_not_fit(line: Any) -> None:
    with pytest.raises(ValidationError):
        validator().validate(line)


def test_the_files_in_docs_are_made_of_these_types() -> None:
    assert json.loads((ROOT / SCHEMA).read_text(encoding="utf-8")) == schema()
    assert (ROOT / PAGE).read_text(encoding="utf-8") == page()
