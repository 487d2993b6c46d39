"""The page of the hole map: for every part the hole of each of its pins."""

from __future__ import annotations

from wiring.make.board import Board
from wiring.make.perforated.grid import COLUMNS, PITCH, ROW_DISTANCES, ROWS, name
from wiring.make.perforated.placing import Placed, by_step, plans
from wiring.make.templates import render


def page(board: Board) -> str:
    """The text of `perforated.md`."""
    return render(
        "perforated/perforated.md.j2",
        board=board,
        columns=COLUMNS,
        rows=ROWS,
        distances=[(package, f"{holes * PITCH:.2f}", holes) for package, holes in ROW_DISTANCES.items()],
        units=[
            (
                plan.unit.value,
                plan.fits,
                plan.rows,
                [(step.value, step.title, [_cells(each) for each in own]) for step, own in by_step(plan.placed)],
            )
            for plan in plans(board)
        ],
    )


def _cells(each: Placed) -> tuple[str, ...]:
    """Designator, value, the hole of each pin with its net."""
    nets = {pin.number: each.part.nets.get(pin.name) for pin in each.part.kind.pins}
    pins = (
        f"{number} {name(hole)}{f' ({nets[number]})' if nets[number] else ''}"
        for number, hole in each.pins.items()
    )
    return each.part.ref, each.part.value, ", ".join(pins)
