"""The header of a stream: ruleset, sand, holders (docs/formats.md)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Final, cast

from tamsk_hw.errors import StreamError, shortened
from tamsk_hw.forms import Shape, from_json, is_number, number, scalar, to_json
from tamsk_hw.game.ruleset import Ruleset, Start
from tamsk_hw.game.tubes import GLASSES_EACH, PLAYERS, START_TUBES

#: The longest duration of a glass: ten hours.
MOST_DURATION: Final = 36_000


def _durations(value: Any) -> tuple[float, float]:
    """One number is that of both ends."""
    end_a, end_b = value if isinstance(value, (list, tuple)) else (value, value)
    if not all(is_number(each) and 0 < each <= MOST_DURATION for each in (end_a, end_b)):
        raise ValueError(value)
    return float(end_a), float(end_b)


_SECONDS: Final = {"type": "number", "minimum": 0}

#: Seconds from full with end A down, and with end B down.
Durations = Annotated[
    tuple[float, float],
    scalar(
        list,
        _durations,
        {"type": "array", "prefixItems": [_SECONDS, _SECONDS], "items": False},
        "seconds above 0, at most 36000, or [end A down, end B down]",
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class SandSettings:
    """Durations of the glasses in seconds, and how well they are known (R6.1, R6.4).

    ``glasses`` overrides ``glass`` for single glasses, named by start tube (``"D1"``) or, with a free start, by
    the order of placing (``"red-1"``). ``tolerance`` is relative, 0 … <1. With ``exact_hands`` the sand of a glass
    in the hand is known to rest.
    """

    glass: Durations = (180.0, 180.0)
    timer: Durations = (15.0, 15.0)
    glasses: Mapping[str, Durations] = field(default_factory=dict)
    tolerance: Annotated[float, number(float, 0, math.nextafter(1, 0), "a number from 0 to below 1")] = 0.0
    exact_hands: bool = True
    shape: ClassVar = Shape(strict=True)

    def of(self, name: str) -> Durations:
        """The durations of the glass of that name."""
        return self.glasses.get(name, self.glass)


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """Everything that a referee must know before the first event."""

    ruleset: Ruleset = field(default_factory=Ruleset)
    sand: SandSettings = field(default_factory=SandSettings)
    pause_when_lost: bool | None = None
    """Rights and deadlines stand still while the link is lost (R9.5); None: unless hands are exact."""
    holders: bool = False
    shape: ClassVar = Shape(also={"tamsk": 1}, spare=("pause_when_lost",), strict=True)

    @property
    def pauses(self) -> bool:
        """Rights and deadlines stand still while the link is lost (R9.5)."""
        return not self.sand.exact_hands if self.pause_when_lost is None else self.pause_when_lost

    def as_dict(self) -> dict[str, Any]:
        """The header as the JSON object that begins a stream."""
        return cast(dict[str, Any], to_json(self))


def glass_names(start: Start) -> tuple[str, ...]:
    """The names under which ``sand.glasses`` knows the six glasses."""
    if start is Start.FREE:
        return tuple(f"{player}-{n}" for player in PLAYERS for n in range(1, GLASSES_EACH + 1))
    return tuple(tube.name for player in PLAYERS for tube in START_TUBES[player])


def parse_header(value: Any, where: str = "header") -> Header:
    """Read a header from its JSON object.

    Args:
        value: the object, as ``json.loads`` gives it.
        where: the place as messages name it, e.g. ``"game.jsonl line 1"``.

    Raises:
        StreamError: an unknown key, a wrong type or an impossible value; the message names it and what is allowed.
    """
    header = cast(Header, from_json(Header, value, where, "the header"))
    names = glass_names(header.ruleset.start)
    for name in header.sand.glasses:
        if name not in names:
            allowed = ", ".join(names)
            raise StreamError(f"{where}: sand.glasses has the unknown key {shortened(name)}; allowed: {allowed}")
    return header
