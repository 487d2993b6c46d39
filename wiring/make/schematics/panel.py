"""Sheet of the Pi's header, the buttons and the buzzer."""

from __future__ import annotations

from wiring.make.board import Board
from wiring.make.circuit.model import Unit
from wiring.make.schematics.page import LEFT, TOP, Sheet
from wiring.make.schematics.symbols import Sides, as_header, box, rail, through, two_leads


def panel_sheets(board: Board) -> list[Sheet]:
    """The whole header with what is used of it, and the panel."""
    circuit = board.circuit
    sheet = Sheet("panel", "Pi header, buttons, buzzer")
    pi = next(circuit.of_kind("pi"))
    box(sheet, pi, (LEFT + 34, TOP + 12), as_header(pi.kind))
    lines = (
        "The number is that of the header's pin, the name after GPIO is the BCM number.",
        "Pin 1 is at the end of the board where the memory card is.",
        "Open pins carry nothing of this board's; the Pi has a supply of its own.",
    )
    sheet.notes(lines, (LEFT, TOP + 126))
    plug = next(part for part in circuit.of_kind("connector") if part.unit is Unit.PANEL)
    names = [pin.name for pin in plug.kind.pins]
    heights = {name: TOP + 24 + 16 * row for row, name in enumerate(names)}
    through(sheet, plug, 162, heights)
    sounder = next(circuit.of_kind("buzzer"))
    series = next(part for part in circuit.of_kind("resistor") if part.net("B") == sounder.net("+"))
    for name, y in heights.items():
        net = plug.nets[name]
        sheet.wire((152, y), (162, y))
        rail(sheet, net, (152, y), left=True)
        button = next((part for part in circuit.of_kind("button") if part.net("A") == net), None)
        if button is not None:
            sheet.wire((172, y), (199, y))
            two_leads(sheet, button, (199, y), (261, y), nets=("along", "end"))
        elif series.net("A") == net:
            sheet.wire((172, y), (196, y))
            two_leads(sheet, series, (196, y), (240, y), nets=("along", "along"))
            ends = box(sheet, sounder, (268, y - 3.75), Sides(("+", "-"), ()), wired=("+",), title="end")
            sheet.wire((240, y), ends["+"])
        else:
            sheet.wire((172, y), (186, y))
            rail(sheet, net, (186, y))
    port = next(circuit.of_kind("usb_port"))
    box(sheet, port, (162, TOP + 126), Sides((), tuple(pin.name for pin in port.kind.pins)), width=18)
    sheet.text(port.where, (172, TOP + 120))
    return [sheet]
