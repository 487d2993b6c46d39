"""The words that a bundle may hold: the program's own, short numbers, times, sensors and a few paths.

Everything else in a text becomes ``…``. Nothing is looked for that would have to be recognised as a secret, so a
new spelling of an address is left out as an unknown word is.
"""

from __future__ import annotations

import ast
import builtins
import json
import os
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

from tamsk_hw.configuration.reading import SYSTEM_FILE
from tamsk_hw.configuration.settings import CALIBRATION_NAME, SECTIONS, SYSTEM_STATE
from tamsk_hw.game.tubes import TUBES

#: What stands in place of what may not be shown.
HIDDEN: Final = "…"

#: The package's folders whose sentences, codes and keys are its own words.
_ROOMS: Final = (
    *("board", "configuration", "facts", "game", "journal", "panel", "referee", "table", "words", "workbench"),
)

_PATHS: Final = frozenset(
    {
        str(SYSTEM_FILE),
        *(str(SYSTEM_STATE / name) for name in ("", CALIBRATION_NAME, "journal.db")),
        *("/dev/spidev0.0", "/dev/spidev1.0", "/dev/mem", "/dev/gpiochip0", "/dev/gpiochip4", "/dev/serial0"),
    }
)

# Numbers of more digits may be serial numbers; several in a row may be an address.
_NUMBER: Final = re.compile(
    r"[+-]?\d{1,5}(?:\.\d{1,4})?(?:%|s|ms|/4)?|\d\d:\d\d(?::\d\d)?(?:\.\d{1,3})?", re.ASCII
)
_MOST_NUMBERS: Final = 3
_SHAPES: Final = re.compile(
    r"R\d\d?\.\d\d?|[A-G][1-7](?:\.\d)?|[AB]|(?:red|black)-\d|GPIO\d\d?|[→·–-]"
    r"|\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d[+-]\d{4})?|/dev/tty(?:USB|ACM|AMA|S)\d\d?",
    re.ASCII,
)
_SERVICE: Final = re.compile(r"tamsk-hw\[\d{1,7}\]:", re.ASCII)
_WORD: Final = re.compile(r"[A-Za-z][A-Za-z_'-]*")
_MODULE: Final = re.compile(r".*[/\"](tamsk_hw(?:/\w+)+\.py)")
_TOKEN: Final = re.compile(r"([ \t]+)")
_OPENING, _CLOSING = "([{<\"'“", ")]}>,.;:!?\"'”…"


class Harmless:
    """Texts without what may not be shown. ``names``: people and computers that are known, hidden at any rate."""

    def __init__(self, names: Iterable[str | None] = ()) -> None:
        parts = {part.casefold() for name in names if name for part in re.split(r"[^\w]+", name)}
        # A bundle without these would tell nothing, and whoever is called so shares the name with the game.
        self._words = _vocabulary() - (parts - _OF_THE_GAME)

    def text(self, text: str) -> str:
        """A text, line by line."""
        return "\n".join(map(self._line, text.split("\n")))

    def json(self, line: str) -> str:
        """A line of JSON: its numbers as they are, its names and texts as `text` shows them."""
        return json.dumps(self._value(json.loads(line)), ensure_ascii=False, separators=(",", ":"))

    def _value(self, value: Any) -> Any:
        match value:
            case str():
                return " ".join(self.text(value).split())
            case dict():
                return {self._value(key): self._value(item) for key, item in value.items()}
            case list():
                return [self._value(item) for item in value]
            case _:
                return value

    def _line(self, line: str) -> str:
        tokens = _TOKEN.split(line)
        shown = [self._token(token) if place % 2 == 0 else token for place, token in enumerate(tokens)]
        for run in _runs(shown):
            if len(run) > _MOST_NUMBERS or any(HIDDEN in shown[place] for place in run):
                for place in run:
                    shown[place] = HIDDEN
        out: list[str] = []
        for token in shown:
            if token == HIDDEN and "".join(out).rstrip().endswith(HIDDEN):
                while out and not out[-1].strip():
                    out.pop()
                continue
            out.append(token)
        return "".join(out)

    def _token(self, token: str) -> str:
        core = token.lstrip(_OPENING).rstrip(_CLOSING)
        if not core or core.casefold() in self._words or core in _PATHS:
            return token
        if _NUMBER.fullmatch(core) or _SHAPES.fullmatch(core) or _SERVICE.fullmatch(token):
            return token
        module = _MODULE.match(core)
        if module and module[1] in _modules():
            return module[1]
        return HIDDEN


def _runs(tokens: list[str]) -> Iterator[list[int]]:
    """The places of numbers and hidden words that follow one another."""
    run: list[int] = []
    for place in range(0, len(tokens), 2):
        core = tokens[place].lstrip(_OPENING).rstrip(_CLOSING)
        if tokens[place] == HIDDEN or _NUMBER.fullmatch(core):
            run.append(place)
        elif tokens[place]:
            yield run
            run = []
    yield run


_FOLDER: Final = Path(__file__).resolve().parents[2]


@cache
def _modules() -> frozenset[str]:
    return frozenset(f"tamsk_hw/{file.relative_to(_FOLDER)}" for file in _FOLDER.rglob("*.py"))


@cache
def _vocabulary() -> frozenset[str]:
    """The words in the package's sentences, codes and keys, the system's errors, and exceptions' names."""
    texts = [os.strerror(number) for number in range(1, 134)]
    texts += [name for name in dir(builtins) if name.endswith(("Error", "Exception", "Warning"))]
    for room in _ROOMS:
        for file in (_FOLDER / room).rglob("*.py"):
            texts += _strings(ast.parse(file.read_text(encoding="utf-8")))
    words = {word.casefold() for text in texts for word in _WORD.findall(text)}
    words = {word for word in words if len(word) != 2 or not set(word) <= set("abcdef") or word == "be"}
    words |= {f"{section.name}.{key.name}" for section in SECTIONS for key in section.keys}
    return frozenset(
        words | _OF_THE_GAME | {"tamsk-hw.service", "traceback", "dialout", "systemd", "file", "line", "in"}
    )


def _strings(tree: ast.Module) -> Iterator[str]:
    """The texts of a module but for its docstrings."""
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.value


_OF_THE_GAME: Final = frozenset(
    {
        *("red", "black", "start", "short", "long", "button", "seat", "lift", "tilt", "rings", "ring", "timer"),
        *(
            "holder",
            "link",
            "fault",
            "arbiter",
            "tick",
            "game",
            "turn",
            "move",
            "glass",
            "board",
            "player",
            "level",
        ),
        *("tube", "end", "event", "ruling", "setup", "tamsk", "tamsk-hw", "a", "b"),
        *(tube.name.casefold() for tube in TUBES),
    }
)
