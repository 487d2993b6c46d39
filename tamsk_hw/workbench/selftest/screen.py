"""What the self-test shows: a live picture of 80 by 23 characters, or a line for each thing that is new."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import wrap
from typing import Final, Protocol

from rich.console import Console
from rich.live import Live
from rich.style import Style
from rich.text import Text

from tamsk_hw.errors import printable
from tamsk_hw.game.tubes import TUBE_OF_NAME, TUBES, Tube
from tamsk_hw.terminal.hexagon import CELL, EDGE, HEIGHT, PLAIN, SIDE_COLUMN, WIDTH, Cell, Piece, Sheet, draw_board
from tamsk_hw.workbench.selftest.keys import KEYS
from tamsk_hw.workbench.selftest.step import Answer, Mark, Prompt

_QUIET = Style(color="grey50")
_STRONG = Style(color="white", bold=True)
_UNSURE = Style(color="#ffb000", bold=True)
_BAD = Style(color="white", bgcolor="#b3261e", bold=True)

#: The sign and the style of each mark; they can be told apart without colour.
_SIGNS: Final = {
    Mark.WAITING: ("·", _QUIET),
    Mark.NOW: ("●", Style(color="white", bold=True)),
    Mark.GOOD: ("+", Style(color="#3ddc68", bold=True)),
    Mark.BAD: ("!", _BAD),
}

_LEGEND: Final = "· not yet   ● now   + seen   ! wrong"

#: How each answer is given by the start button.
_BY_BUTTON: Final = {Answer.YES: "start button", Answer.NO: "start button held"}

#: What can always be answered.
_ALWAYS: Final = {Answer.SKIP: "leave this part out", Answer.QUIT: "end the test"}

_SIDE = WIDTH - SIDE_COLUMN


class SelfTestScreen(Protocol):
    """Where prompts are shown."""

    def show(self, prompt: Prompt) -> None:
        """Show it, if it is new."""

    def say(self, words: str) -> None:
        """Say what else people should know."""

    def close(self) -> None:
        """Leave the terminal as it was."""


def picture(prompt: Prompt) -> Text:
    """The whole picture."""
    sheet = Sheet()
    sheet.write(0, 1, "TAMSK self-test", _STRONG)
    sheet.write(0, WIDTH - 1 - len(prompt.progress), prompt.progress, _STRONG)
    if prompt.trouble:
        (line, *more) = wrap(printable(prompt.trouble), WIDTH - 3)
        sheet.write(1, 1, f"{line}…" if more else line, _BAD)
    side = bool(prompt.marks)
    column, room = (SIDE_COLUMN, _SIDE - 1) if side else (4, WIDTH - 8)
    row = 2 if side else 5
    for line in wrap(prompt.title, room):
        sheet.write(row, column, line, _STRONG)
        row += 1
    row += 1
    for line in wrap(prompt.words, room):
        sheet.write(row, column, line, PLAIN)
        row += 1
    if prompt.notice:
        sheet.write(row + 1, column, prompt.notice, _UNSURE)
        row += 2
    if side:
        _marks(sheet, prompt, row + 1)
    _answers(sheet, prompt)
    return sheet.text()


def _marks(sheet: Sheet, prompt: Prompt, row: int) -> None:
    """The hexagon; what is beside the board stands in the column beside it."""
    cells: dict[Tube, Cell] = {}
    for tube in TUBES:
        if tube.name in prompt.marks:
            pieces: list[Piece] = [_SIGNS[mark] for mark in prompt.marks[tube.name]]
            lower = ((" " * ((CELL - len(pieces)) // 2), EDGE), *pieces)
            cells[tube] = ((f"  {tube.name}".ljust(CELL), PLAIN),), lower
    draw_board(sheet, cells)
    beside = {name: marks for name, marks in prompt.marks.items() if name not in TUBE_OF_NAME}
    for name, marks in beside.items():
        at = sheet.write(row, SIDE_COLUMN, f"{name:8} ", _QUIET)
        for mark in marks:
            at = sheet.write(row, at, *_SIGNS[mark])
        row += 1
    sheet.write(HEIGHT - 6, 1, _LEGEND, _QUIET)


def _answers(sheet: Sheet, prompt: Prompt) -> None:
    """What can be answered, and how."""
    lines = _told(prompt)
    # The last two stand on one line.
    *lines, skip, quit_ = lines
    lines.append(f"{skip}    {quit_}")
    row = HEIGHT - len(lines)
    sheet.write(row - 1, 0, "─" * WIDTH, EDGE)
    for line in lines:
        sheet.write(row, 1, line, PLAIN)
        row += 1


def _told(prompt: Prompt) -> list[str]:
    """What each answer means, and how it is given."""
    keys = {answer: key for key, answer in KEYS.items()}
    lines = []
    for answer, what in {**prompt.answers, **_ALWAYS}.items():
        button = None if prompt.keys_only else _BY_BUTTON.get(answer)
        lines.append(f"{keys[answer]}, or {button}: {what}" if button else f"{keys[answer]}: {what}")
    return lines


class LivePicture:
    """The picture on the terminal's other screen."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._shown: Prompt | None = None
        self._said: list[str] = []
        self._live = Live(console=console, screen=True, auto_refresh=False, transient=True)
        self._live.start()

    def show(self, prompt: Prompt) -> None:
        """Draw it anew when it has changed."""
        if prompt != self._shown:
            self._shown = prompt
            self._live.update(picture(prompt), refresh=True)

    def say(self, words: str) -> None:
        """Kept until the picture is gone; the findings tell it, too."""

    def close(self) -> None:
        """Give the terminal back."""
        self._live.stop()


class PlainPrompts:
    """A line for each new prompt and for each thing noticed, given to ``write``."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write
        self._asked: tuple[object, ...] = ()
        self._notice = ""
        self._trouble = ""

    def show(self, prompt: Prompt) -> None:
        """Say what is new."""
        if prompt.trouble != self._trouble:
            self._trouble = prompt.trouble
            if prompt.trouble:
                self._write(printable(prompt.trouble))
        notice = prompt.notice
        if notice != self._notice:
            self._notice = notice
            if notice:
                self._write(f"  {notice}" + (f" ({prompt.progress})" if prompt.progress else ""))
        asked = (prompt.title, prompt.words)
        if asked == self._asked:
            return
        self._asked = asked
        self._write(f"{prompt.title}. {prompt.words}")
        if prompt.answers:
            self._write(f"  [{'; '.join(_told(prompt))}]")

    def say(self, words: str) -> None:
        """A line."""
        self._write(printable(words))

    def close(self) -> None:
        """Nothing to leave."""
