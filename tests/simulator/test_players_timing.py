"""The players take their time as people do, and as their pace says."""

from __future__ import annotations

from statistics import mean, median

from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.game.tubes import Player
from tamsk_hw.referee.rulings import TimerStarted, Turn
from tests.players.habits import Habits
from tests.players.story import LiftedEarly, MoveMade, RingIntent, RingPlayed, TimerTurned
from tests.simulator.played_match import Played, play

PLAIN = Habits(lifts_early=0, dawdles=0, claims=0, forgets_ring=0, delays_ring=0)


def thinking(played: Played) -> list[float]:
    """Seconds from the call of a turn to the lift of the move made in it."""
    calls = [turn for turn in played.ruled(Turn) if isinstance(turn, Turn)]
    times = []
    for move in played.told(MoveMade):
        assert isinstance(move, MoveMade)
        called = max(turn.t for turn in calls if turn.player is move.player and turn.t < move.t)
        times.append(move.t_lift - called)
    return times


def ring_delays(played: Played) -> list[float]:
    """Seconds from the seating of a glass to the rest of its own ring."""
    delays = []
    last: dict[Player, float] = {}
    for entry in played.match.story:
        if isinstance(entry, MoveMade):
            last[entry.player] = entry.t
        elif isinstance(entry, RingPlayed) and entry.intent is RingIntent.MOVE:
            delays.append(entry.t - last[entry.player])
    return delays


def test_thinking_takes_half_a_second_to_eight_seconds() -> None:
    times = [t for seed in (1, 2, 3) for t in thinking(play(seed, Ruleset(level=2), habits=PLAIN))]
    assert len(times) > 100
    # a hand needs up to 0.4 s to the glass, and now and then waits for the other's
    assert min(times) > 0.5
    assert max(times) < 11.0
    assert 2.0 < median(times) < 5.0


def test_rings_come_within_their_window_and_not_all_at_once() -> None:
    delays = [d for seed in (1, 2, 3) for d in ring_delays(play(seed, Ruleset(level=2), habits=PLAIN))]
    assert len(delays) > 100
    assert min(delays) > 0.5
    assert max(delays) < 5.0 - 0.5
    assert max(delays) - min(delays) > 1.0


def test_counted_holders_cost_time_but_no_window() -> None:
    delays = ring_delays(play(4, Ruleset(level=2), habits=PLAIN, holders=True))
    assert len(delays) > 40
    assert max(delays) < 5.0


def test_pace_makes_a_game_brisk() -> None:
    calm = mean(thinking(play(5, Ruleset(level=1), habits=PLAIN)))
    brisk = mean(thinking(play(5, Ruleset(level=1), habits=PLAIN, pace=0.2)))
    assert brisk < calm / 2


def test_forgotten_rings_are_as_many_as_the_habit_says() -> None:
    none = play(6, Ruleset(level=2), habits=Habits(forgets_ring=1.0, claims=0.0), limit=300.0)
    assert none.told(MoveMade)
    assert not none.told(RingPlayed)
    every = play(6, Ruleset(level=2), habits=PLAIN, limit=300.0)
    first = [move for move in every.told(MoveMade) if isinstance(move, MoveMade)][:40]
    rings = [(ring.player, ring.tube, ring.t) for ring in every.told(RingPlayed) if isinstance(ring, RingPlayed)]
    assert len(first) == 40
    for move in first:
        assert any(who is move.player and tube is move.to_tube and 0 < t - move.t < 5 for who, tube, t in rings)


def test_at_level_1_a_ring_may_come_while_the_opponent_thinks() -> None:
    habits = Habits(delays_ring=1.0, claims=0.0, forgets_ring=0.0, lifts_early=0.0)
    played = play(7, Ruleset(level=1), habits=habits)
    delays = ring_delays(played)
    assert delays
    assert max(delays) > 5.0


def test_early_lifts_are_made_on_the_others_turn_only() -> None:
    played = play(8, Ruleset(level=2), habits=Habits(lifts_early=0.6))
    early = [entry for entry in played.told(LiftedEarly) if isinstance(entry, LiftedEarly)]
    assert len(early) > 5
    calls = [turn for turn in played.ruled(Turn) if isinstance(turn, Turn)]
    for entry in early:
        assert (
            max((turn for turn in calls if turn.t < entry.t), key=lambda turn: turn.number).player
            is not entry.player
        )


def test_the_timer_is_turned_against_a_slow_opponent_when_it_is_empty() -> None:
    played = play(9, Ruleset(level=3), habits=Habits(uses_timer=1.0, dawdles=0.3, hurries=1.0))
    turned = [entry for entry in played.told(TimerTurned) if isinstance(entry, TimerTurned)]
    assert len(turned) > 3
    assert all(entry.empty for entry in turned)
    against = [ruling for ruling in played.ruled(TimerStarted) if isinstance(ruling, TimerStarted)]
    # now and then the opponent finishes his move while the hand is at the timer
    assert sum(r.against is not e.player for r, e in zip(against, turned, strict=False)) > len(against) / 2


def test_dawdlers_think_longer_than_the_timer_runs() -> None:
    habits = Habits(dawdles=1.0, hurries=0.0, uses_timer=0.0, lifts_early=0.0)
    times = thinking(play(10, Ruleset(level=2), habits=habits, limit=400.0))
    assert len(times) > 10
    assert min(times) >= 16.0
    assert max(times) < 31.0
