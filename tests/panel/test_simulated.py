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
from tamsk_hw.panel.simulated import SimulatedPanel, panel_places, speak_to
from tamsk_hw.referee.events import Button, ButtonName, Press
from tamsk_hw.table.loop import PanelHardware
from tamsk_hw.words.hardware import panel_words

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
def noticed() -> list[hardware.PanelNotice]:
    """Reports of a panel."""
    return []


@pytest.fixture
def made(tmp_path: Path, noticed: list[hardware.PanelNotice]) -> Iterator[Callable[[], SimulatedPanel]]:
    panels: list[SimulatedPanel] = []

    def make() -> SimulatedPanel:
        panels.append(SimulatedPanel((tmp_path / "hands.sock",), WIRING.buttons, 42, noticed.append))
        return panels[-1]

    yield make
    for panel in panels:
        panel.close()


def test_pictures_reach_the_board_and_go_dark_at_the_end(
    tmp_path: Path, made: Callable[[], SimulatedPanel]
) -> None:
    board = Board(tmp_path / "hands.sock")
    panel = made()
    board.heard.get(timeout=PATIENCE)
    panel.show(b"\x01\x02\x03" * 42)
    assert board.heard.get(timeout=PATIENCE) == {"panel": "010203" * 42}
    panel.close()
    assert board.ended.wait(PATIENCE)


def test_a_board_that_goes_is_reported_once_and_found_again(
    tmp_path: Path, made: Callable[[], SimulatedPanel], noticed: list[hardware.PanelNotice]
) -> None:
    place = tmp_path / "hands.sock"
    board = Board(place)
    panel = made()
    board.heard.get(timeout=PATIENCE)
    pin = panel.factory.pin(WIRING.buttons[ButtonName.RED])
    pin.pull = "up"
    board.say({"buttons": ["red"]})
    wait_until(lambda: panel.works and not pin.state, panel.report)
    panel.show(b"\x05" * 126)
    board.heard.get(timeout=PATIENCE)
    board.go()
    trouble = hardware.DriverTrouble(hardware.DriverTroubleKind.NO_SIMULATION, str(place))
    wait_until(lambda: bool(noticed), panel.report)
    assert noticed == [hardware.PanelFailed(hardware.SIMULATED, hardware.Failure.USE, trouble)]
    assert not panel.works
    assert pin.state, "no button is down on a board that is not there"
    again = Board(place)
    assert again.heard.get(timeout=PATIENCE) == {"panel": "05" * 126}
    again.say({"buttons": []})
    wait_until(lambda: len(noticed) > 1, panel.report)
    assert noticed[1:] == [hardware.PanelWorks(hardware.SIMULATED)]


def test_a_board_that_is_not_there_is_waited_for(
    tmp_path: Path, made: Callable[[], SimulatedPanel], noticed: list[hardware.PanelNotice]
) -> None:
    panel = made()
    wait_until(lambda: bool(noticed), panel.report)
    place = tmp_path / "hands.sock"
    assert panel_words(noticed[0]) == (
        f"The simulated board's buttons and lights cannot be used: no simulated board at {place}: "
        "start tamsk-hw simulate. The game goes on without them."
    )
    panel.show(b"\x07" * 126)
    board = Board(tmp_path / "hands.sock")
    assert board.heard.get(timeout=PATIENCE) == {"panel": "07" * 126}
    board.say({"buttons": []})
    wait_until(lambda: panel.works, panel.report)


def test_a_board_that_has_a_panel_says_so(
    tmp_path: Path, made: Callable[[], SimulatedPanel], noticed: list[hardware.PanelNotice]
) -> None:
    board = Board(tmp_path / "hands.sock")
    panel = made()
    board.say({"re": None, "refused": "another program has this board's buttons and lights"})
    wait_until(lambda: bool(noticed), panel.report)
    assert "another program has" in panel_words(noticed[0])
    assert not panel.works


def test_whatever_else_answers_is_no_board(tmp_path: Path) -> None:
    with pytest.raises(hardware.DriverError) as failed:
        speak_to((tmp_path / "hands.sock",))
    assert failed.value.trouble.kind is hardware.DriverTroubleKind.NO_SIMULATION


def test_the_board_is_looked_for_where_it_is_named_else_in_the_usual_places(tmp_path: Path) -> None:
    named = tmp_path / "mine.sock"
    assert panel_places(named, {}, tmp_path) == (named,)
    usual = panel_places(None, {"XDG_RUNTIME_DIR": "/run/user/7"}, tmp_path)
    assert usual == (
        Path("/run/tamsk-hw/hands.sock"),
        Path("/run/user/7/tamsk-hw/hands.sock"),
        tmp_path / "hands.sock",
    )


def test_the_panels_hardware_is_that_of_the_board_whatever_the_lights_route(tmp_path: Path) -> None:
    board = Board(tmp_path / "hands.sock")
    gpio = GpioSettings(factory=hardware.PinFactory.SIMULATE, hands=tmp_path / "hands.sock")
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

        wait_until(lambda: bool(panel.buttons.held), take)
        board.say({"buttons": []})
        wait_until(lambda: bool(pressed), take)
        assert [(each.button, each.press) for each in pressed] == [(ButtonName.START, Press.SHORT)]
        board.go()
        wait_until(lambda: bool(notices), lambda: panel.show(b"\x0a" * 126))
        assert panel.working_buttons == set()
    assert [type(notice) for notice in notices] == [hardware.PanelFailed]
