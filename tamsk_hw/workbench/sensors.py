"""``tamsk-hw sensors``: shows the reading of every sensor, as a live picture or once."""

from __future__ import annotations

from collections import deque
from pathlib import Path

import click
from rich.console import Console
from rich.live import Live

from tamsk_hw.board.link_events import Lost, SnapshotArrived, Unreachable
from tamsk_hw.board.serial_link import SerialLink
from tamsk_hw.terminal.screen import LiveScreen
from tamsk_hw.words.hardware import link_error, link_words
from tamsk_hw.workbench.listening import Board, BoardState, Clock, await_board, board_of, port_of
from tamsk_hw.workbench.sensor_picture import SensorView, sensor_picture

#: Seconds of listening after the first snapshot, to measure the rate.
LISTEN = 0.5

#: Seconds between two pictures.
PICTURE_SECONDS = 0.1

#: Seconds over which the rate of snapshots is measured.
_RATE_SECONDS = 1.0


class SensorWatch:
    """The link to a board, and the board's newest state."""

    def __init__(self, port: str, board: Board) -> None:
        self._board = board
        self._link = SerialLink(port, board.wiring.hash)
        self._state = BoardState()
        self._times: deque[float] = deque()

    def await_board(self, clock: Clock) -> None:
        """Wait for the board. Raises `LinkError` when it cannot be used or does not answer."""
        self._state = await_board(self._link, clock)

    def poll(self, clock: Clock, seconds: float) -> None:
        """Take what is there, then wait for more, at most so long.

        Raises:
            LinkError: the port cannot be opened, and never could.
        """
        now = clock.now()
        for event in self._link.poll(now):
            self._state.hear(event)
            match event:
                case SnapshotArrived():
                    self._times.append(event.time)
                case Lost():
                    self._times.clear()
                case Unreachable() if not self.was_open:
                    raise link_error(event.reason)
                case _:
                    pass
        while self._times and self._times[0] < now - _RATE_SECONDS:
            self._times.popleft()
        clock.wait(self._link.fileno(), seconds)

    @property
    def was_open(self) -> bool:
        """The port was opened at least once."""
        return self._link.statistics.opens > 0

    def view(self) -> SensorView:
        """The present view."""
        away = self._state.away
        spent = self._times[-1] - self._times[0] if len(self._times) > 1 else 0.0
        return SensorView(
            port=self._link.port,
            wiring=self._board.wiring,
            known=self._board.known,
            settings=self._board.configuration.sensing,
            statistics=self._link.statistics,
            hello=self._state.hello,
            snapshot=self._state.snapshot,
            rate=(len(self._times) - 1) / spent if spent > 0 else None,
            trouble=None if away is None else link_words(away),
        )

    def close(self) -> None:
        """Let the port go."""
        self._link.close()


def show_sensors(
    port: str | None,
    config: Path | None,
    *,
    once: bool,
    console: Console | None = None,
    clock: Clock | None = None,
) -> None:
    """Show the sensors until the program is stopped; ``once``, or where no live picture fits, a single time.

    Raises:
        ConfigError: the configuration is refused.
        WiringError: the wiring map is refused.
        LinkError: the port cannot be opened, or, shown once, no board answers on it that may be used.
        Stopped: it was stopped; the last picture stays.
    """
    board = board_of(config)
    console, clock = console or Console(), clock or Clock()
    watch = SensorWatch(port_of(port, board.configuration), board)
    try:
        if once or not LiveScreen.fits(console):
            click.echo(_printed(_once(watch, clock), console))
        else:
            _live(watch, clock, console)
    finally:
        watch.close()


def _once(watch: SensorWatch, clock: Clock) -> SensorView:
    watch.await_board(clock)
    until = clock.now() + LISTEN
    while clock.now() < until:
        watch.poll(clock, 0.02)
    return watch.view()


def _printed(view: SensorView, console: Console) -> str:
    """The picture for printing: with colours on a terminal, plain elsewhere, never cut."""
    text = sensor_picture(view)
    if not console.is_terminal:
        return "\n".join(line.rstrip() for line in text.plain.splitlines())
    with console.capture() as capture:
        console.print(text, soft_wrap=True)
    return capture.get().rstrip("\n")


def _live(watch: SensorWatch, clock: Clock, console: Console) -> None:
    drawn_at = float("-inf")
    picture = sensor_picture(watch.view())
    try:
        with Live(picture, console=console, screen=True, auto_refresh=False, transient=True) as live:
            while True:
                watch.poll(clock, PICTURE_SECONDS / 4)
                if clock.now() >= drawn_at + PICTURE_SECONDS:
                    drawn_at = clock.now()
                    picture = sensor_picture(watch.view())
                    live.update(picture, refresh=True)
    finally:
        if watch.was_open:
            console.print(picture)
