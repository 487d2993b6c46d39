"""The table at which people play on the page: what the service says of it, drawn as eyes see the board."""

from __future__ import annotations

from collections.abc import Callable

from tamsk_hw.live.following import Absence
from tamsk_hw.live.state import state_as_dict
from tamsk_hw.web.hands_link import HandsLink
from tamsk_hw.web.kept import KeptLines, server_sent
from tamsk_hw.web.live_table import LiveTable, Service
from tamsk_hw.web.scene import TableScene
from tamsk_hw.web.seen import seen_scene, table_at_hand

#: Real seconds between two states that browsers are sent while only sand runs.
SAND_SECONDS = 0.5


class SeenTable:
    """A `tamsk_hw.web.live_table.ShownTable` of a live table and the hands at its board."""

    def __init__(self, live: LiveTable, link: HandsLink, clock: Callable[[], float]) -> None:
        """``clock`` gives seconds that never decrease."""
        self.link = link
        self.scene: TableScene | None = None
        self.state_sent = b""
        self._live = live
        self._clock = clock
        self._due = float("-inf")
        self._wake: set[Callable[[], None]] = set()
        live.watch(self._renew)
        link.watch(self._renew)

    @property
    def kept(self) -> KeptLines:
        """The game's lines."""
        return self._live.kept

    @property
    def service(self) -> Service | None:
        """The service that was heard last."""
        return self._live.service

    @property
    def absence(self) -> Absence | None:
        """The reason for which it is not heard; None while it is."""
        return self._live.absence

    @property
    def since(self) -> float:
        """The time of that (seconds since 1970)."""
        return self._live.since

    @property
    def service_sent(self) -> bytes:
        """The server-sent event with what is known of the service."""
        return self._live.service_sent

    @property
    def is_closing(self) -> bool:
        """The page ends."""
        return self._live.is_closing

    @property
    def watchers(self) -> int:
        """The number of those who watch either table."""
        return self._live.watchers

    def watch(self, wake: Callable[[], None]) -> None:
        """Call ``wake`` whenever something is new, until `leave`."""
        self._wake.add(wake)
        self._live.beside += 1

    def leave(self, wake: Callable[[], None]) -> None:
        """Call ``wake`` no more."""
        self._wake.remove(wake)
        self._live.beside -= 1

    def _renew(self) -> None:
        """Send the state at once when it looks different, and from time to time while sand runs."""
        live, look = self._live.scene, self.link.look
        if live is None:
            self.scene, self.state_sent = None, b""
        elif look is not None:
            before, now = self.scene, self._clock()
            at_hand = table_at_hand(live.view, look)
            self.scene = scene = seen_scene(live, at_hand)
            if before is None or before.at != scene.at or now >= self._due:
                self._due = now + SAND_SECONDS
                runs = live.runs or any(glass.seen.runs for glass in at_hand.glasses)
                told = {
                    "at": scene.at,
                    "runs": runs,
                    "unplugged": self._live.unplugged,
                    "state": state_as_dict(scene.state),
                    "timer": look.timer.above,
                }
                self.state_sent = server_sent("state", told)
        for wake in tuple(self._wake):
            wake()
