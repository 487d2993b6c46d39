"""The models are wired as wiring/board.toml says."""

import re
import tomllib

from tests.firmware.emulator.emulated import ROOT


def number(pin: str) -> int:
    """PB0 is 16, PC0 32, PD0 48; ADC0 is 0."""
    if pin.startswith("ADC"):
        return int(pin[3:])
    return 16 * "?BCD".index(pin[1]) + int(pin[2:])


def test_pins_are_those_of_the_wiring_map() -> None:
    board = tomllib.loads((ROOT / "wiring/board.toml").read_text())
    text = (ROOT / "firmware/emulator/wiring.h").read_text()
    models = {name: int(value, 0) for name, value in re.findall(r"WIRING_(\w+) = (\w+)", text)}
    controller, holders = board["controller"], board["holders"]
    expected = {name.upper(): controller[name] for name in ("latch", "emitter_enable")}
    # Until the map names it so, it is the pin of the 74HC165s' load line.
    expected["RING_SELECT"] = controller.get("ring_select") or controller["chain_load"]
    expected |= {f"SELECT_{line}": pin for line, pin in enumerate(controller["mux_selects"])}
    expected |= {f"MUX_{mux}_INPUT": pin for mux, pin in enumerate(controller["mux_inputs"])}
    expected["SUPPLY_INPUT"] = "ADC7"  # PROTOCOL.md section 4, SUPPLY_LOW
    expected |= {f"{who.upper()}_{line.upper()}": pin for who in holders for line, pin in holders[who].items()}
    assert models == {name: number(pin) for name, pin in expected.items()}
    assert [controller[name] for name in ("mosi", "miso", "sck")] == ["PB3", "PB4", "PB5"]  # the SPI has no others
