"""The hole map is read back: every pin has a hole of its own, and no two parts are in each other's way."""

import re
from collections.abc import Iterator
from itertools import combinations

import pytest

from tests.wiring.bench import BOARDS, SEVEN, made
from wiring.make.board import Board
from wiring.make.circuit import Role, Unit
from wiring.make.perforated import Placed, files, plans

#: A board of 160 × 100 mm, its outermost holes half a pitch or more from the edge.
COLUMNS, ROWS = 61, 38

UNITS = {"Sensor board": Unit.SENSORS, "Controller board": Unit.CONTROLLER}

Hole = tuple[int, int]


def hole(name: str) -> Hole:
    """Column and row from 1 of a name: A is the first row, AA the 27th."""
    letters, column = re.fullmatch(r"([A-Z]+)(\d+)", name).groups()  # type: ignore[union-attr]
    row = 0
    for letter in letters:
        row = 26 * row + ord(letter) - ord("A") + 1
    return int(column), row


def read(text: str) -> dict[Unit, dict[str, dict[str, tuple[Hole, str]]]]:
    """By unit and designator the hole and the net of each pin."""
    found: dict[Unit, dict[str, dict[str, tuple[Hole, str]]]] = {}
    for section in text.split("\n## ")[1:]:
        parts = found.setdefault(UNITS[section.splitlines()[0]], {})
        for line in section.splitlines():
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if len(cells) == 3 and cells[0] not in ("part", "---"):
                pins = re.findall(r"(\d+) ([A-Z]+\d+)(?: \(([^)]*)\))?", cells[2])
                assert cells[0] not in parts
                parts[cells[0]] = {number: (hole(name), net) for number, name, net in pins}
    return found


def problems(parts: dict[str, dict[str, tuple[Hole, str]]]) -> Iterator[str]:
    """Holes that are none, and such as two pins go into."""
    owners: dict[Hole, str] = {}
    for ref, pins in parts.items():
        for number, (place, _) in pins.items():
            column, row = place
            if not (1 <= column <= COLUMNS and 1 <= row <= ROWS):
                yield f"{ref} pin {number}: {place} is beyond the board"
            if place in owners:
                yield f"{ref} pin {number}: {place} is {owners[place]}'s"
            owners[place] = f"{ref} pin {number}"


def mapped(board: Board) -> dict[Unit, dict[str, dict[str, tuple[Hole, str]]]]:
    return read(made(board.key, files)["perforated.md"])


@pytest.mark.parametrize("key", BOARDS)
def test_every_pin_of_every_part_has_its_hole_and_its_net(key: str) -> None:
    for unit, parts in mapped(BOARDS[key]).items():
        wanted = {
            part.ref: {pin.number: part.nets.get(pin.name, "") for pin in part.kind.pins}
            for part in BOARDS[key].circuit.on(unit)
            if part.ref not in ("J1", "J4")
        }
        assert {ref: {number: net for number, (_, net) in pins.items()} for ref, pins in parts.items()} == wanted


@pytest.mark.parametrize("key", BOARDS)
def test_no_two_pins_share_a_hole(key: str) -> None:
    for parts in mapped(BOARDS[key]).values():
        assert list(problems(parts)) == []


def holes_of(each: Placed) -> set[Hole]:
    """The holes under a part's body."""
    x, y = each.corner
    return {(x + i, y + j) for i in range(each.outline.width) for j in range(each.outline.height)}


@pytest.mark.parametrize("key", BOARDS)
def test_bodies_do_not_overlap_and_cover_their_pins(key: str) -> None:
    for plan in plans(BOARDS[key]):
        for each in plan.placed:
            assert set(each.pins.values()) <= holes_of(each)
        for one, other in combinations(plan.placed, 2):
            assert holes_of(one).isdisjoint(holes_of(other)), (one.part.ref, other.part.ref)


def test_pins_of_chips_face_each_other_as_on_the_package() -> None:
    """Of n pins, pin k is opposite to pin n + 1 - k; rows are 7.62 or 15.24 mm apart, neighbours 2.54 mm."""
    apart = {"U10": 3, "U18": 3, "U30": 6, "U20": 3, "DA1": 3, "U2": 3, "U1": 6, "Q1": 3}
    parts = {ref: pins for unit in mapped(SEVEN).values() for ref, pins in unit.items()}
    for ref, distance in apart.items():
        places = {int(number): place for number, (place, _) in parts[ref].items()}
        half = len(places) // 2
        for k in range(1, half + 1):
            (x, y), (across, above) = places[k], places[len(places) + 1 - k]
            assert (across, y - above) == (x, distance)
            assert x == places[1][0] + k - 1


@pytest.mark.parametrize("key", BOARDS)
def test_each_chips_capacitor_is_beside_its_supply_pin(key: str) -> None:
    """Within two holes, 5 mm."""
    for unit, parts in mapped(BOARDS[key]).items():
        for part in BOARDS[key].circuit.on(unit):
            if part.letters == "CU":
                chip = BOARDS[key].circuit.by_ref[part.serves]
                supply = next(pin.number for pin in chip.kind.pins if pin.role is Role.SUPPLY)
                (x, y), (left, top) = parts[part.ref]["1"][0], parts[chip.ref][supply][0]
                assert max(abs(x - left), abs(y - top)) <= 2, part.ref
