"""The schematic's sheets are complete, right by the map's facts, and can be read on paper."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import pytest

from tests.wiring.bench import BOARDS, each_board
from tests.wiring.schematics.boards import pins_of, sheets_of
from tests.wiring.schematics.paper import Box, Paper, crosses, read
from wiring.make.schematic_page import family

#: Kinds that are drawn with each of their pins.
WITH_ALL_PINS = (
    "nano",
    "chain_register",
    "bank_driver",
    "multiplexer",
    "level_shifter",
    "load_amplifier",
    "load_cell",
    "pi",
    "usb_port",
    "usb_mini_b",
    "supply",
    "buzzer",
    "p_channel",
    "pnp",
    "shunt_reference",
    "voltage_reference",
)


@each_board
def test_each_sort_of_part_and_net_is_drawn(key: str) -> None:
    """Of parts that are many and alike one is drawn; `pins.md` has their chips, and they are named by tube."""
    circuit, drawn = BOARDS[key].circuit, pins_of(sheets_of(key))
    letters = {circuit.by_ref[ref].letters for ref, _ in drawn}
    assert not {part.letters for part in circuit.parts} - letters
    assert not {family(net) for net in circuit.nets} - {family(words[-1]) for words in drawn.values()}


@each_board
def test_chips_and_modules_have_all_their_pins(key: str) -> None:
    pins = pins_of(sheets_of(key))
    for part in BOARDS[key].circuit.of_kind(*WITH_ALL_PINS):
        for pin in part.kind.pins:
            assert pins[part.ref, pin.number] == (pin.number, pin.name, part.nets.get(pin.name, "open"))


@each_board
def test_every_pin_that_is_drawn_is_on_the_net_of_the_circuit(key: str) -> None:
    parts = BOARDS[key].circuit.by_ref
    for (ref, number), words in pins_of(sheets_of(key)).items():
        pin = next(pin for pin in parts[ref].kind.pins if pin.number == number)
        net = parts[ref].nets.get(pin.name, "open")
        named = {"connector": (number, net)}.get(parts[ref].kind.key, (number, pin.name, net))
        bare = parts[ref].kind.key in ("resistor", "capacitor", "fuse", "button", "suppressor", "zener")
        assert words in (((net,), (net, "+"), (net, "K")) if bare else (named,))


@each_board
def test_what_is_drawn_has_its_value(key: str) -> None:
    circuit = BOARDS[key].circuit
    for paper in sheets_of(key).values():
        own = Counter(
            (text.groups[-1]["data-ref"], text.words)
            for text in paper.texts
            if text.groups and "data-ref" in text.groups[-1] and "data-pin" not in text.groups[-1]
        )
        for ref in {ref for ref, _ in own}:
            value = circuit.by_ref[ref].value
            assert own[ref, ref] >= 1
            assert own[ref, value] == own[ref, ref] or not value


@each_board
def test_large_capacitors_show_which_side_is_plus(key: str) -> None:
    pins = pins_of(sheets_of(key))
    large = [part for part in BOARDS[key].circuit.of_kind("capacitor") if part.value.endswith("µF")]
    assert large
    assert all("+" in pins[part.ref, "1"] for part in large)


def test_holders_have_a_sheet_where_they_are_fitted() -> None:
    for key, board in BOARDS.items():
        assert ("load-cells.svg" in sheets_of(key)) == bool(board.wiring.holders)
    words = {text.words for text in sheets_of("reference")["load-cells.svg"].texts}
    assert any("RATE tied high" in line for line in words)


@each_board
def test_the_ribbon_joins_the_same_pins(key: str) -> None:
    pins = {pin: words[-1] for paper in sheets_of(key).values() for pin, words in paper.pins().items()}
    assert [pins["J2", str(n)] for n in range(1, 21)] == [pins["J3", str(n)] for n in range(1, 21)]


#: Between a text and a line that it does not touch, in millimetres: half of the line's width and a little.
LINE_GAP = 0.2

#: Between two texts.
TEXT_GAP = 0.3

#: The area that a printer prints, and the title block.
PRINTED, BLOCK = Box(8, 8, 289, 202), Box(10, 187, 287, 200)


def problems(paper: Paper) -> Iterator[str]:
    """Everything that is wrong with a page."""
    attributes = paper.attributes
    if (attributes["width"], attributes["height"], attributes["viewBox"]) != ("297mm", "210mm", "0 0 297 210"):
        yield "not A4 across"
    if not paper.colours <= {"black", "white", "none"}:
        yield f"coloured: {paper.colours}"
    bodies = [(shape.ref, shape.outline) for shape in paper.shapes if shape.ref and shape.outline]
    for text in paper.texts:
        if not text.box.within(PRINTED):
            yield f"{text.words}: in the margin"
        if text.box.meets(BLOCK) and text.data("data-block") != "title":
            yield f"{text.words}: in the title block"
        if text.size * 0.729 < 2:
            yield f"{text.words}: capitals below 2 mm"
        wide = text.box.wider(LINE_GAP)
        if any(crosses(shape, wide) for shape in paper.shapes if shape.bounds.meets(wide)):
            yield f"{text.words}: a line runs through it"
        for ref, body in bodies:
            if text.box.meets(body) and text.data("data-ref") != ref:
                yield f"{text.words}: inside {ref}"
    downward = sorted(paper.texts, key=lambda text: text.box.top)
    for place, one in enumerate(downward, 1):
        for other in downward[place:]:
            if other.box.top >= one.box.bottom + TEXT_GAP:
                break
            if one.box.meets(other.box, TEXT_GAP):
                yield f"{one.words} and {other.words}: overlap"
    for (one_ref, one_body), (other_ref, other_body) in combinations(bodies, 2):
        if one_ref != other_ref and one_body.meets(other_body):
            yield f"{one_ref} and {other_ref}: overlap"


@each_board
def test_every_sheet_can_be_printed_and_read(key: str) -> None:
    found = {name: list(problems(paper)) for name, paper in sheets_of(key).items()}
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


@each_board
def test_the_title_blocks_say_what_it_is(key: str) -> None:
    board, sheets, titles = BOARDS[key], sheets_of(key), []
    for number, paper in enumerate(sheets.values(), 1):
        words = [text.words for text in paper.texts if text.data("data-block") == "title"]
        assert words[0] == board.title
        assert words[1] == f"made from {board.map_name}: change the map, not the drawing"
        assert words[3] == f"sheet {number} of {len(sheets)}"
        titles.append(words[2])
    assert len(set(titles)) == len(titles)


PAGE = """<svg xmlns="http://www.w3.org/2000/svg" width="297mm" height="{height}mm" viewBox="0 0 297 210">
<g data-ref="U1"><text x="42" y="46" font-size="3">OWN</text>
<path style="stroke:{colour}" d="M 40,40 L 60,40 L 60,60 L 40,60 L 40,40" /></g>
<text x="{x}" y="{y}" font-size="{size}">WORD</text>{more}</svg>"""

GOOD = {"height": 210, "colour": "black", "x": 100, "y": 100, "size": 3, "more": ""}

SPOILED = {
    "not A4 across": {"height": 297},
    "coloured": {"colour": "red"},
    "WORD: in the margin": {"x": 285},
    "WORD: in the title block": {"y": 190},
    "WORD: capitals below 2 mm": {"size": 2.5},
    "WORD: a line runs through it": {"more": '<path d="M 90,99 L 120,99" />'},
    "WORD: inside U1": {"x": 48, "y": 56},
    "OWN and WORD: overlap": {"x": 44, "y": 47},
    "U1 and U2: overlap": {"more": '<g data-ref="U2"><path d="M 55,55 L 70,55 L 70,70 L 55,70 L 55,55" /></g>'},
}


@pytest.mark.parametrize("words", SPOILED)
def test_a_spoiled_page_is_found_out(words: str) -> None:
    found = list(problems(read(PAGE.format(**GOOD | SPOILED[words]))))
    assert any(problem.startswith(words) for problem in found), found
