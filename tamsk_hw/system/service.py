"""The service and its system: systemd, signals, suspending, waking.

`ServiceManager` talks to systemd by sd_notify(3), and feeds its watchdog; without systemd, as at a terminal, it
does nothing. It neither waits nor fails: what cannot be said now is said with the next beat. `prefixed` gives
lines that go to systemd's journal their level, as sd-daemon(3) has it.

Ctrl-C and signals end the program once, cleanly, with the exit status that shells expect. A signal that is ignored
stays so: the starter of the program, as nohup(1), wants it to go on. `Suspension` is for programs that must leave
the terminal as it was before Ctrl-Z stops them.

`Waker` wakes a loop that waits in `select`, from a thread or a driver's callback.
"""

import os
import signal
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from enum import IntEnum
from types import FrameType
from typing import IO, Any, Self


class Priority(IntEnum):
    """Importance of a line; the numbers are syslog's."""

    ERROR = 3
    """Something failed that should not."""
    WARNING = 4
    """Something people should put right."""
    NOTICE = 5
    """Something people should know."""
    INFO = 6
    """The course of things; the journal's level for lines without a prefix."""


def goes_to_journal(stream: IO[str], environment: Mapping[str, str]) -> bool:
    """True when ``stream`` is the one that systemd connected to its journal (``$JOURNAL_STREAM``)."""
    try:
        status = os.fstat(stream.fileno())
    except (OSError, ValueError):  # closed, or no file at all
        return False
    return environment.get("JOURNAL_STREAM") == f"{status.st_dev}:{status.st_ino}"


def prefixed(text: str, priority: Priority, stream: IO[str], environment: Mapping[str, str] = os.environ) -> str:
    """The form of ``text`` for ``stream``: for systemd's journal each line begins with its level."""
    if not goes_to_journal(stream, environment):
        return text
    return "\n".join(f"<{priority.value}>{line}" for line in text.split("\n"))


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


_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stopped(SystemExit):
    """A signal asked the program to end; ``status`` is its exit status, 128 and the signal's number.

    An event loop logs other exceptions that are raised in one of its callbacks, and goes on.
    """

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


_statuses: list[int] = []
"""The exit statuses of the signals that came."""


def asked_status() -> int | None:
    """Exit status of the first signal that asked this program to end; None when none did."""
    return _statuses[0] if _statuses else None


def _handle(handler: Callable[[int, FrameType | None], None] | signal.Handlers) -> None:
    """Set the handler of all signals that are not ignored."""
    for each in _SIGNALS:
        if signal.getsignal(each) is not signal.SIG_IGN:
            signal.signal(each, handler)


def _stop(number: int, frame: FrameType | None) -> None:
    _handle(signal.SIG_IGN)  # a second request must not disturb the leaving
    _statuses.append(128 + number)
    raise Stopped(128 + number)


def stop_on_signals() -> None:
    """From now on Ctrl-C, SIGTERM and SIGHUP raise `Stopped` in the main thread, unless they are ignored."""
    _handle(_stop)


@contextmanager
def stopping_between_rounds() -> Iterator[Callable[[], None]]:
    """For a loop that takes locks: an exception in the middle of a round might leave one taken.

    The first signal is only noted; the loop calls the function that it is given between its rounds, which raises
    `Stopped`. A second signal raises at once, in case the loop hangs.
    """
    asked: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        if asked:
            _stop(number, frame)
        asked.append(number)
        _statuses.append(128 + number)

    def look() -> None:
        if asked:
            _stop(asked[0], None)

    _handle(note)
    try:
        yield look
    finally:
        if not asked:
            stop_on_signals()


class Suspension:
    """While it is entered, notes that Ctrl-Z was pressed; `suspend` then suspends the job until it is continued.

    Where the signal is ignored, it stays ignored. Belongs to the main thread.
    """

    def __init__(self) -> None:
        self.is_asked = False
        """Somebody wants the program to be suspended."""
        self._before: Any = None

    def suspend(self) -> None:
        """Suspend the program and all others of its job, such as make; return when it is continued."""
        self.is_asked = False
        noting = signal.getsignal(signal.SIGTSTP)
        if noting != signal.SIG_IGN:
            signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.killpg(0, signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, noting)

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.is_asked = True

    def __enter__(self) -> Self:
        self._before = signal.getsignal(signal.SIGTSTP)
        if self._before != signal.SIG_IGN:
            signal.signal(signal.SIGTSTP, self._note)
        return self

    def __exit__(self, *_: object) -> None:
        signal.signal(signal.SIGTSTP, self._before)


_ENOUGH = 4096


class Waker:
    """A pipe to oneself. `wake` may be called by any thread, also after `close`; the rest belongs to the loop."""

    def __init__(self) -> None:
        self._ends: tuple[int, int] | None = os.pipe()
        for end in self._ends:
            os.set_blocking(end, False)

    def wake(self) -> None:
        """Make `fileno` readable."""
        if (ends := self._ends) is not None:
            with suppress(OSError):  # a pipe that is full wakes, too
                os.write(ends[1], b"!")

    def fileno(self) -> int | None:
        """The descriptor to wait on for reading; None after `close`."""
        return None if self._ends is None else self._ends[0]

    def clear(self) -> None:
        """Take note of every `wake` so far."""
        if self._ends is not None:
            with suppress(BlockingIOError):
                os.read(self._ends[0], _ENOUGH)

    def close(self) -> None:
        """Close the pipe; closing twice is harmless."""
        ends, self._ends = self._ends, None
        for end in ends or ():
            os.close(end)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
