"""The jig for gluing magnets: its parameters are the map's, its boss is as high as a magnet lies deep."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.wiring.mechanics.boards import BOARDS, files
from tests.wiring.mechanics.test_tube import RENDERED, parameters, render, triangles


@pytest.mark.parametrize("name", BOARDS)
def test_parameters_are_the_maps(name: str) -> None:
    geometry, found = BOARDS[name].geometry, parameters(files(name)["magnet-jig.scad"])
    for key in ("cap_diameter", "magnet_diameter", "magnet_thickness"):
        assert float(found[key]) == getattr(geometry, key)
    # The magnet's face lies 0.2 mm behind the cap's, as magnets.svg has it.
    assert float(found["magnet_recess"]) == 0.2


@RENDERED
@pytest.mark.parametrize("end", ["A", "B"])
def test_the_boss_holds_the_magnet_at_its_depth(end: str, tmp_path: Path) -> None:
    done = render(files("reference")["magnet-jig.scad"], tmp_path, f'end="{end}"')
    assert done.returncode == 0, done.stderr
    heights = {vertex[2] for one in triangles(tmp_path) for vertex in one}
    # The ground on which the cap's face lies: a millimetre over the jig's own magnet of 2 mm with its glue.
    assert {3.5, 3.7} <= heights
    assert max(heights) == pytest.approx(3.5 + 5.0)


@RENDERED
def test_another_end_is_refused(tmp_path: Path) -> None:
    done = render(files("reference")["magnet-jig.scad"], tmp_path, 'end="C"')
    assert done.returncode != 0
    assert "end: A or B" in done.stderr
