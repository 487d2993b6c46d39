"""A lesson as data: what is carried out before its task, and by which rulings it is solved or failed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tamsk_hw.game.players import Player
from tamsk_hw.partner.advice import Advice
from tamsk_hw.partner.intention import Await, Intention
from tamsk_hw.referee.rulings import BaseRuling
from tamsk_hw.system.language import Language


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
