"""Sheet of the inlet: supply, slow fuse, and the guard against wrong polarity and too high a voltage."""

from __future__ import annotations

from wiring.make.board import Board
from wiring.make.circuit import nets
from wiring.make.circuit.model import Circuit, Part
from wiring.make.schematics.finding import on_net
from wiring.make.schematics.page import LEFT, TOP, Sheet
from wiring.make.schematics.symbols import Sides, box, rail, row_of, through, two_leads

#: Sources and gate at one side of a transistor's box, drains at the other.
_SOURCES = ("S", "S2", "S3", "G")
_DRAINS = ("D", "D2", "D3", "D4")


def inlet_sheets(board: Board) -> list[Sheet]:
    """From the supply to the net that the rails' fuses feed on."""
    circuit = board.circuit
    sheet = Sheet("inlet", "Inlet: supply, slow fuse, guard")
    _plug(sheet, circuit, TOP + 18)
    _guard(sheet, circuit, TOP + 56)
    sheet.notes(
        (
            f"Q1 stops a plug with minus inside: its body diode lets a right one start, then its gate at "
            f"{nets.GROUND} short-circuits the diode.",
            f"Q2 stops more than about 5.5 V: U5 compares {nets.VOLTAGE_SENSE} with its own 2.495 V; above it "
            "draws current, Q3 joins the gate of Q2 to its sources, and Q2 opens. D2 guards the gate of Q1.",
            "C50 holds Q2 off as a plug goes in, so that U5 is sooner; then Q2 closes slowly, and the capacitors "
            "behind it charge slowly. C51 keeps spikes from U5.",
            "S, S2 and S3 are one inside, D to D4 too; all of them are soldered.",
        ),
        (LEFT, TOP + 154),
    )
    return [sheet]


def _plug(sheet: Sheet, circuit: Circuit, y: float) -> None:
    """The supply, its plug and the slow fuse with the suppressor behind it."""
    supply = next(circuit.of_kind("supply"))
    inlet = on_net(circuit, nets.INLET, "connector").part
    fuse, suppressor = circuit.by_ref["FU1"], next(circuit.of_kind("suppressor"))
    ends = box(sheet, supply, (LEFT + 3, y), Sides((), ("+", "-")), wired=("+", "-"), width=22)
    rows = {name: ends["+" if net == nets.INLET else "-"][1] for name, net in inlet.nets.items()}
    through(sheet, inlet, LEFT + 54, rows)
    for height in rows.values():
        sheet.wire((LEFT + 32, height), (LEFT + 54, height))
    plus, minus = ends["+"][1], ends["-"][1]
    sheet.wire((LEFT + 64, minus), (LEFT + 80, minus))
    rail(sheet, nets.GROUND, (LEFT + 80, minus))
    sheet.wire((LEFT + 64, plus), (LEFT + 84, plus))
    two_leads(sheet, fuse, (LEFT + 84, plus), (LEFT + 140, plus), nets=("along", "along"))
    sheet.dot((LEFT + 146, plus))
    two_leads(sheet, suppressor, (LEFT + 146, plus), (LEFT + 146, plus + 26), nets=("along", "end"))
    sheet.wire((LEFT + 140, plus), (LEFT + 190, plus))
    rail(sheet, fuse.nets["B"], (LEFT + 190, plus))


def _guard(sheet: Sheet, circuit: Circuit, y: float) -> None:
    """Both transistors in the way of the current, and what drives their gates."""
    polarity, voltage = circuit.by_ref["Q1"], circuit.by_ref["Q2"]
    left = box(sheet, polarity, (LEFT + 40, y), Sides(_DRAINS, _SOURCES), wired=("S",), width=24)
    right = box(sheet, voltage, (LEFT + 176, y), Sides(_SOURCES, _DRAINS), wired=("S",), width=24)
    sheet.wire(left["S"], right["S"])
    _words(sheet, polarity, (LEFT + 40, y + 29))
    _words(sheet, voltage, (LEFT + 176, y + 29))
    below = y + 44
    comparator, switch = circuit.by_ref["U5"], circuit.by_ref["Q3"]
    box(sheet, comparator, (LEFT + 28, below), Sides(("REF",), ("CATHODE", "ANODE")), width=32)
    box(sheet, switch, (LEFT + 128, below), Sides(("B",), ("E", "C")), width=20)
    _words(sheet, comparator, (LEFT + 28, below + 18))
    _words(sheet, switch, (LEFT + 128, below + 18))
    beside = [circuit.by_ref[ref] for ref in ("R50", "R51", "C50")]
    row_of(sheet, beside, (LEFT + 196, below - 2), step=26)
    row_of(sheet, [circuit.by_ref["C51"]], (LEFT + 92, below - 2))
    under = [circuit.by_ref[ref] for ref in ("R52", "R53", "R54", "R55", "D2")]
    row_of(sheet, under, (LEFT + 12, below + 27), step=52)
    for number, part in enumerate(under):
        sheet.text(part.where, (LEFT + 16 + 52 * number, below + 42))


def _words(sheet: Sheet, part: Part, at: tuple[float, float]) -> None:
    sheet.text(part.where, at)
