"""A whole game at a simulated board in simulated time, without table and port: world, people, link and referee."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

from tamsk_hw.board.link_events import LinkEvent
from tamsk_hw.board.sensing import Sensing
from tamsk_hw.board.sensing_settings import SensingSettings
from tamsk_hw.board.session import LinkSession
from tamsk_hw.board.wiring import Wiring, load_wiring
from tamsk_hw.facts.notices import BoardNotice
from tamsk_hw.game.ruleset import Ruleset, Start
from tamsk_hw.referee import Header
from tamsk_hw.referee.events import Event, Tick
from tamsk_hw.referee.rulings import Ruling
from tamsk_hw.referee.view import View
from tamsk_hw.simulator.board import SimulatedBoard
from tamsk_hw.simulator.demo import Demo
from tamsk_hw.simulator.people import PlayerScheduler
from tamsk_hw.simulator.sensors import Noise
from tamsk_hw.simulator.things import WorldStart
from tamsk_hw.simulator.world import World
from tamsk_hw.table.refereeing import RefereedGame
from tamsk_hw.table.simulation import LOOK, SteppedLink, calibration_of, timed_glasses


class DirectWire:
    """Frames handed over as bytes, without a port: for simulated time."""

    def __init__(self, board: SimulatedBoard, wiring: Wiring) -> None:
        self.session = LinkSession(wiring.hash)
        self._board = board
        self.session.opened(board.now)

    def poll(self, t: float) -> list[LinkEvent]:
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


#: Seats people at a world; what the referee shows can be seen by calling the second argument.
Seat = Callable[[World, Callable[[], View]], PlayerScheduler]


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
    ) -> None:
        """Set up a game.

        ``wiring``: the board's map, the reference board's without one; the game has the tubes that it has.
        ``port``: the board is a pseudo-terminal of that name, else there is no port. ``make_board`` makes the
        board, of the arguments that a `SimulatedBoard` takes. ``seat`` gives the
        people at the board, the players of a demo without it. ``record`` is given each event of the game's stream,
        ``took`` those and the ticks by which something was ruled, with the rulings.

        Raises:
            ConfigError: the ruleset's start needs tubes that the board has not.
        """
        self.wiring = wiring = wiring or load_wiring()
        ruleset = replace(ruleset, tubes=wiring.tubes)
        setup = WorldStart.FREE if ruleset.start is Start.FREE else WorldStart.CORNERS
        self.world = World(seed, setup=setup)
        self.board = make_board(self.world, wiring=wiring, holders=holders, noise=noise)
        values = self.board.sensors.calibration_values()
        calibration = calibration_of(values)
        self.wire: DirectWire | SteppedLink = (
            DirectWire(self.board, wiring) if port is None else SteppedLink(self.board, wiring, port)
        )
        sand = timed_glasses(values, ruleset.start, Random(f"{seed}/stop-watch"))
        self.header = Header(ruleset=ruleset, sand=sand, holders=holders, pause_when_lost=True)
        sensing = Sensing(wiring, calibration, SensingSettings(), holders)
        self.refereeing = RefereedGame(self.header, sensing, record=self._keep, notice=notice)
        view = self.refereeing.view
        self.people = Demo(self.world, view, seed) if seat is None else seat(self.world, view)
        self._record = record
        self._took = took
        self.now = 0.0

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
            for report in self.wire.poll(step):
                self.refereeing.take_link(report)
            heard = self.refereeing.advance(step)
            if heard:
                ruled += heard
                self.people.on_rulings(heard)
            self.people.advance(step)
            self.refereeing.take(self.people.drain_events())
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
