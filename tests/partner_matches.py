"""``python -m tests.partner_matches LEVEL ONE OTHER``: games between two players, sides alternating, and who won.

A player is ``lawful`` (the demo's) or one of the partner's strengths. Time is simulated, with hands that take it;
what they do reaches the real referee without sensors. The games of a seed are always the same.
"""

import argparse
import time
from dataclasses import dataclass
from math import sqrt

from tamsk_hw.game.ruleset import LatePenalty, Ruleset, Start
from tamsk_hw.game.tubes import Player
from tamsk_hw.partner import Intention, Partner, Strength
from tamsk_hw.referee.rulings import GameOver, RingCounted, Violation
from tamsk_hw.referee.view import View
from tamsk_hw.simulator.demo import Demo
from tamsk_hw.simulator.truth import RingDropped
from tests.simulator.played_match import referee_for, run, world_for

LAWFUL = "lawful"
NAMES = (LAWFUL, *(strength.value for strength in Strength))

#: What may be played besides the default.
VARIANTS: dict[str, dict[str, object]] = {
    "corners": {},
    "free": {"start": Start.FREE},
    "lose_turn": {"late_penalty": LatePenalty.LOSE_TURN},
}


@dataclass(frozen=True, kw_only=True)
class Match:
    """The games to be played."""

    level: int
    one: str
    other: str
    variant: str
    seed: int


@dataclass(frozen=True, kw_only=True)
class Result:
    """One game. ``wrongs``: what the referee objected to. ``nodes``, ``seconds``: the most for one decision."""

    game: int
    winner: str | None
    reason: str
    left: tuple[int, int]
    wrongs: int
    nodes: int
    seconds: float


class Timed:
    """A partner whose decisions are timed, by the processor: (nodes, seconds) of each."""

    def __init__(self, partner: Partner) -> None:
        self.partner = partner
        self.decisions: list[tuple[int, float]] = []

    def intend(self, view: View) -> Intention:
        self.partner.nodes = 0
        begin = time.process_time()
        intention = self.partner.intend(view)
        if self.partner.nodes:
            self.decisions.append((self.partner.nodes, time.process_time() - begin))
        return intention


def seated(match: Match, game: int, ruleset: Ruleset) -> dict[Player, Timed]:
    """The partners in a game of a match; ``one`` is red in those of even numbers."""
    one = Player.RED if game % 2 == 0 else Player.BLACK
    return {
        player: Timed(Partner(player, ruleset, Strength(name), 100_000 * match.seed + game))
        for player, name in ((one, match.one), (one.opponent, match.other))
        if name != LAWFUL
    }


def refereed(match: Match, game: int, brains: dict[Player, Timed], ruleset: Ruleset) -> tuple[GameOver, int]:
    """Play one game: how it ended, and what the referee objected to."""
    seed = 100_000 * match.seed + game
    world = world_for(seed, ruleset)
    referee = referee_for(world, ruleset)
    rulings, _ = run(Demo(world, lambda: referee.view(world.now), seed, brains), referee)
    over = rulings[-1]
    assert isinstance(over, GameOver), f"game {game} of {match} has not ended: {over}"
    dropped = [(fact.player, fact.tube) for fact in world.truth if isinstance(fact, RingDropped)]
    counted = [(ruling.player, ruling.tube) for ruling in rulings if isinstance(ruling, RingCounted)]
    return over, sum(isinstance(ruling, Violation) for ruling in rulings) + (dropped != counted)


def play(match: Match, game: int) -> Result:
    """The result of one game of a match."""
    ruleset = Ruleset(level=match.level, **VARIANTS[match.variant])  # type: ignore[arg-type]
    brains = seated(match, game, ruleset)
    over, wrongs = refereed(match, game, brains, ruleset)
    one = Player.RED if game % 2 == 0 else Player.BLACK
    left = over.rings_left
    decisions = [decision for brain in brains.values() for decision in brain.decisions]
    return Result(
        game=game,
        winner=None if over.winner is None else match.one if over.winner is one else match.other,
        reason=over.reason.value,
        left=(left[one], left[one.opponent]),
        wrongs=wrongs,
        nodes=max((nodes for nodes, _ in decisions), default=0),
        seconds=round(max((seconds for _, seconds in decisions), default=0.0), 4),
    )


def interval(wins: int, games: int) -> tuple[float, float]:
    """Wilson's interval, 95 %, of a share."""
    z, share = 1.96, wins / games
    middle = share + z * z / (2 * games)
    half = z * sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return (middle - half) / (1 + z * z / games), (middle + half) / (1 + z * z / games)


def summary(match: Match, results: list[Result]) -> str:
    """One line on a match."""
    won = sum(result.winner == match.one for result in results)
    tied = sum(result.winner is None for result in results)
    low, high = interval(won, len(results))
    return (
        f"level {match.level} {match.variant}, seed {match.seed}: {match.one} won {won} of {len(results)} "
        f"({won / len(results):.1%}; 95 % interval {low:.1%} to {high:.1%}), {tied} tied, against {match.other}; "
        f"unlawful {sum(result.wrongs for result in results)}; a decision took at most "
        f"{max(result.nodes for result in results)} nodes and {max(result.seconds for result in results):.3f} s"
    )


def main() -> None:
    """Play a match and print its line."""
    parser = argparse.ArgumentParser(prog="python -m tests.partner_matches")
    parser.add_argument("level", type=int, choices=(1, 2, 3))
    parser.add_argument("one", choices=NAMES)
    parser.add_argument("other", choices=NAMES)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--variant", choices=VARIANTS, default="corners")
    given = parser.parse_args()
    if given.one == given.other == LAWFUL:
        parser.error("one of the two must be the partner")
    match = Match(level=given.level, one=given.one, other=given.other, variant=given.variant, seed=given.seed)
    print(summary(match, [play(match, game) for game in range(given.games)]))


if __name__ == "__main__":
    main()
