"""All boards that can be ordered, with what is asked of each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tamsk_hw.game.tubes import CAPACITY
from wiring.boards.discs import OUTPUT, disc_layout
from wiring.boards.layout import Layout
from wiring.boards.panels import panel
from wiring.boards.sensor_board import sensor_layout
from wiring.boards.strips import strip_layouts
from wiring.boards.wanted import PadName, Wanted, buffers_of, nets_of
from wiring.make.board import Board
from wiring.make.circuit import nets
from wiring.make.circuit.model import Site, Unit
from wiring.make.mechanics.heights import levels_of

STRIPS_IN_A_ROW: Final = 13
DISCS_IN_A_ROW: Final = 8

#: The maps whose sensor board is routed.
SENSOR_BOARDS: Final = ("reference", "seven")


def collection(boards: tuple[Board, ...]) -> tuple[Wanted, ...]:
    """Each board once: strips and disc serve both maps."""
    whole = boards[0]
    strips = tuple(
        _strip(boards, layout, levels)
        for levels, layout in zip(levels_of(whole.wiring), strip_layouts(whole), strict=True)
    )
    disc = _disc(boards, disc_layout(whole))
    return (
        *strips,
        disc,
        *_panels(boards, strips, disc),
        *(_sensors(board) for board in boards if board.key in SENSOR_BOARDS),
    )


def _panels(boards: tuple[Board, ...], strips: tuple[Wanted, ...], disc: Wanted) -> Iterator[Wanted]:
    """For each map the strips of its tubes, one of the highest to spare, and the discs, in whole rows."""
    by_levels = dict(zip(levels_of(boards[0].wiring), strips, strict=True))
    for board in boards:
        levels = sorted((CAPACITY[tube] for tube in board.wiring.tubes), reverse=True)
        own = [by_levels[each] for each in (levels[0], *levels)]
        yield panel(f"panel-strips-{board.key}", f"Strips, {board.title}", own, STRIPS_IN_A_ROW)
        count = -(-(len(board.wiring.tubes) + 1) // DISCS_IN_A_ROW) * DISCS_IN_A_ROW
        yield panel(f"panel-discs-{board.key}", f"Discs, {board.title}", [disc] * count, DISCS_IN_A_ROW)


def _sensors(board: Board) -> Wanted:
    parts = list(board.circuit.on(Unit.SENSORS))
    return Wanted(sensor_layout(board), (nets_of(parts, {}, {}, {}),), buffers_of(board.circuit, parts, {}))


def _wires(layout: Layout) -> dict[str, list[str]]:
    """The pads for wires by net, from their designators."""
    found: dict[str, list[str]] = {}
    for part in layout.parts:
        if part.order is None and part.ref.startswith("W-"):
            net = part.ref.removeprefix("W-")
            found.setdefault(net.removesuffix("-2"), []).append(part.ref)
    return found


def _strip(boards: tuple[Board, ...], layout: Layout, levels: int) -> Wanted:
    answers: list[dict[str, frozenset[PadName]]] = []
    for board in boards:
        for tube in board.wiring.tubes:
            if CAPACITY[tube] != levels:
                continue
            own = range(1, levels + 1)
            parts = [board.circuit.by_ref[f"RS-{Site(tube, level)}"] for level in own]
            refs = {part.ref: f"RS{level}" for level, part in zip(own, parts, strict=True)}
            names = {nets.emitter(tube, level): f"IR_{level}" for level in own}
            names |= {nets.ring(tube, level): f"RING_{level}" for level in own}
            answers.append(nets_of(parts, refs, names, _wires(layout)))
    return Wanted(layout, tuple(answers), ())


def _disc(boards: tuple[Board, ...], layout: Layout) -> Wanted:
    answers: list[dict[str, frozenset[PadName]]] = []
    for board in boards:
        for site in (*map(Site, board.wiring.tubes), Site(None)):
            parts = [part for part in board.circuit.on(Unit.TUBES) if part.site == site and part.letters != "RS"]
            refs = {part.ref: f"{part.letters}1" for part in parts}
            answers.append(nets_of(parts, refs, {nets.hall(site): OUTPUT}, _wires(layout)))
    first = Site(boards[0].wiring.tubes[0])
    parts = [boards[0].circuit.by_ref[f"{letters}-{first}"] for letters in ("HS", "CS")]
    refs = {part.ref: f"{part.letters}1" for part in parts}
    return Wanted(layout, tuple(answers), buffers_of(boards[0].circuit, parts, refs))
