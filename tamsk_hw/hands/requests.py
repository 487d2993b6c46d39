"""Requests of the hands.

What hands can be asked to do at a simulated board, as facts (docs/simulate-reference.md).

Each deed is a dataclass; its fields are the keys of its request. `tamsk_hw.hands.requests` reads them, and
`tamsk_hw.hands.acting` does them.

The lines that clients send to a simulated board, as facts (docs/simulate.md, Lines).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from enum import Enum
from types import NoneType
from typing import Any, ClassVar, Final, cast, get_args, get_type_hints

from tamsk_hw.errors import StreamError, printable
from tamsk_hw.game.tubes import TUBE_OF_NAME, End, Player, Tube
from tamsk_hw.simulator.truth import PushButton


class PressKind(Enum):
    """The ways to press a button."""

    SHORT = "short"
    LONG = "long"
    DOWN = "down"
    UP = "up"


class ResetKind(Enum):
    """The ways in which the controller starts again."""

    POWER = "power"
    PIN = "pin"
    BROWN_OUT = "brown_out"
    WATCHDOG = "watchdog"


@dataclass(frozen=True, slots=True)
class LiftGlass:
    """Lift the glass, anyone's, that stands or leans in the tube."""

    player: Player
    tube: Tube
    name: ClassVar = "lift"


@dataclass(frozen=True, slots=True)
class SeatGlass:
    """Seat a glass in the tube; `turned`: turn it over on the way.

    The hand takes `travel` seconds to get there, else as long as people do.
    """

    player: Player
    tube: Tube
    turned: bool = False
    glass: str | None = None
    travel: float | None = None
    name: ClassVar = "seat"


@dataclass(frozen=True, slots=True)
class TurnGlass:
    """Turn a glass over in the hand."""

    player: Player
    glass: str | None = None
    name: ClassVar = "turn"


@dataclass(frozen=True, slots=True)
class TurnTimer:
    """Turn the 15-second timer over in its cradle."""

    player: Player
    name: ClassVar = "turn_timer"


@dataclass(frozen=True, slots=True)
class PutTimerAway:
    """Take the timer out of its cradle and lay it down off the board."""

    player: Player
    name: ClassVar = "put_timer_away"


@dataclass(frozen=True, slots=True)
class PlaceTimer:
    """Set the timer, which lies off the board, into its cradle, empty above.

    With `end` that end is down, and the sand where it then lies.
    """

    player: Player
    end: End | None = None
    name: ClassVar = "place_timer"


@dataclass(frozen=True, slots=True)
class PlaceGlass:
    """Take a glass that lies off the board, by default the player's first, and seat it, its sand above.

    With `full` false its sand is below; with `end` that end is down, and the sand where it then lies.
    """

    player: Player
    tube: Tube
    glass: str | None = None
    full: bool = True
    end: End | None = None
    name: ClassVar = "place"


@dataclass(frozen=True, slots=True)
class PutAway:
    """Lay a glass in the hand down off the board; its sand stands still."""

    player: Player
    glass: str | None = None
    name: ClassVar = "put_away"


@dataclass(frozen=True, slots=True)
class LeanGlass:
    """Put the glass in the hand half into the tube; with none in the hand pull the one there half out."""

    player: Player
    tube: Tube
    glass: str | None = None
    name: ClassVar = "lean"


@dataclass(frozen=True, slots=True)
class StraightenGlass:
    """Push the leaning glass in the tube home."""

    player: Player
    tube: Tube
    name: ClassVar = "straighten"


@dataclass(frozen=True, slots=True)
class Drop:
    """Drop a ring over the tube: one in the hand, else one from the player's holder.

    It lies `within` seconds after it is in the hand, else after as long as people take.
    """

    player: Player
    tube: Tube
    within: float | None = None
    name: ClassVar = "drop"


@dataclass(frozen=True, slots=True)
class TakeUp:
    """Take a ring from the player's holder into the hand."""

    player: Player
    name: ClassVar = "take_up"


@dataclass(frozen=True, slots=True)
class PutBack:
    """Lay the ring in the hand back into the player's holder, or into that of `to`."""

    player: Player
    to: Player | None = None
    name: ClassVar = "put_back"


@dataclass(frozen=True, slots=True)
class Take:
    """Take the top ring off the tube and lay it into the player's holder, or into that of `to`."""

    player: Player
    tube: Tube
    to: Player | None = None
    name: ClassVar = "take"


@dataclass(frozen=True, slots=True)
class PutAside:
    """Take all rings out of the player's holder and lay them on the table."""

    player: Player
    name: ClassVar = "put_aside"


@dataclass(frozen=True, slots=True)
class Fetch:
    """Put the player's rings that lie on the table into his holder."""

    player: Player
    name: ClassVar = "fetch"


@dataclass(frozen=True, slots=True)
class Touch:
    """Lay fingers over the tube's bare ring sensors for a moment."""

    player: Player
    tube: Tube
    name: ClassVar = "touch"


@dataclass(frozen=True, slots=True)
class PressButton:
    """Press a button; `down` keeps it there until `up`, or until the client that holds it has gone."""

    button: PushButton
    press: PressKind = PressKind.SHORT
    name: ClassVar = "press"


@dataclass(frozen=True, slots=True)
class Knock:
    """Knock against the tube: the glass in it shakes and stays."""

    tube: Tube
    name: ClassVar = "knock"


@dataclass(frozen=True, slots=True)
class KnockHolder:
    """Knock against the player's ring holder: its load cell swings."""

    player: Player
    name: ClassVar = "knock_holder"


@dataclass(frozen=True, slots=True)
class Lamp:
    """Switch a strong lamp over the board on or off: it blinds ring sensors that lie bare."""

    on: bool
    name: ClassVar = "lamp"


@dataclass(frozen=True, slots=True)
class BreakPart:
    """Break a part."""

    fault: str
    name: ClassVar = "fault"


@dataclass(frozen=True, slots=True)
class Repair:
    """Repair a broken part; without `fault` all of them."""

    fault: str | None = None
    name: ClassVar = "repair"


@dataclass(frozen=True, slots=True)
class Unplug:
    """Pull the board's cable: its port disappears."""

    name: ClassVar = "unplug"


@dataclass(frozen=True, slots=True)
class Replug:
    """Put the cable in again."""

    name: ClassVar = "replug"


@dataclass(frozen=True, slots=True)
class Reset:
    """Start the controller again."""

    cause: ResetKind = ResetKind.PIN
    name: ClassVar = "reset"


@dataclass(frozen=True, slots=True)
class Wait:
    """Do nothing for these seconds."""

    seconds: float
    name: ClassVar = "wait"


Deed = (
    LiftGlass
    | SeatGlass
    | TurnGlass
    | TurnTimer
    | PutTimerAway
    | PlaceTimer
    | PlaceGlass
    | PutAway
    | LeanGlass
    | StraightenGlass
    | Drop
    | TakeUp
    | PutBack
    | Take
    | PutAside
    | Fetch
    | Touch
    | PressButton
    | Knock
    | KnockHolder
    | Lamp
    | BreakPart
    | Repair
    | Unplug
    | Replug
    | Reset
    | Wait
)


#: The most characters of a text in a request, and the most seconds under each key.
MOST_CHARACTERS: Final = 200
MOST_SECONDS: Final = {"seconds": 3600.0, "travel": 10.0, "within": 10.0}

#: What an asker calls his request: a text, a whole number, or nothing.
AskerId = str | int | None


@dataclass(frozen=True, slots=True)
class DoDeed:
    """Have hands do something."""

    id: AskerId
    deed: Deed


@dataclass(frozen=True, slots=True)
class LookOnce:
    """Answer with the world as eyes see it."""

    id: AskerId


@dataclass(frozen=True, slots=True)
class Watch:
    """Send the world at every change from now on, or no more."""

    id: AskerId
    on: bool


@dataclass(frozen=True, slots=True)
class PanelLights:
    """Be the board's panel: show these lights, three bytes a pixel, and be sent the buttons."""

    id: AskerId
    picture: bytes


HandsRequest = DoDeed | LookOnce | Watch | PanelLights

#: Every deed by the name that requests call it.
DEEDS: Final[dict[str, Any]] = {kind.name: kind for kind in get_args(Deed)}


class HandsRequestError(StreamError):
    """A client's line is refused; ``id`` is the one it has, None without one."""

    def __init__(self, error: StreamError, id: AskerId) -> None:
        super().__init__(printable(str(error)))
        self.id = id


def read_request(data: bytes) -> HandsRequest:
    """Read a line from a client.

    Raises:
        HandsRequestError: it is not understood; the message names key, value and what is allowed.
    """
    asker: AskerId = None
    try:
        try:
            record = json.loads(data.decode())
        except (ValueError, RecursionError):
            raise StreamError("line: no JSON; allowed: one JSON object a line, in UTF-8") from None
        if not isinstance(record, dict):
            raise _refused("the line", record, "an object with do, look, watch or panel")
        asker = _asker(record.pop("id", None))
        return _read(record, asker)
    except StreamError as error:
        raise HandsRequestError(error, asker) from None


def _read(record: dict[str, Any], asker: AskerId) -> HandsRequest:
    match record:
        case {"do": name}:
            return DoDeed(asker, read_deed(name, {key: record[key] for key in record if key != "do"}))
        case {"look": True, **rest} if not rest:
            return LookOnce(asker)
        case {"watch": bool(on), **rest} if not rest:
            return Watch(asker, on)
        case {"panel": str(lights), **rest} if not rest:
            try:
                return PanelLights(asker, bytes.fromhex(lights))
            except ValueError:
                raise _refused("panel", lights, "three bytes a pixel, as hexadecimal digits") from None
        case _:
            allowed = 'do with its keys, "look": true, "watch": true or false, or "panel": "…"'
            raise _refused("the line", record, allowed)


def _asker(value: Any) -> AskerId:
    match value:
        case None:
            return None
        case str() if len(value) <= MOST_CHARACTERS:
            return value
        case int() if not isinstance(value, bool) and abs(value) < 1 << 63:
            return value
        case _:
            raise _refused("id", value, f"a text of at most {MOST_CHARACTERS} characters, or a whole number")


def read_deed(name: Any, values: Mapping[str, Any]) -> Deed:
    """The deed of that name with these values, as requests have them.

    Raises:
        StreamError: there is no such deed, or a value is missing, unknown or not allowed.
    """
    kind = DEEDS.get(name) if isinstance(name, str) else None
    if kind is None:
        raise _refused("do", name, ", ".join(f'"{each}"' for each in DEEDS))
    known = fields(kind)
    for key in values:
        if key not in {field.name for field in known}:
            allowed = ", ".join(field.name for field in known) or "none"
            raise StreamError(f"line: unknown key {_shown(key)} for {name}; allowed: {allowed}")
    hints = get_type_hints(kind)
    given = {}
    for field in known:
        if field.name in values:
            given[field.name] = _value(field.name, values[field.name], hints[field.name])
        elif field.default is MISSING:
            raise StreamError(f"line: {name} needs {field.name}")
    return cast(Deed, kind(**given))


def _value(key: str, value: Any, hint: Any) -> Any:
    """A value of the type that a deed's field has."""
    kinds = get_args(hint) or (hint,)
    if value is None and NoneType in kinds:
        return None
    (kind,) = (each for each in kinds if each is not NoneType)
    if kind is Tube:
        if isinstance(value, str) and value in TUBE_OF_NAME:
            return TUBE_OF_NAME[value]
        raise _refused(key, value, "a tube, A1 to G4")
    if issubclass(kind, Enum):
        by_value = {each.value: each for each in kind}
        if isinstance(value, str) and value in by_value:
            return by_value[value]
        raise _refused(key, value, ", ".join(f'"{each}"' for each in by_value))
    if kind is bool:
        if isinstance(value, bool):
            return value
        raise _refused(key, value, "true, false")
    if kind is float:
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= MOST_SECONDS[key]:
            return float(value)
        raise _refused(key, value, f"0 to {MOST_SECONDS[key]:g} seconds")
    assert kind is str
    if isinstance(value, str) and len(value) <= MOST_CHARACTERS:
        return value
    raise _refused(key, value, f"a text of at most {MOST_CHARACTERS} characters")


def _refused(key: str, value: Any, allowed: str) -> StreamError:
    return StreamError(f"line: {key} is {_shown(value)}; allowed: {allowed}")


def _shown(value: Any) -> str:
    """A value as JSON has it, cut where it is long."""
    shown = json.dumps(value, ensure_ascii=False, default=repr)
    return shown if len(shown) <= 60 else f"{shown[:57]}..."
