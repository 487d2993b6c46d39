"""What hands can be asked to do at a simulated board, as facts (docs/simulate-reference.md).

Each deed is a dataclass; its fields are the keys of its request. `tamsk_hw.hands.requests` reads them, and
`tamsk_hw.hands.acting` does them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import ClassVar

from tamsk_hw.game.players import End, Player
from tamsk_hw.game.tubes import Tube
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
