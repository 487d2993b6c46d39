"""Surroundings of the emulator in tests of its port: its process, and a host program with the project's link.

Every wait ends as soon as what it waits for is there; the limits only end a test that would never end.
"""

import select
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import serial

from tamsk_hw.board.link_events import LinkEvent
from tamsk_hw.board.serial_link import SerialLink
from tests.firmware.emulator.emulated import WIRING

LIMIT = 60.0  # seconds

Event = TypeVar("Event", bound=LinkEvent)


@contextmanager
def process(emulator: Path, *arguments: str | Path, ignored: str = "") -> Iterator[subprocess.Popen[str]]:
    """Start the emulator with any arguments; it is killed at the end unless it has ended by itself.

    ``ignored``: the signal that it finds ignored, as under nohup(1); all others, whatever the tests run under, do
    what they do by default.
    """
    signals = ["--default-signal=HUP,INT,TERM", *([f"--ignore-signal={ignored}"] if ignored else ())]
    command = ["env", *signals, str(emulator), *map(str, arguments)]
    with subprocess.Popen(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as started:
        try:
            yield started
        finally:
            if started.poll() is None:
                started.kill()


def ended(started: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Wait for the end of a process: its status, and what it said on standard output and standard error."""
    out, err = started.communicate(timeout=LIMIT)
    return started.returncode, out, err


def asked_until(question: Callable[[], bool]) -> None:
    """Ask until the answer is yes."""
    deadline = time.monotonic() + LIMIT
    while not question():
        if time.monotonic() > deadline:
            raise AssertionError("the emulator never came so far")


def open_port(path: Path) -> serial.Serial:
    """As a program would open it."""
    return serial.Serial(str(path), 500_000, timeout=LIMIT, exclusive=True)


class Host:
    """A host program around the project's link.

    Silence is no loss to it, however long: what it calls lost, the port itself has said. Where the link only waits
    for its next try to open the port, its clock is put forward instead.
    """

    def __init__(self, port: Path) -> None:
        self.link = SerialLink(port, WIRING.hash, lost_after=10 * LIMIT, reopen_after=10 * LIMIT)
        self._ahead = 0.0
        self._events: list[LinkEvent] = []

    def wait_for(self, kind: type[Event], is_meant: Callable[[Event], bool] = lambda event: True) -> Event:
        """The next event of a kind, and of a meaning, that was not given yet."""
        deadline = time.monotonic() + LIMIT
        while time.monotonic() < deadline:
            while self._events:
                event = self._events.pop(0)
                if isinstance(event, kind) and is_meant(event):
                    return event
            now = time.monotonic() + self._ahead
            wait = max(0.0, min(self.link.next_wakeup(now) - now, LIMIT))
            descriptor = self.link.fileno()
            if descriptor is None:
                self._ahead += wait
            else:
                select.select([descriptor], [], [], wait)
            self._events = self.link.poll(time.monotonic() + self._ahead)
        raise AssertionError(f"the link never gave {kind.__name__}; {self.link.statistics}")

    def close(self) -> None:
        """Close the port for good."""
        self.link.close()
