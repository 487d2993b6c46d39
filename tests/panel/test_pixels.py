"""The bytes that the real `neopixel.NeoPixel` sends, and the thread that keeps only the newest picture."""

from threading import Event
from typing import Any

import pytest

from tamsk_hw.panel.hardware import DriverError, DriverTrouble, DriverTroubleKind, PanelNotice
from tamsk_hw.panel.outputs import LightRoute, LightWriter, NeoPixelLights
from tests.said import Said as PlainSaid

#: No test waits so long; it only ends one that would hang.
LONG = 20.0


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Bytes that go out on the wire, one entry for each transmission."""
    monkeypatch.setenv("BLINKA_OS_AGNOSTIC", "1")
    monkeypatch.setenv("BLINKA_SKIP_DEPENDENCY_CHECK", "1")
    import neopixel

    wire: list[bytes] = []
    monkeypatch.setattr(neopixel, "neopixel_write", lambda pin, buffer: wire.append(bytes(buffer)))
    return wire


def test_each_picture_replaces_the_last_one_wholly(sent: list[bytes]) -> None:
    lights = NeoPixelLights(2)
    lights.show(bytes([1, 2, 3, 4, 5, 6]))
    lights.show(bytes([1, 2, 3, 7, 5, 6]))
    lights.show(bytes(6))
    assert sent == [bytes([2, 1, 3, 5, 4, 6]), bytes([2, 1, 3, 5, 7, 6]), bytes(6)]


def test_a_picture_of_another_length_is_refused(sent: list[bytes]) -> None:
    with pytest.raises(ValueError, match="a picture of 5 bytes for 2 pixels"):
        NeoPixelLights(2).show(bytes(5))
    assert sent == []


class Lights:
    """Lights that remember what they showed, show nothing until told to go on, and fail with ``error``."""

    def __init__(self, error: Exception | None = None, *, waits: bool = False) -> None:
        self.error = error
        self.tried = 0
        self.shown: list[bytes] = []
        self.begun, self.go_on, self.written = Event(), Event(), Event()
        self.closed = False
        if not waits:
            self.go_on.set()

    def show(self, picture: bytes) -> None:
        self.begun.set()
        self.tried += 1
        assert self.go_on.wait(LONG)
        if self.error is not None:
            raise self.error
        self.shown.append(picture)
        self.written.set()

    def close(self) -> None:
        self.closed = True


def never(notice: PanelNotice) -> None:
    raise AssertionError(notice)


def test_only_the_newest_picture_is_written() -> None:
    slow = Lights(waits=True)
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
    slow = Lights(waits=True)
    writer = LightWriter(lambda: slow, never)
    writer.show(b"first")
    assert slow.begun.wait(LONG)
    assert not writer.close(0.0)
    slow.go_on.set()
    assert writer.close(LONG)
    assert writer.close(LONG)
    writer.show(b"too late")
    assert slow.shown == [b"first"]


class Said(PlainSaid):
    """Notices so far, with a sign for those who wait for it."""

    def __init__(self) -> None:
        super().__init__()
        self.spoken = Event()

    def __call__(self, notice: PanelNotice) -> None:
        super().__call__(notice)
        self.spoken.set()

    def wait(self) -> None:
        """Waits for the next thing that is said."""
        assert self.spoken.wait(LONG)
        self.spoken.clear()


class Hours:
    """A clock that goes on by an hour at each look, so that whatever may be tried again is."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 3600.0
        return self.now


def test_trouble_is_said_once_and_so_is_its_end() -> None:
    failing, said = Lights(OSError("Input/output\nerror")), Said()
    writer = LightWriter(lambda: failing, said, clock=Hours())
    writer.show(b"lost")
    said.wait()
    for number in range(3):
        writer.show(b"lost %d" % number)
    failing.error = None
    writer.show(b"at last")
    said.wait()
    assert writer.close(LONG)
    assert failing.shown[-1] == b"at last"
    assert said == [
        "The lights do not work: Input/output error. The game goes on without them.",
        "The lights work now.",
    ]


def test_failing_lights_are_not_tried_with_every_picture() -> None:
    failing, said = Lights(OSError("Input/output error")), Said()
    writer = LightWriter(lambda: failing, said, clock=lambda: 100.0)
    writer.show(b"first")
    said.wait()
    writer.show(b"second")
    assert writer.close(LONG)
    assert failing.tried == 1


def test_a_picture_that_stays_is_written_again_once_a_second() -> None:
    """Pixels that a spark on their wire has changed are right again by then."""
    lights, now = Lights(), [100.0]
    writer = LightWriter(lambda: lights, never, clock=lambda: now[0])
    for picture, at, written in (
        (b"first", 100.0, True),
        (b"first", 100.5, False),
        (b"other", 100.6, True),
        (b"first", 100.7, True),
        (b"first", 101.6, False),
        (b"first", 101.8, True),
    ):
        now[0] = at
        writer.show(picture)
        if written:
            assert lights.written.wait(LONG)
            lights.written.clear()
    assert writer.close(LONG)
    assert lights.shown == [b"first", b"other", b"first", b"first"]


def test_lights_that_are_gone_are_never_touched_again() -> None:
    error = DriverError(DriverTrouble(DriverTroubleKind.OTHER, "run as root"), is_final=True)
    failing, said = Lights(error), Said()
    opened = []

    def open_them() -> Lights:
        opened.append(failing)
        return failing

    writer = LightWriter(open_them, said, clock=Hours())
    writer.show(b"first")
    said.wait()
    failing.error = None
    for _ in range(3):
        writer.show(b"another")
    assert writer.close(LONG)
    assert (failing.tried, len(opened)) == (1, 1)
    assert said == ["The lights do not work: run as root. The game goes on without them."]


def test_a_failure_of_the_route_gpio_is_for_good(sent: list[bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    import neopixel

    lights = NeoPixelLights(2)

    def refuse(pin: object, buffer: bytes) -> None:
        raise RuntimeError("NeoPixel support requires running with sudo, please try again!")

    monkeypatch.setattr(neopixel, "neopixel_write", refuse)
    with pytest.raises(DriverError) as gone:
        lights.show(bytes(6))
    assert (gone.value.trouble, gone.value.is_final) == (DriverTrouble(DriverTroubleKind.NEEDS_ROOT), True)
    lights.close()  # and does not try to go dark


def test_a_failure_of_the_route_spi_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BLINKA_OS_AGNOSTIC", "1")
    monkeypatch.setenv("BLINKA_SKIP_DEPENDENCY_CHECK", "1")
    from adafruit_blinka.microcontroller.generic_agnostic_board import spi

    wire: list[bytes] = []
    broken = True

    def write(self: object, buffer: bytes, start: int = 0, end: int | None = None) -> None:
        if broken:
            raise OSError(5, "Input/output error")
        wire.append(bytes(buffer))

    monkeypatch.setattr(spi.SPI, "write", write)
    lights = NeoPixelLights(2, route=LightRoute.SPI)
    with pytest.raises(OSError, match="Input/output error"):
        lights.show(bytes(6))
    broken = False
    lights.show(bytes(6))
    lights.close()
    assert len(wire) == 2


@pytest.mark.parametrize("error", [RuntimeError("no LEDs"), ImportError("no LEDs"), SystemExit("no LEDs")])
def test_lights_that_cannot_be_opened_are_done_without(error: BaseException) -> None:
    said = Said()

    def fail() -> Any:
        raise error

    writer = LightWriter(fail, said)
    writer.show(bytes(126))
    assert writer.close(LONG)
    assert said == ["The lights cannot be opened: no LEDs. The game goes on without them."]


def test_lights_that_can_be_opened_later_on_come_on() -> None:
    said, working = Said(), Lights()
    tries = 0

    def open_them() -> Lights:
        nonlocal tries
        tries += 1
        if tries < 3:
            raise OSError("/dev/spidev0.0 does not exist")
        return working

    writer = LightWriter(open_them, said, clock=Hours())
    said.wait()
    writer.show(b"second try")
    while tries < 2:
        assert not working.begun.wait(0.001)
    writer.show(b"third try")
    said.wait()
    assert writer.close(LONG)
    assert working.shown == [b"third try"]
    assert working.closed
    assert said == [
        "The lights cannot be opened: SPI is off: switch it on (sudo raspi-config nonint do_spi 0) and restart "
        "the Pi. The game goes on without them.",
        "The lights work now.",
    ]


def test_no_lights_take_everything() -> None:
    writer = LightWriter(lambda: None, never)
    writer.show(b"anything")
    assert writer.close(LONG)
