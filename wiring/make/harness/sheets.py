"""The sheets of the harness, and the cables on each."""

from __future__ import annotations

from wiring.make.board import Board
from wiring.make.circuit.cables import COLOURS, TubeCable
from wiring.make.harness.drawing import drawn_by, picture
from wiring.make.harness.page import Caption, sheet
from wiring.make.harness.source import Source, chosen, harness_source, tube_source

#: Wires of tube cables that have room on one sheet.
_WIRES_ON_A_SHEET = 25


def sheets(board: Board) -> dict[str, str]:
    """Every drawing of the harness by file name. Raises `HarnessError` where it cannot be drawn."""
    harness, tubes = harness_source(board), tube_source(board)
    data, modules = _between(board, "J2", "J4"), _between(board, "J7", "J8", "U3", "U4")
    rest = [cable.ref for cable in board.cables if cable.ref not in (*data, *modules)]
    drawn = {
        "harness.svg": _sheet(board, "supply, lights, panel", harness, [rest], 0.8),
        "harness-data.svg": _sheet(board, "controller to sensors and Raspberry Pi", harness, [data], 0.8),
    }
    holders = [_between(board, "J7", "J8"), _between(board, "U3", "U4")]
    if all(holders):
        drawn["harness-holders.svg"] = _sheet(board, "ring holders", harness, holders, 0.7)
    for number, group in enumerate(_examples(board), 1):
        name = "tube-cables.svg" if number == 1 else f"tube-cables-{number}.svg"
        subject = "a cable of each size, " + ", ".join(each.ref for each in group)
        drawn[name] = _sheet(board, subject, tubes, [[each.ref] for each in group], 0.25)
    return drawn


def _between(board: Board, *starts: str) -> list[str]:
    """The cables that start at these parts."""
    return [cable.ref for cable in board.cables if cable.a in starts]


def _examples(board: Board) -> list[list[TubeCable]]:
    """A cable for each number of wires, the first of its sort, in groups that have room on a sheet."""
    first: dict[int, TubeCable] = {}
    for cable in board.tube_cables:
        first.setdefault(len(cable.wires), cable)
    groups: list[list[TubeCable]] = [[]]
    for wires, cable in sorted(first.items()):
        if sum(len(each.wires) for each in groups[-1]) + wires > _WIRES_ON_A_SHEET:
            groups.append([])
        groups[-1].append(cable)
    return groups


def _sheet(board: Board, subject: str, source: Source, groups: list[list[str]], gap: float) -> str:
    parts = [chosen(source, group) for group in groups]
    used = sorted({colour for part in parts for cable in part["cables"].values() for colour in cable["colors"]})
    caption = Caption(
        title=board.title,
        subject=subject,
        made_from=board.map_name,
        foot="Colours: " + ", ".join(f"{code} {COLOURS[code]}" for code in used),
        drawn_by=drawn_by(),
    )
    return sheet(caption, [picture(part, gap=gap) for part in parts])
