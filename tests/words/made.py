"""Rulings and notices of every kind with made-up values, for whoever puts them in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum, Flag
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from hypothesis import strategies as st

from tamsk_hw.facts.notices import BoardComplains
from tamsk_hw.game.tubes import Player, Tube
from tamsk_hw.referee.events import RING_CHAIN, RING_LIGHT, SELECT_LINES, SUPPLY, TIMER, SensorId
from tamsk_hw.words.hardware import flag_words

#: No letters of a language: names, paths and what the system says are found again in every one.
NAMES = st.text("ΞΨΩ", min_size=1, max_size=4)

#: One of each kind.
SENSORS = (
    SensorId.glass(Tube.D4),
    SensorId.ring(Tube.C3, 2),
    SensorId.holder(Player.RED),
    SensorId.multiplexer(3),
    TIMER,
    SELECT_LINES,
    SUPPLY,
    RING_LIGHT,
    RING_CHAIN,
    SensorId.named("ΞΨ"),
)

#: Small numbers, so that each is printed in full; those below 1 are shares, too.
PLAIN: dict[type, st.SearchStrategy[Any]] = {
    bool: st.booleans(),
    int: st.integers(0, 90),
    float: st.integers(0, 64).map(lambda share: share / 64),
    str: NAMES,
    Path: NAMES.map(lambda name: Path("/") / name),
    NoneType: st.none(),
    SensorId: st.sampled_from(SENSORS),
    BoardComplains: st.sampled_from(list(flag_words())).map(BoardComplains),
}


def members(kind: Any) -> list[Any]:
    """The kinds in a union of unions; of another kind itself."""
    if get_origin(kind) in (Union, UnionType):
        return [each for part in get_args(kind) for each in members(part)]
    return [kind]


def made(kind: Any) -> st.SearchStrategy[Any]:
    """Values of a type as annotations name it."""
    if kind in PLAIN:
        return PLAIN[kind]
    if get_origin(kind) in (Union, UnionType):
        return st.one_of([made(part) for part in members(kind)])
    if get_origin(kind) is tuple:
        parts = get_args(kind)
        if parts[-1] is Ellipsis:
            return st.lists(made(parts[0]), min_size=1, max_size=4).map(tuple)
        return st.tuples(*map(made, parts))
    if get_origin(kind) is list:
        return st.lists(made(get_args(kind)[0]), max_size=4)
    if get_origin(kind) is Mapping:
        key, value = get_args(kind)
        return st.fixed_dictionaries({each: made(value) for each in key})
    if issubclass(kind, Flag):
        return st.lists(st.sampled_from(list(kind)), max_size=3).map(lambda some: kind(sum(map(int, set(some)))))
    if issubclass(kind, Enum):
        return st.sampled_from(list(kind))
    assert is_dataclass(kind), kind
    hints = get_type_hints(kind)
    return st.builds(kind, **{field.name: made(hints[field.name]) for field in fields(kind) if field.init})
