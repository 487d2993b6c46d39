"""Faults of a simulated board as a few words, as they are typed and listed (docs/simulate.md, Faults)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, assert_never

from tamsk_hw.errors import StreamError
from tamsk_hw.game.players import Player
from tamsk_hw.game.tubes import TUBE_OF_NAME
from tamsk_hw.simulator.faults import (
    ChainCut,
    ChipMissing,
    Fault,
    HallSensorOpen,
    LoadCellSilent,
    MultiplexerDead,
    ReferenceStuck,
    RingSensorStuck,
    SelectLineStuck,
    SensorRecess,
    SwappedChips,
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
    ("chip N missing", r"chip (\d) missing", lambda chip: ChipMissing(int(chip))),
    ("chain cut N", r"chain cut (\d)", lambda chip: ChainCut(int(chip))),
    ("chips N M swapped", r"chips (\d) (\d) swapped", lambda one, other: SwappedChips(int(one), int(other))),
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


def words_of(fault: Fault) -> str:
    """The words that name a fault; `fault_of` reads them."""
    match fault:
        case RingSensorStuck(tube, level, reads):
            return f"ring {tube}.{level + 1} {int(reads)}"
        case SensorRecess(tube, level, millimetres):
            return f"recess {tube}.{level + 1} {millimetres:g}"
        case HallSensorOpen(None, rail):
            return f"timer {rail}"
        case HallSensorOpen(tube, rail):
            return f"glass {tube} {rail}"
        case ReferenceStuck(index, value):
            return f"reference {index + 1} {value}"
        case SelectLineStuck(line, high):
            return f"select {line} {'high' if high else 'low'}"
        case MultiplexerDead(mux, value):
            return f"mux {mux} {value}"
        case LoadCellSilent(player):
            return f"holder {player}"
        case ChipMissing(chip):
            return f"chip {chip} missing"
        case ChainCut(chip):
            return f"chain cut {chip}"
        case SwappedChips(first, second):
            return f"chips {first} {second} swapped"
        case _:
            assert_never(fault)
