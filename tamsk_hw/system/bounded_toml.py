"""TOML whose shape is bounded before `tomllib` sees it.

`tomllib` needs quadratic time for dotted keys, recurses for brackets and leaves long numbers to `int`, which has a
bound of its own. No settings file has any of these: one pass over its words refuses them.
"""

from __future__ import annotations

import re
import tomllib
from typing import Any, Final

#: Brackets in one another, parts of a dotted key, and characters of a number, at most.
DEEPEST: Final = 16
MOST_PARTS: Final = 16
LONGEST_NUMBER: Final = 100

# A text that is never closed ends the search: `tomllib` refuses it there, having read only what was looked at.
_TOKEN: Final = re.compile(
    r'''
    (?P<long> """(?:\\.|[^\\])*?"{3,5} | \'\'\'.*?\'{3,5} )
  | (?P<unclosed> """ | \'\'\' )
  | (?P<text> "(?:\\.|[^"\\\n])*" | '[^'\n]*' )
  | (?P<half> ["'] )
  | (?P<comment> \#[^\n]* )
  | (?P<opens> [\[{] )
  | (?P<closes> [\]}] )
  | (?P<dot> \. )
  | (?P<word> [\w+-]+ )
  | (?P<parts> [=,\n] )
    ''',
    re.VERBOSE | re.DOTALL,
)


class TomlError(ValueError):
    """A text that is no TOML, or TOML beyond the bounds; the message ends with its place, as `tomllib`'s do."""


def parse_toml(text: str) -> dict[str, Any]:
    """The values in ``text``; a byte order mark before it, as some editors write, is left out.

    Raises:
        TomlError: it is no TOML, or too deep, or has a number too long.
    """
    text = text.removeprefix("\ufeff")
    _check(text.replace("\r\n", "\n"))
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise TomlError(" ".join(str(error).split())) from None


def _check(text: str) -> None:
    """Refuse a text beyond the bounds."""
    depth = dots = 0
    for token in _TOKEN.finditer(text):
        match token.lastgroup:
            case "unclosed" | "half":
                return
            case "opens":
                depth, dots = depth + 1, 0
                if depth > DEEPEST:
                    raise _error(f"More than {DEEPEST} brackets in one another", text, token.start())
            case "closes":
                depth, dots = max(0, depth - 1), 0
            case "parts":
                dots = 0
            case "dot":
                dots += 1
                if dots >= MOST_PARTS:
                    raise _error(f"A key of more than {MOST_PARTS} parts", text, token.start())
            case "word":
                word = token[0]
                if len(word) > LONGEST_NUMBER and word.lstrip("+-")[:1].isdecimal():
                    raise _error(f"A number of {len(word)} characters", text, token.start())


def _error(what: str, text: str, place: int) -> TomlError:
    line = text.count("\n", 0, place) + 1
    column = place - text.rfind("\n", 0, place)
    return TomlError(f"{what} (at line {line}, column {column})")
