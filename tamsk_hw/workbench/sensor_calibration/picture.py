"""A walk over the board as a picture for a terminal of 80 by 24: where the glass goes, what each sensor reads."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from rich.style import Style
from rich.text import Text

from tamsk_hw.board.protocol.messages import TIMER_FIELD, Snapshot
from tamsk_hw.board.wiring import Wiring
from tamsk_hw.game.tubes import TUBES
from tamsk_hw.terminal.hexagon import CELL, EDGE, HEIGHT, PLAIN, SIDE_COLUMN, WIDTH, Piece, Sheet, draw_board
from tamsk_hw.workbench.readings import ring_code
from tamsk_hw.workbench.sensor_calibration.showing import Lit, Showing

_QUIET = Style(color="grey50")
_STRONG = Style(color="white", bold=True)
_ASK = Style(color="#3ddc68", bold=True)
_UNSURE = Style(color="#ffb000", bold=True)

#: The signs of the lights in the tubes' cells, told apart without colour, and their styles.
SIGNS: dict[Lit, tuple[str, Style]] = {
    Lit.HERE: ("▼", Style(color="black", bgcolor="#3ddc68", bold=True)),
    Lit.TURN: ("↻", Style(color="black", bgcolor="#3ddc68", bold=True)),
    Lit.WRONG: ("✗", Style(color="white", bgcolor="#9b30d0", bold=True)),
    Lit.MISSING: ("○", Style(color="black", bgcolor="white", bold=True)),
    Lit.NEXT: ("›", Style(color="#9db7f0")),
    Lit.DONE: ("✓", Style(color="#3ddc68")),
    Lit.BAD: ("!", _UNSURE),
}

_WORDS = {
    Lit.HERE: "set it here",
    Lit.TURN: "turn it over",
    Lit.WRONG: "take this away",
    Lit.MISSING: "rings missing",
    Lit.NEXT: "next",
    Lit.DONE: "measured",
    Lit.BAD: "bad",
}

_SIDE = WIDTH - SIDE_COLUMN

#: The last row beside the board.
_LAST_ROW = HEIGHT - 5


def walk_picture(
    showing: Showing,
    snapshot: Snapshot | None,
    wiring: Wiring,
    *,
    port: str,
    notices: Sequence[str] = (),
    typed: str = "",
) -> Text:
    """The whole picture. ``notices``: what was said besides, the newest last; ``typed``: what is being typed."""
    sheet = Sheet()
    at = sheet.write(0, 1, f"TAMSK calibration: {showing.title}", _STRONG)
    name = port if len(port) <= WIDTH - at - 4 else f"…{port[-(WIDTH - at - 5) :]}"
    sheet.write(0, WIDTH - 1 - len(name), name, _QUIET)
    draw_board(
        sheet,
        {
            tube: (_upper(showing, snapshot, int(tube)), _lower(snapshot, wiring, int(tube)))
            for tube in wiring.tubes
        },
    )
    _side(sheet, showing, snapshot)
    sheet.write(HEIGHT - 4, 0, "─" * WIDTH, EDGE)
    if notices:
        sheet.write(HEIGHT - 3, 1, notices[-1][: WIDTH - 2], _UNSURE)
    keys = "Enter: go on; back, skip, quit + Enter. Buttons: start; black, red, start held"
    sheet.write(HEIGHT - 2, 1, keys, _QUIET)
    sheet.write(HEIGHT - 1, 1, f"> {typed}"[: WIDTH - 2], PLAIN)
    return sheet.text()


def _side(sheet: Sheet, showing: Showing, snapshot: Snapshot | None) -> None:
    """Beside the board: what to do, what is in the way, the timer, and what the signs mean that are shown."""
    row = 2
    for line in wrap(showing.prompt, _SIDE - 1):
        sheet.write(row, SIDE_COLUMN, line, _ASK)
        row += 1
    trouble = wrap(showing.trouble or "", _SIDE - 1)
    for line in trouble[: _LAST_ROW - row]:
        row += 1
        sheet.write(row, SIDE_COLUMN, line, _UNSURE)
    shown = [lit for lit in SIGNS if lit in showing.lit.values()]
    row = _LAST_ROW - len(shown) if row < _LAST_ROW - len(shown) - 1 else _LAST_ROW + 1
    if row > _LAST_ROW:
        return
    sign, style = _sign(showing, TIMER_FIELD)
    reading = "  -" if snapshot is None else f"{snapshot.fields[TIMER_FIELD]:3}"
    sheet.write(row, SIDE_COLUMN, f"timer {reading}", PLAIN)
    sheet.write(row, SIDE_COLUMN + 10, sign, style)
    for place, lit in enumerate(shown, row + 1):
        sign, style = SIGNS[lit]
        sheet.write(place, SIDE_COLUMN, sign, style)
        sheet.write(place, SIDE_COLUMN + 2, _WORDS[lit], _QUIET)


def _sign(showing: Showing, index: int) -> tuple[str, Style]:
    lit = showing.lit.get(index)
    return (" ", PLAIN) if lit is None else SIGNS[lit]


def _upper(showing: Showing, snapshot: Snapshot | None, index: int) -> tuple[Piece, ...]:
    sign, style = _sign(showing, index)
    reading = "  -" if snapshot is None else f"{snapshot.fields[index]:3}"
    return (f"{reading} ", PLAIN), (f"{sign} ", style)


def _lower(snapshot: Snapshot | None, wiring: Wiring, index: int) -> tuple[Piece, ...]:
    tube = TUBES[index]
    rings = "" if snapshot is None else ring_code(snapshot, wiring, tube)
    return (tube.name, PLAIN), ("_" * (CELL - 2 - len(rings)), EDGE), (rings, _QUIET)
