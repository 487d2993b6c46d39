"""Rings that are seen later than they were dropped (R9.8), compared with the rulings when each is seen at once."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from random import Random

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
    """The stream up to the report of the ring at ``place``, which comes late; nothing else happens in its tube."""
    ring = events[place]
    assert isinstance(ring, Rings)
    before = [each.t for each in events[:place] if isinstance(each, Rings) and each.tube is ring.tube]
    since = max([*before[-1:], ring.t - chance.uniform(0.001, BLIND), 0.0])
    told = events[:place]
    for each in events[place + 1 : place + 1 + chance.randrange(8)]:
        if isinstance(each, Rings | Arbiter) and each.tube in (ring.tube, None):
            break
        told.append(each)
    return [*told, Rings(max(ring.t, told[-1].t), ring.tube, ring.count, since)]


def seen_at_once(events: list[Event], header: Header) -> list[list[RingCounted]]:
    """The rings that count on each event, where each ring is seen as it is dropped."""
    referee = Referee(header)
    return [
        [each for each in referee.handle(event) if isinstance(each, RingCounted) and each.t == event.t]
        for event in events
    ]


def last_rulings(
    events: list[Event], header: Header, counted: list[list[RingCounted]] | None = None
) -> list[Ruling] | None:
    """The rulings on the last event; None when the game was over by then, or other rings than these ``counted``.

    A ring that no right allowed may have used up the right of the one that was not seen.
    """
    *before, last = events
    referee = Referee(header)
    given = [each for event in before for each in referee.handle(event) if isinstance(each, RingCounted)]
    referee.advance(last.t)
    if referee.is_over or (counted is not None and _owned(given) - _owned(chain.from_iterable(counted))):
        return None
    return referee.handle(last)


def _owned(rings: Iterable[RingCounted]) -> Counter[tuple[Player, Tube, RingKind]]:
    return Counter((ring.player, ring.tube, ring.kind) for ring in rings)


def seen_late(seed: int, header: Header) -> Iterator[tuple[list[Event], Player, list[Ruling]]]:
    """Streams that end with a ring that is told late, each with its owner and the rulings on it."""
    events, chance = a_stream(seed, header), Random(seed)
    owners = seen_at_once(events, header)
    for place, event in enumerate(events):
        if not isinstance(event, Rings) or len(owners[place]) != 1:
            continue
        late = told_late(events, place, chance)
        counted = [*owners[:place], *owners[place + 1 : len(late)]]
        if late[-1].since < event.t and (given := last_rulings(late, header, counted)) is not None:
            yield late, owners[place][0].player, given


@pytest.mark.slow
@pytest.mark.parametrize("level", [1, 2, 3])
def test_no_ring_that_was_seen_late_counts_for_the_wrong_player(level: int) -> None:
    header = Header(ruleset=Ruleset(level=level))
    outcomes: Counter[str] = Counter()
    for seed in range(in_soak(20_000, otherwise=250)):
        for late, owner, given in seen_late(seed, header):
            ring = late[-1]
            counted = [each.player for each in given if isinstance(each, RingCounted) and each.tube is ring.tube]
            asked = ArbiterNeeded(ring.t, "R9.8", Question(LateRing(ring.tube)), ring.tube)
            if counted:
                assert counted == [owner], (seed, ring)
            else:
                assert asked in given, (seed, ring)
            outcomes["counted" if counted else "asked"] += 1
    assert outcomes["counted"] > 100
    assert outcomes["asked"] < outcomes["counted"] / 2


def test_time_that_passes_event_by_event_or_at_once_is_judged_alike() -> None:
    """The times at which rights lapse are kept, not those at which something was reported."""
    header = Header(ruleset=Ruleset(level=3))
    for seed in range(60):
        for late, _, given in seen_late(seed, header):
            ticking = [each for event in late for each in (Tick(max(0.0, event.t - 0.05)), event)]
            often = sorted(ticking, key=lambda each: each.t)
            assert last_rulings(often, header) == given, (seed, late[-1])


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
