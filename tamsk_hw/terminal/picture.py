"""The live picture for a terminal of 80 by 24: the board, the players, the clock and the last rulings.

It shows a `Diagnosis`, as the lights do, and from the view what lights have no room for: counts of rings, level
and turn. It can be read without colour: glasses are the letters R and B, rings are dots.
"""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from textwrap import wrap
from typing import assert_never

from rich.console import Console, RenderableType
from rich.style import Style

from tamsk_hw.game.players import PLAYERS, RINGS_EACH, Player
from tamsk_hw.game.tubes import CAPACITY, Tube
from tamsk_hw.panel.diagnosis import (
    TIMER_SECONDS,
    Asks,
    Diagnosis,
    Headline,
    Holds,
    News,
    PlayerSign,
    Stance,
    TubeSign,
)
from tamsk_hw.referee.view import View
from tamsk_hw.terminal.hexagon import CELL, EDGE, PLAIN, SIDE_COLUMN, Piece, Sheet, draw_board
from tamsk_hw.terminal.hexagon import HEIGHT as HEIGHT
from tamsk_hw.terminal.hexagon import WIDTH as WIDTH
from tamsk_hw.words.rulings import headline

#: Rows for the last rulings, below the board.
RECENT = 5

#: The rows at which the parts of the picture begin.
_HEADLINE_ROW = 1
_SIDE_ROW = 3
_RECENT_ROW = HEIGHT - RECENT

#: Columns of a bar.
_BAR = 16

_QUIET = Style(color="grey50")
_STRONG = Style(color="white", bold=True)
_PLAYER = {
    Player.RED: Style(color="white", bgcolor="#b3261e", bold=True),
    Player.BLACK: Style(color="white", bgcolor="#2b4fb8", bold=True),
}
_INK = {
    Player.RED: Style(color="#ff6b5e", bold=True),
    Player.BLACK: Style(color="#82a8ff", bold=True),
}
_AMBER = Style(color="#ffb000", bold=True)
_GREEN = Style(color="#3ddc68", bold=True)
_VIOLET = Style(color="white", bgcolor="#7a1fd0", bold=True)
_RING = Style(color="#e8c268", bold=True)
_LOST = Style(color="grey62", bgcolor="grey27", bold=True)
_NEWS = Style(color="black", bgcolor="#e8c268", bold=True)
_BLOCKED = Style(color="grey66", bgcolor="grey27")
_BLOCKED_EDGE = Style(color="grey46", bgcolor="grey27")
_BLOCKED_RING = Style(color="#9c8247", bgcolor="grey27")

#: Sand left, from nearly none to a full glass.
_SAND = "▁▂▃▄▅▆▇█"

_LETTER = {Player.RED: "R", Player.BLACK: "B"}


def _asks_for(sign: TubeSign) -> str | None:
    """A tube's request about a glass, in the six columns of its cell; None without one."""
    letter = "?" if sign.player is None or sign.holds is Holds.LIFTED else _LETTER[sign.player]
    match sign.asks:
        case Asks.TAKE_AWAY:
            return f" {letter} off"
        case Asks.SET_UPRIGHT:
            return f"{letter} lean"
        case Asks.TURN_OVER:
            return f"{letter} turn"
        case Asks.BELONGS:
            return f"{'?' if sign.asked is None else _LETTER[sign.asked]} here"
        case Asks.RING_OFF | Asks.RING_BACK | Asks.RING_OPEN | None:
            return None
        case _:
            assert_never(sign.asks)


def _glass(sign: TubeSign) -> tuple[Piece, ...]:
    """The upper row of a cell: the glass with its sand, a request, or the tube's own state."""
    asked = _asks_for(sign)
    if asked is not None:
        return ((asked, _VIOLET),)
    match sign.holds:
        case Holds.EMPTY:
            return ((" " * CELL, PLAIN),)
        case Holds.FULL:
            return ((" full ", _BLOCKED),)
        case Holds.DESTINATION:
            return (("→ here", _GREEN),)
    letter, block = _LETTER[sign.owner], _PLAYER[sign.owner]
    match sign.holds:
        case Holds.LIFTED:
            return ((f"{letter} hand", _INK[sign.owner]),)
        case Holds.STILL:
            return ((f"  {letter}   ", block),)
        case Holds.UNSTARTED:
            return ((f" {letter} ", block), ("new", _QUIET))
        case Holds.RUNNING:
            return ((f" {letter}{_sand(sign)}", block), (f"{int(sign.seconds):3}", _STRONG))
        case Holds.URGENT:
            return ((f" {letter}{_sand(sign)}", block), (f"{int(sign.seconds):3}", _AMBER))
        case Holds.DOUBTFUL:
            return ((f" {letter}?", block), ("out", _AMBER))
        case Holds.LOST:
            return ((f" {letter} ", _LOST), ("out", _QUIET))
        case _:
            assert_never(sign.holds)


def _sand(sign: TubeSign) -> str:
    """The sand left above, as a block."""
    return _SAND[min(int(sign.share * len(_SAND)), len(_SAND) - 1)]


def _rings(tube: Tube, sign: TubeSign, counted: int, seen: int) -> tuple[Piece, ...]:
    """The lower row of a cell: the tube's name, its counted rings and its free places."""
    blocked = sign.holds is Holds.FULL
    name = (tube.name, _BLOCKED if blocked else PLAIN)
    match sign.asks:
        case Asks.RING_OFF | Asks.RING_BACK:
            return (name, (f" {counted - seen:+d} ".rjust(CELL - 2), _VIOLET))
        case Asks.RING_OPEN:
            is_open = True
        case Asks.TAKE_AWAY | Asks.SET_UPRIGHT | Asks.TURN_OVER | Asks.BELONGS | None:
            is_open = False
        case _:
            assert_never(sign.asks)
    capacity = CAPACITY[tube]
    free = capacity - counted
    # The cell's lower edge continues where there is nothing else to show.
    edge = ("_" * (CELL - 2 - capacity), _BLOCKED_EDGE if blocked else EDGE)
    rings = ("●" * counted, _BLOCKED_RING if blocked else _RING)
    if is_open and free:
        return (name, edge, rings, ("+", _GREEN), ("·" * (free - 1), _QUIET))
    return (name, edge, rings, ("·" * free, _QUIET))


def _bar(sheet: Sheet, row: int, column: int, share: float, style: Style) -> None:
    """A bar of `_BAR` columns, filled by ``share`` (0 … 1) to half a column, on a quiet track."""
    halves = round(max(0.0, min(1.0, share)) * _BAR * 2)
    full, half = divmod(halves, 2)
    at = sheet.write(row, column, "━" * full + "╸" * half, style)
    sheet.write(row, at, "─" * (_BAR - full - half), EDGE)


def _stance(stance: Stance) -> str:
    """A player's situation, in a few words."""
    match stance:
        case Stance.READY:
            return "ready"
        case Stance.TO_MOVE:
            return "to move"
        case Stance.MOVING:
            return "is moving"
        case Stance.LATE:
            return "late: may finish"
        case Stance.WON:
            return "has won"
        case Stance.TIED:
            return "tie"
        case Stance.WAITING | Stance.BEATEN:
            return ""
        case _:
            assert_never(stance)


def _due(sign: PlayerSign) -> str:
    """The rings that a player may drop now."""
    if sign.due > 1:
        return "may drop two rings"
    if sign.penalty:
        return "may drop a penalty ring"
    return "may drop a ring" if sign.due else ""


def _player(sheet: Sheet, row: int, player: Player, sign: PlayerSign) -> None:
    """A player's three rows: his name and situation, his rings left, and the rings that he may drop."""
    at = sheet.write(row, SIDE_COLUMN, f" {_LETTER[player]} ", _PLAYER[player])
    at = sheet.write(row, at + 1, str(player), _INK[player])
    stance = _stance(sign.stance)
    if stance:
        sheet.write(row, at + 1, f"◀ {stance}", _AMBER if sign.stance is Stance.LATE else _STRONG)
    at = sheet.write(row + 1, SIDE_COLUMN, f"{sign.left:3} rings ", _STRONG)
    _bar(sheet, row + 1, at, sign.left / RINGS_EACH, _RING)
    sheet.write(row + 2, SIDE_COLUMN + 1, _due(sign), _GREEN)


def _side(sheet: Sheet, diagnosis: Diagnosis, level: int) -> None:
    """The column beside the board: players, timer, and a legend."""
    row = _SIDE_ROW
    for player in PLAYERS:
        _player(sheet, row, player, diagnosis.players[player])
        row += 4
    timer = diagnosis.timer
    if timer is not None:
        style = _AMBER if timer.urgent else _STRONG
        at = sheet.write(row, SIDE_COLUMN, f"{timer.seconds:6.1f} s ", style)
        _bar(sheet, row, at, timer.seconds / TIMER_SECONDS, style)
        sheet.write(row + 1, SIDE_COLUMN + 1, f"15 seconds for {timer.against}", style)
    elif level == 3:
        sheet.write(row, SIDE_COLUMN, "15-second timer: not set", _QUIET)
    row += 3
    legend = ["● ring   · room for one"]
    if any(sign.asks is Asks.RING_OPEN for sign in diagnosis.tubes):
        legend.append("+ a ring may be dropped")
    if level > 1:
        legend.insert(0, "R 178 sand left, seconds")
    for text in legend:
        sheet.write(row, SIDE_COLUMN, text, _QUIET)
        row += 1


def _headline_style(news: Headline) -> Style:
    """The style of the one line for the players."""
    match news.news:
        case News.TO_MOVE | News.MOVING:
            return _NEWS if news.player is None else _PLAYER[news.player]
        case News.PUT_RIGHT | News.SETUP | News.QUESTION | News.LINK_LOST:
            return _VIOLET
        case News.OFFERED | News.OVER | News.READY | News.SAND | News.LAST_RIGHTS:
            return _NEWS
        case _:
            assert_never(news.news)


def _headline(sheet: Sheet, diagnosis: Diagnosis) -> None:
    """The headline, across the picture."""
    style = _headline_style(diagnosis.headline)
    words = headline(diagnosis)
    if len(words) > WIDTH - 2:
        words = words[: WIDTH - 3] + "…"
    sheet.write(_HEADLINE_ROW, 0, f" {words}".ljust(WIDTH), style)


def _recent(sheet: Sheet, recent: Sequence[str]) -> None:
    """The last rulings, the newest at the bottom and brightest."""
    sheet.write(_RECENT_ROW - 1, 0, "─" * WIDTH, EDGE)
    rows: list[Piece] = []
    for place, words in enumerate(recent[-RECENT:], start=1):
        style = _STRONG if place == min(RECENT, len(recent)) else _QUIET
        indent = " " * (words.find("  ") + 2)
        rows += [(part, style) for part in wrap(words, WIDTH - 1, subsequent_indent=indent)]
    for row, (text, style) in enumerate(rows[-RECENT:], start=_RECENT_ROW):
        sheet.write(row, 1, text, style)


def picture(
    view: View,
    diagnosis: Diagnosis,
    recent: Sequence[str],
    *,
    speed: float = 1.0,
    board: str = "simulated board",
) -> RenderableType:
    """The whole picture, `WIDTH` columns by `HEIGHT` rows, for a `rich` console.

    ``recent`` are the last rulings in words, oldest first, as `tamsk_hw.words.rulings.line` gives them. ``speed``
    is relative to real time. ``board`` names the board in a few words.
    """
    sheet = Sheet()
    at = sheet.write(0, 1, "TAMSK", _STRONG)
    minutes, seconds = divmod(int(diagnosis.t), 60)
    about = [f"level {view.level}", f"turn {view.number}", f"{minutes:02}:{seconds:02}"]
    if speed != 1:
        about.append(f"{speed:g}× speed")
    sheet.write(0, at + 2, "   ".join(about), PLAIN)
    link = f"{board}: out of reach" if diagnosis.stale else board
    sheet.write(0, WIDTH - 1 - len(link), link, _VIOLET if diagnosis.stale else _QUIET)
    _headline(sheet, diagnosis)
    signs = {tube: diagnosis.tubes[tube] for tube in view.tubes}
    draw_board(
        sheet,
        {
            tube: (_glass(sign), _rings(tube, sign, view.rings[tube], view.rings_seen[tube]))
            for tube, sign in signs.items()
        },
    )
    _side(sheet, diagnosis, view.level)
    _recent(sheet, recent)
    return sheet.text()


def picture_svg(
    view: View,
    diagnosis: Diagnosis,
    recent: Sequence[str],
    *,
    speed: float = 1.0,
    board: str = "simulated board",
    title: str = "tamsk-hw run",
) -> str:
    """The picture as an SVG of a terminal window, for a page or a README."""
    console = Console(
        record=True, width=WIDTH, height=HEIGHT, file=StringIO(), force_terminal=True, color_system="truecolor"
    )
    console.print(picture(view, diagnosis, recent, speed=speed, board=board))
    return console.export_svg(title=title)
