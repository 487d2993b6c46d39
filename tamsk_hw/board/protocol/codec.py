"""Messages to frames and back, without I/O (PROTOCOL.md sections 2 to 5).

A frame is COBS of ``type, seq, payload, CRC-16`` and a zero byte. The CRC's high byte comes first, so the CRC
over a whole content, its own CRC included, is 0.
"""

from __future__ import annotations

from binascii import crc_hqx
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from struct import Struct
from struct import error as StructError
from typing import Final

from cobs import cobs

from tamsk_hw.board.protocol.frame_order import FrameOrder, FramePlace
from tamsk_hw.board.protocol.messages import (
    FIELDS,
    REFERENCES,
    RING_BITS,
    Heartbeat,
    Hello,
    Identify,
    Message,
    ResetCause,
    SelfTest,
    SelfTestReport,
    Set,
    SetBoardId,
    Settings,
    SettingsReport,
    Snapshot,
    board_id_problem,
)
from tamsk_hw.errors import ProtocolError

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
    SELF_TEST_REPORT = 0x04
    IDENTIFY = 0x11
    SET = 0x12
    SELF_TEST = 0x13
    HEARTBEAT = 0x14
    SET_BOARD_ID = 0x15


# Each layout begins with type and seq; all numbers are little-endian.
_HEAD = Struct("<BB")
_HELLO = Struct("<BBBBBBBIIBIBBBB")
_SNAPSHOT = Struct(f"<BBIQQ{FIELDS}s{REFERENCES}s3s3sH")
_SETTINGS = Struct("<BBBHHHB")
_BOARD_ID = Struct("<BBI")
_SELF_TEST_REPORT = Struct(f"<BB{RING_BITS}s")


def crc16(data: bytes) -> int:
    """CRC-16/CCITT-FALSE: polynomial 0x1021, initial value 0xFFFF, not reflected; 0x29B1 for ``b"123456789"``."""
    return crc_hqx(data, 0xFFFF)


def encode(message: Message) -> bytes:
    """The frame of ``message``, with its closing zero byte.

    Raises `ProtocolError` for a value that the layout cannot hold, or for settings or a board id that no board
    takes.
    """
    try:
        content = _pack(message)
    except StructError as error:
        raise ProtocolError(f"{type(message).__name__} cannot be sent: {error}") from error
    encoded: bytes = cobs.encode(content + crc_hqx(content, 0xFFFF).to_bytes(2, "big"))
    return encoded + b"\0"


def _pack(message: Message) -> bytes:
    """Type, seq and payload of a message."""
    match message:
        case Snapshot():
            _check_length("Snapshot", "fields", message.fields, FIELDS)
            _check_length("Snapshot", "references", message.references, REFERENCES)
            return _SNAPSHOT.pack(
                MessageType.SNAPSHOT,
                message.seq,
                message.time,
                message.rings,
                message.dark,
                message.fields,
                message.references,
                _signed_24(message.holders[0]),
                _signed_24(message.holders[1]),
                message.faults,
            )
        case Hello():
            return _HELLO.pack(
                MessageType.HELLO,
                message.seq,
                *message.protocol,
                *message.firmware,
                message.board_id,
                message.boot_id,
                message.reset_cause,
                message.wiring_hash,
                message.ring_bits,
                message.fields,
                message.references,
                message.holders,
            )
        case SettingsReport():
            return _pack_settings(MessageType.SETTINGS, message.seq, message.settings)
        case Set():
            return _pack_settings(MessageType.SET, message.seq, message.settings)
        case SelfTestReport():
            _check_length("SelfTestReport", "shortest", message.shortest, RING_BITS)
            return _SELF_TEST_REPORT.pack(MessageType.SELF_TEST_REPORT, message.seq, message.shortest)
        case Identify():
            return _HEAD.pack(MessageType.IDENTIFY, message.seq)
        case SelfTest():
            return _HEAD.pack(MessageType.SELF_TEST, message.seq)
        case Heartbeat():
            return _HEAD.pack(MessageType.HEARTBEAT, message.seq)
        case SetBoardId():
            problem = board_id_problem(message.board_id)
            if problem is not None:
                raise ProtocolError(f"SetBoardId cannot be sent: {problem}")
            return _BOARD_ID.pack(MessageType.SET_BOARD_ID, message.seq, message.board_id)


def _pack_settings(kind: MessageType, seq: int, settings: Settings) -> bytes:
    problem = settings.problem()
    if problem is not None:
        raise ProtocolError(f"settings cannot be sent: {problem}")
    return _SETTINGS.pack(
        kind,
        seq,
        settings.field_deadband,
        settings.holder_deadband,
        settings.shortest_interval,
        settings.longest_interval,
        settings.light_time,
    )


def _check_length(message: str, name: str, value: bytes, length: int) -> None:
    if len(value) != length:
        raise ProtocolError(f"{message} cannot be sent: {name} has {len(value)} bytes; allowed are {length}")


def _signed_24(value: int) -> bytes:
    try:
        return value.to_bytes(3, "little", signed=True)
    except OverflowError:
        raise ProtocolError(
            f"Snapshot cannot be sent: holder reading {value}; allowed are {-(1 << 23)} to {(1 << 23) - 1}"
        ) from None


def _snapshot(content: bytes) -> Snapshot:
    _, seq, time, rings, dark, fields, references, red, black, faults = _SNAPSHOT.unpack_from(content)
    holders = (int.from_bytes(red, "little", signed=True), int.from_bytes(black, "little", signed=True))
    return Snapshot(seq, time, rings, dark, fields, references, holders, faults)


def _hello(content: bytes) -> Hello:
    value = _HELLO.unpack_from(content)
    return Hello(
        seq=value[1],
        protocol=(value[2], value[3]),
        firmware=(value[4], value[5], value[6]),
        board_id=value[7],
        boot_id=value[8],
        reset_cause=ResetCause(value[9]),
        wiring_hash=value[10],
        ring_bits=value[11],
        fields=value[12],
        references=value[13],
        holders=value[14],
    )


def _settings(content: bytes) -> Settings:
    return Settings(*_SETTINGS.unpack_from(content)[2:])


def _settings_report(content: bytes) -> SettingsReport:
    return SettingsReport(content[1], _settings(content))


def _set(content: bytes) -> Set:
    return Set(content[1], _settings(content))


def _self_test_report(content: bytes) -> SelfTestReport:
    return SelfTestReport(*_SELF_TEST_REPORT.unpack_from(content)[1:])


def _identify(content: bytes) -> Identify:
    return Identify(content[1])


def _self_test(content: bytes) -> SelfTest:
    return SelfTest(content[1])


def _heartbeat(content: bytes) -> Heartbeat:
    return Heartbeat(content[1])


def _set_board_id(content: bytes) -> SetBoardId:
    return SetBoardId(*_BOARD_ID.unpack_from(content)[1:])


# For each type the least length of a content without its CRC, and what reads it. A later minor version may
# lengthen a payload at its end: what is beyond the layout is not looked at.
_READERS: dict[int, tuple[int, Callable[[bytes], Message]]] = {
    MessageType.SNAPSHOT: (_SNAPSHOT.size, _snapshot),
    MessageType.HELLO: (_HELLO.size, _hello),
    MessageType.SETTINGS: (_SETTINGS.size, _settings_report),
    MessageType.SELF_TEST_REPORT: (_SELF_TEST_REPORT.size, _self_test_report),
    MessageType.IDENTIFY: (_HEAD.size, _identify),
    MessageType.SET: (_SETTINGS.size, _set),
    MessageType.SELF_TEST: (_HEAD.size, _self_test),
    MessageType.HEARTBEAT: (_HEAD.size, _heartbeat),
    MessageType.SET_BOARD_ID: (_BOARD_ID.size, _set_board_id),
}


@dataclass(frozen=True, slots=True, kw_only=True)
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


@dataclass(frozen=True, slots=True)
class Frame:
    """A message, and its place among the frames of its sender."""

    message: Message
    place: FramePlace


class Decoder:
    """Takes bytes as they come, gives the messages of whole, undamaged frames. Never raises on any bytes.

    It holds at most one unfinished frame (`MAX_FRAME` bytes). After damage the next good frame is read again.
    """

    __slots__ = (
        "_board",
        "_crc_errors",
        "_frames",
        "_host",
        "_malformed",
        "_misshapen",
        "_overlong",
        "_rest",
        "_unknown",
    )

    def __init__(self) -> None:
        self._rest = b""
        self._overlong = False
        self._board, self._host = FrameOrder(), FrameOrder()
        self._frames = 0
        self._crc_errors = 0
        self._malformed = 0
        self._unknown = 0
        self._misshapen = 0

    @property
    def counters(self) -> DecoderCounters:
        """The counters as they stand now."""
        return DecoderCounters(
            frames=self._frames,
            crc_errors=self._crc_errors,
            malformed=self._malformed,
            unknown=self._unknown,
            misshapen=self._misshapen,
            gaps=self._board.gaps + self._host.gaps,
            missing=self._board.missing + self._host.missing,
            doubled=self._board.doubled + self._host.doubled,
        )

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
                self._malformed += 1
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
            self._malformed += 1
            return None
        try:
            content = cobs.decode(piece)
        except cobs.DecodeError:
            self._malformed += 1
            return None
        if crc_hqx(content, 0xFFFF):
            self._crc_errors += 1
            return None
        self._frames += 1
        kind = content[0]
        least, read = _READERS.get(kind, (0, None))
        message = None
        if read is None:
            self._unknown += 1
        elif len(content) - 2 < least:
            self._misshapen += 1
        else:
            message = read(content)
        order = self._board if kind < MessageType.IDENTIFY else self._host
        place = order.follow(content, message)
        return None if message is None else Frame(message, place)
