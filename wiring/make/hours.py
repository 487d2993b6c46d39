"""Joints, wires and hours of a build, counted from the circuit, by the guide's steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import Final

from tamsk_hw.game.tubes import CAPACITY
from wiring.make.board import Board, Form
from wiring.make.circuit import USB_PORTS, Circuit, Part, Style, Unit
from wiring.make.geometry import layout
from wiring.make.parts_list import ADAPTED, JIGS, MAGNETS, besides_rows
from wiring.make.prices import Way, mounted


class Step(IntEnum):
    """The steps of `wiring/build.md`, numbered as there; `ORDER` comes before them."""

    ORDER = 0
    MECHANICS = 1
    POWER = 2
    CONTROLLER = 3
    CHAIN = 4
    BANKS = 5
    MULTIPLEXERS = 6
    TUBES = 7
    LIGHTS = 8
    PANEL = 9
    HOLDERS = 10
    CALIBRATION = 11

    @property
    def title(self) -> str:
        """Its name in tables."""
        return _TITLES[self]


_TITLES: Final = {
    Step.ORDER: "order, install, play on the simulated board",
    Step.MECHANICS: "measure, print, magnets, plate",
    Step.POWER: "power",
    Step.CONTROLLER: "controller",
    Step.CHAIN: "chain",
    Step.BANKS: "banks of light, tubes' connectors",
    Step.MULTIPLEXERS: "multiplexers and references",
    Step.TUBES: "tubes",
    Step.LIGHTS: "lights",
    Step.PANEL: "buttons and buzzer",
    Step.HOLDERS: "ring holders",
    Step.CALIBRATION: "calibrate and play",
}

#: The step of the units that are built in one.
_BY_UNIT: Final = {
    Unit.SUPPLY: Step.POWER,
    Unit.TUBES: Step.TUBES,
    Unit.LIGHTS: Step.LIGHTS,
    Unit.PI: Step.PANEL,
    Unit.PANEL: Step.PANEL,
    Unit.HOLDERS: Step.HOLDERS,
}

#: On the other units by letters alone, where all with these letters belong to one step.
_BY_LETTERS: Final = {
    "FU": Step.POWER,
    "D": Step.POWER,
    "Q": Step.POWER,
    "RP": Step.CHAIN,
    "RI": Step.CHAIN,
    "RE": Step.BANKS,
    "JT": Step.BANKS,
    "DA": Step.BANKS,
    "RF": Step.MULTIPLEXERS,
    "CF": Step.MULTIPLEXERS,
    "RO": Step.MULTIPLEXERS,
    "CR": Step.MULTIPLEXERS,
}

#: By designator, and by that of the part they serve.
_BY_REF: Final = {
    "J1": Step.POWER,
    "U5": Step.POWER,
    **dict.fromkeys(("U1", "J2", "J4"), Step.CONTROLLER),
    "J3": Step.CHAIN,
    **dict.fromkeys(("R31", "R32", "R33", "R34"), Step.MULTIPLEXERS),
    **dict.fromkeys(("U2", "R2", "R3", "J5", "J6"), Step.LIGHTS),
    **dict.fromkeys(("J7", "J8"), Step.HOLDERS),
}

_BY_KIND: Final = {
    "chain_register": Step.CHAIN,
    "bank_driver": Step.BANKS,
    "multiplexer": Step.MULTIPLEXERS,
}


def step_of(circuit: Circuit, part: Part) -> Step:
    """The step of a part. Raises `KeyError` for one that no step builds in."""
    own = (
        _BY_UNIT.get(part.unit),
        _BY_REF.get(part.ref),
        _BY_LETTERS.get(part.letters),
        _BY_KIND.get(part.kind.key),
    )
    for found in own:
        if found is not None:
            return found
    if not part.serves:
        raise KeyError(f"{part.ref}: no step of the guide builds it in")
    return step_of(circuit, circuit.by_ref[part.serves])


def links(circuit: Circuit, unit: Unit) -> list[Step]:
    """The step of each wire that joins two pins of a unit: a net with n pins there wants n - 1."""
    found: list[Step] = []
    for terminals in circuit.nets.values():
        own = sorted(step_of(circuit, each.part) for each in terminals if each.part.unit is unit)
        found += own[1:]
    return found


class Act(Enum):
    """A kind of work: the word for it, and the seconds that one takes (estimates; nobody has built one yet)."""

    JOINT = ("solder a pin that goes through, its part put in and its lead cut", 20)
    FLAT_JOINT = ("solder a pin that lies flat, with flux", 30)
    WIRE = ("a wire between two pins: cut, bare both ends, lay, solder to the pins, tick off", 75)
    ENAMELLED = ("an enamelled wire in a tube: cut, tin through the enamel, solder to both pins", 120)
    LEAD = ("cut and lay a single wire of a cable", 20)
    WIRE_END = ("split, bare, tin and solder one end of a cable's wire", 45)
    CRIMP = ("crimp a contact and push it into its housing", 45)
    PRESS = ("press a socket onto a flat cable and label it", 120)
    CUT = ("cut a strip or a round board to size, clean its edges", 300)
    BREAK = ("break a strip or disc out of its panel, file it", 90)
    BOARD = ("look over an ordered board with a lens, measure its supplies for shorts, screw it on", 1200)
    PRINT = ("take a print off, clean it, try a ring and a glass (the printer's own hours are not counted)", 300)
    MAGNET = ("glue a magnet in the jig", 180)
    HOLE = ("centre, drill and deburr a hole", 60)
    TUBE = ("glue strip and disc in, screw the foot on", 480)
    PIXEL = ("glue a pixel under its hole and the rod above it", 120)
    BUTTON = ("mount a button", 300)
    HOLDER = ("mount a load cell with its stop, cut the track of RATE", 1800)
    TEST_TUBE = ("test a tube", 180)
    MINUTE = ("minutes for reading, tests, tools and programs", 60)

    @property
    def title(self) -> str:
        """The word for it."""
        return self.value[0]

    @property
    def seconds(self) -> int:
        """Seconds that one takes."""
        return self.value[1]


#: Minutes of a step beside what is counted: its test, and preparing.
_MINUTES: Final = {
    Step.ORDER: 150,
    Step.MECHANICS: 60,
    Step.POWER: 20,
    Step.CONTROLLER: 60,
    Step.CHAIN: 15,
    Step.BANKS: 15,
    Step.MULTIPLEXERS: 15,
    Step.TUBES: 20,
    Step.LIGHTS: 20,
    Step.PANEL: 15,
    Step.HOLDERS: 20,
    Step.CALIBRATION: 60,
}

#: Two days of eight hours: what the texts call a weekend.
WEEKEND_HOURS: Final = 16.0

#: Acts that make one joint each; a wire's ends are soldered at pins, whose joints count already.
_JOINTS: Final = (Act.JOINT, Act.FLAT_JOINT, Act.WIRE_END)


@dataclass(frozen=True, slots=True)
class Work:
    """The work of one build: how often each act, by step."""

    steps: Mapping[Step, Counter[Act]]

    def count(self, *acts: Act) -> int:
        """The number of times that these acts are done, in all steps together."""
        return sum(counts[act] for counts in self.steps.values() for act in acts)

    @property
    def joints(self) -> int:
        """Joints soldered by hand."""
        return self.count(*_JOINTS)

    @property
    def wires(self) -> int:
        """Single wires that are cut and laid."""
        return self.count(Act.WIRE, Act.ENAMELLED, Act.LEAD)

    def hours_of(self, step: Step) -> float:
        """Hands-on hours of a step."""
        return sum(act.seconds * count for act, count in self.steps[step].items()) / 3600

    @property
    def hours(self) -> float:
        """Hands-on hours in all."""
        return sum(self.hours_of(step) for step in self.steps)


def work(board: Board, way: Way) -> Work:
    """The work of a build in this way."""
    steps: dict[Step, Counter[Act]] = {
        step: Counter({Act.MINUTE: _MINUTES[step]}) for step in Step if step is not Step.HOLDERS
    }
    if board.wiring.holders:
        steps[Step.HOLDERS] = Counter({Act.MINUTE: _MINUTES[Step.HOLDERS]})
    for jobs in (_parts, _wires, _cables, _tubes, _boards, _mechanics):
        for step, act, count in jobs(board, way):
            steps[step][act] += count
    return Work(dict(sorted(steps.items())))


#: A step, what is done in it, how often.
_Job = tuple[Step, Act, int]


def _parts(board: Board, way: Way) -> Iterator[_Job]:
    """The pins of all parts that are soldered onto boards by hand; the lights' and holders' modules by wires."""
    for part in board.circuit.parts:
        step = step_of(board.circuit, part)
        match part.unit:
            case Unit.CONTROLLER | Unit.SENSORS | Unit.PANEL:
                if not mounted(board, way, part) and part.kind.key not in USB_PORTS:
                    yield from _soldered(part, step, adapter=way is Way.WIRED)
            case Unit.TUBES:
                if way is Way.WIRED:
                    yield step, Act.FLAT_JOINT, len(part.kind.pins)
            case Unit.LIGHTS:
                yield step, Act.JOINT, len(part.nets)
            case Unit.HOLDERS:
                if part.kind.key == "load_amplifier":
                    yield step, Act.WIRE_END, len(part.nets)
            case Unit.SUPPLY | Unit.PI:
                pass
        if part.kind.key == "pixel":
            yield step, Act.PIXEL, 1
        if part.kind.key == "button":
            yield step, Act.BUTTON, 1
        if part.kind.key == "load_amplifier":
            yield step, Act.HOLDER, 1


def _soldered(part: Part, step: Step, *, adapter: bool) -> Iterator[_Job]:
    """A pin is one joint; on an adapter three: the chip's, and its pin's at both ends."""
    pins = len(part.kind.pins)
    if adapter and part.kind.package in ADAPTED:
        yield step, Act.FLAT_JOINT, pins
        yield step, Act.JOINT, 2 * pins
    elif part.kind.package.startswith("SO"):
        yield step, Act.FLAT_JOINT, pins
    else:
        yield step, Act.JOINT, pins


def _wires(board: Board, way: Way) -> Iterator[_Job]:
    """From pin to pin on perforated boards; from pixel to pixel; in the tubes."""
    units = {Unit.PANEL, Unit.LIGHTS}
    if way is Way.WIRED:
        units |= {Unit.CONTROLLER, Unit.SENSORS}
    for unit in (each for each in Unit if each in units):
        for step in links(board.circuit, unit):
            yield step, Act.WIRE, 1
    if way is Way.WIRED:
        yield Step.TUBES, Act.ENAMELLED, sum(_wires_in(levels) for levels in _levels(board))


def _levels(board: Board) -> list[int]:
    """The levels of each tube, then none for the cradle."""
    return [*(CAPACITY[tube] for tube in board.wiring.tubes), 0]


def _wires_in(levels: int) -> int:
    """Enamelled wires of a tube: of the strip, from sensor to sensor on it, three of the Hall sensor."""
    return 2 + 2 * levels + 2 * (levels - 1) + 3 if levels else 0


def _cables(board: Board, way: Way) -> Iterator[_Job]:
    """Ends of cables between the units: sockets pressed on, contacts crimped, wires soldered."""
    for cable in board.cables:
        ends = [board.circuit.by_ref[ref] for ref in (cable.a, cable.b)]
        # The Pi is there from the start: its cables are made with what is at their other end.
        step = max(step_of(board.circuit, part) for part in ends if part.kind.key != "pi")
        if cable.made_of.form is Form.FLAT:
            yield step, Act.PRESS, len(ends)
        elif cable.made_of.form is Form.SINGLE:
            yield step, Act.LEAD, len(cable.wires)
            crimped = [part for part in ends if part.style is Style.PIN_HEADER or part.kind.key == "pi"]
            yield step, Act.CRIMP, len(crimped) * len(cable.wires)


def _tubes(board: Board, way: Way) -> Iterator[_Job]:
    """The tubes' own cables: soldered to strip and disc, or to enamelled wires on a strip of perforated board."""
    step = Step.TUBES
    for cable, levels in zip(board.tube_cables, _levels(board), strict=True):
        wires = len(cable.wires)
        flat = cable.made_of.form is Form.FLAT
        if flat:
            yield step, Act.PRESS, 1
        else:
            yield from ((step, Act.LEAD, wires), (step, Act.CRIMP, wires))
        yield step, Act.WIRE_END, wires
        # A disc, and with levels a strip.
        pieces = 2 if levels else 1
        if way is Way.WIRED:
            yield step, Act.CUT, pieces
            # The enamelled wires' lower ends, beside the flat cable's.
            yield step, Act.JOINT, 2 + 2 * levels + 3 if levels else 0
        else:
            yield step, Act.BREAK, pieces
            # The short wire from disc to strip.
            yield step, Act.LEAD, pieces - 1
            yield step, Act.WIRE_END, 2 * (pieces - 1)
        yield step, Act.TUBE, 1
        yield step, Act.TEST_TUBE, 1


def _boards(_: Board, way: Way) -> Iterator[_Job]:
    """The controller board, then the sensor board."""
    if way is Way.ORDERED:
        yield Step.POWER, Act.BOARD, 1
        yield Step.CHAIN, Act.BOARD, 1


def _mechanics(board: Board, _: Way) -> Iterator[_Job]:
    """Prints, magnets, the plate's holes: three under each foot, for cable and screws, and one for each pixel."""
    plan = layout(board.wiring)
    yield Step.MECHANICS, Act.PRINT, len(plan.axes) + JIGS
    magnets = (row for row in besides_rows(board) if row.group == MAGNETS)
    yield Step.MECHANICS, Act.MAGNET, sum(int(row.quantity) for row in magnets)
    yield Step.MECHANICS, Act.HOLE, 3 * len(plan.axes) + len(plan.pixels)
