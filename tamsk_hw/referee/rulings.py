"""Rulings: what the referee decides, each with its time and the clause of RULES.md that it rests on.

Class attributes say how the JSON objects differ from the fields (docs/formats.md, Rulings). In a JSON object the
clause alone tells some rulings of one kind apart; properties read it. A question that only a person can answer
(R5.4, R9.3, R9.8) is recorded as text: `question_text` is that text and `read_question` its reverse; nothing else
depends on it. What people read is made by `tamsk_hw.words.rulings`.

"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Annotated, Any, ClassVar, assert_never, cast

from tamsk_hw import forms
from tamsk_hw.errors import JournalError, StreamError, shortened
from tamsk_hw.forms import Count, Shape
from tamsk_hw.game.notation import RingKind
from tamsk_hw.game.tubes import PLAYERS, RINGS_EACH, TUBES, End, Player, Tube
from tamsk_hw.referee.events import SensorId


@dataclass(frozen=True, slots=True)
class LateRing:
    """A ring on ``tube`` that was dropped unseen; without a tube rings that may lie on tubes nobody can read."""

    tube: Tube | None


@dataclass(frozen=True, slots=True)
class Question:
    """A question that only a person can answer; ``about`` tells which.

    A player: has he a glass still running, now that his opponent has none (R5.4)? None: all glasses have run out,
    whose ran out last (R5.4)? A full tube: whose glass was put into it (R9.3)? A late ring: whose is it, or are
    there any (R9.8)? A text: the question of another version, known by its recorded text alone.
    """

    about: Player | Tube | LateRing | str | None = None


def question_text(question: Question) -> str:
    """The text of a question in a ruling's JSON object."""
    match question.about:
        case None:
            return "Whose glass ran out last?"
        case Player() as player:
            return f"Has {player} still a glass running, now that {player.opponent} has none?"
        case Tube() as tube:
            return f"Whose glass was put into the full tube {tube}? If it was the player's on move, he has lost."
        case LateRing(None):
            return "Are there rings on tubes that cannot be read?"
        case LateRing(tube):
            return f"Whose is the ring on {tube}? Both could have dropped it unseen."
        case str(text):
            return text
        case _:
            assert_never(question.about)


_ABOUT = (None, *PLAYERS, *TUBES, *map(LateRing, (None, *TUBES)))
_QUESTIONS = {question_text(each): each for each in map(Question, _ABOUT)}


def read_question(text: str) -> Question:
    """The question that was recorded as ``text``."""
    return _QUESTIONS.get(text) or Question(text)


forms.FORMS[Question] = forms.text(question_text, read_question)


class Code(Enum):
    """The violations."""

    NOT_YOUR_TURN = "not_your_turn"
    DEAD_GLASS = "dead_glass"
    ALREADY_MOVED = "already_moved"
    NOT_ADJACENT = "not_adjacent"
    NOT_TURNED = "not_turned"
    TWO_GLASSES = "two_glasses"
    TURNED_IN_PLACE = "turned_in_place"
    RING_WRONG_TUBE = "ring_wrong_tube"
    RING_TOO_MANY = "ring_too_many"
    RING_TOO_LATE = "ring_too_late"
    RING_REMOVED = "ring_removed"
    TIMER_RUNNING = "timer_running"
    OUT_OF_PLACE = "out_of_place"


class Caution(Enum):
    """The warnings."""

    EARLY_START = "early_start"
    OVERTIME = "overtime"
    LINK_LOST = "link_lost"
    SENSOR_FAULT = "sensor_fault"
    TIME_AWAY = "time_away"


class Reason(Enum):
    """Reasons for which a game ends."""

    FULL_TUBE = "full_tube"
    FEWEST_RINGS = "fewest_rings"
    TIE = "tie"
    LAST_GLASS = "last_glass"
    RESIGNED = "resigned"
    AWARDED = "awarded"
    ABANDONED = "abandoned"


class Ground(Enum):
    """Grounds of a violation, where its code leaves that open."""

    FULL_TUBE = "full_tube"
    """It entered a full tube, and nobody knows by whose hand (R9.3)."""
    NO_PLACE = "no_place"
    """It came from off the board into a tube where none may be placed (R8)."""
    MUST_PLACE = "must_place"
    """It was moved before all glasses of its owner were placed (R8)."""
    UNCOUNTED = "uncounted"
    """The ring lay there and counted, until a person took it back (R9.7)."""


@dataclass(frozen=True, slots=True)
class Empty:
    """No glass in the tube."""


forms.FORMS[Empty] = forms.one_of({"empty": Empty()}, lambda _: "empty")

_END_DOWN = forms.scalar(
    lambda end: {"end": end.value},
    lambda value: End(value["end"]),
    {"type": "object", "properties": {"end": forms.form_of(End).schema}, "required": ["end"]},
    "an end",
)

_RINGS_AROUND = forms.scalar(
    lambda count: {"rings": count},
    lambda value: forms.form_of(Count).read(value["rings"]),
    {
        "description": "The number of rings around the tube.",
        "type": "object",
        "properties": {"rings": forms.form_of(Count).schema},
        "required": ["rings"],
        "additionalProperties": False,
    },
    "a count of rings",
)

#: The content of a tube: a glass of a player, no glass, a glass with an end down, a number of rings around it, or
#: (None) a glass whose owner is unknown.
Content = Player | Empty | Annotated[End, _END_DOWN] | Annotated[int, _RINGS_AROUND] | None


@dataclass(frozen=True, slots=True)
class Correction:
    """One thing to put right: the content of ``tube``, and the content that it should have."""

    tube: Tube
    has: Content
    should: Content


@dataclass(frozen=True, slots=True)
class BaseRuling:
    """A ruling at time ``t`` (seconds), resting on clause ``rule``, e.g. ``"R4.2"``."""

    t: Annotated[float, forms.number(float, 0, allowed="a number of seconds, 0 or more")]
    rule: str
    name: ClassVar[str] = ""
    shape: ClassVar[Shape] = Shape(tag="ruling", first=("t",), last=("rule",), keys={"from_tube": "from"})

    def as_dict(self) -> dict[str, Any]:
        """The ruling as its JSON object (docs/formats.md, Rulings)."""
        return cast(dict[str, Any], forms.to_json(self))


@dataclass(frozen=True, slots=True)
class Setup(BaseRuling):
    """The board before the start and its ``problems``; without any it is ready (R1.3, R9.2)."""

    problems: tuple[Correction, ...]
    name: ClassVar[str] = "setup"


@dataclass(frozen=True, slots=True)
class Started(BaseRuling):
    """The game begins; ``turn`` is who plays first (R1.5)."""

    level: Count
    turn: Player
    name: ClassVar[str] = "started"


@dataclass(frozen=True, slots=True)
class Turn(BaseRuling):
    """``player``'s turn begins; ``number`` counts both players' turns from 1."""

    player: Player
    number: Count
    name: ClassVar[str] = "turn"


@dataclass(frozen=True, slots=True)
class MoveStarted(BaseRuling):
    """The player to move has lifted a glass that he may move (R2.1, R2.8)."""

    player: Player
    tube: Tube
    name: ClassVar[str] = "move_started"


@dataclass(frozen=True, slots=True)
class Moved(BaseRuling):
    """A finished move; ``from_tube`` is None for a glass placed from off the board; ``late`` as R7.5."""

    player: Player
    from_tube: Tube | None
    to: Tube
    late: bool
    name: ClassVar[str] = "move"


@dataclass(frozen=True, slots=True)
class RingCounted(BaseRuling):
    """A ring that counts; ``left`` rings are left to ``player`` (R4)."""

    player: Player
    tube: Tube
    kind: RingKind
    left: Count
    name: ClassVar[str] = "ring"

    @property
    def by_arbiter(self) -> bool:
        """A person decided that it counts (R9.6)."""
        return self.rule == "R9.6"


@dataclass(frozen=True, slots=True)
class Uncounted(BaseRuling):
    """A ring that counted was never dropped: ``player`` has it again, among the ``left`` ones (R9.7)."""

    player: Player
    tube: Tube
    left: Count
    name: ClassVar[str] = "uncounted"


@dataclass(frozen=True, slots=True)
class Passed(BaseRuling):
    """``player`` has no legal move (R2.7)."""

    player: Player
    name: ClassVar[str] = "pass"


@dataclass(frozen=True, slots=True)
class GlassLost(BaseRuling):
    """The glass that lawfully stands on ``tube`` ran out (R6.2)."""

    player: Player
    tube: Tube
    name: ClassVar[str] = "glass_lost"


@dataclass(frozen=True, slots=True)
class GlassDoubtful(BaseRuling):
    """The glass that lawfully stands on ``tube`` may have run out (R6.4)."""

    player: Player
    tube: Tube
    name: ClassVar[str] = "glass_doubtful"


@dataclass(frozen=True, slots=True)
class TimerStarted(BaseRuling):
    """The 15-second timer counts against a player until ``deadline`` (seconds, R7.2)."""

    against: Player
    deadline: float
    name: ClassVar[str] = "timer_started"


@dataclass(frozen=True, slots=True)
class TimerExpired(BaseRuling):
    """The timer ran out against a player; ``started``: he had started his move (R7.4, R7.5)."""

    against: Player
    started: bool
    name: ClassVar[str] = "timer_expired"


@dataclass(frozen=True, slots=True)
class Forfeit(BaseRuling):
    """``player`` loses this turn (R7.4, R7.5)."""

    player: Player
    name: ClassVar[str] = "forfeit"


@dataclass(frozen=True, slots=True)
class Penalty(BaseRuling):
    """``player`` may drop two rings with his next move, or moves twice (R7.6, R8)."""

    player: Player
    name: ClassVar[str] = "penalty"

    @property
    def two_moves(self) -> bool:
        """He moves twice (R8 ``lose_turn``); else he may drop a second ring."""
        return self.rule == "R8"


@dataclass(frozen=True, slots=True)
class Skip(BaseRuling):
    """``player``'s turn is skipped (R8 ``lose_turn``)."""

    player: Player
    name: ClassVar[str] = "skip"


_GROUNDS = {
    (Code.ALREADY_MOVED, "R8"): Ground.MUST_PLACE,
    (Code.NOT_ADJACENT, "R8"): Ground.NO_PLACE,
    (Code.NOT_ADJACENT, "R9.3"): Ground.FULL_TUBE,
    (Code.RING_WRONG_TUBE, "R9.7"): Ground.UNCOUNTED,
}


@dataclass(frozen=True, slots=True)
class Violation(BaseRuling):
    """A breach of the rules, by ``player`` if he is known; ``restore`` is what must be put right."""

    player: Player | None
    code: Code
    tube: Tube | None
    restore: tuple[Correction, ...]
    name: ClassVar[str] = "violation"

    @property
    def ground(self) -> Ground | None:
        """Its ground, where its code leaves that open."""
        return _GROUNDS.get((self.code, self.rule))


@dataclass(frozen=True, slots=True)
class Restored(BaseRuling):
    """A breach has been put right (R2.6, R2.9, R4.7, R9.2)."""

    name: ClassVar[str] = "restored"

    @property
    def of_rings(self) -> bool:
        """A tube's rings are right again; else a glass is."""
        return self.rule == "R4.7"


@dataclass(frozen=True, slots=True)
class Warned(BaseRuling):
    """Something the players should know, without consequence.

    ``detail`` says what is wrong with ``sensor``, or how long nobody watched the board (`read_span` reads it).
    """

    code: Caution
    player: Player | None
    tube: Tube | None
    sensor: SensorId | None = None
    detail: str | None = None
    name: ClassVar[str] = "warning"
    shape: ClassVar[Shape] = replace(BaseRuling.shape, spare=("sensor", "detail"))


@dataclass(frozen=True, slots=True)
class ArbiterNeeded(BaseRuling):
    """A question that only a person can answer (R5.4, R9.3), or about a ring on ``tube`` (R9.8)."""

    question: Question
    tube: Tube | None = None
    name: ClassVar[str] = "arbiter_needed"
    shape: ClassVar[Shape] = replace(BaseRuling.shape, spare=("tube",))


def _rings_left_form() -> forms.Form:
    form = forms.form_of(Mapping[Player, Annotated[int, forms.number(int, 0, RINGS_EACH)]])

    def read(value: Any) -> Any:
        made = form.read(value)
        if len(made) < len(Player):
            raise forms.Misfit("lacks a player", "red and black")
        return made

    return replace(form, read=read)


RingsLeft = Annotated[Mapping[Player, int], _rings_left_form()]


@dataclass(frozen=True, slots=True)
class GameOver(BaseRuling):
    """The end; ``winner`` is None for a tie or no result."""

    winner: Player | None
    reason: Reason
    rings_left: RingsLeft
    name: ClassVar[str] = "game_over"

    @property
    def by_sand(self) -> bool:
        """The sand decided, as the rings did not (R5.3)."""
        return self.rule == "R5.3"

    @property
    def by_repetition(self) -> bool:
        """At level 1 the position stood for the third time (R5.1)."""
        return self.rule == "R5.1"


Ruling = (
    Setup
    | Started
    | Turn
    | MoveStarted
    | Moved
    | RingCounted
    | Uncounted
    | Passed
    | GlassLost
    | GlassDoubtful
    | TimerStarted
    | TimerExpired
    | Forfeit
    | Penalty
    | Skip
    | Violation
    | Restored
    | Warned
    | ArbiterNeeded
    | GameOver
)
"""All rulings there are: a `match` over them can be checked to miss none."""


def parse_ruling(record: Any) -> Ruling:
    """Read a ruling from its JSON object; unknown keys are ignored.

    Raises:
        JournalError: it is no ruling that this version of the program knows.
    """
    try:
        return cast(Ruling, forms.from_json(Ruling, record, "ruling"))
    except StreamError:
        raise JournalError(f"unknown ruling {shortened(record)}") from None
