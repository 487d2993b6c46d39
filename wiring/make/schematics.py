"""The schematic of a board as SVG: a sheet of paper for each subject, the block diagram first.

All of a sheet comes from the circuit (`wiring.make.circuit`): a change of the wiring map changes it.
"""

from collections.abc import Sequence
from typing import Final

from wiring.make import nets
from wiring.make.board import Board
from wiring.make.circuit import Circuit, Unit
from wiring.make.schematic_controller import (
    controller_sheets,
    holder_sheets,
    inlet_sheets,
    light_sheets,
    panel_sheets,
    power_sheets,
)
from wiring.make.schematic_page import BODY, MIDDLE, Point, Sheet, family, nets_of, pages
from wiring.make.schematic_sensors import bank_sheets, converter_sheets, glass_sheets, ring_sheets
from wiring.make.texts import table

#: Upper left corner and size of each unit's box, in millimetres.
_BOXES: Final[dict[Unit, tuple[Point, Point]]] = {
    Unit.SUPPLY: ((15, 86), (44, 22)),
    Unit.CONTROLLER: ((86, 80), (64, 34)),
    Unit.SENSORS: ((178, 80), (104, 34)),
    Unit.LIGHTS: ((86, 30), (64, 20)),
    Unit.HOLDERS: ((178, 30), (104, 20)),
    Unit.PANEL: ((15, 146), (44, 20)),
    Unit.PI: ((86, 146), (64, 20)),
    Unit.TUBES: ((178, 146), (104, 20)),
}

#: The way of the cables between two units; several have one line.
_WAYS: Final[dict[frozenset[Unit], tuple[Point, ...]]] = {
    frozenset((Unit.SUPPLY, Unit.CONTROLLER)): ((59, 97), (86, 97)),
    frozenset((Unit.CONTROLLER, Unit.SENSORS)): ((150, 102), (178, 102)),
    frozenset((Unit.CONTROLLER, Unit.LIGHTS)): ((118, 80), (118, 50)),
    frozenset((Unit.CONTROLLER, Unit.HOLDERS)): ((150, 88), (164, 88), (164, 40), (178, 40)),
    frozenset((Unit.CONTROLLER, Unit.PI)): ((118, 114), (118, 146)),
    frozenset((Unit.PANEL, Unit.PI)): ((59, 156), (86, 156)),
    frozenset((Unit.SENSORS, Unit.TUBES)): ((230, 114), (230, 146)),
}


def block_diagram(board: Board, sheets: Sequence[Sheet]) -> Sheet:
    """The diagram; it is sheet 1, and these are those that follow."""
    circuit = board.circuit
    sheet = Sheet("block-diagram", "Block diagram: units, cables, supplies")
    shown = _shown(circuit, sheets)
    for unit, (corner, size) in _BOXES.items():
        if any(circuit.on(unit)):
            _unit(sheet, circuit, unit, corner, size, shown[unit])
    ends: dict[frozenset[Unit], list[str]] = {}
    for cable in board.cables:
        pair = frozenset((circuit.by_ref[cable.a].unit, circuit.by_ref[cable.b].unit))
        if len(pair) > 1:
            ends.setdefault(pair, []).append(cable.ref)
    first, last = board.tube_cables[0], board.tube_cables[-1]
    ends[frozenset((Unit.SENSORS, Unit.TUBES))] = [f"{first.ref} … {last.ref}"]
    for pair, refs in ends.items():
        _line(sheet, _WAYS[pair], ", ".join(refs))
    return sheet


def _unit(sheet: Sheet, circuit: Circuit, unit: Unit, corner: Point, size: Point, shown: Sequence[int]) -> None:
    x, y = corner
    group = sheet.group(unit=unit.value)
    sheet.box(corner, size, group, line=BODY)
    sheet.text(unit.value, (x + 3, y + 6), bold=True, size=3.2, group=group)
    lines = [f"sheets {', '.join(map(str, shown))}" if len(shown) > 1 else f"sheet {shown[0]}"]
    lines += _supplies(circuit, unit)
    for number, line in enumerate(lines):
        sheet.text(line, (x + 3, y + 11 + 4.4 * number), group=group)


def _supplies(circuit: Circuit, unit: Unit) -> list[str]:
    """Lines on where a unit has its supply from."""
    match unit:
        case Unit.SUPPLY:
            return [f"gives {nets.INLET}"]
        case Unit.CONTROLLER:
            rails = [part for part in circuit.of_kind("fuse") if part.net("A") == nets.MAIN]
            return [f"gives {part.nets['B']}, behind {part.ref}" for part in rails]
        case Unit.PI:
            return ["on a supply of its own"]
        case _:
            own = {net for part in circuit.on(unit) for net in part.nets.values()}
            used = [net for net in nets.SUPPLIES if net in own]
            return [f"runs on {', '.join(used)}"] if used else []


def _shown(circuit: Circuit, sheets: Sequence[Sheet]) -> dict[Unit, list[int]]:
    """The numbers of the sheets that name a part of each unit."""
    found: dict[Unit, list[int]] = {unit: [] for unit in Unit}
    for number, sheet in enumerate(sheets, 2):
        words = {element.text for element in sheet.content.iter("text")}
        for unit in {part.unit for ref, part in circuit.by_ref.items() if ref in words}:
            found[unit].append(number)
    return found


def _line(sheet: Sheet, way: Sequence[Point], words: str) -> None:
    group = sheet.group(cable=words)
    sheet.wire(*way, group=group, line=BODY)
    (x1, y1), (x2, y2) = way[-2:]
    if x1 == x2:
        sheet.text(words, (x1 + 2, (y1 + y2) / 2 + MIDDLE), group=group)
    else:
        x = (x1 + x2) / 2 if len(way) == 2 else x1 + 1
        sheet.text(words, (x, y2 - 1.4), anchor="middle" if len(way) == 2 else "start", group=group)


_SUBJECTS = (
    ring_sheets,
    bank_sheets,
    converter_sheets,
    glass_sheets,
    controller_sheets,
    holder_sheets,
    light_sheets,
    panel_sheets,
    inlet_sheets,
    power_sheets,
)


def files(board: Board) -> dict[str, str]:
    """The sheets of a board as SVG in the order of their numbers, and an index of sheets and nets."""
    sheets = [sheet for subject in _SUBJECTS for sheet in subject(board)]
    sheets.insert(0, block_diagram(board, sheets))
    return {**pages(board, sheets), "index.md": _index(board, sheets)}


def _index(board: Board, sheets: Sequence[Sheet]) -> str:
    """The sheets, and by family of nets the sheets that they are on; the ground is on nearly every one."""
    on: dict[str, dict[int, None]] = {}
    for number, sheet in enumerate(sheets, 1):
        for net in sorted(nets_of(board.circuit, sheet) - {nets.GROUND}):
            on.setdefault(family(net), {})[number] = None
    listed = [(number, sheet.title, f"{sheet.name}.svg") for number, sheet in enumerate(sheets, 1)]
    found = [(net, ", ".join(map(str, numbers))) for net, numbers in sorted(on.items())]
    return (
        f"# {board.title}: schematics\n\nMade from `{board.map_name}` by `make wiring`; do not edit.\n\n"
        f"{table(('sheet', 'title', 'file'), listed)}\n\n## Nets\n\n{table(('net', 'sheets'), found)}\n"
    )
