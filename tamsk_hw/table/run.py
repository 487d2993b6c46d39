"""The running service at a configured board: link, games, buttons, lights, sounds, journal, watchdog.

It also keeps the followed rests on the disk, so that a restart does not lose them.
"""

import gc
import os
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path
from random import SystemRandom
from typing import Final

from tamsk_hw.board import calibration
from tamsk_hw.board.calibration import GLASS_NAMES, BoardIdentity, KnownCalibration
from tamsk_hw.board.sensing import Sensing
from tamsk_hw.board.serial_link import SerialLink
from tamsk_hw.board.wiring import load_wiring
from tamsk_hw.configuration import Configuration, ruleset_on
from tamsk_hw.facts.notices import (
    BoardCalibration,
    CalibrationUnusable,
    GlassesUntimed,
    RestsNotKept,
    RestsUnusable,
    TimedGlasses,
)
from tamsk_hw.game.ruleset import Ruleset, Start
from tamsk_hw.journal.archive import simulated_folder
from tamsk_hw.journal.journal import boot_id
from tamsk_hw.referee import Header
from tamsk_hw.referee.stream import SandSettings
from tamsk_hw.referee.view import View
from tamsk_hw.system.background import latest_file
from tamsk_hw.system.output import Output
from tamsk_hw.system.service import ServiceManager, Stopped, Waker
from tamsk_hw.table.capture import CaptureFile
from tamsk_hw.table.keeping import journal_changer, journal_in, notices_to, published
from tamsk_hw.table.loop import run_loop
from tamsk_hw.table.partner import PartnerAdviser, PartnerClient
from tamsk_hw.table.run_settings import RunSettings, names_with_partner
from tamsk_hw.table.table import BoardTable
from tamsk_hw.terminal.screen import SetupWords, screen_for
from tamsk_hw.words.table import board_words, service_state_words

#: Seconds between two looks at the rests, and after which rests that did not change are written again: they count
#: from when they were last seen.
LOOK_EVERY, AGAIN_AFTER = 60.0, 3600.0

_NEVER: Final = float("-inf")


class BaselineKeeper:
    """Writes the rests of ``board`` to ``path``, seldom and in a thread.

    ``wall`` gives the time of day (seconds since 1970). A disk that does not take them is reported once, to
    ``notice``, in that thread.
    """

    def __init__(
        self, path: Path, board: BoardIdentity, wall: Callable[[], float], notice: Callable[[RestsNotKept], None]
    ) -> None:
        self._board = board
        self._wall = wall
        self._file = latest_file(path, lambda error: notice(RestsNotKept(path, error.strerror or str(error))))
        self._written: tuple[float, ...] | None = None
        self._written_at = _NEVER
        self._seen_at = _NEVER

    def feed(self, now: float, rests: Callable[[], tuple[float, ...] | None]) -> None:
        """Look at the rests when it is time; ``now`` in seconds that never decrease.

        ``rests`` gives None while nobody knows them, as the board is out of reach.
        """
        if now < self._seen_at + LOOK_EVERY:
            return
        seen = rests()
        if seen is not None:
            self._seen_at = now
            if seen != self._written or now >= self._written_at + AGAIN_AFTER:
                self._write(now, seen)

    def close(self, rests: tuple[float, ...] | None) -> None:
        """Write the last rests, if they are known, and wait for the disk, for a while."""
        if rests is not None:
            self._write(self._seen_at, rests)
        self._file.close()

    def _write(self, now: float, rests: tuple[float, ...]) -> None:
        self._written, self._written_at = rests, now
        self._file.write(calibration.baselines_text(self._board, rests, self._wall()).encode())


#: How well glasses that nobody has timed are known, relative (R6.4).
UNTIMED: Final = 0.06


def untimed(known: KnownCalibration, ruleset: Ruleset) -> tuple[str, ...]:
    """Untimed glasses that this game needs, by their start tubes, then the timer where it counts."""
    if not ruleset.has_sand:
        return ()
    return known.untimed + (("timer",) if ruleset.has_timer and not known.timer_timed else ())


def sand_settings(known: KnownCalibration, ruleset: Ruleset, exact_hands: bool) -> SandSettings:
    """The durations of the glasses and one tolerance for all of them.

    When something that counts in this game has not been timed, the tolerance is `UNTIMED` or more. With a free
    start nobody knows which glass is placed first: all have one pair, and a tolerance that covers each of the six.
    """
    sand = known.calibration.sand
    timed = {tube.name: pair for tube, pair in sand.glasses if tube.name in known.glasses}
    tolerance = sand.tolerance if timed or known.timer_timed else 0.0
    if untimed(known, ruleset):
        tolerance = max(tolerance, UNTIMED)
    if ruleset.start is not Start.FREE:
        return SandSettings(
            glass=sand.glass, glasses=timed, timer=sand.timer, tolerance=tolerance, exact_hands=exact_hands
        )
    pairs = [timed.get(name, sand.glass) for name in GLASS_NAMES]
    common = [_common([pair[end] for pair in pairs], tolerance) for end in (0, 1)]
    return SandSettings(
        glass=(common[0][0], common[1][0]),
        timer=sand.timer,
        tolerance=max(tolerance, common[0][1], common[1][1]),
        exact_hands=exact_hands,
    )


def _common(seconds: list[float], tolerance: float) -> tuple[float, float]:
    """One duration, with its tolerance, that covers several known with ``tolerance``.

    A duration d with tolerance t covers d / (1 + t) to d / (1 − t) (`tamsk_hw.game.sand`). Both are rounded, the
    tolerance up and by more than the duration's rounding takes away.
    """
    least = min(seconds) / (1 + tolerance)
    most = max(seconds) / (1 - tolerance)
    return round(2 * least * most / (least + most), 2), round((most - least) / (most + least) + 0.0001, 4)


def sand_notices(known: KnownCalibration, ruleset: Ruleset) -> tuple[GlassesUntimed, ...]:
    """Notices of what is not known as well as it could be."""
    notices: list[GlassesUntimed] = []
    missing = untimed(known, ruleset)
    if missing:
        if not set(GLASS_NAMES) & set(known.fitted):
            timed = TimedGlasses.IMPOSSIBLE
        elif len(missing) >= len(GLASS_NAMES) and not known.glasses:
            timed = TimedGlasses.NONE
        else:
            timed = TimedGlasses.SOME
        notices.append(GlassesUntimed(timed, missing, UNTIMED))
    if ruleset.has_sand and ruleset.start is Start.FREE and known.glasses:
        tolerance = sand_settings(known, ruleset, False).tolerance
        notices.append(GlassesUntimed(TimedGlasses.ALIKE, (), tolerance))
    return tuple(notices)


def run_board(configuration: Configuration, port: Path, settings: RunSettings, output: Output) -> int:
    """Referee games at the board on ``port`` until a signal comes; give the program's exit status.

    The settings' level overrules the configuration's.

    Raises:
        WiringError: the wiring map is refused.
        ConfigError: the rules need tubes that the board has not, or the capture cannot be written.
        JournalError: another program keeps the journal.
    """
    manager = ServiceManager(os.environ)
    manager.starting()  # what took long so far was loading the program
    wiring = load_wiring(configuration.board.wiring)
    ruleset = ruleset_on(wiring, configuration, settings.level)
    known = calibration.read_calibration(configuration.calibration_file, calibration.field_names(wiring))
    shown = screen_for(output, speed=1.0, board=board_words(port), page=settings.page, lasting=True)
    holders = bool(wiring.holders) and known.holders_measured  # a weight that nobody has calibrated counts nothing
    measured = known.calibration if known.modified is not None else None
    board = calibration.board_identity(known.calibration, wiring)

    def header_for(rules: Ruleset) -> Header:
        sand = sand_settings(known, rules, configuration.sand.exact_hands)
        return Header(ruleset=rules, sand=sand, holders=holders, pause_when_lost=True)

    is_beside = settings.beside is not None
    with ExitStack() as stack:
        waker = stack.enter_context(Waker())
        publisher = stack.enter_context(
            published(settings.live, configuration.state_folder, waker, shown.notice, simulated=is_beside)
        )
        notice = notices_to(shown, publisher)
        notice(BoardCalibration(known.state, len(known.unmeasured), len(known.fitted)))
        if known.problem is not None:
            file = configuration.calibration_file
            notice(CalibrationUnusable(file, known.problem, calibration.backup_of(file).name))
        for each in sand_notices(known, ruleset):
            notice(each)
        rests = None
        try:
            rests = calibration.read_baselines(configuration.rests_file, board, time.time())
        except calibration.CalibrationError as error:
            notice(RestsUnusable(configuration.rests_file, error.problem))
        capture = None
        if settings.capture is not None:
            capture = CaptureFile(settings.capture, wiring, measured, configuration.sensing, notice, rests)
            stack.callback(capture.close)
        folder = configuration.journal_folder if settings.beside is None else simulated_folder(settings.beside)
        journal = stack.enter_context(
            journal_in(folder, waker, publisher.asked_at, simulated=is_beside, unsaved=notice)
        )
        manager.starting()
        keeper = BaselineKeeper(configuration.rests_file, board, time.time, notice)
        link = SerialLink(
            port,
            wiring.hash,
            thresholds=known.thresholds(wiring),
            board_id=configuration.board.board_id,
            tape=None if capture is None else capture.line,
        )
        stack.callback(link.close)
        table = BoardTable(
            header_for(ruleset),
            wiring,
            lambda: Sensing(wiring, known.calibration, configuration.sensing, holders),
            link,
            journal,
            time.monotonic(),
            wall=time.time,
            boot=boot_id(),
            names=names_with_partner(settings, configuration),
            notice=notice,
            capture=capture,
            publisher=publisher,
            header_for=header_for,
            rests=rests,
            change_others=None if settings.beside is None else journal_changer(settings.beside),
            stops=is_beside,
        )

        def watch(view: View, now: float) -> None:
            keeper.feed(now, lambda: table.rests)
            state = service_state_words(
                view,
                port=port,
                is_offered=table.is_offered,
                lost_since=table.lost_since,
                trouble=None if (trouble := journal.queue.trouble) is None else trouble.kind,
            )
            manager.status(state)

        setup_words = None if shown.is_picture else SetupWords()
        manager.ready(f"waiting for the board at {port}")
        adviser = PartnerAdviser(table, PartnerClient, notice, SystemRandom().randrange(1_000_000))
        advising = None if settings.plays_itself else adviser
        try:
            with shown, closing(adviser):
                # What is loaded stays: a collection that looks through it takes longer than a ruling may wait.
                gc.freeze()
                try:
                    of_table = (table, configuration, wiring, shown, manager, waker, publisher)
                    run_loop(*of_table, setup_words, adviser=advising, watch=watch)
                finally:
                    keeper.close(table.rests)
        except Stopped as stopped:
            manager.stopping()
            return stopped.status
    return 0
