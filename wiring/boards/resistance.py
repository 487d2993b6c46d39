"""The resistance of a sheet of copper between two pads, from its shape: potentials on a mesh of squares."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray
from shapely import contains_xy, prepare
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

from wiring.boards.copper import net_copper
from wiring.boards.reading import BoardFile
from wiring.boards.wanted import PadName

#: Ohms of a square of copper of 35 µm, as factories make it, at 60 °C: 17.2 nΩm at 20 °C and 0.39 % more a kelvin.
SQUARE: Final = 17.2e-9 / 35e-6 * (1 + 0.0039 * 40)

#: The same inside a board of four layers, where cheap factories use foil of half the thickness.
INNER_SQUARE: Final = 2 * SQUARE

#: From a pad's edge to where the plane around it surely begins, in millimetres.
_AROUND: Final = 0.4

#: Side of the mesh's squares in millimetres, the share of the first error at which it is solved, and how many
#: rounds there are at most for each of its rows and columns.
_PITCH: Final = 0.2
_ENOUGH: Final = 1e-7
_ROUNDS: Final = 100

_Cells = NDArray[np.bool_]
_Values = NDArray[np.float64]


def resistance(
    board: BoardFile, layer: str, one: set[PadName], other: set[PadName], pitch: float = _PITCH
) -> float:
    """Ohms on a layer between two sets of pads of a net, those of each as if soldered together.

    Raises `ValueError` where the layer does not connect them.
    """
    pads = {(pad.ref, pad.number): pad for pad in board.pads}
    net = pads[next(iter(one))].net
    ends = [unary_union([pads[name].area for name in names]) for names in (one, other)]
    return SQUARE * squares(net_copper(board, net, layer), ends[0], ends[1], pitch)


def squares(sheet: BaseGeometry, one: BaseGeometry, other: BaseGeometry, pitch: float = _PITCH) -> float:
    """The resistance between two areas of a sheet, in squares. Raises `ValueError` where nothing connects them."""
    copper, source, drain = _rasters(sheet, (one, other), pitch)
    across, down = _steps(copper)
    potential = _solved(across, down, copper & ~source & ~drain, source.astype(np.float64))
    flow = float(_outflow(across, down, potential)[source].sum())
    if flow < 1e-6:
        raise ValueError("no copper between the pads on this layer")
    return 1 / flow


def plane_drop(
    board: BoardFile, layer: str, source: set[PadName], loads: Mapping[PadName, float], pitch: float = 0.5
) -> float:
    """Volts at most between a plane at its source and at one of its loads (A), on an inner layer.

    The copper between plane and pad is taken as closed: it is as long as it is wide in all. Raises `ValueError`.
    """
    pads = {(pad.ref, pad.number): pad for pad in board.pads}
    net = pads[next(iter(source))].net
    planes = [plane.area for plane in board.planes if plane.net == net and plane.layer == layer]
    own = {name: pads[name].area.buffer(_AROUND) for name in (*source, *loads)}
    sheet = unary_union([*planes, *own.values()])
    copper, here = _rasters(sheet, (unary_union([own[name] for name in source]),), pitch)
    inflow = np.zeros(copper.shape)
    places = {}
    for name, current in loads.items():
        _, place = _rasters(sheet, (own[name],), pitch)
        place &= ~here
        inflow[place] += current / place.sum()
        places[name] = place
    across, down = _steps(copper)
    potential = _solved(across, down, copper & ~here, np.zeros(copper.shape), inflow)
    return INNER_SQUARE * max(float(potential[place].mean()) for place in places.values())


def _rasters(sheet: BaseGeometry, areas: tuple[BaseGeometry, ...], pitch: float) -> list[_Cells]:
    """The mesh's cells that are on a sheet, then those of them that are in each area."""
    left, top, right, bottom = sheet.bounds
    columns, rows = int((right - left) / pitch) + 2, int((bottom - top) / pitch) + 2
    x, y = np.meshgrid(left + pitch * (np.arange(columns) - 0.5), top + pitch * (np.arange(rows) - 0.5))
    copper = _inside(sheet, x, y)
    return [copper, *(copper & _inside(area, x, y) for area in areas)]


def _steps(copper: _Cells) -> tuple[_Values, _Values]:
    """One for each step between neighbours that are both copper, across and down."""
    across = (copper[:, 1:] & copper[:, :-1]).astype(np.float64)
    return across, (copper[1:, :] & copper[:-1, :]).astype(np.float64)


def _inside(area: BaseGeometry, x: _Values, y: _Values) -> _Cells:
    prepare(area)
    found: _Cells = contains_xy(area, x, y)
    return found


def _outflow(across: _Values, down: _Values, potential: _Values) -> _Values:
    """The current out of each cell into its neighbours."""
    found = np.zeros_like(potential)
    step = across * (potential[:, :-1] - potential[:, 1:])
    found[:, :-1] += step
    found[:, 1:] -= step
    step = down * (potential[:-1, :] - potential[1:, :])
    found[:-1, :] += step
    found[1:, :] -= step
    return found


def _solved(
    across: _Values, down: _Values, free: _Cells, fixed: _Values, inflow: _Values | float = 0.0
) -> _Values:
    """The potentials at which each free cell gives what flows in: by conjugate gradients."""
    mask = free.astype(np.float64)
    potential = fixed.copy()
    rest = (inflow - _outflow(across, down, potential)) * mask
    toward = rest.copy()
    size = float((rest * rest).sum())
    enough = size * _ENOUGH**2
    for _ in range(_ROUNDS * sum(free.shape)):
        if size <= enough:
            break
        moved = _outflow(across, down, toward) * mask
        share = size / float((toward * moved).sum())
        potential += share * toward
        rest -= share * moved
        before, size = size, float((rest * rest).sum())
        toward = rest + size / before * toward
    return potential
