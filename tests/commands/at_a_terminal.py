"""The program at a terminal of its own, for tests: somebody types, and reads what is shown."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
from pathlib import Path
from typing import Any

#: Seconds after which words that do not come fail the test; on a good day they are there within two.
PATIENCE = 60.0

PROGRAM = [sys.executable, "-m", "tamsk_hw.commands.main"]

#: Characters that steer a terminal: the picture is read without them.
_STEERING = re.compile(r"\x1b(\[[0-9;?]*[A-Za-z]|[=>])")


class AtATerminal:
    """A command on a terminal of 80 by 24, the leader of a session with that terminal."""

    def __init__(self, *command: str, term: str = "xterm-256color") -> None:
        self.process, self._terminal = pty.fork()
        if self.process == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
            os.environ.update(TERM=term, LANG="C.UTF-8")
            for name in ("COLUMNS", "LINES", "NO_COLOR"):
                os.environ.pop(name, None)
            os.execv(command[0], command)
        self._read = b""
        self._heard = 0
        self._status: int | None = None

    @property
    def shown(self) -> str:
        """All that was shown so far, without what steers the terminal."""
        return _STEERING.sub("", self._read.decode("utf-8", "replace"))

    @property
    def settings(self) -> list[Any]:
        """The terminal's settings."""
        return termios.tcgetattr(self._terminal)

    def type(self, keys: str) -> None:
        os.write(self._terminal, keys.encode())

    def read(self, words: str) -> str:
        """Wait until these words are shown, after those that were waited for before."""
        ends = time.monotonic() + PATIENCE
        while (at := self.shown.find(words, self._heard)) < 0:
            assert time.monotonic() < ends, f"no {words!r}: {self.shown[self._heard :]}"
            assert self._more(), f"ended without {words!r}: {self.shown[self._heard :]}"
        self._heard = at + len(words)
        return self.shown[:at]

    def _more(self) -> bool:
        """Read more; False at the end."""
        try:
            if select.select([self._terminal], [], [], 1.0)[0]:
                data = os.read(self._terminal, 65536)
                self._read += data
                return bool(data)
        except OSError:  # the program has closed its side
            return False
        return True

    def end(self, number: signal.Signals | None = None) -> int:
        """The exit status, after a signal if one is named."""
        if number is not None:
            os.kill(self.process, number)
        while self._more():
            pass
        return self.close()

    def kill(self) -> None:
        """Kill it if it still runs."""
        if self._status is None:
            os.kill(self.process, signal.SIGKILL)
            self.close()

    def close(self) -> int:
        """Make sure that it has ended; its exit status."""
        if self._status is None:
            done, status = os.waitpid(self.process, os.WNOHANG)
            ends = time.monotonic() + PATIENCE
            while not done and time.monotonic() < ends:
                time.sleep(0.01)
                done, status = os.waitpid(self.process, os.WNOHANG)
            if not done:
                os.kill(self.process, signal.SIGKILL)
                _, status = os.waitpid(self.process, 0)
            self._status = os.waitstatus_to_exitcode(status)
            os.close(self._terminal)
        return self._status


def configuration(folder: Path) -> Path:
    """A configuration file in ``folder``: board and journal are there, and neither buttons nor lights."""
    file = folder / "config.toml"
    file.write_text(
        f'[board]\nport = "{folder}/board"\n[ruleset]\nlevel = 1\n[buttons]\nenabled = false\n'
        f'[buzzer]\nenabled = false\n[lights]\nroute = "none"\n[journal]\nfolder = "{folder}/journal"\n',
        encoding="utf-8",
    )
    return file
