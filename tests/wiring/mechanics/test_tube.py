"""The tube for OpenSCAD: its parameters are the map's; rendered, it is a sound body of the right size."""

from __future__ import annotations

import math
import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from tests.wiring.mechanics.boards import BOARDS, FULL, changed, files
from wiring.make.mechanics.scad import tube_scad

TUBE = files("reference")["tube.scad"]

OPENSCAD = shutil.which("openscad")

RENDERED = pytest.mark.skipif(OPENSCAD is None, reason="openscad is not installed: the tube is not rendered")

Vertex = tuple[float, float, float]


def parameters(text: str) -> dict[str, str]:
    """The parameters at the top of the file."""
    top = text.split("// What follows is calculated.")[0]
    return dict(re.findall(r"^(\w+) = ([^;]+);", top, re.MULTILINE))


@pytest.mark.parametrize("name", BOARDS)
def test_parameters_are_the_maps(name: str) -> None:
    geometry, found = BOARDS[name].geometry, parameters(files(name)["tube.scad"])
    for key in (
        "cap_diameter",
        "tube_inner_diameter",
        "tube_outer_diameter",
        "ring_inner_diameter",
        "ring_outer_diameter",
        "ring_thickness",
        "tube_pitch",
        "magnet_distance",
    ):
        assert float(found[key]) == getattr(geometry, key)
    sensor = {
        "sensor_length": 4.8,
        "sensor_height": 3.6,
        "sensor_depth": 1.7,
        "sensor_recess": 0.8,
        "sensor_raise": 0.9,
    }
    assert {key: float(found[key]) for key in sensor} == sensor


def test_every_name_in_the_program_is_defined() -> None:
    text = TUBE
    code = re.sub(r"//.*|\"[^\"]*\"", "", text)
    defined = set(re.findall(r"^\s*(\w+) = ", code, re.MULTILINE)) | set(
        re.findall(r"(?:module|function) (\w+)", code)
    )
    defined |= set(re.findall(r"for \((\w+) =", code)) | set(re.findall(r"\((level|angle)\)", code))
    language = {
        "module",
        "function",
        "assert",
        "translate",
        "cylinder",
        "cube",
        "rotate",
        "difference",
        "if",
        "for",
    }
    language |= {"floor", "norm", "max", "true", "false", "h", "d", "d1", "d2", "fn"}
    assert set(re.findall(r"[A-Za-z_]\w*", code)) <= defined | language


def test_it_says_which_tubes_are_to_be_printed() -> None:
    assert "levels = 4: 1, D4" in files("seven")["tube.scad"]
    assert "levels = 3: 6, C3 C4 D3 D5 E3 E4" in files("seven")["tube.scad"]
    counts = re.findall(r"//   levels = (\d): (\d+),", TUBE)
    assert counts == [("1", "18"), ("2", "12"), ("3", "6"), ("4", "1")]
    assert "matt black" in TUBE


def test_without_room_for_screws_it_is_glued() -> None:
    text = tube_scad(changed(FULL, tube_outer_diameter=34.0, ring_inner_diameter=35.0))
    assert parameters(text)["screw_circle"] == "0"


def render(text: str, folder: Path, *definitions: str) -> subprocess.CompletedProcess[str]:
    assert OPENSCAD is not None
    (folder / "tube.scad").write_text(text, encoding="utf-8")
    wanted = [part for definition in definitions for part in ("-D", definition)]
    return subprocess.run(
        [OPENSCAD, "-q", *wanted, "-o", "tube.stl", "tube.scad"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


def triangles(folder: Path) -> list[tuple[Vertex, Vertex, Vertex]]:
    found: list[Vertex] = []
    for line in (folder / "tube.stl").read_text().splitlines():
        words = line.split()
        if words and words[0] == "vertex":
            x, y, z = (round(float(word), 4) for word in words[1:])
            found.append((x, y, z))
    return [(found[start], found[start + 1], found[start + 2]) for start in range(0, len(found), 3)]


def volume(body: list[tuple[Vertex, Vertex, Vertex]]) -> float:
    total = 0.0
    for (ax, ay, az), (bx, by, bz), (cx, cy, cz) in body:
        total += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
    return total / 6


@RENDERED
@pytest.mark.parametrize(("levels", "sensors"), [(1, True), (2, True), (3, True), (4, True), (1, False)])
def test_a_rendered_tube_is_sound(levels: int, sensors: bool, tmp_path: Path) -> None:
    geometry = FULL.geometry
    done = render(TUBE, tmp_path, f"levels={levels}", f"ring_sensors={str(sensors).lower()}")
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    body = triangles(tmp_path)
    # Closed: every edge belongs to two triangles, which run along it in opposite directions.
    edges = Counter((one[i], one[(i + 1) % 3]) for one in body for i in range(3))
    assert set(edges.values()) == {1}
    assert all((end, start) in edges for start, end in edges)
    # As large as it should be: the foot a millimetre wider than a ring all around, as many rings high as it holds;
    # down to the Hall sensor's marked face, which is 0.65 mm under the die.
    low, high = (
        [pick(vertex[axis] for one in body for vertex in one) for axis in range(3)] for pick in (min, max)
    )
    foot = geometry.ring_outer_diameter / 2 + 1
    # The top sensor 0.9 mm above its ring's middle, half of its body of 3.6 mm with its play, and a wall of 1 mm.
    top = (levels - 0.5) * geometry.ring_thickness + 0.9 + 1.9 + 1.0
    assert high == pytest.approx([foot, foot, top], abs=0.001)
    die = 0.2 - geometry.magnet_distance
    assert low == pytest.approx([-foot, -foot, die - 0.65], abs=0.001)
    # About as much plastic as wall and foot have, without the hollows.
    outer, inner = geometry.tube_outer_diameter / 2, geometry.tube_inner_diameter / 2
    whole = math.pi * (top * (outer**2 - inner**2) - low[2] * foot**2)
    assert 0.9 * whole < volume(body) < whole
    # The strip's slot: 0.8 mm recess, 1.7 mm of sensor, 0.4 mm of strip deep; 5.4 mm and 0.2 more wide; up to a
    # millimetre below the top.
    backs = {
        round(vertex[2], 3)
        for one in body
        for vertex in one
        if abs(vertex[0] - (outer - 2.9)) < 0.001 and abs(abs(vertex[1]) - 2.8) < 0.001
    }
    expected = {round(top - 1.0, 3)}
    assert (max(backs, default=None) == max(expected)) if sensors else not backs


@RENDERED
@pytest.mark.parametrize(
    ("definition", "reason"),
    [
        ("levels=5", "levels"),
        ("levels=0", "levels"),
        ("levels=1.5", "levels"),
        ("tube_inner_diameter=24.9", "the cap does not go in"),
        ("ring_inner_diameter=32.3", "the ring does not go over"),
        ("ring_thickness=3.7", "the next ring, too"),
        ("magnet_distance=1.5", "no floor"),
        ("screw_circle=16.5", "a screw's head"),
        ("tube_inner_diameter=27", "no wall"),
        ("foot_diameter=48", "two tubes touch"),
    ],
)
def test_what_cannot_be_is_refused(definition: str, reason: str, tmp_path: Path) -> None:
    done = render(TUBE, tmp_path, definition)
    assert done.returncode != 0
    assert reason in done.stderr
