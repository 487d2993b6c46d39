"""The live picture: the board, the players, the clock, the last rulings, and the moves where there is room.

It needs a terminal of 80 by 23 and uses a larger one: the rulings take further rows, the score sheet further
columns. It shows a `Diagnosis`, as the lights do, and from the view what lights have no room for: counts of
rings, level and turn. It can be read without colour: glasses are the letters R and B, rings are dots.

The board is a hexagon of characters, for every picture on a terminal of 80 by 24: a tube is a cell of two rows
with six columns of text, and shares its sides with its neighbours. Sensors' readings are shown in the same cells.
Tables for people are drawn on a terminal, and plain aligned columns elsewhere.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from textwrap import wrap
from typing import assert_never

import click
from rich.cells import cell_len
from rich.console import Console
from rich.style import Style
from rich.table import Table
from rich.text import Text

from tamsk_hw.errors import printable
from tamsk_hw.game.notation import Ply
from tamsk_hw.game.tubes import CAPACITY, PLAYERS, RINGS_EACH, TUBES, Player, Tube
from tamsk_hw.panel.diagnosis import (
    TIMER_SECONDS,
    Diagnosis,
    Headline,
    HeadlineKind,
    PlayerSign,
    PlayerStatus,
    TubeRequest,
    TubeSign,
    TubeState,
    whole_seconds,
)
from tamsk_hw.referee.sheet import pairs
from tamsk_hw.referee.view import View
from tamsk_hw.words.prompts import PromptWords, keys_line, prompt_words
from tamsk_hw.words.rulings import headline, short_clock
from tamsk_hw.words.score_sheet import turn_words
from tamsk_hw.words.table import due_words, status_words
from tamsk_hw.words.translating import letter_words, ntr, player_words, tr, tr_in

#: Columns and rows of the smallest picture; a terminal of 80 by 24 keeps one row free.
WIDTH = 80
HEIGHT = 23

#: Columns of text in a tube's cell, between its two sides.
CELL = 6

#: The board's place. It has two rows for each tube of column D and one above them.
BOARD_ROW = 2
BOARD_COLUMN = 1

#: The first column beside the board.
SIDE_COLUMN = 54

#: Lines that divide, and text that nothing else asks for.
EDGE = Style(color="grey35")
PLAIN = Style(color="grey85")

#: Styles of the workbench's pictures: asides, headings, what is good, what is in doubt, what is wrong.
QUIET = Style(color="grey50")
STRONG = Style(color="white", bold=True)
GOOD = Style(color="#3ddc68", bold=True)
UNSURE = Style(color="#ffb000", bold=True)
BAD = Style(color="white", bgcolor="#b3261e", bold=True)

#: The tube above each in its column.
_ABOVE = {low: high for low, high in pairwise(TUBES) if low.column == high.column}

#: A piece of a cell: text and its style.
Piece = tuple[str, Style]

#: The contents of a cell: its upper and its lower row.
Cell = tuple[Iterable[Piece], Iterable[Piece]]


class Sheet:
    """Rows of cells to write on, each a character with its style."""

    def __init__(self, width: int = WIDTH, height: int = HEIGHT) -> None:
        self.width, self.height = width, height
        self._characters = [[" "] * width for _ in range(height)]
        self._styles: list[list[Style]] = [[PLAIN] * width for _ in range(height)]

    def write(self, row: int, column: int, text: str, style: Style = PLAIN) -> int:
        """Writes text, cut at the right edge and below the last row; returns the column behind it."""
        for character in text:
            if column >= self.width or row >= self.height:
                break
            self._characters[row][column] = character
            self._styles[row][column] = style
            column += 1
        return column

    def text(self) -> Text:
        """The whole sheet as one text."""
        text = Text(no_wrap=True, overflow="crop", end="")
        for row in range(self.height):
            characters, styles = self._characters[row], self._styles[row]
            start = 0
            for column in range(1, self.width + 1):
                if column == self.width or styles[column] is not styles[start]:
                    text.append("".join(characters[start:column]), styles[start])
                    start = column
            if row < self.height - 1:
                text.append("\n")
        return text


def draw_board(sheet: Sheet, cells: Mapping[Tube, Cell]) -> None:
    """Draws the tubes of a board, each with what stands in its cell."""
    for tube, (upper, lower) in cells.items():
        _draw_cell(sheet, tube, upper, lower, top=_ABOVE.get(tube) not in cells)


def _draw_cell(sheet: Sheet, tube: Tube, upper: Iterable[Piece], lower: Iterable[Piece], *, top: bool) -> None:
    """Draws a tube: a hexagon of two rows of `CELL` columns; ``top``: none stands above it in its column."""
    row = BOARD_ROW + 1 + round((6 - tube.height) * 2)
    column = BOARD_COLUMN + tube.column * (CELL + 1)
    if top:
        sheet.write(row - 1, column + 1, "_" * CELL, EDGE)
    for line, (left, right) in enumerate((("/", "\\"), ("\\", "/"))):
        sheet.write(row + line, column, left, EDGE)
        sheet.write(row + line, column + CELL + 1, right, EDGE)
    for line, pieces in enumerate((upper, lower)):
        at = column + 1
        for text, style in pieces:
            at = sheet.write(row + line, at, text, style)


#: The gap between the columns of a plain table.
_GAP = "  "


def print_table(columns: Sequence[str], rows: Sequence[Sequence[str]], *, right: Sequence[str] = ()) -> None:
    """Print a table on standard output; the columns named in ``right`` are aligned there.

    Cells may hold anything: what would steer a terminal, or is mark-up, is shown as it is written.
    """
    shown = [[printable(cell) for cell in row] for row in rows]
    console = Console()
    if console.is_terminal:
        table = Table(header_style="bold")
        for column in columns:
            table.add_column(Text(column), justify="right" if column in right else "left")
        for row in shown:
            table.add_row(*(Text(cell) for cell in row))
        console.print(table)
        return
    widths = [max(map(cell_len, cells)) for cells in zip(columns, *shown, strict=True)]
    for row in (list(columns), *shown):
        cells = [
            " " * (width - cell_len(cell)) + cell if column in right else cell + " " * (width - cell_len(cell))
            for column, cell, width in zip(columns, row, widths, strict=True)
        ]
        click.echo(_GAP.join(cells).rstrip())


#: Styles of the game's pictures: blocks and ink of the players, what is urgent, allowed, asked or new.
PLAYER = {
    Player.RED: Style(color="white", bgcolor="#b3261e", bold=True),
    Player.BLACK: Style(color="white", bgcolor="#2b4fb8", bold=True),
}
INK = {Player.RED: Style(color="#ff6b5e", bold=True), Player.BLACK: Style(color="#82a8ff", bold=True)}
VIOLET = Style(color="white", bgcolor="#7a1fd0", bold=True)
RING = Style(color="#e8c268", bold=True)
LOST = Style(color="grey62", bgcolor="grey27", bold=True)
NEWS = Style(color="black", bgcolor="#e8c268", bold=True)
BLOCKED = Style(color="grey66", bgcolor="grey27")
BLOCKED_EDGE = Style(color="grey46", bgcolor="grey27")
BLOCKED_RING = Style(color="#9c8247", bgcolor="grey27")

#: Sand left, from nearly none to a full glass.
_SAND = "▁▂▃▄▅▆▇█"


def cell(tube: Tube, sign: TubeSign, counted: int, seen: int) -> Cell:
    """The text of a tube's cell; ``counted`` of the ``seen`` rings count."""
    return _glass(sign), _rings(tube, sign, counted, seen)


def _request(sign: TubeSign) -> Piece | None:
    """The request of a tube, or of an advice to it, in the six columns of its cell; None without one."""
    of = "?" if sign.player is None or sign.holds is TubeState.LIFTED else letter_words(sign.player)
    asked = "?" if sign.asked is None else letter_words(sign.asked)
    match sign.asks:
        case TubeRequest.TAKE_AWAY:
            return tr_in("six columns", " {letter} off", letter=of), VIOLET
        case TubeRequest.SET_UPRIGHT:
            return tr_in("six columns", "{letter} lean", letter=of), VIOLET
        case TubeRequest.TURN_OVER:
            return tr_in("six columns", "{letter} turn", letter=of), VIOLET
        case TubeRequest.BELONGS:
            return tr_in("six columns", "{letter} here", letter=asked), VIOLET
        case TubeRequest.CARRY:
            return tr_in("six columns", "{letter} lift", letter=asked), PLAYER[sign.hand]
        case TubeRequest.PUT_HERE:
            return tr_in("six columns", "{letter} put ", letter=asked), PLAYER[sign.hand]
        case TubeRequest.PUT_HERE_TURNED:
            return tr_in("six columns", "{letter} over", letter=asked), PLAYER[sign.hand]
        case TubeRequest.DROP_RING:
            return tr_in("six columns", "{letter} ring", letter=asked), PLAYER[sign.hand]
        case TubeRequest.RING_OFF | TubeRequest.RING_BACK | TubeRequest.RING_OPEN | None:
            return None
        case _:
            assert_never(sign.asks)


def _glass(sign: TubeSign) -> tuple[Piece, ...]:
    """The upper row of a cell: the glass with its sand, a request, or the tube's own state."""
    if (request := _request(sign)) is not None:
        return (request,)
    match sign.holds:
        case TubeState.EMPTY:
            return ((" " * CELL, PLAIN),)
        case TubeState.FULL:
            return ((tr_in("six columns", " full "), BLOCKED),)
        case TubeState.DESTINATION:
            return ((tr_in("six columns", "→ here"), GOOD),)
    of, block = letter_words(sign.owner), PLAYER[sign.owner]
    match sign.holds:
        case TubeState.LIFTED:
            return ((tr_in("six columns", "{letter} hand", letter=of), INK[sign.owner]),)
        case TubeState.STILL:
            return ((f"  {of}   ", block),)
        case TubeState.UNSTARTED:
            return ((f" {of} ", block), (tr_in("three columns", "new"), QUIET))
        case TubeState.RUNNING:
            return ((f" {of}{_sand(sign)}", block), (f"{whole_seconds(sign.seconds):3}", STRONG))
        case TubeState.URGENT:
            return ((f" {of}{_sand(sign)}", block), (f"{whole_seconds(sign.seconds):3}", UNSURE))
        case TubeState.DOUBTFUL:
            return ((f" {of}?", block), (tr_in("three columns", "out"), UNSURE))
        case TubeState.LOST:
            return ((f" {of} ", LOST), (tr_in("three columns", "out"), QUIET))
        case _:
            assert_never(sign.holds)


def _sand(sign: TubeSign) -> str:
    """The sand left above, as a block."""
    return _SAND[min(int(sign.share * len(_SAND)), len(_SAND) - 1)]


def _rings(tube: Tube, sign: TubeSign, counted: int, seen: int) -> tuple[Piece, ...]:
    """The lower row of a cell: the tube's name, its counted rings and its free places."""
    blocked = sign.holds is TubeState.FULL
    name = (tube.name, BLOCKED if blocked else PLAIN)
    match sign.asks:
        case TubeRequest.RING_OFF | TubeRequest.RING_BACK:
            return (name, (f" {counted - seen:+d} ".rjust(CELL - 2), VIOLET))
        case TubeRequest.RING_OPEN | TubeRequest.DROP_RING:
            is_open = True
        case TubeRequest.PUT_HERE | TubeRequest.PUT_HERE_TURNED:
            is_open = sign.ring
        case (
            TubeRequest.CARRY
            | TubeRequest.TAKE_AWAY
            | TubeRequest.SET_UPRIGHT
            | TubeRequest.TURN_OVER
            | TubeRequest.BELONGS
            | None
        ):
            is_open = False
        case _:
            assert_never(sign.asks)
    capacity = CAPACITY[tube]
    free = capacity - counted
    # The cell's lower edge continues where there is nothing else to show.
    edge = ("_" * (CELL - 2 - capacity), BLOCKED_EDGE if blocked else EDGE)
    rings = ("●" * counted, BLOCKED_RING if blocked else RING)
    if sign.blind:
        return (name, edge, rings, ("?" * free, VIOLET))
    if is_open and free:
        return (name, edge, rings, ("+", GOOD), ("·" * (free - 1), QUIET))
    return (name, edge, rings, ("·" * free, QUIET))


def draw_log(sheet: Sheet, top: int, recent: Sequence[str], width: int) -> None:
    """Draw the last rulings from row ``top`` to the last one, the newest at the bottom and brightest."""
    room = sheet.height - top
    rows: list[Piece] = []
    newest = len(recent) - 1
    for place in range(newest, -1, -1):
        if len(rows) >= room:
            break
        indent = " " * (recent[place].find("  ") + 2)
        style = STRONG if place == newest else QUIET
        parts = wrap(
            recent[place], max(width - 1, 1), subsequent_indent=indent if len(indent) < width // 2 else ""
        )
        rows = [*((part, style) for part in parts), *rows]
    for row, (text, style) in enumerate(rows[-room:], start=top):
        sheet.write(row, 1, text, style)


def draw_keys(sheet: Sheet, row: int, width: int, keys: str) -> None:
    """Draw the keys at the end of a row, as far as they have room there."""
    sheet.write(row, max(0, width - len(keys) - 3), f" {keys} ", QUIET)


def draw_prompt(sheet: Sheet, top: int, words: PromptWords, width: int) -> None:
    """Draw what is asked from row ``top`` on; of many lines those around the chosen one."""
    row = top
    for part in wrap(words.title, max(width - 4, 1)):
        sheet.write(row, 1, f" {part} ", NEWS)
        row += 1
    room = sheet.height - row - bool(words.keys)
    chosen = words.chosen or 0
    first = max(0, min(chosen - room // 2, len(words.lines) - room))
    for place, line in list(enumerate(words.lines))[first : first + max(room, 0)]:
        if words.chosen is None:
            sheet.write(row, 3, line, PLAIN)
        else:
            is_chosen = place == words.chosen
            number = f"{place + 1}" if place < 9 else " "
            sheet.write(row, 1, f"{'▶' if is_chosen else ' '} {number} {line}", STRONG if is_chosen else PLAIN)
        row += 1
    if words.keys and row < sheet.height:
        sheet.write(row, 3, words.keys, QUIET)


#: The first column of the moves, and the columns of one block of them: red's and black's.
MOVES_COLUMN = WIDTH + 2
MOVES_WIDTH = 38
_CELL = MOVES_WIDTH // 2

#: Columns between two blocks.
_MOVES_GAP = 2


def draw_moves(sheet: Sheet, top: int, plies: Sequence[Ply]) -> None:
    """Draw the last turns from row ``top`` to the last one, in as many blocks as there is room for."""
    rows = sheet.height - top
    blocks = (sheet.width - MOVES_COLUMN + _MOVES_GAP) // (MOVES_WIDTH + _MOVES_GAP)
    shown = pairs(plies)[-rows * blocks :]
    for place, pair in enumerate(shown):
        block, row = divmod(place, rows)
        left = MOVES_COLUMN + block * (MOVES_WIDTH + _MOVES_GAP)
        for side, (player, ply) in enumerate(zip(PLAYERS, pair, strict=True)):
            if ply is None:
                continue
            text = turn_words(ply)
            cut = text if len(text) < _CELL else f"{text[: _CELL - 2]}…"
            newest = place == len(shown) - 1
            sheet.write(top + row, left + side * _CELL, cut, INK[player] if newest else QUIET)


#: The rows at which the parts of the picture begin.
_HEADLINE_ROW = 1
_SIDE_ROW = 3
_LINE_ROW = 17

#: Columns of a bar.
_BAR = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """The contents of a picture.

    ``recent`` are the last rulings in words, oldest first, as `tamsk_hw.words.rulings.line` gives them; ``plies``
    the turns of the score sheet. ``speed`` is relative to real time; ``kept`` is that of a computer that cannot
    keep it. ``board`` names the board in a few words, ``page`` is the address of the page
    that shows the same. ``keys`` are those of a replay; None for a game's.
    """

    view: View
    diagnosis: Diagnosis
    recent: Sequence[str] = ()
    plies: Sequence[Ply] = ()
    speed: float = 1.0
    kept: float | None = None
    board: str = "simulated board"
    page: str | None = None
    keys: str | None = None


def _bar(sheet: Sheet, row: int, column: int, share: float, style: Style) -> None:
    """A bar of `_BAR` columns, filled by ``share`` (0 … 1) to half a column, on a quiet track."""
    halves = round(max(0.0, min(1.0, share)) * _BAR * 2)
    full, half = divmod(halves, 2)
    at = sheet.write(row, column, "━" * full + "╸" * half, style)
    sheet.write(row, at, "─" * (_BAR - full - half), EDGE)


def _player(sheet: Sheet, row: int, player: Player, sign: PlayerSign) -> None:
    """A player's three rows: his name and situation, his rings left, and the rings that he may drop."""
    at = sheet.write(row, SIDE_COLUMN, f" {letter_words(player)} ", PLAYER[player])
    at = sheet.write(row, at + 1, player_words(player), INK[player])
    stance = status_words(sign.stance)
    if stance:
        sheet.write(row, at + 1, f"◀ {stance}", UNSURE if sign.stance is PlayerStatus.LATE else STRONG)
    at = sheet.write(row + 1, SIDE_COLUMN, ntr("{count:3} rings ", "{count:3} rings ", sign.left), STRONG)
    _bar(sheet, row + 1, at, sign.left / RINGS_EACH, RING)
    sheet.write(row + 2, SIDE_COLUMN + 1, due_words(sign), GOOD)


def _side(sheet: Sheet, diagnosis: Diagnosis, level: int) -> None:
    """The column beside the board: players, timer, and a legend."""
    row = _SIDE_ROW
    for player in PLAYERS:
        _player(sheet, row, player, diagnosis.players[player])
        row += 4
    timer = diagnosis.timer
    if timer is not None:
        style = UNSURE if timer.urgent else STRONG
        at = sheet.write(row, SIDE_COLUMN, tr("{seconds:3} s ", seconds=whole_seconds(timer.seconds)), style)
        _bar(sheet, row, at, timer.seconds / TIMER_SECONDS, style)
        sheet.write(row + 1, SIDE_COLUMN + 1, tr("15 seconds for {player}", player=timer.against), style)
    elif diagnosis.timer_hand is not None:
        sheet.write(row, SIDE_COLUMN, tr("turn the timer over"), PLAYER[diagnosis.timer_hand])
    elif level == 3:
        sheet.write(row, SIDE_COLUMN, tr("15-second timer: not set"), QUIET)
    row += 3
    legend = [tr("● ring   · room for one")]
    if any(sign.asks is TubeRequest.RING_OPEN for sign in diagnosis.tubes):
        legend.append(tr("+ a ring may be dropped"))
    if diagnosis.unread:
        legend.append(tr("? rings are not read"))
    if level > 1:
        legend.insert(0, tr("R 178 sand left, seconds"))
    for text in legend[-(_LINE_ROW - row) :]:
        sheet.write(row, SIDE_COLUMN, text, QUIET)
        row += 1


def _headline_style(news: Headline) -> Style:
    """The style of the one line for the players."""
    match news.news:
        case HeadlineKind.TO_MOVE | HeadlineKind.MOVING | HeadlineKind.ADVICE:
            return NEWS if news.player is None else PLAYER[news.player]
        case HeadlineKind.PUT_RIGHT | HeadlineKind.SETUP | HeadlineKind.QUESTION | HeadlineKind.LINK_LOST:
            return VIOLET
        case (
            HeadlineKind.OFFERED
            | HeadlineKind.OVER
            | HeadlineKind.READY
            | HeadlineKind.PAUSED
            | HeadlineKind.SAND
            | HeadlineKind.LAST_RIGHTS
        ):
            return NEWS
        case _:
            assert_never(news.news)


def _headline(sheet: Sheet, diagnosis: Diagnosis) -> None:
    """The headline, across the picture."""
    style = _headline_style(diagnosis.headline)
    words = headline(diagnosis)
    if len(words) > sheet.width - 2:
        words = words[: sheet.width - 3] + "…"
    sheet.write(_HEADLINE_ROW, 0, f" {words}".ljust(sheet.width), style)


def _header(sheet: Sheet, scene: Scene) -> None:
    """The first row: level, turn and time, and the board."""
    view, diagnosis = scene.view, scene.diagnosis
    at = sheet.write(0, 1, "TAMSK,", STRONG)
    about = [
        tr("level {level}", level=view.level),
        tr("turn {number}", number=view.number),
        short_clock(diagnosis.t),
    ]
    if scene.kept is not None:
        about.append(tr("{kept:.2g}× of {speed:g}×", kept=scene.kept, speed=scene.speed))
    elif scene.speed != 1:
        about.append(tr("{speed:g}× speed", speed=scene.speed))
    at = sheet.write(0, at + 1, "   ".join(about), PLAIN)
    link = tr("{board}: out of reach", board=scene.board) if diagnosis.stale else scene.board
    room = sheet.width - 1 - at - 2
    if scene.page is not None and not diagnosis.stale:
        both = f"{link}   {scene.page}"
        link = both if len(both) <= room else scene.page
    if len(link) > room:
        link = link[: room - 1] + "…"
    sheet.write(0, sheet.width - 1 - len(link), link, VIOLET if diagnosis.stale else QUIET)


def _below(sheet: Sheet, scene: Scene, width: int) -> None:
    """The last rulings below the board, or what the terminal asks."""
    diagnosis = scene.diagnosis
    sheet.write(_LINE_ROW, 0, "─" * width, EDGE)
    if diagnosis.prompt is not None:
        draw_prompt(sheet, _LINE_ROW, prompt_words(diagnosis.prompt, scene.view, diagnosis.ways), width)
        return
    if scene.keys is not None:
        draw_keys(sheet, _LINE_ROW, width, scene.keys)
    elif diagnosis.ways.keys:
        draw_keys(sheet, _LINE_ROW, width, keys_line())
    draw_log(sheet, _LINE_ROW + 1, scene.recent, width)


def picture(scene: Scene, width: int = WIDTH, height: int = HEIGHT) -> Text:
    """The whole picture, ``width`` columns (at least `WIDTH`) by ``height`` rows (at least `HEIGHT`)."""
    view, diagnosis = scene.view, scene.diagnosis
    sheet = Sheet(width, height)
    _header(sheet, scene)
    _headline(sheet, diagnosis)
    cells = {
        tube: cell(tube, diagnosis.tubes[tube], view.rings[tube], view.rings_seen[tube]) for tube in view.tubes
    }
    draw_board(sheet, cells)
    _side(sheet, diagnosis, view.level)
    if width >= MOVES_COLUMN + MOVES_WIDTH:
        draw_moves(sheet, _SIDE_ROW, scene.plies)
        _below(sheet, scene, WIDTH)
    else:
        _below(sheet, scene, width)
    return sheet.text()


def small_picture(scene: Scene, width: int, height: int) -> Text:
    """The picture for a terminal that became too small: headline, the size it needs, and the last rulings."""
    sheet = Sheet(width, height)
    needed = tr(
        "The picture needs {needed_width} by {needed_height} characters; this terminal has {width} by {height}.",
        needed_width=WIDTH,
        needed_height=HEIGHT,
        width=width,
        height=height,
    )
    if scene.diagnosis.prompt is not None:
        draw_prompt(sheet, 0, prompt_words(scene.diagnosis.prompt, scene.view, scene.diagnosis.ways), width)
    else:
        draw_log(sheet, 0, [*scene.recent, headline(scene.diagnosis), needed], width)
    return sheet.text()
