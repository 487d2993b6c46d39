"""Files that harm a careless reader, and a way to spoil good ones."""

import os
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Final


def _text(text: str) -> Callable[[Path], None]:
    return lambda path: path.write_text(text, encoding="utf-8") and None


def _sparse(path: Path) -> None:
    """A gigabyte that takes no room on the disk."""
    with path.open("wb") as file:
        file.truncate(1 << 30)


#: Ways to make a file that no command may stumble over, by name.
ATTACKS: Final[dict[str, Callable[[Path], None]]] = {
    "a number of 5000 digits": _text("version = " + "9" * 5000),
    "a number of 400 digits": _text("version = " + "9" * 400),
    "100 000 brackets": _text("version = " + "[" * 100_000),
    "a dotted key of 2 KB": _text(".".join("a" * 1000) + " = 1"),
    "a dotted table": _text("[" + ".".join("a" * 1000) + "]"),
    "a text without an end": _text('version = "' + '\\"' * 30_000),
    "a key of many lines": _text('"a\\nb\\u001b[2J" = 1'),
    "a gigabyte": _sparse,
    "no UTF-8": lambda path: path.write_bytes(b"\xff\xfe"[::-1] * 10) and None,
    "a pipe": lambda path: os.mkfifo(path),
    "a folder": lambda path: path.mkdir(),
    "an endless device": lambda path: path.symlink_to("/dev/zero"),
    "a terminal": lambda path: path.symlink_to("/dev/tty"),
    "a link to itself": lambda path: path.symlink_to(path),
}

_BITS: Final = (
    *(b"[", b"]", b"{", b"}", b'"', b"'", b'"""', b"=", b".", b",", b"\n", b"\r", b"\0", b"\xff", b"#", b"\\"),
    *(b"9" * 4999, b"[" * 2000, b"{a=" * 500, b"a." * 500, b"nan", b"-inf", b"1e999", b"-1", b"true", b"null"),
    *(b"1979-05-27", b"\xef\xbb\xbf", b"\xe2\x80\xae", b"\x1b[2J", b"\xc2\x9b", b'{"t":0}', b"[[", b"a" * 9000),
)


def spoilt(content: bytes, random: Random) -> bytes:
    """The content with one to three places changed: bits put in, cut out, doubled, moved or turned over."""
    for _ in range(random.randint(1, 3)):
        place = random.randint(0, len(content))
        end = min(len(content), place + random.choice((1, 1, 5, 80, 2000)))
        before, piece, after = content[:place], content[place:end], content[end:]
        match random.randrange(6):
            case 0:
                content = before + random.choice(_BITS) + piece + after
            case 1:
                content = before + random.choice(_BITS) + after
            case 2:
                content = before + after
            case 3:
                content = before + piece * random.choice((2, 3, 50)) + after
            case 4:
                content = before + bytes(byte ^ 1 << random.randrange(8) for byte in piece[:3]) + piece[3:] + after
            case _:
                content = before
    return content
