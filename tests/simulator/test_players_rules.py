"""Without mischief the players keep the rules: the test itself holds every move and ring against the position."""

from __future__ import annotations

import pytest

from tamsk_hw.game.position import Position
from tamsk_hw.game.ruleset import Ruleset, Start
from tamsk_hw.game.tubes import CAPACITY, NEIGHBOURS, TUBES, Player, Tube
from tamsk_hw.simulator.truth import GlassId, GlassLifted, GlassRanOut, GlassSeated, RingDropped, RingLifted
from tests.players.habits import Habits
from tests.players.story import (
    ClaimAnnounced,
    Misdeed,
    MoveMade,
    RingIntent,
    RingPlayed,
)
from tests.simulator.played_match import Played, play

SLOW = Habits(dawdles=0.05, hesitates=0.2, forgets_ring=0.1)


def test_glasses_go_to_touching_vacant_tubes_that_are_not_full_by_the_world_alone() -> None:
    """Judged by what the world did, without any account of the players."""
    for level, seed in ((1, 21), (2, 22), (3, 23)):
        played = play(seed, Ruleset(level=level), habits=SLOW)
        stands: dict[GlassId, Tube] = {}
        came_from: dict[GlassId, Tube] = {}
        rings = dict.fromkeys(TUBES, 0)
        moves = 0
        for fact in played.world.truth:
            if isinstance(fact, GlassLifted):
                came_from[fact.glass] = stands.pop(fact.glass, fact.tube)
                assert fact.player is fact.glass.owner
            elif isinstance(fact, GlassSeated):
                home = came_from.pop(fact.glass)
                if fact.tube is not home:
                    moves += 1
                    assert fact.tube in NEIGHBOURS[home]
                    assert rings[fact.tube] < CAPACITY[fact.tube]
                    assert fact.tube not in stands.values()
                    assert fact.tube not in came_from.values(), "the glass in the hand still holds its tube"
                    assert fact.turned or level == 1
                stands[fact.glass] = fact.tube
            elif isinstance(fact, RingDropped):
                rings[fact.tube] = fact.count
            else:
                assert not isinstance(fact, RingLifted)
        assert moves > 40


@pytest.mark.soak(but=["ruleset0-31", "ruleset1-32", "ruleset2-33", "ruleset3-34"])
@pytest.mark.parametrize("seed", range(31, 35))
@pytest.mark.parametrize(
    "ruleset", [Ruleset(level=1), Ruleset(level=2), Ruleset(level=3), Ruleset(start=Start.FREE)]
)
def test_every_move_and_ring_is_lawful_by_the_position(ruleset: Ruleset, seed: int) -> None:
    played = play(seed, ruleset, habits=SLOW)
    assert not played.told(Misdeed)
    position = Position.start(ruleset)
    entered: dict[Player, MoveMade] = {}
    announced: dict[Player, float] = {}
    lifted_at: dict[Player, float] = {}
    for entry in sorted(played.match.story, key=lambda entry: entry.t):
        if isinstance(entry, MoveMade):
            assert entry.lawful
            position = _with_lost(played, position, entry.t_lift).turned_to(entry.player)
            move = next(m for m in _moves(position) if m == (entry.from_tube, entry.to_tube))
            assert move
            entered[entry.player] = entry
            lifted_at[entry.player] = entry.t_lift
            if entry.from_tube is None:
                position = position.placed(entry.player, entry.to_tube)
            else:
                position = position.moved(entry.from_tube, entry.to_tube)
        elif isinstance(entry, ClaimAnnounced):
            announced[entry.player] = entry.t
        elif isinstance(entry, RingPlayed):
            assert position.left(entry.player) > 0
            assert not position.is_full(entry.tube)
            if entry.intent is RingIntent.MOVE:
                own = entered[entry.player]
                assert own.to_tube is entry.tube
                assert ruleset.level == 1 or entry.t - own.t < ruleset.ring_window
            elif entry.intent is RingIntent.CLAIM:
                other = entered[entry.player.opponent]
                assert other.to_tube is entry.tube
                assert 0 < entry.t - announced[entry.player] < 5.0
                assert lifted_at.get(entry.player, 0.0) < other.t
            else:
                assert entry.intent is RingIntent.PENALTY
                assert entry.t - entered[entry.player].t < ruleset.penalty_window
            position = position.ringed(entry.tube, entry.player)
    assert list(position.rings) == [played.world.rings(tube) for tube in TUBES]
    assert {player: position.left(player) for player in Player} == played.over.rings_left


def _moves(position: Position) -> list[tuple[Tube | None, Tube]]:
    return [(move.from_tube, move.to_tube) for move in position.legal_moves()]


def _with_lost(played: Played, position: Position, t: float) -> Position:
    """The position with every glass lost that had run out in its tube by ``t``, started glasses alone."""
    if not position.ruleset.has_sand:
        return position
    where: dict[GlassId, Tube] = {}
    for fact in played.world.truth:
        if fact.t > t:
            break
        if isinstance(fact, GlassSeated):
            where[fact.glass] = fact.tube
        elif isinstance(fact, GlassRanOut) and fact.tube is not None and not position.fresh >> fact.tube & 1:
            assert fact.tube is where[fact.glass]
            position = position.lose(fact.tube)
    return position


def test_glasses_are_kept_alive_and_games_last() -> None:
    """With sand for three minutes most glasses live to the end of play, and most rings are played."""
    lost, left = [], []
    for seed in range(41, 49):
        played = play(seed, Ruleset(level=2), habits=Habits())
        last_move = max(move.t for move in played.told(MoveMade) if isinstance(move, MoveMade))
        empty = [
            fact.glass
            for fact in played.world.truth
            if isinstance(fact, GlassRanOut) and fact.tube is not None and fact.t < last_move
        ]
        lost.append(len(set(empty)))
        left.append(sum(played.over.rings_left.values()))
    assert sum(lost) / len(lost) < 3.0
    assert sum(left) / len(left) < 20
