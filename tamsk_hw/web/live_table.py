"""What the page's process knows of the table, and whom it tells. Its times are given to it; it does no I/O."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

from tamsk_hw.live.following import Absence
from tamsk_hw.live.lines import NO_NAMES
from tamsk_hw.live.state import TableState, read_state
from tamsk_hw.referee.header import is_number
from tamsk_hw.web.kept import KeptLines, LineKind, server_sent
from tamsk_hw.web.scene import TableScene, scene_of

#: Real seconds between two states that browsers are sent while only sand runs: at most, and at least.
MOST_SECONDS: Final = 1.0
LEAST_SECONDS: Final = 0.1

#: Seconds of the game between two states, at whatever speed it is played.
GAME_SECONDS: Final = 0.5


@dataclass(frozen=True, slots=True)
class Service:
    """The service at the other end of the live stream."""

    life: str
    program: str
    simulated: bool
    speed: float

    @classmethod
    def read(cls, greeting: Mapping[str, Any]) -> Service:
        """The service that greets so. Raises `LookupError`, `ValueError` or `TypeError` for no greeting."""
        speed = greeting["speed"]
        if not is_number(speed) or speed <= 0:
            raise ValueError(speed)
        return cls(str(greeting["life"]), str(greeting["program"]), bool(greeting["simulated"]), float(speed))

    @property
    def state_seconds(self) -> float:
        """Real seconds between two states while only sand runs."""
        return min(MOST_SECONDS, max(LEAST_SECONDS, GAME_SECONDS / self.speed))


class ShownTable(Protocol):
    """A table that pages show: as the live stream tells of it, or as eyes see it."""

    @property
    def kept(self) -> KeptLines:
        """The game's lines."""

    @property
    def service(self) -> Service | None:
        """The service that was heard last."""

    @property
    def absence(self) -> Absence | None:
        """The reason for which it is not heard; None while it is."""

    @property
    def since(self) -> float:
        """The time of that (seconds since 1970)."""

    @property
    def scene(self) -> TableScene | None:
        """The newest scene; None before the first."""

    @property
    def service_sent(self) -> bytes:
        """The server-sent event with what is known of the service."""

    @property
    def state_sent(self) -> bytes:
        """The server-sent event with the newest state; empty before the first."""

    @property
    def is_closing(self) -> bool:
        """The page ends."""

    @property
    def watchers(self) -> int:
        """The number of those who watch."""

    def watch(self, wake: Callable[[], None]) -> None:
        """Call ``wake`` whenever something is new, until `leave`."""

    def leave(self, wake: Callable[[], None]) -> None:
        """Call ``wake`` no more."""


class LiveTable:
    """The table as the live stream tells of it: a `tamsk_hw.live.following.Listener`.

    ``service`` and ``scene`` are the last that were known: with ``absence`` not None they are of the past, and
    ``since`` (seconds since 1970) says when the stream was lost or found.
    """

    def __init__(self, clock: Callable[[], float], calendar: Callable[[], float]) -> None:
        """``clock`` gives seconds that never decrease, ``calendar`` those since 1970."""
        self._clock = clock
        self._calendar = calendar
        self.kept = KeptLines()
        self.service: Service | None = None
        self.absence: Absence | None = Absence.NONE_THERE
        self.since = calendar()
        self.scene: TableScene | None = None
        self.unplugged: float | None = None
        """When the board was lost (seconds since 1970); None while it is there."""
        self.service_sent = b""
        """The server-sent event with what is known of the service."""
        self.state_sent = b""
        """The server-sent event with the newest state; empty before the first."""
        self.is_closing = False
        """The page ends."""
        self._record: Mapping[str, Any] | None = None
        self._due = float("-inf")
        self._wake: set[Callable[[], None]] = set()
        self.beside = 0
        """The number of those who watch the table that eyes see."""
        self._tell_service()

    def watch(self, wake: Callable[[], None]) -> None:
        """Call ``wake`` whenever something is new, until `leave`."""
        self._wake.add(wake)

    def leave(self, wake: Callable[[], None]) -> None:
        """Call ``wake`` no more."""
        self._wake.discard(wake)

    def close(self) -> None:
        """The page ends: so does every watcher's stream."""
        self.is_closing = True
        self._tell()

    @property
    def watchers(self) -> int:
        """The number of those who watch."""
        return len(self._wake) + self.beside

    def greeted(self, greeting: Mapping[str, Any]) -> Mapping[str, Any]:
        """The service is there; give the request for what was missed."""
        service = Service.read(greeting)
        if self.service is None or service.life != self.service.life:
            self.scene, self._record, self.state_sent = None, None, b""
        self.service, self.absence, self.since = service, None, self._calendar()
        wanted = self.kept.greet(service.life)
        self._due = float("-inf")
        self._tell_service()
        return wanted

    def lost(self, why: Absence) -> None:
        """The service is not there."""
        if self.absence is None:
            self.since = self._calendar()
        if self.absence is not why:
            self.absence = why
            self._tell_service()

    def heard(self, record: Mapping[str, Any]) -> None:
        """A line of the stream."""
        if "seq" in record:
            line = self.kept.take(record)
            if line is None:
                return
            self._due = float("-inf")
            if line.kind in (LineKind.GAME, LineKind.NAMES) and self.scene is not None:
                self._show(self.scene.state)
            self._tell()
        elif "state" in record:
            self._record = record["state"]
            self._show(read_state(record["state"]))

    def _show(self, state: TableState) -> None:
        """Send a state at once when it looks different, and from time to time while sand runs."""
        assert self.service is not None
        names = NO_NAMES if self.kept.game is None else self.kept.game.names
        before, now = self.scene, self._clock()
        self.scene = scene_of(state, names, simulated=self.service.simulated)
        if not state.view.link_lost:
            self.unplugged = None
        elif self.unplugged is None:
            self.unplugged = self._calendar()
        if before is None or before.at != self.scene.at or now >= self._due:
            self._due = now + self.service.state_seconds
            told = {"at": self.scene.at, "runs": state.runs, "unplugged": self.unplugged, "state": self._record}
            self.state_sent = server_sent("state", told)
            self._tell()

    def _tell_service(self) -> None:
        service = self.service
        self.service_sent = server_sent(
            "service",
            {
                "here": self.absence is None,
                "why": None if self.absence is None else self.absence.value,
                "since": self.since,
                "life": None if service is None else service.life,
                "program": None if service is None else service.program,
                "simulated": None if service is None else service.simulated,
                "speed": None if service is None else service.speed,
            },
        )
        self._tell()

    def _tell(self) -> None:
        for wake in tuple(self._wake):
            wake()
