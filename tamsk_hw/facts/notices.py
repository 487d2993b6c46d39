"""Notices: news of connection, disk, sensors and games that people should know besides the rulings.

A notice is a frozen dataclass, whose name is its ``code`` in the live stream; `Notice` is their closed table.
Those of the journal and the panel are made there. `tamsk_hw.words.notices` has a sentence for each.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, ClassVar, cast

from tamsk_hw.board.calibration import CalibrationState
from tamsk_hw.board.link_events import LossReason, NoAnswer, PortNotOpened, Refusal
from tamsk_hw.board.protocol import FaultFlag, ResetCause
from tamsk_hw.errors import StreamError
from tamsk_hw.forms import from_json
from tamsk_hw.game.tubes import Player
from tamsk_hw.journal.records import Mismatch
from tamsk_hw.journal.trouble import JournalNotice, SavedAgain, Trouble
from tamsk_hw.panel.hardware import PanelNotice
from tamsk_hw.system.output import BaseNotice, marked

# The board


@dataclass(frozen=True, slots=True)
class BoardConnected(BaseNotice):
    """The board is connected; ``firmware`` is its version."""

    firmware: tuple[int, int, int]
    is_warning: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class BoardRestarted(BaseNotice):
    """The board was reset during the game; several causes may be set, or none."""

    cause: ResetCause


@dataclass(frozen=True, slots=True)
class BoardComplains(BaseNotice):
    """The board reports a fault of its own that is not a sensor's."""

    flag: FaultFlag


@dataclass(frozen=True, slots=True)
class BoardLost(BaseNotice):
    """The board is out of reach."""

    reason: LossReason


@dataclass(frozen=True, slots=True)
class BoardUnusable(BaseNotice):
    """A board answered that must not be used, or its port cannot be opened, or no board answers there."""

    reason: Refusal | PortNotOpened | NoAnswer


@dataclass(frozen=True, slots=True)
class LineBad(BaseNotice):
    """Frames are lost on the line, or come more than once: shares (0 … 1) as those of `LineQuality`."""

    lost: float
    damaged: float
    doubled: float


@dataclass(frozen=True, slots=True)
class LineWell(BaseNotice):
    """The line is well again."""

    is_warning: ClassVar[bool] = False
    sentence: ClassVar[str] = marked("The line to the board is well again.")


# What is known of the board


@dataclass(frozen=True, slots=True)
class BoardCalibration(BaseNotice):
    """The state of the calibration; ``unmeasured`` of the board's ``fields`` fields were not measured."""

    state: CalibrationState
    unmeasured: int
    fields: int
    is_warning: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class CalibrationUnusable(BaseNotice):
    """The calibration file cannot be used; ``backup`` is the name under which the one before it is kept."""

    file: Path
    problem: str
    backup: str
    sentence: ClassVar[str] = marked("{file} {problem}; calibrate again, or put {backup} in its place.")


@dataclass(frozen=True, slots=True)
class RestsUnusable(BaseNotice):
    """The file of followed rests cannot be used: sensing begins at the calibrated ones."""

    file: Path
    problem: str
    sentence: ClassVar[str] = marked("{file} {problem}; the sensors begin at their calibrated rests.")


@dataclass(frozen=True, slots=True)
class RestsNotKept(BaseNotice):
    """The followed rests cannot be written; ``why`` is what the system says."""

    file: Path
    why: str
    sentence: ClassVar[str] = marked(
        "{file}: {why}; what the sensors have drifted by is lost when the program ends."
    )


class TimedGlasses(Enum):
    """How many glasses of a game were timed, or why none counts as timed."""

    IMPOSSIBLE = "impossible"
    """None: the board lacks the corners on which they are timed."""
    NONE = "none"
    SOME = "some"
    ALIKE = "alike"
    """Nobody knows which glass is which, with a free start: all are taken as alike."""


@dataclass(frozen=True, slots=True)
class GlassesUntimed(BaseNotice):
    """Not all that counts in this game was timed, so its sand is known to ``tolerance`` (relative) at best.

    ``names`` are the glasses that were not, by their start tubes, and ``"timer"``.
    """

    timed: TimedGlasses
    names: tuple[str, ...]
    tolerance: float
    is_warning: ClassVar[bool] = False


# The games


@dataclass(frozen=True, slots=True)
class LotDrawn(BaseNotice):
    """Lots were drawn (E 1.1): the player who sat at ``seat`` gets red."""

    seat: Player
    is_warning: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class GameOffered(BaseNotice):
    """An unfinished game waits to be resumed; ``other_tubes``: it cannot be, on a board with these tubes."""

    game: int
    other_tubes: bool
    is_warning: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class GameSetAside(BaseNotice):
    """An unfinished game cannot be resumed by this version of the program."""

    game: int
    sentence: ClassVar[str] = marked("Game {game} is set aside: it cannot be resumed.")


@dataclass(frozen=True, slots=True)
class GameAbandoned(BaseNotice):
    """The players do not resume an unfinished game."""

    game: int
    is_warning: ClassVar[bool] = False
    sentence: ClassVar[str] = marked("Game {game} is abandoned.")


@dataclass(frozen=True, slots=True)
class NextGameWaits(BaseNotice):
    """The game is over; start sets up the next."""

    is_warning: ClassVar[bool] = False
    sentence: ClassVar[str] = marked("The game is over; the next one can be set up.")


@dataclass(frozen=True, slots=True)
class EventsUnsaved(BaseNotice):
    """The program ends, and ``events`` events of the game could not be saved in ``folder``."""

    events: int
    folder: Path


@dataclass(frozen=True, slots=True)
class RecordStopped(BaseNotice):
    """The file that records the game takes no more; ``why`` is what the system says."""

    file: Path
    why: str
    sentence: ClassVar[str] = marked("{file}: {why}; the rest of the game is not recorded.")


@dataclass(frozen=True, slots=True)
class LiveUnpublished(BaseNotice):
    """The service goes on without a live stream; ``why`` says what to do."""

    why: str
    sentence: ClassVar[str] = marked("The game goes on without a live stream: {why}.")


@dataclass(frozen=True, slots=True)
class GameSlowed(BaseNotice):
    """A simulated game runs slower than ``asked``, at the speed ``kept``; both relative to real time."""

    asked: float
    kept: float
    is_warning: ClassVar[bool] = False
    sentence: ClassVar[str] = marked(
        "This computer runs the game at {kept:.2g} times real time, not at {asked:g}: it takes longer, "
        "and nothing is skipped."
    )


@dataclass(frozen=True, slots=True)
class GameOnSpeed(BaseNotice):
    """A simulated game that was slow runs at the speed ``asked`` again."""

    asked: float
    is_warning: ClassVar[bool] = False
    sentence: ClassVar[str] = marked("The game runs at {asked:g} times real time again.")


@dataclass(frozen=True, slots=True)
class PartnerEnded(BaseNotice):
    """The partner's process has ended by itself, and is started again."""

    sentence: ClassVar[str] = marked(
        "The partner has stopped thinking; he is called again, and the game goes on meanwhile."
    )


BoardNotice = BoardConnected | BoardRestarted | BoardComplains | BoardLost | BoardUnusable | LineBad | LineWell

#: Every notice there is.
Notice = (
    BoardNotice
    | (BoardCalibration | CalibrationUnusable | RestsUnusable | RestsNotKept | GlassesUntimed)
    | (LotDrawn | GameOffered | GameSetAside | GameAbandoned | NextGameWaits | EventsUnsaved | RecordStopped)
    | (LiveUnpublished | GameSlowed | GameOnSpeed | PartnerEnded | Mismatch)
    | (JournalNotice | Trouble | SavedAgain | PanelNotice)
)


def read_notice(record: Mapping[str, Any]) -> Notice | None:
    """The notice of a JSON object; None for one that this version does not know."""
    try:
        return cast(Notice, from_json(Notice, record, "notice"))
    except StreamError:
        return None
