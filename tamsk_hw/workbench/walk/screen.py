"""The screens of the walks: a live picture of 80 by 23 characters, or a line for whatever is new."""

from __future__ import annotations

from collections import deque
from types import TracebackType
from typing import Final, Protocol, Self

import click
from rich.console import Console
from rich.live import Live
from rich.text import Text

from tamsk_hw.errors import printable
from tamsk_hw.workbench.walk.prompt import Note
from tamsk_hw.workbench.walk.walk import Spoken, Walk

#: Notes that the picture keeps.
_KEPT: Final = 20


class WalkScreen(Protocol):
    """A screen that shows a walk while it is entered."""

    def say(self, note: Note) -> None:
        """Show a note."""

    def show(self, walk: Walk, t: float, typed: str) -> None:
        """Show the walk at ``t``; ``typed``: the line that is being typed."""

    def __enter__(self) -> Self:
        """Begin to show."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave the terminal as it was."""


class PictureScreen:
    """The picture on the terminal's other screen, drawn when it has changed."""

    def __init__(self, console: Console) -> None:
        self._live = Live(Text(""), console=console, screen=True, auto_refresh=False, transient=True)
        self._notes: deque[Note] = deque(maxlen=_KEPT)
        self._drawn: Text | None = None

    def say(self, note: Note) -> None:
        """Keep a note for the picture."""
        self._notes.append(note)

    def show(self, walk: Walk, t: float, typed: str) -> None:
        """Draw the picture if it has changed."""
        picture = walk.picture(t, list(self._notes), typed)
        if picture != self._drawn:
            self._drawn = picture
            self._live.update(picture, refresh=True)

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.stop()


class LineScreen:
    """A line for each note, and for whatever is new in the task, the notice and the trouble."""

    def __init__(self) -> None:
        self._shown = Spoken(())

    def say(self, note: Note) -> None:
        """Print a note."""
        click.echo(printable(note.words))

    def show(self, walk: Walk, t: float, typed: str) -> None:
        """Print what is new."""
        new, before = walk.spoken(t), self._shown
        if new == before:
            return
        self._shown = new
        lines: list[str] = []
        if new.notice and new.notice != before.notice:
            lines.append(f"  {new.notice}")
        if new.task != before.task:
            lines += new.task
        if new.trouble and (new.trouble, new.task) != (before.trouble, before.task):
            lines.append(f"  {new.trouble}")
        for line in lines:
            click.echo(printable(line))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Nothing to leave."""
