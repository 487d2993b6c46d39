"""From the machine's clock to a game's: its seconds since the game began, or the part of it before was over."""

from __future__ import annotations

from dataclasses import replace

from tamsk_hw.board.link.events import LinkEvent, SnapshotArrived
from tamsk_hw.referee.events import Event


def link_since(event: LinkEvent, began: float) -> LinkEvent:
    """The link's report by the clock of a game whose time 0 was at ``began``."""
    time = max(0.0, event.time - began)
    if isinstance(event, SnapshotArrived):
        return replace(event, time=time, arrival=max(time, event.arrival - began))
    return replace(event, time=time)


def event_since(event: Event, began: float) -> Event:
    """The button or decision by the clock of a game whose time 0 was at ``began``."""
    return replace(event, t=max(0.0, event.t - began))
