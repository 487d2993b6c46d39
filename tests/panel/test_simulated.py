"""Buttons and lights of a simulated board over its socket: a board that comes, goes, and comes back."""

import json
import queue
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event, Thread
from time import monotonic
from typing import Any

import pytest

from tamsk_hw.board.wiring import load_wiring
from tamsk_hw.configuration import Configuration
from tamsk_hw.configuration.settings import GpioSettings
from tamsk_hw.panel import hardware, simulated
from tamsk_hw.panel.simulated import SimulatedPanel, panel_places
from tamsk_hw.referee.events import Button, ButtonName, Press
from tamsk_hw.table.loop import PanelHardware
from tests.said import Said

PATIENCE = 20.0

WIRING = load_wiring()


class Board:
    """The other side: takes one panel; ``heard`` has its lines."""

    def __init__(self, path: Path) -> None:
        self.heard: queue.Queue[dict[str, Any]] = queue.Queue()
        self._listening = socket.socket(socket.AF_UNIX)
        path.unlink(missing_ok=True)
        self._listening.bind(str(path))
        self._listening.listen()
        self._there, self.ended = Event(), Event()
        Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        self._connected, _ = self._listening.accept()
        self._connected.sendall(b'{"hands": 1}\n')
        self._there.set()
        for line in self._connected.makefile():
            self.heard.put(json.loads(line))
        self.ended.set()

    def say(self, record: dict[str, Any]) -> None:
        assert self._there.wait(PATIENCE)
        self._connected.sendall(json.dumps(record).encode() + b"\n")

    def go(self) -> None:
        self._listening.close()
        if self._there.is_set():
            self._connected.shutdown(socket.SHUT_RDWR)


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulated, "RETRY_SECONDS", 0.02)


def wait_until(is_there: Callable[[], bool], look: Callable[[], None]) -> None:
    """Look again and again, until it is there."""
    pause, end = Event(), monotonic() + PATIENCE
    look()
    while not is_there():
        assert monotonic() < end, "it does not come about"
        pause.wait(0.01)
        look()


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """The board's socket."""
    return tmp_path / "hands.sock"


@pytest.fixture
def said() -> Said:
    return Said()


@pytest.fixture
def panel(place: Path, said: Said) -> Iterator[SimulatedPanel]:
    """A panel that has found no board so far."""
    panel = SimulatedPanel((place,), WIRING.buttons, 42, said)
    yield panel
    panel.close()


def test_a_board_is_waited_for_and_found_again_when_it_went(
    place: Path, panel: SimulatedPanel, said: Said
) -> None:
    missing = (
        f"The simulated board's buttons and lights cannot be used: no simulated board at {place}: "
        "start tamsk-hw simulate. The game goes on without them."
    )
    works = "The simulated board's buttons and lights can be used now."
    wait_until(lambda: said == [missing], panel.report)
    panel.show(b"\x07" * 126)
    board = Board(place)
    assert board.heard.get(timeout=PATIENCE) == {"panel": "07" * 126}
    pin = panel.factory.pin(WIRING.buttons[ButtonName.RED])
    pin.pull = "up"
    board.say({"buttons": ["red"]})
    wait_until(lambda: panel.works and not pin.state, panel.report)
    panel.show(b"\x05" * 126)
    assert board.heard.get(timeout=PATIENCE) == {"panel": "05" * 126}
    board.go()
    wait_until(lambda: said == [missing, works, missing], panel.report)
    assert not panel.works
    assert pin.state, "no button is down on a board that is not there"
    again = Board(place)
    assert again.heard.get(timeout=PATIENCE) == {"panel": "05" * 126}
    again.say({"buttons": []})
    wait_until(lambda: said == [missing, works, missing, works], panel.report)
    panel.close()
    assert again.ended.wait(PATIENCE), "the lights go dark"


def test_a_board_that_has_a_panel_says_so(place: Path, said: Said) -> None:
    board = Board(place)
    panel = SimulatedPanel((place,), WIRING.buttons, 42, said)
    board.say({"re": None, "refused": "another program has this board's buttons and lights"})
    wait_until(lambda: bool(said), panel.report)
    assert "another program has" in said[0]
    assert not panel.works
    panel.close()


def test_the_board_is_looked_for_where_it_is_named_else_in_the_usual_places(tmp_path: Path) -> None:
    named = tmp_path / "mine.sock"
    assert panel_places(named, {}, tmp_path) == (named,)
    usual = panel_places(None, {"XDG_RUNTIME_DIR": "/run/user/7"}, tmp_path)
    assert usual == (
        Path("/run/tamsk-hw/hands.sock"),
        Path("/run/user/7/tamsk-hw/hands.sock"),
        tmp_path / "hands.sock",
    )


@pytest.mark.slow
def test_the_panels_hardware_is_that_of_the_board_whatever_the_lights_route(place: Path) -> None:
    board = Board(place)
    gpio = GpioSettings(factory=hardware.PinFactory.SIMULATE, hands=place)
    notices: list[hardware.PanelNotice] = []
    woken = Event()
    with PanelHardware(Configuration(gpio=gpio), WIRING, notices.append, woken.set) as panel:
        assert board.heard.get(timeout=PATIENCE) == {"panel": "00" * 126}
        board.say({"buttons": []})
        panel.show(b"\x09" * 126)
        while board.heard.get(timeout=PATIENCE) != {"panel": "09" * 126}:
            pass
        # The lights' answer and the buttons' come from different threads, in either order.
        wait_until(lambda: panel.working_buttons == set(ButtonName), lambda: None)
        woken.clear()
        board.say({"buttons": ["start"]})
        assert woken.wait(PATIENCE), "the loop is woken by a press"
        pressed: list[Button] = []

        def take() -> None:
            pressed.extend(panel.buttons.take_events(0.0))

        wait_until(lambda: bool(pressed), take)
        assert [(each.button, each.press) for each in pressed] == [(ButtonName.START, Press.LONG)]
        board.go()
        wait_until(lambda: bool(notices), lambda: panel.show(b"\x0a" * 126))
        assert panel.working_buttons == set()
    assert [type(notice) for notice in notices] == [hardware.PanelFailed]
