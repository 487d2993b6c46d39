"""The header of a stream: ruleset, sand, holders (docs/formats.md)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from enum import Enum
from typing import Any, Final

from tamsk_hw.errors import SettingError, StreamError, refuse, shortened
from tamsk_hw.forms import is_number
from tamsk_hw.game.ruleset import LatePenalty, Ruleset, Start, TimerSide
from tamsk_hw.game.tubes import GLASSES_EACH, PLAYERS, START_TUBES, TUBE_NAMES, TUBE_OF_NAME, TUBES, Tube

#: Seconds from full with end A down, and with end B down.
Durations = tuple[float, float]

#: The longest duration of a glass: ten hours.
MOST_DURATION: Final = 36_000

_GLASS: Durations = (180.0, 180.0)
_TIMER: Durations = (15.0, 15.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class SandSettings:
    """Durations of the glasses in seconds, and how well they are known (R6.1, R6.4).

    ``glasses`` overrides ``glass`` for single glasses, named by start tube (``"D1"``) or, with a free start, by
    the order of placing (``"red-1"``). ``tolerance`` is relative, 0 … <1. With ``exact_hands`` the sand of a glass
    in the hand is known to rest.
    """

    glass: Durations = _GLASS
    timer: Durations = _TIMER
    glasses: Mapping[str, Durations] = field(default_factory=dict)
    tolerance: float = 0.0
    exact_hands: bool = True

    def of(self, name: str) -> Durations:
        """The durations of the glass of that name."""
        return self.glasses.get(name, self.glass)


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """Everything that a referee must know before the first event."""

    ruleset: Ruleset = field(default_factory=Ruleset)
    sand: SandSettings = field(default_factory=SandSettings)
    holders: bool = False
    pause_when_lost: bool | None = None
    """Rights and deadlines stand still while the link is lost (R9.5); None: unless hands are exact."""

    @property
    def pauses(self) -> bool:
        """Rights and deadlines stand still while the link is lost (R9.5)."""
        return not self.sand.exact_hands if self.pause_when_lost is None else self.pause_when_lost

    def as_dict(self) -> dict[str, Any]:
        """The header as the JSON object that begins a stream, with every key but ``tubes`` of a whole board and a
        ``pause_when_lost`` that was not given.
        """
        ruleset = {
            item.name: value.value if isinstance(value := getattr(self.ruleset, item.name), Enum) else value
            for item in fields(self.ruleset)
            if item.init and item.name != "tubes"
        }
        if self.ruleset.tubes != TUBES:
            ruleset["tubes"] = [tube.name for tube in self.ruleset.tubes]
        sand = {
            "glass": list(self.sand.glass),
            "timer": list(self.sand.timer),
            "glasses": {name: list(pair) for name, pair in self.sand.glasses.items()},
            "tolerance": self.sand.tolerance,
            "exact_hands": self.sand.exact_hands,
        }
        pause = {} if self.pause_when_lost is None else {"pause_when_lost": self.pause_when_lost}
        return {"tamsk": 1, "ruleset": ruleset, "sand": sand, **pause, "holders": self.holders}


def glass_names(start: Start) -> tuple[str, ...]:
    """The names under which ``sand.glasses`` knows the six glasses."""
    if start is Start.FREE:
        return tuple(f"{player}-{n}" for player in PLAYERS for n in range(1, GLASSES_EACH + 1))
    return tuple(tube.name for player in PLAYERS for tube in START_TUBES[player])


def _object(where: str, key: str, value: Any, allowed: tuple[str, ...]) -> Mapping[str, Any]:
    """``value``, if it is an object with allowed keys only."""
    if not isinstance(value, Mapping):
        raise refuse(where, key, value, "an object")
    for name in value:
        if name not in allowed:
            raise StreamError(f"{where}: unknown key {shortened(name)} in {key}; allowed: {', '.join(allowed)}")
    return value


def _boolean(where: str, key: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise refuse(where, key, value, "true or false")
    return value


def _seconds(where: str, key: str, value: Any) -> float:
    if not is_number(value):
        raise refuse(where, key, value, "a number of seconds, 0 or more")
    return float(value)


def _durations(where: str, key: str, value: Any) -> Durations:
    pair = value if isinstance(value, (list, tuple)) else [value, value]
    if len(pair) != 2 or not all(is_number(item) and 0 < item <= MOST_DURATION for item in pair):
        raise refuse(where, key, value, "seconds above 0, at most 36000, or [end A down, end B down]")
    return float(pair[0]), float(pair[1])


def _level(where: str, key: str, value: Any) -> int:
    if not isinstance(value, int):
        raise refuse(where, key, value, "1, 2, 3")
    return value


def _choice(enum: type[Enum], none_allowed: bool = False) -> Callable[[str, str, Any], Any]:
    """A reader for one of the values of ``enum``, or null."""
    names = [str(item.value) for item in enum]

    def read(where: str, key: str, value: Any) -> Any:
        if value is None and none_allowed:
            return None
        if not isinstance(value, str) or value not in names:
            allowed = ", ".join(f'"{name}"' for name in names) + (", null" if none_allowed else "")
            raise refuse(where, key, value, allowed)
        return enum(value)

    return read


def _tubes(where: str, key: str, value: Any) -> tuple[Tube, ...]:
    """The tubes of a board that lacks some, in board order."""
    if not isinstance(value, (list, tuple)) or not value:
        raise refuse(where, key, value, 'a list of tubes, one or more, such as ["D4", "D5"]')
    found: list[Tube] = []
    for place, name in enumerate(value):
        tube = TUBE_OF_NAME.get(name) if isinstance(name, str) else None
        if tube is None:
            raise refuse(where, f"{key}[{place}]", name, TUBE_NAMES)
        if tube in found:
            raise refuse(where, f"{key}[{place}]", name, "each tube once")
        found.append(tube)
    return tuple(sorted(found))


_RULESET_READERS: dict[str, Callable[[str, str, Any], Any]] = {
    "level": _level,
    "late_penalty": _choice(LatePenalty),
    "forfeit_penalised": _boolean,
    "start": _choice(Start),
    "ring_window": _seconds,
    "penalty_window": _seconds,
    "final_window": _seconds,
    "settle": _seconds,
    "timer_side": _choice(TimerSide, none_allowed=True),
    "tubes": _tubes,
}

_SAND_KEYS = ("glass", "timer", "glasses", "tolerance", "exact_hands")


def _sand(where: str, value: Any, start: Start) -> SandSettings:
    record = _object(where, "sand", value, _SAND_KEYS)
    tolerance = record.get("tolerance", 0.0)
    if not is_number(tolerance) or not 0 <= tolerance < 1:
        raise refuse(where, "sand.tolerance", tolerance, "a number from 0 to below 1")
    glasses = _object(where, "sand.glasses", record.get("glasses", {}), glass_names(start))
    return SandSettings(
        glass=_durations(where, "sand.glass", record.get("glass", _GLASS)),
        timer=_durations(where, "sand.timer", record.get("timer", _TIMER)),
        glasses={name: _durations(where, f"sand.glasses.{name}", pair) for name, pair in glasses.items()},
        tolerance=float(tolerance),
        exact_hands=_boolean(where, "sand.exact_hands", record.get("exact_hands", True)),
    )


def parse_header(value: Any, where: str = "header") -> Header:
    """Read a header from its JSON object.

    Args:
        value: the object, as ``json.loads`` gives it.
        where: the place as messages name it, e.g. ``"game.jsonl line 1"``.

    Raises:
        StreamError: an unknown key, a wrong type or an impossible value; the message names it and what is allowed.
    """
    record = _object(where, "the header", value, ("tamsk", "ruleset", "sand", "pause_when_lost", "holders"))
    if "tamsk" not in record:
        raise StreamError(f"{where}: the header has no 'tamsk'; allowed: 1")
    version = record["tamsk"]
    if version != 1 or isinstance(version, (bool, float)):
        raise refuse(where, "tamsk", version, "1")
    given = _object(where, "ruleset", record.get("ruleset", {}), tuple(_RULESET_READERS))
    rules = {key: _RULESET_READERS[key](where, f"ruleset.{key}", item) for key, item in given.items()}
    try:
        ruleset = Ruleset(**rules)
    except SettingError as error:
        value = given.get(error.key, error.value)
        raise refuse(where, f"ruleset.{error.key}", value, error.allowed) from None
    sand = _sand(where, record.get("sand", {}), ruleset.start)
    pause = record.get("pause_when_lost", ...)
    return Header(
        ruleset=ruleset,
        sand=sand,
        holders=_boolean(where, "holders", record.get("holders", False)),
        pause_when_lost=None if pause is ... else _boolean(where, "pause_when_lost", pause),
    )
