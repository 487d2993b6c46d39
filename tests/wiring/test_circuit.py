"""The circuit against the facts of the map, and each way in which it may be electrically wrong."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from tamsk_hw.board.wiring import parse_wiring
from tests.wiring.bench import BOARDS
from tests.wiring.facts import MAPS, Fact, Facts
from wiring.make.board import Board, problems
from wiring.make.circuit import Circuit, Part
from wiring.make.circuit_parts import build_circuit


@pytest.fixture(params=list(BOARDS))
def board(request: pytest.FixtureRequest) -> Board:
    return BOARDS[request.param]


def facts_in(circuit: Circuit) -> set[Fact]:
    return {
        Fact(part.ref, int(pin.number), net)
        for part in circuit.parts
        for pin in part.kind.pins
        if pin.number.isdecimal() and (net := part.nets.get(pin.name)) is not None
    }


def test_every_fact_of_the_map_is_in_the_circuit(board: Board) -> None:
    facts = Facts.of(board.key)
    assert not (facts.chips_and_controller | facts.emitters) - facts_in(board.circuit)


def test_no_chip_has_more_than_the_map_says(board: Board) -> None:
    facts = Facts.of(board.key)
    for kind, known in (("ring_converter", facts.converters), ("multiplexer", facts.muxes)):
        for part in board.circuit.of_kind(kind):
            pins = [fact for fact in known if fact.ref == part.ref]
            supply = {pin.number for pin in part.kind.pins if pin.name in ("VCC", "VDD", "GND", "DGND")}
            assert {pin.number for pin in part.kind.pins} == {str(fact.pin) for fact in pins} | supply


def test_every_line_from_a_tube_has_its_array(board: Board) -> None:
    rings = Facts.of(board.key).rings.values()
    lines = [f"RING_{tube}_{level}" for tube, level in rings]
    lines += [f"HALL_{tube}" for tube in (*Facts.of(board.key).values["tubes"], "TIMER")]
    arrays = list(board.circuit.of_kind("line_guard"))
    # USBLC6-4: lines on pins 1, 3, 4 and 6, ground on 2, the supply on 5.
    clamped = [
        part.nets[pin.name] for part in arrays for pin in part.kind.pins if pin.number in ("1", "3", "4", "6")
    ]
    assert sorted(net for net in clamped if net != "GND") == sorted(lines)
    tubes = Facts.of(board.key).values["tubes"]
    rows = {
        mux: sum(1 + len(own["rings"]) for own in tubes.values() if own["mux"] == mux)
        for mux in {own["mux"] for own in tubes.values()}
    }
    assert len(arrays) == sum(-(-count // 4) for count in rows.values()) + 1
    for part in arrays:
        assert {pin.number: part.nets[pin.name] for pin in part.kind.pins if pin.number in "25"} == {
            "2": "GND",
            "5": "5V",
        }


def test_the_reference_of_the_supply_is_on_an_input_of_its_own() -> None:
    """ADC7, the Nano's pin 26 (Arduino Nano, 30 pins); ADC6, its pin 25, where a multiplexer is on ADC7."""
    assert Fact("U1", 26, "REF_2V5") in facts_in(BOARDS["seven"].circuit)
    text = MAPS["reference"].read_text(encoding="utf-8").replace('"ADC1", "ADC2"]', '"ADC1", "ADC7"]')
    found = facts_in(build_circuit("other", parse_wiring(text, "other.toml")))
    assert {Fact("U1", 25, "REF_2V5"), Fact("U1", 26, "MUX2")} <= found


def test_every_ring_line_has_its_resistor_before_the_converter(board: Board) -> None:
    facts = Facts.of(board.key)
    wanted = {
        Fact(f"RI-{tube}-{level}", pin, net)
        for tube, level in facts.rings.values()
        for pin, net in ((1, f"RING_{tube}_{level}"), (2, f"BIT_{tube}_{level}"))
    }
    assert not wanted - facts_in(board.circuit)


def test_the_circuit_is_sound(board: Board) -> None:
    assert problems(board.circuit, board.cables) == []


def changed(circuit: Circuit, ref: str, nets: Mapping[str, str | None]) -> Circuit:
    """The circuit with other nets on some pins of a part; None leaves a pin open."""

    def of(part: Part) -> Part:
        if part.ref != ref:
            return part
        values = {**part.nets, **nets}
        return replace(part, nets={name: net for name, net in values.items() if net is not None})

    return Circuit(circuit.name, tuple(of(part) for part in circuit.parts))


Nets = dict[str, str | None]

SPOILED: dict[str, tuple[str, Nets, str]] = {
    "an input left open": ("U10", {"CLK": None}, "U10 pin 13 (CLK): open"),
    "supply and ground exchanged": ("U30", {"VCC": "GND", "GND": "5V"}, "U30 pin 24 (VCC): on GND"),
    "an output on a rail": ("U10", {"DOUT": "5V"}, "net 5V: U10 pin 12 (DOUT) drives it"),
    "two outputs on one net": ("U18", {"Y2/": "CS1"}, "net CS1: driven by U18 pin 13 (Y2/) and by U18 pin 14"),
    "a shared output beside one that is always on": (
        "U12",
        {"DOUT": "CS1"},
        "net CS1: driven by U18 pin 14 (Y1/) and by U12 pin 12 (DOUT)",
    ),
    "a supply that is a signal": ("HS-D4", {"VCC": "SCK"}, "HS-D4 pin 1 (VCC): on SCK; allowed is a supply"),
    "a pin without a connection inside": ("U20", {"NC": "GND"}, "U20 pin 1 (NC): on GND; allowed is nothing"),
    "a net with one end": ("RP-D4-1", {"B": "NOWHERE"}, "net NOWHERE: only RP-D4-1 pin 2 (B) is on it"),
    "an analog pin used as an output": ("U1", {"ADC6": "LATCH", "PB2": None}, "U1 ADC6: LATCH; allowed is a"),
    "a multiplexer on a digital pin": ("U1", {"PB2": "MUX0", "ADC0": None}, "U1 PB2: MUX0; allowed is a pin of"),
    "the SPI on another pin": ("U1", {"PB3": "LATCH", "PB2": "MOSI"}, "U1 PB3: LATCH; allowed is MOSI"),
    "the serial line taken": ("U1", {"PD0": "S0"}, "U1 PD0: S0; allowed is nothing"),
    "lights without PWM": ("PI1", {"GPIO18": None, "GPIO23": "LIGHTS_3V3"}, "PI1 GPIO23: LIGHTS_3V3; allowed"),
    "a button on the console": ("PI1", {"GPIO17": None, "GPIO14": "BUTTON_START"}, "PI1 GPIO14: BUTTON_START"),
    "an input that nothing drives": ("U1", {"PB2": None}, "net LATCH: nothing drives U20 pin 12 (RCK)"),
}


@pytest.mark.parametrize("name", SPOILED)
def test_what_is_electrically_wrong_is_named(name: str) -> None:
    ref, nets, words = SPOILED[name]
    found = problems(changed(BOARDS["reference"].circuit, ref, nets))
    assert any(problem.startswith(words) for problem in found), found


def test_a_designator_is_used_once() -> None:
    circuit = BOARDS["seven"].circuit
    with pytest.raises(ValueError, match="U1: used twice"):
        Circuit(circuit.name, (*circuit.parts, circuit.by_ref["U1"]))


def test_a_pin_takes_one_wire(board: Board) -> None:
    buttons = board.cables[-1]
    lights = next(cable for cable in board.cables if cable.a == "J5")
    twice = replace(buttons, wires=(*buttons.wires[:-1], replace(buttons.wires[-1], b=lights.wires[-1].b)))
    found = problems(board.circuit, (*board.cables[:-1], twice))
    assert found == ["W10: PI1 pin 14 is taken by W4; allowed is one wire"]


def test_a_cable_joins_the_same_net(board: Board) -> None:
    ribbon = next(cable for cable in board.cables if cable.a == "J2")
    wires = list(ribbon.wires)
    wires[6], wires[8] = replace(wires[6], b="9"), replace(wires[8], b="7")
    found = problems(board.circuit, (replace(ribbon, wires=tuple(wires)),))
    assert found == ["W2: SCK on J3 pin 9, which carries MOSI", "W2: MOSI on J3 pin 7, which carries SCK"]


def test_the_gate_of_q1_is_kept_near_its_source_by_a_zener_the_right_way_round(board: Board) -> None:
    """Turned round it would conduct from source to gate, and Q1 would never close."""
    guard, diode = board.circuit.by_ref["Q1"], board.circuit.by_ref["D2"]
    assert (diode.nets["K"], diode.nets["A"]) == (guard.nets["S"], guard.nets["G"])
    assert {pin.name: pin.number for pin in diode.kind.pins} == {"K": "1", "A": "2"}, "SOD-123: pad 1 has the bar"
