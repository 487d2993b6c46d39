"""Ring sensors, the chain that reads them and the banks that light them (PROTOCOL.md section 4)."""

from __future__ import annotations

from tamsk_hw.board.wiring_map import INPUTS_PER_CHIP, Wiring, bank_of
from tamsk_hw.game.tubes import TUBES, Tube
from wiring.make.circuit import nets
from wiring.make.circuit.assembly import Assembly
from wiring.make.circuit.model import Site, Unit

#: Inputs 0 … 7 of a chip, by the names of its pins.
INPUT_PINS = "ABCDEFGH"


def add_ring_sensing(assembly: Assembly, wiring: Wiring) -> None:
    """The sensors with their resistors, eight inputs for each chip, one drain for each bank."""
    outputs: dict[int, str] = {}
    for tube in TUBES:
        for level, bit in enumerate(wiring.ring_bits[tube], 1):
            outputs[bit] = _add_sensor(assembly, tube, level, bank_of(bit))
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
    driver = assembly.add(
        "U",
        20,
        "bank_driver",
        Unit.SENSORS,
        "lights one bank",
        {
            "VCC": nets.LOGIC,
            "SER_IN": nets.MOSI,
            "SRCK": nets.CLOCK,
            "RCK": nets.LATCH,
            "SRCLR/": nets.LOGIC,
            "G/": nets.ENABLE,
            **dict.fromkeys(("GND", "GND2", "GND3"), nets.GROUND),
            **{f"DRAIN{number}": nets.bank(number) for number in sorted({bank_of(bit) for bit in outputs})},
        },
    )
    assembly.buffer(driver)
    where = "at U20, emitters' supply"
    assembly.capacitor("CB", 1, 470e-6, Unit.SENSORS, where, nets.EMITTERS, serves=driver.ref)
    where = "U20 G/: dark while the controller resets"
    assembly.resistor("R", 20, 10e3, Unit.SENSORS, where, nets.LOGIC, nets.ENABLE, serves=driver.ref)


def _add_sensor(assembly: Assembly, tube: Tube, level: int, bank: int) -> str:
    """One sensor in a tube's wall, its three resistors on the sensor board; gives the net at the register."""
    site = Site(tube, level)
    cathode, output, behind = nets.emitter(tube, level), nets.ring(tube, level), nets.bit(tube, level)
    pins = {"A": nets.EMITTERS, "K": cathode, "C": nets.LOGIC, "E": output}
    assembly.add("RS", site, "ring_sensor", Unit.TUBES, f"ring {site}", pins)
    assembly.resistor("RE", site, 120, Unit.SENSORS, f"emitter {site}", cathode, nets.bank(bank))
    assembly.resistor("RP", site, 33e3, Unit.SENSORS, f"ring {site}, pull-down", output, nets.GROUND)
    # What the array lets through of a spark must not flow into the register.
    assembly.resistor("RI", site, 1e3, Unit.SENSORS, f"ring {site}, to the register", output, behind)
    return behind
