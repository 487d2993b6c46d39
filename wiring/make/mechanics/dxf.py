"""``template.dxf``: the board of the template for drawing and milling programs, in millimetres from D4's axis."""

from __future__ import annotations

import io
from typing import Final

from ezdxf import options  # type: ignore[attr-defined]  # public, but not marked as such
from ezdxf.enums import TextEntityAlignment
from ezdxf.filemanagement import new
from ezdxf.layouts.layout import Modelspace
from ezdxf.units import MM

from tamsk_hw.board.wiring import Wiring
from wiring.make.mechanics.layout import layout
from wiring.make.mechanics.shapes import Anchor, Circle, Line, Polygon, Shape, Text
from wiring.make.mechanics.template import board_shapes

#: Height of capitals in type of size 1: DXF measures these.
_CAPITALS: Final = 0.73

_ALIGN: Final[dict[Anchor, TextEntityAlignment]] = {
    "start": TextEntityAlignment.LEFT,
    "middle": TextEntityAlignment.CENTER,
    "end": TextEntityAlignment.RIGHT,
}


def template_dxf(wiring: Wiring) -> str:
    """The board's shapes, each layer of `template` a layer of the same name; the same text for the same map.

    Layers to be cut or drilled are BOARD, DRILL, PIXEL and SCREW; all others are for the eye.
    """
    fixed = options.write_fixed_meta_data_for_testing
    options.write_fixed_meta_data_for_testing = True
    try:
        document = new("R2010", units=MM)
        document.linetypes.add("RINGS", pattern=[3.2, 2.0, -1.2], description="Rings __ __ __")
        space = document.modelspace()
        for shape in board_shapes(layout(wiring)):
            if shape.layer not in document.layers:
                document.layers.add(shape.layer, linetype="RINGS" if shape.layer == "RING" else "CONTINUOUS")
            _add(space, shape)
        # Otherwise they come in the order of a set, which differs from run to run.
        for name in sorted(document.entitydb.dxf_types_in_use()):
            document.classes.add_class(name)
        stream = io.StringIO()
        document.write(stream)
        return stream.getvalue()
    finally:
        options.write_fixed_meta_data_for_testing = fixed


def _add(space: Modelspace, shape: Shape) -> None:
    attributes = {"layer": shape.layer}
    match shape:
        case Circle():
            space.add_circle(_at(shape.x, shape.y), shape.radius, attributes)
        case Line():
            space.add_line(_at(shape.x1, shape.y1), _at(shape.x2, shape.y2), attributes)
        case Polygon():
            space.add_lwpolyline([_at(x, y) for x, y in shape.points], close=True, dxfattribs=attributes)
        case Text():
            text = space.add_text(shape.words, height=round(shape.size * _CAPITALS, 6), dxfattribs=attributes)
            text.set_placement(_at(shape.x, shape.y), align=_ALIGN[shape.anchor])


def _at(x: float, y: float) -> tuple[float, float]:
    """The place rounded to a millionth; further digits differ between computers."""
    return round(x, 6) + 0.0, round(y, 6) + 0.0
