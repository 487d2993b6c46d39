"""Light as physics: what shines on a ring sensor, what its transistor makes of it, and what its converter reads.

Light is told by the photo-current that it gives a bare, average sensor, in microamperes; all light on a sensor
adds up, its own emitter's that a ring or a neighbour sends back included. The model is that of the emulated board
(firmware/emulator): one state a transistor, gain that grows with light, a load of 680 ohms, saturation, noise, and
ground and reference that give way a little while a bank is lit.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import cos, exp, pi
from random import Random
from typing import Protocol

#: Volts of the supply, and ohms of a sensor's load.
SUPPLY, LOAD = 5.0, 680.0

#: Counts of a converter, and the most that it reads.
FULL_SCALE, MOST = 1024, 1023

#: Volts that a saturated transistor keeps; by which a lit bank lifts the ground, and lowers the reference.
SATURATED, LIFTED, DIPPED = 0.4, 0.002, 0.012

#: Charge of the base and capacitance to the collector, both times the gain; the least current of a transistor.
BASE_COULOMB, MILLER_FARAD, LEAST_AMPERE = 3.38e-10, 5e-9, 1e-9

#: From so many microamperes of other light on the gain grows, by this exponent of it.
GROWS_FROM, GROWS_BY = 100.0, 0.094

#: Seconds before a reading that have an effect on it.
MEMORY = 400e-6

#: Share of its own light that a sensor gets under a ring or a hand.
UNDER_A_RING = 0.02


class Source(Protocol):
    """Light from outside."""

    def at(self, t: float, sensor: int) -> float:
        """Microamperes that it gives a bare sensor (0 … 63) at ``t`` seconds."""


@dataclass(frozen=True)
class Steady:
    """Daylight, or a lamp without ripple."""

    current: float

    def at(self, t: float, sensor: int) -> float:
        """Always the same."""
        return self.current


@dataclass(frozen=True)
class Mains:
    """A lamp at the mains: ``mean``, modulated by ``depth`` (1: it goes out in between)."""

    mean: float
    hertz: float = 100.0
    depth: float = 1.0
    phase: float = 0.0

    def at(self, t: float, sensor: int) -> float:
        """A sine above its least."""
        return self.mean * (1.0 - self.depth * cos(2 * pi * (self.hertz * t + self.phase)))

    def emulated(self, lamp: int) -> list[str]:
        """The emulator's commands for it, without the phase; ``lamp`` 0 … 3."""
        swing = round(self.mean * self.depth)
        return [f"lamp {lamp} sine {swing} {round(self.hertz * 1000)}", f"ambient all {round(self.mean - swing)}"]


@dataclass(frozen=True)
class Pwm:
    """A dimmed LED lamp, or a television's backlight: ``peak`` for the share ``duty`` of each turn."""

    peak: float
    hertz: float
    duty: float = 0.5
    phase: float = 0.0

    def at(self, t: float, sensor: int) -> float:
        """On or off."""
        return self.peak if (self.hertz * t + self.phase) % 1.0 < self.duty else 0.0

    def emulated(self, lamp: int) -> list[str]:
        """The emulator's command for it, without the phase; ``lamp`` 0 … 3."""
        return [f"lamp {lamp} pwm {round(self.peak)} {round(self.hertz * 1000)} {round(self.duty * 1000)}"]


@dataclass(frozen=True)
class Television:
    """A picture that changes every 40 ms, behind a backlight of ``hertz``."""

    peak: float
    seed: int
    hertz: float = 240.0

    def at(self, t: float, sensor: int) -> float:
        """The picture's brightness, chopped."""
        picture = Random(f"{self.seed}/television/{int(t / 0.04)}").random()
        return Pwm(self.peak, self.hertz, 0.2 + 0.8 * picture).at(t, sensor)


@dataclass(frozen=True)
class Switched:
    """Other light that is switched on and off every ``every`` seconds."""

    light: Source
    every: float

    def at(self, t: float, sensor: int) -> float:
        """The light, or none."""
        return self.light.at(t, sensor) if int(t / self.every) % 2 else 0.0


@dataclass(frozen=True)
class Cloud:
    """Daylight that goes from one level to another within ``seconds``, and back, every ``every`` seconds."""

    least: float
    most: float
    seconds: float = 0.02
    every: float = 0.5

    def at(self, t: float, sensor: int) -> float:
        """A slope, and a level."""
        risen = min(1.0, (t % self.every) / self.seconds)
        share = 1.0 - risen if int(t / self.every) % 2 else risen
        return self.least + (self.most - self.least) * share


@dataclass(frozen=True)
class Patch:
    """A patch of sun, a torch's beam or, with ``outside`` above ``inside``, a hand's shadow.

    It is ``width`` sensors wide and moves over them in the order of their numbers, ``speed`` sensors a second.
    """

    inside: float
    outside: float = 0.0
    width: float = 4.0
    speed: float = 8.0

    def at(self, t: float, sensor: int) -> float:
        """The light inside, that outside, and between them an edge one sensor wide."""
        away = abs((sensor - self.speed * t + 32.0) % 64.0 - 32.0) - self.width / 2
        share = min(1.0, max(0.0, 0.5 - away))
        return self.outside + (self.inside - self.outside) * share


def together(outside: float, reflected: float) -> float:
    """The current of both, in microamperes: light from outside makes more of what the emitter adds."""
    return outside + reflected * float(max(1.0, outside / GROWS_FROM) ** GROWS_BY)


@dataclass
class Transistor:
    """A photo-transistor on its load: its current follows light, slowly in the dark."""

    ampere: float = LEAST_AMPERE

    def follow(self, light: float, seconds: float) -> None:
        """So much light (microamperes) for so long."""
        wanted = max(LEAST_AMPERE, light * 1e-6)
        while seconds > 0:
            slowness = BASE_COULOMB / self.ampere + MILLER_FARAD * LOAD
            away = abs(wanted - self.ampere)
            step = seconds
            if away > 0.2 * self.ampere:
                step = min(step, 0.2 * slowness * self.ampere / away)
            self.ampere = wanted + (self.ampere - wanted) * exp(-step / slowness)
            seconds -= step


@dataclass
class Sensors:
    """The ring sensors of a board in light: what their converters read.

    ``reflected``: microamperes of each while its bank is lit, by what lies on it and around it; ``covered``: the
    sensors that a ring or a hand shades. ``noise``: counts, standard deviation of a conversion.
    """

    sources: Sequence[Source]
    reflected: list[float]
    seed: int
    noise: float = 1.0
    covered: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._chance = Random(f"{self.seed}/converters")

    def ambient(self, t: float, sensor: int) -> float:
        """Light from outside on a sensor, in microamperes."""
        light = sum(source.at(t, sensor) for source in self.sources)
        return light * UNDER_A_RING if sensor in self.covered else light

    def read(self, sensor: int, times: Sequence[float], inverted: bool, settles: float) -> list[int]:
        """The three readings of a visit, made at these times, so long after the light was switched."""
        transistor = Transistor()
        begin = times[0] - MEMORY
        # In the state that the light before has left it in.
        transistor.follow(self.ambient(begin, sensor), 0.1)
        found = []
        at = begin
        for place, time in enumerate(times):
            lit = inverted is (place != 1)
            at = self._pass(transistor, sensor, at, time - settles, lit=not lit and place != 0)
            at = self._pass(transistor, sensor, at, time, lit=lit)
            found.append(self._converted(transistor, lit=lit))
        return found

    def _pass(self, transistor: Transistor, sensor: int, at: float, until: float, *, lit: bool) -> float:
        """Let time go by, in steps in which no lamp changes much."""
        while at < until:
            step = min(10e-6, until - at)
            light = together(self.ambient(at, sensor), self.reflected[sensor] if lit else 0.0)
            transistor.follow(light, step)
            at += step
        return at

    def _converted(self, transistor: Transistor, *, lit: bool) -> int:
        volt = min(transistor.ampere * LOAD, SUPPLY - SATURATED) + (LIFTED if lit else 0.0)
        counts = volt * FULL_SCALE / (SUPPLY - (DIPPED if lit else 0.0)) + self._chance.gauss(0.0, self.noise)
        return min(MOST, max(0, int(counts)))


# ---- when a scan reads

#: Seconds from one scan to the next; from a bank's beginning to its first light or reading.
PERIOD, BEGINS = 2.5e-3, 15e-6

#: Seconds from light to the first converter, of a converter, and from its beginning to its sample.
SETTLES, CONVERTER, SAMPLED = 54e-6, 15.5e-6, 6e-6

#: Readings of a visit.
READINGS = 3


@dataclass(frozen=True)
class Visit:
    """A visit of a sensor: when it is read, and how long before each reading the light was switched."""

    sensor: int
    times: tuple[float, float, float]
    inverted: bool
    settles: float


def visits_of_scan(begin: float, plan: Sequence[Sequence[int]]) -> Iterator[Visit]:
    """The visits of a scan that begins then, by the firmware's plan of it.

    For each bank: its number, inverted or not, microseconds to wait, to settle longer, first converter, step.
    """
    at = begin
    for bank, inverted, wait, longer, first, step in plan:
        settles = SETTLES + longer * 1e-6
        at += BEGINS + wait * 1e-6 + (settles if inverted else 0.0)
        one = 8 * CONVERTER + settles
        for place in range(8):
            sampled = at + place * CONVERTER + SAMPLED
            sensor = (first + step * place) % 8 * 8 + bank
            times = (sampled, sampled + one, sampled + 2 * one)
            yield Visit(sensor, times, bool(inverted), settles + place * CONVERTER + SAMPLED)
        at += READINGS * 8 * CONVERTER + 2 * settles
