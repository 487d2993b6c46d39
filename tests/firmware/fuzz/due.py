"""Verdicts due for an input: the Python decoder's verdicts on its bytes, and the messages that it stands for."""

from dataclasses import dataclass

from cobs import cobs

from tamsk_hw.board import protocol
from tests.firmware.fuzz.record import Command, Told, Verdict

COMMANDS: dict[type[protocol.Message], Command] = {
    protocol.Identify: Command.IDENTIFY,
    protocol.Set: Command.SET,
    protocol.SelfTest: Command.SELF_TEST,
    protocol.Heartbeat: Command.HEARTBEAT,
    protocol.SetBoardId: Command.SET_BOARD_ID,
    protocol.SetThresholds: Command.SET_THRESHOLDS,
}

#: Types with a payload of which a frame may have too little.
SHAPED = (protocol.MessageType.SET, protocol.MessageType.SET_BOARD_ID, protocol.MessageType.SET_THRESHOLDS)

#: Of a content the core keeps type, seq and as much of the payload as the longest command has.
KEPT = 11


def due_verdicts(data: bytes) -> tuple[list[Told], list[protocol.Message], protocol.DecoderCounters]:
    """Verdicts of the Python `Decoder` on ``data`` with their places, and its messages and counters at the end.

    It is fed piece by piece: a piece ends before and behind each zero byte, and before and behind the 90th byte
    since the last one, for nowhere else may a verdict come.
    """
    decoder = protocol.Decoder()
    told = []
    messages: list[protocol.Message] = []
    before = decoder.counters
    begin = 0
    for piece in data.split(b"\0"):
        end = begin + len(piece)
        ends = (
            [begin + protocol.MAX_FRAME - 1, begin + protocol.MAX_FRAME]
            if len(piece) >= protocol.MAX_FRAME
            else []
        )
        at = begin
        for stop in (*ends, end, end + 1):
            if stop == at:
                continue
            found = decoder.feed(data[at:stop])
            after = decoder.counters
            if after != before:
                told += _verdict(min(stop, len(data)) - 1, piece, found, before, after)
                before = after
            messages += found
            at = stop
        begin = end + 1
    return told, messages, before


def _verdict(
    place: int,
    piece: bytes,
    found: list[protocol.Message],
    before: protocol.DecoderCounters,
    after: protocol.DecoderCounters,
) -> list[Told]:
    told = [Told(place, Verdict.MALFORMED)] * (after.malformed - before.malformed)
    told += [Told(place, Verdict.CRC_ERROR)] * (after.crc_errors - before.crc_errors)
    if after.frames != before.frames:
        content = cobs.decode(piece)[:-2]
        command = Command.UNKNOWN
        if found:
            command = COMMANDS.get(type(found[0]), Command.UNKNOWN)
        elif after.misshapen != before.misshapen and content[0] in SHAPED:
            command = Command.MISSHAPEN
        told.append(Told(place, Verdict.FRAME, command, len(content) - 2, content[:KEPT]))
    return told


def number(data: bytes) -> int:
    return int.from_bytes(data, "little")


@dataclass(frozen=True, slots=True)
class Values:
    """The messages that an input stands for, read from its beginning as from the wire, and their contents."""

    hello: protocol.Hello
    snapshot: protocol.Snapshot
    settings: protocol.SettingsReport
    signals: protocol.RingSignals
    contents: tuple[bytes, ...]


def values_of(data: bytes) -> Values:
    """Written out from the tables of PROTOCOL.md sections 3 to 5, apart from the codec."""
    data = data[:70].ljust(70, b"\0")
    seq, payload = data[0], data[1:]
    hello = protocol.Hello(
        seq=seq,
        protocol=(payload[0], payload[1]),
        firmware=(payload[2], payload[3], payload[4]),
        board_id=number(payload[5:9]),
        boot_id=number(payload[9:13]),
        reset_cause=protocol.ResetCause(payload[13]),
        wiring_hash=number(payload[14:18]),
        ring_bits=payload[18],
        fields=payload[19],
        references=payload[20],
        holders=payload[21],
        silent_chips=payload[22],
    )
    snapshot = protocol.Snapshot(
        seq=seq,
        time=number(payload[0:4]),
        rings=number(payload[4:12]),
        unknown=number(payload[12:20]),
        fields=payload[20 : 20 + protocol.FIELDS],
        references=payload[58:61],
        holders=(
            int.from_bytes(payload[61:64], "little", signed=True),
            int.from_bytes(payload[64:67], "little", signed=True),
        ),
        faults=number(payload[67:69]),
    )
    settings = protocol.Settings(payload[0], number(payload[1:3]), number(payload[3:5]), number(payload[5:7]))
    chip = payload[0] % protocol.RING_CHIPS
    signals = tuple(
        protocol.RingSignal(int.from_bytes(payload[at : at + 2], "little", signed=True), *payload[at + 2 : at + 5])
        for at in range(1, 1 + 5 * protocol.RING_INPUTS, 5)
    )
    lengths = {protocol.MessageType.HELLO: 23, protocol.MessageType.SNAPSHOT: 69, protocol.MessageType.SETTINGS: 7}
    contents = tuple(bytes([kind, seq]) + payload[:length] for kind, length in lengths.items())
    contents = (
        *contents,
        bytes([protocol.MessageType.RING_SIGNALS, seq, chip]) + payload[1 : 1 + 5 * protocol.RING_INPUTS],
    )
    return Values(
        hello, snapshot, protocol.SettingsReport(seq, settings), protocol.RingSignals(seq, chip, signals), contents
    )
