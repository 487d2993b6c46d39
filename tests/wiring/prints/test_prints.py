"""The prints are those of the mechanics, and may be printed."""

import math
from dataclasses import replace
from pathlib import Path

import pytest

from tests.wiring.bench import REFERENCE, SEVEN, WANTED, kernel, stl
from tests.wiring.mechanics.boards import changed
from wiring.make.board import FOLDER
from wiring.prints import making
from wiring.prints.checking import Problem, read
from wiring.prints.making import differences, problems
from wiring.prints.wanted import Jig, Tube, wanted_prints

README = (FOLDER / "prints" / "README.md").read_text(encoding="utf-8")

TUBES = {"tube-1": 1, "tube-2": 2, "tube-3": 3, "tube-4": 4, "cradle": 1}
JIGS = ("magnet-jig-A", "magnet-jig-B")


def test_there_is_a_print_for_every_tube_the_cradle_and_both_ends() -> None:
    assert WANTED.keys() == {*TUBES, *JIGS}
    copies = {name: (wanted.copies["reference"], wanted.copies["seven"]) for name, wanted in WANTED.items()}
    assert copies == {
        "tube-1": (18, 0),
        "tube-2": (12, 0),
        "tube-3": (6, 6),
        "tube-4": (1, 1),
        "cradle": (1, 1),
        "magnet-jig-A": (1, 1),
        "magnet-jig-B": (1, 1),
    }


@pytest.mark.parametrize("name", WANTED)
def test_a_print_has_no_fault(name: str) -> None:
    assert problems(WANTED[name], stl(name).parent) == []


@pytest.mark.parametrize("name", TUBES)
def test_a_tube_is_as_large_as_the_set_wants(name: str) -> None:
    """The size by hand: a foot of 41 + 2 mm; 5.45 mm high; the last sensor 0.9 mm above its ring's middle."""
    west, south, bottom, east, north, top = read(stl(name)).bounds
    assert (west, south, bottom, east, north) == pytest.approx((-21.5, -21.5, 0.0, 21.5, 21.5), abs=0.02)
    # Half of the sensor's body of 3.6 mm and of its play, a wall of 1 mm, a chamfer of 0.4.
    assert top == pytest.approx(5.45 + 4.5 * (TUBES[name] - 0.5) + 0.9 + 1.9 + 1.4, abs=0.01)


def sliced(height: float, layer: float) -> float:
    """The height that a slicer makes of it: a layer is printed where the solid is at the layer's middle."""
    return math.floor(height / layer + 0.5 + 1e-9) * layer


def test_layers_leave_the_die_its_distance() -> None:
    """The calculations allow a printed floor to be 0.1 mm off."""
    wanted = WANTED["tube-4"]
    assert isinstance(wanted.solid, Tube)
    floor, seat = wanted.solid.foot_height, wanted.solid.seat_height
    off = {layer: sliced(floor, layer) - sliced(seat, layer) - (floor - seat) for layer in (wanted.layer, 0.2)}
    assert off == {0.15: pytest.approx(-0.03, abs=0.005), 0.2: pytest.approx(-0.13, abs=0.005)}


@pytest.mark.parametrize("thickness", [1.5, 2.0, 2.3, 3.0])
def test_layers_leave_the_boss_its_height(thickness: float) -> None:
    board = replace(REFERENCE, wiring=changed(REFERENCE.wiring, magnet_thickness=thickness))
    for wanted in wanted_prints((board,)):
        if isinstance(wanted.solid, Jig):
            ground = wanted.solid.ground
            boss = sliced(ground + wanted.solid.boss_height, wanted.layer) - sliced(ground, wanted.layer)
            assert boss == pytest.approx(0.2)
            assert ground / wanted.layer == pytest.approx(round(ground / wanted.layer))
            assert wanted.solid.pocket_height >= thickness + 0.5 - 1e-9


def test_a_map_of_other_dimensions_has_its_own_prints() -> None:
    other = replace(SEVEN, wiring=changed(SEVEN.wiring, tube_inner_diameter=25.4))
    names = [wanted.name for wanted in wanted_prints((REFERENCE, other))]
    assert {"tube-3", "seven-tube-3", "seven-tube-4", "seven-cradle", "seven-magnet-jig-B"} < set(names)
    assert "seven-tube-1" not in names


def test_without_room_for_screws_it_is_glued() -> None:
    narrow = changed(REFERENCE.wiring, tube_outer_diameter=34.0, ring_inner_diameter=35.0)
    prints = wanted_prints((replace(REFERENCE, wiring=narrow),))
    assert all(wanted.solid.screws == () for wanted in prints if isinstance(wanted.solid, Tube))


@pytest.mark.parametrize("name", WANTED)
def test_stl_and_step_are_the_same_solid(name: str) -> None:
    kernel()
    assert differences(WANTED[name], stl(name).parent) == []


def test_a_step_file_of_another_print_is_noticed(tmp_path: Path) -> None:
    kernel()
    (tmp_path / "tube-1.stl").write_bytes(stl("tube-1").read_bytes())
    (tmp_path / "tube-1.step").write_bytes(stl("cradle").with_suffix(".step").read_bytes())
    assert any("volume" in str(problem) for problem in differences(WANTED["tube-1"], tmp_path))


def test_of_a_print_with_a_fault_no_file_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("build123d", reason="the CAD kernel is not installed (make prints)")
    monkeypatch.setattr(making, "problems", lambda wanted, folder: [Problem(wanted.name, "is of wood")])
    (jig,) = [wanted for wanted in making.all_prints() if wanted.name == "magnet-jig-A"]
    with pytest.raises(making.PrintError, match=r"^magnet-jig-A: is of wood$"):
        making.make(jig, tmp_path)
    assert list(tmp_path.iterdir()) == []
