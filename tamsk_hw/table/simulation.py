"""Simulated games.

Watch over the speed of a simulated game: a computer may be too slow for the one that was asked for.

The clock of the whole service: real time, or scaled for a simulated board.

A whole game on the simulated board: world, people, wire and referee in simulated time.

The people's acts reach the referee only through sensor values, frames and the link, and by the buttons, which are
not on the board's wire. Nothing waits for real time: `Simulation.advance` runs to a given time.

A simulated board to play at, as a service is configured for it: its places, and as if it was calibrated.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from random import Random
from typing import Final, Protocol

from tamsk_hw.board.calibration import (
    FIELD_NAMES,
    GLASS_NAMES,
    Calibration,
    FieldCalibration,
    HolderCalibration,
    KnownCalibration,
    SandCalibration,
    save_calibration,
)
from tamsk_hw.board.link_events import Connected, LinkEvent
from tamsk_hw.board.sensing import Sensing
from tamsk_hw.board.sensing_settings import SensingSettings
from tamsk_hw.board.serial_link import SerialLink
from tamsk_hw.board.session import LinkSession
from tamsk_hw.board.wiring import Wiring, load_wiring
from tamsk_hw.configuration import Configuration
from tamsk_hw.configuration.settings import GpioSettings
from tamsk_hw.facts.notices import BoardNotice, GameOnSpeed, GameSlowed
from tamsk_hw.game.ruleset import Ruleset, Start
from tamsk_hw.game.tubes import TUBE_OF_NAME
from tamsk_hw.panel.hardware import PinFactory
from tamsk_hw.referee import Header
from tamsk_hw.referee.events import Event, Tick
from tamsk_hw.referee.header import SandSettings
from tamsk_hw.referee.rulings import Ruling
from tamsk_hw.referee.view import View
from tamsk_hw.simulator.board import SimulatedBoard
from tamsk_hw.simulator.demo import Demo
from tamsk_hw.simulator.people import People
from tamsk_hw.simulator.pty_board import PtyBoard
from tamsk_hw.simulator.sensors import CalibrationValues, Noise
from tamsk_hw.simulator.things import WorldStart
from tamsk_hw.simulator.world import World
from tamsk_hw.table.capture import Capture
from tamsk_hw.table.refereeing import ChipSwapDetector, RefereedGame

#: Real seconds over which the speed is measured.
WINDOW: Final = 5.0

#: Real seconds between two looks that count as an interruption, such as a suspended program.
INTERRUPTION: Final = 2.0

#: Share of the speed asked for below which a game is slow, and from which it is on speed again.
SLOW, ON_SPEED = 0.9, 0.97

#: Change of the speed, relative to the last one reported, from which it is reported again.
CHANGE: Final = 0.3


class SpeedWatch:
    """Compares the game's time with real time. ``asked`` is the speed asked for, relative to real time."""

    def __init__(self, asked: float) -> None:
        self._asked = asked
        self._reported: float | None = None
        self._last: float | None = None
        self._real = self._own = 0.0

    def hear(self, real: float, own: float) -> GameSlowed | GameOnSpeed | None:
        """The game is at ``own`` seconds, at ``real`` seconds of any clock; give what people should know."""
        last, self._last = self._last, real
        if last is None or real - last > INTERRUPTION:
            self._real, self._own = real, own
            return None
        if real < self._real + WINDOW:
            return None
        kept = (own - self._own) / (real - self._real)
        self._real, self._own = real, own
        return self._judge(kept)

    def _judge(self, kept: float) -> GameSlowed | GameOnSpeed | None:
        reported = self._reported
        if kept < SLOW * self._asked and (reported is None or abs(kept - reported) > CHANGE * reported):
            self._reported = kept
            return GameSlowed(self._asked, kept)
        if kept >= ON_SPEED * self._asked and reported is not None:
            self._reported = None
            return GameOnSpeed(self._asked)
        return None


class ScaledClock:
    """Seconds since it was made, running ``speed`` times as fast as real time.

    Between two readings it advances by at most ``longest_step`` (its own seconds): a machine that is too slow for
    the speed runs the game slower, and nothing is skipped.
    """

    def __init__(
        self, speed: float = 1.0, *, longest_step: float = 0.5, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self.speed = speed
        self._longest_step = longest_step
        self._monotonic = monotonic
        self._last = monotonic()
        self._now = 0.0

    def now(self) -> float:
        """Seconds since the start."""
        real = self._monotonic()
        self._now += min((real - self._last) * self.speed, self._longest_step)
        self._last = real
        return self._now


#: How well the simulated glasses' durations have been measured (relative), and how well they are known without.
MEASURED, UNMEASURED = 0.004, 0.06

#: Simulated seconds between two looks at board and lights. Everything happens at whole looks or when somebody
#: acts, whatever the steps of time, so that one seed is one game at any speed.
LOOK = 0.05

#: Real seconds of one wait for bytes on a pseudo-terminal, and the largest number of waits.
_MOMENT, _MOMENTS = 0.0001, 100


class Wire(Protocol):
    """The way from the simulated controller to the link's reports."""

    def exchange(self, t: float) -> list[LinkEvent]:
        """Run the board to ``t`` (seconds); return what the link reports."""

    def close(self) -> None:
        """Close what is open."""


class DirectWire:
    """Frames handed over as bytes, without a port: for simulated time."""

    def __init__(self, board: SimulatedBoard, wiring: Wiring) -> None:
        self.session = LinkSession(wiring.hash)
        self._board = board
        self.session.opened(board.now)

    def exchange(self, t: float) -> list[LinkEvent]:
        """Run the board to ``t``; the link hears each frame when its last byte has left the board."""
        events: list[LinkEvent] = []
        for sent, frame in self._board.advance(t):
            events += self.hear(sent, frame)
        events += self.session.advance(t)
        outgoing = self.session.take_outgoing()
        if outgoing:
            self._board.receive(outgoing)
        return events

    def hear(self, sent: float, frame: bytes) -> list[LinkEvent]:
        """The link hears a frame whose last byte left the board at ``sent`` (seconds)."""
        return self.session.receive(frame, sent)

    def close(self) -> None:
        """Nothing is open."""


class PtyWire:
    """The board on a pseudo-terminal, read by the same pyserial link as a real board."""

    def __init__(self, board: SimulatedBoard, wiring: Wiring, port: Path, tape: Capture) -> None:
        self.pty = PtyBoard(board, port)
        self.link = SerialLink(port, wiring.hash, tape=tape.line)
        self._under_way = 0

    def exchange(self, t: float) -> list[LinkEvent]:
        """Run the board to ``t`` and read what has come through.

        The kernel delivers a terminal's bytes a moment later. This waits for them, up to a limit, so that the game
        does not depend on it.
        """
        sent = self.pty.sent
        self.pty.step(t)
        events = self.link.poll(t)
        self._under_way += self.pty.sent - sent
        tries = _MOMENTS
        while self._under_way > self.link.statistics.received_bytes and tries:
            time.sleep(_MOMENT)
            events += self.link.poll(t)
            tries -= 1
        self._under_way = self.link.statistics.received_bytes
        return events

    def close(self) -> None:
        """Close the port and take the board off it."""
        self.link.close()
        self.pty.close()


def calibration_of(values: CalibrationValues) -> Calibration:
    """Measured values in the form that sensing takes."""
    return Calibration(
        fields=tuple(
            FieldCalibration(rest=rest, end_a=end_a, end_b=end_b)
            for rest, end_a, end_b in zip(values.rest, values.end_a, values.end_b, strict=True)
        ),
        holders=(
            HolderCalibration(zero=values.holder_zero[0], per_ring=values.holder_per_ring[0]),
            HolderCalibration(zero=values.holder_zero[1], per_ring=values.holder_per_ring[1]),
        ),
    )


def timed_glasses(values: CalibrationValues, start: Start, chance: Random) -> SandSettings:
    """The glasses' durations as measured with a stop-watch, never quite the real ones.

    With a free start nobody knows which glass will be placed first, so they are known no better than unmeasured.
    """

    def timed(pair: tuple[float, float]) -> tuple[float, float]:
        a, b = (seconds * (1 + chance.uniform(-MEASURED, MEASURED) / 2) for seconds in pair)
        return round(a, 2), round(b, 2)

    timer = timed(values.timer_seconds)
    if start is Start.FREE:
        return SandSettings(timer=timer, tolerance=UNMEASURED, exact_hands=False)
    glasses = {name: timed(pair) for name, pair in values.glass_seconds.items()}
    return SandSettings(glasses=glasses, timer=timer, tolerance=MEASURED, exact_hands=False)


#: Seats people at a world; what the referee shows can be seen by calling the second argument.
Seat = Callable[[World, Callable[[], View]], People]


class Simulation:
    """One game of simulated people at a simulated board, refereed."""

    def __init__(
        self,
        ruleset: Ruleset,
        seed: int,
        *,
        wiring: Wiring | None = None,
        port: Path | None = None,
        make_board: Callable[..., SimulatedBoard] = SimulatedBoard,
        holders: bool = False,
        seat: Seat | None = None,
        noise: Noise | None = None,
        record: Callable[[Event], None] = lambda event: None,
        took: Callable[[Event, Sequence[Ruling]], None] = lambda event, rulings: None,
        notice: Callable[[BoardNotice], None] = lambda notice: None,
        capture: Callable[[Calibration], Capture] = lambda calibration: Capture(),
    ) -> None:
        """Set up a game.

        ``wiring``: the board's map, the reference board's without one; the game has the tubes that it has.
        ``port``: the board is a pseudo-terminal of that name, else there is no port. ``make_board`` makes the
        board, of the arguments that a `SimulatedBoard` takes. ``seat`` gives the
        people at the board, the players of a demo without it. ``record`` is given each event of the game's stream,
        ``took`` those and the ticks by which something was ruled, with the rulings. ``capture`` makes what takes
        note of a board at a port, given its calibration.

        Raises:
            ConfigError: the ruleset's start needs tubes that the board has not.
        """
        self.wiring = wiring = wiring or load_wiring()
        ruleset = replace(ruleset, tubes=wiring.tubes)
        setup = WorldStart.FREE if ruleset.start is Start.FREE else WorldStart.CORNERS
        self.world = World(seed, setup=setup)
        self.board = make_board(self.world, wiring=wiring, holders=holders, noise=noise)
        values = self.board.calibration_values()
        calibration = calibration_of(values)
        self.capture = capture(calibration)
        self.wire: Wire = (
            DirectWire(self.board, wiring) if port is None else PtyWire(self.board, wiring, port, self.capture)
        )
        sand = timed_glasses(values, ruleset.start, Random(f"{seed}/stop-watch"))
        self.header = Header(ruleset=ruleset, sand=sand, holders=holders, pause_when_lost=True)
        sensing = Sensing(wiring, calibration, SensingSettings(), holders)
        self.refereeing = RefereedGame(
            self.header, sensing, order=ChipSwapDetector(wiring), record=self._keep, notice=notice
        )
        view = self.refereeing.view
        self.people = Demo(self.world, view, seed) if seat is None else seat(self.world, view)
        self._record = record
        self._took = took
        self.board_id: int | None = None
        """The board's id, once it has connected."""
        self.now = 0.0
        self.capture.game(self.now, self.header)

    def _keep(self, event: Event, rulings: Sequence[Ruling]) -> None:
        """Pass it on. A record of events needs no ticks: what time brings is ruled again before the next event."""
        self._took(event, rulings)
        if not isinstance(event, Tick):
            self._record(event)

    @property
    def is_over(self) -> bool:
        """The game is over."""
        return self.refereeing.is_over

    def advance(self, t: float) -> list[Ruling]:
        """Run everything to ``t`` (seconds), or to the last whole look before; return the new rulings."""
        ruled: list[Ruling] = []
        while (step := self._next_step()) <= t:
            self.now = step
            for report in self.wire.exchange(step):
                if isinstance(report, Connected):
                    self.board_id = report.hello.board_id
                self.refereeing.take_link(report)
            heard = self.refereeing.advance(step)
            if heard:
                ruled += heard
                self.people.hear(heard)
            self.people.advance(step)
            decided = self.people.take_events()
            for event in decided:
                self.capture.event(step, event)
            self.refereeing.take(decided)
            self.capture.round(step)
        return ruled

    def _next_step(self) -> float:
        """The next look, or the time before it at which somebody has something to do."""
        look = (int(self.now / LOOK + 1e-6) + 1) * LOOK
        wakeups = (self.people.next_wakeup, self.refereeing.next_deadline)
        return min([look, *(at for at in wakeups if at is not None and at > self.now)])

    def play(self, limit: float = 4 * 3600.0) -> list[Ruling]:
        """Run to the end of the game, or to ``limit`` seconds; return all rulings."""
        while not self.is_over and self.now < limit:
            self.advance(self.now + 1.0)
        self.advance(self.now + 1.0)  # hands finish what they were about
        return self.refereeing.rulings

    def close(self) -> None:
        """Close the port."""
        self.wire.close()
        self.capture.close()


#: The names of the board's port, of the sockets of its hands and of its service, and of its calibration.
PORT, HANDS, LIVE, CALIBRATION = "board", "hands.sock", "live.sock", "calibration.toml"


def practice_configuration(configuration: Configuration, wiring: Wiring, seed: int, folder: Path) -> Configuration:
    """The configuration of a service at the simulated board of this seed, whose places are all in ``folder``.

    Everything that a board has of its own is there, too: its calibration, which this writes, and what is learnt of
    its sensors. Raises `ConfigError` where it cannot be written.
    """
    board = SimulatedBoard(World(seed), wiring=wiring)
    values = board.calibration_values()
    timed = timed_glasses(values, Start.CORNERS, Random(f"{seed}/stop-watch"))
    assert isinstance(timed.timer, tuple)
    sand = SandCalibration(
        glasses=tuple((TUBE_OF_NAME[name], timed.of(name)) for name in GLASS_NAMES),
        timer=timed.timer,
        tolerance=MEASURED,
    )
    known = KnownCalibration(
        calibration=replace(calibration_of(values), sand=sand),
        measured=frozenset(FIELD_NAMES),
        glasses=frozenset(GLASS_NAMES),
        timer_timed=True,
        holders_measured=bool(wiring.holders),
    )
    save_calibration(folder / CALIBRATION, known, datetime.now())
    return replace(
        configuration,
        board=replace(
            configuration.board, port=str(folder / PORT), calibration=folder / CALIBRATION, board_id=None
        ),
        gpio=GpioSettings(factory=PinFactory.SIMULATE, hands=folder / HANDS),
        buttons=replace(configuration.buttons, enabled=True),
        journal=replace(configuration.journal, folder=folder),
    )
