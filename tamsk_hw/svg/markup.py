"""Elements of SVG as text, with everything escaped that comes from people."""

from __future__ import annotations

from html import escape

from tamsk_hw.errors import printable

#: Values of an attribute; None leaves it out, True gives it the value ``true``.
Value = str | float | bool | None

#: Attributes of lines with round ends and corners.
ROUND: dict[str, Value] = {"stroke_linecap": "round", "stroke_linejoin": "round"}


def number(value: float) -> str:
    """A number with at most two decimals, and none that say nothing: ``12.5``, ``3``."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def text_of(words: str) -> str:
    """Words as content of an element; characters that XML does not know become their numbers."""
    return escape(words if words.isprintable() else printable(words), quote=False)


def _attribute(name: str, value: Value) -> str:
    """An attribute with a space before it, or nothing."""
    if value is None:
        return ""
    if isinstance(value, bool):
        value = "true" if value else "false"
    shown = escape(value if value.isprintable() else printable(value)) if isinstance(value, str) else number(value)
    return f' {name.strip("_").replace("_", "-")}="{shown}"'


def tag(name: str, *content: str, **attributes: Value) -> str:
    """An element. ``content`` is markup already; ``class_`` is written ``class``, ``data_t`` ``data-t``."""
    opened = f"<{name}{''.join(_attribute(*each) for each in attributes.items())}"
    return f"{opened}>{''.join(content)}</{name}>" if content else f"{opened}/>"


def at(x: float, y: float, *more: str) -> str:
    """A transform that moves to a place, then does ``more``."""
    return " ".join((f"translate({number(x)} {number(y)})", *more))
