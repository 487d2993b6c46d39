"""The steps of the guide (`wiring/build.md`), and the one in which each part is built in."""

from enum import IntEnum
from typing import Final, Self

from wiring.make.circuit import Circuit, Part, Unit


class Step(IntEnum):
    """The steps of `wiring/build.md`, numbered as there; `ORDER` comes before them."""

    title: str

    def __new__(cls, value: int, title: str) -> Self:
        """A step with its name in tables."""
        made = int.__new__(cls, value)
        made._value_, made.title = value, title
        return made

    ORDER = 0, "order, install, play on the simulated board"
    MECHANICS = 1, "measure, print, magnets, plate"
    POWER = 2, "power"
    CONTROLLER = 3, "controller"
    CONVERTERS = 4, "ring converters"
    BANKS = 5, "banks of light, tubes' connectors"
    MULTIPLEXERS = 6, "multiplexers and references"
    TUBES = 7, "tubes"
    LIGHTS = 8, "lights"
    PANEL = 9, "buttons and buzzer"
    HOLDERS = 10, "ring holders"
    CALIBRATION = 11, "calibrate and play"


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
    "RP": Step.CONVERTERS,
    "RI": Step.CONVERTERS,
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
    "J3": Step.CONVERTERS,
    **dict.fromkeys(("R31", "R32", "R33", "R34"), Step.MULTIPLEXERS),
    **dict.fromkeys(("U2", "R2", "R3", "J5", "J6"), Step.LIGHTS),
    **dict.fromkeys(("J7", "J8"), Step.HOLDERS),
}

_BY_KIND: Final = {
    "ring_converter": Step.CONVERTERS,
    "ring_decoder": Step.CONVERTERS,
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
