"""The course of a game as plain data for charts: rings left, and the sand of every glass, over time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tamsk_hw.game.players import PLAYERS, Player
from tamsk_hw.referee.playback import Playback
from tamsk_hw.referee.rulings import RingCounted, Started, Uncounted
from tamsk_hw.referee.view import GlassState, Phase, View

#: Seconds between two samples of sand, which runs evenly in between.
STEP: Final = 1.0

#: The most samples of a game; a longer one has longer steps.
MOST_SAMPLES: Final = 2000


@dataclass(frozen=True, slots=True)
class RingsLeft:
    """The rings ``left`` to each player from time ``t`` on (the stream's seconds)."""

    t: float
    left: dict[Player, int]


@dataclass(frozen=True, slots=True)
class SandAt:
    """The sand above in one glass at ``t``, in seconds to run: the least and the most that it may be.

    ``is_lost``: the glass has run out.
    """

    t: float
    least: float
    most: float
    is_lost: bool


@dataclass(frozen=True, slots=True)
class GlassCourse:
    """One glass from its start; ``name`` is ``red-1`` to ``black-3``, in the order of the referee's glasses."""

    name: str
    owner: Player
    samples: tuple[SandAt, ...]


@dataclass(frozen=True, slots=True)
class Course:
    """The course of a game from ``begins`` to ``ends`` (the stream's seconds).

    ``rings`` has an entry for each change, the first at ``begins``. ``glasses`` is empty at level 1, which has no
    sand (R6.5).
    """

    begins: float
    ends: float
    rings: tuple[RingsLeft, ...]
    glasses: tuple[GlassCourse, ...]


def course_of(playback: Playback) -> Course | None:
    """The course of a game; None for one that was never started."""
    started = next((ruling for ruling in playback.rulings if isinstance(ruling, Started)), None)
    if started is None:
        return None
    begins = started.t
    over = playback.rulings[-1].t if playback.at(playback.ends).phase is Phase.OVER else playback.ends
    ends = max(begins, over)
    return Course(begins, ends, _rings(playback, begins), _glasses(playback, begins, ends))


def _rings(playback: Playback, begins: float) -> tuple[RingsLeft, ...]:
    times = [begins]
    for ruling in playback.rulings:
        if isinstance(ruling, RingCounted | Uncounted) and ruling.t != times[-1]:
            times.append(ruling.t)
    return tuple(RingsLeft(t, dict(playback.at(t).left)) for t in times)


def _glasses(playback: Playback, begins: float, ends: float) -> tuple[GlassCourse, ...]:
    if playback.header.ruleset.level == 1:
        return ()
    step = max(STEP, (ends - begins) / MOST_SAMPLES)
    regular = [begins + step * place for place in range(int((ends - begins) / step) + 1)]
    ruled = [moment.t for moment in playback.moments if begins <= moment.t <= ends]
    samples: dict[str, list[SandAt]] = {}
    owners: dict[str, Player] = {}
    for t in sorted({*regular, *ruled, ends}):
        for name, owner, sand in _sand(playback.at(t)):
            owners[name] = owner
            samples.setdefault(name, []).append(sand)
    names = sorted(samples, key=lambda name: (PLAYERS.index(owners[name]), name))
    return tuple(GlassCourse(name, owners[name], tuple(samples[name])) for name in names)


def _sand(view: View) -> list[tuple[str, Player, SandAt]]:
    """The sand of the glasses that were started."""
    found = []
    counts = dict.fromkeys(PLAYERS, 0)
    for glass in view.glasses:
        counts[glass.owner] += 1
        if glass.state not in (GlassState.UNSTARTED, GlassState.NO_SAND):
            least, most = glass.seconds
            sand = SandAt(view.t, least, most, glass.state is GlassState.LOST)
            found.append((f"{glass.owner.value}-{counts[glass.owner]}", glass.owner, sand))
    return found
