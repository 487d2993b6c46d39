"""The Raspberry Pi and the parts on its header: lights behind the level shifter, buttons, buzzer."""

from __future__ import annotations

from tamsk_hw.board.wiring_map import Wiring
from tamsk_hw.game.tubes import PLAYERS
from tamsk_hw.referee.events import ButtonName
from wiring.make.circuit import nets
from wiring.make.circuit.assembly import Assembly
from wiring.make.circuit.model import Style, Unit

#: Grounds of the header: beside the light's pin, and for the panel.
LIGHTS_GROUND, PANEL_GROUND = "GND.14", "GND.20"


def add_pi(assembly: Assembly, wiring: Wiring) -> None:
    """The Pi's header, its buttons and buzzer, and the USB cable's two ports."""
    usb = {"VBUS": nets.USB_SUPPLY, "D-": "USB_D-", "D+": "USB_D+", "GND": nets.USB_GROUND}
    assembly.add("J", 4, "usb_mini_b", Unit.CONTROLLER, "USB Mini-B of U1", usb)
    assembly.add("J", 10, "usb_port", Unit.PI, "USB-A of PI1", usb)
    assembly.add(
        "PI",
        1,
        "pi",
        Unit.PI,
        "referee; on a supply of its own",
        {
            f"GPIO{wiring.lights_pin}": nets.LIGHTS_PI,
            f"GPIO{wiring.buzzer_pin}": nets.BUZZER_PI,
            **{f"GPIO{pin}": nets.button(name) for name, pin in wiring.buttons.items()},
            LIGHTS_GROUND: nets.GROUND,
            PANEL_GROUND: nets.GROUND,
        },
    )
    for name in ButtonName:
        pins = {"A": nets.button(name), "B": nets.GROUND}
        assembly.add("SW", name.name, "button", Unit.PANEL, f"button {name.value}", pins)
    assembly.resistor("R", 40, 220, Unit.PANEL, "buzzer", nets.BUZZER_PI, nets.BUZZER)
    assembly.add("BZ", 1, "buzzer", Unit.PANEL, "buzzer", {"+": nets.BUZZER, "-": nets.GROUND})
    wires = (*(nets.button(name) for name in ButtonName), nets.BUZZER_PI, nets.GROUND)
    assembly.connector("J", 9, Style.PIN_HEADER, Unit.PANEL, "buttons and buzzer", wires)


def add_lights(assembly: Assembly, wiring: Wiring) -> None:
    """The level shifter on the pixels' own 5 V, its series resistor, the pixels in the order of their data."""
    wires = (nets.LIGHTS_PI, nets.GROUND)
    assembly.connector("J", 5, Style.PIN_HEADER, Unit.CONTROLLER, "light data from the Pi", wires)
    shifter = assembly.add(
        "U",
        2,
        "level_shifter",
        Unit.CONTROLLER,
        "light data to 5 V",
        {
            "1OE/": nets.GROUND,
            "1A": nets.LIGHTS_PI,
            "1Y": nets.LIGHTS_SHIFTED,
            "VCC": nets.LIGHTS_SUPPLY,
            "GND": nets.GROUND,
            # The other three are off, their inputs at a level.
            **{f"{gate}OE/": nets.LIGHTS_SUPPLY for gate in (2, 3, 4)},
            **{f"{gate}A": nets.GROUND for gate in (2, 3, 4)},
        },
    )
    assembly.buffer(shifter)
    # With the Pi unplugged the pixels stay as they are.
    assembly.resistor("R", 3, 10e3, Unit.CONTROLLER, "light data, when open", nets.LIGHTS_PI, nets.GROUND)
    assembly.resistor("R", 2, 330, Unit.CONTROLLER, "light data", nets.LIGHTS_SHIFTED, nets.pixel(0))
    line = (nets.LIGHTS_SUPPLY, nets.GROUND, nets.pixel(0))
    assembly.connector("J", 6, Style.SCREW_TERMINAL, Unit.CONTROLLER, "lights", line)
    assembly.capacitor("CB", 2, 1000e-6, Unit.LIGHTS, "at the first pixel", nets.LIGHTS_SUPPLY)
    places = pixel_places(wiring)
    for number in range(len(places)):
        data = {"DIN": nets.pixel(number)}
        if number + 1 < len(places):
            data["DOUT"] = nets.pixel(number + 1)
        supply = {"VDD": nets.LIGHTS_SUPPLY, "GND": nets.GROUND}
        assembly.add("LED", number, "pixel", Unit.LIGHTS, places[number], {**supply, **data})


def pixel_places(wiring: Wiring) -> dict[int, str]:
    """The place of each pixel, by its number on the data line."""
    places = {wiring.timer_pixel: "cradle"}
    for tube in wiring.tubes:
        number = wiring.tube_pixels[tube]
        assert number is not None
        places[number] = f"tube {tube}"
    for player in PLAYERS:
        for count, pixel in enumerate(wiring.player_pixels[player], 1):
            places[pixel] = f"{player}'s side, {count}"
    return dict(sorted(places.items()))
