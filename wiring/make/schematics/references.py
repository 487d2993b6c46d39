"""Sheet-to-sheet references: on each sheet the nets that go on elsewhere, with the numbers of those sheets.

The ground is on nearly every sheet and is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final
from xml.etree import ElementTree

from tamsk_hw.errors import WiringError
from wiring.make.circuit import nets
from wiring.make.circuit.model import Circuit
from wiring.make.schematics.page import BOTTOM, LEFT, RIGHT, TOP, Point, Sheet, width_of

#: So many nets of a family that go to the same sheets are written as one.
_MANY: Final = 4

#: From line to line; room around the words, millimetres.
_LINE, _ROOM = 4.2, 1.5

#: No more lines than this.
_MOST_LINES: Final = 8

#: Widths that the words are tried in, the widest first.
_WIDTHS: Final = (260.0, 200.0, 160.0, 130.0, 100.0, 80.0, 65.0, 50.0, 40.0)

#: The words before the references.
HEADING: Final = "Goes on, on sheet:"


def refer(circuit: Circuit, sheets: Sequence[Sheet], *, first: int) -> None:
    """Write the references onto each sheet, where it is free; the sheets are numbered from ``first``.

    Raises `WiringError` for a sheet without room.
    """
    on = [nets_of(circuit, sheet) for sheet in sheets]
    for number, (sheet, own) in enumerate(zip(sheets, on, strict=True), first):
        elsewhere: dict[str, tuple[int, ...]] = {}
        for net in sorted(own - {nets.GROUND}):
            others = tuple(other for other, names in enumerate(on, first) if net in names and other != number)
            if others:
                elsewhere[net] = others
        _write(sheet, _entries(elsewhere))


def nets_of(circuit: Circuit, sheet: Sheet) -> frozenset[str]:
    """The nets on a sheet: those of all pins drawn there, of wires that end there, and of its tables."""
    found = set(sheet.nets)
    for group in sheet.content.iter("g"):
        net = group.get("data-net")
        if net is not None:
            found.add(net)
        ref, number = group.get("data-ref"), group.get("data-pin")
        if ref is not None and number is not None:
            part = circuit.by_ref[ref]
            pin = next(pin for pin in part.kind.pins if pin.number == number)
            own = part.nets.get(pin.name)
            if own is not None:
                found.add(own)
    return frozenset(found)


def family(net: str) -> str:
    """The family of a net that is one of many: ``RING_A1_1`` is of ``RING_…``, ``BANK3B`` of ``BANK…B``."""
    found = re.match(r"(RING_|IR_|BIT_|HALL_|FIELD_|CELL_|BANK|CHAIN|PIXEL).*?(B?)$", net)
    return f"{found[1]}…{found[2] if found[1] == 'BANK' else ''}" if found else net


def _entries(elsewhere: Mapping[str, tuple[int, ...]]) -> list[str]:
    """The words for each set of sheets, with what is named alone before the rest of its family."""
    alone: dict[tuple[int, ...], list[str]] = {}
    families: dict[str, list[tuple[int, ...]]] = {}
    for (one, others), members in _by_family(elsewhere).items():
        if len(members) >= _MANY:
            families.setdefault(one, []).append(others)
        else:
            alone.setdefault(others, []).extend(members)
    found = [f"{', '.join(names)} → {_numbers_of(others)}" for others, names in sorted(alone.items())]
    # A family on several sets of sheets: each net is on one of them, as its chip is.
    found += [f"{one} → {' or '.join(map(_numbers_of, several))}" for one, several in families.items()]
    return found


def _by_family(elsewhere: Mapping[str, tuple[int, ...]]) -> dict[tuple[str, tuple[int, ...]], list[str]]:
    found: dict[tuple[str, tuple[int, ...]], list[str]] = {}
    for net, others in elsewhere.items():
        found.setdefault((family(net), others), []).append(net)
    return found


def _numbers_of(others: tuple[int, ...]) -> str:
    return ", ".join(map(str, others))


def _write(sheet: Sheet, entries: list[str]) -> None:
    if not entries:
        return
    # An arrow is not parted from the number behind it.
    words = [word.replace("→_", "→ ") for word in f"{HEADING} {'; '.join(entries)}".replace("→ ", "→_").split(" ")]
    taken = list(_boxes(sheet.content))
    found: list[tuple[float, Point, list[str]]] = []
    for width in _WIDTHS:
        lines = _lines(words, width)
        if lines is not None and len(lines) <= _MOST_LINES:
            spot = _free(taken, (max(map(width_of, lines)), _LINE * len(lines)))
            if spot is not None:
                # Low on the sheet, but not in a narrow column where a few long lines have room.
                found.append((spot[1] - _LINE * len(lines), spot, lines))
    if not found:
        raise WiringError(f"{sheet.name}: no room for its references to other sheets; draw it smaller")
    _, (x, y), lines = max(found, key=lambda each: each[0])
    group = sheet.group(references="")
    for place, line in enumerate(lines):
        sheet.text(line, (x, y + 3.2 + _LINE * place), group=group)


def _lines(words: list[str], width: float) -> list[str] | None:
    """Words in lines of a width; None where a word is longer."""
    if max(map(width_of, words)) > width:
        return None
    lines = [words[0]]
    for word in words[1:]:
        longer = f"{lines[-1]} {word}"
        if width_of(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


#: Left, top, right, bottom, in millimetres.
_Box = tuple[float, float, float, float]


def _free(taken: list[_Box], size: Point) -> Point | None:
    """The lowest free place of this size, the leftmost of those."""
    y = BOTTOM - size[1]
    while y >= TOP - 2:
        x = LEFT
        while x + size[0] <= RIGHT:
            right = x + size[0] + _ROOM
            meets = [
                box
                for box in taken
                if box[0] < right and x - _ROOM < box[2] and box[1] < y + size[1] + _ROOM and y - _ROOM < box[3]
            ]
            if not meets:
                return x, y
            x = max(box[2] for box in meets) + _ROOM + 0.1
        y -= 1.0
    return None


def _boxes(content: ElementTree.Element) -> Iterator[_Box]:
    """The rectangles that a sheet's texts and lines take; a closed line takes what is inside it."""
    for element in content.iter():
        match element.tag:
            case "text":
                yield _text_box(element)
            case "path":
                yield from _path_boxes(element.get("d", ""))
            case "polygon" | "polyline":
                yield _around(_numbers(element.get("points", "")))
            case "circle":
                x, y, r = (float(element.get(key, "0")) for key in ("cx", "cy", "r"))
                yield x - r, y - r, x + r, y + r


def _text_box(element: ElementTree.Element) -> _Box:
    x, y, size = (float(element.get(key, "0")) for key in ("x", "y", "font-size"))
    width = width_of(element.text or "", size)
    left = x - width * {"start": 0.0, "middle": 0.5, "end": 1.0}[element.get("text-anchor", "start")]
    return left, y - size, left + width, y + 0.3 * size


def _path_boxes(way: str) -> Iterator[_Box]:
    points = _numbers(way)
    if "Z" in way or (len(points) > 2 and points[0] == points[-1]):
        yield _around(points)
    else:
        yield from (_around(list(pair)) for pair in pairwise(points))


def _numbers(words: str) -> list[Point]:
    values = [float(value) for value in re.findall(r"-?\d+(?:\.\d+)?", words)]
    return list(zip(values[::2], values[1::2], strict=True))


def _around(points: list[Point]) -> _Box:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)
