"""Problems of a parts list: counted again from map and rules, and compared with the circuit."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator

from tamsk_hw.board.wiring import Wiring
from tamsk_hw.game.tubes import CAPACITY
from wiring.make.circuit import Circuit

Row = dict[str, str]


def read(text: str) -> list[Row]:
    """The rows of a list, by column."""
    return list(csv.DictReader(io.StringIO(text)))


def expanded(cell: str) -> Iterator[str]:
    """The designators of a cell: ``U10–17`` are eight."""
    for entry in cell.split():
        first, dash, last = entry.partition("–")
        if not dash:
            yield entry
            continue
        stem, begin = re.fullmatch(r"(.*?)(\d+)", first).groups()  # type: ignore[union-attr]
        for number in range(int(begin), int(last) + 1):
            yield f"{stem}{number}"


def map_problems(text: str, wiring: Wiring) -> list[str]:
    """Quantities that are not those of the map, by order code."""
    found: Counter[str] = Counter()
    for row in read(text):
        if row["number"] and row["measure"] == "pieces":
            found[row["number"]] += int(row["quantity"])
    return [
        f"{number}: {found[number]}, the map wants {count}"
        for number, count in expected(wiring).items()
        if found[number] != count
    ]


def expected(wiring: Wiring) -> dict[str, int]:
    """The number of parts of each order code on a board of this map."""
    tubes, rings = len(wiring.tubes), sum(CAPACITY[tube] for tube in wiring.tubes)
    fields, muxes, holders = tubes + 1, len(wiring.controller.mux_inputs), len(wiring.holders)
    pixels = tubes + 1 + 2 * 2
    of_height = Counter(CAPACITY[tube] for tube in wiring.tubes)
    chips = -(-rings // 8)
    of_row: Counter[int] = Counter()
    for tube in wiring.tubes:
        channel = wiring.channels[tube]
        assert channel is not None
        of_row[channel.mux] += 1 + CAPACITY[tube]
    return {
        "QRE1114GR": rings,
        "DRV5055A3QDBZR": fields,
        "MCP3008-I/P": chips,
        "SN74HC138N": 1,
        "1-2199298-4": chips + 1,
        "TPIC6B595N": -(-chips // 4),
        "1-2199298-6": -(-chips // 4),
        "CD74HC4067M96": muxes,
        "SN74AHCT125N": 1,
        "WS2812B": pixels,
        "SEN-13879": holders,
        "314990000": holders,
        "PV6F240SS": 3,
        "PKM13EPYH4000-A0": 1,
        "MFR-25FBF52-82R": rings,
        "MFR-25FBF52-680R": rings,
        "MFR-25FBF52-220K": fields,
        "MFR-25FBF52-1K": fields + 4 + rings,
        "USBLC6-4SC6": sum(-(-lines // 4) for lines in of_row.values()) + 1,
        "MFR-25FBF52-10K": 4 + 3,
        "MFR-25FBF52-12K": 1,
        "MFR-25FBF52-100R": 1,
        "MFR-25FBF52-4K7": 1,
        "LM4040C25IDBZR": 1,
        "MFR-25FBF52-470R": 1,
        "IRF9310TRPBF": 2,
        "TL431BIDBZR": 1,
        "BC807-40,215": 1,
        "P6KE18CA": 1,
        "BZX79-C15,113": 1,
        "C315C103J5G5TA": 1,
        "MFR-25FBF52-220R": 1,
        "MFR-25FBF52-330R": 2,
        "C315C102J1G5TA": fields + 3,
        "C320C104K5R5TA": 2 * chips + 1 + -(-chips // 4) + muxes + 2 + 1,
        "C1206C104K5RACTU": fields,
        "EEU-FR1A471": 1,
        "EEU-FR1A102": 1,
        # Supply, ground, Hall output and emitters' supply, then two wires for each level.
        "61200621621": of_height[1],
        "61200821621": of_height[2],
        "61201021621": of_height[3],
        "61201221621": of_height[4],
        "61200623021": of_height[1],
        "61200823021": of_height[2],
        "61201023021": of_height[3],
        "61201223021": of_height[4],
        "61202021621": 2,
        "61202023021": 2,
        "S-08-02-N": 2 * (6 + 1),
        "ISO 2009, brass": 2 * fields,
    }


def circuit_problems(text: str, circuit: Circuit) -> list[str]:
    """Parts of the circuit that are in no row or in two, and rows that do not count what they name."""
    found: list[str] = []
    places: dict[str, list[str]] = {}
    for row in read(text):
        named = list(expanded(row["designators"]))
        for ref in named:
            places.setdefault(ref, []).append(row["item"])
        if named and len(named) != int(row["quantity"]):
            found.append(f"{row['item']} {row['value']}: {row['quantity']}, but {len(named)} are named")
        found += _unit_problems(row, named, circuit)
    refs = {part.ref for part in circuit.parts}
    found += [f"{ref}: in no row" for ref in sorted(refs - places.keys())]
    found += [f"{ref}: in no circuit" for ref in sorted(places.keys() - refs)]
    found += [f"{ref}: in {len(rows)} rows" for ref, rows in places.items() if len(rows) > 1]
    return found


def _unit_problems(row: Row, named: list[str], circuit: Circuit) -> Iterator[str]:
    shares = Counter(circuit.by_ref[ref].unit.value for ref in named if ref in circuit.by_ref)
    for unit, count in shares.items():
        if row[unit] != str(count):
            yield f"{row['item']} {row['value']}: {unit}: {row[unit] or 'none'}, the circuit has {count}"
