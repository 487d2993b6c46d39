"""The table at a simulated board, whose time is the game's own: two simulated players, refereed and recorded."""

import os
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from random import Random, SystemRandom
from typing import Final

import click

from tamsk_hw.board import calibration
from tamsk_hw.board.calibration import Calibration
from tamsk_hw.board.link_events import LinkEvent
from tamsk_hw.board.sensing import Sensing
from tamsk_hw.board.sensing_settings import SensingSettings
from tamsk_hw.board.serial_link import SerialLink
from tamsk_hw.board.wiring import Wiring, load_wiring
from tamsk_hw.configuration import Configuration, ruleset_on
from tamsk_hw.configuration.settings import GpioSettings, PlayerNames
from tamsk_hw.errors import JournalError, TamskError
from tamsk_hw.facts.notices import GameOnSpeed, GameSlowed, Notice
from tamsk_hw.game.ruleset import Ruleset, Start
from tamsk_hw.game.tubes import TUBE_OF_NAME
from tamsk_hw.journal.archive import simulated_folder
from tamsk_hw.journal.changes import Answer
from tamsk_hw.journal.journal import Journal, boot_id
from tamsk_hw.live.publishing import Publisher
from tamsk_hw.live.requests import ChangeGames, ImportStream
from tamsk_hw.live.stream import Names
from tamsk_hw.panel.hardware import PinFactory
from tamsk_hw.panel.keys import Rejection
from tamsk_hw.partner import Partner
from tamsk_hw.partner.intention import seat_of
from tamsk_hw.referee import Header
from tamsk_hw.referee.events import Event, Tick
from tamsk_hw.referee.rulings import Ruling
from tamsk_hw.referee.stream import SandSettings
from tamsk_hw.referee.view import View
from tamsk_hw.simulator.board import SimulatedBoard
from tamsk_hw.simulator.demo import Demo
from tamsk_hw.simulator.pty_board import PtyBoard
from tamsk_hw.simulator.sensors import CalibrationValues
from tamsk_hw.simulator.things import WorldStart
from tamsk_hw.simulator.world import World
from tamsk_hw.system.files import temporary_folder
from tamsk_hw.system.output import Output
from tamsk_hw.system.service import ServiceManager, Stopped, Waker
from tamsk_hw.table.capture import Capture, CaptureFile
from tamsk_hw.table.keeping import MOST_KEPT, Recorder, journal_changer, journal_in, notices_to, published
from tamsk_hw.table.loop import run_loop
from tamsk_hw.table.requests import GameKeys
from tamsk_hw.table.run_settings import RunSettings, names_with_partner
from tamsk_hw.table.table import BoardTable
from tamsk_hw.terminal.screen import screen_for
from tamsk_hw.words.score_sheet import score_sheet
from tamsk_hw.words.table import simulated_words
from tamsk_hw.words.translating import tr

#: Real seconds over which the speed is measured.
WINDOW: Final = 5.0

#: Real seconds between two looks that count as an interruption, such as a suspended program.
INTERRUPTION: Final = 2.0

#: Share of the speed asked for below which a game is slow, and from which it is on speed again.
SLOW, ON_SPEED = 0.9, 0.97

#: Change of the speed, relative to the last one reported, from which it is reported again.
CHANGE: Final = 0.3

#: The most of the game's own seconds from one reading of its clock to the next.
LONGEST_STEP: Final = 0.5


class ScaledClock:
    """A game's seconds, running ``speed`` times as fast as real time, and the speed that this computer keeps.

    From one reading to the next it advances by at most `LONGEST_STEP`: a machine that is too slow for the speed
    runs the game slower, and nothing is skipped.
    """

    def __init__(self, speed: float = 1.0) -> None:
        self._speed = speed
        self._real: float | None = None
        self._now = 0.0
        self._window = 0.0, 0.0
        """Real and own seconds from which on the speed is measured."""
        self._reported: float | None = None

    def advance(self, real: float, *, stands: bool = False) -> float:
        """The game's seconds at ``real`` seconds of any clock; they begin with the first reading.

        ``stands``: none have passed since the last one.
        """
        last, self._real = self._real, real
        if last is not None and not stands:
            self._now += min((real - last) * self._speed, LONGEST_STEP)
        if last is None or stands or real - last > INTERRUPTION:
            self._window = real, self._now
        return self._now

    def speed_notice(self) -> GameSlowed | GameOnSpeed | None:
        """A change of the speed that people should know of, as of the last reading."""
        real, own = self._window
        if self._real is None or self._real < real + WINDOW:
            return None
        kept = (self._now - own) / (self._real - real)
        self._window = self._real, self._now
        reported = self._reported
        if kept < SLOW * self._speed and (reported is None or abs(kept - reported) > CHANGE * reported):
            self._reported = kept
            return GameSlowed(self._speed, kept)
        if kept >= ON_SPEED * self._speed and reported is not None:
            self._reported = None
            return GameOnSpeed(self._speed)
        return None


#: Real seconds of one wait for bytes on a pseudo-terminal, and the largest number of waits.
_MOMENT, _MOMENTS = 0.0001, 100


class SteppedLink(SerialLink):
    """The link to a simulated board on a pseudo-terminal that runs as far as the link is polled."""

    def __init__(
        self,
        board: SimulatedBoard,
        wiring: Wiring,
        port: Path,
        tape: Callable[[float, str, bytes], None] | None = None,
    ) -> None:
        """Make the ``port``. Raises `LinkError` when that cannot be."""
        self.pty = PtyBoard(board, port)
        super().__init__(port, wiring.hash, tape=tape)
        self._under_way = 0

    def poll(self, now: float) -> list[LinkEvent]:
        """Run the board to ``now`` and read what has come through.

        The kernel delivers a terminal's bytes a moment later. This waits for them, up to a limit, so that the game
        does not depend on it.
        """
        sent = self.pty.sent
        self.pty.step(now)
        events = super().poll(now)
        self._under_way += self.pty.sent - sent
        tries = _MOMENTS
        while self._under_way > self.session.counts.received_bytes and tries:
            time.sleep(_MOMENT)
            events += super().poll(now)
            tries -= 1
        self._under_way = self.session.counts.received_bytes
        return events

    def close(self) -> None:
        """Close the port and take the board off it."""
        super().close()
        self.pty.close()


#: How well the simulated glasses' durations have been measured (relative), and how well they are known without.
MEASURED, UNMEASURED = 0.004, 0.06


def calibration_of(values: CalibrationValues) -> Calibration:
    """Measured values in the form that sensing takes."""
    return Calibration(
        fields=tuple(
            calibration.FieldCalibration(rest=rest, end_a=end_a, end_b=end_b)
            for rest, end_a, end_b in zip(values.rest, values.end_a, values.end_b, strict=True)
        ),
        holders=(
            calibration.HolderCalibration(zero=values.holder_zero[0], per_ring=values.holder_per_ring[0]),
            calibration.HolderCalibration(zero=values.holder_zero[1], per_ring=values.holder_per_ring[1]),
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


#: Simulated seconds between two looks at board and lights. Everything happens at whole looks or when somebody
#: acts, whatever the steps of time, so that one seed is one game at any speed.
LOOK = 0.05

#: Real seconds between two rounds of the loop.
ROUND_SECONDS = 0.005


class SimulatedTable(BoardTable):
    """Games of simulated players, each at a board of its own, in the time of that board.

    Game n, counted from 0, is that of ``seed`` + n, at any ``speed`` relative to real time.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        seed: int,
        speed: float,
        *,
        wiring: Wiring,
        port: Path,
        journal: Journal,
        publisher: Publisher | None = None,
        notice: Callable[[Notice], None] = lambda notice: None,
        names: Names,
        stays: bool = False,
        is_kept: bool = True,
        change_others: Callable[[ChangeGames | ImportStream, float, Answer], None] | None = None,
        recorder: Recorder | None = None,
        capture: Callable[[Calibration], Capture] | None = None,
    ) -> None:
        """Set up the first game.

        ``stays``: after a game the start button sets up the next; without, the end of the first game is the end of
        all. ``is_kept``: the journal's games can be looked at. ``recorder`` is given each event of the first game,
        ``capture`` makes what takes note of its board, of the board's calibration. The rest as of `BoardTable`.
        """
        self._seed = seed
        self._speed = speed
        self._port = port
        self._stays = stays
        self._is_kept = is_kept
        self._recorder = recorder
        self._capture_of = capture
        super().__init__(
            Header(ruleset=ruleset, pause_when_lost=True),
            wiring,
            lambda: Sensing(self._wiring, self._calibration, SensingSettings(), False),
            SerialLink(port, wiring.hash),  # until there is a board
            journal,
            0.0,
            wall=time.time,
            boot=boot_id(),
            names=names,
            notice=notice,
            publisher=publisher,
            change_others=change_others,
            stops=True,
        )

    def _set_up(self, now: float) -> None:
        """The next game, at a board of its own; its time begins with it."""
        self.close()
        if self._journal.game is not None:
            self._journal.keep_newest(MOST_KEPT)
        ruleset, seed = self._header.ruleset, self._seed
        self._seed += 1
        world = World(seed, setup=WorldStart.FREE if ruleset.start is Start.FREE else WorldStart.CORNERS)
        board = SimulatedBoard(world, wiring=self._wiring, holders=False)
        values = board.sensors.calibration_values()
        self._calibration = calibration_of(values)
        if self._capture_of is not None:
            self._capture = self._capture_of(self._calibration)
        self._line = SteppedLink(
            board, self._wiring, self._port, None if self._capture is None else self._capture.line
        )
        self._header = replace(
            self._header, sand=timed_glasses(values, ruleset.start, Random(f"{seed}/stop-watch"))
        )
        self._connected, self._board, self._rests = False, None, None
        self._clock = ScaledClock(self._speed)
        self.now = 0.0
        if self._recorder is not None:
            self._recorder.begin(self._header)
        super()._set_up(self.now)
        brains = {}
        if (place := seat_of(red=self._names.red, black=self._names.black)) is not None:
            brains[place.player] = Partner(place.player, ruleset, place.strength, seed)
        self.people = Demo(world, self.refereeing.view, seed, brains)

    def close(self) -> None:
        """End the board."""
        self._line.close()

    @property
    def is_over(self) -> bool:
        """The last game is over."""
        return self.refereeing.is_over and not self._stays

    def view(self) -> View:
        """The game as it stands."""
        return self.refereeing.view()

    def listen(self) -> None:
        """Nothing to read: the game's own time says what has come."""

    def advance(self, now: float, decided: Iterable[Event] = ()) -> list[Ruling]:
        """Run the game to its own time; what was pressed happens at the beginning of that."""
        for event in decided:
            self._take(replace(event, t=self.now), self.now)
        own = self._clock.advance(now, stands=self.stands)
        if (slow := self._clock.speed_notice()) is not None:
            self._notice(slow)
        ruled: list[Ruling] = []
        while not self.stands and (step := self._next_step()) <= own:
            self.now = step
            heard = super().advance(step)
            ruled += heard
            self.people.on_rulings(heard)
            self.people.advance(step)
            for event in self.people.drain_events():
                self._take(event, step)
        return ruled

    def _next_step(self) -> float:
        """The next look, or the time before it at which somebody has something to do."""
        look = (int(self.now / LOOK + 1e-6) + 1) * LOOK
        wakeups = (self.people.next_wakeup, self.refereeing.next_deadline)
        return min([look, *(at for at in wakeups if at is not None and at > self.now)])

    def next_wakeup(self, now: float) -> float:
        """The next round: nothing but time brings news."""
        return now + ROUND_SECONDS

    def fileno(self) -> None:
        """Nothing to wait for."""

    def change(self, deed: ChangeGames | ImportStream, answer: Answer) -> Rejection | None:
        """Change the simulated games or the players' own; neither while the simulated ones are not kept."""
        return super().change(deed, answer) if self._is_kept else Rejection.NO_JOURNAL

    def _record(self, event: Event, rulings: Sequence[Ruling]) -> None:
        super()._record(event, rulings)
        # What time brings is ruled again before the next event: the record needs no ticks.
        if self._recorder is not None and not isinstance(event, Tick):
            self._recorder.record(event)

    def _report_journal(self) -> None:
        """Publish what is saved, where it is kept; a demo goes on without a word when the disk takes nothing."""
        if self._is_kept:
            game = self._journal.game
            self._publisher.saved(self._journal.queue.newest_durable, None if game is None else game.number)


def run_simulated(settings: RunSettings, configuration: Configuration, output: Output) -> int:
    """Play one game on the simulated board and show it; return the program's exit status.

    It is 0 when the game was played to its end, so that systemd does not start a finished demo again.

    Raises:
        ConfigError: the record cannot be written, or the rules need tubes that the board has not.
        WiringError: the wiring map is refused.
        LinkError: the simulated board's port cannot be made.
    """
    wiring = load_wiring(configuration.board.wiring)
    ruleset = ruleset_on(wiring, configuration, settings.level)
    speed = 1.0 if settings.speed is None else settings.speed
    seed = SystemRandom().randrange(1_000_000) if settings.seed is None else settings.seed
    manager = ServiceManager(os.environ)
    shown = screen_for(output, speed=speed, board=simulated_words(seed), page=settings.page)
    keys = GameKeys(demo=True)
    # What is recorded is one game; without anybody who could ask for another one, so is the rest.
    is_one = settings.record is not None or settings.capture is not None
    status, ended = 0, None
    with ExitStack() as stack:
        folder = stack.enter_context(temporary_folder())
        waker = stack.enter_context(Waker())
        publisher = stack.enter_context(
            published(settings.live, configuration.state_folder, waker, shown.notice, simulated=True, speed=speed)
        )
        notice = notices_to(shown, publisher)

        def journal_at(place: Path) -> Journal:
            return stack.enter_context(
                journal_in(place, waker, publisher.asked_at, simulated=True, unsaved=lambda notice: None)
            )

        is_kept = True
        try:
            journal = journal_at(simulated_folder(configuration.journal_folder))
        except JournalError:  # another program keeps its games there
            is_kept, journal = False, journal_at(folder / "journal")

        def capture(values: Calibration) -> Capture:
            assert settings.capture is not None
            made = CaptureFile(settings.capture, wiring, values, SensingSettings(), notice)
            stack.callback(made.close)
            return made

        recorder = Recorder(settings.record, notice) if settings.record is not None else None
        table = SimulatedTable(
            ruleset,
            seed,
            speed,
            wiring=wiring,
            port=folder / "board",
            journal=journal,
            publisher=publisher,
            notice=notice,
            names=names_with_partner(settings, replace(configuration, players=PlayerNames())),
            stays=not is_one and (settings.web or keys.are_read),
            is_kept=is_kept,
            change_others=journal_changer(configuration.journal_folder),
            recorder=recorder,
            capture=None if settings.capture is None else capture,
        )
        stack.callback(table.close)
        manager.ready(f"a game on the simulated board, seed {seed}")
        stack.callback(manager.stopping)
        try:
            with shown:
                run_loop(table, _lights_only(configuration), wiring, shown, manager, waker, publisher, keys=keys)
        except Stopped as stopped:
            status = stopped.status
        except TamskError as error:
            ended = error
        if recorder is not None:
            recorder.end(table.refereeing.now)
        click.echo()
        click.echo(score_sheet(table.refereeing.rulings))
        if not table.refereeing.is_over:
            click.echo(tr("Stopped before the end of the game."), err=True)
        if ended is not None:
            raise ended
    return status


def _lights_only(configuration: Configuration) -> Configuration:
    """The configuration of a panel without buttons and buzzer: a simulated board has neither."""
    return replace(
        configuration,
        buttons=replace(configuration.buttons, enabled=False),
        buzzer=replace(configuration.buzzer, enabled=False),
    )


#: The names of the board's port, of the sockets of its hands and of its service, and of its calibration.
PORT, HANDS, LIVE, CALIBRATION = "board", "hands.sock", "live.sock", "calibration.toml"


def practice_configuration(configuration: Configuration, wiring: Wiring, seed: int, folder: Path) -> Configuration:
    """The configuration of a service at the simulated board of this seed, whose places are all in ``folder``.

    Everything that a board has of its own is there, too: its calibration, which this writes, and what is learnt of
    its sensors. Raises `ConfigError` where it cannot be written.
    """
    board = SimulatedBoard(World(seed), wiring=wiring)
    values = board.sensors.calibration_values()
    timed = timed_glasses(values, Start.CORNERS, Random(f"{seed}/stop-watch"))
    assert isinstance(timed.timer, tuple)
    sand = calibration.SandCalibration(
        glasses=tuple((TUBE_OF_NAME[name], timed.of(name)) for name in calibration.GLASS_NAMES),
        timer=timed.timer,
        tolerance=MEASURED,
    )
    known = calibration.KnownCalibration(
        calibration=replace(calibration_of(values), sand=sand),
        measured=frozenset(calibration.FIELD_NAMES),
        glasses=frozenset(calibration.GLASS_NAMES),
        timer_timed=True,
        holders_measured=bool(wiring.holders),
    )
    calibration.save_calibration(folder / CALIBRATION, known, datetime.now())
    return replace(
        configuration,
        board=replace(
            configuration.board, port=str(folder / PORT), calibration=folder / CALIBRATION, board_id=None
        ),
        gpio=GpioSettings(factory=PinFactory.SIMULATE, hands=folder / HANDS),
        buttons=replace(configuration.buttons, enabled=True),
        journal=replace(configuration.journal, folder=folder),
        partner=replace(configuration.partner, player=None),
    )
