"""Rings that are seen later than they were dropped (R9.8), compared with the rulings when each is seen at once."""

import pickle
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from random import Random
from typing import NamedTuple

import pytest

from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.game.tubes import Player, Tube
from tamsk_hw.referee import Header, Referee
from tamsk_hw.referee.events import Action, Arbiter, Event, Rings, Tick
from tamsk_hw.referee.rulings import ArbiterNeeded, LateRing, Question, RingCounted, RingKind, Ruling
from tests.referee.test_properties import a_stream
from tests.scenarios.book import BOOK
from tests.soak import in_soak

#: Seconds for which a tube is blind before the ring is dropped, at most.
BLIND = 8.0


def told_late(events: list[Event], place: int, chance: Random) -> list[Event]:
    """The events after the ring at ``place``, none of them in its tube; then its report, which comes late."""
    ring = events[place]
    assert isinstance(ring, Rings)
    before = [each.t for each in events[:place] if isinstance(each, Rings) and each.tube is ring.tube]
    since = max([*before[-1:], ring.t - chance.uniform(0.001, BLIND), 0.0])
    told: list[Event] = []
    for each in events[place + 1 : place + 1 + chance.randrange(8)]:
        if isinstance(each, Rings | Arbiter) and each.tube in (ring.tube, None):
            break
        told.append(each)
    return [*told, Rings(told[-1].t if told else ring.t, ring.tube, ring.count, since)]


def counted_at_once(rulings: Iterable[Ruling], event: Event) -> list[RingCounted]:
    """The rings that the event itself has brought."""
    return [each for each in rulings if isinstance(each, RingCounted) and each.t == event.t]


def last_rulings(
    referee: Referee, events: list[Event], counted: Iterable[Iterable[RingCounted]] | None = None
) -> list[Ruling] | None:
    """The rulings on the last event; None when the game was over by then, or other rings than these ``counted``.

    A ring that no right allowed may have used up the right of the one that was not seen.
    """
    *before, last = events
    given = [each for event in before for each in referee.handle(event) if isinstance(each, RingCounted)]
    referee.advance(last.t)
    if referee.is_over or (counted is not None and _owned(given) - _owned(chain.from_iterable(counted))):
        return None
    return referee.handle(last)


def _owned(rings: Iterable[RingCounted]) -> Counter[tuple[Player, Tube, RingKind]]:
    return Counter((ring.player, ring.tube, ring.kind) for ring in rings)


class SeenLate(NamedTuple):
    """A ring whose report comes late, in a stream."""

    before: list[Event]
    late: list[Event]
    """The events from the drop of the ring on; the last one reports the ring."""
    owner: Player
    given: list[Ruling]
    """The rulings on its report."""


def seen_late(seed: int, header: Header, times: int = 1) -> Iterator[SeenLate]:
    """Each ring of a stream that counts for one player, told late this many times, by chance."""
    events, chance = a_stream(seed, header), Random(seed)
    referee = Referee(header)
    counted = [counted_at_once(referee.handle(event), event) for event in events]
    referee = Referee(header)
    for place, event in enumerate(events):
        if isinstance(event, Rings) and len(counted[place]) == 1:
            kept = pickle.dumps(referee)
            for _ in range(times):
                late = told_late(events, place, chance)
                given = last_rulings(pickle.loads(kept), late, counted[place + 1 : place + len(late)])
                if given is not None and late[-1].since < event.t:
                    yield SeenLate(events[:place], late, counted[place][0].player, given)
        referee.handle(event)


@pytest.mark.slow
@pytest.mark.parametrize("level", [1, 2, 3])
def test_no_ring_that_was_seen_late_counts_for_the_wrong_player(level: int) -> None:
    header = Header(ruleset=Ruleset(level=level))
    outcomes: Counter[str] = Counter()
    for seed in range(in_soak(14_000, otherwise=70)):
        for before, late, owner, given in seen_late(seed, header, in_soak(12, otherwise=1)):
            ring = late[-1]
            counted = [each.player for each in given if isinstance(each, RingCounted) and each.tube is ring.tube]
            asked = ArbiterNeeded(ring.t, "R9.8", Question(LateRing(ring.tube)), ring.tube)
            if counted:
                # One report may be of two rings; it counts no more than it is of.
                seen = [each.count for each in before if isinstance(each, Rings) and each.tube is ring.tube]
                assert counted == [owner] * min(len(counted), ring.count - sum(seen[-1:])), (seed, ring)
            else:
                assert asked in given, (seed, ring)
            outcomes["counted" if counted else "asked"] += 1
    assert outcomes["counted"] > 30
    assert outcomes["asked"] < outcomes["counted"] / 2


def test_time_that_passes_event_by_event_or_at_once_is_judged_alike() -> None:
    """The times at which rights lapse are kept, not those at which something was reported."""
    header = Header(ruleset=Ruleset(level=3))
    for seed in range(in_soak(60, otherwise=15)):
        for before, late, _, given in seen_late(seed, header):
            ticking = [each for event in [*before, *late] for each in (Tick(max(0.0, event.t - 0.05)), event)]
            often = sorted(ticking, key=lambda each: each.t)
            assert last_rulings(Referee(header), often) == given, (seed, late[-1])


def test_it_is_asked_until_the_ring_is_somebodys_or_the_end_is_certain() -> None:
    """A decision about a glass does not answer the question about the ring."""
    header, events = BOOK["R9.8-both-had-a-right"].read()
    referee = Referee(header)
    for event in events[:-1]:
        referee.handle(event)
    asked = Question(LateRing(Tube.D2))
    assert referee.view().question == asked
    referee.handle(Arbiter(11.0, Action.EXPIRE, Tube.A1))
    assert referee.view().question == asked
    referee.handle(events[-1])
    assert referee.view().question is None

    header, events = BOOK["R9.8-no-ring-before-the-end"].read()
    referee = Referee(header)
    for event in events[:-1]:
        referee.handle(event)
    assert referee.view().question is None
    referee.advance(35.0)
    assert referee.view().question == Question(LateRing(None))
    referee.handle(events[-1])
    assert (referee.view().question, referee.is_over) == (None, True)
