"""The messages on the wire as values (PROTOCOL.md sections 3 and 4).

Every message carries ``seq``, its sender's frame counter (0 … 255, one more with each frame, after 255 comes 0).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntFlag

#: Tubes and the timer's cradle: fields 0 … 36 are the tubes in board order (A1 … G4), 37 the cradle.
FIELDS = 38

#: Index of the cradle's field.
TIMER_FIELD = 37

#: Inputs that carry 1/4, 1/2 and 3/4 of 5 V.
REFERENCES = 3

#: Ring sensors: bits of the chain; bit n is input n % 8 of chip n // 8.
RING_BITS = 64

#: Ring holders: red's, black's.
HOLDERS = 2

#: Board ids of a board that has none: what its memory holds before one is set (PROTOCOL.md section 5.5).
NO_BOARD_IDS = (0, 0xFFFFFFFF)

#: The version of the protocol that this package speaks. Another major is refused, another minor is not.
PROTOCOL_MAJOR = 1
PROTOCOL_MINOR = 0

#: Light times of a self-test's sweep, in microseconds (PROTOCOL.md section 5.3).
SELF_TEST_LIGHT_TIMES: tuple[int, ...] = (60, 90, 120, 160, 200, 250)

#: In a self-test's report: no light time of the sweep saw a ring.
SELF_TEST_UNSEEN = 0

#: In a self-test's report: the sensor saw light while dark, so nothing can be said.
SELF_TEST_DARK = 255


class FaultFlag(IntFlag):
    """Faults that the controller knows of itself: the bits of `Snapshot.faults` (PROTOCOL.md section 4).

    Bits that this list does not name are 0 in protocol 1.0; a later minor version may use them.
    """

    #: The 5 V supply was below about 4.5 V (4.1 to 4.9, as the chip's own reference is) since the last snapshot:
    #: fields and references cannot be trusted.
    SUPPLY_LOW = 0x0001
    #: Red's load cell gave no reading for 100 ms; the reading in the frame is the last one, or 0.
    HOLDER_RED_SILENT = 0x0002
    #: The same for black's load cell.
    HOLDER_BLACK_SILENT = 0x0004
    #: A scan took longer than 2.5 ms since the last snapshot.
    SCAN_OVERRUN = 0x0008
    #: A byte or frame from the host was lost or damaged since the last snapshot.
    RECEIVE_ERROR = 0x0010
    #: No frame that the board knows came from the host for 3 s. Nothing else changes: the host is told that it is
    #: not heard.
    HOST_SILENT = 0x0020
    #: A self-test is running; the ring bits are those of the last scan before it.
    SELF_TEST = 0x0040


class ResetCause(IntFlag):
    """Cause of the last reset: the low bits of the ATmega328P's MCUSR. 0: not known."""

    POWER_ON = 0x01
    EXTERNAL = 0x02
    BROWN_OUT = 0x04
    WATCHDOG = 0x08


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The whole board at one instant, never a difference (PROTOCOL.md section 4).

    ``time`` is controller time in microseconds modulo 2**32. ``rings`` and ``dark`` hold 64 bits each: a ring
    seen while lit, light seen while dark (such a bit of ``rings`` is unknown). ``fields`` are 38 readings of
    8 bits (0 … 255, half of 5 V is 128), ``references`` the 3 fixed inputs, ``holders`` the two load
    cells' signed 24-bit readings (red, black), ``faults`` the controller's own fault flags.
    """

    seq: int
    time: int
    rings: int
    dark: int
    fields: bytes
    references: bytes
    holders: tuple[int, int]
    faults: int


@dataclass(frozen=True, slots=True)
class Hello:
    """The board's identification, sent on boot, for `Identify` and for `SetBoardId` (PROTOCOL.md section 3.1).

    ``boot_id`` (32 bits) is new at every reset; ``board_id`` (32 bits) stays, one of `NO_BOARD_IDS` for a board
    that has none; ``wiring_hash`` is that of the map which the firmware's tables were made from. The counts say
    how many channels the board has; ``holders`` is 0 where none are fitted.
    """

    seq: int
    protocol: tuple[int, int]
    firmware: tuple[int, int, int]
    board_id: int
    boot_id: int
    reset_cause: ResetCause
    wiring_hash: int
    ring_bits: int = RING_BITS
    fields: int = FIELDS
    references: int = REFERENCES
    holders: int = HOLDERS


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings that the host may make (PROTOCOL.md section 5.2). The defaults are those after a reset.

    ``field_deadband``: steps of 8 bits (0 … 255); ``holder_deadband``: counts of the load cell's converter
    (0 … 65535); a reading that differs by more from the one last sent makes a snapshot. ``shortest_interval``
    (2500 … 50000) and ``longest_interval`` (5000 … 60000, not below the shortest): microseconds from one
    snapshot to the next, at least and at most. ``light_time``: microseconds that a bank is lit before it is
    read (60 … 250).
    """

    field_deadband: int = 2
    holder_deadband: int = 500
    shortest_interval: int = 2500
    longest_interval: int = 50000
    light_time: int = 160

    def problem(self) -> str | None:
        """The first value that the board would not take, in one line; None when all are allowed."""
        for name, value, least, most in (
            ("field_deadband", self.field_deadband, 0, 255),
            ("holder_deadband", self.holder_deadband, 0, 65535),
            ("shortest_interval", self.shortest_interval, 2500, 50000),
            ("longest_interval", self.longest_interval, 5000, 60000),
            ("light_time", self.light_time, 60, 250),
        ):
            if not least <= value <= most:
                return f"{name}: {value}; allowed are {least} to {most}"
        if self.longest_interval < self.shortest_interval:
            return (
                f"longest_interval: {self.longest_interval}; "
                f"allowed is no less than shortest_interval, {self.shortest_interval}"
            )
        return None


@dataclass(frozen=True, slots=True)
class SettingsReport:
    """The settings that hold on the board: the answer to every `Set` (PROTOCOL.md section 3.3)."""

    seq: int
    settings: Settings


@dataclass(frozen=True, slots=True)
class SelfTestReport:
    """The result of a self-test (PROTOCOL.md section 3.4).

    ``shortest`` holds for each of the 64 ring sensors, by chain bit, the shortest light time in microseconds that
    saw a ring (one of `SELF_TEST_LIGHT_TIMES`), `SELF_TEST_UNSEEN` or `SELF_TEST_DARK`.
    """

    seq: int
    shortest: bytes


@dataclass(frozen=True, slots=True)
class Identify:
    """Host to board: send a HELLO (PROTOCOL.md section 5.1)."""

    seq: int


@dataclass(frozen=True, slots=True)
class Set:
    """Host to board: use these settings until the next reset (PROTOCOL.md section 5.2)."""

    seq: int
    settings: Settings


@dataclass(frozen=True, slots=True)
class SelfTest:
    """Host to board: sweep the light time and report (PROTOCOL.md section 5.3)."""

    seq: int


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """Host to board, once a second: the host is there (PROTOCOL.md section 5.4)."""

    seq: int


@dataclass(frozen=True, slots=True)
class SetBoardId:
    """Host to board: be ``board_id`` from now on, after resets too (PROTOCOL.md section 5.5).

    1 … 0xFFFFFFFE; the board does not take `NO_BOARD_IDS`. It answers with a `Hello`.
    """

    seq: int
    board_id: int


def board_id_problem(board_id: int) -> str | None:
    """The reason for which no board takes this id, in one line; None when boards do."""
    if not 0 <= board_id <= 0xFFFFFFFF or board_id in NO_BOARD_IDS:
        return f"board id {board_id:x}; allowed are 1 to fffffffe, in hexadecimal"
    return None


#: What a board sends.
BoardMessage = Hello | Snapshot | SettingsReport | SelfTestReport

#: What a host sends.
HostMessage = Identify | Set | SelfTest | Heartbeat | SetBoardId

#: Whatever a frame can hold.
Message = BoardMessage | HostMessage
