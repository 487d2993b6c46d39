"""The loop that serves real and simulated boards: buttons to the referee, rulings to screen, lights and sounds."""

import os
import select
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Self

from tamsk_hw.board.wiring import Wiring
from tamsk_hw.configuration import Configuration
from tamsk_hw.live.publishing import Publisher
from tamsk_hw.live.stream import TableState
from tamsk_hw.panel.buttons import Buttons
from tamsk_hw.panel.diagnosis import InputMethods, Lot, Prompt, diagnose
from tamsk_hw.panel.hardware import PanelNotice, PinFactory, Pins, open_pin_factory
from tamsk_hw.panel.lights import has_rhythm, pixels
from tamsk_hw.panel.outputs import Buzzer, LightWriter, open_lights
from tamsk_hw.panel.simulated import SimulatedPanel, panel_places
from tamsk_hw.panel.sounds import Sounds
from tamsk_hw.partner.intention import Advice
from tamsk_hw.referee.events import ButtonName
from tamsk_hw.referee.view import View
from tamsk_hw.system.service import ServiceManager, Waker, stopping_between_rounds
from tamsk_hw.table.keeping import notices_to
from tamsk_hw.table.partner import PartnerAdviser
from tamsk_hw.table.requests import GameKeys, RequestHandler
from tamsk_hw.table.table import BoardTable
from tamsk_hw.terminal.screen import Screen, SetupWords


class PanelHardware:
    """The panel's hardware. What cannot be used is reported once to ``notice``; the rest goes on without it.

    ``buttons`` give presses, ``buzzer`` sounds, `show` hands the lights a picture; none of them waits. Belongs to
    one thread. ``wake`` is called, in any thread, when a button has changed: there may be a press to take.
    """

    def __init__(
        self,
        configuration: Configuration,
        wiring: Wiring,
        notice: Callable[[PanelNotice], None],
        wake: Callable[[], None] = lambda: None,
    ) -> None:
        own, gpio = configuration.buttons, configuration.gpio
        route = configuration.lights.route
        self._notice = notice
        self._is_mock = gpio.factory is PinFactory.MOCK
        self._of_lights: list[PanelNotice] = []
        self._simulated: SimulatedPanel | None = None
        if gpio.factory is PinFactory.SIMULATE:
            places = panel_places(gpio.hands, os.environ, configuration.state_folder)
            self._simulated = SimulatedPanel(places, wiring.buttons, wiring.pixel_count, notice)
        panel = self._simulated
        self._pins = Pins(gpio.factory, notice, opener=open_pin_factory if panel is None else panel.open_factory)
        self.buttons = Buttons(
            wiring.buttons if own.enabled else {},
            self._pins,
            notice,
            settle=own.debounce_seconds,
            long=own.long_press_seconds,
            wake=wake,
        )
        self.buzzer = Buzzer(wiring.buzzer_pin if configuration.buzzer.enabled else None, self._pins, notice)
        self._lights = LightWriter(
            lambda: self._simulated or open_lights(route, wiring.pixel_count, wiring.lights_pin),
            self._of_lights.append,
        )

    @property
    def working_buttons(self) -> frozenset[ButtonName]:
        """The buttons that people can press; none on pins of the factory "mock", which nobody can reach, nor while
        the simulated board that they are on is away.
        """
        away = self._simulated is not None and not self._simulated.works
        return frozenset() if self._is_mock or away else self.buttons.working

    def show(self, picture: bytes) -> None:
        """Hand the lights their newest picture, three bytes for each pixel, and report what became of the last."""
        self._lights.show(picture)
        while self._of_lights:  # the lights' own thread puts them there
            self._notice(self._of_lights.pop(0))
        if self._simulated is not None:
            self._simulated.report()

    def close(self) -> None:
        """Let everything go; the lights go dark, the buzzer falls silent."""
        self._lights.close()
        if self._simulated is not None:
            self._simulated.close()
        self.buzzer.close()
        self.buttons.close()
        self._pins.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


#: Real seconds between two pictures on the screen.
PICTURE_SECONDS = 1 / 15

#: Real seconds after which the loop looks at buttons and clocks when the board says nothing.
LOOK_SECONDS = 0.05

#: Real seconds between two rounds when something that is due waits for more than time.
LEAST_SECONDS = 0.002

#: Real seconds between two rounds while the buzzer sounds.
TONE_SECONDS = 0.01

#: Real seconds since the last round from which on the program was kept from running; and those that the threads of
#: the buttons' drivers, which stood still with it, are then given to hand on what was pressed meanwhile.
KEPT_SECONDS, CATCH_UP_SECONDS = 0.2, 0.01


def run_loop(
    table: BoardTable,
    configuration: Configuration,
    wiring: Wiring,
    screen: Screen,
    manager: ServiceManager,
    waker: Waker,
    publisher: Publisher,
    setup_words: SetupWords | None = None,
    keys: GameKeys | None = None,
    adviser: PartnerAdviser | None = None,
    watch: Callable[[View, float], None] = lambda view, now: None,
) -> None:
    """Serve a board until its games are over.

    ``waker`` ends the wait between two rounds: a button's edge, news of the journal, a request to ``publisher``,
    which is told how things stand. ``setup_words`` says what is
    missing before the start, for a screen without picture. ``keys`` are those of a terminal, of standard input
    without it. ``adviser`` advises the people at the board. ``watch`` is called with each picture.

    Raises:
        Stopped: a signal or a key asked the program to end.
    """
    sounds = Sounds(configuration.buzzer.sounds)
    lights = configuration.lights
    door = RequestHandler(publisher)
    drawn_at = float("-inf")
    now = time.monotonic()
    known: tuple[View, bool, InputMethods, Prompt | None, Advice | None, Lot | None] | None = None
    picture: bytes | None = None
    with (
        PanelHardware(configuration, wiring, notices_to(screen, publisher), waker.wake) as panel,
        stopping_between_rounds() as stop_if_asked,
        keys or GameKeys() as typed,
    ):
        while True:
            stop_if_asked()
            typed.suspend_if_asked(screen)
            if time.monotonic() - now > KEPT_SECONDS:
                time.sleep(CATCH_UP_SECONDS)
            table.listen()
            now = time.monotonic()
            manager.beat(now)
            pressed = [*panel.buttons.take_events(now), *typed.take(table, now), *door.take(table, now)]
            ruled = table.advance(now, pressed)
            draw = table.is_over or now - drawn_at >= PICTURE_SECONDS
            if ruled or pressed or draw:
                view, offered = table.view(), table.is_offered
                ways, prompt = typed.ways(panel.working_buttons, live=publisher.is_heard), typed.prompt
                ways = replace(ways, simulated=table.stops)
                advice = door.advice(view)
                if advice is None and adviser is not None:
                    advice = adviser.advice(view, offered=offered)
                lot = table.lot(now)
                if known is None or known[0] is not view or known[1:] != (offered, ways, prompt, advice, lot):
                    known = view, offered, ways, prompt, advice, lot
                    diagnosis = diagnose(view, offered=offered, ways=ways, prompt=prompt, advice=advice, lot=lot)
                    picture = None
                if picture is None or has_rhythm(diagnosis):
                    picture = pixels(diagnosis, now, wiring, lights.palette, lights.milliamps)
                panel.show(picture)
                publisher.tell(TableState(view, offered, panel.working_buttons, advice))
                sounds.feed(ruled, diagnosis, now)
                screen.rule(ruled)
                if setup_words is not None and (missing := setup_words.feed(diagnosis, now)) is not None:
                    screen.say(missing)
                if adviser is not None:
                    adviser.follow(view, offered=offered, now=now)
                if draw:
                    watch(view, now)
                    screen.show(view, diagnosis)
                    drawn_at = now
            if table.is_over:
                return
            panel.buzzer.play(sounds.tone_at(now))
            wait = TONE_SECONDS if sounds.is_playing else LOOK_SECONDS
            _wait(table, panel, waker, typed.waiting, wait)


def _wait(table: BoardTable, panel: PanelHardware, waker: Waker, keyboard: Sequence[int], most: float) -> None:
    """Wait for bytes, keys, a wake-up, or until something is due; at most ``most`` real seconds."""
    now = time.monotonic()
    due = min(table.next_wakeup(now), panel.buttons.next_wakeup(now), now + most)
    waking = waker.fileno()
    readable = [each for each in (table.fileno(), waking, *keyboard) if each is not None]
    ready, _, _ = select.select(readable, [], [], max(LEAST_SECONDS, due - now))
    if waking in ready:
        waker.clear()
