"""``python -m tests.curves``: measure the curves and print them, or tell what was wrong in one game.

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
from tests.curves.figures import Figures, in_unit, right_up_to, rows_of, said_from, silent_at, span
from tests.curves.measuring import Point, measure


def arguments() -> argparse.Namespace:
    """Arguments of the command."""
    parser = argparse.ArgumentParser(prog="python -m tests.curves", description=__doc__)
    parser.add_argument("curve", nargs="*", help=f"all without any; there are {', '.join(BY_NAME)}")
    parser.add_argument(
        "--seeds", type=int, default=3, help=f"games at each strength, up to {len(SEEDS)}; default 3"
    )
    parser.add_argument("--at", type=float, help="tell of the games at this strength alone")
    parser.add_argument("--seed", type=int, help="tell of the game of this seed alone")
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
    seeds = SEEDS[: asked.seeds] if asked.seed is None else (asked.seed,)
    jobs = [
        (curve.name, strength, seed)
        for curve in curves
        for strength in (curve.strengths if asked.at is None else (asked.at,))
        for seed in seeds
    ]
    # The long games first, so that no core waits for another at the end.
    jobs.sort(key=lambda job: -BY_NAME[job[0]].weight)
    points: dict[str, list[Point]] = defaultdict(list)
    with Pool(os.cpu_count()) as pool:
        for point in pool.imap_unordered(run, jobs):
            points[point.curve].append(point)
            if asked.at is not None or asked.seed is not None:
                tell(console, point)
    figures: Figures = {curve.name: rows_of(sorted(points[curve.name], key=lambda p: p.seed)) for curve in curves}
    show(console, figures)


def tell(console: Console, point: Point) -> None:
    """All that was wrong in a game."""
    console.print(
        f"{point.curve} at {point.strength:g}, seed {point.seed}:", f"said at {point.said}", highlight=False
    )
    for kind, wrongs in (("event", point.verdict.events), ("ruling", point.verdict.rulings)):
        for wrong in wrongs:
            console.print(f"  {kind} {wrong}", highlight=False, markup=False)


def show(console: Console, figures: Figures) -> None:
    """The figures as a table."""
    table = Table()
    for heading in (
        "curve",
        "strength",
        "events",
        "missed",
        "invented",
        "late",
        "wrong rulings",
        "said",
        "silent",
    ):
        table.add_column(heading)
    for name, rows in figures.items():
        for row in rows:
            counts = (row.events, row.missed, row.invented, row.late, row.wrong, row.said, row.silent)
            table.add_row(name, in_unit(BY_NAME[name], row.strength), *map(str, counts))
    console.print(table)
    summary = Table("curve", "goal", "right up to", "said from", "silent at")
    for name, rows in figures.items():
        curve = BY_NAME[name]
        marks = (curve.goal, right_up_to(rows), said_from(rows))
        summary.add_row(curve.title, *(in_unit(curve, mark) for mark in marks), span(curve, silent_at(rows)))
    console.print(summary)


if __name__ == "__main__":
    main()
