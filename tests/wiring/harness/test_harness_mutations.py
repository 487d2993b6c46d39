"""The checks find what is wrong: a mistake put into a file or into the map is reported."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from tamsk_hw.referee.events import ButtonName
from tests.wiring.built import REFERENCE, SEVEN, made
from tests.wiring.harness import checks, facts
from tests.wiring.harness.reading import Harness, read_sheet, read_source
from wiring.make.harness import files, harness_source, source_text

FILES = made("reference", files)


def changed(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new)


def swapped(text: str, one: str, other: str) -> str:
    """Both put in each other's place, everywhere."""
    assert one in text
    assert other in text
    return re.sub(f"{re.escape(one)}|{re.escape(other)}", lambda at: other if at[0] == one else one, text)


def harness(text: str | None = None) -> Harness:
    return read_source(text or FILES["harness.yml"])


def tubes(text: str | None = None) -> Harness:
    return read_source(text or FILES["tube-cables.yml"])


SOURCE_MISTAKES = {
    "two wires of the panel swapped": lambda text: changed(text, "[11, 13, 15, 18, 20]", "[13, 11, 15, 18, 20]"),
    "a button on the wrong pin": lambda text: changed(text, "[11, 13, 15, 18, 20]", "[16, 13, 15, 18, 20]"),
    "two wires on one pin": lambda text: changed(text, "[11, 13, 15, 18, 20]", "[11, 11, 15, 18, 20]"),
    "light data and ground swapped": lambda text: changed(text, "- PI1: [12, 14]", "- PI1: [14, 12]"),
    "a pixel's supply turned round": lambda text: changed(text, "- LED0: [1, 3, 4]", "- LED0: [3, 1, 4]"),
    "ribbon turned round": lambda text: changed(text, "- J3: [1, 2, 3,", "- J3: [2, 1, 3,"),
    "clock and data of a holder swapped": lambda text: changed(
        text, "- U3: [VCC, GND, SCK, DT]", "- U3: [VCC, GND, DT, SCK]"
    ),
    "a label of its own": lambda text: changed(text, "DIN = PIXEL0", "DIN = PIXEL1"),
    "a supply in black": lambda text: changed(text, "colors: [RD, BK]", "colors: [BK, RD]"),
    "a colour twice": lambda text: changed(text, "[YE, GN, BU, WH, BK]", "[YE, GN, YE, WH, BK]"),
}


@pytest.mark.parametrize("mistake", SOURCE_MISTAKES.values(), ids=SOURCE_MISTAKES.keys())
def test_mistake_in_wireviz_input(mistake: Callable[[str], str]) -> None:
    mutant = harness(mistake(FILES["harness.yml"]))
    assert checks.source_problems(mutant)


MAP_MISTAKES = {
    "two nets of the ribbon swapped, labels too": lambda text: swapped(text, "MUX0", "GND"),
    "two buttons swapped, labels too": lambda text: swapped(text, "BUTTON_RED", "BUTTON_BLACK"),
    "the Pi's pins misnamed": lambda text: swapped(text, "GPIO17", "GPIO27"),
    "the pixel's pins misnamed": lambda text: swapped(text, "DIN", "DOUT"),
    "a pixel of another tube": lambda text: changed(text, "tube A1", "tube A2"),
    "supply turned round, labels too": lambda text: changed(text, "- J1: [1, 2]", "- J1: [2, 1]"),
    "USB data swapped, labels too": lambda text: swapped(text, "USB_D-", "USB_D+"),
    "holders' players swapped": lambda text: swapped(text, "CLK_RED", "DT_RED"),
    "load cell's signal turned round": lambda text: changed(
        text, "- LC1: [red, black, white, green]", "- LC1: [red, black, green, white]"
    ),
}


@pytest.mark.parametrize("mistake", MAP_MISTAKES.values(), ids=MAP_MISTAKES.keys())
def test_mistake_against_the_map(mistake: Callable[[str], str]) -> None:
    mutant = harness(mistake(FILES["harness.yml"]))
    assert facts.map_problems(mutant, REFERENCE.wiring)


def test_another_map() -> None:
    """Files made from one map do not pass for another."""
    real = REFERENCE.wiring
    buttons = {**real.buttons, ButtonName.RED: real.buttons[ButtonName.BLACK]}
    buttons[ButtonName.BLACK] = real.buttons[ButtonName.RED]
    for other in (
        replace(real, lights_pin=21),
        replace(real, buzzer_pin=25),
        replace(real, buttons=buttons),
        replace(real, holders={}),
        SEVEN.wiring,
    ):
        assert facts.map_problems(harness(), other)
    assert facts.tube_problems(tubes(), SEVEN.wiring)


def test_map_changed_before_making() -> None:
    """The files follow the map: made from the changed one they pass for it."""
    other = replace(REFERENCE.wiring, lights_pin=21, holders={})
    changed_board = replace(REFERENCE, wiring=other)
    made = harness(source_text(changed_board, "cables", harness_source(changed_board)))
    assert facts.map_problems(made, other) == []
    assert facts.map_problems(made, REFERENCE.wiring)


TUBE_MISTAKES = {
    "two levels swapped": lambda text: swapped(text, "RING_D4_1", "RING_D4_2"),
    "emitter and output swapped": lambda text: swapped(text, "IR_B2_1", "RING_B2_1"),
    "two tubes swapped": lambda text: swapped(text, "HALL_A1", "HALL_A2"),
    "soldered in another order": lambda text: changed(
        text, "- STRIP-TIMER: [1, 2, 3]", "- STRIP-TIMER: [1, 3, 2]"
    ),
    "soldered to another pin": lambda text: changed(text, "RS-D4-1 K", "RS-D4-1 E"),
}


@pytest.mark.parametrize("mistake", TUBE_MISTAKES.values(), ids=TUBE_MISTAKES.keys())
def test_mistake_in_a_tube_cable(mistake: Callable[[str], str]) -> None:
    assert facts.tube_problems(tubes(mistake(FILES["tube-cables.yml"])), REFERENCE.wiring)


TABLE_MISTAKES = {
    "two pins swapped": lambda text: swapped(text, "PI1 pin 11", "PI1 pin 13"),
    "another colour": lambda text: changed(text, "| W10.2 | GN |", "| W10.2 | BU |"),
    "another net": lambda text: changed(text, "| 12 | LIGHTS_3V3 |", "| 12 | PIXEL0 |"),
    "a row lost": lambda text: re.sub(r"\| 3 \| PIXEL0 .*\n", "", text),
    "another length": lambda text: changed(text, "| 1.2 m |", "| 2.1 m |"),
    "two tubes swapped": lambda text: swapped(text, "HALL_G1", "HALL_G2"),
    "the cradle's wires swapped": lambda text: changed(text, "| 5V | WT-TIMER.1", "| GND | WT-TIMER.1"),
    "a common wire": lambda text: changed(text, "| 5V | GND | 5V_IR |", "| 5V | 5V_IR | GND |"),
}


@pytest.mark.parametrize("mistake", TABLE_MISTAKES.values(), ids=TABLE_MISTAKES.keys())
def test_mistake_in_the_tables(mistake: Callable[[str], str]) -> None:
    assert checks.table_problems(mistake(FILES["harness.md"]), harness(), tubes())


BILL_MISTAKES = {
    "too little cable": lambda text: changed(text, "6 wires\t5.4", "6 wires\t5.1"),
    "a connector too many": lambda text: changed(
        text, "4 pins, controller board\t2", "4 pins, controller board\t3"
    ),
    "a line lost": lambda text: re.sub(r".*GN\t.*\n", "", text),
    "a line too many": lambda text: text + "99" + text.splitlines()[-1][2:].replace("RD", "PK") + "\n",
}


@pytest.mark.parametrize("mistake", BILL_MISTAKES.values(), ids=BILL_MISTAKES.keys())
def test_mistake_in_the_bill(mistake: Callable[[str], str]) -> None:
    assert checks.bill_problems(mistake(FILES["harness-bom.tsv"]), harness(), tubes())


SHEET_MISTAKES = {
    "two ends swapped": lambda svg: swapped(svg, ">PI1:11:GPIO17 = BUTTON_START<", ">PI1:13:GPIO27 = BUTTON_RED<"),
    "another colour": lambda svg: changed(svg, ">2:GN:BUTTON_RED<", ">2:BU:BUTTON_RED<"),
    "two pins of a connector swapped": lambda svg: swapped(
        svg, ">GPIO17 = BUTTON_START<", ">GPIO27 = BUTTON_RED<"
    ),
    "a name lost": lambda svg: changed(svg, ">J6:3:PIXEL0<", "><"),
    "a length": lambda svg: changed(svg, ">1.2 m<", ">1.3 m<"),
}


@pytest.mark.parametrize("mistake", SHEET_MISTAKES.values(), ids=SHEET_MISTAKES.keys())
def test_mistake_in_a_sheet(mistake: Callable[[str], str]) -> None:
    names = [name for name in FILES if name.startswith("harness") and name.endswith(".svg")]
    sheets = [read_sheet(mistake(FILES[name]) if name == "harness.svg" else FILES[name]) for name in names]
    assert checks.sheet_problems(sheets, harness(), all_wires=True)


PAPER_MISTAKES = {
    "another paper": lambda svg: changed(svg, 'width="297mm"', 'width="420mm"'),
    "too small": lambda svg: re.sub(r"scale\(0\.[0-9]+\)", "scale(0.1)", svg),
    "too large": lambda svg: re.sub(r"scale\(0\.[0-9]+\)", "scale(0.4)", svg),
    "a colour not explained": lambda svg: changed(svg, "WH white", "white"),
}


@pytest.mark.parametrize("mistake", PAPER_MISTAKES.values(), ids=PAPER_MISTAKES.keys())
def test_mistake_on_paper(mistake: Callable[[str], str]) -> None:
    assert checks.paper_problems(read_sheet(mistake(FILES["harness.svg"])))
