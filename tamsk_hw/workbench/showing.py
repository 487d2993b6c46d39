"""A walk's prompt shown: as lights (pure, three bytes for each pixel) and as a picture for a terminal of 80 by 24.

====================  ==================================================================================
a test: felt now      white
a test: wrong         violet
a test: done          green; amber while only some of a tube's sensors are done
set the glass here    green, steady
turn it over          green and dark, twice a second
take this away        violet, once a second
rings are missing     white, steady
next                  pale blue, dim
measured              green, barely lit
measured, and bad     amber
press start           both players' lights white, swelling
====================  ==================================================================================

While the board is out of reach all lights are shown at a quarter, as in a game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import Final, assert_never

from rich.style import Style
from rich.text import Text

from tamsk_hw.board.protocol import TIMER_FIELD, Snapshot
from tamsk_hw.board.wiring import Wiring
from tamsk_hw.configuration.settings import LightSettings
from tamsk_hw.errors import printable
from tamsk_hw.game.tubes import PLAYERS, TUBE_OF_NAME, Tube
from tamsk_hw.panel.lights import (
    DARK,
    STALE_LEVEL,
    TIMER_PLACE,
    Colour,
    Palette,
    capped,
    pixel_names,
    pulse,
    scaled,
)
from tamsk_hw.terminal.picture import (
    BAD,
    CELL,
    EDGE,
    GOOD,
    HEIGHT,
    PLAIN,
    QUIET,
    SIDE_COLUMN,
    STRONG,
    UNSURE,
    WIDTH,
    Cell,
    Piece,
    Sheet,
    draw_board,
)
from tamsk_hw.workbench.board import ring_code
from tamsk_hw.workbench.walk import Mark, Prompt

#: The brightness of a tube that was measured, and of the one that is next (shares of their colours).
_DONE_LEVEL: Final = 0.06
_NEXT_LEVEL: Final = 0.15

#: The sign of each mark with its style, and its meaning. The signs differ without colour, too.
SIGNS: Final[dict[Mark, tuple[Piece, str]]] = {
    Mark.WAITING: (("·", QUIET), "not yet"),
    Mark.NOW: (("●", STRONG), "now"),
    Mark.GOOD: (("+", GOOD), "seen"),
    Mark.BAD: (("!", BAD), "wrong"),
    Mark.HERE: (("▼", Style(color="black", bgcolor="#3ddc68", bold=True)), "set it here"),
    Mark.TURN: (("↻", Style(color="black", bgcolor="#3ddc68", bold=True)), "turn it over"),
    Mark.WRONG: (("✗", Style(color="white", bgcolor="#9b30d0", bold=True)), "take this away"),
    Mark.MISSING: (("○", Style(color="black", bgcolor="white", bold=True)), "rings missing"),
    Mark.NEXT: (("›", Style(color="#9db7f0")), "next"),
    Mark.DONE: (("✓", Style(color="#3ddc68")), "measured"),
    Mark.DOUBTFUL: (("!", UNSURE), "bad"),
}

#: How to answer during a calibration.
_CALIBRATION_KEYS: Final = "Enter: go on; back, skip, quit + Enter. Buttons: start; black, red, start held"

#: Columns beside the board.
_SIDE: Final = WIDTH - SIDE_COLUMN - 1


# ---- lights


def coloured(colours: Mapping[str, Colour], wiring: Wiring, milliamp_cap: float, *, stale: bool = False) -> bytes:
    """The whole picture in the chain's order, within ``milliamp_cap`` mA: these places, the others dark.

    Places that are not fitted are ignored. ``stale``: the board is out of reach.
    """
    picture = bytearray(3 * wiring.pixel_count)
    pixels = pixel_names(wiring)
    for name, colour in colours.items():
        if name in pixels:
            start = 3 * pixels[name]
            picture[start : start + 3] = bytes(scaled(colour, STALE_LEVEL) if stale else colour)
    return capped(bytes(picture), milliamp_cap)


def prompt_lights(
    prompt: Prompt, t: float, wiring: Wiring, settings: LightSettings, *, stale: bool = False
) -> bytes:
    """The lights for ``prompt`` at time ``t`` (seconds, any origin)."""
    colours = {name: _colour(marks, t, settings.palette) for name, marks in prompt.marks.items()}
    if prompt.awaits_start:
        swelling = scaled(settings.palette.ring, pulse(t))
        colours |= {f"{player} {number}": swelling for player in PLAYERS for number in (1, 2)}
    return coloured(colours, wiring, settings.milliamps, stale=stale)


def _colour(marks: tuple[Mark, ...], t: float, palette: Palette) -> Colour:
    """The colour of one place: the most pressing of its marks."""
    colours = {mark: _of_mark(mark, t, palette) for mark in marks}
    for pressing in (Mark.NOW, Mark.BAD):
        if pressing in colours:
            return colours[pressing]
    if Mark.GOOD in colours and len(colours) > 1:
        return palette.doubtful
    return next(iter(colours.values()), DARK)


def _of_mark(mark: Mark, t: float, palette: Palette) -> Colour:
    match mark:
        case Mark.WAITING:
            return DARK
        case Mark.NOW | Mark.MISSING:
            return palette.ring
        case Mark.BAD:
            return palette.wrong
        case Mark.GOOD | Mark.HERE:
            return palette.destination
        case Mark.TURN:
            return palette.destination if t % 0.5 < 0.25 else DARK
        case Mark.WRONG:
            return palette.wrong if t % 1.0 < 0.5 else DARK
        case Mark.NEXT:
            return scaled(palette.belongs, _NEXT_LEVEL)
        case Mark.DONE:
            return scaled(palette.destination, _DONE_LEVEL)
        case Mark.DOUBTFUL:
            return palette.doubtful
        case _:
            assert_never(mark)


# ---- the picture


def write_heading(sheet: Sheet, heading: str, corner: str) -> None:
    """Write the first row: ``heading`` on the left, the end of ``corner`` on the right."""
    at = sheet.write(0, 1, heading, STRONG)
    room = WIDTH - at - 4
    cut = corner if len(corner) <= room else f"…{corner[1 - room :]}"
    sheet.write(0, WIDTH - 1 - len(cut), cut, QUIET)


def prompt_picture(
    prompt: Prompt,
    *,
    heading: str,
    corner: str,
    cells: Mapping[Tube, Cell],
    beside: Sequence[Sequence[Piece]],
    footer: Sequence[Piece],
) -> Text:
    """The whole picture.

    ``cells``: what stands in the tubes, empty where no board is shown; ``beside``: the rows for what lies beside
    it; ``footer``: the last rows, how to answer.
    """
    sheet = Sheet()
    write_heading(sheet, heading, corner)
    last = HEIGHT - len(footer) - 1
    row, column, room = (2, SIDE_COLUMN, _SIDE) if cells else (5, 4, WIDTH - 8)
    rows = [(line, STRONG) for line in wrap(prompt.title, room)]
    rows += [("", PLAIN), *((line, GOOD) for line in wrap(prompt.words, room))]
    for aside in (prompt.notice, prompt.trouble):
        if aside:
            rows += [("", PLAIN), *((line, UNSURE) for line in wrap(printable(aside), room))]
    for line, style in rows[: last - 1 - row]:
        sheet.write(row, column, line, style)
        row += 1
    draw_board(sheet, cells)
    for pieces in beside[: max(0, last - 2 - row)]:
        row += 1
        _write_pieces(sheet, row, SIDE_COLUMN, pieces)
    shown = {mark for marks in prompt.marks.values() for mark in marks}
    legend = [(sign, (f" {meaning}   ", QUIET)) for mark, (sign, meaning) in SIGNS.items() if mark in shown]
    _write_pieces(sheet, last - 1, 1, [piece for pair in legend for piece in pair])
    sheet.write(last, 0, "─" * WIDTH, EDGE)
    for place, (line, style) in enumerate(footer, last + 1):
        sheet.write(place, 1, line[: WIDTH - 2], style)
    return sheet.text()


def _write_pieces(sheet: Sheet, row: int, column: int, pieces: Sequence[Piece]) -> None:
    for text, style in pieces:
        column = sheet.write(row, column, text, style)


def marks_in_cells(prompt: Prompt) -> dict[Tube, Cell]:
    """The tubes with their marks, each under its name."""
    cells: dict[Tube, Cell] = {}
    for name, marks in prompt.marks.items():
        if name in TUBE_OF_NAME:
            lower = ((" " * ((CELL - len(marks)) // 2), EDGE), *(SIGNS[mark][0] for mark in marks))
            cells[TUBE_OF_NAME[name]] = ((f"  {name}".ljust(CELL), PLAIN),), lower
    return cells


def marks_beside(prompt: Prompt) -> list[list[Piece]]:
    """The other places with their marks, a row each."""
    return [
        [(f"{name:8} ", QUIET), *(SIGNS[mark][0] for mark in marks)]
        for name, marks in prompt.marks.items()
        if name not in TUBE_OF_NAME
    ]


def sensors_picture(
    prompt: Prompt, snapshot: Snapshot | None, wiring: Wiring, *, port: str, note: str = "", typed: str = ""
) -> Text:
    """A prompt of the walk as a picture with the sensors' readings.

    ``note``: the last note; ``typed``: the line that is being typed.
    """

    def reading(index: int) -> str:
        return "  -" if snapshot is None else f"{snapshot.fields[index]:3}"

    def sign(place: str) -> Piece:
        marks = prompt.marks.get(place)
        return SIGNS[marks[0]][0] if marks else (" ", PLAIN)

    def cell(tube: Tube) -> Cell:
        rings = "" if snapshot is None else ring_code(snapshot, wiring, tube)
        upper = ((f"{reading(tube)} ", PLAIN), sign(tube.name), (" ", PLAIN))
        return upper, ((tube.name, PLAIN), ("_" * (CELL - 2 - len(rings)), EDGE), (rings, QUIET))

    return prompt_picture(
        prompt,
        heading="TAMSK calibration",
        corner=port,
        cells={tube: cell(tube) for tube in wiring.tubes},
        beside=[[(f"timer {reading(TIMER_FIELD)} ", PLAIN), sign(TIMER_PLACE)]],
        footer=[(note, UNSURE), (_CALIBRATION_KEYS, QUIET), (f"> {typed}", PLAIN)],
    )
