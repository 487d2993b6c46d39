"""All boards that can be ordered, with what is asked of each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from tamsk_hw.game.tubes import CAPACITY
from wiring.boards.controller_board import controller_layout, parts_of, ways
from wiring.boards.discs import OUTPUT, disc_layout
from wiring.boards.layout import Layout
from wiring.boards.panels import panel
from wiring.boards.sensor_board import sensor_layout
from wiring.boards.strips import strip_layouts
from wiring.boards.wanted import PadName, Wanted, buffers_of, nets_of
from wiring.make.board import Board
from wiring.make.circuit import nets
from wiring.make.circuit.model import Part, Site, Unit
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
        *_controllers(boards),
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


def _controllers(boards: tuple[Board, ...]) -> Iterator[Wanted]:
    """One controller board for all maps where it serves them; else one for each."""
    whole = max(boards, key=lambda board: len(parts_of(board)))
    shared = _controller("controller", whole, boards)
    if all(answer == shared.nets[0] for answer in shared.nets):
        yield shared
    else:
        yield from (_controller(f"controller-{board.key}", board, (board,)) for board in boards)


def _controller(name: str, whole: Board, boards: tuple[Board, ...]) -> Wanted:
    layout, parts = controller_layout(name, whole), parts_of(whole)
    wires = _wires(layout)
    answers = tuple(nets_of(_filled(whole, board), {}, {}, wires) for board in (whole, *boards))
    return Wanted(layout, answers, buffers_of(whole.circuit, parts, {}), ways())


def _filled(whole: Board, board: Board) -> Iterator[Part]:
    """The parts of a map's controller board; what it leaves out or open is as on the board for the ``whole`` map.

    A wire of the ribbon that is spare there ends at its connectors, so that it may have a net here.
    """
    own = {part.ref: part for part in parts_of(board)}
    for part in parts_of(whole):
        if part.ref not in own:
            yield part
            continue
        by_number = {pin.number: own[part.ref].nets.get(pin.name) for pin in own[part.ref].kind.pins}
        filled = dict(part.nets)
        for pin in part.kind.pins:
            net = by_number.get(pin.number)
            if net is not None and net not in map(nets.spare, range(1, 21)):
                filled[pin.name] = net
        yield replace(part, nets=filled)


def _wires(layout: Layout) -> dict[str, list[str]]:
    """The pads for wires and the test points by net, from their designators."""
    found: dict[str, list[str]] = {}
    for part in layout.parts:
        kind, _, net = part.ref.partition("-")
        if part.order is None and kind in ("W", "TP"):
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
