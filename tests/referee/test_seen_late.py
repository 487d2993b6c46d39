"""Rings that are seen later than they were dropped (R9.8), against a referee who sees them at once."""

from collections import Counter
from random import Random

import pytest

from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.game.tubes import Player, Tube
from tamsk_hw.referee import Header, Referee
from tamsk_hw.referee.events import Action, Arbiter, Event, Rings, Tick
from tamsk_hw.referee.rulings import ArbiterNeeded, LateRing, Question, RingCounted, Ruling
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


def rings_that_count(events: list[Event], header: Header) -> list[tuple[int, Player]]:
    """The places of single rings that count, with their owners, where each is seen as it is dropped."""
    referee, found = Referee(header), []
    for place, event in enumerate(events):
        given = referee.handle(event)
        owners = [each.player for each in given if isinstance(each, RingCounted) and each.t == event.t]
        if isinstance(event, Rings) and len(owners) == 1:
            found.append((place, owners[0]))
    return found


def last_rulings(events: list[Event], header: Header, most: int) -> list[Ruling] | None:
    """The rulings on the last event; None when the game was over by then, or more than ``most`` rings counted.

    A ring that no right allowed may have used up the right of the one that was not seen.
    """
    referee, count = Referee(header), 0
    for event in events[:-1]:
        count += sum(isinstance(each, RingCounted) for each in referee.handle(event))
    referee.advance(events[-1].t)
    return None if referee.is_over or count > most else referee.handle(events[-1])


def rings_counted(events: list[Event], header: Header) -> int:
    """The number of rings that count on a stream."""
    referee = Referee(header)
    return sum(isinstance(each, RingCounted) for event in events for each in referee.handle(event))


@pytest.mark.parametrize("level", [1, 2, 3])
def test_no_ring_that_was_seen_late_counts_for_the_wrong_player(level: int) -> None:
    header = Header(ruleset=Ruleset(level=level))
    outcomes: Counter[str] = Counter()
    for seed in range(in_soak(20_000, otherwise=250)):
        events, chance = a_stream(seed, header), Random(seed)
        for place, owner in rings_that_count(events, header):
            late = told_late(events, place, chance)
            most = rings_counted(events[: len(late)], header) - 1
            if late[-1].since >= events[place].t or (given := last_rulings(late, header, most)) is None:
                continue
            ring = late[-1]
            counted = [each for each in given if isinstance(each, RingCounted) and each.tube is ring.tube]
            asked = ArbiterNeeded(ring.t, "R9.8", Question(LateRing(ring.tube)), ring.tube)
            if counted:
                assert [each.player for each in counted] == [owner], (seed, place)
            else:
                assert asked in given, (seed, place)
            outcomes["counted" if counted else "asked"] += 1
    assert outcomes["counted"] > 100
    assert outcomes["asked"] < outcomes["counted"] / 2


def test_time_that_passes_event_by_event_or_at_once_is_judged_alike() -> None:
    """The times at which rights lapse are kept, not those at which something was reported."""
    header = Header(ruleset=Ruleset(level=3))
    for seed in range(60):
        events, chance = a_stream(seed, header), Random(seed)
        for place, _ in rings_that_count(events, header):
            late = told_late(events, place, chance)
            ticking = [each for event in late for each in (Tick(max(0.0, event.t - 0.05)), event)]
            often = sorted(ticking, key=lambda each: each.t)
            assert last_rulings(late, header, 99) == last_rulings(often, header, 99), (seed, place)


def test_it_is_asked_until_the_ring_is_somebodys_or_the_end_is_certain() -> None:
    """A decision about something else is no answer."""
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
