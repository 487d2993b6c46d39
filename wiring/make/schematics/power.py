"""Sheet of the rails: their fuses and the parts on each."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from wiring.make.board import Board
from wiring.make.circuit import nets
from wiring.make.circuit.model import Circuit, Part, Terminal
from wiring.make.schematics.finding import on_net
from wiring.make.schematics.page import LEFT, MIDDLE, TOP, Sheet
from wiring.make.schematics.symbols import rail, two_leads
from wiring.make.schematics.tables import Table, draw_table

#: From one fuse of a rail down to the next.
_STEP = 20.0


def power_sheets(board: Board) -> list[Sheet]:
    """From the guarded inlet to the rails, and a table of the rails."""
    circuit = board.circuit
    sheet = Sheet("power", "Power: fuses and rails")
    branches = [part for part in circuit.of_kind("fuse") if part.net("A") == nets.MAIN]
    _fuses(sheet, branches, (LEFT + 60, TOP + 22))
    pi_plug = on_net(circuit, nets.LIGHTS_PI, "connector").part
    lines = (
        f"There is one ground, {nets.GROUND}: every ground pin of every unit is on it.",
        f"The Pi has a supply of its own; its ground joins at {pi_plug.ref}.",
        f"{nets.LOGIC} is also the reference of the controller's converter.",
    )
    sheet.notes(lines, (LEFT + 150, TOP + 6))
    rails = [fuse.nets["B"] for fuse in branches]
    rows = tuple(row for net in rails for row in _loads(circuit, net))
    table = Table("rail", ("rail", "parts", "kind", "pins", "designators"), rows)
    draw_table(sheet, table, (LEFT, TOP + 73), [width + 3 for width in table.widths])
    return [sheet]


def _fuses(sheet: Sheet, branches: Sequence[Part], at: tuple[float, float]) -> None:
    """From what the inlet's sheet gives, a fuse for each rail."""
    x, y = at
    sheet.text("from the inlet's sheet", (x - 57, y - 4))
    rail(sheet, nets.MAIN, (x - 34, y), left=True)
    sheet.wire((x - 34, y), (x, y))
    for number, fuse in enumerate(branches):
        height = y + _STEP * number
        two_leads(sheet, fuse, (x, height), (x + 60, height), nets=("along", "end"))
        sheet.text(f"for {fuse.where}", (x + 84, height + MIDDLE))
        if number < len(branches) - 1:
            sheet.dot((x, height))
            sheet.wire((x, height), (x, height + _STEP))


def _loads(circuit: Circuit, net: str) -> list[tuple[str, ...]]:
    """The rows of a rail: each kind of part, with number, pins and designators."""
    groups: dict[tuple[str, str], list[Terminal]] = {}
    for each in circuit.nets[net]:
        if each.part.kind.key not in ("connector", "fuse"):
            kind = f"{each.part.kind.key.replace('_', ' ')} {each.part.value}"
            groups.setdefault((kind, each.part.letters), []).append(each)
    found: list[tuple[str, ...]] = []
    for (kind, _), terminals in groups.items():
        parts = list({each.part.ref: each.part for each in terminals}.values())
        pins = dict.fromkeys(each.pin.name for each in terminals)
        found.append((net, str(len(parts)), kind, " ".join(pins), in_short(parts)))
    return found


def in_short(parts: Sequence[Part]) -> str:
    """Designators of parts of one sort, with runs of three and more written as the first … the last."""
    runs = [[parts[0]]]
    for last, part in pairwise(parts):
        if last.number is None or part.number == last.number + 1:
            runs[-1].append(part)
        else:
            runs.append([part])
    return ", ".join(
        f"{run[0].ref} … {run[-1].ref}" if len(run) > 2 else ", ".join(part.ref for part in run) for run in runs
    )
