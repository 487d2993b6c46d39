"""The thread that writes pictures: it keeps only the newest one, and lights that fail cost no game."""

from threading import Event
from typing import Any

import pytest

from tamsk_hw.panel.hardware import DriverError, DriverTrouble, DriverTroubleKind, PanelNotice
from tamsk_hw.panel.outputs import LightWriter
from tests.said import Said as PlainSaid

#: No test waits so long; it only ends one that would hang.
LONG = 20.0


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


@pytest.fixture
def said() -> Said:
    return Said()


class Hours:
    """A clock that goes on by an hour at each look, so that whatever may be tried again is."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 3600.0
        return self.now


def test_only_the_newest_picture_is_written(said: Said) -> None:
    slow = Lights(waits=True)
    writer = LightWriter(lambda: slow, said)
    writer.show(b"first")
    assert slow.begun.wait(LONG)
    for number in range(1000):  # none of these waits for the lights
        writer.show(b"%d" % number)
    assert not writer.close(0.0)
    slow.go_on.set()
    for _ in range(2):
        assert writer.close(LONG)
    writer.show(b"too late")
    assert (slow.shown, slow.closed, said) == ([b"first", b"999"], True, [])


def test_trouble_is_said_once_and_so_is_its_end(said: Said) -> None:
    failing = Lights(OSError("Input/output\nerror"))
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


def test_failing_lights_are_not_tried_with_every_picture(said: Said) -> None:
    failing = Lights(OSError("Input/output error"))
    writer = LightWriter(lambda: failing, said, clock=lambda: 100.0)
    writer.show(b"first")
    said.wait()
    writer.show(b"second")
    assert writer.close(LONG)
    assert failing.tried == 1


def test_a_picture_that_stays_is_written_again_once_a_second(said: Said) -> None:
    """Pixels that a spark on their wire has changed are right again by then."""
    lights, now = Lights(), [100.0]
    writer = LightWriter(lambda: lights, said, clock=lambda: now[0])
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


def test_lights_that_are_gone_are_never_touched_again(said: Said) -> None:
    error = DriverError(DriverTrouble(DriverTroubleKind.OTHER, "run as root"), is_final=True)
    failing = Lights(error)
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


@pytest.mark.parametrize("error", [ImportError("no LEDs"), SystemExit("no LEDs")])
def test_lights_that_cannot_be_opened_are_done_without_until_they_can(error: BaseException, said: Said) -> None:
    working = Lights()
    tries = 0

    def open_them() -> Any:
        nonlocal tries
        tries += 1
        if tries < 3:
            raise error
        return working

    writer = LightWriter(open_them, said, clock=Hours())
    said.wait()
    writer.show(b"second try")
    while tries < 2:
        assert not working.begun.wait(0.001)
    writer.show(b"third try")
    said.wait()
    assert writer.close(LONG)
    assert (working.shown, working.closed) == ([b"third try"], True)
    assert said == ["The lights cannot be opened: no LEDs. The game goes on without them.", "The lights work now."]


def test_no_lights_take_everything(said: Said) -> None:
    writer = LightWriter(lambda: None, said)
    writer.show(b"anything")
    assert writer.close(LONG)
    assert said == []
