"""The judge: rulings against what the world and its players know they did. Nothing here asks the referee."""

from collections import Counter
from collections.abc import Sequence

from tamsk_hw.game.tubes import CAPACITY, START_TUBES, Player
from tamsk_hw.referee.events import Action
from tamsk_hw.referee.rulings import (
    Caution,
    GameOver,
    GlassDoubtful,
    GlassLost,
    Moved,
    Reason,
    RingCounted,
    Ruling,
    Turn,
    Violation,
    Warned,
)
from tamsk_hw.simulator.glasses import WorldGlass
from tamsk_hw.simulator.truth import GlassRanOut, GlassSeated, RingDropped
from tests.players.habits import Mischief
from tests.players.simulated_game import SimulatedGame
from tests.players.story import Decided, LiftedEarly, Misdeed, MoveMade, Resigned, RingPlayed, Surprised

#: A seat is felt when the glass first stands, which bounces for up to 0.25 s before it rests; a hand's lift and
#: a ring's fall are of that order too.
SLACK = 0.5


def judge(game: SimulatedGame) -> None:
    """Fail unless every ruling of a finished game agrees with the truth of its world."""
    rulings = game.refereeing.rulings
    over = rulings[-1]
    assert isinstance(over, GameOver), f"no end; last ruled: {rulings[-1]}"
    surprises = [entry for entry in game.match.story if isinstance(entry, Surprised)]
    assert not surprises, surprises
    _judge_moves(game, rulings)
    _judge_rings(game, rulings, over)
    _judge_violations(game, rulings)
    if game.header.ruleset.has_sand:
        _judge_sand(game, rulings, over)
    _judge_result(game, over)
    assert not [r for r in rulings if isinstance(r, Warned) and r.code is Caution.SENSOR_FAULT]
    assert not [r for r in rulings if isinstance(r, Warned) and r.code is Caution.LINK_LOST]


def _judge_moves(game: SimulatedGame, rulings: Sequence[Ruling]) -> None:
    made = [entry for entry in game.match.story if isinstance(entry, MoveMade) and entry.lawful]
    ruled = [ruling for ruling in rulings if isinstance(ruling, Moved)]
    assert [(m.player, m.from_tube, m.to_tube, m.late) for m in made] == [
        (r.player, r.from_tube, r.to, r.late) for r in ruled
    ]
    for move, ruling in zip(made, ruled, strict=True):
        assert move.t - SLACK <= ruling.t <= move.t + 0.1, (move, ruling)


def _judge_rings(game: SimulatedGame, rulings: Sequence[Ruling], over: GameOver) -> None:
    played = [entry for entry in game.match.story if isinstance(entry, RingPlayed) and entry.counts]
    ruled = [r for r in rulings if isinstance(r, RingCounted) and not r.by_arbiter]
    true = Counter((p.player, p.tube.name, p.intent.value) for p in played)
    said = Counter((r.player, r.tube.name, r.kind.value) for r in ruled)
    # A ring that ended the game lies a moment after it was ruled on, when its player has stopped to tell of it.
    last = Counter(
        (truth.player, truth.tube.name)
        for truth in game.world.truth
        if isinstance(truth, RingDropped) and truth.t > over.t
    )
    ending = Counter((p.player, p.tube.name, p.intent.value) for p in played if p.t > over.t - SLACK)
    assert true - said <= ending, true - said
    assert Counter((player, tube) for player, tube, _ in (said - true).elements()) <= last, (said - true, last)
    dropped = Counter(r.player for r in ruled)
    assert over.rings_left == {player: 32 - dropped[player] for player in Player}


def _judge_violations(game: SimulatedGame, rulings: Sequence[Ruling]) -> None:
    """Every misdeed is called by its name, and nothing else is; what comes as the game ends may be too late."""
    over = rulings[-1]
    turns = [ruling.t for ruling in rulings if isinstance(ruling, Turn)]
    # With no turn the timer has no effect any more (R5.1).
    stopped = next((r.t for r in reversed(rulings) if isinstance(r, Moved) and r.t > turns[-1]), over.t)
    done = [
        (entry.t, kind.value)
        for entry in game.match.story
        if isinstance(entry, (MoveMade, Misdeed))
        and (kind := entry.fault if isinstance(entry, MoveMade) else entry.kind)
        and kind is not Mischief.FULL_TUBE
    ]
    ruled = Counter(ruling.code.value for ruling in rulings if isinstance(ruling, Violation))
    due = [kind for t, kind in done if t < (stopped if kind == "timer_running" else over.t) - SLACK]
    missed = Counter(due) - ruled
    assert not missed, f"not called: {missed}"
    invented = ruled - Counter(kind for _, kind in done)
    assert not invented, f"called without cause: {invented}"
    lifted = [(e.player, e.tube, e.t) for e in game.match.story if isinstance(e, LiftedEarly) and e.t < over.t]
    early = [(r.player, r.tube, r.t) for r in rulings if isinstance(r, Warned) and r.code is Caution.EARLY_START]
    turns = [r.t for r in rulings if isinstance(r, (Turn, GameOver))]
    for player, tube, t in early:
        assert any((player, tube) == entry[:2] and abs(t - entry[2]) < SLACK for entry in lifted), (tube, t)
    for player, tube, t in lifted:
        # At the very end of the opponent's move, or of the game, nobody can say which hand was first.
        close = any(abs(t - turn) < SLACK for turn in turns)
        assert close or any((player, tube) == entry[:2] and abs(t - entry[2]) < SLACK for entry in early), (
            tube,
            t,
        )


def _judge_sand(game: SimulatedGame, rulings: Sequence[Ruling], over: GameOver) -> None:
    """A glass is called lost only after it ran out, and doubtful or lost before or as it does."""
    # The moves are judged already: they say which of the world's glasses a ruling speaks of.
    name = {glass.name: glass for glass in game.world.glasses}
    at = {tube: name[tube.name] for tubes in START_TUBES.values() for tube in tubes if tube.name in name}
    placed: Counter[Player] = Counter()
    called: dict[WorldGlass, float] = {}
    started: set[WorldGlass] = set()
    for entry in sorted([*game.world.truth, *rulings], key=lambda entry: entry.t + _late(entry)):
        match entry:
            case Moved(_, _, player, from_tube, to):
                placed[player] += from_tube is None
                glass = name[f"{player}-{placed[player]}"] if from_tube is None else at.pop(from_tube)
                at[to] = glass
                started.add(glass)
                called.pop(glass, None)
            case GlassDoubtful():
                called.setdefault(at[entry.tube], entry.t)
            case GlassLost():
                glass = at[entry.tube]
                called.setdefault(glass, entry.t)
                ran_out = [t.t for t in game.world.truth if isinstance(t, GlassRanOut) and t.glass == glass]
                # A glass placed from off the board has run in the hand, of which nobody knows.
                assert any(t <= entry.t + (1.5 if placed[glass.owner] else 0.05) for t in ran_out), (
                    entry,
                    ran_out,
                )
            case GlassRanOut(t, glass, tube) if tube and glass in started and t < over.t - SLACK:
                assert glass in called, f"{glass} ran out at {t}, unnoticed"


def _late(entry: object) -> float:
    """Truth of a glass that ran out is compared a moment later, when the ruling on it must have come."""
    return SLACK if isinstance(entry, GlassRanOut) else 0.0


def _judge_result(game: SimulatedGame, over: GameOver) -> None:
    story = game.match.story
    red, black = over.rings_left[Player.RED], over.rings_left[Player.BLACK]
    by_rings = {True: Player.RED, False: Player.BLACK}[red < black]
    match over.reason:
        case Reason.FEWEST_RINGS:
            assert red != black
            assert over.winner is by_rings
        case Reason.TIE:
            assert red == black
            assert over.winner is None
        case Reason.LAST_GLASS:
            assert red == black
            assert over.winner is _last_running(game, over.t)
        case Reason.RESIGNED:
            resigned = [entry for entry in story if isinstance(entry, Resigned)]
            assert over.winner is resigned[-1].player.opponent
        case Reason.FULL_TUBE:
            seated = [t for t in game.world.truth if isinstance(t, GlassSeated) and abs(t.t - over.t) < SLACK]
            entered = seated[-1]
            assert game.world.rings[entered.tube] == CAPACITY[entered.tube]
            assert over.winner is entered.glass.owner.opponent
        case Reason.AWARDED:
            decided = [e for e in story if isinstance(e, Decided) and e.action is Action.AWARD]
            assert over.winner is decided[-1].player
        case _:
            raise AssertionError(over)


def _last_running(game: SimulatedGame, t: float) -> Player | None:
    """The only player with a glass that runs at ``t``, by the world's own sand; None when both or neither has."""
    runs_out_at = getattr(game.world, "runs_out_at", lambda glass: glass.runs_out_at(game.world.now))
    running = {glass.owner for glass in game.world.glasses if (runs_out_at(glass) or 0.0) > t}
    ran_out_later = {
        entry.glass.owner for entry in game.world.truth if isinstance(entry, GlassRanOut) and entry.t > t
    }
    alive = running | ran_out_later
    return alive.pop() if len(alive) == 1 else None
