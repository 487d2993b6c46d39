"""The running service at a configured board: link, games, buttons, lights, sounds, journal, watchdog."""

from __future__ import annotations

import os
import select
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

from rich.console import Console

from tamsk_hw.board.calibration_file import backup_of, field_names, read_calibration
from tamsk_hw.board.link.serial_link import SerialLink
from tamsk_hw.board.sensing import Sensing
from tamsk_hw.board.wiring import Wiring, load_wiring
from tamsk_hw.configuration import Configuration, ruleset_on
from tamsk_hw.facts.notices import BoardCalibration, CalibrationUnusable, EventsUnsaved
from tamsk_hw.game.ruleset import Start
from tamsk_hw.journal import Journal, boot_id
from tamsk_hw.panel.diagnosis import diagnose
from tamsk_hw.panel.lights import pixels
from tamsk_hw.panel.sounds import Sounds
from tamsk_hw.referee import Header
from tamsk_hw.referee.view import View
from tamsk_hw.system.notify import ServiceManager
from tamsk_hw.system.stopping import Stopped, stopping_between_rounds
from tamsk_hw.table.board_table import BoardTable, Clocks, Phase
from tamsk_hw.table.panel_hardware import PanelHardware
from tamsk_hw.table.sand import live_sand
from tamsk_hw.terminal.screen import LastingScreen, SetupWords, screen_for

#: Real seconds between two pictures in the terminal.
PICTURE_SECONDS = 1 / 15

#: Real seconds after which the loop looks at buttons and clocks when the board says nothing.
LOOK_SECONDS = 0.05

#: Real seconds after which it looks whether the buzzer's tone is over.
TONE_SECONDS = 0.01


def run_board(configuration: Configuration, port: Path, level: int | None) -> int:
    """Referee games at the board on ``port`` until a signal comes; give the program's exit status.

    ``level`` overrules the configuration's.

    Raises:
        WiringError: the wiring map is refused.
        ConfigError: the rules need tubes that the board has not.
        JournalError: another program keeps the journal.
    """
    wiring = load_wiring(configuration.board.wiring)
    ruleset = ruleset_on(wiring, configuration)
    if level is not None:
        ruleset = replace(ruleset, level=level)
    known = read_calibration(configuration.calibration_file, field_names(wiring))
    screen = LastingScreen(screen_for(Console(), speed=1.0, board=f"board at {port}"))
    holders = bool(wiring.holders) and known.holders_measured  # a weight that nobody has calibrated counts nothing
    sand = live_sand(known, ruleset, configuration.sand.exact_hands)
    header = Header(ruleset=ruleset, sand=sand.settings, holders=holders)
    screen.notice(BoardCalibration(known.state, len(known.unmeasured), len(known.fitted)))
    if known.problem is not None:
        file = configuration.calibration_file
        screen.notice(CalibrationUnusable(file, known.problem, backup_of(file).name))
    for notice in sand.notices:
        screen.notice(notice)
    manager = ServiceManager(os.environ)
    with _journal(configuration.journal_folder, screen.notice) as journal:
        link = SerialLink(port, wiring.hash, board_id=configuration.board.board_id)
        try:
            table = BoardTable(
                header,
                wiring,
                lambda: Sensing.of_wiring(wiring, known.calibration, configuration.sensing, holders),
                link,
                journal,
                Clocks(wall=time.time, boot=boot_id()),
                time.monotonic(),
                names=(configuration.players.red, configuration.players.black),
                notice=screen.notice,
            )
            manager.ready(f"waiting for the board at {port}")
            with screen:
                _serve(table, configuration, wiring, screen, manager, link.fileno)
        except Stopped as stopped:
            manager.stopping()
            return stopped.status
        finally:
            link.close()


@contextmanager
def _journal(folder: Path, notice: Callable[[EventsUnsaved], None]) -> Iterator[Journal]:
    """The journal in ``folder``; at the end what the disk did not take is reported."""
    journal = Journal.open(folder)
    try:
        yield journal
    finally:
        unsaved = journal.close()
        if unsaved:
            notice(EventsUnsaved(unsaved, folder))


def _serve(
    table: BoardTable,
    configuration: Configuration,
    wiring: Wiring,
    screen: LastingScreen,
    manager: ServiceManager,
    descriptor: Callable[[], int | None],
) -> NoReturn:
    """The loop, until a signal ends it."""
    sounds = Sounds(configuration.buzzer.sounds)
    lights = configuration.lights
    drawn_at = float("-inf")
    known: tuple[View, Phase] | None = None
    setup_words = SetupWords(starts_free=configuration.ruleset.start is Start.FREE)
    with PanelHardware(configuration, wiring, screen.notice) as panel, stopping_between_rounds() as stop_if_asked:
        while True:
            stop_if_asked()
            now = time.monotonic()
            manager.beat(now)
            ruled = table.advance(now, panel.buttons.take_events(now))
            screen.rule(ruled)
            draw = now - drawn_at >= PICTURE_SECONDS
            if ruled or draw:
                view = table.view()
                if known is None or known[0] is not view or known[1] is not table.phase:
                    known = view, table.phase
                    diagnosis = diagnose(view, offered=table.phase is Phase.OFFERED)
                if not screen.is_picture and (missing := setup_words.hear(diagnosis, now)) is not None:
                    screen.say(missing)
                sounds.hear(ruled, diagnosis, now)
                panel.show(pixels(diagnosis, now, wiring, lights.palette, lights.milliamps))
                if draw:
                    screen.show(view, diagnosis)
                    drawn_at = now
            panel.buzzer.play(sounds.tone_at(now))
            port = descriptor()
            wait = TONE_SECONDS if sounds.is_playing else LOOK_SECONDS
            select.select([] if port is None else [port], [], [], wait)
