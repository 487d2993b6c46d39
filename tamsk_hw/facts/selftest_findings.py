"""The findings of ``tamsk-hw selftest`` on each part of the board and its panel."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from tamsk_hw.board.link_events import LossReason
from tamsk_hw.facts.severity import Severity
from tamsk_hw.game.tubes import End, Player
from tamsk_hw.panel.hardware import ButtonStuck, PanelFailed
from tamsk_hw.panel.sounds import Sound
from tamsk_hw.referee.events import ButtonName, Press, SensorId


class Part(Enum):
    """The parts that can be tested, in the order in which they are."""

    BOARD = "board"
    LIGHTS = "lights"
    BUZZER = "buzzer"
    BUTTONS = "buttons"
    RINGS = "rings"
    GLASSES = "glasses"
    HOLDERS = "holders"
    TUBE = "tube"
    """One finished tube against the calculations; tested only when it is asked for."""


# Any part


class LeftBecause(Enum):
    """The reasons why a part was not tested to its end."""

    ENDED = "ended"
    """The person ended the test."""
    SKIPPED = "skipped"
    """The person left the part out."""
    NOBODY_CAN_ANSWER = "nobody_can_answer"
    NOBODY_ANSWERED = "nobody_answered"
    NOT_EMPTIED = "not_emptied"
    """The board was not emptied."""
    NOTHING_TRIED = "nothing_tried"
    NOTHING_NEW = "nothing_new"
    """Nothing new was seen for some seconds."""
    FEW_SNAPSHOTS = "few_snapshots"


@dataclass(frozen=True, slots=True)
class Left:
    """The reason why a part was left, with ``seconds`` and ``snapshots`` where it has them."""

    because: LeftBecause
    seconds: float = 0.0
    snapshots: int = 0


@dataclass(frozen=True, slots=True)
class PartUnfinished:
    """A part was not tested to its end."""

    part: Part
    left: Left
    severity: Severity = Severity.WARNING


@dataclass(frozen=True, slots=True)
class PartUntested:
    """A part was not tested, since the board is not connected."""

    part: Part
    severity: Severity = Severity.WARNING


@dataclass(frozen=True, slots=True)
class PartUnused:
    """A part is switched off, or not fitted."""

    part: Part
    severity: Severity = Severity.OK


@dataclass(frozen=True, slots=True)
class PanelBroken:
    """A part of the panel, or a button, cannot be used."""

    what: Part | ButtonName
    trouble: PanelFailed | ButtonStuck
    severity: Severity = Severity.PROBLEM


@dataclass(frozen=True, slots=True)
class LinkWasLost:
    """The link was lost during the test, last for ``reason``."""

    times: int
    reason: LossReason
    severity: Severity = Severity.WARNING


@dataclass(frozen=True, slots=True)
class DeadMultiplexer:
    """Everything on a multiplexer reads the same; ``pin`` of the controller reads it.

    ``fields``: how many fields are on it, None when it was noticed by its reference, too.
    """

    multiplexer: int
    reading: int
    pin: str
    fields: int | None = None
    severity: Severity = Severity.PROBLEM


# The panel


@dataclass(frozen=True, slots=True)
class Pixel:
    """A pixel, by the name of its place and its number in the chain."""

    name: str
    number: int


class LightsResult(Enum):
    """The results of the lights' test."""

    SOUND = "sound"
    ALL_WRONG = "all_wrong"
    BROKEN_FROM = "broken_from"
    """All from one pixel on are wrong."""
    SOME_WRONG = "some_wrong"
    UNSEEN = "unseen"
    """Some were not tested, after too many wrong ones."""


@dataclass(frozen=True, slots=True)
class LightsFinding:
    """The lights: the ``pixels`` that it concerns, ``before`` the first that is wrong in the chain.

    ``count``: pixels, where they are not named; ``wrong``: pixels that were wrong in a row; ``gpio`` drives them.
    """

    result: LightsResult
    severity: Severity
    pixels: tuple[Pixel, ...] = ()
    before: Pixel | None = None
    count: int = 0
    wrong: int = 0
    gpio: int = 0


class BuzzerResult(Enum):
    """The results of the buzzer's test."""

    SOUND = "sound"
    SILENT = "silent"
    SOME_SILENT = "some_silent"


@dataclass(frozen=True, slots=True)
class BuzzerFinding:
    """The buzzer: the ``sounds`` that it concerns; ``gpio`` drives it."""

    result: BuzzerResult
    severity: Severity
    sounds: tuple[Sound, ...]
    gpio: int


class ButtonFault(Enum):
    """The faults of a button."""

    STUCK = "stuck"
    SWAPPED = "swapped"
    """Another one was seen in its place."""
    DEAD = "dead"
    """No press of it was seen."""
    WORN = "worn"
    """One kind of press was not seen."""


@dataclass(frozen=True, slots=True)
class ButtonFinding:
    """A button that was not seen as it should be; ``pin`` is its GPIO.

    ``other`` was seen in its place (SWAPPED); ``missed`` was not seen (WORN).
    """

    button: ButtonName
    fault: ButtonFault
    severity: Severity
    pin: int
    other: ButtonName | None = None
    missed: Press | None = None


@dataclass(frozen=True, slots=True)
class ButtonsSound:
    """Buttons that were seen short and long."""

    buttons: tuple[ButtonName, ...]
    severity: Severity = Severity.OK


# Ring sensors


class RingFault(Enum):
    """The faults of ring sensors."""

    DAZZLED = "dazzled"
    """Light while their own is dark."""
    BLIND = "blind"
    """They need more light than the board gives."""
    WEAK = "weak"
    """They need all the light that the board gives."""
    STUCK = "stuck"
    """They see a ring on the empty board."""
    UNSTEADY_EMPTY = "unsteady_empty"
    """They come and go on the empty board."""
    UNSTEADY = "unsteady"
    """They come and go, whatever lies there."""
    REFLECTING = "reflecting"
    """They see a ring on the empty board, given more light."""
    GAP = "gap"
    """They see no ring below one that is seen."""
    SWAPPED = "swapped"
    """They came when another one was tried."""


@dataclass(frozen=True, slots=True)
class RingSensorsFinding:
    """Ring sensors with the same fault; ``light``: the light time of the board in microseconds."""

    fault: RingFault
    severity: Severity
    sensors: tuple[SensorId, ...]
    light: int = 0


class SharedBy(Enum):
    """The parts that ring sensors which see nothing may share."""

    ALL = "all"
    """They are all there are."""
    BANK = "bank"
    """They are one bank of emitters."""
    CHIP = "chip"
    """They are one shift register's."""
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class RingSensorsMissed:
    """Ring sensors that saw nothing. ``shared``: what they have in common, ``number``: which bank or chip.

    ``shared`` is None when they were not tried.
    """

    severity: Severity
    sensors: tuple[SensorId, ...]
    seen: int
    fitted: int
    shared: SharedBy | None = None
    number: int = 0


@dataclass(frozen=True, slots=True)
class ChipsCut:
    """The shift registers from ``first`` to ``last`` read only ones, lit and dark."""

    first: int
    last: int
    severity: Severity = Severity.PROBLEM


@dataclass(frozen=True, slots=True)
class SweepUnanswered:
    """The board does not answer to SELF_TEST."""

    severity: Severity = Severity.WARNING


@dataclass(frozen=True, slots=True)
class RingSensorsSound:
    """All ring sensors are in order; ``rings``: how many see one, None when each was tried."""

    fitted: int
    rings: int | None
    severity: Severity = Severity.OK


# Hall sensors


class FieldsFault(Enum):
    """The faults of Hall sensors."""

    RAIL = "rail"
    """At an end of the scale."""
    REST = "rest"
    """The rest on an empty tube is outside what a sensor may have."""
    UNCLEAR = "unclear"
    """Neither empty nor a seated glass."""
    MOVED = "moved"
    """The rest is not as calibrated."""
    NOISY = "noisy"
    SWAPPED = "swapped"
    """They came when another one was tried."""


@dataclass(frozen=True, slots=True)
class FieldReading:
    """A Hall sensor and what it read; ``due``: what it should have, or the most that it may."""

    sensor: SensorId
    reading: float
    due: float = 0.0


@dataclass(frozen=True, slots=True)
class FieldsFinding:
    """Hall sensors with the same fault; ``lowest`` and ``highest``: the rests that are allowed."""

    fault: FieldsFault
    severity: Severity
    fields: tuple[FieldReading, ...]
    lowest: int = 0
    highest: int = 0


@dataclass(frozen=True, slots=True)
class FieldMissed:
    """The ends that a Hall sensor has not felt; ``share``: the most of a seated glass that it felt."""

    sensor: SensorId
    ends: tuple[End, ...]
    share: float | None = None


@dataclass(frozen=True, slots=True)
class FieldsMissed:
    """Hall sensors that have not felt both ends of a glass; ``both`` of ``fitted`` have.

    ``tried``: the person says that a glass stood there. ``nowhere``: the end that no sensor felt.
    """

    severity: Severity
    fields: tuple[FieldMissed, ...]
    both: int
    fitted: int
    tried: bool
    nowhere: End | None = None


@dataclass(frozen=True, slots=True)
class FieldsSound:
    """All Hall sensors are in order; ``empty``: how many have no glass, None when each was tried."""

    fitted: int
    empty: int | None
    severity: Severity = Severity.OK


# Ring holders


class HolderResult(Enum):
    """The results of a load cell's test."""

    SILENT = "silent"
    RAIL = "rail"
    """At an end of its scale."""
    UNSTEADY = "unsteady"
    SWAPPED = "swapped"
    """The other one moved in its place."""
    STILL = "still"
    """A ring does not move it."""
    MISMATCH = "mismatch"
    """It moved by another weight than a ring's."""
    MOVED = "moved"
    STEADY = "steady"
    """It answers; nobody tried it."""


@dataclass(frozen=True, slots=True)
class HolderTested:
    """A ring holder's load cell: ``figure`` and ``allowed`` as ``result`` has them, the pins of its converter."""

    holder: Player
    result: HolderResult
    severity: Severity
    figure: float = 0.0
    allowed: float = 0.0
    clock: str = ""
    data: str = ""


SelfTestFinding = (
    PartUnfinished
    | PartUntested
    | PartUnused
    | PanelBroken
    | LinkWasLost
    | DeadMultiplexer
    | LightsFinding
    | BuzzerFinding
    | ButtonFinding
    | ButtonsSound
    | RingSensorsFinding
    | RingSensorsMissed
    | ChipsCut
    | SweepUnanswered
    | RingSensorsSound
    | FieldsFinding
    | FieldsMissed
    | FieldsSound
    | HolderTested
)
