"""Lists for a factory that mounts the parts, and the netlist, in the forms that they are taken in."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from wiring.boards.layout import Layout
from wiring.boards.reading import BoardFile


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
