"""Removes private data from a bundle: people, computers, addresses, serial numbers.

Known values (players' names, user, home, host, serial numbers) are replaced wherever they stand, in every
spelling; addresses and identifiers are found by their shape. Words that a bundle consists of ("red", "start",
"pi") stay, even if somebody is called so.
"""

from __future__ import annotations

import getpass
import ipaddress
import json
import os
import platform
import pwd
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final
from urllib.parse import quote

from tamsk_hw.game.tubes import TUBES

#: Common words: replacing them would spoil the rest, and they reveal nothing.
COMMON: Final = frozenset(
    {
        *("red", "black", "start", "short", "long", "button", "seat", "lift", "tilt"),
        *("ring", "timer", "holder", "link", "fault", "arbiter", "tick", "game", "turn"),
        *("move", "glass", "board", "player", "level", "true", "false", "null", "none"),
        *("user", "home", "host", "root", "pi", "raspberrypi", "raspberry", "localhost", "admin"),
        *("nobody", "debian", "ubuntu", "linux", "tamsk", "tamsk-hw", "tamsk_hw", "tube", "end"),
        "event",
        *(tube.name.casefold() for tube in TUBES),
    }
)

#: Names shorter than this are replaced only where they stand as a word.
_LONG_ENOUGH: Final = 4

_MAC: Final = re.compile(r"(?<![0-9A-Fa-f:-])(?:[0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}(?![0-9A-Fa-f:-])")
_EMAIL: Final = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}")
_IPV4: Final = re.compile(r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w]|\.\d)")
_IPV6: Final = re.compile(r"(?<![\w:.])[0-9A-Fa-f]*:[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*(?:%\w+)?(?![\w:])")
_IDENTIFIER: Final = re.compile(
    r"(?<![0-9A-Fa-f])(?:[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}|[0-9A-Fa-f]{32})(?![0-9A-Fa-f])"
)
_HOME: Final = re.compile(r"/(?:home|Users)/[^/\s\"':;,()]+")
_BY_ID: Final = re.compile(r"(by-id/usb-[^/\s\"']*)_([^_/\s\"']+?)(-if[0-9A-Fa-f]{2}|(?=[\s\"']|$))")


class Secrets:
    """The values to replace, their replacements, and a count of both."""

    def __init__(self) -> None:
        self._words: dict[str, str] = {}
        self._pattern: re.Pattern[str] | None = None
        self.replaced: Counter[str] = Counter()
        """The number of replacements by kind of secret."""

    def add(self, kind: str, value: str | None) -> None:
        """From now on this value is replaced by ``<kind>``."""
        if value is None:
            return
        value = value.strip()
        if len(value) < 2 or value.casefold() in COMMON:
            return
        for written in _ways_to_write(value):
            self._words.setdefault(written.casefold(), f"<{kind}>")
        self._pattern = None

    def add_players(self, names: Iterable[str | None]) -> None:
        """Players' names, whole and in parts: each player gets a number."""
        for name in names:
            if name:
                known = self._words.get(name.strip().casefold())
                count = len({token for token in self._words.values() if token.startswith("<player ")})
                token = known[1:-1] if known else f"player {count + 1}"
                self.add(token, name)
                for part in name.split():
                    if len(part) >= _LONG_ENOUGH:
                        self.add(token, part)

    def clean(self, text: str) -> str:
        """The text without secrets."""
        if self._pattern is None and self._words:
            # The longest first: a name may be a part of another.
            words = sorted(self._words, key=len, reverse=True)
            self._pattern = re.compile("|".join(map(_wherever, words)), re.IGNORECASE)
        text = _BY_ID.sub(self._serial, text)
        if self._pattern is not None:
            text = self._pattern.sub(lambda found: self._put(self._token(found[0])), text)
        text = _HOME.sub(lambda found: self._put("<home>"), text)
        text = _EMAIL.sub(lambda found: self._put("<address>"), text)
        text = _IDENTIFIER.sub(lambda found: self._put("<identifier>"), text)
        text = _MAC.sub(lambda found: self._put("<address>"), text)
        return _IPV6.sub(self._address, _IPV4.sub(self._address, text))

    def _token(self, found: str) -> str:
        # Case folding is more than lower and upper: a match that is not found is a secret all the same.
        return self._words.get(found.casefold(), "<secret>")

    def _serial(self, found: re.Match[str]) -> str:
        return f"{found[1]}_{self._put('<serial number>')}{found[3]}"

    def _address(self, found: re.Match[str]) -> str:
        with suppress(ValueError):
            address = ipaddress.ip_address(found[0].partition("%")[0])
            # Addresses of this computer itself, or of any, reveal nothing.
            return found[0] if address.is_loopback or address.is_unspecified else self._put("<address>")
        return found[0]

    def _put(self, token: str) -> str:
        self.replaced[token.strip("<>").rstrip(" 0123456789")] += 1
        return token


def _ways_to_write(value: str) -> set[str]:
    """The spellings of a value in texts, JSON, Python and addresses."""
    ways = set()
    for form in ("NFC", "NFD"):
        each = unicodedata.normalize(form, value)
        ways |= {each, json.dumps(each)[1:-1], each.encode("unicode_escape").decode("ascii"), quote(each, safe="")}
        ways.add(quote(each))
    return ways


def _wherever(word: str) -> str:
    pattern = re.escape(word)
    return pattern if len(word) >= _LONG_ENOUGH else rf"(?<!\w){pattern}(?!\w)"


def of_this_computer(secrets: Secrets, environment: Mapping[str, str]) -> None:
    """Add this computer's users, name and serial numbers."""
    home = environment.get("HOME", "")
    secrets.add("home", None if home.startswith("/var/") else home)  # the service's own is everybody's
    for name in ("USER", "LOGNAME", "SUDO_USER"):
        secrets.add("user", environment.get(name))
    with suppress(KeyError, OSError):
        secrets.add("user", getpass.getuser())
    for number in {os.getuid(), _whole(environment.get("SUDO_UID"))} - {None}:
        with suppress(KeyError):
            account = pwd.getpwuid(number or 0)
            secrets.add("user", account.pw_name)
            secrets.add("user", account.pw_gecos.partition(",")[0])
            secrets.add("home", account.pw_dir if account.pw_dir.startswith("/home/") else None)
    host = platform.node()
    secrets.add("host", host)
    secrets.add("host", host.partition(".")[0])
    for file in ("/proc/device-tree/serial-number", "/etc/machine-id", "/etc/hostname"):
        with suppress(OSError):
            kind = "host" if file.endswith("hostname") else "serial number"
            secrets.add(kind, Path(file).read_bytes().decode(errors="replace").strip("\0\n "))


def of_the_port(secrets: Secrets, port: str, classes: Path = Path("/sys/class/tty")) -> None:
    """Add the serial number of the USB device behind a port."""
    with suppress(OSError):
        place = (classes / Path(os.path.realpath(port)).name / "device").resolve(strict=True)
        for folder in list(place.parents)[:4]:
            file = folder / "serial"
            if file.is_file():
                secrets.add("serial number", file.read_text(errors="replace"))
                return


def _whole(text: str | None) -> int | None:
    return int(text) if text is not None and text.isascii() and text.isdigit() else None
