"""A change of the map changes the labels that it is about, and no others."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from tests.wiring.schematics.boards import changed, pins_of, sheets_of
from tests.wiring.schematics.paper import read
from wiring.make.schematics import files

TABLES = ("array", "ring", "hall", "pixel", "bank", "connector", "rail")


@dataclass(frozen=True)
class Change:
    """Texts replaced in the map; the pins that are then on another net, and the rows that differ."""

    texts: dict[str, str]
    pins: dict[tuple[str, str], str] = field(default_factory=dict)
    rows: frozenset[str] = frozenset()


CHANGES = {
    "ring inputs": Change(
        {"[[0, 4]]": "[[6, 4]]", "[[6, 4]]": "[[0, 4]]"},
        {("U10", "3"): "BIT_E6_1", ("U16", "3"): "BIT_A2_1"},
        frozenset({"RS-A2-1", "RS-E6-1", "BANK4", "BANK4B"}),
    ),
    "addresses": Change(
        {"mux = 0, address =  1,": "mux = 0, address =  2,", "mux = 0, address =  2,": "mux = 0, address =  1,"},
        {("U30", "8"): "FIELD_A3", ("U30", "7"): "FIELD_A2"},
        frozenset({"HS-A2", "HS-A3"}),
    ),
    "a reference and a spare input": Change(
        {"quarter = { mux = 0, address = 5 }": "quarter = { mux = 0, address = 7 }"},
        {("U30", "4"): "GND", ("U30", "2"): "REF_1/4"},
    ),
    "controller pins": Change(
        {'"PB1"': '"PB0"', '"PB0"': '"PB1"'},
        {("U1", "11"): "LOAD", ("U1", "12"): "ENABLE/"},
    ),
    "pixels": Change(
        {"pixel =  2,": "pixel =  3,", "pixel =  3,": "pixel =  2,"},
        rows=frozenset({"LED2", "LED3"}),
    ),
    "buttons": Change(
        {"start = 17, red = 27": "start = 27, red = 17"},
        {("PI1", "11"): "BUTTON_RED", ("PI1", "13"): "BUTTON_START"},
    ),
}


def test_what_changes_is_what_the_changes_are_about(tmp_path: Path) -> None:
    """All at once: no two of them are about the same pin or row."""
    texts = {old: new for change in CHANGES.values() for old, new in change.texts.items()}
    known = sheets_of("reference")
    sheets = {key: read(svg) for key, svg in files(changed(tmp_path, texts)).items()}
    before, after = pins_of(known), pins_of(sheets)
    rows = {
        row[0]
        for kind in TABLES
        for key, sheet in sheets.items()
        for row in sheet.rows(kind)
        if row not in known[key].rows(kind)
    }
    assert before.keys() == after.keys()
    expected = {pin: net for change in CHANGES.values() for pin, net in change.pins.items()}
    assert {pin: words[-1] for pin, words in after.items() if words != before[pin]} == expected
    assert rows == {row for change in CHANGES.values() for row in change.rows}
