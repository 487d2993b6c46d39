"""Lessons: what comes before a task, which rulings solve or fail it, and their files (docs/lessons.md).

`progress_of` is the course of a lesson by the referee's rulings; `read_lesson` reads a file, `all_lessons` those
that come with the program. Pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import Enum
from functools import cache
from importlib.resources import files
from types import NoneType
from typing import Annotated, Any, ClassVar, Final, get_args, get_type_hints

from tamsk_hw.errors import StreamError, TamskError
from tamsk_hw.forms import Shape, from_json, number, scalar
from tamsk_hw.game.position import Move
from tamsk_hw.game.tubes import TUBE_OF_NAME, Player, Tube
from tamsk_hw.partner.intention import Advice, Await, Intention, MoveGlass, MoveRing, RingAct, TurnTimerOver
from tamsk_hw.referee.rulings import (
    BaseRuling,
    GameOver,
    GlassLost,
    Moved,
    Passed,
    RingCounted,
    Ruling,
    Started,
    TimerExpired,
    TimerStarted,
)
from tamsk_hw.referee.stream import parse_header
from tamsk_hw.system.files import TomlError, parse_toml
from tamsk_hw.system.output import Language
from tamsk_hw.words.rules import find_rule

_STRICT: Final = Shape(strict=True)


@dataclass(frozen=True, slots=True)
class RulingPattern:
    """Rulings of one kind: ``name`` as in JSON, and for some of its keys the values that they may have."""

    name: str
    values: tuple[tuple[str, tuple[Any, ...]], ...] = ()

    def fits(self, ruling: BaseRuling) -> bool:
        """The ruling is one of these."""
        record = ruling.as_dict()
        return record["ruling"] == self.name and all(record[key] in allowed for key, allowed in self.values)


@dataclass(frozen=True, slots=True)
class LessonStep:
    """An act of a player's hand, lawful or not; it is done by a ruling that fits ``ruled``.

    It waits for ``seconds`` first. A reply of the opponent's during the task begins to wait after a ruling that
    fits ``after``; without that when the task begins, or the reply before it is done.
    """

    player: Player
    intention: Intention
    ruled: RulingPattern
    seconds: float = 0.0
    after: RulingPattern | None = None

    @property
    def advice(self) -> Advice | None:
        """The advice for people at the board; None: to wait."""
        return None if isinstance(self.intention, Await) else Advice(self.player, self.intention)


@dataclass(frozen=True, slots=True)
class LessonEnd:
    """An end of the task: the rulings that bring it about, the last of ``times``, and the clause it teaches."""

    shape: ClassVar = _STRICT
    ruled: _Pattern
    clause: _Clause
    times: Annotated[int, number(int, 1)] = 1


class LessonAct(Enum):
    """Acts of a learner's hands, of which a page says how they are done with the device in hand."""

    MOVE = "move"
    RING = "ring"
    TAKE = "take"
    PRESS = "press"
    TIMER = "timer"


@dataclass(frozen=True, slots=True)
class LessonText:
    """A lesson's words in one language; ``failed`` has an explanation for each way of failing, in their order."""

    shape: ClassVar = _STRICT
    title: str
    task: str
    hint: str
    learned: str
    failed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson.

    ``name`` is its file's, ``ruleset`` the keys of a header's ruleset that differ from the default. It is played
    by ``learner``; the hands of both players carry out ``prelude`` from the ordinary start.
    """

    name: str
    ruleset: Mapping[str, Any]
    learner: Player
    acts: tuple[LessonAct, ...]
    prelude: tuple[LessonStep, ...]
    replies: tuple[LessonStep, ...]
    solved: tuple[LessonEnd, ...]
    failed: tuple[LessonEnd, ...]
    texts: Mapping[Language, LessonText]


#: Rulings by which a prelude has gone another way, unless they are those of its step.
_LASTING: Final = (GameOver, GlassLost, Moved, Passed, RingCounted, TimerExpired)


class Stage(Enum):
    """The stages of a lesson, as the page names them; at the last three it has ended."""

    SETUP = "setup"
    """The board must be set up, and the game started."""
    PRELUDE = "prelude"
    """A step of the prelude must be carried out."""
    OPEN = "open"
    """The learner must act."""
    SOLVED = "solved"
    FAILED = "failed"
    STRAYED = "strayed"
    """The prelude has gone another way: the lesson must begin again."""


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a lesson.

    ``step`` must be carried out from ``due`` on (the game's seconds): of the prelude the one of that ``number``
    (from 1), while the task is open a reply of the opponent's, if any. ``ruling`` has ended the lesson, by
    bringing about ``end``; of the failures that of ``number`` (from 0).
    """

    stage: Stage
    number: int = 0
    step: LessonStep | None = None
    due: float = 0.0
    ruling: Ruling | None = None
    end: LessonEnd | None = None

    def step_at(self, t: float) -> LessonStep | None:
        """The step that must be carried out at ``t`` (the game's seconds), if any."""
        return self.step if t >= self.due else None


def progress_of(lesson: Lesson, rulings: Sequence[Ruling]) -> Progress:
    """The progress of a lesson in a game, by all the game's rulings from its set-up on."""
    rest = iter(rulings)
    now = next((ruling.t for ruling in rest if isinstance(ruling, Started)), None)
    if now is None:
        return Progress(Stage.SETUP)
    for place, step in enumerate(lesson.prelude, start=1):
        for ruling in rest:
            if step.ruled.fits(ruling):
                now = ruling.t
                break
            if isinstance(ruling, _LASTING):
                return Progress(Stage.STRAYED, ruling=ruling)
        else:
            return Progress(Stage.PRELUDE, place, step, now + step.seconds)
    return _judged(lesson, rest, now)


def _judged(lesson: Lesson, rulings: Iterator[Ruling], began: float) -> Progress:
    """The progress of the task, from the rulings since it ``began`` (seconds)."""
    replies = list(lesson.replies)
    seen: Counter[LessonEnd] = Counter()
    due = _due(replies, None, began)
    for ruling in rulings:
        for way, end in enumerate(lesson.failed):
            if end.ruled.fits(ruling):
                return Progress(Stage.FAILED, way, ruling=ruling, end=end)
        for end in lesson.solved:
            seen[end] += end.ruled.fits(ruling)
            if seen[end] == end.times:
                return Progress(Stage.SOLVED, ruling=ruling, end=end)
        if due is None:
            due = _due(replies, ruling, ruling.t)
        elif replies[0].ruled.fits(ruling):
            del replies[0]
            due = _due(replies, None, ruling.t)
    return Progress(Stage.OPEN) if due is None else Progress(Stage.OPEN, 0, replies[0], due)


def _due(replies: Sequence[LessonStep], ruling: Ruling | None, t: float) -> float | None:
    """The time at which the first reply is due if it begins to wait by ``ruling`` at ``t``; None: without one."""
    if not replies:
        return None
    after = replies[0].after
    waits = after is None if ruling is None else after is not None and after.fits(ruling)
    return t + replies[0].seconds if waits else None


#: The longest time that a step may wait, in seconds.
MOST_SECONDS: Final = 600.0

_KINDS: Final[dict[str, type[Ruling]]] = {kind.name: kind for kind in get_args(Ruling)}


def _pattern(record: dict[str, Any]) -> RulingPattern:
    """The pattern that a table means; a value that no ruling of the kind has is a `ValueError`."""
    values = matchable_values(_KINDS[record["ruling"]]) | {"rule": ()}
    found = {key: each if isinstance(each, list) else [each] for key, each in record.items() if key != "ruling"}
    for key, listed in found.items():
        for each in listed:
            if key == "rule":
                _clause(each)
            elif not any(each == one and type(each) is type(one) for one in values[key]):
                raise ValueError
    return RulingPattern(record["ruling"], tuple((key, tuple(listed)) for key, listed in found.items()))


def _clause(number: str) -> str:
    try:
        return find_rule(number).number
    except TamskError as error:
        raise ValueError from error


def _move(ends: str) -> Move:
    home, tube = ends.split("-")
    return Move(TUBE_OF_NAME[home], TUBE_OF_NAME[tube])


def _unwritten(value: object) -> object:
    raise NotImplementedError  # lessons are read only


_Pattern = Annotated[
    RulingPattern, scalar(_unwritten, _pattern, {}, "a ruling, and some of its keys with values that it may have")
]
_Clause = Annotated[str, scalar(_unwritten, _clause, {}, "a clause, as R4.2")]
_Ruleset = Annotated[Mapping[str, Any], scalar(_unwritten, dict, {}, "a table")]


@dataclass(frozen=True, slots=True)
class _Step:
    """A step in a file: one deed of move, ring, timer and wait, and what differs from the usual."""

    shape: ClassVar = _STRICT
    player: Player
    move: Annotated[Move, scalar(_unwritten, _move, {}, 'two tubes, as "D1-D2"')] | None = None
    ring: Tube | None = None
    timer: bool = False
    wait: bool = False
    turned: bool | None = None
    seconds: Annotated[float, number(float, 0, MOST_SECONDS)] = 0.0
    ruled: _Pattern | None = None
    after: _Pattern | None = None

    def read(self, level: int, where: str) -> LessonStep:
        """The step at this level; unless the file says otherwise the ruling of the lawful act ends it."""
        by = ("player", (self.player.value,))
        intention: Intention = Await(MOST_SECONDS)
        usual: RulingPattern | None = None
        if self.move is not None:
            turned = level > 1 if self.turned is None else self.turned
            intention = MoveGlass(self.move.from_tube, self.move.to_tube, turned, ring=False)
            ends = (("from", (str(self.move.from_tube),)), ("to", (str(self.move.to_tube),)))
            usual = RulingPattern(Moved.name, (by, *ends))
        elif self.ring is not None:
            intention = MoveRing(RingAct.DROP, self.ring)
            usual = RulingPattern(RingCounted.name, (by, ("tube", (self.ring.name,))))
        elif self.timer:
            intention = TurnTimerOver()
            usual = RulingPattern(TimerStarted.name, (("against", (self.player.opponent.value,)),))
        ruled = self.ruled or usual
        if ruled is None:
            raise StreamError(f"{where}: a step that waits has no ruled, the ruling that it waits for")
        return LessonStep(self.player, intention, ruled, self.seconds, self.after)


@dataclass(frozen=True, slots=True)
class _LessonFile:
    shape: ClassVar = _STRICT
    learner: Player
    solved: tuple[LessonEnd, ...]
    failed: tuple[LessonEnd, ...]
    text: Mapping[Language, LessonText]
    acts: tuple[LessonAct, ...] = ()
    ruleset: _Ruleset = field(default_factory=dict)
    prelude: tuple[_Step, ...] = ()
    reply: tuple[_Step, ...] = ()


def read_lesson(text: str, name: str) -> Lesson:
    """The lesson in a file's text; ``name`` is the file's without its suffix.

    Raises:
        StreamError: it is no lesson; the message names file, key, value and what is allowed.
    """
    where = f"lesson {name}"
    try:
        file: _LessonFile = from_json(_LessonFile, parse_toml(text), where, "the file")
        ruleset = file.ruleset or {}
        level = parse_header({"tamsk": 1, "ruleset": ruleset}, where).ruleset.level
        for language, words in file.text.items():
            if len(words.failed) != len(file.failed):
                raise StreamError(f"{where}: text.{language.value}.failed: needed is one for each [[failed]]")
        return Lesson(
            name=name,
            ruleset=ruleset,
            learner=file.learner,
            acts=file.acts,
            prelude=tuple(step.read(level, where) for step in file.prelude),
            replies=tuple(step.read(level, where) for step in file.reply),
            solved=file.solved,
            failed=file.failed,
            texts={each: file.text.get(each, file.text[Language.ENGLISH]) for each in Language},
        )
    except TomlError as error:
        raise StreamError(f"{where}: {error}") from None


def matchable_values(kind: type[Ruling]) -> dict[str, tuple[Any, ...]]:
    """For each key of a ruling's JSON object that has one of a few values, all of them."""
    found: dict[str, tuple[Any, ...]] = {}
    hints = get_type_hints(kind)
    for part in fields(kind):
        hint = hints[part.name]
        kinds = [each for each in get_args(hint) or (hint,) if each is not NoneType]
        if len(kinds) != 1:
            continue
        (one,) = kinds
        key = "from" if part.name == "from_tube" else part.name
        if one is bool:
            found[key] = (True, False)
        elif one is Tube:
            found[key] = tuple(TUBE_OF_NAME)
        elif isinstance(one, type) and issubclass(one, Enum):
            found[key] = tuple(each.value for each in one)
    return found


@cache
def all_lessons() -> tuple[Lesson, ...]:
    """All lessons; the first is lesson 1.

    Raises:
        StreamError: one of the files is damaged.
    """
    found = [each for each in files("tamsk_hw.lessons").iterdir() if each.name.endswith(".toml")]
    return tuple(
        read_lesson(each.read_text(encoding="utf-8"), each.name.removesuffix(".toml"))
        for each in sorted(found, key=lambda file: file.name)
    )
