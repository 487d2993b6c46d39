"""The Raspberry Pi and what hangs on its header: lights behind the level shifter, buttons, buzzer."""

from __future__ import annotations

from tamsk_hw.board.wiring_map import Wiring
from tamsk_hw.game.players import PLAYERS
from tamsk_hw.referee.events import ButtonName
from wiring.make.circuit import nets
from wiring.make.circuit.assembly import Assembly
from wiring.make.circuit.model import Unit

#: Grounds of the header: beside the light's pin, and for the panel.
LIGHTS_GROUND, PANEL_GROUND = "GND.14", "GND.20"


def add_pi(assembly: Assembly, wiring: Wiring) -> None:
    """The Pi's header, its buttons and buzzer, and the USB cable's two ports."""
    usb = {name: f"USB_{name}" for name in ("VBUS", "D-", "D+", "GND")}
    assembly.add("J4", "usb_port", Unit.CONTROLLER, "USB Mini-B of U1", usb)
    assembly.add("J10", "usb_port", Unit.PI, "USB-A of PI1", usb)
    assembly.add(
        "PI1",
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
        assembly.add(
            f"SW-{name.name}",
            "button",
            Unit.PANEL,
            f"button {name.value}",
            {"A": nets.button(name), "B": nets.GROUND},
        )
    assembly.resistor("R40", "220 Ω", Unit.PANEL, "buzzer", nets.BUZZER_PI, nets.BUZZER)
    assembly.add("BZ1", "buzzer", Unit.PANEL, "buzzer", {"+": nets.BUZZER, "-": nets.GROUND})
    wires = (*(nets.button(name) for name in ButtonName), nets.BUZZER_PI, nets.GROUND)
    assembly.connector("J9", "pin header, 5 pins", Unit.PANEL, "buttons and buzzer", wires)


def add_lights(assembly: Assembly, wiring: Wiring) -> None:
    """The level shifter on the pixels' own 5 V, its series resistor, the pixels in the order of their data."""
    assembly.connector(
        "J5", "pin header, 2 pins", Unit.CONTROLLER, "light data from the Pi", (nets.LIGHTS_PI, nets.GROUND)
    )
    assembly.add(
        "U2",
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
    assembly.capacitor("CU2", "100 nF", Unit.CONTROLLER, "at U2", nets.LIGHTS_SUPPLY)
    # With the Pi unplugged the pixels stay as they are.
    assembly.resistor("R3", "10 kΩ", Unit.CONTROLLER, "light data, when open", nets.LIGHTS_PI, nets.GROUND)
    assembly.resistor("R2", "330 Ω", Unit.CONTROLLER, "light data", nets.LIGHTS_SHIFTED, nets.pixel(0))
    assembly.connector(
        "J6",
        "screw terminal, 3 wires",
        Unit.CONTROLLER,
        "lights",
        (nets.LIGHTS_SUPPLY, nets.GROUND, nets.pixel(0)),
    )
    assembly.capacitor("CB2", "1000 µF", Unit.LIGHTS, "at the first pixel", nets.LIGHTS_SUPPLY)
    places = pixel_places(wiring)
    for number in range(len(places)):
        data = {"DIN": nets.pixel(number)}
        if number + 1 < len(places):
            data["DOUT"] = nets.pixel(number + 1)
        supply = {"VDD": nets.LIGHTS_SUPPLY, "GND": nets.GROUND}
        assembly.add(f"LED{number}", "pixel", Unit.LIGHTS, places[number], {**supply, **data})


def pixel_places(wiring: Wiring) -> dict[int, str]:
    """Where each pixel is, by its number on the data line."""
    places = {wiring.timer_pixel: "cradle"}
    for tube in wiring.tubes:
        number = wiring.tube_pixels[tube]
        assert number is not None
        places[number] = f"tube {tube}"
    for player in PLAYERS:
        for count, pixel in enumerate(wiring.player_pixels[player], 1):
            places[pixel] = f"{player}'s side, {count}"
    return dict(sorted(places.items()))
