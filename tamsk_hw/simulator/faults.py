"""Faults of single parts of a simulated board, and the readings that they lead to.

`SimulatedBoard.put_fault` puts one in, `SimulatedBoard.clear_fault` removes it. A reset is `SimulatedBoard.reset`,
a pulled cable `PtyBoard.unplug`. As a string a fault is the words by which people name it (docs/simulate.md,
Faults); `fault_of` reads them.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, assert_never

from tamsk_hw.board.wiring import Channel, Wiring
from tamsk_hw.errors import StreamError
from tamsk_hw.game.tubes import CAPACITY, TUBE_OF_NAME, Player, Tube, names_of
from tamsk_hw.simulator.truth import WorldError


@dataclass(frozen=True, slots=True)
class RingSensorStuck:
    """A ring sensor always reads the same: ``level`` counts from 0 at the bottom, ``reads`` true for "ring"."""

    tube: Tube
    level: int
    reads: bool

    def __str__(self) -> str:
        return f"ring {self.tube}.{self.level + 1} {int(self.reads)}"


@dataclass(frozen=True, slots=True)
class SensorRecess:
    """A ring sensor whose face lies ``millimetres`` behind the tube's surface, unlike the drawing.

    ``level`` counts from 0, the lowest.
    """

    tube: Tube
    level: int
    millimetres: float

    def __str__(self) -> str:
        return f"recess {self.tube}.{self.level + 1} {self.millimetres:g}"


@dataclass(frozen=True, slots=True)
class SensorDust:
    """A ring sensor behind dust: ``left`` (0 … 1) is the share of its light that is left; ``level`` from 0."""

    tube: Tube
    level: int
    left: float

    def __str__(self) -> str:
        return f"dust {self.tube}.{self.level + 1} {self.left:g}"


@dataclass(frozen=True, slots=True)
class HallSensorOpen:
    """A Hall sensor's wire is broken: it reads a rail (0 or 255). ``tube`` None is the timer's cradle."""

    tube: Tube | None
    rail: int = 0

    def __str__(self) -> str:
        return f"timer {self.rail}" if self.tube is None else f"glass {self.tube} {self.rail}"


@dataclass(frozen=True, slots=True)
class ReferenceStuck:
    """The input that carries 1/4, 1/2 or 3/4 of 5 V (``index`` 0, 1, 2) reads something else."""

    index: int
    reads: int

    def __str__(self) -> str:
        return f"reference {self.index + 1} {self.reads}"


@dataclass(frozen=True, slots=True)
class SelectLineStuck:
    """A select line (0 … 3) that all multiplexers share is stuck: wrong inputs are read."""

    line: int
    high: bool

    def __str__(self) -> str:
        return f"select {self.line} {'high' if self.high else 'low'}"


@dataclass(frozen=True, slots=True)
class MultiplexerDead:
    """A multiplexer (0 … 2) passes nothing: all its inputs read the same."""

    mux: int
    reads: int = 0

    def __str__(self) -> str:
        return f"mux {self.mux} {self.reads}"


@dataclass(frozen=True, slots=True)
class LoadCellSilent:
    """A ring holder's load cell sends no readings; the last one stays and the controller reports it."""

    player: Player

    def __str__(self) -> str:
        return f"holder {self.player}"


@dataclass(frozen=True, slots=True)
class ConverterSilent:
    """A converter of ring sensors (0 … 7) does not answer: its sensors are unknown."""

    chip: int

    def __str__(self) -> str:
        return f"converter {self.chip}"


Fault = (
    RingSensorStuck
    | SensorRecess
    | SensorDust
    | HallSensorOpen
    | ReferenceStuck
    | SelectLineStuck
    | MultiplexerDead
    | LoadCellSilent
    | ConverterSilent
)

_TUBE: Final = "([A-Ga-g][1-7])"
_BYTE: Final = r"(\d{1,3})"

#: Every fault: its form for people, the pattern of its words, and the fault that they mean.
_FORMS: Final[tuple[tuple[str, str, Callable[..., Fault]], ...]] = (
    (
        "ring TUBE.LEVEL 0|1",
        rf"ring {_TUBE}\.([1-4]) ([01])",
        lambda tube, level, reads: RingSensorStuck(TUBE_OF_NAME[tube.upper()], int(level) - 1, reads == "1"),
    ),
    (
        "recess TUBE.LEVEL MILLIMETRES",
        rf"recess {_TUBE}\.([1-4]) (\d(?:\.\d{{1,2}})?)",
        lambda tube, level, deep: SensorRecess(TUBE_OF_NAME[tube.upper()], int(level) - 1, float(deep)),
    ),
    (
        "dust TUBE.LEVEL SHARE",
        rf"dust {_TUBE}\.([1-4]) (1|0(?:\.\d{{1,2}})?)",
        lambda tube, level, left: SensorDust(TUBE_OF_NAME[tube.upper()], int(level) - 1, float(left)),
    ),
    (
        "glass TUBE 0|255",
        rf"glass {_TUBE} (0|255)",
        lambda tube, rail: HallSensorOpen(TUBE_OF_NAME[tube.upper()], int(rail)),
    ),
    ("timer 0|255", "timer (0|255)", lambda rail: HallSensorOpen(None, int(rail))),
    (
        "reference 1|2|3 READING",
        f"reference ([123]) {_BYTE}",
        lambda index, reads: ReferenceStuck(int(index) - 1, _byte(reads)),
    ),
    (
        "select 0…3 low|high",
        "select ([0-3]) (low|high)",
        lambda line, is_at: SelectLineStuck(int(line), is_at == "high"),
    ),
    ("mux 0…2 READING", f"mux ([012]) {_BYTE}", lambda mux, reads: MultiplexerDead(int(mux), _byte(reads))),
    ("holder red|black", "holder (red|black)", lambda player: LoadCellSilent(Player(player))),
    ("converter N", r"converter (\d)", lambda chip: ConverterSilent(int(chip))),
)

#: The forms of all faults, for people.
FORMS: Final = tuple(form for form, _, _ in _FORMS)


def _byte(text: str) -> int:
    value = int(text)
    if value > 255:
        raise StreamError(f"fault: reading {value}; allowed: 0 to 255")
    return value


def fault_of(words: str) -> Fault:
    """The fault that is named.

    Raises:
        StreamError: the words name none; the message lists the forms.
    """
    said = " ".join(words.split())
    for _, pattern, make in _FORMS:
        if (found := re.fullmatch(pattern, said)) is not None and _is_a_tube(found[0]):
            return make(*found.groups())
    shown = said if len(said) <= 40 else f"{said[:37]}..."
    raise StreamError(f'fault: "{shown}" is none; allowed: {"; ".join(FORMS)}')


def _is_a_tube(words: str) -> bool:
    """A tube that is named is one of the 37."""
    named = re.search(_TUBE + r"\b", words)
    return named is None or named[1].upper() in TUBE_OF_NAME


#: What an input that is not used reads: it is tied to ground.
GROUND = 0

#: Counts of a ring sensor that is stuck at "ring".
STUCK_COUNTS: Final = 100.0


def _check_tube(wiring: Wiring, tube: Tube) -> None:
    if tube not in wiring.tubes:
        raise WorldError(f"{tube} is not fitted; allowed are {names_of(wiring.tubes)}")


def _check_level(wiring: Wiring, tube: Tube, level: int) -> None:
    _check_tube(wiring, tube)
    if not 0 <= level < CAPACITY[tube]:
        raise WorldError(f"{tube} has no ring sensor at level {level}; allowed are 0 to {CAPACITY[tube] - 1}")


class FaultOverlay:
    """Turns good readings into those of a board with a set of faults. Ring sensors are told by their bits."""

    def __init__(self, faults: tuple[Fault, ...], wiring: Wiring) -> None:
        """Raises `WorldError` for a fault in a part that the board does not have."""
        self._stuck_high = 0
        self._stuck_low = 0
        #: the converters that do not answer
        self.silent_chips: set[int] = set()
        #: inputs whose reading is forced: place among fields and references together -> reading
        self._forced: dict[int, int] = {}
        self.silent: set[Player] = set()
        inputs = wiring.inputs
        first_reference = len(wiring.channels)
        #: for each input the one that is really read, None for one that nothing is wired to
        source: list[int | None] = [
            place if place in inputs else None for place in range(first_reference + len(wiring.references))
        ]
        good = list(source)
        at = {channel: place for place, channel in inputs.items()}
        for fault in faults:
            match fault:
                case RingSensorStuck():
                    _check_level(wiring, fault.tube, fault.level)
                    bit = 1 << wiring.ring_bits[fault.tube][fault.level]
                    if fault.reads:
                        self._stuck_high |= bit
                    else:
                        self._stuck_low |= bit
                case SensorDust() | SensorRecess():  # the sensors know what they see, here and from elsewhere
                    _check_level(wiring, fault.tube, fault.level)
                case HallSensorOpen():
                    if fault.tube is not None:
                        _check_tube(wiring, fault.tube)
                    place = first_reference - 1 if fault.tube is None else int(fault.tube)
                    self._forced[place] = fault.rail & 0xFF
                case ReferenceStuck():
                    self._forced[first_reference + fault.index] = fault.reads & 0xFF
                case SelectLineStuck():
                    mask = 1 << fault.line
                    for place, channel in inputs.items():
                        address = channel.address | mask if fault.high else channel.address & ~mask
                        source[place] = at.get(Channel(channel.mux, address))
                case MultiplexerDead():
                    muxes = {channel.mux for channel in inputs.values()}
                    if fault.mux not in muxes:
                        raise WorldError(f"there is no multiplexer {fault.mux}; allowed are {sorted(muxes)}")
                    for place, channel in inputs.items():
                        if channel.mux == fault.mux:
                            self._forced[place] = fault.reads & 0xFF
                case LoadCellSilent():
                    self.silent.add(fault.player)
                case ConverterSilent():
                    if not 0 <= fault.chip < wiring.chips:
                        raise WorldError(
                            f"there is no converter {fault.chip}; allowed are 0 to {wiring.chips - 1}"
                        )
                    self.silent_chips.add(fault.chip)
                case _:
                    assert_never(fault)
        self._fields = source[:first_reference]
        self._references = source[first_reference:]
        self._hidden = sum(0xFF << 8 * chip for chip in self.silent_chips)
        self.any_analog = bool(self._forced) or source != good

    def rings(self, seen: int, unknown: int) -> tuple[int, int]:
        """Ring bits and unknown bits as read through broken sensors and converters."""
        stuck = self._stuck_high | self._stuck_low
        return (seen | self._stuck_high) & ~self._stuck_low, unknown & ~stuck | self._hidden

    def counts(self, bit: int, counts: float) -> float:
        """A ring sensor's signal in counts, of a good one ``counts``."""
        if self._stuck_high >> bit & 1:
            return STUCK_COUNTS
        return 0.0 if self._stuck_low >> bit & 1 else counts

    def analog(self, fields: bytes, references: bytes) -> tuple[bytes, bytes]:
        """Fields and references as read through broken inputs; unused inputs are tied to ground."""
        good = fields + references
        read = [GROUND if place is None else self._forced.get(place, good[place]) for place in self._fields]
        fixed = [GROUND if place is None else self._forced.get(place, good[place]) for place in self._references]
        return bytes(read), bytes(fixed)
