"""Properties of every stream, sensible or not."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tamsk_hw.forms import to_json
from tamsk_hw.game import End, Player, Ruleset, Tube
from tamsk_hw.game.ruleset import LatePenalty, Start
from tamsk_hw.game.tubes import NEIGHBOURS, PLAYERS, START_TUBES, TUBES
from tamsk_hw.referee import Header, Referee
from tamsk_hw.referee.events import (
    Action,
    Arbiter,
    Button,
    ButtonName,
    Event,
    Fault,
    Holder,
    Lift,
    Link,
    LinkState,
    Press,
    Rings,
    Seat,
    SensorId,
    Tick,
    Tilt,
    TimerLifted,
    TimerSeated,
)
from tamsk_hw.referee.rulings import (
    Caution,
    GameOver,
    GlassDoubtful,
    GlassLost,
    Restored,
    RingCounted,
    Ruling,
    TimerStarted,
    Turn,
    Uncounted,
    Violation,
    Warned,
)
from tamsk_hw.referee.stream import SandSettings, json_line, parse_event, read_stream
from tamsk_hw.referee.view import Phase
from tamsk_hw.referee.viewing import view_of
from tests.referee.invariants import check
from tests.soak import in_soak


def a_stream(seed: int, header: Header) -> list[Event]:
    """Hands that mostly play and often blunder: a physically possible stream, times in milliseconds."""
    chance = Random(seed)
    t = 0.0
    events: list[Event] = []
    at: dict[Tube, End] = {}
    hand: list[tuple[Tube, End]] = []
    rings = dict.fromkeys(TUBES, 0)
    timer = End.A

    def tell(event: Event) -> None:
        events.append(event)

    if header.ruleset.start is Start.CORNERS:
        for player in PLAYERS:
            for tube in START_TUBES[player]:
                at[tube] = End.A
                tell(Seat(t, tube, End.A))
    tell(TimerSeated(t, timer))
    tell(Button(t, ButtonName.START, Press.SHORT))
    for _ in range(chance.randrange(20, 160)):
        t = round(t + chance.choice([0.0, 0.1, 0.5, 1.0, 2.0, 4.9, 5.0, 15.0]), 3)
        deed = chance.random()
        if deed < 0.35 and at and len(hand) < 3:
            tube = chance.choice(sorted(at))
            hand.append((tube, at.pop(tube)))
            tell(Lift(t, tube))
        elif deed < 0.75 and hand:
            left, end = hand.pop(chance.randrange(len(hand)))
            near = [
                tube
                for tube in (*NEIGHBOURS[left], *NEIGHBOURS[left], left, chance.choice(TUBES))
                if tube not in at
            ]
            to = chance.choice(near)
            at[to] = end.other if chance.random() < 0.8 else end
            tell(Seat(t, to, at[to]))
            if chance.random() < 0.7:
                t = round(t + 0.5, 3)
                rings[to] += 1
                tell(Rings(t, to, rings[to]))
        elif deed < 0.80:
            tube = chance.choice(TUBES)
            rings[tube] = max(0, rings[tube] + chance.choice([-1, 1, 2]))
            tell(Rings(t, tube, rings[tube]))
        elif deed < 0.88:
            timer = timer.other
            tell(TimerLifted(t))
            tell(TimerSeated(t, timer))
        elif deed < 0.91:
            tell(Button(t, chance.choice(list(ButtonName)), Press.SHORT))
        elif deed < 0.93:
            tell(Tilt(t, chance.choice(sorted(at) or list(TUBES))))
        elif deed < 0.95:
            free = chance.choice([tube for tube in TUBES if tube not in at])
            tell(Seat(t, free, End.A, chance.choice([None, *PLAYERS])))
            at[free] = End.A
        elif deed < 0.97:
            tell(Holder(t, chance.choice(PLAYERS), chance.randrange(33)))
        else:
            ringed = [tube for tube in TUBES if rings[tube]] or list(TUBES)
            tell(
                chance.choice(
                    [
                        Link(t, chance.choice(list(LinkState))),
                        Link(t, LinkState.RESTORED, chance.choice([(0.0, 0.0), (2.0, 30.0), (50.0, 50.0)])),
                        Fault(t, SensorId.ring(Tube.D4, 2), "gap"),
                        Tick(t),
                        Lift(t, chance.choice(TUBES)),
                        Arbiter(t, Action.EXPIRE, chance.choice(TUBES)),
                        Arbiter(t, Action.REVIVE, chance.choice(TUBES)),
                        Arbiter(t, Action.RING, chance.choice(TUBES), chance.choice(PLAYERS)),
                        Arbiter(t, Action.RING, chance.choice(ringed), chance.choice(PLAYERS)),
                        Arbiter(t, Action.UNCOUNT, chance.choice(ringed)),
                    ]
                )
            )
    tell(Tick(t + 600.0))
    return events


headers = st.builds(
    Header,
    ruleset=st.builds(
        Ruleset,
        level=st.sampled_from([1, 2, 3]),
        start=st.sampled_from(Start),
        late_penalty=st.sampled_from(LatePenalty),
        forfeit_penalised=st.booleans(),
    ),
    sand=st.builds(
        SandSettings,
        glass=st.sampled_from([(180.0, 180.0), (40.0, 35.0)]),
        tolerance=st.sampled_from([0.0, 0.03]),
        exact_hands=st.booleans(),
    ),
    holders=st.booleans(),
    pause_when_lost=st.sampled_from([None, True, False]),
)
streams = st.tuples(st.integers(0, 10**9), headers)


def ruled(header: Header, events: list[Event]) -> list[Ruling]:
    referee = Referee(header)
    return [ruling for event in events for ruling in referee.handle(event)]


@settings(max_examples=in_soak(1500, otherwise=40))
@given(streams)
def test_rulings_are_in_order_and_add_up(stream: tuple[int, Header]) -> None:
    seed, header = stream
    referee = Referee(header)
    rulings: list[Ruling] = []
    for event in a_stream(seed, header):
        rulings += referee.handle(event)
        check(referee)
        view = referee.view()
        assert sum(view.left.values()) == 64 - sum(view.rings)
        assert len({glass.tube for glass in view.glasses}) == len(view.glasses)
    times = [ruling.t for ruling in rulings]
    assert times == sorted(times)
    assert not [ruling for ruling in rulings[:-1] if isinstance(ruling, GameOver)]
    numbers = [ruling.number for ruling in rulings if isinstance(ruling, Turn)]
    assert numbers == list(range(1, len(numbers) + 1))
    wrong = restored = 0
    for ruling in rulings:
        wrong += isinstance(ruling, Violation)
        restored += isinstance(ruling, Restored)
        assert restored <= wrong
    left = dict.fromkeys(PLAYERS, 32)
    for ruling in rulings:
        if isinstance(ruling, RingCounted) and not ruling.by_arbiter:
            assert ruling.left <= left[ruling.player]
        if isinstance(ruling, Uncounted):
            assert ruling.left <= left[ruling.player] + 1
        if isinstance(ruling, RingCounted | Uncounted):
            left[ruling.player] = ruling.left


@settings(max_examples=in_soak(1000, otherwise=30))
@given(streams, st.randoms(use_true_random=False))
def test_asking_for_the_time_changes_nothing(stream: tuple[int, Header], chance: Random) -> None:
    """Ticks, `advance` and `view` in between, at deadlines or anywhere, give the same rulings."""
    seed, header = stream
    events = a_stream(seed, header)
    referee = Referee(header)
    rulings: list[Ruling] = []
    for event in events:
        while (due := referee.next_deadline) is not None and due < event.t and chance.random() < 0.7:
            at_due = referee.advance(due)
            rulings += at_due
        now = referee.now
        if event.t > now and chance.random() < 0.5:
            rulings += referee.handle(Tick(now + (event.t - now) * chance.random()))
        referee.view()
        rulings += referee.handle(event)
    assert rulings == ruled(header, events)


@settings(max_examples=in_soak(600, otherwise=12))
@given(streams, st.randoms(use_true_random=False))
def test_a_view_of_later_is_the_view_then_if_nothing_falls_due(stream: tuple[int, Header], chance: Random) -> None:
    """Sand, deadlines and rights to rings run on in it."""
    seed, header = stream
    referee = Referee(header)
    for event in a_stream(seed, header):
        t = referee.now + (event.t - referee.now) * chance.random()
        due = referee.next_deadline
        if (due is None or due > t) and referee.view().phase in (Phase.PLAY, Phase.SAND):
            later = referee.view(t)
            assert referee.advance(t) == []
            assert view_of(referee._state, t) == later
        referee.handle(event)


@settings(max_examples=in_soak(600, otherwise=20))
@given(streams)
def test_streams_survive_their_file(stream: tuple[int, Header]) -> None:
    seed, header = stream
    events = a_stream(seed, header)
    lines = [json_line(header.as_dict()), *(json_line(to_json(event)) for event in events)]
    header_again, events_again = read_stream(lines)
    assert header_again == header
    assert list(events_again) == events
    for ruling in ruled(header, events):
        assert json_line(ruling.as_dict())


@settings(max_examples=in_soak(600, otherwise=20))
@given(streams)
def test_only_time_differences_matter(stream: tuple[int, Header]) -> None:
    """A stream that begins later gives the same rulings, later."""
    seed, header = stream
    events = a_stream(seed, header)
    later = [replace(event, t=event.t + 1000.0) for event in events]
    first, second = ruled(header, events), ruled(header, later)
    assert [type(ruling) for ruling in first] == [type(ruling) for ruling in second]
    assert all(abs(b.t - a.t - 1000.0) < 1e-5 for a, b in zip(first, second, strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("level", [1, 2, 3])
def test_a_cable_pulled_for_a_while_costs_nobody_anything(level: int) -> None:
    """Rights and deadlines stand still (R9.5): what is ruled afterwards is ruled so much later, and is the same.

    Sand does not stand still: games in which a glass runs out are left out, and the timer is not touched again.
    Nor does what leans.
    """
    compared = 0
    for seed in range(in_soak(300, otherwise=30)):
        chance = Random(seed)
        ruleset = Ruleset(level=level, start=chance.choice([*Start]), late_penalty=chance.choice([*LatePenalty]))
        header = Header(ruleset=ruleset, holders=chance.random() < 0.5, pause_when_lost=True)
        events = [event for event in a_stream(seed, header)[:-1] if not isinstance(event, Link | Tilt)]
        cut = chance.choice([event.t for event in events if event.t > 0] or [1.0])
        before = [event for event in events if event.t < cut]
        after = [event for event in events if event.t >= cut and not isinstance(event, TimerLifted | TimerSeated)]
        away, lost = chance.choice([0.1, 7.0, 60.0]), cut - 0.0005  # the stream's times are whole milliseconds
        link = [Link(lost, LinkState.LOST), Link(lost + away, LinkState.RESTORED)]
        paused = ruled(header, [*before, *link, *(replace(event, t=round(event.t + away, 3)) for event in after)])
        whole = ruled(header, [*before, *after])
        if any(isinstance(ruling, GlassLost | GlassDoubtful) for ruling in (*paused, *whole)):
            continue
        compared += 1
        expected = [_later(ruling, away) if ruling.t > lost else ruling for ruling in whole]
        given = [each for each in paused if not (isinstance(each, Warned) and each.code is Caution.LINK_LOST)]
        assert [_rounded(each) for each in given] == [_rounded(each) for each in expected], (seed, cut, away)
    assert compared > 10


def _later(ruling: Ruling, seconds: float) -> Ruling:
    if isinstance(ruling, TimerStarted):
        return replace(ruling, t=ruling.t + seconds, deadline=ruling.deadline + seconds)
    return replace(ruling, t=ruling.t + seconds)


def _rounded(ruling: Ruling) -> dict[str, Any]:
    return {key: round(value, 3) if isinstance(value, float) else value for key, value in ruling.as_dict().items()}


@pytest.mark.parametrize("action", ["award", "abandon"])
def test_an_arbiter_ends_a_game_at_any_moment(action: str) -> None:
    for seed in range(in_soak(40, otherwise=15)):
        header = Header(ruleset=Ruleset(level=1 + seed % 3))
        events = a_stream(seed, header)[:-1]
        referee = Referee(header)
        for event in events:
            referee.handle(event)
        if referee.is_over:
            continue
        record = {"t": events[-1].t, "event": "arbiter", "action": action}
        if action == "award":
            record["winner"] = Player.BLACK.value
        assert isinstance(referee.handle(parse_event(record))[-1], GameOver)
