"""Faults planted into prints, one by one: each is found, and by its name."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy
import pytest

from tests.wiring.bench import WANTED
from tests.wiring.prints.planting import exchanged, filled, moved, spoiled, transformed, turned, widened, without
from wiring.prints.checking import problems, read

# Screw 1 lies 60° north of east, half-way between wall and rim: (16.2 + 21.5) / 2 mm from the axis.
SCREW = (18.85 * math.cos(math.radians(60)), 18.85 * math.sin(math.radians(60)))

# Corners of the strip's slot: 5.9 mm wide; its back is 13.3 mm from the axis.
SIDES = lambda x, y, z: (x > 13) & (x < 16.3) & (abs(abs(y) - 2.95) < 0.01)  # noqa: E731
END = lambda x, y, z: (x > 13) & (abs(y) < 2.96) & (abs(z - 24.0) < 0.01)  # noqa: E731
BACK = lambda x, y, z: (abs(x - 13.3) < 0.01) & (abs(y) < 2.96)  # noqa: E731

FAULTS: dict[str, tuple[str, Callable[[Any], Any], str]] = {
    "a triangle is missing": ("tube-4", without(1), "not closed: 3 edges"),
    "one triangle is turned": (
        "tube-4",
        turned(lambda x, y, z: numpy.arange(len(x)) == 7),
        "turned inward: at 3 edges",
    ),
    "all is turned": ("tube-2", turned(lambda x, y, z: z > -1), "inside out"),
    "in the air": ("tube-1", transformed((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 1.0)), "underside above the bed"),
    "aside": (
        "tube-1",
        transformed((1, 0, 0, 2.0), (0, 1, 0, 0), (0, 0, 1, 0)),
        "axis' distance from the middle, x",
    ),
    "mirrored": ("tube-3", transformed((1, 0, 0, 0), (0, -1, 0, 0), (0, 0, 1, 0)), "hole of screw 2"),
    "the slot is too narrow": (
        "tube-4",
        moved(SIDES, y=lambda y: y * 0.95),
        "width of the strip's slot at level 3",
    ),
    "the slot is not as deep": (
        "tube-4",
        moved(BACK, x=lambda x: x + 0.2),
        "recess of the sensor's face at level 1 is 0.60",
    ),
    "the slot is too deep": (
        "tube-4",
        moved(BACK, x=lambda x: x - 0.2),
        "wall behind the strip at level 4 is 0.30",
    ),
    "the slot is too high": (
        "tube-4",
        moved(lambda x, y, z: END(x, y, z), z=lambda z: z + 0.6),
        "wall above the strip's slot is 0.80",
    ),
    "the slot is too low": (
        "tube-4",
        moved(lambda x, y, z: END(x, y, z), z=lambda z: z - 0.6),
        "upper end of the strip's slot is 23.40",
    ),
    "a slot in the cradle": ("cradle", exchanged("tube-1"), "wall in the east, where no slot is"),
    "one level too few": ("tube-4", exchanged("tube-3"), "height is 20.90"),
    "the groove is lost": (
        "tube-4",
        moved(lambda x, y, z: (abs(z - 1.95) < 0.01) & (abs(y) < 2.96), z=lambda z: z - 1.85),
        "height of the groove under the foot is 0.10",
    ),
    "the bore is too narrow": ("tube-2", widened(12.5, 13.25, 0.99, 5.4), "play of a glass at level 1, printed"),
    "the tube is too thick": ("cradle", widened(15.7, 16.3, 1.015, 5.4), "play of a ring at level 1, printed"),
    "a screw's hole is lost": ("cradle", filled(*SCREW, 2.6), "hole of screw 1 is 0.00"),
    "the seat is too narrow": (
        "cradle",
        widened(5.0, 5.8, 0.95, -1, 2.2),
        "play of the Hall sensor's board, printed",
    ),
    "the seat is too deep": (
        "cradle",
        moved(lambda x, y, z: (abs(z - 2.12) < 0.01) & (numpy.hypot(x, y) < 5.3), z=lambda z: z + 0.5),
        "distance from the magnet to the die is 4.50",
    ),
    "the foot's chamfer is lost": (
        "cradle",
        widened(21.05, 21.2, 21.5 / 21.1, -1, 0.01),
        "the foot's chamfer is 0.00",
    ),
    "the foot hangs over": ("cradle", widened(21.05, 21.2, 20.5 / 21.1, -1, 0.01), "needs a support"),
    "the boss is lost": (
        "magnet-jig-A",
        moved(lambda x, y, z: abs(z - 3.8) < 0.01, z=lambda z: z - 0.19),
        "height of the boss is 0.01",
    ),
    "the boss is too wide": ("magnet-jig-A", widened(3.4, 3.6, 1.2, 3.5, 3.9), "diameter of the boss is 8.4"),
    "a notch is lost": ("magnet-jig-B", exchanged("magnet-jig-A"), "notch at 20°"),
    "the pocket breaks through": (
        "magnet-jig-A",
        moved(lambda x, y, z: (abs(z - 2.6) < 0.01) & (numpy.hypot(x, y) < 4.3), z=lambda z: z + 0.7),
        "plastic between the magnets is 0.50",
    ),
    "the cap does not go in": ("magnet-jig-B", widened(12.7, 13.2, 0.985, 3.5), "play of the cap, printed"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found_by_its_name(fault: str, tmp_path: Path) -> None:
    name, spoil, words = FAULTS[fault]
    found = [str(problem) for problem in problems(WANTED[name], read(spoiled(name, tmp_path, spoil)))]
    assert any(line.startswith(f"{name}: ") and words in line for line in found), (
        "\n".join(found) or "nothing found"
    )


def test_a_file_without_triangles_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "empty.stl"
    path.write_bytes(bytes(84))
    with pytest.raises(ValueError, match=r"^empty\.stl: "):
        read(path)
