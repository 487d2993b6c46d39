"""The match: its clockwork, its events, whole games, and what happens when nothing gets on."""

from __future__ import annotations

import pytest

from tamsk_hw.errors import ConfigError, TamskError
from tamsk_hw.game.ruleset import LatePenalty, Ruleset, Start
from tamsk_hw.game.tubes import Player
from tamsk_hw.referee.events import Action, Arbiter, Button, ButtonName, Press
from tamsk_hw.referee.rulings import GameOver, Moved, Reason, RingCounted, Ruling, TimerExpired, Turn, Violation
from tamsk_hw.simulator.truth import RingDropped
from tamsk_hw.simulator.world import World, WorldStart
from tests.players.habits import Habits
from tests.players.match import Match, StalledGame
from tests.players.story import (
    ClaimAnnounced,
    Decided,
    GlassPutBack,
    Misdeed,
    MoveMade,
    Resigned,
    RingPlayed,
    StartPressed,
    Surprised,
)
from tests.simulator.played_match import Played, Umpire, play

SLOW = Habits(dawdles=0.1, hesitates=0.3)


def agrees(played: Played) -> None:
    """Moves and rings were ruled as the players meant them, and every wrong by its name."""
    assert not played.told(Surprised)
    moves = [move for move in played.told(MoveMade) if isinstance(move, MoveMade) and move.lawful]
    assert [(m.player, m.from_tube, m.to, m.late) for m in played.ruled(Moved) if isinstance(m, Moved)] == [
        (move.player, move.from_tube, move.to_tube, move.late) for move in moves
    ]
    rings = [ring for ring in played.told(RingPlayed) if isinstance(ring, RingPlayed) and ring.counts]
    assert [(r.player, r.tube, r.kind.value) for r in played.ruled(RingCounted) if isinstance(r, RingCounted)] == [
        (ring.player, ring.tube, ring.intent.value) for ring in rings
    ]
    named = sorted(ruling.code.value for ruling in played.ruled(Violation) if isinstance(ruling, Violation))
    wrongs = [misdeed.kind.value for misdeed in played.told(Misdeed) if isinstance(misdeed, Misdeed)]
    wrongs += [m.fault.value for m in played.told(MoveMade) if isinstance(m, MoveMade) and m.fault is not None]
    assert named == sorted(kind for kind in wrongs if kind != "full_tube")


def test_a_level_1_game_needs_no_more_than_an_umpire_of_a_few_lines() -> None:
    umpire = Umpire()
    played = play(3, Ruleset(level=1), umpire=umpire, habits=Habits(claims=0, forgets_ring=0, delays_ring=0))
    assert played.over.reason in {Reason.FEWEST_RINGS, Reason.TIE}
    assert not played.told(Surprised)
    assert len(played.told(MoveMade)) == len(played.ruled(Moved)) > 40
    dropped = [fact for fact in played.world.truth if isinstance(fact, RingDropped)]
    assert 64 - len(dropped) == sum(played.over.rings_left.values())


@pytest.mark.soak(but=["0.3-1-1", "0.0-2-1", "0.0-3-1", "0.3-3-2"])
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize("mischief", [0.0, 0.3])
def test_whole_games_agree_with_the_referee(level: int, mischief: float, seed: int) -> None:
    played = play(seed, Ruleset(level=level), habits=SLOW, mischief=mischief)
    agrees(played)
    assert played.over.reason is not Reason.FULL_TUBE


@pytest.mark.parametrize(
    ("ruleset", "holders"),
    [
        (Ruleset(late_penalty=LatePenalty.LOSE_TURN), False),
        (Ruleset(forfeit_penalised=False), True),
        (Ruleset(start=Start.FREE), False),
        (Ruleset(level=1, start=Start.FREE), True),
        (Ruleset(level=2), True),
    ],
)
def test_variants_and_counted_holders(ruleset: Ruleset, holders: bool) -> None:
    agrees(play(11, ruleset, holders=holders, habits=SLOW, mischief=0.2, pace=0.6))


def test_players_set_the_board_up_from_the_box_and_press_start() -> None:
    ruleset = Ruleset(level=3)
    played = play(5, ruleset, world=World(5, setup=WorldStart.BOX), pace=0.5)
    agrees(played)
    assert len(played.told(StartPressed)) == 1
    starts = [event for event in played.events if isinstance(event, Button) and event.button is ButtonName.START]
    assert [event.press for event in starts] == [Press.SHORT]


def test_same_seed_same_game_another_seed_another() -> None:
    ruleset = Ruleset(level=3)
    first, again, other = (play(seed, ruleset, mischief=0.2, habits=SLOW) for seed in (8, 8, 9))
    assert list(first.match.story) == list(again.match.story)
    assert first.rulings == again.rulings
    assert list(first.match.story) != list(other.match.story)


def test_the_match_takes_the_world_to_its_own_acts_only() -> None:
    world = World(1)
    match = Match(world, Ruleset(level=1), 1)
    match.advance(0.05)
    assert world.now <= 0.05
    wakeup = match.next_wakeup
    assert wakeup is not None
    assert wakeup > 0.05
    match.advance(wakeup + 0.001)
    assert wakeup <= world.now <= wakeup + 0.001


def test_a_game_over_ends_the_match() -> None:
    match = Match(World(1), Ruleset(level=1), 1)
    match.hear([GameOver(0.0, "R9.6", None, Reason.ABANDONED, {Player.RED: 32, Player.BLACK: 32})])
    assert match.over is not None
    assert match.next_wakeup is None
    match.advance(100.0)
    assert match.take_events() == []


def test_a_game_that_does_not_get_on_is_called_stalled() -> None:
    world = World(1)
    match = Match(world, Ruleset(level=1), 1, patience=30.0)
    with pytest.raises(StalledGame, match=r"not got on for 30 s .* red is setting the board up") as caught:
        match.advance(100.0)
    assert isinstance(caught.value, TamskError)
    assert "\n" not in str(caught.value)
    assert 30.0 < world.now < 35.0


def test_a_move_that_is_never_ruled_stalls_the_game_and_is_told_as_a_surprise() -> None:
    moves = 0

    def deaf_from_the_fifth_move(ruling: Ruling) -> bool:
        nonlocal moves
        moves += isinstance(ruling, Moved)
        return moves < 5

    world = World(2)
    with pytest.raises(StalledGame):
        play(2, Ruleset(level=1), world=world, heard=deaf_from_the_fifth_move, patience=60.0)
    assert world.now > 60.0


def test_claims_come_out_as_buttons() -> None:
    played = play(4, Ruleset(level=1), habits=Habits(forgets_ring=0.5, claims=1.0))
    agrees(played)
    said = played.told(ClaimAnnounced)
    pressed = [e for e in played.events if isinstance(e, Button) and e.button is not ButtonName.START]
    assert len(said) == len(pressed) > 5
    assert [event.t for event in pressed] == [entry.t for entry in said if isinstance(entry, ClaimAnnounced)]
    claims = [ring for ring in played.ruled(RingCounted) if isinstance(ring, RingCounted)]
    assert sum(ring.kind.value == "claim" for ring in claims) > 5


def test_a_player_who_resigns_presses_long_and_loses() -> None:
    played = play(6, Ruleset(level=2), habits={Player.BLACK: Habits(resigns=1.0), Player.RED: Habits()})
    [resigned] = played.told(Resigned)
    assert isinstance(resigned, Resigned)
    assert resigned.player is Player.BLACK
    assert played.over.reason is Reason.RESIGNED
    assert played.over.winner is Player.RED


def test_a_late_player_completes_his_move_or_puts_it_back() -> None:
    habits = Habits(dawdles=0.5, hurries=1.0, hesitates=1.0, uses_timer=1.0, completes_late=0.5)
    played = play(3, Ruleset(level=3), habits=habits)
    agrees(played)
    assert any(ruling.started for ruling in played.ruled(TimerExpired) if isinstance(ruling, TimerExpired))
    late = [move for move in played.told(MoveMade) if isinstance(move, MoveMade) and move.late]
    put_back = [entry for entry in played.told(GlassPutBack) if isinstance(entry, GlassPutBack) and entry.late]
    assert late
    assert put_back


def test_dawdling_under_the_timer_forfeits_turns_and_gives_penalty_rings() -> None:
    habits = Habits(dawdles=0.3, hurries=0.0, uses_timer=1.0, forgets_penalty=0.0)
    played = play(12, Ruleset(level=3), habits=habits)
    agrees(played)
    expired = [ruling for ruling in played.ruled(TimerExpired) if isinstance(ruling, TimerExpired)]
    assert any(not ruling.started for ruling in expired)
    rings = [ring for ring in played.told(RingPlayed) if isinstance(ring, RingPlayed)]
    assert any(ring.intent.value == "penalty" for ring in rings)


def test_the_arbiter_calls_a_doubtful_glass_once_it_is_empty() -> None:
    careless = Habits(careless=1.0, pace=1.5)
    played = play(7, Ruleset(level=2), world=World(7, glass_seconds=60.0), habits=careless)
    assert not played.told(Surprised)
    decided = [d for d in played.told(Decided) if isinstance(d, Decided) and d.action is Action.EXPIRE]
    assert decided
    for decision in decided:
        ran_out = [fact.t for fact in played.world.truth if type(fact).__name__ == "GlassRanOut"]
        assert any(t <= decision.t for t in ran_out)
    events = [event for event in played.events if isinstance(event, Arbiter)]
    assert [(e.t, e.action, e.tube) for e in events] == [
        (d.t, d.action, d.tube) for d in played.told(Decided) if isinstance(d, Decided)
    ]


@pytest.mark.parametrize("habit", [{"pace": 0.0}, {"mischief": 1.5}, {"claims": -0.1}, {"sand_margin": -1.0}])
def test_habits_out_of_range_are_refused_by_name(habit: dict[str, float]) -> None:
    [(name, value)] = habit.items()
    with pytest.raises(ConfigError, match=rf"{name} is {value}; allowed is"):
        Habits(**habit)  # type: ignore[arg-type]


def test_turns_are_called_for_both_players_alike() -> None:
    played = play(1, Ruleset(level=1), pace=0.3)
    called = [turn.player for turn in played.ruled(Turn) if isinstance(turn, Turn)]
    assert called[:4] == [Player.RED, Player.BLACK, Player.RED, Player.BLACK]
