"""Bench for the tests of ``tamsk-hw flash``: files, a board that is what is written to it, an avrdude."""

import json
import os
import select
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from click.testing import CliRunner, Result

from tamsk_hw.board.protocol import Decoder, Hello, encode
from tamsk_hw.board.wiring import load_wiring
from tamsk_hw.commands.main import main
from tamsk_hw.simulator.board import SimulatedBoard
from tamsk_hw.simulator.pty_board import PtyBoard
from tamsk_hw.simulator.world import World

#: The hash of the host's wiring map (firmware/PROTOCOL.md section 6).
HASH = load_wiring().hash

#: Where the identification stands, and its bytes (firmware/README.md).
IDENTIFICATION = slice(104, 122)


def program(
    *,
    firmware: tuple[int, int, int] = (1, 1, 0),
    protocol: tuple[int, int] = (2, 0),
    wiring_hash: int = HASH,
    length: int = 2000,
) -> bytes:
    """A program as the linker lays it out: 26 vectors, the identification, code."""
    vectors = bytes.fromhex("0c943d00") * 26
    record = b"TAMSK\x01" + bytes([*protocol, *firmware, 0])
    record += wiring_hash.to_bytes(4, "little") + length.to_bytes(2, "little")
    code = bytes(place * 7 & 0xFF for place in range(length - len(vectors) - len(record)))
    return vectors + record + code


def record(address: int, data: bytes, kind: int = 0) -> str:
    """A line of an Intel HEX file."""
    content = bytes([len(data)]) + address.to_bytes(2, "big") + bytes([kind]) + data
    return f":{content.hex().upper()}{-sum(content) & 0xFF:02X}"


def hex_lines(data: bytes, at: int = 0) -> list[str]:
    """A program as the lines of an Intel HEX file, as avr-objcopy writes them."""
    lines = [record(at + place, data[place : place + 16]) for place in range(0, len(data), 16)]
    return [*lines, record(0, b"", 1)]


def write_hex(path: Path, lines: Sequence[str]) -> Path:
    path.write_text("".join(f"{line}\r\n" for line in lines), encoding="ascii")
    return path


def chip_bytes(text: str) -> bytes:
    """The data in an Intel HEX file without gaps."""
    records = [bytes.fromhex(line.removeprefix(":")) for line in text.split()]
    return b"".join(each[4:-1] for each in records if each[3] == 0)


class FlashedController(SimulatedBoard):
    """A controller whose HELLO says what was written to its flash, a file."""

    def __init__(self, flash: Path) -> None:
        self._flash = flash
        super().__init__(World(1))

    def _hello(self) -> bytes:
        (hello,) = Decoder().feed(super()._hello())
        assert isinstance(hello, Hello)
        said = chip_bytes(self._flash.read_text(encoding="ascii"))[IDENTIFICATION]
        return encode(
            replace(
                hello,
                protocol=(said[6], said[7]),
                firmware=(said[8], said[9], said[10]),
                wiring_hash=int.from_bytes(said[12:16], "little"),
            )
        )


#: The stand-in: it writes down its arguments, then does what it is told by a file.
AVRDUDE = """\
#!/bin/sh
'''exec' "{python}" "$0" "$@"
' '''
import json, os, shutil, signal, sys
arguments = sys.argv[1:]
with open({calls!r}, "a") as file:
    file.write(json.dumps(arguments) + "\\n")
memory, _, name, _ = arguments[arguments.index("-U") + 1].split(":")
print("avrdude: this is what it says", flush=True)
print("avrdude: and this", file=sys.stderr)
for deed in open({deeds!r}).read().split():
    if deed == "write":
        shutil.copyfile(name, {flash!r} + ".new")
        os.replace({flash!r} + ".new", {flash!r})
    elif deed == "unplug":
        os.unlink(arguments[arguments.index("-P") + 1])
    elif deed == "deaf":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    elif deed == "hang":
        with open({pid!r}, "w") as file:
            file.write(str(os.getpid()))
        while True:
            signal.pause()
    elif deed == "fail":
        sys.exit(1)
"""


@dataclass
class Bench:
    """A board on a port, an avrdude on the path, and what is written to whom."""

    folder: Path

    def __post_init__(self) -> None:
        self.port = self.folder / "board"
        self.flash = self.folder / "flash.hex"
        self.path = self.folder / "bin"
        self.path.mkdir()
        self._calls = self.folder / "calls"
        self._deeds = self.folder / "deeds"
        self._hangs = self.folder / "hangs"
        os.mkfifo(self._hangs)
        self.holds(program(firmware=(1, 0, 0)))
        self.avrdude("write")
        self.board = PtyBoard(FlashedController(self.flash), self.port, reset_on_open=True)

    def holds(self, data: bytes) -> None:
        """Put this on the board first."""
        write_hex(self.flash, hex_lines(data))

    def runs(self) -> None:
        """Switch the board on; without it nothing answers."""
        began = time.monotonic()
        self.board.run_in_thread(lambda: time.monotonic() - began)

    def avrdude(self, *deeds: str) -> None:
        """Have an avrdude that does this, in order, and ends well where nothing else is said."""
        self._deeds.write_text(" ".join(deeds), encoding="ascii")
        text = AVRDUDE.format(
            python=sys.executable,
            calls=str(self._calls),
            deeds=str(self._deeds),
            flash=str(self.flash),
            pid=str(self._hangs),
        )
        path = self.path / "avrdude"
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)

    @contextmanager
    def hanging(self) -> Iterator[Callable[[], int]]:
        """Gives what waits until an avrdude hangs and gives its process id."""
        pipe = os.open(self._hangs, os.O_RDONLY | os.O_NONBLOCK)
        try:

            def wait() -> int:
                readable, _, _ = select.select([pipe], [], [], 30)
                assert readable, "no avrdude hangs"
                return int(os.read(pipe, 20))

            yield wait
        finally:
            os.close(pipe)

    def calls(self) -> list[list[str]]:
        """The arguments of each avrdude."""
        return [json.loads(line) for line in self._calls.read_text().splitlines()] if self._calls.exists() else []

    def written(self) -> bytes:
        """Content of the board's flash."""
        return chip_bytes(self.flash.read_text(encoding="ascii"))


def run(bench: Bench, *arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["flash", "--port", str(bench.port), *map(str, arguments)])


def refused(result: Result) -> str:
    """The one line of a refusal."""
    assert result.exit_code == 2, result.output
    *_, line = result.stderr.splitlines()
    assert line.startswith("tamsk-hw: ")
    return line.removeprefix("tamsk-hw: ")
