"""Voltage and greatest current of the nets at Pi, controller and ribbon, in words for the pin tables."""

from __future__ import annotations

from typing import Final

from tamsk_hw.referee.events import ButtonName
from wiring.make.circuit import nets
from wiring.make.circuit.controller import MOST_MULTIPLEXERS

#: Logic between chips at 5 V.
_LOGIC: Final = ("0 or 5 V", "under 1 mA")

_OTHERS: Final = {
    nets.GROUND: ("0 V", "return"),
    nets.LOGIC: ("5 V", "see the budget in electrics.md"),
    nets.EMITTERS: ("5 V", "see the budget in electrics.md"),
    nets.LIGHTS_PI: ("0 or 3.3 V", "under 1 mA"),
    nets.BUZZER_PI: ("0 or 3.3 V", "15 mA at an edge"),
    nets.SUPPLY_REFERENCE: ("2.5 V", "under 1 µA"),
    nets.MISO: ("0 or 5 V", "0.5 mA (pull-up)"),
    nets.ENABLE: ("0 or 5 V", "0.5 mA (pull-up)"),
    **{nets.mux(number): ("0 to 5 V", "under 1 µA") for number in range(MOST_MULTIPLEXERS)},
    **{nets.button(name): ("0 or 3.3 V", "0.07 mA pressed") for name in ButtonName},
}


def level_of(net: str | None) -> tuple[str, str]:
    """Voltage and current of a net; empty for an open pin."""
    return ("", "") if net is None else _OTHERS.get(net, _LOGIC)
