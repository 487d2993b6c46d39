"""``python -m tests.curves``: measure the curves and print them.

*Right up to* is the highest strength up to which no event was missed, invented or late and no ruling wrong;
*said from* the lowest from which on the trouble was reported in every game; *silent at* are the strengths at which
a ruling was wrong before that was reported, or it never was: there should be none.
"""

import argparse
import os
from collections import defaultdict
from multiprocessing import Pool

from rich.console import Console
from rich.table import Table

from tests.curves.curves import BY_NAME, CURVES, SEEDS
from tests.curves.figures import by_strength, in_unit, right_up_to, said_from, silent_at
from tests.curves.measuring import Point, measure


def arguments() -> argparse.Namespace:
    """Arguments of the command."""
    parser = argparse.ArgumentParser(prog="python -m tests.curves", description=__doc__)
    parser.add_argument("curve", nargs="*", help=f"all without any; there are {', '.join(BY_NAME)}")
    parser.add_argument(
        "--seeds", type=int, default=3, help=f"games at each strength, up to {len(SEEDS)}; default 3"
    )
    asked = parser.parse_args()
    unknown = [name for name in asked.curve if name not in BY_NAME]
    if unknown:
        parser.error(f"there is no curve {unknown[0]!r}; there are {', '.join(BY_NAME)}")
    return asked


def run(job: tuple[str, float, int]) -> Point:
    """One game."""
    return measure(*job)


def main() -> None:
    """Measure and print."""
    asked, console = arguments(), Console(width=140)
    curves = [BY_NAME[name] for name in asked.curve] or list(CURVES)
    jobs = [
        (curve.name, strength, seed)
        for curve in curves
        for strength in curve.strengths
        for seed in SEEDS[: asked.seeds]
    ]
    # The long games first, so that no core waits for another at the end.
    jobs.sort(key=lambda job: -BY_NAME[job[0]].weight)
    points: dict[str, list[Point]] = defaultdict(list)
    with Pool(os.cpu_count()) as pool:
        for point in pool.imap_unordered(run, jobs):
            points[point.curve].append(point)
    table = Table("curve", "goal", "right up to", "said from", "silent at")
    for curve in curves:
        games = by_strength(points[curve.name])
        marks = (curve.goal, right_up_to(games), said_from(games))
        silent = ", ".join(in_unit(curve, strength) for strength in silent_at(games))
        table.add_row(curve.title, *(in_unit(curve, mark) for mark in marks), silent or "never")
    console.print(table)


if __name__ == "__main__":
    main()
