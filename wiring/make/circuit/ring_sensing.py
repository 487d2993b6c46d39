"""Ring sensors, the chain that reads them and the banks that light them (PROTOCOL.md section 4)."""

from __future__ import annotations

from tamsk_hw.board.wiring_map import INPUTS_PER_CHIP, Wiring, bank_of
from tamsk_hw.game.tubes import TUBES, Tube
from wiring.make.circuit import nets
from wiring.make.circuit.assembly import Assembly
from wiring.make.circuit.model import Site, Unit

#: Inputs 0 … 7 of a chip, by the names of its pins.
INPUT_PINS = "ABCDEFGH"

#: Chips of the chain whose emitters hang on one driver: so many emitters on an output stay within its rating.
CHIPS_OF_A_DRIVER = 4


def add_ring_sensing(assembly: Assembly, wiring: Wiring) -> None:
    """The sensors with their resistors, eight inputs for each chip, one drain for each bank."""
    outputs: dict[int, str] = {}
    for tube in TUBES:
        for level, bit in enumerate(wiring.ring_bits[tube], 1):
            outputs[bit] = _add_sensor(assembly, tube, level, nets.bank(bank_of(bit), driver_of(bit)))
    chips = wiring.chips
    for chip in range(chips):
        inputs = {
            pin: outputs.get(chip * INPUTS_PER_CHIP + number, nets.GROUND) for number, pin in enumerate(INPUT_PINS)
        }
        register = assembly.add(
            "U",
            10 + chip,
            "chain_register",
            Unit.SENSORS,
            f"chip {chip} of the chain",
            {
                "SH/LD": nets.LOAD,
                "CLK": nets.CLOCK,
                "CLK_INH": nets.GROUND,
                "QH": nets.MISO if chip == 0 else nets.chain(chip),
                "SER": nets.chain(chip + 1),
                "VCC": nets.LOGIC,
                "GND": nets.GROUND,
                **inputs,
            },
        )
        assembly.buffer(register)
        # Chips behind a broken wire read as light in the dark: unknown, never a ring.
        where, behind = f"{register.ref} SER", nets.chain(chip + 1)
        assembly.resistor("R", 10 + chip, 10e3, Unit.SENSORS, where, nets.LOGIC, behind, serves=register.ref)
    for driver in range(-(-chips // CHIPS_OF_A_DRIVER)):
        _add_driver(assembly, driver, {bank_of(bit) for bit in outputs if driver_of(bit) == driver})
    where = "at U20, emitters' supply"
    assembly.capacitor("CB", 1, 470e-6, Unit.SENSORS, where, nets.EMITTERS, serves="U20")
    where = "G/ of the drivers: dark while the controller resets"
    assembly.resistor("R", 20, 10e3, Unit.SENSORS, where, nets.LOGIC, nets.ENABLE, serves="U20")


def driver_of(bit: int) -> int:
    """The driver that lights the sensor of a bit: the first for chips 0 to 3, the second for chips 4 to 7."""
    return bit // INPUTS_PER_CHIP // CHIPS_OF_A_DRIVER


def _add_driver(assembly: Assembly, number: int, banks: set[int]) -> None:
    """A driver of these banks. All get the same pattern at once, so the program knows of one alone."""
    driver = assembly.add(
        "U",
        20 + number,
        "bank_driver",
        Unit.SENSORS,
        f"lights one bank, chips {CHIPS_OF_A_DRIVER * number} to {CHIPS_OF_A_DRIVER * (number + 1) - 1}",
        {
            "VCC": nets.LOGIC,
            "SER_IN": nets.MOSI,
            "SRCK": nets.CLOCK,
            "RCK": nets.LATCH,
            "SRCLR/": nets.LOGIC,
            "G/": nets.ENABLE,
            **dict.fromkeys(("GND", "GND2", "GND3"), nets.GROUND),
            **{f"DRAIN{bank}": nets.bank(bank, number) for bank in sorted(banks)},
        },
    )
    assembly.buffer(driver)


def _add_sensor(assembly: Assembly, tube: Tube, level: int, bank: str) -> str:
    """One sensor in a tube's wall, its three resistors on the sensor board; gives the net at the register."""
    site = Site(tube, level)
    cathode, output, behind = nets.emitter(tube, level), nets.ring(tube, level), nets.bit(tube, level)
    pins = {"A": nets.EMITTERS, "K": cathode, "C": nets.LOGIC, "E": output}
    assembly.add("RS", site, "ring_sensor", Unit.TUBES, f"ring {site}", pins)
    assembly.resistor("RE", site, 82, Unit.SENSORS, f"emitter {site}", cathode, bank)
    assembly.resistor("RP", site, 33e3, Unit.SENSORS, f"ring {site}, pull-down", output, nets.GROUND)
    # What the array lets through of a spark must not flow into the register.
    assembly.resistor("RI", site, 1e3, Unit.SENSORS, f"ring {site}, to the register", output, behind)
    return behind
