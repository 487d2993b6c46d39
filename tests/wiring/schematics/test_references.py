"""The index names sheets and nets, the block diagram units, cables and sheets. All read back."""

import re

from tests.wiring.bench import BOARDS, each_board, made
from tests.wiring.schematics.boards import sheets_of
from tests.wiring.schematics.paper import Paper
from wiring.make.circuit import Unit
from wiring.make.schematic_page import family
from wiring.make.schematics import files


def numbered(key: str) -> dict[int, Paper]:
    """The sheets by the number in their title block."""
    found = {}
    for paper in sheets_of(key).values():
        title = [text.words for text in paper.texts if text.data("data-block") == "title"]
        found[int(title[3].removeprefix("sheet ").split(" of ")[0])] = paper
    return found


@each_board
def test_the_index_has_each_sheet_and_the_sheets_of_each_net(key: str) -> None:
    circuit, text = BOARDS[key].circuit, made(key, files)["index.md"]
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("|")]
    sheets = {int(row[0]): row[2] for row in rows if len(row) == 3 and row[0].isdecimal()}
    assert list(sheets.values()) == list(sheets_of(key))
    said = {row[0]: {int(number) for number in row[1].split(", ")} for row in rows if row[-1][0].isdecimal()}
    wanted: dict[str, set[int]] = {}
    for number, paper in numbered(key).items():
        found = {text.words for text in paper.texts if text.groups and "data-net" in text.groups[-1]}
        for ref, pin in paper.pins():
            part = circuit.by_ref[ref]
            found |= {part.nets.get(each.name, "GND") for each in part.kind.pins if each.number == pin}
        for net in found - {"GND"}:
            wanted.setdefault(family(net), set()).add(number)
    assert said == wanted


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
    lines = {name for text in paper.texts if (name := text.data("data-cable"))}
    named = {ref for line in lines for ref in line.split(", ")}
    across = {
        cable.ref for cable in board.cables if circuit.by_ref[cable.a].unit is not circuit.by_ref[cable.b].unit
    }
    tubes = f"WT-{board.wiring.tubes[0]} … WT-TIMER"
    assert named == across | {tubes}
