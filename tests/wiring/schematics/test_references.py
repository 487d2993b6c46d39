"""Nets that go on elsewhere name the sheets; the block diagram names units, cables and sheets. All read back."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tamsk_hw.errors import WiringError
from tests.wiring.bench import BOARDS, each_board
from tests.wiring.schematics.boards import sheets_of
from tests.wiring.schematics.paper import Paper
from wiring.make.circuit import Unit
from wiring.make.schematic_page import Sheet, refer

TABLES = ("array", "ring", "hall", "pixel", "bank", "connector", "rail")


def numbered(key: str) -> dict[int, Paper]:
    """The sheets by the number in their title block."""
    found = {}
    for paper in sheets_of(key).values():
        title = [text.words for text in paper.texts if text.data("data-block") == "title"]
        found[int(title[3].removeprefix("sheet ").split(" of ")[0])] = paper
    return found


def references(paper: Paper) -> list[tuple[str, frozenset[int]]]:
    """Each name of the references with the sheets that it is said to be on; a family ends in an ellipsis."""
    words = " ".join(text.words for text in paper.texts if text.data("data-references") is not None)
    if not words:
        return []
    found = []
    for entry in words.removeprefix("Goes on, on sheet: ").split("; "):
        names, numbers = entry.split(" → ")
        sheets = frozenset(map(int, re.findall(r"\d+", numbers)))
        found += [(name, sheets) for name in names.split(", ")]
    return found


def means(name: str, net: str) -> bool:
    """True where a name is a net's, or its family's."""
    if "…" not in name:
        return name == net
    start, end = name.split("…")
    return (
        net.startswith(start) and net.endswith(end) and (end == "B" or not (start == "BANK" and net.endswith("B")))
    )


def nets_on(key: str, paper: Paper) -> set[str]:
    """The nets of the pins drawn on a sheet, of wires that end there, and in its tables."""
    circuit = BOARDS[key].circuit
    found = {text.words for text in paper.texts if text.groups and "data-net" in text.groups[-1]}
    for ref, number in paper.pins():
        part = circuit.by_ref[ref]
        pin = next(pin for pin in part.kind.pins if pin.number == number)
        found |= {part.nets[pin.name]} if pin.name in part.nets else set()
    cells = {cell for kind in TABLES for row in paper.rows(kind) for cell in row}
    return found | (cells & circuit.nets.keys())


def wrong(key: str) -> Iterator[str]:
    """What the references of a board's sheets miss, and what they say without reason."""
    circuit, papers = BOARDS[key].circuit, numbered(key)
    on = {number: nets_on(key, paper) for number, paper in papers.items()}
    for number, paper in papers.items():
        said = references(paper)
        for net in on[number] - {"GND"}:
            named = [sheets for name, sheets in said if means(name, net)]
            for other in papers.keys() - {number}:
                if net in on[other] and not any(other in sheets for sheets in named):
                    yield f"sheet {number}: {net} is on sheet {other}, too"
        for name, sheets in said:
            for other in sheets:
                words = {text.words for text in papers[other].texts}
                there = {net for ref in words & circuit.by_ref.keys() for net in circuit.by_ref[ref].nets.values()}
                if not any(means(name, net) for net in there | on[other]):
                    yield f"sheet {number}: {name} is not on sheet {other}"


@each_board
def test_nets_that_go_on_name_the_sheets(key: str) -> None:
    assert list(wrong(key)) == []


@each_board
def test_the_references_are_not_empty(key: str) -> None:
    """Every sheet but the block diagram has a net that goes on."""
    papers = numbered(key)
    assert references(papers.pop(1)) == []
    assert all(references(paper) for paper in papers.values())


def test_a_name_that_misses_a_sheet_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    real = references

    def without(paper: Paper) -> list[tuple[str, frozenset[int]]]:
        return [(name, sheets - {10}) for name, sheets in real(paper)]

    monkeypatch.setattr(f"{__name__}.references", without)
    assert "sheet 4: MOSI is on sheet 10, too" in list(wrong("seven"))


def test_a_sheet_without_room_is_refused() -> None:
    circuit = BOARDS["seven"].circuit
    full, other = Sheet("full", "Full"), Sheet("other", "Other")
    for sheet in (full, other):
        sheet.nets.add("MOSI")
    full.box((10, 10), (277, 177))
    with pytest.raises(WiringError, match="full: no room for its references"):
        refer(circuit, [full, other], first=1)


def unit_words(paper: Paper) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for text in paper.texts:
        unit = text.data("data-unit")
        if unit is not None:
            found.setdefault(unit, []).append(text.words)
    return found


@each_board
def test_the_block_diagram_has_every_unit_with_its_sheets(key: str) -> None:
    circuit, papers = BOARDS[key].circuit, numbered(key)
    drawn = unit_words(papers[1])
    assert drawn.keys() == {unit.value for unit in Unit if any(circuit.on(unit))}
    for unit, words in drawn.items():
        assert words[0] == unit
        wanted = []
        for number, paper in papers.items():
            refs = {text.words for text in paper.texts} & circuit.by_ref.keys()
            if number > 1 and any(circuit.by_ref[ref].unit.value == unit for ref in refs):
                wanted.append(number)
        assert [int(number) for number in re.findall(r"\d+", words[1])] == sorted(wanted)


@each_board
def test_the_block_diagram_has_every_cable(key: str) -> None:
    board, paper = BOARDS[key], numbered(key)[1]
    circuit = board.circuit
    rows = paper.rows("cable")
    assert [row[:5] for row in rows[: len(board.cables)]] == [
        [
            cable.ref,
            f"{cable.a}, {circuit.by_ref[cable.a].unit.value}",
            f"{cable.b}, {circuit.by_ref[cable.b].unit.value}",
            str(cable.made_of),
            f"{cable.length:g}",
        ]
        for cable in board.cables
    ]
    lines = {name for text in paper.texts if (name := text.data("data-cable"))}
    named = {ref for line in lines for ref in line.split(", ")}
    across = {
        cable.ref for cable in board.cables if circuit.by_ref[cable.a].unit is not circuit.by_ref[cable.b].unit
    }
    tubes = f"WT-{board.wiring.tubes[0]} … WT-TIMER"
    assert named == across | {tubes}
