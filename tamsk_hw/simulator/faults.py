"""Faults of single parts of a simulated board, and the readings that they lead to.

`SimulatedBoard.put_fault` puts one in, `SimulatedBoard.clear_fault` removes it. A reset is `SimulatedBoard.reset`,
a pulled cable `PtyBoard.unplug`. As a string a fault is the words by which people name it (docs/simulate.md,
Faults); `fault_of` reads them.
"""

import re
from dataclasses import dataclass
from typing import Final, Literal, assert_never

from tamsk_hw.board.wiring import Channel, Wiring
from tamsk_hw.errors import StreamError, shortened
from tamsk_hw.game.tubes import CAPACITY, PLAYERS, TUBE_OF_NAME, Player, Tube, names_of
from tamsk_hw.simulator.truth import WorldError

_TUBE: Final = "(?P<tube>[A-Ga-g][1-7])"
_LEVEL: Final = rf"{_TUBE}\.(?P<number>[1-4])"
_BYTE: Final = r"(?P<value>\d{1,3})"

#: The kinds of faults: the first of the words that name one.
FaultKind = Literal[
    "ring", "recess", "dust", "glass", "timer", "reference", "select", "mux", "holder", "converter"
]

#: The further words of each kind: their form for people, and their pattern.
_KINDS: Final[dict[FaultKind, tuple[str, str]]] = {
    # A ring sensor that always reads the same: 1 is "ring".
    "ring": ("TUBE.LEVEL 0|1", f"{_LEVEL} (?P<value>[01])"),
    # One whose face lies so far behind the tube's surface, unlike the drawing.
    "recess": ("TUBE.LEVEL MILLIMETRES", rf"{_LEVEL} (?P<value>\d(?:\.\d{{1,2}})?)"),
    # One behind dust that leaves this share of its light.
    "dust": ("TUBE.LEVEL SHARE", rf"{_LEVEL} (?P<value>1|0(?:\.\d{{1,2}})?)"),
    # A Hall sensor, of a tube or of the timer's cradle, whose wire is broken, so that it reads a rail.
    "glass": ("TUBE 0|255", f"{_TUBE} (?P<value>0|255)"),
    "timer": ("0|255", "(?P<value>0|255)"),
    # The input that carries 1/4, 1/2 or 3/4 of 5 V, and reads something else.
    "reference": ("1|2|3 READING", f"(?P<number>[123]) {_BYTE}"),
    # A select line that all multiplexers share and that is stuck: wrong inputs are read.
    "select": ("0…3 low|high", "(?P<number>[0-3]) (?P<value>low|high)"),
    # A multiplexer that passes nothing: all its inputs read the same.
    "mux": ("0…2 READING", f"(?P<number>[012]) {_BYTE}"),
    # A ring holder's load cell that sends no readings; the last one stays and the controller reports it.
    "holder": ("red|black", "(?P<value>red|black)"),
    # A converter of ring sensors that does not answer: its sensors are unknown.
    "converter": ("N", r"(?P<number>\d)"),
}

#: The forms of all faults, for people.
FORMS: Final = tuple(f"{kind} {form}" for kind, (form, _) in _KINDS.items())

#: The values that are words: the states of a select line, and the players' places.
_VALUES: Final = {"low": 0, "high": 1} | {player.value: place for place, player in enumerate(PLAYERS)}


@dataclass(frozen=True, slots=True)
class BrokenPart:
    """A fault of one part, named by ``words``; `fault_of` makes it.

    ``tube`` and ``number`` (of a level, input, line, multiplexer or converter,
    as it is named) say which part it is, ``value`` what it reads or how it is built.
    """

    words: str
    kind: FaultKind
    tube: Tube | None
    number: int
    value: float

    def __str__(self) -> str:
        return self.words


def fault_of(words: str) -> BrokenPart:
    """The fault that is named.

    Raises:
        StreamError: the words name none; the message lists the forms.
    """
    said = " ".join(words.split())
    for kind, (_, pattern) in _KINDS.items():
        found = re.fullmatch(f"{kind} {pattern}", said)
        if found is None:
            continue
        parts = found.groupdict()
        tube, number, value = (parts.get(name, "") for name in ("tube", "number", "value"))
        tube = tube.upper()
        if tube and tube not in TUBE_OF_NAME:
            continue
        meant = float(_VALUES.get(value, value or 0))
        if meant > 255:
            raise StreamError(f"fault: reading {meant:g}; allowed: 0 to 255")
        if value and value not in _VALUES:
            value = f"{meant:g}"
        named = " ".join(filter(None, (kind, f"{tube}.{number}".strip("."), value)))
        return BrokenPart(named, kind, TUBE_OF_NAME.get(tube), int(number or 0), meant)
    raise StreamError(f"fault: {shortened(said)} is none; allowed: {'; '.join(FORMS)}")


#: What an input that is not used reads: it is tied to ground.
GROUND = 0

#: Counts of a ring sensor that is stuck at "ring".
STUCK_COUNTS: Final = 100.0


class FaultOverlay:
    """Turns good readings into those of a board with a set of faults. Ring sensors are told by their bits."""

    def __init__(self, faults: tuple[BrokenPart, ...], wiring: Wiring) -> None:
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
            tube, reading = fault.tube, int(fault.value)
            if tube is not None and tube not in wiring.tubes:
                raise WorldError(f"{tube} is not fitted; allowed are {names_of(wiring.tubes)}")
            if tube is not None and fault.number > CAPACITY[tube]:
                raise WorldError(f"{tube} has no ring sensor {fault.number}; allowed are 1 to {CAPACITY[tube]}")
            match fault.kind:
                case "ring":
                    assert tube is not None
                    bit = 1 << wiring.ring_bits[tube][fault.number - 1]
                    if reading:
                        self._stuck_high |= bit
                    else:
                        self._stuck_low |= bit
                case "glass" | "timer":
                    self._forced[first_reference - 1 if tube is None else int(tube)] = reading
                case "reference":
                    self._forced[first_reference + fault.number - 1] = reading
                case "select":
                    mask = 1 << fault.number
                    for place, channel in inputs.items():
                        address = channel.address | mask if reading else channel.address & ~mask
                        source[place] = at.get(Channel(channel.mux, address))
                case "mux":
                    muxes = {channel.mux for channel in inputs.values()}
                    if fault.number not in muxes:
                        raise WorldError(f"there is no multiplexer {fault.number}; allowed are {sorted(muxes)}")
                    for place, channel in inputs.items():
                        if channel.mux == fault.number:
                            self._forced[place] = reading
                case "holder":
                    self.silent.add(PLAYERS[reading])
                case "converter":
                    last = wiring.chips - 1
                    if fault.number > last:
                        raise WorldError(f"there is no converter {fault.number}; allowed are 0 to {last}")
                    self.silent_chips.add(fault.number)
                case "recess" | "dust":
                    pass  # the sensors know what they see, here and from elsewhere
                case _:
                    assert_never(fault.kind)
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
