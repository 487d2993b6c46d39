"""The events that the board reports and the referee takes.

Times ``t`` are seconds since the stream's start. `tamsk_hw.referee.stream` reads and writes the JSON forms.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from tamsk_hw.game.players import End, Player
from tamsk_hw.game.tubes import Tube
from tamsk_hw.referee.sensor_id import SensorId


@dataclass(frozen=True, slots=True)
class BaseEvent:
    """Something happened on the board at time ``t`` (seconds)."""

    t: float


@dataclass(frozen=True, slots=True)
class Seat(BaseEvent):
    """A glass stands firm in ``tube`` with ``end`` down; ``colour`` is None if the board cannot sense it."""

    tube: Tube
    end: End
    colour: Player | None = None


@dataclass(frozen=True, slots=True)
class Lift(BaseEvent):
    """The glass left ``tube``."""

    tube: Tube


@dataclass(frozen=True, slots=True)
class Tilt(BaseEvent):
    """Something is in ``tube`` but not seated: leaning, half out."""

    tube: Tube


@dataclass(frozen=True, slots=True)
class Rings(BaseEvent):
    """The settled ring count of ``tube`` is now ``count``."""

    tube: Tube
    count: int


@dataclass(frozen=True, slots=True)
class Holder(BaseEvent):
    """``count`` rings are now in ``player``'s holder."""

    player: Player
    count: int


@dataclass(frozen=True, slots=True)
class TimerSeated(BaseEvent):
    """The 15-second glass stands in its cradle with ``end`` down."""

    end: End


@dataclass(frozen=True, slots=True)
class TimerLifted(BaseEvent):
    """The 15-second glass left its cradle."""


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
    away: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Fault(BaseEvent):
    """A sensor that cannot be trusted, or (``cleared``) can again."""

    sensor: SensorId
    detail: str
    cleared: bool = False


class Action(Enum):
    """The decisions that an arbiter may take (R9.6, R9.7)."""

    AWARD = "award"
    ABANDON = "abandon"
    EXPIRE = "expire"
    REVIVE = "revive"
    RING = "ring"
    UNCOUNT = "uncount"


@dataclass(frozen=True, slots=True)
class Arbiter(BaseEvent):
    """A person's decision (R9.6, R9.7).

    ``player`` is the winner (award) or the ring's owner (ring); expire, revive, ring and uncount need ``tube``.
    """

    action: Action
    tube: Tube | None = None
    player: Player | None = None

    @property
    def rule(self) -> str:
        """The clause that gives him the right to it."""
        return "R9.7" if self.action is Action.UNCOUNT else "R9.6"


@dataclass(frozen=True, slots=True)
class Tick(BaseEvent):
    """Time has passed to ``t``."""


TubeEvent = Seat | Lift | Tilt | Rings
"""Events of the glasses and rings of a tube."""

Event = TubeEvent | Holder | TimerSeated | TimerLifted | Button | Link | Fault | Arbiter | Tick
"""All events there are: a `match` over them can be checked to miss none."""
