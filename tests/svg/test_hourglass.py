"""The sand in the glasses follows the referee's interval."""

from xml.etree.ElementTree import Element

import pytest

from tamsk_hw.game.tubes import Tube
from tamsk_hw.referee.view import GlassState
from tamsk_hw.svg.elements import SAND
from tests.panel.boards import RED, glass, view
from tests.svg.drawn import named, of_class, read


def drawn(seconds: float | tuple[float, float], state: GlassState = GlassState.RUNNING) -> Element:
    return named(read(view(glasses=(glass(RED, Tube.D4, state, seconds=seconds),))), "glass-red-1")


def height(root: Element, name: str) -> float:
    """The height of a heap of sand, as a share of its bulb."""
    (heap,) = of_class(root, name)
    return float(heap.get("height") or "") / SAND


@pytest.mark.parametrize("seconds", [0.0, 1.8, 90.0, 180.0])
def test_the_sand_is_that_of_the_fraction(seconds: float) -> None:
    """Sand in a bulb that narrows to its end is the square of its height; below, so is the room above it."""
    root = drawn(seconds)
    assert height(root, "sand") ** 2 == pytest.approx(seconds / 180, abs=1e-3)
    assert (1 - height(root, "fallen")) ** 2 == pytest.approx(seconds / 180, abs=1e-3)


def test_a_wide_interval_is_a_softer_band_round_its_middle() -> None:
    root = drawn((60.0, 120.0))
    heights = [height(root, name) ** 2 for name in ("sure", "sand", "soft")]
    assert heights == pytest.approx([60 / 180, 90 / 180, 120 / 180], abs=1e-3)
    opacities = [float(of_class(root, name)[0].get("fill-opacity") or 1) for name in ("sure", "sand", "soft")]
    assert opacities[0] == 1 > opacities[1] > opacities[2]
    narrow = drawn((88.0, 92.0))
    assert height(narrow, "sure") == height(narrow, "sand") == height(narrow, "soft"), "too narrow to matter"


def test_sand_falls_only_where_it_runs() -> None:
    assert of_class(drawn(90.0), "stream")
    assert of_class(drawn((0.0, 9.0), GlassState.DOUBTFUL), "stream")
    for state in (GlassState.LOST, GlassState.UNSTARTED, GlassState.NO_SAND):
        assert not of_class(drawn(0.0, state), "stream")
    held = named(read(view(glasses=(glass(RED, Tube.D4, standing=None),))), "glass-red-1")
    assert not of_class(held, "stream")


@pytest.mark.parametrize("state", [GlassState.LOST, GlassState.UNSTARTED, GlassState.NO_SAND])
def test_an_empty_glass_has_all_of_its_sand_below(state: GlassState) -> None:
    root = drawn(0.0, state)
    assert height(root, "sand") == 0
    assert height(root, "fallen") == 1
