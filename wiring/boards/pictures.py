"""Pictures of a board from both sides, put together from KiCad's drawings of its layers."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Final

from PIL import Image

from wiring.boards.layout import Circle, Layout

#: KiCad's drawings have a million units a millimetre.
_UNITS: Final = 1_000_000
_MARGIN: Final = 1.0

#: Colours of the board, of copper under the lacquer, of bare copper, and of holes.
_BOARD, _COPPER, _BARE, _HOLE = "#1d5c38", "#2f8a55", "#d8b45a", "#ffffff"
_PRINT: Final = "#ffffff"

#: Widest and highest picture, in pixels.
_MOST: Final = 1800
_COLOURS: Final = 24
_SCALE: Final = 40.0


def picture(layout: Layout, drawings: Path, side: str) -> tuple[str, float]:
    """A side as an SVG, and its pixels for each millimetre. The back is seen as it lies when turned over."""
    left, top, right, bottom = layout.box
    width, height = right - left + 2 * _MARGIN, bottom - top + 2 * _MARGIN
    scale = min(_SCALE, _MOST / max(width, height))
    name = "Front" if side == "F" else "Back"
    layers = [
        _layer(layout, drawings, f"{side}_Cu", _COPPER),
        _layer(layout, drawings, f"{side}_Mask", _BARE),
        _layer(layout, drawings, f"{side}_Silkscreen", _PRINT),
    ]
    # The drawings' origin is the board's lower left corner.
    flip = f"translate({right - left} 0) scale(-1 1)" if side == "B" else ""
    body = "\n".join(
        (
            f'<g transform="translate({_MARGIN} {_MARGIN}) {flip}">',
            _shape(layout),
            *(f'<g transform="translate(0 {bottom - top}) scale({1 / _UNITS})">{layer}</g>' for layer in layers),
            _holes(layout),
            "</g>",
        )
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width * scale:.0f}" height="{height * scale:.0f}"><title>{layout.title}: {name}</title>\n'
        f'<rect width="100%" height="100%" fill="#ffffff"/>\n{body}\n</svg>\n',
        scale,
    )


def _shape(layout: Layout) -> str:
    left, top, _, _ = layout.box
    match layout.outline:
        case Circle((x, y), radius):
            return f'<circle cx="{x - left:g}" cy="{y - top:g}" r="{radius:g}" fill="{_BOARD}"/>'
        case points:
            corners = " ".join(f"{x - left:g},{y - top:g}" for x, y in points)
            return f'<polygon points="{corners}" fill="{_BOARD}"/>' + "".join(
                f'<polygon points="{" ".join(f"{x - left:g},{y - top:g}" for x, y in cutout)}" fill="{_HOLE}"/>'
                for cutout in layout.cutouts
            )


def _layer(layout: Layout, drawings: Path, name: str, colour: str) -> str:
    path = drawings / f"{layout.name}-{name}.svg"
    if not path.exists():
        return ""
    text = path.read_text(encoding="utf-8")
    body = text[text.index("</desc>") + 7 : text.rindex("</svg>")]
    # Words are drawn by their strokes; what a search would find is left out.
    body = re.sub(r"<text .*?</text>", "", body, flags=re.DOTALL)
    return re.sub(r"#000000", colour, body)


def _holes(layout: Layout) -> str:
    left, top, _, _ = layout.box
    found = [(via.at, via.drill) for via in layout.vias]
    found += [(part.pad_at(pad), pad.drill) for part in layout.parts for pad in part.footprint.pads if pad.drill]
    return "".join(
        f'<circle cx="{x - left:g}" cy="{y - top:g}" r="{drill / 2:g}" fill="{_HOLE}"/>' for (x, y), drill in found
    )


def assembly(layout: Layout, drawings: Path) -> str:
    """The drawing of where the parts go, as seen from the front: outlines and designators in black."""
    left, top, right, bottom = layout.box
    width, height = right - left + 2 * _MARGIN, bottom - top + 2 * _MARGIN
    lines = _layer(layout, drawings, "F_Fab", "#000000")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}mm" height="{height:g}mm"><title>{layout.title}: assembly</title>\n'
        f'<g transform="translate({_MARGIN} {_MARGIN})">{_shape(layout).replace(_BOARD, "#ffffff")}'
        f'<g transform="translate(0 {bottom - top}) scale({1 / _UNITS})">{lines}</g></g>\n</svg>\n'
    )


def both_sides(layout: Layout, drawings: Path, folder: Path) -> list[Path]:
    """Write the pictures of front and back as PNG; return their files."""
    made = []
    for side, word in (("F", "front"), ("B", "back")):
        text, _ = picture(layout, drawings, side)
        path = folder / f"{layout.name}-{word}.png"
        done = subprocess.run(["rsvg-convert", "-o", path], input=text.encode(), capture_output=True)
        if done.returncode:
            raise OSError(f"rsvg-convert: {done.stderr.decode().strip()}")
        Image.open(path).quantize(_COLOURS).save(path, optimize=True)
        made.append(path)
    return made
