"""Lessons: their files, their steps, how they are judged.

A lesson as data: what is carried out before its task, and by which rulings it is solved or failed.

The course of a lesson by the referee's rulings: what is carried out next, and how the task ends. Pure.

Reads a lesson's file (docs/lessons.md).

The lessons that come with the program, in the order of their files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from enum import Enum
from functools import cache
from importlib.resources import files
from types import NoneType
from typing import Any, Final, NoReturn, TypeAlias, get_args, get_type_hints

from tamsk_hw.errors import LessonError, StreamError, UnknownClause, shortened
from tamsk_hw.forms import is_number
from tamsk_hw.game.position import Move
from tamsk_hw.game.tubes import TUBE_OF_NAME, Player, Tube
from tamsk_hw.partner.intention import Advice, Await, DropRing, Intention, MoveGlass, TurnTimerOver
from tamsk_hw.referee.header import parse_header
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
from tamsk_hw.system.files import TomlError, parse_toml
from tamsk_hw.system.output import Language
from tamsk_hw.words.rules import rule_book


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
    """What a player's hand is to carry out, lawful or not; a ruling that fits ``ruled`` says that it is done.

    It waits for ``seconds`` first.
    """

    player: Player
    intention: Intention
    ruled: RulingPattern
    seconds: float = 0.0

    @property
    def advice(self) -> Advice | None:
        """What people at the board are advised to do; None: to wait."""
        return None if isinstance(self.intention, Await) else Advice(self.player, self.intention)


@dataclass(frozen=True, slots=True)
class Reply:
    """A step of the opponent's during the task, which begins to wait after a ruling that fits ``after``.

    Without ``after`` it does so when the task begins, or the reply before it is done.
    """

    step: LessonStep
    after: RulingPattern | None


@dataclass(frozen=True, slots=True)
class LessonEnd:
    """An end of the task: the rulings that bring it about, and the clause that it teaches."""

    ruled: RulingPattern
    clause: str


@dataclass(frozen=True, slots=True)
class LessonText:
    """A lesson's words in one language; ``failed`` has an explanation for each way of failing, in their order."""

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
    prelude: tuple[LessonStep, ...]
    replies: tuple[Reply, ...]
    solved: tuple[LessonEnd, ...]
    failed: tuple[LessonEnd, ...]
    texts: Mapping[Language, LessonText]


#: Rulings by which a prelude has gone another way, unless they are those of its step.
_LASTING: Final = (GameOver, GlassLost, Moved, Passed, RingCounted, TimerExpired)


@dataclass(frozen=True, slots=True)
class ToStart:
    """The board is to be set up, and the game to be started."""


@dataclass(frozen=True, slots=True)
class Prelude:
    """Step ``number`` of the prelude (from 1) is to be carried out from ``due`` on (the game's seconds)."""

    number: int
    step: LessonStep
    due: float


@dataclass(frozen=True, slots=True)
class Strayed:
    """The prelude has gone another way by this ruling: the lesson is to begin again."""

    ruling: Ruling


@dataclass(frozen=True, slots=True)
class TaskOpen:
    """The learner is to act. From ``due`` on (the game's seconds) the opponent's ``step`` is to be carried out.

    Without a step both are None.
    """

    step: LessonStep | None = None
    due: float | None = None


@dataclass(frozen=True, slots=True)
class Solved:
    """The task is solved by this ruling."""

    end: LessonEnd
    ruling: Ruling


@dataclass(frozen=True, slots=True)
class Failed:
    """The task is failed by this ruling; ``way`` is the place of the end in `Lesson.failed`, from 0."""

    way: int
    end: LessonEnd
    ruling: Ruling


Progress: TypeAlias = ToStart | Prelude | Strayed | TaskOpen | Solved | Failed


def step_at(progress: Progress, t: float) -> LessonStep | None:
    """The step that is to be carried out at ``t`` (the game's seconds), if any."""
    match progress:
        case Prelude(step=step, due=due) | TaskOpen(step=step, due=due) if due is not None and t >= due:
            return step
        case _:
            return None


def progress_of(lesson: Lesson, rulings: Sequence[Ruling]) -> Progress:
    """The progress of a lesson in a game, by all the game's rulings from its set-up on."""
    rest = iter(rulings)
    now = next((ruling.t for ruling in rest if isinstance(ruling, Started)), None)
    if now is None:
        return ToStart()
    for number, step in enumerate(lesson.prelude, start=1):
        for ruling in rest:
            if step.ruled.fits(ruling):
                now = ruling.t
                break
            if isinstance(ruling, _LASTING):
                return Strayed(ruling)
        else:
            return Prelude(number, step, now + step.seconds)
    return _judged(lesson, rest, now)


def _judged(lesson: Lesson, rulings: Iterator[Ruling], began: float) -> TaskOpen | Solved | Failed:
    """The task, from the rulings since it ``began`` (seconds)."""
    replies = list(lesson.replies)
    due = _due(replies, None, began)
    for ruling in rulings:
        for way, end in enumerate(lesson.failed):
            if end.ruled.fits(ruling):
                return Failed(way, end, ruling)
        for end in lesson.solved:
            if end.ruled.fits(ruling):
                return Solved(end, ruling)
        if due is None:
            due = _due(replies, ruling, ruling.t)
        elif replies[0].step.ruled.fits(ruling):
            del replies[0]
            due = _due(replies, None, ruling.t)
    return TaskOpen() if due is None else TaskOpen(replies[0].step, due)


def _due(replies: Sequence[Reply], ruling: Ruling | None, t: float) -> float | None:
    """When the first reply is due, if it begins to wait by ``ruling`` at ``t``, or (None) without one."""
    if not replies:
        return None
    reply = replies[0]
    waits = reply.after is None if ruling is None else reply.after is not None and reply.after.fits(ruling)
    return t + reply.step.seconds if waits else None


#: The longest time that a step may wait, in seconds.
MOST_SECONDS: Final = 600.0

_KINDS: Final[dict[str, type[Ruling]]] = {kind.name: kind for kind in get_args(Ruling)}

_DEEDS: Final = ("move", "ring", "timer", "wait")
_STEP: Final = ("player", *_DEEDS, "turned", "seconds", "ruled")
_TEXTS: Final = tuple(field.name for field in fields(LessonText))


def read_lesson(text: str, name: str) -> Lesson:
    """The lesson in a file's text; ``name`` is the file's without its suffix.

    Raises:
        LessonError: it is no lesson; the message names file, key, value and what is allowed.
    """
    try:
        record = parse_toml(text)
    except TomlError as error:
        raise LessonError(f"lesson {name}: {error}") from None
    return _LessonFile(name).lesson(record)


class _LessonFile:
    """Reads one file; every refusal names it."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._level = 0

    def lesson(self, record: Mapping[str, Any]) -> Lesson:
        allowed = ("ruleset", "learner", "prelude", "reply", "solved", "failed", "text")
        self._only(record, "the file", allowed, needed=("learner", "solved", "failed", "text"))
        ruleset = self._table(record.get("ruleset", {}), "ruleset")
        try:
            self._level = parse_header({"tamsk": 1, "ruleset": ruleset}, f"lesson {self._name}").ruleset.level
        except StreamError as error:
            raise LessonError(str(error)) from None
        failed = self._each(record, "failed", self._end)
        return Lesson(
            name=self._name,
            ruleset=ruleset,
            learner=self._player(record["learner"], "learner"),
            prelude=self._each(record, "prelude", self._prelude),
            replies=self._each(record, "reply", self._reply),
            solved=self._each(record, "solved", self._end, least=1),
            failed=failed,
            texts=self._texts(record["text"], len(failed)),
        )

    def _each(self, record: Mapping[str, Any], key: str, read: Callable[[Any, str], Any], least: int = 0) -> Any:
        listed = record.get(key, [])
        if not isinstance(listed, list) or len(listed) < least:
            self._refuse(key, listed, f"[[{key}]], {'once or more' if least else 'any number of times'}")
        return tuple(read(item, f"{key}[{place}]") for place, item in enumerate(listed, start=1))

    # ---- steps

    def _prelude(self, value: Any, where: str) -> LessonStep:
        record = self._table(value, where)
        self._only(record, where, _STEP, needed=("player",))
        return self._step(record, where)

    def _reply(self, value: Any, where: str) -> Reply:
        record = self._table(value, where)
        self._only(record, where, ("after", *_STEP), needed=("player", "seconds"))
        after = self._pattern(record["after"], f"{where}.after") if "after" in record else None
        return Reply(self._step(record, where), after)

    def _step(self, record: Mapping[str, Any], where: str) -> LessonStep:
        """What a hand is to do, and the ruling that says that it is done: usually that of the lawful deed."""
        player = self._player(record["player"], f"{where}.player")
        named = [key for key in _DEEDS if key in record]
        if len(named) != 1:
            raise LessonError(
                f"lesson {self._name}: {where} has {', '.join(named) or 'no deed'}; allowed: one of "
                f"{', '.join(_DEEDS)}"
            )
        (deed,) = named
        if "turned" in record and deed != "move":
            self._refuse(f"{where}.turned", record["turned"], "only with move")
        given = record[deed]
        by = ("player", (player.value,))
        intention: Intention
        usual: RulingPattern | None
        match deed:
            case "move":
                move = self._move(given, f"{where}.move")
                turned = record.get("turned", self._level > 1)
                if not isinstance(turned, bool):
                    self._refuse(f"{where}.turned", turned, "true, false")
                intention = MoveGlass(move, turned, ring=False)
                ends = (("from", (str(move.from_tube),)), ("to", (str(move.to_tube),)))
                usual = RulingPattern(Moved.name, (by, *ends))
            case "ring":
                tube = self._tube(given, f"{where}.ring")
                intention, usual = DropRing(tube), RulingPattern(RingCounted.name, (by, ("tube", (tube.name,))))
            case _:
                if given is not True:
                    self._refuse(f"{where}.{deed}", given, "true")
                against = ("against", (player.opponent.value,))
                is_timer = deed == "timer"
                intention = TurnTimerOver() if is_timer else Await(MOST_SECONDS)
                usual = RulingPattern(TimerStarted.name, (against,)) if is_timer else None
        ruled = self._pattern(record["ruled"], f"{where}.ruled") if "ruled" in record else usual
        if ruled is None:
            raise LessonError(
                f"lesson {self._name}: {where} has no ruled; wait needs the ruling that it waits for"
            )
        seconds = record.get("seconds", 0.0)
        if not is_number(seconds) or not 0 <= seconds <= MOST_SECONDS:
            self._refuse(f"{where}.seconds", seconds, f"0 to {MOST_SECONDS:g}")
        return LessonStep(player, intention, ruled, float(seconds))

    def _move(self, value: Any, where: str) -> Move:
        home, _, tube = value.partition("-") if isinstance(value, str) else ("", "", "")
        if home not in TUBE_OF_NAME or tube not in TUBE_OF_NAME or home == tube:
            self._refuse(where, value, 'two tubes, as "D1-D2"')
        return Move(TUBE_OF_NAME[home], TUBE_OF_NAME[tube])

    def _tube(self, value: Any, where: str) -> Tube:
        if not isinstance(value, str) or value not in TUBE_OF_NAME:
            self._refuse(where, value, "a tube, A1 to G4")
        return TUBE_OF_NAME[value]

    def _player(self, value: Any, where: str) -> Player:
        if value not in [player.value for player in Player]:
            self._refuse(where, value, '"red", "black"')
        return Player(value)

    # ---- rulings

    def _end(self, value: Any, where: str) -> LessonEnd:
        record = self._table(value, where)
        self._only(record, where, ("ruled", "clause"), needed=("ruled", "clause"))
        clause = self._clause(record["clause"], f"{where}.clause")
        return LessonEnd(self._pattern(record["ruled"], f"{where}.ruled"), clause)

    def _pattern(self, value: Any, where: str) -> RulingPattern:
        record = self._table(value, where)
        name = record.get("ruling")
        if not isinstance(name, str) or name not in _KINDS:
            self._refuse(f"{where}.ruling", name, ", ".join(_KINDS))
        kind = _KINDS[name]
        values = matchable_values(kind)
        self._only(record, where, ("ruling", "rule", *values))
        found = []
        for key, given in record.items():
            if key == "ruling":
                continue
            listed = given if isinstance(given, list) else [given]
            for each in listed:
                if key == "rule":
                    self._clause(each, f"{where}.rule")
                elif not any(each == one and type(each) is type(one) for one in values[key]):
                    self._refuse(f"{where}.{key}", each, ", ".join(shortened(one) for one in values[key]))
            found.append((key, tuple(listed)))
        return RulingPattern(name, tuple(found))

    def _clause(self, value: Any, where: str) -> str:
        try:
            return rule_book().find(value).number if isinstance(value, str) else self._refuse(where, value, "R4.2")
        except UnknownClause as error:
            raise LessonError(f"lesson {self._name}: {where}: {error}") from None

    # ---- words

    def _texts(self, value: Any, ways: int) -> dict[Language, LessonText]:
        record = self._table(value, "text")
        languages = tuple(language.value for language in Language)
        english = Language.ENGLISH.value  # where a lesson is not translated
        self._only(record, "text", languages, needed=(english,))
        return {
            language: self._text(record.get(language.value, record[english]), f"text.{language.value}", ways)
            for language in Language
        }

    def _text(self, value: Any, where: str, ways: int) -> LessonText:
        record = self._table(value, where)
        self._only(record, where, _TEXTS, needed=_TEXTS)
        failed = record["failed"]
        if not isinstance(failed, list) or len(failed) != ways:
            self._refuse(f"{where}.failed", failed, f"a list of {ways}, one for each [[failed]]")
        said = [(key, record[key]) for key in _TEXTS if key != "failed"]
        for key, text in [*said, *(("failed", each) for each in failed)]:
            if not isinstance(text, str) or not text.strip() or "\n" in text:
                self._refuse(f"{where}.{key}", text, "a text on one line")
        return LessonText(**{**record, "failed": tuple(failed)})

    # ---- parts

    def _table(self, value: Any, where: str) -> Mapping[str, Any]:
        if not isinstance(value, dict):
            self._refuse(where, value, "a table")
        return dict(value)

    def _only(
        self, record: Mapping[str, Any], where: str, allowed: tuple[str, ...], needed: tuple[str, ...] = ()
    ) -> None:
        for key in record:
            if key not in allowed:
                known = ", ".join(allowed)
                raise LessonError(
                    f"lesson {self._name}: unknown key {shortened(key)} in {where}; allowed: {known}"
                )
        for key in needed:
            if key not in record:
                raise LessonError(f"lesson {self._name}: {where} has no {key}")

    def _refuse(self, where: str, value: Any, allowed: str) -> NoReturn:
        raise LessonError(f"lesson {self._name}: {where} is {shortened(value)}; allowed: {allowed}")


def matchable_values(kind: type[Ruling]) -> dict[str, tuple[Any, ...]]:
    """For each key of a ruling's JSON object that has one of a few values, all of them."""
    found: dict[str, tuple[Any, ...]] = {}
    hints = get_type_hints(kind)
    for field in fields(kind):
        hint = hints[field.name]
        kinds = [each for each in get_args(hint) or (hint,) if each is not NoneType]
        if len(kinds) != 1:
            continue
        (one,) = kinds
        key = "from" if field.name == "from_tube" else field.name
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
        LessonError: one of the files is damaged.
    """
    found = [each for each in files("tamsk_hw.lessons").iterdir() if each.name.endswith(".toml")]
    return tuple(
        read_lesson(each.read_text(encoding="utf-8"), each.name.removesuffix(".toml"))
        for each in sorted(found, key=lambda file: file.name)
    )
