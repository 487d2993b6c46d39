"""The agreement of the harness's files with each other; each check gives a list of problems."""

from collections import Counter

from tests.wiring.harness.reading import Harness, Wire, read_tables

#: IEC 60757, as far as wires of one colour are sold.
COLOURS = {"BK", "BN", "RD", "OG", "YE", "GN", "BU", "VT", "GY", "WH", "PK"}


def source_problems(harness: Harness) -> list[str]:
    """Each pin has one wire, each wire one net at both ends, each number of a cable is used once."""
    found: list[str] = []
    pins = Counter(end.place for wire in harness.wires for end in (wire.a, wire.b))
    found += [f"{ref} pin {pin} has {count} wires" for (ref, pin), count in pins.items() if count > 1]
    for wire in harness.wires:
        for end in (wire.a, wire.b):
            if end.net != wire.net:
                found.append(f"{wire.cable}.{wire.number} is {wire.net}, its end {end.place} is {end.net}")
        if wire.colour not in COLOURS:
            found.append(f"{wire.cable}.{wire.number} is of no colour: {wire.colour}")
        ground, own = wire.net.endswith("GND"), wire.net.startswith("CELL_") or _flat(harness, wire.cable)
        if (wire.colour == "BK") != ground and not own:
            found.append(f"{wire.cable}.{wire.number}: {wire.net} is {wire.colour}; ground, and it alone, is BK")
    for ref, cable in harness.cables.items():
        numbers = sorted(wire.number for wire in harness.wires if wire.cable == ref)
        if numbers != list(range(1, cable["wirecount"] + 1)):
            found.append(f"{ref} has {cable['wirecount']} wires; connected are {numbers}")
        colours = cable["colors"]
        if _flat(harness, ref):
            if colours != ["RD", *["GY"] * (len(colours) - 1)]:
                found.append(f"{ref} is a flat cable, yet not red and grey")
        elif len(set(colours)) != len(colours):
            found.append(f"{ref} has two wires of one colour")
        if not 0.1 <= cable["length"] <= 2:
            found.append(f"{ref} is {cable['length']} m long")
    used = {end.connector for wire in harness.wires for end in (wire.a, wire.b)}
    found += [f"{ref} is not connected" for ref in harness.connectors if ref not in used]
    return found


def table_problems(markdown: str, harness: Harness, tubes: Harness) -> list[str]:
    """Every row of the tables is a wire of the files of WireViz, and every wire is there."""
    found: list[str] = []
    tables = list(read_tables(markdown))
    expected = {row for wire in harness.wires for row in _ends(wire)}
    stated = [
        (heading, row["pin"], row["net"], row["name"] or row["net"], row["wire"], row["colour"], row["other end"])
        for heading, rows in tables
        for row in rows
        if "other end" in row
    ]
    found += [f"not in harness.yml: {row}" for row in stated if row not in expected]
    found += [f"not in harness.md: {row}" for row in sorted(expected - set(stated))]
    if len(stated) != len(set(stated)):
        found.append("a row is there twice")
    cables = {row["cable"]: row for _, rows in tables for row in rows if "made of" in row}
    for ref, cable in harness.cables.items():
        row = cables.pop(ref, {})
        facts = {"length": f"{cable['length']:g} m", "wires": str(cable["wirecount"])}
        if not all(row.get(key) == value for key, value in facts.items()):
            found.append(f"{ref}: {row} instead of {facts}")
    found += [f"{ref} is in no file of WireViz" for ref in cables]
    return found + _tube_table_problems(tables, tubes)


def _tube_table_problems(tables: list[tuple[str, list[dict[str, str]]]], tubes: Harness) -> list[str]:
    stated: set[tuple[str, str, int, str]] = set()
    common: dict[str, str] = {}
    for heading, rows in tables:
        for row in rows:
            numbered = {key: net for key, net in row.items() if key.startswith("wire ") and net}
            if "cable" in row and "connector" in row:
                for key, net in (common | numbered).items():
                    stated.add((row["cable"], row["connector"], int(key.removeprefix("wire ")), net))
            elif numbered:
                common = numbered
            elif set(row) == {"pin", "net", "wire", "colour"}:
                number = int(row["wire"].rpartition(".")[2])
                stated.add((heading, f"J{heading[1:]}", number, row["net"]))
    expected = {(wire.cable, wire.a.connector, wire.a.pin, wire.net) for wire in tubes.wires}
    return [f"tube cables, in one only: {row}" for row in sorted(stated ^ expected)]


def _flat(harness: Harness, cable: str) -> bool:
    return str(harness.cables[cable].get("type", "")).startswith("flat")


def _ends(wire: Wire) -> list[tuple[str, ...]]:
    """A wire's two rows in the tables."""
    name = f"{wire.cable}.{wire.number}"
    return [
        (here.connector, str(here.pin), wire.net, here.name, name, wire.colour, f"{far.connector} pin {far.pin}")
        for here, far in ((wire.a, wire.b), (wire.b, wire.a))
    ]
