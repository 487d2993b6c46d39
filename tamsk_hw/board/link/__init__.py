"""The link to a board: a session without I/O, and the serial line under it (docs/design.md, Link)."""

from tamsk_hw.board.link.events import (
    BoardIdArrived,
    Connected,
    LinkEvent,
    LinkStatistics,
    Lost,
    Refused,
    SelfTestDone,
    SettingsArrived,
    SnapshotArrived,
    Unreachable,
)
from tamsk_hw.board.link.serial_link import SerialLink
from tamsk_hw.board.link.session import LinkSession, SessionState
from tamsk_hw.board.link.time_map import TimeMap

__all__ = [
    "BoardIdArrived",
    "Connected",
    "LinkEvent",
    "LinkSession",
    "LinkStatistics",
    "Lost",
    "Refused",
    "SelfTestDone",
    "SerialLink",
    "SessionState",
    "SettingsArrived",
    "SnapshotArrived",
    "TimeMap",
    "Unreachable",
]
