"""Checks, and the values that they rest on.

Results of calculations: a check with its limit, and a subject with its checks.

Figures that several subjects use, and the parts of a circuit that are all alike.

The fuses: holding and trip currents, resistance.

Light from a ring back to the sensors: from the ring before the sensor, and from the one below it.

Emitter and photo-transistor are two points, one above the other in the sensor's face, that send and see by
Lambert's law; a ring reflects alike in all directions. How far apart the two points are is chosen so that the
light falls with the distance as the data sheet's curve does.

The currents of the parts on a rail, summed from the circuit.
"""

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import jinja2

from wiring.make.circuit import Circuit, Part, Role, Unit
from wiring.make.texts import number


@dataclass(frozen=True, slots=True)
class Check:
    """One calculation held against its limit.

    ``what`` names it; ``formula`` is the calculation with its numbers; ``result`` and ``limit`` carry their units;
    ``value`` is the result as a number in that unit; ``source`` says where limit and figures come from.
    """

    what: str
    formula: str
    result: str
    limit: str
    holds: bool
    source: str
    value: float


@dataclass(frozen=True, slots=True)
class Subject:
    """A part of the circuit: its checks, and by name the figures that its text and its checks have."""

    checks: tuple[Check, ...]
    figures: Mapping[str, Any]


_JINJA: Final = jinja2.Environment(
    undefined=jinja2.StrictUndefined,
    finalize=lambda value: number(value) if isinstance(value, int | float) else value,
    autoescape=False,
)


@cache
def _table() -> dict[str, list[dict[str, str]]]:
    """`calculations.toml`: the checks of each subject."""
    return tomllib.loads(Path(__file__).with_name("calculations.toml").read_text(encoding="utf-8"))


def judged(key: str, constants: Mapping[str, Any], figures: Mapping[str, Any]) -> tuple[Check, ...]:
    """The checks of one table of `calculations.toml`.

    Their expressions name the module's ``constants`` and functions, those of this module, and the ``figures``.
    Raises `jinja2.UndefinedError` for another name.
    """
    names = {**globals(), **constants, **figures}
    return tuple(_check(row, names) for row in _table()[key])


def subject(key: str, constants: Mapping[str, Any], figures: Mapping[str, Any]) -> Subject:
    """The subject whose checks are one table, with the same names."""
    return Subject(judged(key, constants, figures), {**globals(), **constants, **figures})


def _check(row: dict[str, str], names: dict[str, Any]) -> Check:
    what, formula, source = (_template(row[key]).render(names) for key in ("what", "formula", "source"))
    kind = "at_most" if "at_most" in row else "at_least"
    result, limit = _expression(row["result"])(names), _expression(row[kind])(names)
    return Check(
        what,
        formula,
        f"{number(result)} {row['unit']}",
        f"{kind.replace('_', ' ')} {number(limit)} {row['unit']}",
        result <= limit if kind == "at_most" else result >= limit,
        source,
        result,
    )


@cache
def _template(text: str) -> jinja2.Template:
    return _JINJA.from_string(text)


@cache
def _expression(text: str) -> Callable[..., Any]:
    return _JINJA.compile_expression(text, undefined_to_none=False)


#: The board's supply (V), and its tolerance (share): Mean Well GST25A, as usual for its 5 V type.
SUPPLY: Final = 5.0
SUPPLY_TOLERANCE: Final = 0.05

#: Tolerance (share) of the resistors: metal film, 1 %.
RESISTOR_TOLERANCE: Final = 0.01

#: One step of the fields and references: 8 bits of the supply (V). PROTOCOL.md section 4.
STEP: Final = SUPPLY / 256

#: From one scan to the next (µs): PROTOCOL.md section 4. So long a bank is lit at one time, at most, and in each
#: round of the banks (µs) on average, where every other visit lights it twice; from a change of the light to the
#: first sample (µs), and from a sensor's sample to its next, at most (µs). firmware/avr/scan.c, estimated.
SCAN: Final = 2500.0
LIT: Final = 205.0
LIT_IN_ROUND: Final = 280.0
ROUND: Final = 10_000.0
SETTLING: Final = 60.0
SPACING: Final = 205.0

#: One count of the ring sensors' converters: 10 bits of the supply (V).
COUNT: Final = SUPPLY / 1024

#: Highest ambient temperature (°C): a living room, and the warmth inside the housing.
AMBIENT: Final = 40.0


def alike(circuit: Circuit, letters: str) -> Part:
    """One of the parts with these letters, which have one value. Raises `ValueError` when their values differ."""
    parts = [part for part in circuit.parts if part.letters == letters]
    values = {part.value for part in parts}
    if len(values) != 1:
        raise ValueError(f"{letters}: values {', '.join(sorted(values)) or 'none'}; needed is the same in all")
    return parts[0]


#: Share of its rating at 23 °C that a resettable fuse holds at 40 °C: customary; compare the sheet's table.
WARM: Final = 0.80

#: Share of its rating that a glass fuse carries for good: Littelfuse, selection guide.
FOR_GOOD: Final = 0.75


@dataclass(frozen=True, slots=True)
class FuseRating:
    """One fuse: holds ``hold`` A at 23 °C, surely trips at ``trip`` A, ``resistance`` Ω at most (after a trip).

    ``carries`` is what it may carry for good (A) where the board stands.
    """

    hold: float
    trip: float
    resistance: float
    carries: float
    source: str


def _resettable(hold: float, trip: float, resistance: float) -> FuseRating:
    return FuseRating(hold, trip, resistance, hold * WARM, "Bourns MF-R series")


#: By value: hold and trip current, most resistance an hour after a trip (Bourns MF-R; the 4 A one IEC 60127-2, and
#: 17 mΩ cold by Littelfuse's sheet of the like 213 004, 20 mΩ at half of its current).
RATINGS: Final = {
    "0.5 A resettable": _resettable(0.5, 1.0, 1.17),
    "1.1 A resettable": _resettable(1.1, 2.2, 0.27),
    "1.85 A resettable": _resettable(1.85, 3.7, 0.11),
    "2.5 A resettable": _resettable(2.5, 5.0, 0.07),
    "3 A resettable": _resettable(3.0, 6.0, 0.08),
    "4 A slow": FuseRating(4.0, 8.4, 0.02, 4.0 * FOR_GOOD, "IEC 60127-2: breaks at 2.1 times its rating"),
}


def rating(fuse: Part) -> FuseRating:
    """The rating of a fuse of the circuit. Raises `KeyError` for a value that is not known."""
    return RATINGS[fuse.value]


#: From the emitter to the photo-transistor (mm): gives 1.0, 0.46, 0.23, 0.13 at 1, 2, 3, 4 mm, where the sheet's
#: curve has about 1.0, 0.45, 0.2, 0.12 (read off by eye: customary).
SEPARATION: Final = 1.3

#: The same, if they were half of the body's length apart: the other end of what is likely.
WIDE_SEPARATION: Final = 1.8

#: The distance (mm) at which the data sheet states the light current, and half the size (mm) of a large mirror.
SHEET_DISTANCE: Final = 1.0
LARGE: Final = 8.0

#: Steps of the sums along each side.
_STEPS: Final = 120


@cache
def facing(distance: float, below: float, above: float, separation: float = SEPARATION) -> float:
    """Light from an upright surface, ``distance`` mm away, from ``below`` to ``above`` the sensor's centre (mm).

    In units of its own: only ratios mean something.
    """
    half = separation / 2
    total = 0.0
    for z, high in _middles(-below, above):
        for y, wide in _middles(-LARGE, LARGE):
            sent = distance**2 + y**2 + (z + half) ** 2
            seen = distance**2 + y**2 + (z - half) ** 2
            # Two angles at either end, each a cosine of distance over way.
            total += (distance**2 / sent / seen) ** 2 * high * wide
    return total


@cache
def from_below(gap: float, width: float, height: float, separation: float = SEPARATION) -> float:
    """Light from a level surface ``height`` mm below the sensor's centre, in the units of `facing`.

    It begins ``gap`` mm before the sensor's face and is ``width`` mm wide: the upper side of the ring below.
    """
    half = separation / 2
    total = 0.0
    for x, deep in _middles(gap, gap + width):
        for y, wide in _middles(-LARGE, LARGE):
            sent = x**2 + y**2 + (height - half) ** 2
            seen = x**2 + y**2 + (height + half) ** 2
            total += x * (height - half) / sent**2 * x * (height + half) / seen**2 * deep * wide
    return total


def share_of_ring(distance: float, below: float, above: float, separation: float = SEPARATION) -> float:
    """Light from a ring's bore there, as a share of that from a large surface at the sheet's distance."""
    return facing(distance, below, above, separation) / facing(SHEET_DISTANCE, LARGE, LARGE, separation)


def share_from_below(gap: float, width: float, height: float, separation: float = SEPARATION) -> float:
    """Light from the ring below, as the same share."""
    return from_below(gap, width, height, separation) / facing(SHEET_DISTANCE, LARGE, LARGE, separation)


def _middles(begin: float, end: float) -> Iterator[tuple[float, float]]:
    """The middles of equal steps from one end to the other, each with the step's size."""
    step = (end - begin) / _STEPS
    return ((begin + (place + 0.5) * step, step) for place in range(_STEPS))


def typical_current(circuit: Circuit, net: str) -> float:
    """Typical current (mA) of the parts whose supply pin is on the net."""
    return sum(part.kind.typical for part in supplied(circuit, net))


def worst_current(circuit: Circuit, net: str, units: Iterable[Unit] = Unit) -> float:
    """Worst current (mA) of the parts whose supply pin is on the net, and of all resistors on it as if the other
    end were grounded; of ``units`` only."""
    wanted = frozenset(units)
    parts = sum(part.kind.worst for part in supplied(circuit, net) if part.unit in wanted)
    resistors = (part for part in circuit.of_kind("resistor") if part.unit in wanted and net in part.nets.values())
    return parts + sum(SUPPLY / part.amount * 1e3 for part in resistors)


def supplied(circuit: Circuit, net: str) -> Iterator[Part]:
    """The parts that a net supplies, each once."""
    supplied = {each.part.ref: each.part for each in circuit.nets[net] if each.pin.role is Role.SUPPLY}
    yield from supplied.values()
