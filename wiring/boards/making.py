"""Makes all boards: the collection of what is wanted, board files, and the lists that a factory takes."""

import csv
import fcntl
import io
import json
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from tamsk_hw.game.tubes import CAPACITY
from wiring.boards import kicad
from wiring.boards.checking import problems
from wiring.boards.controller_board import controller_layout, parts_of, ways
from wiring.boards.layout import DATA, Layout, PadName, Wanted, buffers_of, needed, nets_of
from wiring.boards.reading import BoardFile, read_board
from wiring.boards.routes import with_routes
from wiring.boards.sensor_board import sensor_layout
from wiring.boards.small_boards import OUTPUT, disc_layout, panel, strip_layouts
from wiring.make import nets
from wiring.make.board import FOLDER, Board, load_boards
from wiring.make.circuit import Part, Site, Unit
from wiring.make.geometry import levels_of


def bill(layout: Layout) -> str:
    """The bill of materials: a row for each different part; ``Mounting`` is THT for those with leads in holes."""
    rows: dict[tuple[str, str, str, str, int, str], list[str]] = {}
    for part in layout.mounted():
        assert part.order is not None
        package = part.footprint.key.split(":")[1]
        mounting = "THT" if part.is_through else "SMD"
        rows.setdefault((part.value, package, *part.order, part.pieces, mounting), []).append(part.ref)
    lines = [
        (
            value if pieces == 1 else f"{value}: {pieces} each",
            ",".join(refs),
            package,
            len(refs) * pieces,
            maker,
            number,
            mounting,
        )
        for (value, package, maker, number, pieces, mounting), refs in rows.items()
    ]
    return _csv(
        ("Comment", "Designator", "Footprint", "Quantity", "Manufacturer", "Part Number", "Mounting"), lines
    )


def places(board: BoardFile, layout: Layout) -> str:
    """List the places of the flat parts, from the board file: millimetres from the lower left corner, y upward."""
    assert board.outline is not None
    left, _, _, bottom = board.outline.bounds
    mounted = {part.ref for part in layout.mounted() if not part.is_through}
    lines = [
        (
            part.ref,
            f"{part.at[0] - left:.3f}mm",
            f"{bottom - part.at[1]:.3f}mm",
            {"F": "Top", "B": "Bottom"}[part.side],
            f"{part.angle % 360:g}",
            part.footprint.split(":")[-1],
            part.value,
        )
        for part in sorted(board.parts, key=lambda part: part.ref)
        if part.ref in mounted
    ]
    return _csv(("Designator", "Mid X", "Mid Y", "Layer", "Rotation", "Package", "Val"), lines)


def _csv(heads: tuple[str, ...], lines: Iterable[tuple[object, ...]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(heads)
    writer.writerows(lines)
    return text.getvalue()


def netlist(layout: Layout) -> str:
    """The netlist in KiCad's form, by which its board editor can be asked to compare."""
    parts = [
        f'    (comp (ref "{part.ref}") (value "{part.value}") (footprint "{part.footprint.key}"))'
        for part in layout.parts
    ]
    nets = [
        f'    (net (code "{code}") (name "{net}")'
        + "".join(f'\n      (node (ref "{ref}") (pin "{pin}"))' for ref, pin in sorted(layout.nets[net]))
        + ")"
        for code, net in enumerate(sorted(layout.nets), 1)
    ]
    whole = (
        "(export (version D)",
        f'  (design (source "{layout.name}") (tool "tamsk-hw"))',
        "  (components",
        *parts,
        "  )",
        "  (nets",
        *nets,
        "  ))",
    )
    return "\n".join(whole) + "\n"


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
    layout = sensor_layout(board)
    return Wanted(layout, (nets_of(parts, {}, {}, _wires(layout)),), buffers_of(board.circuit, parts, {}))


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
            found.setdefault(net, []).append(part.ref)
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


#: Where the boards are made, a folder each; git ignores it.
BUILD: Final = FOLDER.parent / "build" / "boards"


class BoardError(Exception):
    """A board breaks a rule; a line each."""


def wanted_boards() -> tuple[Wanted, ...]:
    """All boards as circuit and mechanics have them."""
    return collection(load_boards())


def texts(board: BoardFile, layout: Layout) -> dict[str, str]:
    """The lists of a board, by file name."""
    return {
        f"{layout.name}.net": netlist(layout),
        f"{layout.name}-bill.csv": bill(layout),
        f"{layout.name}-places.csv": places(board, layout),
    }


def make_footprints() -> None:
    """Take the footprints' dimensions from KiCad's library."""
    with tempfile.TemporaryDirectory() as folder:
        found = kicad.footprints(needed(load_boards()[0].catalogue), Path(folder))
    rows = ",\n".join(f'"{key}": {json.dumps(found[key], sort_keys=True)}' for key in sorted(found))
    DATA.write_text(f"{{\n{rows}\n}}\n", encoding="utf-8")


def drawn(wanted: Wanted, build: Path = BUILD, tell: Callable[[str], None] = lambda line: None) -> Path:
    """The file of a board, routed and drawn by KiCad, below ``build``; drawn again where the board has changed."""
    layout = with_routes(wanted.layout, tell)
    folder = build / layout.name
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return kicad.draw(layout, folder)


def make(wanted: Wanted, build: Path = BUILD, tell: Callable[[str], None] = lambda line: None) -> None:
    """Draw a board and check it; write its lists, pictures and what a factory gets. Raises `BoardError`."""
    path = drawn(wanted, build, tell)
    layout, folder, name = with_routes(wanted.layout, tell), path.parent, path.stem
    for old in set(folder.iterdir()) - {path, path.with_suffix(".json"), path.with_suffix(".kicad_pro")}:
        old.unlink()
    board = read_board(path)
    wrong = [str(problem) for problem in problems(board, wanted)]
    wrong += [f"{name}: KiCad reports {each}" for each in kicad.violations(path, folder)]
    if wrong:
        raise BoardError("\n".join(wrong))
    for file, text in texts(board, layout).items():
        (folder / file).write_text(text, encoding="utf-8")
    kicad.call("plots", path, folder)
    with zipfile.ZipFile(folder / f"{name}-gerber.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for plot in sorted((folder / "gerber").iterdir()):
            archive.write(plot, plot.name)
    shutil.rmtree(folder / "gerber")
    kicad.interactive_bill(path, folder)
