"""The loop that serves real and simulated boards: buttons to the referee, rulings to screen, lights and sounds."""

from __future__ import annotations

import select
import time
from collections.abc import Sequence
from typing import Protocol

from tamsk_hw.board.wiring import Wiring
from tamsk_hw.configuration import Configuration
from tamsk_hw.panel.diagnosis import diagnose
from tamsk_hw.panel.lights import pixels
from tamsk_hw.panel.prompts import Prompt, Ways
from tamsk_hw.panel.sounds import Sounds
from tamsk_hw.referee.events import Event
from tamsk_hw.referee.rulings import Ruling
from tamsk_hw.referee.view import View
from tamsk_hw.system.notify import ServiceManager
from tamsk_hw.system.stopping import stopping_between_rounds
from tamsk_hw.table.keys import GameKeys
from tamsk_hw.table.panel_hardware import PanelHardware
from tamsk_hw.terminal.screen import Screen, SetupWords

#: Real seconds between two pictures on the screen.
PICTURE_SECONDS = 1 / 15

#: Real seconds between two rounds while the buzzer sounds.
TONE_SECONDS = 0.01


class Source(Protocol):
    """A board with its referee, as the loop needs it."""

    @property
    def round_seconds(self) -> float:
        """Real seconds between two rounds when the board sends nothing."""

    @property
    def is_over(self) -> bool:
        """Nothing more will happen; the loop ends."""

    @property
    def is_offered(self) -> bool:
        """An unfinished game is offered to be resumed."""

    def advance(self, now: float, pressed: Sequence[Event]) -> list[Ruling]:
        """Take the presses and run to ``now`` (monotonic seconds); return the new rulings."""

    def view(self) -> View:
        """The game as it stands; the same object while nothing has changed."""

    def fileno(self) -> int | None:
        """The file descriptor of the board's port, which wakes the loop; None without one."""


def run_loop(
    source: Source,
    configuration: Configuration,
    wiring: Wiring,
    screen: Screen,
    manager: ServiceManager,
    setup_words: SetupWords | None = None,
    keys: GameKeys | None = None,
) -> None:
    """Serve a board until its source is over.

    ``setup_words`` says what is missing before the start, for a screen without picture. ``keys`` are those of a
    terminal, of standard input without it.

    Raises:
        Stopped: a signal or a key asked the program to end.
    """
    sounds = Sounds(configuration.buzzer.sounds)
    lights = configuration.lights
    drawn_at = float("-inf")
    known: tuple[View, bool, Ways, Prompt | None] | None = None
    with (
        PanelHardware(configuration, wiring, screen.notice) as panel,
        stopping_between_rounds() as stop_if_asked,
        keys or GameKeys() as typed,
    ):
        while True:
            stop_if_asked()
            typed.suspend_if_asked(screen)
            now = time.monotonic()
            manager.beat(now)
            ruled = source.advance(now, [*panel.buttons.take_events(now), *typed.take(source, now)])
            screen.rule(ruled)
            draw = source.is_over or now - drawn_at >= PICTURE_SECONDS
            if ruled or draw:
                view, offered = source.view(), source.is_offered
                ways, prompt = typed.ways(panel.working_buttons), typed.prompt
                if known is None or known[0] is not view or known[1:] != (offered, ways, prompt):
                    known = view, offered, ways, prompt
                    diagnosis = diagnose(view, offered=offered, ways=ways, prompt=prompt)
                if setup_words is not None and (missing := setup_words.hear(diagnosis, now)) is not None:
                    screen.say(missing)
                sounds.hear(ruled, diagnosis, now)
                panel.show(pixels(diagnosis, now, wiring, lights.palette, lights.milliamps))
                if draw:
                    screen.show(view, diagnosis)
                    drawn_at = now
            if source.is_over:
                return
            panel.buzzer.play(sounds.tone_at(now))
            port = source.fileno()
            wait = TONE_SECONDS if sounds.is_playing else source.round_seconds
            select.select([*([] if port is None else [port]), *typed.waiting], [], [], wait)
