"""Lights, buttons and buzzer as the configuration names them, opened together and let go together."""

from __future__ import annotations

import os
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

from tamsk_hw.board.wiring import Wiring
from tamsk_hw.configuration import Configuration
from tamsk_hw.panel.buttons import Buttons, NoButtons
from tamsk_hw.panel.buzzer import Buzzer, NoBuzzer, PinBuzzer
from tamsk_hw.panel.pins import PinFactory, Pins, open_pin_factory
from tamsk_hw.panel.pixels import LightWriter, open_lights
from tamsk_hw.panel.simulated import SimulatedLights, SimulatedPanel, panel_places
from tamsk_hw.panel.troubles import PanelNotice
from tamsk_hw.referee.events import ButtonName


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
        opener: Callable[[PinFactory], Any] = open_pin_factory
        if gpio.factory is PinFactory.SIMULATE:
            places = panel_places(gpio.hands, os.environ, configuration.state_folder)
            self._simulated = panel = SimulatedPanel(places, wiring.buttons, wiring.pixel_count, notice)
            opener = panel.open_factory
        self._pins = Pins(gpio.factory, notice, opener=opener)
        self.buttons: Buttons | NoButtons = (
            Buttons(
                wiring.buttons,
                self._pins,
                notice,
                settle=own.debounce_seconds,
                long=own.long_press_seconds,
                wake=wake,
            )
            if own.enabled
            else NoButtons()
        )
        self.buzzer: Buzzer = (
            PinBuzzer(wiring.buzzer_pin, self._pins, notice) if configuration.buzzer.enabled else NoBuzzer()
        )
        self._lights = LightWriter(
            lambda: (
                open_lights(route, wiring.pixel_count, wiring.lights_pin)
                if self._simulated is None
                else SimulatedLights(self._simulated, wiring.pixel_count)
            ),
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

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
