"""Puts pictures on a sheet of A4, as large as they fit."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass

from wiring.make.harness.drawing import TEXT_SIZE, Picture

#: A4, and the margin that a printer leaves free, in millimetres.
SHORT, LONG, MARGIN = 210.0, 297.0, 8.0

#: Text is not made larger than this, in millimetres.
LARGEST = 3.5

_HEAD, _FOOT, _BETWEEN = 12.0, 5.0, 3.0


@dataclass(frozen=True, slots=True)
class Caption:
    """The words on a sheet around its pictures; ``drawn_by`` is a comment in the file."""

    title: str
    subject: str
    made_from: str
    foot: str
    drawn_by: str


def sheet(caption: Caption, pictures: Sequence[Picture]) -> str:
    """The pictures one below the other, upright or on its side, whichever lets them be larger."""
    upright, aside = _scale(SHORT, LONG, pictures), _scale(LONG, SHORT, pictures)
    width, height, scale = (SHORT, LONG, upright) if upright >= aside else (LONG, SHORT, aside)
    left, top = MARGIN, MARGIN + _HEAD
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f"<!-- Drawn by {caption.drawn_by} -->",
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'width="{width:g}mm" height="{height:g}mm" viewBox="0 0 {width:g} {height:g}">',
        f"<title>{html.escape(f'{caption.title}: {caption.subject}')}</title>",
        f'<rect width="{width:g}" height="{height:g}" fill="#ffffff"/>',
        _text(left, MARGIN + 4.5, 4.5, f"{caption.title}: {caption.subject}", weight="bold"),
        _text(left, MARGIN + 9, 2.8, f"Made from {caption.made_from}; do not edit."),
        _text(left, height - MARGIN, 2.8, caption.foot),
    ]
    for each in pictures:
        at = left + (width - 2 * MARGIN - each.width * scale) / 2
        lines += [f'<g transform="translate({at:.3f} {top:.3f}) scale({scale:.5f})">', each.inside, "</g>"]
        top += each.height * scale + _BETWEEN
    return "\n".join([*lines, "</svg>", ""])


def _scale(width: float, height: float, pictures: Sequence[Picture]) -> float:
    """Millimetres for a unit of the pictures."""
    across = (width - 2 * MARGIN) / max(each.width for each in pictures)
    room = height - 2 * MARGIN - _HEAD - _FOOT - _BETWEEN * (len(pictures) - 1)
    return min(across, room / sum(each.height for each in pictures), LARGEST / TEXT_SIZE)


def _text(x: float, y: float, size: float, text: str, weight: str = "normal") -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" font-family="arial" font-size="{size:g}" font-weight="{weight}">'
        f"{html.escape(text)}</text>"
    )
