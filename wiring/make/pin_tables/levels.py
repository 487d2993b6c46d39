"""What a net carries: its voltage and the current that it takes at most, in words for the pin tables."""

from __future__ import annotations

from typing import Final

from wiring.make.circuit import nets

_EXACT: Final = {
    nets.GROUND: ("0 V", "return"),
    nets.LOGIC: ("5 V", "see the budget in electrics.md"),
    nets.EMITTERS: ("5 V", "see the budget in electrics.md"),
    nets.LIGHTS_SUPPLY: ("5 V", "to the configured limit"),
    nets.LIGHTS_PI: ("0 or 3.3 V", "under 1 mA"),
    nets.LIGHTS_SHIFTED: ("0 or 5 V", "under 8 mA"),
    nets.BUZZER_PI: ("0 or 3.3 V", "15 mA at an edge"),
    nets.MISO: ("0 or 5 V", "0.5 mA (pull-up)"),
    nets.ENABLE: ("0 or 5 V", "0.5 mA (pull-up)"),
}

_BY_BEGINNING: Final = {
    "MUX": ("0 to 5 V", "under 1 µA"),
    "BUTTON_": ("0 or 3.3 V", "0.07 mA pressed"),
    "PIXEL": ("0 or 5 V", "under 8 mA"),
    "USB_": ("USB", "USB"),
}

#: Logic between chips at 5 V.
_LOGIC: Final = ("0 or 5 V", "under 1 mA")


def level_of(net: str | None) -> tuple[str, str]:
    """Voltage and current of a net; empty for an open pin."""
    if net is None:
        return "", ""
    for beginning, level in _BY_BEGINNING.items():
        if net.startswith(beginning):
            return level
    return _EXACT.get(net, _LOGIC)
