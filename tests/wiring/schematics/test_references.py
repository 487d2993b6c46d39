"""The index, read back: it names sheets and nets. The block diagram is kept (test_agreement.py)."""

from tests.wiring.bench import BOARDS, each_board, made
from tests.wiring.schematics.boards import sheets_of
from tests.wiring.schematics.paper import Paper
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
