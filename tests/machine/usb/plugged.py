"""A converter outside of the virtual machine: between QEMU's socket and a board's pseudo-terminal."""

import os
import selectors
import socket
import threading
import time
import tty
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from tests.machine.usb.device import SerialConverter
from tests.machine.usb.packets import UsbredirError
from tests.machine.usb.redirection import UsbRedirection

#: Seconds between two tries to open a board's port that is not there.
_RETRY: Final = 0.1


class PluggedConverter:
    """A converter in a thread: QEMU comes to ``socket_path``, the board's pseudo-terminal is at ``port``.

    A pseudo-terminal carries no DTR. So the converter has the port open as long as the host asserts DTR: the board
    sees it opened and closed when an Arduino would be reset, and `PtyBoard(reset_on_open=True)` resets then.
    """

    def __init__(self, converter: SerialConverter, port: Path, socket_path: Path) -> None:
        self.port, self.socket_path = port, socket_path
        self.redirection = UsbRedirection(converter, self._write)
        self.openings = 0
        """The number of times the host has asserted DTR."""
        self.failure: Exception | None = None
        """The error that ended the thread before `close`."""
        self._lock = threading.RLock()
        self._listener = socket.socket(socket.AF_UNIX)
        socket_path.unlink(missing_ok=True)
        self._listener.bind(str(socket_path))
        self._listener.listen(1)
        self._qemu: socket.socket | None = None
        self._line: int | None = None
        self._had_dtr = False
        self._retry_at = 0.0
        self._wakes, self._woken = os.pipe()
        self._ends = False
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._wakes, selectors.EVENT_READ)
        self._selector.register(self._listener, selectors.EVENT_READ)
        self.redirection.attach(time.monotonic())
        self._thread = threading.Thread(target=self._run, name="USB converter", daemon=True)
        self._thread.start()

    @contextmanager
    def held(self) -> Iterator[UsbRedirection]:
        """The redirection, while the thread stands still; what was done takes effect at once afterwards."""
        with self._lock:
            yield self.redirection
        os.write(self._woken, b"\0")

    def close(self) -> None:
        """Pull it, and end the thread.

        Raises:
            Exception: what had ended the thread before.
        """
        with self.held():
            self._ends = True
        self._thread.join()
        for each in (self._listener, self._qemu):
            if each is not None:
                each.close()
        self._close_line()
        self._selector.close()
        os.close(self._wakes)
        os.close(self._woken)
        if self.failure is not None:
            raise self.failure

    # The thread.

    def _run(self) -> None:
        try:
            while not self._ends:
                self._step()
        except (OSError, UsbredirError) as error:
            self.failure = error
            self.redirection.detach()

    def _step(self) -> None:
        with self._lock:
            now = time.monotonic()
            wakeup = self.redirection.next_wakeup(now)
            if self._had_dtr and self._line is None:
                wakeup = min(wakeup, self._retry_at)
        ready = self._selector.select(None if wakeup == float("inf") else max(0.0, wakeup - now))
        with self._lock:
            now = time.monotonic()
            for key, _ in ready:
                self._take(key.fileobj, now)
            self.redirection.advance(now)
            self._follow_dtr(now)
            self._flush()

    def _take(self, source: object, now: float) -> None:
        if source == self._wakes:
            os.read(self._wakes, 4096)
        elif source is self._listener:
            self._accept()
        elif source is self._qemu and self._qemu is not None:
            data = b""
            with suppress(ConnectionResetError):
                data = self._qemu.recv(65536)
            if data:
                self.redirection.receive(data, now)
            else:
                self._ends = True  # QEMU has removed the device, or has ended
                self.redirection.detach()
                self._follow_dtr(now)
        elif source == self._line and self._line is not None:
            data = b""
            with suppress(OSError):  # EIO: the board has pulled its own end
                data = os.read(self._line, 4096)
            if data:
                self.redirection.converter.from_line(data, now)
            else:
                self._close_line()

    def _accept(self) -> None:
        self._qemu, _ = self._listener.accept()
        self._selector.unregister(self._listener)
        self._selector.register(self._qemu, selectors.EVENT_READ)

    def _flush(self) -> None:
        if self._qemu is not None:
            data = self.redirection.take()
            if data:
                with suppress(BrokenPipeError, ConnectionResetError):
                    self._qemu.sendall(data)

    # The board's line.

    def _follow_dtr(self, now: float) -> None:
        dtr = self.redirection.is_attached and self.redirection.converter.dtr
        if dtr and not self._had_dtr:
            self.openings += 1
        if not dtr:
            self._close_line()
        elif self._line is None and now >= self._retry_at:
            self._open_line(now)
        self._had_dtr = dtr

    def _open_line(self, now: float) -> None:
        try:
            line = os.open(self.port, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        except OSError:
            self._retry_at = now + _RETRY
            return
        tty.setraw(line)
        self._line = line
        self._selector.register(line, selectors.EVENT_READ)

    def _close_line(self) -> None:
        if self._line is not None:
            self._selector.unregister(self._line)
            os.close(self._line)
            self._line = None
            self._retry_at = time.monotonic() + _RETRY

    def _write(self, data: bytes) -> None:
        if self._line is not None:
            with suppress(OSError):
                os.write(self._line, data)
