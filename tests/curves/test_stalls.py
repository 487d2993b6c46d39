"""The host is kept from running at the moments that matter, and its port keeps 4 KiB, as on Linux.

What the port kept is ruled as if the host had run all the time. Where it ran full nobody knows what was: that
the link was lost is said before a ruling differs from the truth, and rights and deadlines stand still (R9.5).
"""

from collections.abc import Callable, Iterable
from functools import cache

import pytest

from tamsk_hw.referee.events import Button, Event, Lift, Rings, Seat
from tamsk_hw.referee.rulings import GlassDoubtful, GlassLost, Started, TimerStarted
from tests.curves.curves import SEEDS
from tests.curves.judging import judge
from tests.curves.played import PlayedGame, play
from tests.curves.said import About, said_at
from tests.disturbances.stalls import ShareOfTime, StallsAt
from tests.soak import in_soak

#: Seconds of each game, and between the end of a stall and the next.
LIMIT = in_soak(100.0, otherwise=40.0)
RESTS = 6.0

#: Seconds after the start of a game before the host first stands still.
BEGINNING = 2.0


def times_of(kinds: type[Event] | tuple[type[Event], ...]) -> Callable[[PlayedGame], Iterable[float]]:
    return lambda played: (event.t for event in played.game.events if isinstance(event, kinds))


def deadlines(played: PlayedGame) -> Iterable[float]:
    return (ruling.deadline for ruling in played.game.rulings if isinstance(ruling, TimerStarted))


def sand(played: PlayedGame) -> Iterable[float]:
    return (ruling.t for ruling in played.game.rulings if isinstance(ruling, GlassLost | GlassDoubtful))


MOMENTS = {
    "lift": times_of(Lift),
    "seat": times_of(Seat),
    "ring": times_of(Rings),
    "press": times_of(Button),
    "deadline": deadlines,
    "sand": sand,
}


@cache
def undisturbed(seed: int, level: int, limit: float) -> PlayedGame:
    return play(seed, lambda board: None, level=level, limit=limit)


def begins(moment: str, seed: int, level: int, limit: float, seconds: float, before: float) -> list[float]:
    """Stalls from ``before`` seconds before each such moment on."""
    played = undisturbed(seed, level, limit)
    last = next(ruling.t for ruling in played.game.rulings if isinstance(ruling, Started)) + BEGINNING
    found: list[float] = []
    for t in sorted(MOMENTS[moment](played)):
        if t - before >= last:
            found.append(t - before)
            last = t - before + seconds + RESTS
    return found


#: Seed and level; sand runs out after three minutes.
GAMES = [*((seed, level) for seed in in_soak(SEEDS[:5], otherwise=(3,)) for level in (1, 3))]


@pytest.mark.soak(but=["before-0.45-lift", "before-3.0-ring", "after-0.2-press", "before-5.0-deadline"])
@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("seconds", [0.1, 0.2, 0.45, 1.0, 2.0, 3.0, 5.0])
@pytest.mark.parametrize("before", [pytest.param(0.05, id="before"), pytest.param(-0.02, id="after")])
def test_a_host_that_stands_still_at_a_moment_that_matters(moment: str, seconds: float, before: float) -> None:
    stalls = 0
    for seed, level in GAMES:
        limit = 300.0 if moment == "sand" else LIMIT
        at = begins(moment, seed, level, limit, seconds, before)
        if not at:
            continue
        stalls += len(at)
        host = StallsAt(seconds, at)
        played = play(seed, lambda board, host=host: host, level=level, limit=limit)  # type: ignore[misc]
        verdict, said = judge(played, seconds), said_at(played.told, About.HOST)
        if said is None:
            assert verdict.rulings == (), (seed, level, verdict)
        for first in verdict.rulings[:1]:
            assert said is not None
            assert said <= first.at, (seed, level, said, first)
        if seconds < 0.5:
            assert verdict.is_right, (seed, level, verdict)
            assert said is None
    assert stalls


@pytest.mark.parametrize("every", [0.02, 0.2], ids="every {} s".format)
def test_half_a_core_is_enough(every: float) -> None:
    for seed, level in GAMES:
        played = play(seed, lambda board: ShareOfTime(0.5, every), level=level, limit=LIMIT)
        assert judge(played).is_right, (seed, level)
        assert said_at(played.told, About.HOST) is None
