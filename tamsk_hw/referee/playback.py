"""A recorded game, ruled on again: its view at any time, its moments, and its course as data for charts.

Time is an argument, as for `Referee`.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from copy import deepcopy
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from tamsk_hw.game.tubes import PLAYERS, Player
from tamsk_hw.referee.events import Arbiter, Event
from tamsk_hw.referee.referee import Referee
from tamsk_hw.referee.rulings import RingCounted, RingsLeft, Ruling, Started, Uncounted
from tamsk_hw.referee.stream import Header
from tamsk_hw.referee.view import GlassState, Phase, View

#: Speeds at which people look at a recording, in seconds of the stream to a real one.
SPEEDS: Final = (1.0, 2.0, 5.0, 10.0, 30.0, 60.0)

#: Events from one kept state of the referee to the next: what a look has to rule again at most.
_KEEP_EVERY: Final = 100


@dataclass(frozen=True, slots=True)
class Moment:
    """An instant at which something was ruled, in the stream's seconds."""

    t: float
    rulings: tuple[Ruling, ...]


class Playback:
    """One recorded game.

    Times are the stream's seconds, from `begins` to `ends`; earlier and later ones count as these.
    """

    def __init__(self, header: Header, events: Iterable[Event]) -> None:
        """Referee the whole game.

        Raises:
            StreamError: an event is wrong; also whatever the iterator of the events raises.
            MisuseError: an event is older than the one before.
        """
        self.header = header
        self.events = tuple(events)
        self._times = [event.t for event in self.events]
        referee = Referee(header)
        self._kept = [deepcopy(referee)]
        rulings: list[Ruling] = []
        for count, event in enumerate(self.events, start=1):
            rulings += referee.handle(event)
            if count % _KEEP_EVERY == 0:
                self._kept.append(deepcopy(referee))
        self.rulings = tuple(rulings)
        by_time = groupby(rulings, lambda ruling: ruling.t)
        self.moments = tuple(Moment(t, tuple(given)) for t, given in by_time)
        self._moment_times = [moment.t for moment in self.moments]
        self.instants = tuple(sorted({*self._times, *self._moment_times}))
        """The times at which something happened or was ruled; between two of them only sand and seconds run."""
        self._referee = deepcopy(self._kept[0])
        self._taken = 0

    @property
    def happenings(self) -> list[Ruling | Arbiter]:
        """Every ruling and every decision of the arbiter, in order; a decision before what follows from it."""
        decided = [event for event in self.events if isinstance(event, Arbiter)]
        return sorted([*decided, *self.rulings], key=lambda each: each.t)

    @property
    def begins(self) -> float:
        """The time of the first event; 0 without one."""
        return self._times[0] if self._times else 0.0

    @property
    def ends(self) -> float:
        """The time of the last event; 0 without one."""
        return self._times[-1] if self._times else 0.0

    def at(self, t: float) -> View:
        """The state of the game at ``t``, with everything that happened and was ruled at that very time."""
        t = min(max(t, self.begins), self.ends)
        wanted = bisect_right(self._times, t)
        if not 0 <= wanted - self._taken <= _KEEP_EVERY or t < self._referee.now:
            self._take_up(wanted, t)
        for event in self.events[self._taken : wanted]:
            self._referee.handle(event)
        self._taken = wanted
        self._referee.advance(max(t, self._referee.now))
        return self._referee.view(t)

    def rulings_to(self, t: float) -> tuple[Ruling, ...]:
        """The rulings up to ``t``, that time included."""
        return tuple(ruling for moment in self.moments[: self._place_after(t)] for ruling in moment.rulings)

    def instant_at(self, t: float) -> int:
        """The place in `instants` of the last one that is not later than ``t``; 0 before the first."""
        return max(0, bisect_right(self.instants, t) - 1)

    def next_moment(self, t: float) -> Moment | None:
        """The first moment after ``t``; None after the last."""
        place = self._place_after(t)
        return self.moments[place] if place < len(self.moments) else None

    def previous_moment(self, t: float) -> Moment | None:
        """The last moment before ``t``; None before the first."""
        place = bisect_left(self._moment_times, t) - 1
        return self.moments[place] if place >= 0 else None

    def _place_after(self, t: float) -> int:
        return bisect_right(self._moment_times, t)

    def _take_up(self, wanted: int, t: float) -> None:
        """Take up the last kept state with no more than ``wanted`` events, and none later than ``t``."""
        place = wanted // _KEEP_EVERY
        while self._kept[place].now > t and place:
            place -= 1
        self._referee = deepcopy(self._kept[place])
        self._taken = place * _KEEP_EVERY


#: Seconds between two samples of sand, which runs evenly in between.
STEP: Final = 1.0

#: The most samples of a game; a longer one has longer steps.
MOST_SAMPLES: Final = 2000


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

    ``rings`` has the rings left to each player from a time on, for each change, the first at ``begins``.
    ``glasses`` is empty at level 1, which has no sand (R6.5).
    """

    begins: float
    ends: float
    rings: tuple[tuple[float, RingsLeft], ...]
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


def _rings(playback: Playback, begins: float) -> tuple[tuple[float, RingsLeft], ...]:
    times = [begins]
    for ruling in playback.rulings:
        if isinstance(ruling, RingCounted | Uncounted) and ruling.t != times[-1]:
            times.append(ruling.t)
    return tuple((t, playback.at(t).left) for t in times)


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
