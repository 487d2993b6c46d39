"""The board of a command of the workbench: its configuration, the line to it, and a way to wait."""

from __future__ import annotations

import os
import select
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tamsk_hw.board.calibration import KnownCalibration, field_names, read_calibration
from tamsk_hw.board.link_events import (
    Connected,
    LinkEvent,
    LinkProblem,
    Lost,
    Refused,
    SnapshotArrived,
    Unreachable,
)
from tamsk_hw.board.protocol import Hello, Snapshot
from tamsk_hw.board.serial_link import SerialLink
from tamsk_hw.board.wiring import Wiring, load_wiring
from tamsk_hw.configuration import Configuration, Places, load_configuration
from tamsk_hw.errors import LinkError
from tamsk_hw.words.hardware import link_error

#: Seconds that a board is given to answer.
ANSWER_WITHIN: Final = 5.0

# Seconds between two looks at a link.
_LOOK_SECONDS: Final = 0.02


def _wait(descriptor: int | None, seconds: float) -> None:
    """Wait for bytes, at most so long."""
    if descriptor is None:
        time.sleep(seconds)
    else:
        select.select([descriptor], [], [], seconds)


@dataclass(frozen=True, slots=True)
class Clock:
    """Seconds that never decrease, and a way to wait for a descriptor's bytes or until some have passed."""

    now: Callable[[], float] = time.monotonic
    wait: Callable[[int | None, float], None] = _wait


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """The board that the configuration describes."""

    configuration: Configuration
    wiring: Wiring
    known: KnownCalibration


def board_of(config: Path | None) -> Board:
    """Read configuration, wiring and calibration.

    Raises:
        ConfigError: the configuration is refused.
        WiringError: the wiring map is.
    """
    configuration = load_configuration(config, Places.of(os.environ))
    wiring = load_wiring(configuration.board.wiring)
    return Board(
        configuration=configuration,
        wiring=wiring,
        known=read_calibration(configuration.calibration_file, field_names(wiring)),
    )


@dataclass(slots=True)
class BoardState:
    """A board as its link has reported it: who it is, what it read last, and why it cannot be used now."""

    hello: Hello | None = None
    snapshot: Snapshot | None = None
    away: LinkProblem | None = None

    @property
    def connected(self) -> bool:
        """The board has said who it is, and may be used."""
        return self.hello is not None and self.away is None

    def hear(self, event: LinkEvent) -> None:
        """Take what the link reports."""
        match event:
            case Connected():
                self.hello, self.away = event.hello, None
            case SnapshotArrived():
                self.snapshot = event.snapshot
            case Lost() | Refused() | Unreachable():
                # The last readings no longer hold.
                self.away, self.snapshot = event.reason, None
            case _:
                pass


@contextmanager
def line_to(port: str, board: Board) -> Iterator[SerialLink]:
    """The line to ``board`` at ``port``; closed at the end."""
    link = SerialLink(
        port, board.wiring.hash, settings=board.known.settings, board_id=board.configuration.board.board_id
    )
    try:
        yield link
    finally:
        link.close()


def polls_within(link: SerialLink, clock: Clock, seconds: float) -> Iterator[Sequence[LinkEvent]]:
    """The events of each poll of a link for some seconds, waiting in between."""
    until = clock.now() + seconds
    while (now := clock.now()) < until:
        yield link.poll(now)
        clock.wait(link.fileno(), _LOOK_SECONDS)


def await_board(link: SerialLink, clock: Clock) -> BoardState:
    """Wait until the board has said who it is and what it reads.

    Raises:
        LinkError: the board, or its port, cannot be used, or nothing came within `ANSWER_WITHIN`.
    """
    board = BoardState()
    for events in polls_within(link, clock, ANSWER_WITHIN):
        for event in events:
            board.hear(event)
            if isinstance(event, Refused | Unreachable):
                raise link_error(event.reason)
        if board.snapshot is not None:
            return board
    raise LinkError(
        f"{link.port}: no board answers within {ANSWER_WITHIN:g} s",
        "check cable and supply, and look with tamsk-hw frames at what comes",
    )


def port_of(port: str | None, configuration: Configuration) -> str:
    """The port to listen on. Raises `LinkError` when there is none."""
    chosen = port or configuration.board.port
    if chosen is None:
        raise LinkError("no board is configured", "give --port, or set board.port in the configuration")
    return chosen
