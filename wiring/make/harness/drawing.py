"""Has WireViz and graphviz draw a harness, and WireViz list what to buy."""

from __future__ import annotations

import copy
import re
import shutil
import subprocess
import textwrap
from dataclasses import dataclass
from functools import cache
from typing import Any

from wireviz import __version__ as wireviz_version  # type: ignore[import-untyped]
from wireviz.wireviz import parse  # type: ignore[import-untyped]
from wireviz.wv_bom import bom_list  # type: ignore[import-untyped]

from wiring.make.harness.source import Source

#: Size of the text in a picture, in its own units; graphviz lays out for `_LAID_OUT`, so that all has room.
TEXT_SIZE = 13.0

_LAID_OUT = 14.0

#: Keeps a text apart from its cell's border and from the next text.
_GAP = "\u00a0"


class HarnessError(ValueError):
    """The harness cannot be drawn; the text says why and what to do."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture: what is inside its ``svg`` element, and its size in its own units."""

    inside: str
    width: float
    height: float


def picture(source: Source, *, gap: float) -> Picture:
    """Draw a harness; ``gap`` inches lie between a connector and its cable. Raises `HarnessError`."""
    _dot()
    svg = str(parse({**_spread(source), "tweak": {"append": f"\tranksep={gap}\n"}}, return_types="svg"))
    box = re.search(r'viewBox="0\.00 0\.00 ([0-9.]+) ([0-9.]+)"', svg)
    if box is None:
        raise HarnessError("graphviz has drawn no picture with a viewBox; 2.43 and later are known to do")
    inside = svg[svg.index(">", box.end()) + 1 : svg.rindex("</svg>")]
    inside = re.sub(r"<!--.*?-->\n?|<title>.*?</title>\n?| id=\"[^\"]*\"", "", inside, flags=re.DOTALL)
    inside = inside.replace(f'font-size="{_LAID_OUT:.2f}"', f'font-size="{TEXT_SIZE:.2f}"')
    inside = inside.replace('stroke="transparent"', 'stroke="none"')
    inside = re.sub(r"&#160;|&nbsp;|\u00a0", " ", inside)
    inside = re.sub(r"(<text [^>]*>) *([^<]*?) *</text>", r"\1\2</text>", inside)
    inside = re.sub(r"<text [^>]*></text>\n?", "", inside)
    return Picture(inside.strip(), float(box[1]), float(box[2]))


def bill(source: Source) -> str:
    """WireViz' own list of connectors, cables and wires with their lengths, separated by tabs."""
    harness: Any = parse(copy.deepcopy(source), return_types="harness")
    rows: list[list[str]] = bom_list(harness.bom())
    return "".join("\t".join(row) + "\n" for row in rows)


@cache
def drawn_by() -> str:
    """The versions that draw here. Raises `HarnessError`."""
    version = subprocess.run([_dot(), "-V"], capture_output=True, text=True, check=True).stderr
    return f"WireViz {wireviz_version}, {version.strip().removeprefix('dot - ')}"


def _dot() -> str:
    dot = shutil.which("dot")
    if dot is None:
        raise HarnessError("graphviz (dot) is missing: install it with apt install graphviz")
    return dot


def _spread(source: Source) -> Source:
    """A copy for drawing: long texts on several lines, gaps at the ends of labels, no order codes."""
    spread: Source = copy.deepcopy(source)
    for entry in (*spread["connectors"].values(), *spread["cables"].values()):
        for key in ("type", "notes"):
            if key in entry:
                entry[key] = "\n".join(line for text in entry[key].split("\n") for line in _lines(text))
        for key in ("pinlabels", "wirelabels"):
            if key in entry:
                entry[key] = [f"{label}{_GAP}" for label in entry[key]]
        for key in ("manufacturer", "mpn"):
            entry.pop(key, None)
    return spread


def _lines(text: str) -> list[str]:
    """A text as lines; short pieces between commas are not broken."""
    pieces = [piece if len(piece) > 16 else piece.replace(" ", "\u00a0") for piece in text.split(", ")]
    return textwrap.wrap(", ".join(pieces), 32)
