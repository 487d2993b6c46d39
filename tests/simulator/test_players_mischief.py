"""Every kind of mischief is made, called by its name, and put right by whoever made it."""

from __future__ import annotations

import pytest

from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.game.tubes import TUBES, Player
from tamsk_hw.referee.rulings import Reason, Restored, Ruling, TimerStarted, Violation
from tamsk_hw.simulator.truth import GlassLifted, RingDropped, RingLifted
from tests.players.habits import MISCHIEF, Habits, Mischief
from tests.players.story import Misdeed, MoveMade, PutRight, Surprised, TimerTurned
from tests.simulator.played_match import Played, play

LEVELS = {
    Mischief.NOT_TURNED: 2,
    Mischief.TURNED_IN_PLACE: 2,
    Mischief.DEAD_GLASS: 2,
    Mischief.ALREADY_MOVED: 2,
    Mischief.TIMER_RUNNING: 3,
}


def bent_on(kind: Mischief, level: int) -> Played:
    """A game in which that kind of mischief happens; the seeds are tried in order."""
    habits = Habits(mischief=0.5, mischief_kinds=frozenset({kind}), careless=0.5, uses_timer=1.0)
    for seed in range(50, 60):
        played = play(seed, Ruleset(level=level), habits=habits)
        if wrongs(played):
            return played
    raise AssertionError(f"no {kind.value} in ten games")


def wrongs(played: Played) -> list[tuple[Player, Mischief]]:
    faults = [
        (m.player, m.fault) for m in played.told(MoveMade) if isinstance(m, MoveMade) and m.fault is not None
    ]
    return faults + [(m.player, m.kind) for m in played.told(Misdeed) if isinstance(m, Misdeed)]


@pytest.mark.parametrize("kind", sorted(MISCHIEF, key=lambda kind: kind.value), ids=lambda kind: kind.value)
def test_each_kind_happens_is_told_by_its_name_and_put_right(kind: Mischief) -> None:
    played = bent_on(kind, LEVELS.get(kind, 1))
    assert not played.told(Surprised)
    made = wrongs(played)
    assert {what for _, what in made} == {kind}
    told = [ruling for ruling in played.ruled(Violation) if isinstance(ruling, Violation)]
    assert [ruling.code.value for ruling in told] == [kind.value] * len(made)
    mended = [(entry.player, entry.kind) for entry in played.told(PutRight) if isinstance(entry, PutRight)]
    if kind is Mischief.TIMER_RUNNING:
        assert mended == []
        turned = [
            entry for entry in played.told(TimerTurned) if isinstance(entry, TimerTurned) and not entry.empty
        ]
        assert len(turned) == len(made)
    else:
        still_open = len(played.match.table.deeds)
        assert still_open <= 2
        assert len(mended) == len(made) - still_open
        assert len(played.ruled(Restored)) >= len(mended) > 0
        # nobody is quick enough to put right what he has not been told
        for ruling in told:
            after = [entry.t for entry in played.told(PutRight) if entry.t > ruling.t]
            assert not after or min(after) > ruling.t + 0.5


def test_a_game_full_of_mischief_leaves_the_board_as_the_rulings_say() -> None:
    for seed in (71, 72, 73):
        played = play(seed, Ruleset(level=3), habits=Habits(mischief=0.6))
        assert not played.told(Surprised)
        assert len(wrongs(played)) > 10
        counted = played.match.table.position.rings
        wrong = {deed.tube for deed in played.match.table.deeds}
        for tube in TUBES:
            assert tube in wrong or played.world.rings(tube) == counted[tube]


def test_mischief_of_one_player_alone() -> None:
    habits = {Player.RED: Habits(mischief=0.5), Player.BLACK: Habits()}
    played = play(81, Ruleset(level=2), habits=habits)
    assert {player for player, _ in wrongs(played)} == {Player.RED}
    assert {entry.player for entry in played.told(PutRight) if isinstance(entry, PutRight)} == {Player.RED}


def test_who_is_not_told_that_it_is_right_tries_again() -> None:
    """The first `restored` is not heard: the glass is taken out and seated once more."""
    unheard = 1

    def hard_of_hearing(ruling: Ruling) -> bool:
        nonlocal unheard
        if isinstance(ruling, Restored) and unheard:
            unheard -= 1
            return False
        return True

    habits = Habits(mischief=1.0, mischief_kinds=frozenset({Mischief.OUT_OF_PLACE}))
    played = play(92, Ruleset(level=1), habits=habits, heard=hard_of_hearing, limit=120.0)
    first = played.told(Misdeed)[0]
    assert isinstance(first, Misdeed)
    seen = [ruling.t for ruling in played.ruled(Restored)]
    assert not any(entry.t < seen[0] + 2.0 for entry in played.told(PutRight))
    tried = [fact.t for fact in played.world.truth if isinstance(fact, GlassLifted) and fact.tube is first.tube]
    assert any(seen[0] < t < seen[0] + 20.0 for t in tried)
    assert first.t < seen[0]


def test_removed_rings_come_back_before_new_ones_count() -> None:
    played = bent_on(Mischief.RING_REMOVED, 1)
    missing: set[object] = set()
    for fact in played.world.truth:
        if isinstance(fact, RingLifted):
            missing.add(fact.tube)
        elif isinstance(fact, RingDropped):
            missing.discard(fact.tube)
    assert len(missing) <= 1
    assert not played.told(Surprised)


def test_entering_a_full_tube_loses_the_game() -> None:
    habits = {Player.RED: Habits(enters_full_tube=1.0), Player.BLACK: Habits()}
    played = play(61, Ruleset(level=1), habits=habits)
    assert played.over.reason is Reason.FULL_TUBE
    assert played.over.winner is Player.BLACK
    last = played.told(MoveMade)[-1]
    assert isinstance(last, MoveMade)
    assert (last.player, last.fault) == (Player.RED, Mischief.FULL_TUBE)


def test_no_mischief_without_the_inclination() -> None:
    played = play(62, Ruleset(level=3), habits=Habits())
    assert wrongs(played) == []
    assert not played.ruled(Violation)
    assert played.ruled(TimerStarted)
