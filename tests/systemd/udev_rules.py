"""Reading udev rules, and what they would do to a device: the part of udev(7) that ours use."""

import fnmatch
import re
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

_TOKEN = re.compile(
    r'\s*(?P<key>[A-Z_]+)(?:\{(?P<of>[^}]+)\})?(?P<operator>==|!=|\+=|=)"(?P<value>[^"]*)"\s*(?:,|$)'
)
_MATCHES = {"ACTION", "SUBSYSTEM", "KERNEL", "ENV", "ATTRS"}
_ASSIGNMENTS = {"SYMLINK": "+=", "TAG": "+=", "OPTIONS": "+=", "GROUP": "=", "MODE": "=", "ENV": "=", "ATTR": "="}
_PRIORITY = "link_priority="


@dataclass(frozen=True, slots=True)
class Token:
    """One comparison or assignment."""

    key: str
    of: str | None
    operator: str
    value: str


@dataclass
class Device:
    """A device as it appears; rules change it. ``attributes`` are those of it and of the devices above it."""

    kernel: str
    subsystem: str = "tty"
    action: str = "add"
    attributes: dict[str, str] = field(default_factory=dict)
    properties: dict[str, str] = field(default_factory=dict)
    given: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    """All that was assigned to each key but ENV, in its order; that to ATTR by the attribute's name."""

    @property
    def priority(self) -> int:
        """The priority of its links."""
        options = self.given["OPTIONS"]
        assert all(each.startswith(_PRIORITY) for each in options), options
        return max([0, *(int(each.removeprefix(_PRIORITY)) for each in options[-1:])])


def read_rules(*texts: str) -> list[list[Token]]:
    """The rules of files in their order; a line that is not wholly understood fails."""
    return [_read(line) for text in texts for line in text.splitlines() if line.strip() and line.strip()[0] != "#"]


def read_file(file: Path) -> str:
    return file.read_text(encoding="utf-8")


def apply(rules: list[list[Token]], device: Device) -> Device:
    """Do to the device what the rules say."""
    target: str | None = None
    for rule in rules:
        if target is not None:
            if not any(token.key == "LABEL" and token.value == target for token in rule):
                continue
            target = None
        if all(_holds(token, device) for token in rule if token.operator in ("==", "!=")):
            for token in rule:
                if token.key == "GOTO":
                    target = token.value
                elif token.operator in ("=", "+=") and token.key != "LABEL":
                    _assign(token, device)
    assert target is None, f"no LABEL {target}"
    return device


def _read(line: str) -> list[Token]:
    tokens, at = [], 0
    while at < len(line.rstrip()):
        found = _TOKEN.match(line, at)
        assert found, f"not understood: {line[at:]}"
        token = Token(found["key"], found["of"], found["operator"], found["value"])
        if token.operator in ("==", "!="):
            assert token.key in _MATCHES, f"no match: {line}"
        else:
            assert token.key in ("GOTO", "LABEL") or _ASSIGNMENTS.get(token.key) == token.operator, line
        tokens.append(token)
        at = found.end()
    return tokens


def _holds(token: Token, device: Device) -> bool:
    of = token.of or ""
    value = {
        "ACTION": device.action,
        "SUBSYSTEM": device.subsystem,
        "KERNEL": device.kernel,
        "ENV": device.properties.get(of, ""),
        "ATTRS": device.attributes.get(of),
    }[token.key]
    alike = value is not None and any(fnmatch.fnmatchcase(value, each) for each in token.value.split("|"))
    return alike == (token.operator == "==")


def _assign(token: Token, device: Device) -> None:
    if token.key == "ENV":
        device.properties[str(token.of)] = token.value
    else:
        device.given[token.of or token.key].append(token.value)
