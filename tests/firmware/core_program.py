"""The firmware's portable core, built for this machine with AddressSanitizer and UndefinedBehaviorSanitizer."""

import json
import subprocess
from binascii import crc_hqx
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest
from cobs import cobs

from tests.firmware.toolchain import need

FIRMWARE = Path(__file__).resolve().parents[2] / "firmware"

GOLDEN: dict[str, Any] = json.loads(
    FIRMWARE.with_name("tests").joinpath("golden", "frames.json").read_text(encoding="utf-8")
)


def run_make(*arguments: str, sources: Path = FIRMWARE) -> str:
    """Output of ``make -C firmware`` with these arguments; the test fails with it when it fails."""
    need("make")
    done = subprocess.run(
        ["make", "-C", str(sources), *arguments], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    if done.returncode:
        pytest.fail(f"make -C firmware {' '.join(arguments)} failed:\n{done.stdout}", pytrace=False)
    return done.stdout


class Core:
    """The filter program of ``firmware/host/core_filter.c``, which says what the commands are.

    Each `ask` is a run of its own, so what a test found cannot hang on another test.
    """

    def __init__(self, program: Path) -> None:
        self.program = program

    def ask(self, commands: Iterable[str]) -> list[str]:
        """One answer for each command. A finding of a sanitiser fails the test."""
        lines = list(commands)
        done = subprocess.run(
            [str(self.program)], input="".join(f"{line}\n" for line in lines), text=True, capture_output=True
        )
        assert done.returncode == 0, f"the core ended with {done.returncode}:\n{done.stderr}"
        assert not done.stderr, done.stderr
        answers = done.stdout.splitlines()
        assert len(answers) == len(lines)
        return [answer.strip() for answer in answers]

    def ask_one(self, command: str) -> str:
        return self.ask([command])[0]


def hexadecimal(data: bytes) -> str:
    """Bytes as the program reads them."""
    return data.hex() or "-"


def words(*values: object) -> str:
    """A command: bytes in hexadecimal, the rest as it is."""
    return " ".join(hexadecimal(value) if isinstance(value, bytes) else str(value) for value in values)


def byte_strings(answers: Sequence[str]) -> list[bytes]:
    return [b"" if answer == "-" else bytes.fromhex(answer) for answer in answers]


def frame_of(content: bytes) -> bytes:
    """A frame made apart from the codec, which sends nothing that no board takes."""
    encoded: bytes = cobs.encode(content + crc_hqx(content, 0xFFFF).to_bytes(2, "big"))
    return encoded + b"\0"
