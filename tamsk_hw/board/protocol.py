"""The protocol between board and host: messages, their order and their bytes, without I/O (firmware/PROTOCOL.md).

Every message carries ``seq``, its sender's frame counter (0 … 255, one more with each frame, after 255 comes 0). A
frame is COBS of ``type, seq, payload, CRC-16`` and a zero byte. The CRC's high byte comes first, so the CRC over a
whole content, its own CRC included, is 0.
"""

from binascii import crc_hqx
from collections.abc import Callable
from dataclasses import astuple, dataclass, replace
from enum import IntEnum, IntFlag
from itertools import chain
from struct import Struct
from struct import error as StructError
from typing import Any, Final, NamedTuple

from cobs import cobs

from tamsk_hw.errors import MisuseError

#: Tubes and the timer's cradle: fields 0 … 36 are the tubes in board order (A1 … G4), 37 the cradle.
FIELDS = 38

#: Index of the cradle's field.
TIMER_FIELD = 37

#: Inputs that carry 1/4, 1/2 and 3/4 of 5 V.
REFERENCES = 3

#: Ring sensors: sensor n is input n % 8 of converter n // 8.
RING_BITS = 64

#: Ring holders: red's, black's.
HOLDERS = 2

#: Board ids of a board that has none: what its memory holds before one is set (PROTOCOL.md section 5.5).
NO_BOARD_IDS = (0, 0xFFFFFFFF)

#: The version of the protocol that this package speaks. Another major is refused, another minor is not.
PROTOCOL_MAJOR = 2
PROTOCOL_MINOR = 0

#: Converters of the ring sensors, of eight inputs each.
RING_CHIPS = 8
RING_INPUTS = 8

#: The least and the greatest threshold that a ring sensor can be given, in counts; 0 is the common one.
LEAST_THRESHOLD, MOST_THRESHOLD = 5, 255

#: The common threshold, in counts; a 64th of the reading without light is added (PROTOCOL.md section 3.4).
COMMON_THRESHOLD = 12

#: Readings without light, in counts: from the first on a sensor is too bright to be read; the second comes from a
#: converter that does not answer, and from no light.
TOO_BRIGHT, NO_CONVERTER = 900, 1020


class FaultFlag(IntFlag):
    """Faults that the controller knows of itself: the bits of `Snapshot.faults` (PROTOCOL.md section 4).

    Bits that this list does not name are 0 in protocol 2.0; a later minor version may use them.
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


class ResetCause(IntFlag):
    """Cause of the last reset: the low bits of the ATmega328P's MCUSR. 0: not known."""

    POWER_ON = 0x01
    EXTERNAL = 0x02
    BROWN_OUT = 0x04
    WATCHDOG = 0x08


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The whole board at one instant, never a difference (PROTOCOL.md section 4).

    ``time`` is controller time in microseconds modulo 2**32. ``rings`` and ``unknown`` hold 64 bits each: a ring,
    and a sensor of which nothing can be said (its bit of ``rings`` is the last that could). ``fields`` are 38
    readings of 8 bits (0 … 255, half of 5 V is 128), ``references`` the 3 fixed inputs, ``holders`` the two load
    cells' signed 24-bit readings (red, black), ``faults`` the controller's own fault flags.
    """

    seq: int
    time: int
    rings: int
    unknown: int
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
    ``silent_chips`` has a bit for each converter of ring sensors that does not answer.
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
    silent_chips: int = 0


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings that the host may make (PROTOCOL.md section 5.2). The defaults are those after a reset.

    ``field_deadband``: steps of 8 bits (0 … 255); ``holder_deadband``: counts of the load cell's converter
    (0 … 65535); a reading that differs by more from the one last sent makes a snapshot. ``shortest_interval``
    (2500 … 50000) and ``longest_interval`` (5000 … 60000, not below the shortest): microseconds from one
    snapshot to the next, at least and at most.
    """

    field_deadband: int = 2
    holder_deadband: int = 500
    shortest_interval: int = 2500
    longest_interval: int = 50000

    def problem(self) -> str | None:
        """The first value that the board would not take, in one line; None when all are allowed."""
        for name, value, least, most in (
            ("field_deadband", self.field_deadband, 0, 255),
            ("holder_deadband", self.holder_deadband, 0, 65535),
            ("shortest_interval", self.shortest_interval, 2500, 50000),
            ("longest_interval", self.longest_interval, 5000, 60000),
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


# The deviation of a sensor that was not visited yet.
_UNVISITED: Final = 255


class RingSignal(NamedTuple):
    """A ring sensor's signal: the light that its own emitter adds (PROTOCOL.md section 3.4).

    ``mean``: its signal, lit minus dark, in sixteenths of a count; ``deviation``: mean distance of a visit from
    it, in eighths, 255 before the first visit; ``threshold``: its own in counts, 0 for the common one;
    ``dark``: its last reading without light, in steps of 4 counts.
    """

    mean: int
    deviation: int
    threshold: int
    dark: int

    @property
    def counts(self) -> float | None:
        """The mean of its signal, in counts; None where there is none to believe: too bright, or not visited."""
        return self.mean / 16 if self.deviation < _UNVISITED and self.dark_counts < TOO_BRIGHT else None

    @property
    def spread(self) -> float:
        """Mean distance of a visit from the mean, in counts."""
        return self.deviation / 8

    @property
    def dark_counts(self) -> int:
        """The last reading without light, in counts."""
        return self.dark * 4

    @property
    def is_bright(self) -> bool:
        """It is too bright to be read."""
        return TOO_BRIGHT <= self.dark_counts < NO_CONVERTER

    @property
    def is_silent(self) -> bool:
        """Its converter does not answer."""
        return self.dark_counts >= NO_CONVERTER

    @property
    def threshold_counts(self) -> float:
        """The threshold that holds now, in counts."""
        return float(self.threshold) or COMMON_THRESHOLD + self.dark_counts / 64


@dataclass(frozen=True, slots=True)
class RingSignals:
    """The signals of the eight sensors of a converter, each told once a second (PROTOCOL.md section 3.4)."""

    seq: int
    chip: int
    signals: tuple[RingSignal, ...]

    @property
    def by_bit(self) -> dict[int, RingSignal]:
        """The signals by their sensors' bits (0 … 63)."""
        return dict(enumerate(self.signals, self.chip * RING_INPUTS))


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
    """Host to board: tell all ring signals now (PROTOCOL.md section 5.3)."""

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


@dataclass(frozen=True, slots=True)
class SetThresholds:
    """Host to board: the thresholds of a converter's eight sensors, in counts (PROTOCOL.md section 5.6)."""

    seq: int
    chip: int
    thresholds: bytes

    def problem(self) -> str | None:
        """The first value that the board would not take, in one line; None when all are allowed."""
        if not 0 <= self.chip < RING_CHIPS:
            return f"chip: {self.chip}; allowed are 0 to {RING_CHIPS - 1}"
        for threshold in self.thresholds:
            if 0 < threshold < LEAST_THRESHOLD:
                return f"threshold: {threshold}; allowed are 0 and {LEAST_THRESHOLD} to 255"
        return None


def board_id_problem(board_id: int) -> str | None:
    """The reason for which no board takes this id, in one line; None when boards do."""
    if not 0 <= board_id <= 0xFFFFFFFF or board_id in NO_BOARD_IDS:
        return f"board id {board_id:x}; allowed are 1 to fffffffe, in hexadecimal"
    return None


#: Messages of a board.
BoardMessage = Hello | Snapshot | SettingsReport | RingSignals

#: Messages of a host.
HostMessage = Identify | Set | SelfTest | Heartbeat | SetBoardId | SetThresholds

#: Messages of either.
Message = BoardMessage | HostMessage


#: The controller's clock counts microseconds modulo this.
WRAP: Final = 1 << 32

# A frame whose seq is at most this many frames before the last one's may have come before: a snapshot if its time
# is at most this many seconds before the last one's, any other frame if it is the same.
_COPIES = 64
_COPY_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Frame:
    """A message, and its place among the frames of its sender.

    ``missing``: frames that are missing since the one that could be read before it. ``is_copy``: it came before.
    """

    message: Message
    missing: int
    is_copy: bool


@dataclass(slots=True, kw_only=True)
class DecoderCounters:
    """Counters of a `Decoder`.

    ``frames``: frames with a right CRC. Of these ``unknown`` had a type, and ``misshapen`` a payload too short for
    its type, that this package cannot read. ``crc_errors``: contents whose CRC is wrong. ``malformed``: what
    stood between two zero bytes and is no COBS of at least four bytes, or is too long. ``gaps``: frames whose
    seq did not follow that of the sender's frame before; ``missing``: how many frames these jumps left out;
    ``doubled``: frames that the line gave again.
    """

    frames: int = 0
    crc_errors: int = 0
    malformed: int = 0
    unknown: int = 0
    misshapen: int = 0
    gaps: int = 0
    missing: int = 0
    doubled: int = 0

    @property
    def damaged(self) -> int:
        """Frames that cannot be read."""
        return self.crc_errors + self.malformed


class FrameOrder:
    """Follows the seq of one sender's frames, and counts gaps and doubled frames in ``counts``."""

    def __init__(self, counts: DecoderCounters) -> None:
        self._counts = counts
        self.restart()

    def restart(self) -> None:
        """Forget which frame is expected next, as the line was opened again; the counts go on."""
        self._expected: int | None = None
        self._snapshot: Snapshot | None = None
        self._others: dict[int, bytes] = {}
        self._untold = 0

    def follow(self, content: bytes, message: Message | None) -> tuple[int, bool]:
        """Take a frame's content and the message in it, None when it cannot be read; its place as in `Frame`."""
        kind, seq = content[0], content[1]
        snapshot = message if isinstance(message, Snapshot) else None
        expected = self._expected
        if expected is not None and self._is_copy(content, snapshot, (expected - 1 - seq) & 0xFF):
            self._counts.doubled += 1
            return 0, True
        if isinstance(message, Hello) and seq == 0:
            # After its reset the board counts from 0 again.
            self.restart()
            expected = None
        missing = 0 if expected is None else (seq - expected) & 0xFF
        self._expected = (seq + 1) & 0xFF
        if snapshot is not None:
            self._snapshot = snapshot
        else:
            self._others[kind] = content
        if missing:
            self._counts.gaps += 1
            self._counts.missing += missing
            self._untold += missing
        if message is None:
            return 0, False
        untold, self._untold = self._untold, 0
        return untold, False

    def _is_copy(self, content: bytes, snapshot: Snapshot | None, behind: int) -> bool:
        if behind > _COPIES:
            return False
        if snapshot is None:
            return self._others.get(content[0]) == content
        last = self._snapshot
        return last is not None and (last.time - snapshot.time) % WRAP <= _COPY_SECONDS * 1e6


#: A frame's greatest length in bytes, its zero byte included. Longer ones are dropped.
MAX_FRAME: Final = 90

#: A frame's least length: COBS code, type, seq, two bytes of CRC, zero byte.
MIN_FRAME: Final = 6

_LONGEST = MAX_FRAME - 1
_SHORTEST = MIN_FRAME - 1


class MessageType(IntEnum):
    """The first byte of a frame's content."""

    HELLO = 0x01
    SNAPSHOT = 0x02
    SETTINGS = 0x03
    RING_SIGNALS = 0x05
    IDENTIFY = 0x11
    SET = 0x12
    SELF_TEST = 0x13
    HEARTBEAT = 0x14
    SET_BOARD_ID = 0x15
    SET_THRESHOLDS = 0x16


# Each layout begins with type and seq; all numbers are little-endian.
_HEAD = Struct("<BB")
_SETTINGS = Struct("<BBBHHH")
_LAYOUTS: Final = {
    Hello: (MessageType.HELLO, Struct("<BBBBBBBIIBIBBBBB")),
    Snapshot: (MessageType.SNAPSHOT, Struct(f"<BBIQQ{FIELDS}s{REFERENCES}s3s3sH")),
    SettingsReport: (MessageType.SETTINGS, _SETTINGS),
    RingSignals: (MessageType.RING_SIGNALS, Struct("<BBB" + "hBBB" * RING_INPUTS)),
    Identify: (MessageType.IDENTIFY, _HEAD),
    Set: (MessageType.SET, _SETTINGS),
    SelfTest: (MessageType.SELF_TEST, _HEAD),
    Heartbeat: (MessageType.HEARTBEAT, _HEAD),
    SetBoardId: (MessageType.SET_BOARD_ID, Struct("<BBI")),
    SetThresholds: (MessageType.SET_THRESHOLDS, Struct(f"<BBB{RING_INPUTS}s")),
}


def encode(message: Message) -> bytes:
    """The frame of ``message``, with its closing zero byte.

    Raises `MisuseError` for a value that the layout cannot hold, or for settings or a board id that no board
    takes.
    """
    kind, layout = _LAYOUTS[type(message)]
    try:
        content = layout.pack(kind, message.seq, *_values(message))
    except StructError as error:
        raise MisuseError(f"{type(message).__name__} cannot be sent: {error}") from error
    encoded: bytes = cobs.encode(content + crc_hqx(content, 0xFFFF).to_bytes(2, "big"))
    return encoded + b"\0"


def _values(message: Message) -> tuple[Any, ...]:
    """The values of a message in the order of its layout, behind its seq."""
    match message:
        case Snapshot():
            _check_length("Snapshot", "fields", message.fields, FIELDS)
            _check_length("Snapshot", "references", message.references, REFERENCES)
            readings = (message.rings, message.unknown, message.fields, message.references)
            return message.time, *readings, *map(_signed_24, message.holders), message.faults
        case Hello():
            _, protocol, firmware, *rest = astuple(message)
            return *protocol, *firmware, *rest
        case SettingsReport(_, settings) | Set(_, settings):
            problem = settings.problem()
            if problem is not None:
                raise MisuseError(f"settings cannot be sent: {problem}")
            return astuple(settings)
        case RingSignals(_, chip, signals):
            return chip, *chain.from_iterable(signals)
        case SetThresholds(_, chip, thresholds):
            _check_length("SetThresholds", "thresholds", thresholds, RING_INPUTS)
            problem = message.problem()
            if problem is not None:
                raise MisuseError(f"SetThresholds cannot be sent: {problem}")
            return chip, thresholds
        case SetBoardId(_, board_id):
            problem = board_id_problem(board_id)
            if problem is not None:
                raise MisuseError(f"SetBoardId cannot be sent: {problem}")
            return (board_id,)
        case Identify() | SelfTest() | Heartbeat():
            return ()


def _check_length(message: str, name: str, value: bytes, length: int) -> None:
    if len(value) != length:
        raise MisuseError(f"{message} cannot be sent: {name} has {len(value)} bytes; allowed are {length}")


def _signed_24(value: int) -> bytes:
    try:
        return value.to_bytes(3, "little", signed=True)
    except OverflowError:
        raise MisuseError(
            f"Snapshot cannot be sent: holder reading {value}; allowed are {-(1 << 23)} to {(1 << 23) - 1}"
        ) from None


def _snapshot(
    seq: int,
    time: int,
    rings: int,
    unknown: int,
    fields: bytes,
    references: bytes,
    red: bytes,
    black: bytes,
    faults: int,
) -> Snapshot:
    holders = (int.from_bytes(red, "little", signed=True), int.from_bytes(black, "little", signed=True))
    return Snapshot(seq, time, rings, unknown, fields, references, holders, faults)


def _hello(seq: int, *values: int) -> Hello:
    major, minor, first, second, third, board_id, boot_id, cause, wiring_hash, *counts = values
    version = (first, second, third)
    return Hello(seq, (major, minor), version, board_id, boot_id, ResetCause(cause), wiring_hash, *counts)


def _signals(seq: int, chip: int, *values: int) -> RingSignals:
    return RingSignals(seq, chip, tuple(RingSignal(*values[at : at + 4]) for at in range(0, len(values), 4)))


def _report(seq: int, *values: int) -> SettingsReport:
    return SettingsReport(seq, Settings(*values))


def _set(seq: int, *values: int) -> Set:
    return Set(seq, Settings(*values))


# For each type its layout, and what makes the message of the values. A later minor version may lengthen a payload
# at its end: what is beyond the layout is not looked at.
_MAKERS: Final[dict[type, Callable[..., Message]]] = {
    Hello: _hello,
    Snapshot: _snapshot,
    RingSignals: _signals,
    SettingsReport: _report,
    Set: _set,
}
_READERS: dict[int, tuple[Struct, Callable[..., Message]]] = {
    kind: (layout, _MAKERS.get(message, message)) for message, (kind, layout) in _LAYOUTS.items()
}


class Decoder:
    """Takes bytes as they come, gives the messages of whole, undamaged frames. Never raises on any bytes.

    It holds at most one unfinished frame (`MAX_FRAME` bytes). After damage the next good frame is read again.
    ``counts`` are those to count on in.
    """

    def __init__(self, counts: DecoderCounters | None = None) -> None:
        self._counts = DecoderCounters() if counts is None else counts
        self._board, self._host = FrameOrder(self._counts), FrameOrder(self._counts)
        self.restart()

    @property
    def counters(self) -> DecoderCounters:
        """The counters as they stand now."""
        return replace(self._counts)

    def restart(self) -> None:
        """Forget an unfinished frame and the expected seq, as the line was opened again. Counters go on."""
        self._rest = b""
        self._overlong = False
        self._board.restart()
        self._host.restart()

    def feed(self, data: bytes) -> list[Message]:
        """Take the next bytes of the line; the messages whose frames they finish, in order."""
        return [frame.message for frame in self.frames(data)]

    def frames(self, data: bytes) -> list[Frame]:
        """Take the next bytes of the line; the messages that they finish, each with its place, in order."""
        pieces = (self._rest + data).split(b"\0")
        rest = pieces.pop()
        if self._overlong and pieces:
            # The rest of a frame that was too long ends here; it was counted when its beginning was dropped.
            del pieces[0]
            self._overlong = False
        if len(rest) > _LONGEST or self._overlong:
            if not self._overlong:
                self._counts.malformed += 1
                self._overlong = True
            rest = b""
        self._rest = rest
        frames: list[Frame] = []
        for piece in pieces:
            # Two zero bytes in a row are no frame and no fault: a sender may begin with one.
            if piece:
                frame = self._read(piece)
                if frame is not None:
                    frames.append(frame)
        return frames

    def _read(self, piece: bytes) -> Frame | None:
        """The message of one frame without its zero byte, or None with the reason counted."""
        if not _SHORTEST <= len(piece) <= _LONGEST:
            self._counts.malformed += 1
            return None
        try:
            content = cobs.decode(piece)
        except cobs.DecodeError:
            self._counts.malformed += 1
            return None
        if crc_hqx(content, 0xFFFF):
            self._counts.crc_errors += 1
            return None
        self._counts.frames += 1
        kind = content[0]
        message = None
        if kind not in _READERS:
            self._counts.unknown += 1
        else:
            layout, make = _READERS[kind]
            if len(content) - 2 < layout.size:
                self._counts.misshapen += 1
            else:
                message = make(*layout.unpack_from(content)[1:])
        order = self._board if kind < MessageType.IDENTIFY else self._host
        missing, is_copy = order.follow(content, message)
        return None if message is None else Frame(message, missing, is_copy)
