"""Reads s-expressions, the form of KiCad's files."""

from __future__ import annotations

import re
from typing import Final

#: A list of words and lists.
Expression = list["str | Expression"]

_TOKEN: Final = re.compile(r'\s*(?:([()])|"((?:[^"\\]|\\.)*)"|([^\s()"]+))')


def parse(text: str) -> Expression:
    """The expression that a file consists of. Raises `ValueError` where brackets do not match."""
    stack: list[Expression] = [[]]
    place = 0
    text = text.rstrip()
    while place < len(text):
        found = _TOKEN.match(text, place)
        if found is None:
            raise ValueError(f"character {place}: neither bracket nor word")
        place = found.end()
        bracket, quoted, word = found.groups()
        if bracket == "(":
            inner: Expression = []
            stack[-1].append(inner)
            stack.append(inner)
        elif bracket == ")":
            stack.pop()
            if not stack:
                raise ValueError(f"character {place}: a bracket too many")
        else:
            stack[-1].append(word if quoted is None else quoted.replace('\\"', '"').replace("\\\\", "\\"))
    if len(stack) != 1 or len(stack[0]) != 1 or isinstance(stack[0][0], str):
        raise ValueError("the end: a bracket is missing, or more than one expression is there")
    return stack[0][0]


def named(expression: Expression, name: str) -> list[Expression]:
    """The lists in an expression that begin with this word."""
    return [each for each in expression if isinstance(each, list) and each and each[0] == name]


def numbers(expression: Expression, name: str) -> list[float]:
    """The numbers in the first list of that name; none where there is no such list."""
    for each in named(expression, name):
        return [float(word) for word in each[1:] if isinstance(word, str) and _is_number(word)]
    return []


def words(expression: Expression, name: str) -> list[str]:
    """The words in the first list of that name."""
    for each in named(expression, name):
        return [word for word in each[1:] if isinstance(word, str)]
    return []


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True
