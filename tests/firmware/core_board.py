"""A controller of the core, fed with times, scans and bytes; what it sends is read by the Python codec."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tamsk_hw.board.protocol import FIELDS, REFERENCES, Decoder, FaultFlag, HostMessage, Message, encode
from tests.firmware.core_program import Core, byte_strings, words

#: Microseconds from one scan to the next.
SCAN = 2500

#: What the HELLO of `Script` says: protocol, firmware, board, boot, cause, hash and the four counts.
HELLO_VALUES = (2, 0, 1, 0, 0, 42, 257, 2, 0xD26E7B07, 64, 38, 3)

HOST_SILENT = int(FaultFlag.HOST_SILENT)


@dataclass(frozen=True)
class Scan:
    """Readings of one scan."""

    rings: bytes = bytes(8)
    unknown: bytes = bytes(8)
    analog: bytes = bytes([128] * (FIELDS + REFERENCES))

    def with_analog(self, place: int, value: int) -> Scan:
        analog = bytearray(self.analog)
        analog[place] = value
        return Scan(self.rings, self.unknown, bytes(analog))


class Script:
    """Commands to a controller, written down first and run in one go."""

    def __init__(self, now: int = 0, *, holders: int = 2) -> None:
        self._commands = [words("start", now & 0xFFFFFFFF, *HELLO_VALUES, holders, 0)]
        self._asked: list[int] = []

    def hear(self, now: int, *messages: HostMessage) -> None:
        self.hear_bytes(now, b"".join(encode(message) for message in messages))

    def hear_bytes(self, now: int, data: bytes) -> None:
        self._commands.append(words("bytes", now & 0xFFFFFFFF, data))

    def event(self, flag: int) -> None:
        self._commands.append(words("event", int(flag)))

    def holder(self, now: int, which: int, reading: int) -> None:
        self._commands.append(words("holder", now & 0xFFFFFFFF, which, reading))

    def scan(self, now: int, scan: Scan) -> None:
        self._commands.append(words("scan", now & 0xFFFFFFFF, scan.rings, scan.unknown, scan.analog))

    def board_id_wanted(self) -> None:
        """Ask for the board id to write, as a decimal number; "-" for none: one answer."""
        self._ask("wanted")

    def board_id_written(self, board_id: int) -> None:
        self._commands.append(words("written", board_id))

    def frame(self, now: int) -> None:
        """Ask for a frame, the line being free: one answer."""
        self._ask(words("frame", now & 0xFFFFFFFF))

    def _ask(self, command: str) -> None:
        self._asked.append(len(self._commands))
        self._commands.append(command)

    def run_raw(self, core: Core) -> list[str]:
        """The answers to what was asked."""
        answers = core.ask(self._commands)
        return [answers[place] for place in self._asked]

    def run(self, core: Core) -> list[Message | None]:
        """For each frame asked for the message that came, or None. All seqs must follow each other from 0."""
        return read(byte_strings(self.run_raw(core)))


def read(frames: Sequence[bytes]) -> list[Message | None]:
    decoder = Decoder()
    messages: list[Message | None] = []
    for frame in frames:
        found = decoder.feed(frame)
        assert len(found) == bool(frame)
        messages.append(found[0] if found else None)
    counters = decoder.counters
    assert (counters.gaps, counters.malformed, counters.crc_errors) == (0, 0, 0)
    return messages
