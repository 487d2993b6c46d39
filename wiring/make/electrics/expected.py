"""`expected.toml`: the readings calculated for a finished tube, for ``tamsk-hw selftest --tube``."""

from __future__ import annotations

from math import ceil, floor

from wiring.make.board import Board
from wiring.make.electrics import emitters
from wiring.make.electrics.fields import (
    DRV5055A3,
    N35,
    N45,
    SS49E,
    TYPICAL_SS49E,
    dipole_field,
    distance_off,
    seat_field,
    steps,
)
from wiring.make.electrics.photo_transistors import (
    LEAST_REFLECTED,
    MOST_REFLECTED,
    SLOW_CHARGE,
    STRONGEST,
    WEAKEST,
    light_current,
    low_emitter,
    places,
    rise_time,
    thresholds,
)
from wiring.make.electrics.reflections import WIDE_SEPARATION, share_of_ring
from wiring.make.electrics.values import SUPPLY, alike
from wiring.make.mechanics.parts import PARTS
from wiring.make.numbers import number
from wiring.make.templates import render

#: The most sensitive SS49E of the spread (mV/mT, customary).
STRONG_SS49E = 17.5

Band = tuple[int, int, int]


def document(board: Board) -> str:
    """The text of `expected.toml`."""
    return render(
        "electrics/expected.toml.j2",
        title=board.title,
        wiring=f"{board.wiring.hash:08x}",
        recess=number(PARTS.sensor_recess),
        near=list(near_light(board)),
        far=list(far_light(board)),
        drv5055a3=list(field(board, DRV5055A3.sensitivity, DRV5055A3.sensitivity, DRV5055A3.sensitivity)),
        ss49e=list(field(board, SS49E.sensitivity, TYPICAL_SS49E, STRONG_SS49E)),
        ends=ends(board),
        neighbour=neighbour(board),
    )


def near_light(board: Board) -> Band:
    """Light (µs) that a sensor needs with its ring nearest: least, typical, most."""
    place = places(board)
    share = place.share(place.nearest)
    wide = share_of_ring(place.nearest, place.below, place.above, WIDE_SEPARATION)
    return _light(board, max(share, wide), min(share, wide))


def far_light(board: Board) -> Band:
    """The same with its ring farthest."""
    place = places(board)
    share = place.share(place.farthest)
    return _light(board, share, share)


def _light(board: Board, most_share: float, least_share: float) -> Band:
    """Light (µs) at the best, typically, and with either a slow sensor or everything against the emitter."""
    load = alike(board.circuit, "RP").amount
    lit = max(emitters.bank_sizes(board.circuit).values())
    emitter = emitters.typical_bank_current(board.circuit, lit) / lit
    strong = emitters.worst_bank_current(board.circuit, lit) / lit
    limits, low = thresholds(SUPPLY), thresholds(4.5)
    best = light_current(STRONGEST, MOST_REFLECTED, most_share, strong)
    middle = light_current(
        (WEAKEST + STRONGEST) / 2,
        (LEAST_REFLECTED + MOST_REFLECTED) / 2,
        (most_share + least_share) / 2,
        emitter,
    )
    weak = light_current(WEAKEST, LEAST_REFLECTED, least_share, emitter)
    dim = light_current(WEAKEST, LEAST_REFLECTED, least_share, low_emitter(board))
    typical = rise_time(middle, load, (limits.rising_least + limits.rising_most) / 2)
    most = max(rise_time(weak, load, limits.rising_most, SLOW_CHARGE), rise_time(dim, load, low.rising_most))
    return _band(rise_time(best, load, limits.rising_least) * 1e6, typical * 1e6, most * 1e6)


def field(board: Board, weakest: float, typical: float, strongest: float) -> Band:
    """Steps that a seated glass moves a sensor of these sensitivities (mV/mT): N35 far off to N45 near by."""
    geometry, off = board.wiring.geometry, distance_off()
    middle = seat_field(geometry, (N35 + N45) / 2)
    return _band(
        steps(seat_field(geometry, N35, off), weakest),
        steps(middle, typical),
        steps(seat_field(geometry, N45, -off), strongest),
    )


def ends(board: Board) -> int:
    """Percent by which the weaker end of a glass may be below the stronger one: magnets glued in the jig."""
    geometry, cap = board.wiring.geometry, PARTS.jig_tolerance
    return ceil((1 - seat_field(geometry, N35, cap) / seat_field(geometry, N35, -cap)) * 100)


def neighbour(board: Board) -> int:
    """Steps that a glass in the next tube adds at most: the strongest magnet, rounded up."""
    geometry = board.wiring.geometry
    magnet = (geometry.magnet_diameter, geometry.magnet_thickness, N45)
    return ceil(steps(abs(dipole_field(geometry.tube_pitch, *magnet, axial=False)), DRV5055A3.sensitivity))


def _band(least: float, typical: float, most: float) -> Band:
    return floor(least), round(typical), ceil(most)
