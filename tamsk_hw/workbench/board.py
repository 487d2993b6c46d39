"""The board of a command: its configuration, the line to it, its calibration, and the content of a snapshot."""

import os
import select
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import Final

import click

from tamsk_hw.board import link_events
from tamsk_hw.board.calibration import (
    KnownCalibration,
    calibration_text,
    field_names,
    read_calibration,
    save_calibration,
)
from tamsk_hw.board.field_levels import ABOVE, LEANING, RAIL, SEATED, WEAK, Bands, Level
from tamsk_hw.board.protocol import FaultFlag, Hello, RingSignal, Snapshot
from tamsk_hw.board.serial_link import SerialLink
from tamsk_hw.board.wiring import Wiring, load_wiring
from tamsk_hw.configuration import Configuration, Places, load_configuration
from tamsk_hw.errors import ConfigError, LinkError
from tamsk_hw.game.tubes import Tube
from tamsk_hw.words.hardware import link_error

#: Seconds that a board is given to answer.
ANSWER_WITHIN: Final = 5.0

# Seconds between two looks at a link.
_LOOK_SECONDS: Final = 0.02


def _wait(descriptor: int | None, seconds: float) -> None:
    """Wait for bytes, at most ``seconds``."""
    select.select([] if descriptor is None else [descriptor], [], [], seconds)


@dataclass(frozen=True, slots=True)
class Clock:
    """Seconds that never decrease, and a way to wait for a descriptor's bytes or until some have passed."""

    now: Callable[[], float] = time.monotonic
    wait: Callable[[int | None, float], None] = _wait


class Standing(Enum):
    """The meaning of one field reading; the value is its sign. A, B: the end that is down."""

    GONE = ""
    ABOVE = "~"
    """Felt, but not in the tube: held over it, or a neighbour."""
    LEANING_A = "a"
    LEANING_B = "b"
    SEATED_A = "A"
    SEATED_B = "B"
    RAIL = "!"
    """At an end of the scale: a sensor that is broken, shorted or not connected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """The board that the configuration describes. ``named``: the port that a person named in place of its own."""

    configuration: Configuration
    wiring: Wiring
    known: KnownCalibration
    named: str | None = None

    @property
    def port(self) -> str:
        """The port to listen on. Raises `LinkError` when there is none."""
        chosen = self.named or self.configuration.board.port
        if chosen is None:
            raise LinkError("no board is configured", "give --port, or set board.port in the configuration")
        return chosen

    def standing(self, snapshot: Snapshot, index: int) -> Standing:
        """The meaning of a single reading of a field; the referee's sensing adds hysteresis and dwell."""
        bands = Bands(self.known.calibration.fields[index], self.configuration.sensing)
        level = bands.fresh(snapshot.fields[index])
        if level in RAIL:
            return Standing.RAIL
        if level in ABOVE:
            return Standing.ABOVE
        if level in LEANING or level in WEAK:
            return Standing.LEANING_A if level in (Level.LEANING_A, Level.WEAK_A) else Standing.LEANING_B
        if level in SEATED:
            return Standing.SEATED_A if level is Level.SEATED_A else Standing.SEATED_B
        return Standing.GONE  # also what is faint: neighbours and noise reach as far

    def line(self) -> closing[SerialLink]:
        """The line to the board; closed at the end. Raises `LinkError` when there is no port."""
        board_id, thresholds = self.configuration.board.board_id, self.known.thresholds(self.wiring)
        return closing(SerialLink(self.port, self.wiring.hash, thresholds=thresholds, board_id=board_id))


def board_of(config: Path | None, port: str | None = None) -> Board:
    """Read configuration, wiring and calibration; ``port`` is the one that a person named.

    Raises:
        ConfigError: the configuration is refused.
        WiringError: the wiring map is.
    """
    configuration = load_configuration(config, Places.of(os.environ))
    wiring = load_wiring(configuration.board.wiring)
    known = read_calibration(configuration.calibration_file, field_names(wiring))
    return Board(configuration=configuration, wiring=wiring, known=known, named=port)


@dataclass(slots=True)
class BoardState:
    """A board as its link has reported it: who it is, what it read last, and why it cannot be used now."""

    hello: Hello | None = None
    snapshot: Snapshot | None = None
    away: link_events.LinkProblem | None = None
    signals: dict[int, RingSignal] = field(default_factory=dict)
    """The last signal of each ring sensor, by its bit."""

    @property
    def connected(self) -> bool:
        """The board has said who it is, and may be used."""
        return self.hello is not None and self.away is None

    def on_event(self, event: link_events.LinkEvent) -> None:
        """Take what the link reports."""
        match event:
            case link_events.Connected():
                self.hello, self.away = event.hello, None
            case link_events.SnapshotArrived():
                self.snapshot = event.snapshot
            case link_events.SignalsArrived(_, told):
                self.signals |= told.by_bit
            case link_events.Lost() | link_events.Refused() | link_events.Unreachable():
                # The last readings no longer hold.
                self.away, self.snapshot = event.reason, None
                self.signals.clear()


def polls_within(link: SerialLink, clock: Clock, seconds: float) -> Iterator[Sequence[link_events.LinkEvent]]:
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
            board.on_event(event)
            if isinstance(event, link_events.Refused | link_events.Unreachable):
                raise link_error(event.reason)
        if board.snapshot is not None:
            return board
    raise LinkError(
        f"{link.port}: no board answers within {ANSWER_WITHIN:g} s",
        "check cable and supply, and look with tamsk-hw frames at what comes",
    )


# ---- saving its calibration


def save_measured(setup: Board, merge: Callable[[KnownCalibration], KnownCalibration]) -> KnownCalibration:
    """Save the present values of a board's file as changed by ``merge``; print them where they cannot be saved.

    Raises:
        ConfigError: the file cannot be written.
    """
    path, now = setup.configuration.calibration_file, datetime.now().astimezone()
    known = merge(read_calibration(path, setup.known.fitted))
    try:
        save_calibration(path, known, now)
    except ConfigError:
        report(["This is what was to be saved; put it into that file by hand:\n", calibration_text(known, now)])
        raise
    return known


def report(lines: Sequence[str]) -> None:
    """Print lines. A failed write is ignored, since the measurements must be saved all the same."""
    with suppress(OSError):
        click.echo("\n".join(lines))


# ---- the content of a snapshot

#: The ends of scale of a load cell's converter, and the flags of one that does not answer, red's first.
HOLDER_RAILS: Final = (-(1 << 23), (1 << 23) - 1)
HOLDER_SILENT: Final = (FaultFlag.HOLDER_RED_SILENT, FaultFlag.HOLDER_BLACK_SILENT)

#: One level of a ring code: a ring, none, and a sensor of which nothing is known.
RING, NO_RING, UNKNOWN = "1", "0", "?"


def ring_code(snapshot: Snapshot, wiring: Wiring, tube: Tube) -> str:
    """A tube's ring sensors from the bottom up: `RING`, `NO_RING` or `UNKNOWN` for each."""
    return "".join(
        UNKNOWN if snapshot.unknown >> bit & 1 else RING if snapshot.rings >> bit & 1 else NO_RING
        for bit in wiring.ring_bits[tube]
    )


def ring_places(wiring: Wiring) -> dict[int, str]:
    """The ring sensors that are fitted, by their bits: ``"D4.2"``, levels counted from the bottom."""
    return {
        bit: f"{sensor[0]}.{sensor[1] + 1}" for bit, sensor in enumerate(wiring.ring_sensors) if sensor is not None
    }


def gaps(code: str) -> tuple[int, ...]:
    """The levels (from 0 at the bottom) of a ring code that see no ring below one that is seen."""
    top = code.rfind(RING)
    return tuple(level for level, sign in enumerate(code[: top + 1]) if sign == NO_RING)


def flag_names(faults: int) -> list[str]:
    """The names of the controller's fault flags; a bit without a name is given as its number."""
    names = {flag.value: flag.name or "" for flag in FaultFlag}
    return [names.get(1 << place, f"0x{1 << place:04x}") for place in range(16) if faults >> place & 1]
