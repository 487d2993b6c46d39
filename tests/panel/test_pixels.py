"""The bytes that the real `neopixel.NeoPixel` sends, and the thread that keeps only the newest picture."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from tamsk_hw.panel.diagnosis import diagnose
from tamsk_hw.panel.lights import pixels
from tamsk_hw.panel.pixels import LightWriter, NeoPixelLights, NoLights, on_a_pi
from tests.panel.boards import PlainMap, view

#: No test waits so long; it only ends one that would hang.
LONG = 20.0


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """What goes out on the wire, one entry for each transmission."""
    monkeypatch.setenv("BLINKA_OS_AGNOSTIC", "1")
    monkeypatch.setenv("BLINKA_SKIP_DEPENDENCY_CHECK", "1")
    import neopixel

    wire: list[bytes] = []
    monkeypatch.setattr(neopixel, "neopixel_write", lambda pin, buffer: wire.append(bytes(buffer)))
    return wire


def test_green_goes_first_on_the_wire(sent: list[bytes]) -> None:
    lights = NeoPixelLights(3)
    lights.show(bytes([1, 2, 3, 40, 50, 60, 0, 0, 255]))
    assert sent == [bytes([2, 1, 3, 50, 40, 60, 0, 0, 255])]


def test_each_picture_replaces_the_last_one_wholly(sent: list[bytes]) -> None:
    lights = NeoPixelLights(2)
    lights.show(bytes([1, 2, 3, 4, 5, 6]))
    lights.show(bytes([1, 2, 3, 7, 5, 6]))
    lights.show(bytes(6))
    assert sent == [bytes([2, 1, 3, 5, 4, 6]), bytes([2, 1, 3, 5, 7, 6]), bytes(6)]


def test_the_board_of_red_to_move_by_hand(sent: list[bytes]) -> None:
    NeoPixelLights(42).show(pixels(diagnose(view()), 0.0, PlainMap()))
    assert sent == [bytes(114) + bytes([25, 255, 0, 25, 255, 0]) + bytes(6)]


def test_closing_goes_dark(sent: list[bytes]) -> None:
    lights = NeoPixelLights(2)
    lights.show(b"\x09" * 6)
    lights.close()
    assert sent[-1] == bytes(6)


def test_a_picture_of_another_length_is_refused(sent: list[bytes]) -> None:
    with pytest.raises(ValueError, match="a picture of 5 bytes for 2 pixels"):
        NeoPixelLights(2).show(bytes(5))
    assert sent == []


def test_it_runs_as_a_user_would_off_a_pi_and_loads_blinka_only_when_used() -> None:
    script = """
import sys
from tamsk_hw.panel.pixels import NeoPixelLights
assert "board" not in sys.modules and "neopixel" not in sys.modules
lights = NeoPixelLights(42)
lights.show(bytes(range(126)))
lights.close()
import neopixel
assert isinstance(lights._chain, neopixel.NeoPixel)
print("done")
"""
    environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    assert (done.stdout, done.stderr) == ("done\n", "")


def test_which_computer_is_a_pi(tmp_path: Path) -> None:
    model = tmp_path / "model"
    assert not on_a_pi(model)
    model.write_bytes(b"Raspberry Pi Zero 2 W Rev 1.0\x00")
    assert on_a_pi(model)
    model.write_bytes(b"Some other board\x00")
    assert not on_a_pi(model)


class Slow:
    """Lights that show a picture only when told to, and remember what they showed."""

    def __init__(self) -> None:
        self.shown: list[bytes] = []
        self.begun, self.go_on = Event(), Event()
        self.closed = False

    def show(self, picture: bytes) -> None:
        self.begun.set()
        assert self.go_on.wait(LONG)
        self.shown.append(picture)

    def close(self) -> None:
        self.closed = True


def never(message: str) -> None:
    raise AssertionError(message)


def test_only_the_newest_picture_is_written() -> None:
    slow = Slow()
    writer = LightWriter(lambda: slow, never)
    writer.show(b"first")
    assert slow.begun.wait(LONG)
    for number in range(1000):  # none of these waits for the lights
        writer.show(b"%d" % number)
    slow.go_on.set()
    assert writer.close(LONG)
    assert slow.shown == [b"first", b"999"]
    assert slow.closed


def test_closing_does_not_wait_for_ever() -> None:
    slow = Slow()
    writer = LightWriter(lambda: slow, never)
    writer.show(b"first")
    assert slow.begun.wait(LONG)
    assert not writer.close(0.0)
    slow.go_on.set()
    assert writer.close(LONG)
    assert writer.close(LONG)
    writer.show(b"too late")
    assert slow.shown == [b"first"]


def test_an_idle_writer_closes() -> None:
    slow = Slow()
    assert LightWriter(lambda: slow, never).close(LONG)
    assert slow.closed
    assert slow.shown == []


class Failing:
    """Lights whose pictures fail until they are mended."""

    def __init__(self) -> None:
        self.tried, self.mended = Event(), False
        self.shown: list[bytes] = []

    def show(self, picture: bytes) -> None:
        mended = self.mended
        self.tried.set()
        if not mended:
            raise RuntimeError("NeoPixel support requires\nrunning with sudo")
        self.shown.append(picture)

    def close(self) -> None:
        raise RuntimeError("no better")


def test_trouble_is_said_once_and_the_next_picture_tried() -> None:
    failing, said = Failing(), []
    writer = LightWriter(lambda: failing, said.append)
    for number in range(3):
        failing.tried.clear()
        writer.show(b"%d" % number)
        assert failing.tried.wait(LONG)
    failing.mended = True
    writer.show(b"at last")
    assert writer.close(LONG)
    assert failing.shown == [b"at last"]
    assert said == [
        "The lights do not work: NeoPixel support requires running with sudo. The game goes on without them."
    ]


@pytest.mark.parametrize("error", [RuntimeError("GPIO busy"), ImportError("GPIO busy"), SystemExit("GPIO busy")])
def test_lights_that_cannot_be_opened_are_done_without(error: BaseException) -> None:
    said: list[str] = []

    def fail() -> Any:
        raise error

    writer = LightWriter(fail, said.append)
    writer.show(bytes(126))
    assert writer.close(LONG)
    assert said == ["The lights cannot be opened: GPIO busy. The game goes on without them."]


def test_the_writer_drives_the_real_class(sent: list[bytes]) -> None:
    writer = LightWriter(lambda: NeoPixelLights(1), never)
    writer.show(bytes([1, 2, 3]))
    assert writer.close(LONG)
    assert sent == [bytes([2, 1, 3]), bytes(3)]


def test_no_lights_take_everything() -> None:
    lights = NoLights()
    lights.show(b"anything")
    lights.close()
