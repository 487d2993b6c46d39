"""Calculations: light at the ring sensors, and the readings expected of a finished tube (`expected.toml`)."""

from dataclasses import dataclass
from math import ceil, floor, log, pi
from typing import Final

from wiring.make import electrics_fields as fields
from wiring.make import electrics_supply as emitters
from wiring.make.board import Board
from wiring.make.electrics_values import (
    COUNT,
    RESISTOR_TOLERANCE,
    SEPARATION,
    SPACING,
    WIDE_SEPARATION,
    Check,
    Subject,
    alike,
    judged,
    rating,
    share_from_below,
    share_of_ring,
    subject,
)
from wiring.make.geometry import PARTS
from wiring.make.texts import number, render

#: Collector current (A) of a QRE1114GR at 20 mA, 1 mm before a mirror, least and most: QRE1113/D.
WEAKEST: Final = 0.30e-3
STRONGEST: Final = 0.60e-3
MIRROR_CURRENT: Final = 0.020

#: Share of a mirror's light that ivory plastic gives back at 940 nm, least and most (estimates, measured by nobody
#: yet).
LEAST_REFLECTED: Final = 0.5
MOST_REFLECTED: Final = 0.8

#: Without a ring (A): own crosstalk at 20 mA at most 1 µA (QRE1113/D); a white ring on the next tube about 9 µA at
#: 23.4 mA (estimate, measured by nobody yet).
CROSSTALK: Final = 1e-6
NEXT_RING: Final = 9e-6 / 0.0234

#: A patch of sun through a window on one sensor (A), and the mean of a bare halogen lamp, fully modulated (A, Hz):
#: both have to be borne.
SUN: Final = 5e-3
LAMP: Final = 500e-6
LAMP_RIPPLE: Final = 120.0

#: A printed surface may lie so far off (mm); estimate.
PRINT: Final = 0.1

#: Forward voltage (V) of the emitter at most: 1.6 at 20 mA (QRE1113/D), 0.1 more at 27 mA (estimate). Output of
#: the driver (Ω): 5.7 at most at 25 °C is customary.
MOST_FORWARD: Final = 1.7
MOST_ON: Final = 5.7

#: By how much (mm) a ring may be nearer to a sensor or farther than it is drawn: a printed wall 0.1, the sensor's
#: body 0.1, its solder 0.03, the strip 0.04; farther also by a ring's bore, 0.06; estimates. A ring that is nearer
#: than the last of these is not seen.
NEARER: Final = 0.27
FARTHER: Final = 0.33
LEAST_DISTANCE: Final = 0.5

#: The photo-transistor, its base floating: gain times the capacitance of base and of collector (F), the
#: latter also of a slow one; thermal voltage (V), current in the dark (A).
#: Fitted to the sheet's 20 µs at 1 kΩ in a simulation;
#: measured by nobody yet.
BASE_CHARGE: Final = 13e-9
CHARGE: Final = 2.2e-9
SLOW_CHARGE: Final = 5e-9
THERMAL: Final = 0.026
DARK: Final = 1e-9

#: A saturated photo-transistor's output is so much below its supply (V), rounded up.
SATURATED: Final = 0.5

#: Counts of lit less dark: what is a ring before the calibration; the deviation of one difference, converter and
#: supply together (estimate); and the lit reading above which a sensor is unknown.
THRESHOLD: Final = 12.0
NOISE: Final = 1.2
MOST_LIT: Final = 900.0


def light_current(sheet: float, reflected: float, share: float, emitter: float) -> float:
    """Light current (A) of a sensor of ``sheet`` (A) before a mirror, its emitter at ``emitter`` (A).

    ``reflected`` is what the ring gives back, ``share`` the part of the light that comes back from where it is.
    """
    return sheet * reflected * share * emitter / MIRROR_CURRENT


def counts(light: float, load: float) -> float:
    """Counts of a light current (A) in its load (Ω)."""
    return light * load / COUNT


def rise_time(light: float, load: float, share: float, charge: float = CHARGE) -> float:
    """Seconds from light on in the dark until a ``share`` of the light current (A) flows; load (Ω), charge (F).

    What the current lacks charges base and collector: ``dI/dt = (light - I) / (BASE_CHARGE THERMAL / I + charge
    load)``.
    """
    end = share * light
    ahead = log((light - DARK) / (light - end))
    return BASE_CHARGE * THERMAL / light * (log(end / DARK) + ahead) + charge * load * ahead


def fall_time(load: float, begin: float, end: float, charge: float = CHARGE) -> float:
    """Seconds from light off until the current has fallen from ``begin`` to ``end`` (A), by the same."""
    return BASE_CHARGE * THERMAL * (1 / end - 1 / begin) + charge * load * log(begin / end)


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Distances (mm) of rings from a sensor's face, and the edges of its ring below and above its centre (mm)."""

    nearest: float
    farthest: float
    below: float
    above: float
    width: float

    def share(self, distance: float) -> float:
        """Light from the own ring at this distance, as a share of the sheet's."""
        return share_of_ring(distance, self.below, self.above)


def places(board: Board) -> Places:
    """As map and tube have them: a ring leans on either side of its tube."""
    geometry = board.wiring.geometry
    half = geometry.ring_thickness / 2
    return Places(
        nearest=PARTS.sensor_recess - PRINT,
        farthest=PARTS.sensor_recess + geometry.ring_inner_diameter - geometry.tube_outer_diameter + PRINT,
        below=half + PARTS.sensor_raise,
        above=half - PARTS.sensor_raise,
        width=(geometry.ring_outer_diameter - geometry.ring_inner_diameter) / 2,
    )


def low_emitter(board: Board) -> float:
    """Current (A) of an emitter, everything against it: supply, fuse, way, resistor, driver, forward voltage.

    Sun on all sensors is left out: what it takes from the emitters it takes from sensors that it dazzles.
    """
    circuit = board.circuit
    lit = max(emitters.bank_sizes(circuit).values())
    volts = (
        emitters.least_main(board) - emitters.average_current(circuit) * rating(circuit.by_ref["FU4"]).resistance
    )
    resistor = emitters.resistance(circuit) * (1 + RESISTOR_TOLERANCE)
    before = emitters.emitter_current(volts, MOST_FORWARD, resistor, MOST_ON, lit)
    lost = before * emitters.most_lit(circuit) * emitters.emitters_way(board)
    return emitters.emitter_current(volts - lost, MOST_FORWARD, resistor, MOST_ON, lit)


def stray_light(board: Board, separation: float) -> float:
    """Light (A) at the strongest sensor without a ring: a ring below, one on the next tube, its own crosstalk."""
    circuit, place = board.circuit, places(board)
    strong = emitters.worst_bank_current(circuit, lit := max(emitters.bank_sizes(circuit).values())) / lit
    up = share_from_below(place.nearest, place.width, place.below, separation)
    below = light_current(STRONGEST, MOST_REFLECTED, up, strong)
    return below + CROSSTALK * strong / MIRROR_CURRENT + NEXT_RING * strong


def photo_transistor_subject(board: Board) -> Subject:
    """Load, differences and times; light from the ring below (A) at the weakest and strongest sensor."""
    circuit, place = board.circuit, places(board)
    load = alike(circuit, "RP").amount
    lit = max(emitters.bank_sizes(circuit).values())
    emitter = emitters.typical_bank_current(circuit, lit) / lit
    far_share = place.share(place.farthest)
    near_share = min(
        place.share(place.nearest), share_of_ring(place.nearest, place.below, place.above, WIDE_SEPARATION)
    )
    rings: list[Check] = []
    for where, distance, share in (
        ("farthest", place.farthest, far_share),
        ("nearest", place.nearest, near_share),
    ):
        light = light_current(WEAKEST, LEAST_REFLECTED, share, emitter)
        rings += judged("ring", globals(), locals() | {"where": where, "distance": distance})
    light = light_current(WEAKEST, LEAST_REFLECTED, far_share, emitter)
    least_emitter = low_emitter(board)
    dim = light_current(WEAKEST, LEAST_REFLECTED, far_share, least_emitter)
    # The chain of all tolerances, beyond that of printing, which the places have.
    chain_near, chain_far = place.nearest + PRINT - NEARER, place.farthest - PRINT + FARTHER
    deep = light_current(WEAKEST, LEAST_REFLECTED, place.share(chain_far), least_emitter)
    strong = emitters.worst_bank_current(circuit, lit) / lit
    best = light_current(STRONGEST, MOST_REFLECTED, place.share(place.nearest), strong)
    stray, wide_stray = stray_light(board, SEPARATION), stray_light(board, WIDE_SEPARATION)
    up = share_from_below(place.nearest, place.width, place.below)
    weak_below = light_current(WEAKEST, LEAST_REFLECTED, up, emitter)
    strong_below = light_current(STRONGEST, MOST_REFLECTED, up, emitter)
    needed = (THRESHOLD + 2 * NOISE) / counts(light, load)
    # A sine is a parabola near its top, and that is what the mean of the two dark readings does not take out.
    ripple = LAMP * (2 * pi * LAMP_RIPPLE * SPACING * 1e-6) ** 2 / 2
    found = subject("photo_transistors", globals(), locals())
    return Subject((*rings, *found.checks), found.figures)


Band = tuple[int, int, int]


def document(board: Board) -> str:
    """The text of `expected.toml`."""
    return render(
        "expected.toml.j2",
        title=board.title,
        wiring=f"{board.wiring.hash:08x}",
        recess=number(PARTS.sensor_recess),
        near=list(near_light(board)),
        far=list(far_light(board)),
        stray=stray_counts(board),
        drv5055a3=list(
            field(board, fields.DRV5055A3.sensitivity, fields.DRV5055A3.sensitivity, fields.DRV5055A3.sensitivity)
        ),
        ss49e=list(field(board, fields.SS49E.sensitivity, fields.TYPICAL_SS49E, fields.STRONG_SS49E)),
        ends=ends(board),
        neighbour=neighbour(board),
    )


def near_light(board: Board) -> Band:
    """Counts of a sensor with its ring nearest: least, typical, most."""
    place = places(board)
    share = place.share(place.nearest)
    wide = share_of_ring(place.nearest, place.below, place.above, WIDE_SEPARATION)
    return _light(board, max(share, wide), min(share, wide))


def far_light(board: Board) -> Band:
    """The same with its ring farthest."""
    place = places(board)
    share = place.share(place.farthest)
    return _light(board, share, share)


def stray_counts(board: Board) -> int:
    """Counts of a sensor without a ring, at most."""
    return ceil(counts(stray_light(board, WIDE_SEPARATION), alike(board.circuit, "RP").amount))


def _light(board: Board, most_share: float, least_share: float) -> Band:
    """Counts with everything against the light, typically, and with everything for it."""
    load = alike(board.circuit, "RP").amount
    lit = max(emitters.bank_sizes(board.circuit).values())
    emitter = emitters.typical_bank_current(board.circuit, lit) / lit
    strong = emitters.worst_bank_current(board.circuit, lit) / lit
    middle = light_current(
        (WEAKEST + STRONGEST) / 2, (LEAST_REFLECTED + MOST_REFLECTED) / 2, (most_share + least_share) / 2, emitter
    )
    return _band(
        counts(light_current(WEAKEST, LEAST_REFLECTED, least_share, low_emitter(board)), load),
        counts(middle, load),
        counts(light_current(STRONGEST, MOST_REFLECTED, most_share, strong), load),
    )


def field(board: Board, weakest: float, typical: float, strongest: float) -> Band:
    """Steps that a seated glass moves a sensor of these sensitivities (mV/mT): N35 far off to N45 near by."""
    geometry, off = board.wiring.geometry, fields.distance_off()
    middle = fields.seat_field(geometry, (fields.N35 + fields.N45) / 2)
    return _band(
        fields.steps(fields.seat_field(geometry, fields.N35, off), weakest),
        fields.steps(middle, typical),
        fields.steps(fields.seat_field(geometry, fields.N45, -off), strongest),
    )


def ends(board: Board) -> int:
    """Percent by which the weaker end of a glass may be below the stronger one: magnets glued in the jig."""
    geometry, cap = board.wiring.geometry, PARTS.jig_tolerance
    return ceil(
        (1 - fields.seat_field(geometry, fields.N35, cap) / fields.seat_field(geometry, fields.N35, -cap)) * 100
    )


def neighbour(board: Board) -> int:
    """Steps that a glass in the next tube adds at most: the strongest magnet, rounded up."""
    geometry = board.wiring.geometry
    magnet = (geometry.magnet_diameter, geometry.magnet_thickness, fields.N45)
    return ceil(
        fields.steps(
            abs(fields.dipole_field(geometry.tube_pitch, *magnet, axial=False)), fields.DRV5055A3.sensitivity
        )
    )


def _band(least: float, typical: float, most: float) -> Band:
    return floor(least), round(typical), ceil(most)
