"""Events, the referee's only input, and the sensors that they come from.

Times ``t`` are seconds since the stream's start. Class attributes say how the JSON objects differ from the fields
(docs/formats.md, Events).

Inside the program a sensor is a `SensorId`. Its ``name`` is the text of the streams: ``"glass D4"``,
``"ring D4.2"`` (the second level from the bottom), ``"timer"``, ``"holder red"``, ``"mux 1"``; `SensorId.named`
reads it. A length of time known within bounds is a `TimeSpan`, rounded outward in one unit and recorded as text,
such as ``60 to 75 seconds``: `span_text` is that text and `read_span` its reverse.

"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from math import ceil, floor
from operator import attrgetter
from typing import Annotated, Any, ClassVar, Final

from tamsk_hw.forms import FORMS, Shape, is_number, number, scalar, text
from tamsk_hw.game.tubes import CAPACITY, PLAYERS, RINGS_EACH, TUBE_OF_NAME, TUBES, End, Player, Tube

#: Multiplexers that a controller can have: one for each of its analog inputs.
MOST_MUXES = 8

_TUBE = re.compile(r"\b[A-G][1-7]\b")


class SensorKind(Enum):
    """The kinds of sensor; the value is how names begin."""

    GLASS = "glass"
    """The Hall sensor under a tube."""
    RING = "ring"
    """One level of a tube's ring sensors."""
    TIMER = "timer"
    """The Hall sensor of the timer's cradle."""
    HOLDER = "holder"
    """The load cell under a player's ring holder."""
    MUX = "mux"
    """A multiplexer of Hall sensors."""
    SELECT_LINES = "select lines"
    """The select lines, which all multiplexers share."""
    FIELDS = "fields"
    """The Hall sensors together: something beside the glasses moves them."""
    SUPPLY = "supply"
    """The controller's 5 V."""
    RING_LIGHT = "ring light"
    """Ring sensors dazzled by light from outside."""
    RING_CONVERTERS = "ring converters"
    """Converters that read the ring sensors, eight each."""
    RING_SIGNALS = "ring signals"
    """Ring sensors that see their rings badly."""
    OTHER = ""
    """A sensor of a stream that this version does not know."""


@dataclass(frozen=True, slots=True)
class SensorId:
    """One sensor.

    ``tube`` belongs to GLASS, RING and, where the name has one, OTHER; ``level`` (1 is the lowest) to RING;
    ``player`` to HOLDER; ``mux`` to MUX; ``other``, the whole name, to OTHER.
    """

    kind: SensorKind
    tube: Tube | None = None
    level: int | None = None
    player: Player | None = None
    mux: int | None = None
    other: str | None = None

    @classmethod
    def glass(cls, tube: Tube) -> SensorId:
        """The Hall sensor under ``tube``."""
        return cls(SensorKind.GLASS, tube=tube)

    @classmethod
    def ring(cls, tube: Tube, level: int) -> SensorId:
        """The ring sensor of ``tube`` at ``level``, counted from 1 at the bottom."""
        return cls(SensorKind.RING, tube=tube, level=level)

    @classmethod
    def holder(cls, player: Player) -> SensorId:
        """The load cell under ``player``'s ring holder."""
        return cls(SensorKind.HOLDER, player=player)

    @classmethod
    def multiplexer(cls, number: int) -> SensorId:
        """Multiplexer ``number``."""
        return cls(SensorKind.MUX, mux=number)

    @classmethod
    def named(cls, name: str) -> SensorId:
        """The sensor that a stream calls ``name``; every text is one."""
        known = _KNOWN.get(name)
        if known is not None:
            return known
        found = _TUBE.search(name)
        return cls(SensorKind.OTHER, tube=None if found is None else TUBE_OF_NAME.get(found[0]), other=name)

    @property
    def name(self) -> str:
        """The sensor in streams and messages; `named` gives the sensor back."""
        if self.kind is SensorKind.OTHER:
            return self.other or ""
        place = self.tube if self.level is None else f"{self.tube}.{self.level}"
        which = [str(each) for each in (place, self.player, self.mux) if each is not None]
        return " ".join([self.kind.value, *which])

    def __str__(self) -> str:
        return self.name


TIMER = SensorId(SensorKind.TIMER)
SELECT_LINES = SensorId(SensorKind.SELECT_LINES)
FIELDS = SensorId(SensorKind.FIELDS)
SUPPLY = SensorId(SensorKind.SUPPLY)
RING_LIGHT = SensorId(SensorKind.RING_LIGHT)
RING_CONVERTERS = SensorId(SensorKind.RING_CONVERTERS)
RING_SIGNALS = SensorId(SensorKind.RING_SIGNALS)

_KNOWN = {
    sensor.name: sensor
    for sensor in (
        *map(SensorId.glass, TUBES),
        *(SensorId.ring(tube, level) for tube in TUBES for level in range(1, CAPACITY[tube] + 1)),
        *map(SensorId.holder, PLAYERS),
        *map(SensorId.multiplexer, range(MOST_MUXES)),
        TIMER,
        SELECT_LINES,
        FIELDS,
        SUPPLY,
        RING_LIGHT,
        RING_CONVERTERS,
        RING_SIGNALS,
    )
}

FORMS[SensorId] = text(attrgetter("name"), SensorId.named)


class TimeUnit(Enum):
    """A unit of time by its seconds, the longest first."""

    DAY = 86400
    HOUR = 3600
    MINUTE = 60
    SECOND = 1


#: A unit is used for spans of at least two of it.
_LEAST_UNITS = 2


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """``least`` to ``most`` units of time."""

    least: int
    most: int
    unit: TimeUnit

    @classmethod
    def of(cls, least: float, most: float) -> TimeSpan:
        """The span from ``least`` to ``most`` seconds."""
        unit = next((unit for unit in TimeUnit if most >= _LEAST_UNITS * unit.value), TimeUnit.SECOND)
        return cls(floor(least / unit.value), max(1, ceil(most / unit.value)), unit)


def span_text(span: TimeSpan) -> str:
    """The text of a span in a ruling's JSON object."""
    unit = span.unit.name.lower() + ("" if span.most == 1 else "s")
    if span.least == span.most:
        return f"{span.most} {unit}"
    return f"up to {span.most} {unit}" if span.least == 0 else f"{span.least} to {span.most} {unit}"


_SPAN = re.compile(r"(?:(?P<up>up) to |(?P<least>\d+) to )?(?P<most>\d+) (?P<unit>[a-z]+?)s?")


def read_span(text: str) -> TimeSpan | None:
    """The span that was recorded as ``text``; None when it is none."""
    found = _SPAN.fullmatch(text)
    unit = None if found is None else TimeUnit.__members__.get(found["unit"].upper())
    if found is None or unit is None:
        return None
    most = int(found["most"])
    least = 0 if found["up"] else int(found["least"] or most)
    return TimeSpan(least, most, unit)


#: The latest time of an event: ten thousand hours. Without a bound one event makes charts and replays endless.
MOST_SECONDS: Final = 3.6e7

#: A ring count: at most all rings of the game.
RingTotal = Annotated[int, number(int, 0, 2 * RINGS_EACH)]


def _span(value: list[float]) -> tuple[float, float]:
    least, most = value
    if not all(map(is_number, value)) or not 0 <= least <= most:
        raise ValueError(value)
    return float(least), float(most)


#: The least and the most seconds that something took.
Span = Annotated[
    tuple[float, float],
    scalar(
        list,
        _span,
        {"type": "array", "prefixItems": [{"type": "number", "minimum": 0}] * 2, "items": False},
        "[least, most], seconds of 0 or more, at most 1e15, the least not above the most",
    ),
]


def _shape(**more: Any) -> Shape:
    return Shape(tag="event", first=("t",), strict=True, **more)


#: A time of a stream in seconds.
StreamTime = Annotated[float, number(float, 0, MOST_SECONDS, "a number of seconds, 0 or more, at most 3.6e7")]


@dataclass(frozen=True, slots=True)
class BaseEvent:
    """Something happened on the board at time ``t`` (seconds)."""

    t: StreamTime
    name: ClassVar[str]
    shape: ClassVar[Shape | tuple[Shape, ...]] = _shape()


@dataclass(frozen=True, slots=True)
class Seat(BaseEvent):
    """A glass stands firm in ``tube`` with ``end`` down; ``colour`` is None if the board cannot sense it."""

    tube: Tube
    end: End
    colour: Player | None = None
    name: ClassVar = "seat"
    shape: ClassVar = _shape(spare=("colour",))


@dataclass(frozen=True, slots=True)
class Lift(BaseEvent):
    """The glass left ``tube``."""

    tube: Tube
    name: ClassVar = "lift"


@dataclass(frozen=True, slots=True)
class Tilt(BaseEvent):
    """Something is in ``tube`` but not seated: leaning, half out."""

    tube: Tube
    name: ClassVar = "tilt"


@dataclass(frozen=True, slots=True)
class Rings(BaseEvent):
    """The ring count of ``tube`` has settled at ``count``; from ``since`` until ``t`` nobody read it (R9.8)."""

    tube: Tube
    count: RingTotal
    since: StreamTime | None = None
    name: ClassVar = "rings"
    shape: ClassVar = _shape(spare=("since",))


@dataclass(frozen=True, slots=True)
class Holder(BaseEvent):
    """``count`` rings are now in ``player``'s holder."""

    player: Player
    count: RingTotal
    name: ClassVar = "holder"


@dataclass(frozen=True, slots=True)
class TimerSeated(BaseEvent):
    """The 15-second glass stands in its cradle with ``end`` down."""

    end: End
    name: ClassVar = "timer"
    shape: ClassVar = _shape(also={"state": "seated"})


@dataclass(frozen=True, slots=True)
class TimerLifted(BaseEvent):
    """The 15-second glass left its cradle."""

    name: ClassVar = "timer"
    shape: ClassVar = _shape(also={"state": "lifted"})


class ButtonName(Enum):
    """The three buttons."""

    START = "start"
    RED = "red"
    BLACK = "black"


class Press(Enum):
    """The length of a press."""

    SHORT = "short"
    LONG = "long"


@dataclass(frozen=True, slots=True)
class Button(BaseEvent):
    """A button: start short begins or confirms; red/black short announces a claim, long resigns."""

    button: ButtonName
    press: Press
    name: ClassVar = "button"


class LinkState(Enum):
    """The board's connection."""

    LOST = "lost"
    RESTORED = "restored"


@dataclass(frozen=True, slots=True)
class Link(BaseEvent):
    """The connection to the board was lost or is back.

    ``away``, with ``restored`` only: the least and the most seconds (0 ≤ least ≤ most) that passed unseen and that
    the stream's times do not count, for example while the program was not running (R9.5).
    """

    state: LinkState
    away: Span | None = None
    rule: ClassVar = "R9.5"
    name: ClassVar = "link"
    shape: ClassVar = (
        _shape(also={"state": LinkState.LOST}, only=()),
        _shape(also={"state": LinkState.RESTORED}, spare=("away",)),
    )


@dataclass(frozen=True, slots=True)
class Fault(BaseEvent):
    """A sensor that cannot be trusted, or (``cleared``) can again.

    ``unread`` are the tubes whose rings cannot be read while it lasts (R9.8); it comes again when they change.
    """

    sensor: SensorId
    detail: str
    cleared: bool = False
    unread: frozenset[Tube] = frozenset()
    name: ClassVar = "fault"
    shape: ClassVar = _shape(spare=("cleared", "unread"))


class Action(Enum):
    """The decisions that an arbiter may take (R9.6, R9.7), and a pause (R9.5)."""

    AWARD = "award"
    ABANDON = "abandon"
    EXPIRE = "expire"
    REVIVE = "revive"
    RING = "ring"
    UNCOUNT = "uncount"
    PAUSE = "pause"
    """From now on rights to rings and deadlines stand still; the sand runs on."""
    RESUME = "resume"


@dataclass(frozen=True, slots=True)
class Arbiter(BaseEvent):
    """A person's decision (R9.6, R9.7).

    ``player`` is the winner (award) or the ring's owner (ring); expire, revive, ring and uncount need ``tube``.
    """

    action: Action
    tube: Tube | None = None
    player: Player | None = None
    name: ClassVar = "arbiter"
    shape: ClassVar = (
        _shape(also={"action": Action.AWARD}, only=("player",), keys={"player": "winner"}),
        *(_shape(also={"action": action}, only=()) for action in (Action.ABANDON, Action.PAUSE, Action.RESUME)),
        *(_shape(also={"action": action}, only=("tube",)) for action in (Action.EXPIRE, Action.REVIVE)),
        _shape(also={"action": Action.RING}, only=("tube", "player")),
        _shape(also={"action": Action.UNCOUNT}, only=("tube",)),
    )

    @property
    def rule(self) -> str:
        """The clause that gives him the right to it."""
        if self.action in (Action.PAUSE, Action.RESUME):
            return "R9.5"
        return "R9.7" if self.action is Action.UNCOUNT else "R9.6"


@dataclass(frozen=True, slots=True)
class Tick(BaseEvent):
    """Time has passed to ``t``."""

    name: ClassVar = "tick"


TubeEvent = Seat | Lift | Tilt | Rings
"""Events of the glasses and rings of a tube."""

Event = TubeEvent | Holder | TimerSeated | TimerLifted | Button | Link | Fault | Arbiter | Tick
"""All events there are: a `match` over them can be checked to miss none."""
