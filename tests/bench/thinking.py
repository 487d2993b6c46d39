"""The cost of the partner's decisions in a whole game: positions looked at, and the processor's time."""

import statistics

from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.partner import Strength
from tests.bench.figures import Figure
from tests.partner_matches import LAWFUL, Match, refereed, seated

#: Seconds that a decision may take on a Raspberry Pi Zero 2 W, and how much slower that is than the reference.
DECISION, SLOWER = 1.0, 10

#: How often the game is played; the work is the same each time, and each decision's least time counts.
PASSES = 3


def decisions_of(strength: Strength) -> list[tuple[int, float]]:
    """Nodes and seconds of each decision in a game of level 3 against the lawful player."""
    match = Match(level=3, one=strength.value, other=LAWFUL, variant="corners", seed=1)
    ruleset = Ruleset(level=match.level)
    passes = []
    for _ in range(PASSES):
        brains = seated(match, 0, ruleset)
        refereed(match, 0, brains, ruleset)
        [brain] = brains.values()
        passes.append(brain.decisions)
    return [(same[0][0], min(seconds for _, seconds in same)) for same in zip(*passes, strict=True)]


def thinking_figures(slow: float) -> list[Figure]:
    """Measure each strength; ``slow``: by how much this machine is slower than the reference."""
    figures = []
    for strength in Strength:
        decisions = decisions_of(strength)
        nodes, seconds = max(nodes for nodes, _ in decisions), [seconds for _, seconds in decisions]
        usual, longest = statistics.median(seconds), max(seconds)
        rate = sum(nodes for nodes, _ in decisions) / sum(seconds)
        figures.append(
            Figure(
                f"partner, {strength.value}: a decision ({nodes} nodes at most)",
                f"{1000 * slow * DECISION / SLOWER:.0f} ms",
                f"{1000 * usual:.1f} ms, at most {1000 * longest:.1f} ms; {rate:,.0f} nodes/s",
                longest <= slow * DECISION / SLOWER and nodes <= strength.nodes,
            )
        )
    return figures
