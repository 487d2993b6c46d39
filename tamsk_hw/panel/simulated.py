"""Buttons and lights of a simulated board (``tamsk-hw simulate``), over its socket: pin factory "simulate".

Pictures of the lights are sent to the board, and a thread moves gpiozero's mock pins as the board's buttons are
pressed. A board that is not there, or goes, is reported once, as broken hardware is, and looked for again every
`RETRY_SECONDS`; meanwhile no button is down. docs/simulate.md describes the lines.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any, Final

from tamsk_hw.errors import HandsError
from tamsk_hw.panel import hardware
from tamsk_hw.referee.events import ButtonName
from tamsk_hw.system.sockets import LineConnection, SocketKind, connect, decoded

#: Real seconds between two attempts to find the board.
RETRY_SECONDS: Final = 1.0

#: A simulated board with its hands.
BOARD: Final = SocketKind(
    name="simulated board",
    file="hands.sock",
    key="hands",
    error=HandsError,
    start="start one with tamsk-hw simulate, or name its socket with --socket",
    restart="look after tamsk-hw simulate, or start it again",
)


def panel_places(named: Path | None, environment: Mapping[str, str], state_folder: Path) -> tuple[Path, ...]:
    """The places in which to look for the board: the one that is configured, else the usual ones."""
    return BOARD.searched_places(environment, state_folder) if named is None else (named,)


def speak_to(places: Sequence[Path]) -> LineConnection:
    """A connection to the simulated board at the first of ``places`` that has one.

    Raises:
        DriverError: there is none.
    """
    try:
        return connect(places, BOARD)
    except HandsError:
        raise hardware.DriverError(_gone(places)) from None


def _gone(places: Sequence[Path]) -> hardware.DriverTrouble:
    return hardware.DriverTrouble(hardware.DriverTroubleKind.NO_SIMULATION, " or ".join(map(str, places)))


class SimulatedPanel:
    """The panel of the simulated board at the first of ``places``.

    ``pins``: each button's BCM number on `factory`, a gpiozero factory. ``pixels``: how many its lights have. What
    happens to it is given to ``notice`` by `report`, in the thread of its caller.
    """

    def __init__(
        self,
        places: Sequence[Path],
        pins: Mapping[ButtonName, int],
        pixels: int,
        notice: Callable[[hardware.PanelNotice], None],
    ) -> None:
        from gpiozero.pins.mock import MockFactory, MockPWMPin

        self.factory: Any = MockFactory(pin_class=MockPWMPin)
        """The gpiozero factory of its pins."""
        self._places = places
        self._pins = dict(pins)
        self._notice = notice
        self._reports: list[hardware.PanelNotice] = []
        self._attempts = hardware.Attempts(hardware.SIMULATED, self._reports.append)
        self.works = False
        """The board is there."""
        self._picture = bytes(3 * pixels)
        self._connection: LineConnection | None = None
        self._lock = Lock()
        self._closing = Event()
        self._tried = Event()
        self._thread = Thread(target=self._run, name="simulated panel", daemon=True)
        self._thread.start()
        self._tried.wait(RETRY_SECONDS)

    def open_factory(self, name: hardware.PinFactory) -> Any:
        """Its pin factory, whatever ``name`` says."""
        return self.factory

    def show(self, picture: bytes) -> None:
        """Send a picture of the lights, three bytes for each pixel. For the thread that writes the lights."""
        with self._lock:
            self._picture = picture
            if self._connection is not None:
                with suppress(OSError):  # the thread that reads notices, too
                    self._connection.send({"panel": picture.hex()})

    def report(self) -> None:
        """Give what has happened to ``notice``."""
        while self._reports:
            self._notice(self._reports.pop(0))

    def close(self) -> None:
        """Go; the board's lights go dark. Closing twice is harmless."""
        self._closing.set()
        with self._lock:
            if self._connection is not None:
                self._connection.interrupt()
        self._thread.join(2.0)

    # ---- the thread

    def _run(self) -> None:
        while not self._closing.is_set():
            try:
                with speak_to(self._places) as connection:
                    self._serve(connection)
                trouble = _gone(self._places)
            except hardware.DriverError as error:
                trouble = error.trouble
            except (OSError, ValueError):
                trouble = _gone(self._places)
            self.works = False
            self._push(frozenset())
            if not self._closing.is_set():
                self._attempts.failed(time.monotonic(), hardware.Failure.USE, trouble)
            self._tried.set()
            self._closing.wait(RETRY_SECONDS)

    def _serve(self, connection: LineConnection) -> None:
        """Speak to a board until it has gone.

        Raises:
            DriverError: another program has its panel.
            OSError: the connection broke.
            ValueError: it sends what is no JSON.
        """
        with self._lock:
            connection.send({"panel": self._picture.hex()})
            self._connection = connection
        try:
            for line in connection.lines():
                self._on_line(decoded(line))
        finally:
            with self._lock:
                self._connection = None

    def _on_line(self, record: Any) -> None:
        match record:
            case {"buttons": list(down)}:
                self.works = True
                self._attempts.worked()
                self._push(frozenset(name for name in self._pins if name.value in down))
                self._tried.set()
            case {"refused": str(why)}:
                raise hardware.DriverError(hardware.DriverTrouble(hardware.DriverTroubleKind.OTHER, why))

    def _push(self, down: frozenset[ButtonName]) -> None:
        """Have these buttons down and the others up."""
        for name, number in self._pins.items():
            pin = self.factory.pin(number)
            if name in down:
                pin.drive_low()
            else:
                pin.drive_high()
