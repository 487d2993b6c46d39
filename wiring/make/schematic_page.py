"""A sheet of paper: A4 across, a frame, a title block, tables, and references to the sheets where nets go on.

Symbols come from schemdraw, texts stay texts. The ground is on nearly every sheet and is left out of references.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, Literal
from xml.etree import ElementTree

import schemdraw
import schemdraw.elements as elm
from schemdraw.elements import Element

from tamsk_hw.errors import WiringError
from wiring.make import nets
from wiring.make.board import Board
from wiring.make.circuit import Circuit, Part, Terminal
from wiring.make.texts import places

#: The paper, its frame and the line above the title block, in millimetres from the upper left corner.
WIDTH, HEIGHT, FRAME, BLOCK_TOP = 297.0, 210.0, 10.0, 187.0

#: The area for the drawing: left, top, right, bottom.
LEFT, TOP, RIGHT, BOTTOM = 15.0, 15.0, 282.0, 184.0

#: Sizes of letters; capitals are 0.73 of that, so that none is below 2 mm when printed.
TEXT, HEADING = 2.8, 4.2

#: From the middle of a text down to its baseline.
MIDDLE = 1.02

#: Widths of lines.
THIN, LINE, BODY = 0.15, 0.3, 0.4

#: Millimetres for each of schemdraw's units: the body of a resistor is one unit long.
UNIT: Final = 5.0

#: Enlargement of what schemdraw draws, before it is scaled down: the heads of its arrows need that.
_ENLARGED: Final = 10.0

#: Dashes and gaps of a line, in millimetres; and its ends.
_DASHES: Final = "stroke-dasharray:2,1.2;"
_ROUND: Final = "stroke-linecap:round;stroke-linejoin:round;"

_NARROW: Final = " -./,:;il|'"

Point = tuple[float, float]
Anchor = Literal["start", "middle", "end"]


def width_of(words: str, size: float = TEXT) -> float:
    """An upper estimate of the printed width of a text."""
    return size * sum(0.74 if letter.isupper() else 0.42 if letter in _NARROW else 0.64 for letter in words)


def unit_point(point: Point) -> Point:
    """A point of the paper in schemdraw's units, which count upward."""
    return point[0] / UNIT, -point[1] / UNIT


def paper_point(element: Element, anchor: str) -> Point:
    """The place on the paper of an anchor of an element that has been drawn."""
    x, y = element.absanchors[anchor]
    return round(x * UNIT, 3), round(-y * UNIT, 3)


@dataclass
class Sheet:
    """One sheet in the making; ``name`` is its file's name without the end. Places are in millimetres."""

    name: str
    title: str
    content: ElementTree.Element = field(default_factory=lambda: ElementTree.Element("g"))
    nets: set[str] = field(default_factory=set)
    """Nets that are on it in tables, beside those of the pins drawn."""

    def group(self, parent: ElementTree.Element | None = None, **data: str) -> ElementTree.Element:
        """A group whose ``data-`` attributes name its content."""
        attributes = {f"data-{key}": value for key, value in data.items()}
        return ElementTree.SubElement(self.content if parent is None else parent, "g", attributes)

    def text(
        self,
        words: str,
        at: Point,
        *,
        anchor: Anchor = "start",
        size: float = TEXT,
        bold: bool = False,
        group: ElementTree.Element | None = None,
        cell: str = "",
    ) -> None:
        """A text whose baseline starts, has its middle or ends ``at`` a place; ``cell`` names one of a table."""
        attributes = {"x": places(at[0]), "y": places(at[1]), "font-size": places(size)}
        if anchor != "start":
            attributes["text-anchor"] = anchor
        if bold:
            attributes["font-weight"] = "bold"
        if cell:
            attributes["data-cell"] = cell
        element = ElementTree.SubElement(self.content if group is None else group, "text", attributes)
        element.text = words

    def notes(self, lines: Sequence[str], at: Point) -> None:
        """Lines of words, one below the other."""
        for number, line in enumerate(lines):
            self.text(line, (at[0], at[1] + 5 * number))

    def draw(self, element: Element, group: ElementTree.Element | None = None) -> Element:
        """Have schemdraw draw an element that has been placed in its units; gives it with its anchors."""
        drawing = schemdraw.Drawing(canvas="svg", show=False)
        drawing.config(inches_per_unit=UNIT * _ENLARGED / 72, lw=LINE * _ENLARGED, color="black")
        drawing.add(element)
        root = ElementTree.fromstring(drawing.get_imagedata("svg"))
        target = self.content if group is None else group
        target.extend(_plain(child) for child in root)
        return element

    def wire(
        self, *points: Point, group: ElementTree.Element | None = None, line: float = LINE, dashed: bool = False
    ) -> None:
        """A wire, or another line, from point to point."""
        way = "M " + " L ".join(f"{places(x)},{places(y)}" for x, y in points)
        look = f"stroke:black;fill:none;stroke-width:{places(line)};{_DASHES if dashed else ''}{_ROUND}"
        ElementTree.SubElement(self.content if group is None else group, "path", {"d": way, "style": look})

    def box(
        self,
        corner: Point,
        size: Point,
        group: ElementTree.Element | None = None,
        *,
        line: float = LINE,
        dashed: bool = False,
    ) -> None:
        """A rectangle: its upper left corner, its width and height."""
        (x, y), (w, h) = corner, size
        outline = ((x, y), (x + w, y), (x + w, y + h), (x, y + h), (x, y))
        self.wire(*outline, group=group, line=line, dashed=dashed)

    def dot(self, at: Point) -> None:
        """A dot where wires are joined."""
        self.draw(elm.Dot(radius=0.12).at(unit_point(at)))

    def arrow(self, start: Point, end: Point, group: ElementTree.Element | None = None) -> None:
        """A line across with a head at its end."""
        away = 1.0 if end[0] < start[0] else -1.0
        end = end[0] + away, end[1]
        self.draw(elm.Arrow(headwidth=0.3, headlength=0.45).at(unit_point(start)).to(unit_point(end)), group)


def pages(board: Board, sheets: Sequence[Sheet]) -> dict[str, str]:
    """The sheets of a board as SVG files, numbered in this order."""
    return {f"{sheet.name}.svg": _page(board, sheet, n, len(sheets)) for n, sheet in enumerate(sheets, 1)}


def _page(board: Board, sheet: Sheet, number: int, count: int) -> str:
    root = ElementTree.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "width": f"{WIDTH:g}mm",
            "height": f"{HEIGHT:g}mm",
            "viewBox": f"0 0 {WIDTH:g} {HEIGHT:g}",
            "font-family": "sans-serif",
        },
    )
    ElementTree.SubElement(root, "title").text = f"{board.title}: {sheet.title}"
    paper = {"width": f"{WIDTH:g}", "height": f"{HEIGHT:g}", "fill": "white"}
    ElementTree.SubElement(root, "rect", paper)
    root.append(_title_block(board, sheet, number, count))
    root.append(sheet.content)
    ElementTree.indent(root, " ")
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def _title_block(board: Board, sheet: Sheet, number: int, count: int) -> ElementTree.Element:
    block = Sheet("", "")
    right, bottom, middle = WIDTH - FRAME, HEIGHT - FRAME, 137.0
    block.wire((FRAME, FRAME), (right, FRAME), (right, bottom), (FRAME, bottom), (FRAME, FRAME), line=BODY)
    block.wire((FRAME, BLOCK_TOP), (right, BLOCK_TOP), line=BODY)
    block.wire((middle, BLOCK_TOP), (middle, bottom), line=LINE)
    block.text(board.title, (13, BLOCK_TOP + 5.6), size=HEADING, bold=True)
    block.text(f"made from {board.map_name}: change the map, not the drawing", (13, BLOCK_TOP + 10.6))
    block.text(sheet.title, (middle + 3, BLOCK_TOP + 5.6), size=HEADING, bold=True)
    block.text(f"sheet {number} of {count}", (right - 3, BLOCK_TOP + 10.6), anchor="end")
    block.content.set("data-block", "title")
    return block.content


def _plain(element: ElementTree.Element) -> ElementTree.Element:
    """An element of schemdraw's in millimetres, without a style that is none."""
    element.tag = element.tag.partition("}")[2] or element.tag
    for key, value in element.attrib.items():
        if key == "style":
            value = value.replace("stroke-dasharray:-;", "")
            element.set(key, re.sub(r"(?<=-width:)[\d.]+", _to_scale, value))
        else:
            element.set(key, re.sub(r"-?\d+(\.\d+)?(e-\d+)?", _to_scale, value).strip())
    return element


def _to_scale(found: re.Match[str]) -> str:
    return places(float(found[0]) / _ENLARGED)


def on_net(circuit: Circuit, net: str, kind: str) -> Terminal:
    """The first pin of a part of that kind on a net. Raises `StopIteration` when there is none."""
    return next(each for each in circuit.nets[net] if each.part.kind.key == kind)


def pull_down(circuit: Circuit, net: str, ground: str) -> Part:
    """The resistor from a net to ground. Raises `StopIteration` when there is none."""
    resistors = (each.part for each in circuit.nets[net] if each.part.kind.key == "resistor")
    return next(part for part in resistors if part.nets["A"] == net and part.nets["B"] == ground)


#: So many nets of a family that go to the same sheets are written as one.
_MANY: Final = 4

#: From line to line; room around the words, millimetres.
_LINE, _ROOM = 4.2, 1.5

#: No more lines than this.
_MOST_LINES: Final = 8

#: Widths that the words are tried in, the widest first.
_WIDTHS: Final = (260.0, 200.0, 160.0, 130.0, 100.0, 80.0, 65.0, 50.0, 40.0)

#: The words before the references.
REFERENCES_HEADING: Final = "Goes on, on sheet:"


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
    words = [
        word.replace("→_", "→ ")
        for word in f"{REFERENCES_HEADING} {'; '.join(entries)}".replace("→ ", "→_").split(" ")
    ]
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


#: From row to row, and the height of the heading.
ROW, HEAD = 4.5, 5.5


@dataclass(frozen=True, slots=True)
class Table:
    """The content of a table: the ``kind`` of its rows, the headings of its columns, the rows."""

    kind: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def widths(self) -> tuple[float, ...]:
        """The width of each column."""
        columns = zip(self.heads, *self.rows, strict=True)
        return tuple(max(width_of(words) for words in column) + 1.8 for column in columns)

    @property
    def width(self) -> float:
        """The width of the table."""
        return sum(self.widths)

    def parts(self, most: int) -> tuple[Table, ...]:
        """The table in parts of at most ``most`` rows, about equally long."""
        count = max(1, -(-len(self.rows) // most))
        each = max(1, -(-len(self.rows) // count))
        starts = range(0, max(1, len(self.rows)), each)
        return tuple(Table(self.kind, self.heads, self.rows[start : start + each]) for start in starts)


def draw_table(sheet: Sheet, table: Table, at: Point, widths: Sequence[float] = (), row: float = ROW) -> float:
    """Draw a table with its upper left corner ``at`` a place; gives where it ends below.

    ``row`` is from row to row, ``widths`` are those of the columns where they are to be wider than they must.
    """
    widths = widths or table.widths
    x, y = at
    right = x + sum(widths)
    _line(sheet, table.heads, (x, y + 3.8), widths, None)
    y += HEAD
    sheet.wire((x, y), (right, y), line=LINE)
    for words in table.rows:
        _line(sheet, words, (x, y + row / 2 + MIDDLE), widths, table)
        y += row
        sheet.wire((x, y), (right, y), line=THIN)
    return y


def _line(sheet: Sheet, words: Sequence[str], at: Point, widths: Sequence[float], table: Table | None) -> None:
    """The cells of a row, or the headings."""
    group = sheet.group(row=table.kind) if table else sheet.group()
    x = at[0]
    for number, (word, width) in enumerate(zip(words, widths, strict=True)):
        if word:
            cell = table.heads[number] if table else ""
            sheet.text(word, (x + 0.8, at[1]), bold=table is None, group=group, cell=cell)
        x += width
