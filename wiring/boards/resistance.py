"""The resistance of a sheet of copper between two pads, from its shape: potentials on a mesh of squares."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.linalg import splu
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

#: Side of the mesh's squares in millimetres, and what holds a piece of copper that is connected to nothing.
_PITCH: Final = 0.2
_BARELY: Final = 1e-12

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
    mesh = _Mesh(copper)
    potential = mesh.potentials(source | drain, source.astype(np.float64), np.zeros(copper.shape))
    flow = float(mesh.outflow(potential)[source].sum())
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
    areas = (unary_union([own[name] for name in source]), *(own[name] for name in loads))
    copper, here, *places = _rasters(sheet, areas, pitch)
    inflow = np.zeros(copper.shape)
    for place, current in zip(places, loads.values(), strict=True):
        place &= ~here
        inflow[place] += current / place.sum()
    potential = _Mesh(copper).potentials(here, np.zeros(copper.shape), inflow)
    return INNER_SQUARE * max(float(potential[place].mean()) for place in places)


def _rasters(sheet: BaseGeometry, areas: tuple[BaseGeometry, ...], pitch: float) -> list[_Cells]:
    """The mesh's cells that are on a sheet, then those of them that are in each area."""
    left, top, right, bottom = sheet.bounds
    columns, rows = int((right - left) / pitch) + 2, int((bottom - top) / pitch) + 2
    x, y = np.meshgrid(left + pitch * (np.arange(columns) - 0.5), top + pitch * (np.arange(rows) - 0.5))
    copper = _inside(sheet, x, y)
    return [copper, *(copper & _inside(area, x, y) for area in areas)]


def _inside(area: BaseGeometry, x: _Values, y: _Values) -> _Cells:
    prepare(area)
    found: _Cells = contains_xy(area, x, y)
    return found


class _Mesh:
    """Cells of copper as resistors of one square between neighbours."""

    def __init__(self, copper: _Cells) -> None:
        self._copper = copper
        number = np.cumsum(copper.ravel()).reshape(copper.shape) - 1
        across, down = copper[:, 1:] & copper[:, :-1], copper[1:, :] & copper[:-1, :]
        one = np.concatenate((number[:, :-1][across], number[:-1, :][down]))
        other = np.concatenate((number[:, 1:][across], number[1:, :][down]))
        count = int(copper.sum())
        near = sparse.coo_array((np.ones(len(one)), (one, other)), shape=(count, count)).tocsr()
        near = near + near.T
        self._matrix = (sparse.diags_array(near.sum(axis=1)) - near).tocsr()

    def outflow(self, potential: _Values) -> _Values:
        """The current out of each cell into its neighbours."""
        found = np.zeros(self._copper.shape)
        found[self._copper] = self._matrix @ potential[self._copper]
        return found

    def potentials(self, held: _Cells, volts: _Values, inflow: _Values) -> _Values:
        """The potentials at which each cell that is not ``held`` at its ``volts`` gives what flows in."""
        on = held[self._copper]
        free, fixed = np.flatnonzero(~on), np.flatnonzero(on)
        rest = inflow[self._copper][free] - self._matrix[free][:, fixed] @ volts[self._copper][fixed]
        # A piece that hangs nowhere is held, too, though only just.
        own = self._matrix[free][:, free] + _BARELY * sparse.eye_array(len(free))
        values = volts[self._copper].copy()
        values[free] = splu(own.tocsc()).solve(rest)
        found = np.zeros(self._copper.shape)
        found[self._copper] = values
        return found
