"""Words to systemd, by sd_notify(3): ready, what is going on, stopping; and the watchdog's food.

systemd names a socket in ``$NOTIFY_SOCKET`` and the watchdog's patience in ``$WATCHDOG_USEC``. Where they are
missing, as at a terminal, everything here does nothing. Nothing here waits, and nothing fails: what cannot be said
now is said with the next beat.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping

#: Seconds between two tries to say what could not be said, when there is no watchdog.
RETRY = 1.0

# A period between beats that must be tried again: after this share of it.
_RETRY_SHARE = 1 / 8

# Longer texts are cut; systemd itself reads at most a page of 4096 bytes.
_LONGEST_STATUS = 500

#: Seconds that each step of starting may take, on a starved computer too.
STEP_SECONDS = 120


def notify_address(environment: Mapping[str, str]) -> str | None:
    """Address of systemd's socket, as `socket.sendto` takes it; None where there is none.

    A path, or a name that begins with "@" for an abstract socket. Other kinds, as those of virtual machines, do
    not concern a service.
    """
    name = environment.get("NOTIFY_SOCKET", "")
    if len(name) < 2 or name[0] not in "/@":
        return None
    return "\0" + name[1:] if name[0] == "@" else name


def watchdog_period(environment: Mapping[str, str], process: int) -> float | None:
    """Seconds without a beat after which systemd kills the process with this id; None for no watchdog."""
    try:
        microseconds = int(environment.get("WATCHDOG_USEC", ""))
        if int(environment.get("WATCHDOG_PID") or process) != process:
            return None
    except ValueError:
        return None
    return microseconds / 1e6 if microseconds > 0 else None


class ServiceManager:
    """systemd, as the main loop talks to it.

    Times are seconds of a clock that never decreases and runs as real time does (`time.monotonic`), whatever the
    speed of the game. Belongs to one thread.
    """

    def __init__(self, environment: Mapping[str, str], *, process: int | None = None) -> None:
        self._address = notify_address(environment)
        period = watchdog_period(environment, os.getpid() if process is None else process)
        self.beat_every: float | None = None if self._address is None or period is None else period / 2
        """Seconds between two beats, half the watchdog's patience; None where nobody waits for them."""
        self._next_beat = float("-inf")
        self._unsaid: dict[str, str] = {}
        self._status: str | None = None

    def starting(self) -> None:
        """A step of starting begins: systemd waits for it at least `STEP_SECONDS`, whatever its patience was."""
        self._unsaid["EXTEND_TIMEOUT_USEC"] = str(STEP_SECONDS * 1_000_000)
        self._say()

    def ready(self, status: str) -> None:
        """The service is up, board or none; ``status`` as in `status`."""
        self._unsaid.pop("EXTEND_TIMEOUT_USEC", None)
        self._unsaid["READY"] = "1"
        self._status = None
        self.status(status)

    def status(self, text: str) -> None:
        """One line on what is going on, for ``systemctl status``; said when it differs from the last."""
        if text != self._status:
            self._status = text
            self._unsaid["STATUS"] = " ".join(text.split())[:_LONGEST_STATUS]
            self._say()

    def stopping(self) -> None:
        """The service is about to end."""
        self._unsaid["STOPPING"] = "1"
        self._say()

    def beat(self, now: float) -> None:
        """The main loop runs; to be called in every round of it, and at least each ``beat_every`` seconds.

        Says so once every ``beat_every`` seconds, together with what could not be said before.
        """
        if now < self._next_beat or (self.beat_every is None and not self._unsaid):
            return
        if self.beat_every is not None:
            self._unsaid["WATCHDOG"] = "1"
        period = self.beat_every or RETRY
        self._next_beat = now + (period if self._say() else period * _RETRY_SHARE)

    def _say(self) -> bool:
        """Say all that is unsaid in one datagram; False when it has to be tried again."""
        if self._address is None:
            self._unsaid.clear()
            return True
        words = "\n".join(f"{name}={value}" for name, value in self._unsaid.items())
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
                sender.setblocking(False)  # systemd may be busy: the game does not wait for it
                sender.sendto(words.encode("utf-8", "replace"), self._address)
        except OSError:
            return False
        self._unsaid.clear()
        return True
