"""Reads the harness's files back: WireViz' input, the sheets, the tables, the list of what to buy."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import yaml

#: The quick one, where PyYAML has it.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True)
class End:
    """A pin of a connector, with what stands at it: its net, or its name and its net."""

    connector: str
    pin: int
    label: str

    @property
    def net(self) -> str:
        return self.label.rpartition(" = ")[2]

    @property
    def name(self) -> str:
        return self.label.partition(" = ")[0]

    @property
    def place(self) -> tuple[str, int]:
        return self.connector, self.pin


@dataclass(frozen=True, slots=True)
class Wire:
    """A wire of a cable, as the file has it."""

    cable: str
    number: int
    net: str
    colour: str
    a: End
    b: End


@dataclass(frozen=True, slots=True)
class Harness:
    """The content of a file of WireViz."""

    connectors: dict[str, Any]
    cables: dict[str, Any]
    bought: list[Any]
    wires: list[Wire]

    def labels(self, connector: str) -> dict[int, str]:
        entry = self.connectors[connector]
        return dict(zip(entry["pins"], entry["pinlabels"], strict=True))

    def joined(self) -> dict[tuple[str, int], tuple[str, int]]:
        """For each pin the one at the other end of its wire."""
        found = {wire.a.place: wire.b.place for wire in self.wires}
        return found | {wire.b.place: wire.a.place for wire in self.wires}


@cache
def read_source(text: str) -> Harness:
    """Raises `KeyError` or `ValueError` for a file whose parts do not fit together."""
    data = yaml.load(text, Loader=_LOADER)
    connectors, cables = data["connectors"], data["cables"]
    wires: list[Wire] = []
    for entry in data["connections"]:
        (a, a_pins), (cable, numbers), (b, b_pins) = (next(iter(each.items())) for each in entry)
        colours, nets = cables[cable]["colors"], cables[cable]["wirelabels"]
        for a_pin, number, b_pin in zip(a_pins, numbers, b_pins, strict=True):
            ends = [End(ref, pin, _label(connectors[ref], pin)) for ref, pin in ((a, a_pin), (b, b_pin))]
            wires.append(Wire(cable, number, nets[number - 1], colours[number - 1], ends[0], ends[1]))
    return Harness(connectors, cables, data["additional_bom_items"], wires)


def _label(connector: dict[str, Any], pin: int) -> str:
    return str(connector["pinlabels"][connector["pins"].index(pin)])


def read_tables(markdown: str) -> Iterator[tuple[str, list[dict[str, str]]]]:
    """Each table with the heading that it stands under; its rows by column."""
    heading = ""
    head: list[str] = []
    rows: list[dict[str, str]] = []
    for line in [*markdown.splitlines(), ""]:
        if line.startswith("|"):
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if not head:
                head = cells
            elif set(cells) != {"---"}:
                rows.append(dict(zip(head, cells, strict=True)))
            continue
        if head:
            yield heading, rows
            head, rows = [], []
        if line.startswith("#"):
            heading = line.lstrip("# ").partition(":")[0]
