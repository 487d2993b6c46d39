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
    """Quantities that are not those of the map, by order code: of what the circuit does not count."""
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
    """The number of sensors on a board of this map, and of sockets, cables' connectors, magnets and screws."""
    rings, fields = sum(CAPACITY[tube] for tube in wiring.tubes), len(wiring.tubes) + 1
    of_height = Counter(CAPACITY[tube] for tube in wiring.tubes)
    chips = -(-rings // 8)
    return {
        "QRE1114GR": rings,
        "1-2199298-4": chips + 1,
        "1-2199298-6": -(-chips // 4),
        # Supply, ground, Hall output and emitters' supply, then two wires for each level.
        "61200623021": of_height[1],
        "61200823021": of_height[2],
        "61201023021": of_height[3],
        "61201223021": of_height[4],
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
