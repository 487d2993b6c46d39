"""The firmware's portable core on the emulated ATmega328P, where ``int`` has 16 bits.

The program is ``firmware/host/core_filter_avr.c``: the same commands as on the host, over the UART.
"""

from collections.abc import Iterable

from tests.firmware.core_program import Core
from tests.firmware.emulator.emulated import Emulator

#: Cycles of a character on the line: ten bits at 500 000 baud.
CHARACTER = 320

#: Cycles from a reset until the program listens: its start clears 1000 bytes of memory.
START = 16_000

#: Cycles that the emulator runs between two looks for an answer, and within which one must have come.
LOOK = 8_000
LONGEST = 4_000_000

#: Bytes at most in a line of `receive` or `bytes`: a line has room for 255 characters.
PIECE = 100


def pieces(line: str) -> list[str]:
    """A command in lines that the controller has room for: of a stream of bytes as many as it takes."""
    *head, last = line.split(" ")
    if not head or head[0] not in ("receive", "bytes") or len(last) <= 2 * PIECE:
        return [line]
    begins = range(0, len(last), 2 * PIECE)
    return [" ".join([*head, last[begin : begin + 2 * PIECE]]) for begin in begins]


class AvrCore(Core):
    """The core on the controller. Every answer must be that of the core on the host as well."""

    def __init__(self, on_host: Core, board: Emulator) -> None:
        super().__init__(on_host.program)
        self._board = board

    def ask(self, commands: Iterable[str]) -> list[str]:
        lines = list(commands)
        wanted = super().ask(lines)
        self._board.ask("reset")
        self._board.run(START)
        self._board.sent()
        for line, answer in zip(lines, wanted, strict=True):
            found = " ".join(filter(None, (self._answer(piece) for piece in pieces(line))))
            assert found == answer, f"{line}: the controller answers {found!r}, the host {answer!r}"
        assert self._board.checks() == []
        return wanted

    def _answer(self, line: str) -> str:
        data = f"{line}\n".encode("ascii")
        self._board.send(data)
        answer = bytearray()
        for look in range(LONGEST // LOOK):
            self._board.run(LOOK if look else len(data) * CHARACTER + LOOK)
            answer += bytes(byte for _, byte in self._board.sent())
            if answer.endswith(b"\n"):
                return answer.decode("ascii").strip()
        raise AssertionError(f"{line}: no answer from the controller, only {bytes(answer)!r}")
