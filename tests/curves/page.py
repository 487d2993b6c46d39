"""docs/curves.md, made from the figures that are kept."""

from __future__ import annotations

from pathlib import Path

from tests.curves.curves import CURVES, Curve
from tests.curves.figures import Figures, Row, in_unit, kept, right_up_to, said_from, silent_at, span

PAGE = Path(__file__).resolve().parents[2] / "docs" / "curves.md"

HEAD = """# Break curves

<!-- Made by `make curves` from tests/curves/kept; do not edit by hand. -->

Games of the simulated players on a board that is disturbed more and more: world, controller, bytes, link,
sensing, referee. The players hear a referee who sees everything, so a game is the same at every strength, and
what the program tells of it is compared with what the world did. `make curves` measures all of them in some
minutes, `make curves CURVE=loss SEEDS=10` one with more seeds, and
`.venv/bin/python -m tests.curves loss --at 20 --seed 1` tells what went wrong in one game.

- *Right up to*: the highest strength up to which no event was missed, invented or late (told a second after it),
  and no ruling differed from that on the true events.
- *Said from*: the lowest strength from which on the trouble was said in every game, by a notice or a sensor's
  fault.
- *Silent at*: the strengths at which a ruling was wrong before that was said, or it never was. There should be
  none.

"""

NOTES = """
Lost, damaged and doubled frames are a share of all frames from the board; delays are exponential, and no frame
overtakes another. The host stands still every 5 s on the average, for so long each time, and may tell all later by
as much. Noise is the standard deviation of each reading, after a calibration without noise. The rest of each
sensor drifts up or down by so much in an hour, through which the players rest in the middle of a game. Each end of
each glass has a magnet within such a spread of the strength with which the board was calibrated. A lamp's light is
given at its peak, in that which an average ring sensor needs to see a ring; it goes out 100 times a second.
Holders scatter by a standard deviation in shares of a ring's weight. A disturbance begins with the game; magnets
differ from the beginning.
"""


def page() -> str:
    """The whole page."""
    before, now = kept("before"), kept("now")
    return HEAD + _summary(before, now) + NOTES + "".join(_details(curve, before, now) for curve in CURVES)


def write() -> None:
    """Write it."""
    PAGE.write_text(page(), encoding="utf-8")


def _summary(before: Figures, now: Figures) -> str:
    measured = [(prefix, figures) for prefix, figures in (("", now), ("before: ", before)) if figures]
    headings = ("right up to", "said from", "silent at")
    columns = ["curve", "goal", *(f"{prefix}{heading}" for prefix, _ in measured for heading in headings)]
    lines = [f"| {' | '.join(columns)} |", "|" + " --- |" * len(columns)]
    for curve in CURVES:
        cells = [curve.title, in_unit(curve, curve.goal)]
        for _, figures in measured:
            cells += _cells(curve, figures)
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _cells(curve: Curve, figures: Figures) -> list[str]:
    rows = figures.get(curve.name)
    if not rows:
        return ["", "", ""]
    right = right_up_to(rows)
    shown = "nothing" if right is None else in_unit(curve, right)
    return [shown, in_unit(curve, said_from(rows)), span(curve, silent_at(rows))]


def _details(curve: Curve, before: Figures, now: Figures) -> str:
    lines = [
        f"\n## {curve.title[0].upper()}{curve.title[1:]}\n",
        "| strength | seeds | events | missed | invented | late | wrong rulings | games that said it | silent |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for name, figures in (("before", before), ("", now)):
        lines += [_row(curve, name, row) for row in figures.get(curve.name, ())]
    return "\n".join(lines) + "\n"


def _row(curve: Curve, name: str, row: Row) -> str:
    strength = f"{name} {in_unit(curve, row.strength)}".strip()
    seeds = " ".join(str(seed) for seed in row.seeds)
    counts = (row.events, row.missed, row.invented, row.late, row.wrong, row.said, row.silent)
    return f"| {strength} | {seeds} | {' | '.join(str(count) for count in counts)} |"


if __name__ == "__main__":
    write()
