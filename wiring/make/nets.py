"""The names of a circuit's nets."""

from typing import Final

from tamsk_hw.game.tubes import Player, Tube
from tamsk_hw.referee.events import ButtonName
from wiring.make.circuit import Site

GROUND: Final = "GND"

#: The USB cable's supply and ground, which end in the Nano.
USB_SUPPLY: Final = "USB_VBUS"
USB_GROUND: Final = "USB_GND"

#: The supply's output, before any fuse.
INLET: Final = "5V_IN"

#: Behind the slow fuse at the inlet.
FUSED: Final = "5V_FUSED"

#: Behind the guard against wrong polarity, and behind the one against too high a voltage, before the rails' fuses.
GUARDED: Final = "5V_GUARDED"
MAIN: Final = "5V_MAIN"

#: Inside the guard: both gates, the divided voltage, and the way from its comparison to Q2's gate.
POLARITY_GATE: Final = "GATE_POLARITY"
VOLTAGE_GATE: Final = "GATE_VOLTAGE"
VOLTAGE_SENSE: Final = "OVER_SENSE"
VOLTAGE_TRIP: Final = "OVER_TRIP"
VOLTAGE_BASE: Final = "OVER_BASE"

#: Hall sensors, logic and the controller: one rail, so that the converter's reference is the sensors' supply.
LOGIC: Final = "5V"

#: The ring sensors, emitters and collectors: an emitter follower hardly feels its supply, and sun loads no
#: reference.
EMITTERS: Final = "5V_IR"

#: The pixels.
LIGHTS_SUPPLY: Final = "5V_LIGHTS"

SUPPLIES: Final = (INLET, FUSED, GUARDED, MAIN, LOGIC, EMITTERS, LIGHTS_SUPPLY)

MOSI: Final = "MOSI"
MISO: Final = "MISO"
CLOCK: Final = "SCK"

#: The clock at the controller's pin, before its series resistor.
CLOCK_PIN: Final = "SCK_U1"
LATCH: Final = "LATCH"

#: Low lets the decoder choose the converter whose number is on S0 to S2; pulled up, so that a reset chooses none.
RING_SELECT: Final = "SELECT/"

#: Low lets the banks be lit; pulled up, so that a reset is dark.
ENABLE: Final = "ENABLE/"

#: Light data at the Pi, behind the level shifter, and behind its series resistor.
LIGHTS_PI: Final = "LIGHTS_3V3"
LIGHTS_SHIFTED: Final = "LIGHTS_5V"

BUZZER_PI: Final = "BUZZER_PI"
BUZZER: Final = "BUZZER"

#: 2.5 V, by which the controller measures its supply.
SUPPLY_REFERENCE: Final = "REF_2V5"

#: Fixed shares of 5 V, in the order of the wiring map's references.
REFERENCES: Final = ("REF_1/4", "REF_1/2", "REF_3/4")


def select(line: int) -> str:
    """Select line 0 … 3 of the multiplexers."""
    return f"S{line}"


def mux(number: int) -> str:
    """The common output of a multiplexer."""
    return f"MUX{number}"


def bank(number: int, driver: int = 0) -> str:
    """Drain of a bank driver for its part of bank 0 … 7: ``BANK3``, of the second driver ``BANK3B``."""
    return f"BANK{number}{'B' * driver}"


def spare(wire: int) -> str:
    """A wire of the ribbon that ends at its connectors."""
    return f"SPARE{wire}"


def emitter(tube: Tube, level: int) -> str:
    """The cathode of the emitter of a level (1 is the bottom)."""
    return f"IR_{tube}_{level}"


def ring(tube: Tube, level: int) -> str:
    """The output of the ring sensor of a level (1 is the bottom): the higher, the more light comes back."""
    return f"RING_{tube}_{level}"


def bit(tube: Tube, level: int) -> str:
    """The same behind its series resistor, at the converter's input."""
    return f"BIT_{tube}_{level}"


def chosen(chip: int) -> str:
    """Low chooses the converter of chip 0 …; from the decoder."""
    return f"CS{chip}"


def hall(site: Site) -> str:
    """The output of a Hall sensor."""
    return f"HALL_{site}"


def field(site: Site) -> str:
    """The same behind its filter, at the multiplexer."""
    return f"FIELD_{site}"


def holder_clock(player: Player) -> str:
    """The clock of a holder's HX711."""
    return f"CLK_{player.name}"


def holder_data(player: Player) -> str:
    """The data of a holder's HX711."""
    return f"DT_{player.name}"


def cell(player: Player, wire: str) -> str:
    """A wire of a load cell: ``E+``, ``E-``, ``A+``, ``A-``."""
    return f"CELL_{player.name}_{wire}"


def button(name: ButtonName) -> str:
    """A button, to ground when pressed."""
    return f"BUTTON_{name.name}"


def pixel(number: int) -> str:
    """The data that goes into a pixel."""
    return f"PIXEL{number}"
