"""The live picture: the board, the players, the clock, the last rulings, and the moves where there is room.

It needs a terminal of 80 by 23 and uses a larger one: the rulings take further rows, the score sheet further
columns. It shows a `Diagnosis`, as the lights do, and from the view what lights have no room for: counts of
rings, level and turn. It can be read without colour: glasses are the letters R and B, rings are dots.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO
from typing import assert_never

from rich.console import Console
from rich.style import Style
from rich.text import Text

from tamsk_hw.game.notation import Ply
from tamsk_hw.game.players import PLAYERS, RINGS_EACH, Player
from tamsk_hw.panel.diagnosis import (
    TIMER_SECONDS,
    Asks,
    Diagnosis,
    Headline,
    News,
    PlayerSign,
    Stance,
    whole_seconds,
)
from tamsk_hw.referee.view import View
from tamsk_hw.terminal.cells import AMBER, GREEN, INK, NEWS, PLAYER, RING, VIOLET, cell
from tamsk_hw.terminal.hexagon import EDGE, PLAIN, QUIET, SIDE_COLUMN, STRONG, Sheet, draw_board
from tamsk_hw.terminal.hexagon import HEIGHT as HEIGHT
from tamsk_hw.terminal.hexagon import WIDTH as WIDTH
from tamsk_hw.terminal.log import draw_keys, draw_log, draw_prompt
from tamsk_hw.terminal.moves import MOVES_COLUMN, MOVES_WIDTH, draw_moves
from tamsk_hw.words.players import due_words, stance_words
from tamsk_hw.words.prompts import keys_line, prompt_words
from tamsk_hw.words.rulings import headline
from tamsk_hw.words.translating import letter_words, ntr, player_words, tr

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
    stance = stance_words(sign.stance)
    if stance:
        sheet.write(row, at + 1, f"◀ {stance}", AMBER if sign.stance is Stance.LATE else STRONG)
    at = sheet.write(row + 1, SIDE_COLUMN, ntr("{count:3} rings ", "{count:3} rings ", sign.left), STRONG)
    _bar(sheet, row + 1, at, sign.left / RINGS_EACH, RING)
    sheet.write(row + 2, SIDE_COLUMN + 1, due_words(sign), GREEN)


def _side(sheet: Sheet, diagnosis: Diagnosis, level: int) -> None:
    """The column beside the board: players, timer, and a legend."""
    row = _SIDE_ROW
    for player in PLAYERS:
        _player(sheet, row, player, diagnosis.players[player])
        row += 4
    timer = diagnosis.timer
    if timer is not None:
        style = AMBER if timer.urgent else STRONG
        at = sheet.write(row, SIDE_COLUMN, tr("{seconds:3} s ", seconds=whole_seconds(timer.seconds)), style)
        _bar(sheet, row, at, timer.seconds / TIMER_SECONDS, style)
        sheet.write(row + 1, SIDE_COLUMN + 1, tr("15 seconds for {player}", player=timer.against), style)
    elif diagnosis.timer_hand is not None:
        sheet.write(row, SIDE_COLUMN, tr("turn the timer over"), PLAYER[diagnosis.timer_hand])
    elif level == 3:
        sheet.write(row, SIDE_COLUMN, tr("15-second timer: not set"), QUIET)
    row += 3
    legend = [tr("● ring   · room for one")]
    if any(sign.asks is Asks.RING_OPEN for sign in diagnosis.tubes):
        legend.append(tr("+ a ring may be dropped"))
    if level > 1:
        legend.insert(0, tr("R 178 sand left, seconds"))
    for text in legend:
        sheet.write(row, SIDE_COLUMN, text, QUIET)
        row += 1


def _headline_style(news: Headline) -> Style:
    """The style of the one line for the players."""
    match news.news:
        case News.TO_MOVE | News.MOVING | News.ADVICE:
            return NEWS if news.player is None else PLAYER[news.player]
        case News.PUT_RIGHT | News.SETUP | News.QUESTION | News.LINK_LOST:
            return VIOLET
        case News.OFFERED | News.OVER | News.READY | News.SAND | News.LAST_RIGHTS:
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
    minutes, seconds = divmod(int(diagnosis.t), 60)
    about = [
        tr("level {level}", level=view.level),
        tr("turn {number}", number=view.number),
        f"{minutes:02}:{seconds:02}",
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


def picture_svg(scene: Scene, *, title: str = "tamsk-hw run") -> str:
    """The picture as an SVG of a terminal window, for a page or a README."""
    console = Console(
        record=True, width=WIDTH, height=HEIGHT, file=StringIO(), force_terminal=True, color_system="truecolor"
    )
    console.print(picture(scene))
    return console.export_svg(title=title)
