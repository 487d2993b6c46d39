"""Sheet of the supply: inlet, fuses, rails and the parts on each."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from wiring.make.board import Board
from wiring.make.circuit import nets
from wiring.make.circuit.model import Circuit, Part, Terminal
from wiring.make.schematics.finding import on_net
from wiring.make.schematics.page import LEFT, MIDDLE, TOP, Sheet
from wiring.make.schematics.symbols import Sides, box, rail, through, two_leads
from wiring.make.schematics.tables import Table, draw_table

#: From one fuse of a rail down to the next.
_STEP = 20.0


def power_sheets(board: Board) -> list[Sheet]:
    """From the supply to the rails, and a table of the rails."""
    circuit = board.circuit
    sheet = Sheet("power", "Power: inlet, fuses, rails")
    main = next(part for part in circuit.of_kind("fuse") if part.net("A") == nets.INLET)
    branches = [part for part in circuit.of_kind("fuse") if part.net("A") == main.net("B")]
    height = _inlet(sheet, circuit, TOP + 18, LEFT + 80)
    _fuses(sheet, main, branches, (LEFT + 80, height))
    pi_plug = on_net(circuit, nets.LIGHTS_PI, "connector").part
    lines = (
        f"There is one ground, {nets.GROUND}: every ground pin of every unit is on it.",
        f"The Pi has a supply of its own; its ground joins at {pi_plug.ref}.",
        f"{nets.LOGIC} is also the reference of the controller's converter.",
    )
    sheet.notes(lines, (LEFT + 3, TOP + 52))
    rails = [fuse.nets["B"] for fuse in branches]
    rows = tuple(row for net in rails for row in _loads(circuit, net))
    table = Table("rail", ("rail", "parts", "kind", "pins", "designators"), rows)
    draw_table(sheet, table, (LEFT, TOP + 80), [width + 3 for width in table.widths])
    return [sheet]


def _inlet(sheet: Sheet, circuit: Circuit, y: float, end: float) -> float:
    """The supply and its plug; gives the height of the wire that goes on to ``end``."""
    supply = next(circuit.of_kind("supply"))
    inlet = on_net(circuit, nets.INLET, "connector").part
    ends = box(sheet, supply, (LEFT + 3, y), Sides((), ("+", "-")), wired=("+", "-"), width=22)
    rows = {name: ends["+" if net == nets.INLET else "-"][1] for name, net in inlet.nets.items()}
    through(sheet, inlet, LEFT + 54, rows)
    for height in rows.values():
        sheet.wire((LEFT + 32, height), (LEFT + 54, height))
    plus, minus = ends["+"][1], ends["-"][1]
    sheet.wire((LEFT + 64, minus), (end, minus))
    rail(sheet, nets.GROUND, (end, minus))
    sheet.wire((LEFT + 64, plus), (end, plus))
    return plus


def _fuses(sheet: Sheet, main: Part, branches: Sequence[Part], at: tuple[float, float]) -> None:
    """The slow fuse, and behind it one for each rail."""
    x, y = at
    node = x + 60
    two_leads(sheet, main, at, (node, y), nets=("along", "along"))
    for number, fuse in enumerate(branches):
        height = y + _STEP * number
        two_leads(sheet, fuse, (node, height), (node + 60, height), nets=("along", "end"))
        sheet.text(f"for {fuse.where}", (node + 84, height + MIDDLE))
        if number < len(branches) - 1:
            sheet.dot((node, height))
            sheet.wire((node, height), (node, height + _STEP))


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
