"""A sheet of paper: A4 across, a frame, a title block. Symbols come from schemdraw, texts stay texts."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal
from xml.etree import ElementTree

import schemdraw
import schemdraw.elements as elm
from schemdraw.elements import Element

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
    ) -> None:
        """A text whose baseline starts, has its middle or ends ``at`` a place."""
        attributes = {"x": places(at[0]), "y": places(at[1]), "font-size": places(size)}
        if anchor != "start":
            attributes["text-anchor"] = anchor
        if bold:
            attributes["font-weight"] = "bold"
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


#: From line to line; room around the words, millimetres.
_LINE, _ROOM = 4.2, 1.5


def nets_of(circuit: Circuit, sheet: Sheet) -> frozenset[str]:
    """The nets on a sheet: those of all pins drawn there and of wires that end there."""
    found: set[str] = set()
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
    found = re.match(r"(RING_|IR_|BIT_|HALL_|FIELD_|CELL_|BANK|CS|PIXEL).*?(B?)$", net)
    return f"{found[1]}…{found[2] if found[1] == 'BANK' else ''}" if found else net
