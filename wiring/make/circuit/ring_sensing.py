"""Ring sensors, the chain that reads them and the banks that light them (PROTOCOL.md section 4)."""

from __future__ import annotations

from tamsk_hw.board.wiring_map import INPUTS_PER_CHIP, Wiring, bank_of
from tamsk_hw.game.tubes import TUBES
from wiring.make.circuit import nets
from wiring.make.circuit.assembly import Assembly
from wiring.make.circuit.model import Unit

#: Inputs 0 … 7 of a chip, by the names of its pins.
INPUT_PINS = "ABCDEFGH"


def add_ring_sensing(assembly: Assembly, wiring: Wiring) -> None:
    """The sensors with their resistors, eight inputs for each chip, one drain for each bank."""
    outputs: dict[int, str] = {}
    for tube in TUBES:
        for level, bit in enumerate(wiring.ring_bits[tube], 1):
            _add_sensor(
                assembly, f"{tube}-{level}", nets.emitter(tube, level), nets.ring(tube, level), bank_of(bit)
            )
            outputs[bit] = nets.ring(tube, level)
    chips = wiring.chips
    for chip in range(chips):
        inputs = {
            pin: outputs.get(chip * INPUTS_PER_CHIP + number, nets.GROUND) for number, pin in enumerate(INPUT_PINS)
        }
        where = f"chip {chip} of the chain"
        assembly.add(
            f"U{10 + chip}",
            "chain_register",
            Unit.SENSORS,
            where,
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
        assembly.capacitor(f"CU{10 + chip}", "100 nF", Unit.SENSORS, f"at U{10 + chip}", nets.LOGIC)
        # What a broken wire cuts off reads as light in the dark: unknown, never a ring.
        assembly.resistor(
            f"R{10 + chip}", "10 kΩ", Unit.SENSORS, f"U{10 + chip} SER", nets.LOGIC, nets.chain(chip + 1)
        )
    assembly.add(
        "U20",
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
    assembly.capacitor("CU20", "100 nF", Unit.SENSORS, "at U20", nets.LOGIC)
    assembly.capacitor("CB1", "470 µF", Unit.SENSORS, "at U20, emitters' supply", nets.EMITTERS)
    assembly.resistor(
        "R20", "10 kΩ", Unit.SENSORS, "U20 G/: dark while the controller resets", nets.LOGIC, nets.ENABLE
    )


def _add_sensor(assembly: Assembly, place: str, cathode: str, output: str, bank: int) -> None:
    """One sensor in a tube's wall; its two resistors are on the sensor board."""
    assembly.add(
        f"RS-{place}",
        "ring_sensor",
        Unit.TUBES,
        f"ring {place}",
        {"A": nets.EMITTERS, "K": cathode, "C": nets.LOGIC, "E": output},
    )
    assembly.resistor(f"RE-{place}", "120 Ω", Unit.SENSORS, f"emitter {place}", cathode, nets.bank(bank))
    assembly.resistor(f"RP-{place}", "33 kΩ", Unit.SENSORS, f"ring {place}, pull-down", output, nets.GROUND)
