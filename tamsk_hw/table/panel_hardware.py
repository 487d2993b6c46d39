"""Lights, buttons and buzzer as the configuration names them, opened together and let go together."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Self

from tamsk_hw.board.wiring import Wiring
from tamsk_hw.configuration import Configuration
from tamsk_hw.panel.buttons import Buttons, NoButtons
from tamsk_hw.panel.buzzer import Buzzer, NoBuzzer, PinBuzzer
from tamsk_hw.panel.pins import PinFactory, Pins
from tamsk_hw.panel.pixels import LightWriter, open_lights
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
        own = configuration.buttons
        route = configuration.lights.route
        self._notice = notice
        self._is_mock = configuration.gpio.factory is PinFactory.MOCK
        self._of_lights: list[PanelNotice] = []
        self._pins = Pins(configuration.gpio.factory, notice)
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
            lambda: open_lights(route, wiring.pixel_count, wiring.lights_pin), self._of_lights.append
        )

    @property
    def working_buttons(self) -> frozenset[ButtonName]:
        """The buttons that people can press; none on pins of the factory "mock", which nobody can reach."""
        return frozenset() if self._is_mock else self.buttons.working

    def show(self, picture: bytes) -> None:
        """Hand the lights their newest picture, three bytes for each pixel, and report what became of the last."""
        self._lights.show(picture)
        while self._of_lights:  # the lights' own thread puts them there
            self._notice(self._of_lights.pop(0))

    def close(self) -> None:
        """Let everything go; the lights go dark, the buzzer falls silent."""
        self._lights.close()
        self.buzzer.close()
        self.buttons.close()
        self._pins.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
