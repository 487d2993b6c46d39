"""A sensor and its name in streams (docs/formats.md, Events)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamsk_hw.game import Player, Tube
from tamsk_hw.referee.events import SensorId, SensorKind

KNOWN = {
    "glass D4": SensorId(SensorKind.GLASS, tube=Tube.D4),
    "ring D4.2": SensorId(SensorKind.RING, tube=Tube.D4, level=2),
    "timer": SensorId(SensorKind.TIMER),
    "holder red": SensorId(SensorKind.HOLDER, player=Player.RED),
    "holder black": SensorId(SensorKind.HOLDER, player=Player.BLACK),
    "mux 1": SensorId(SensorKind.MUX, mux=1),
    "select lines": SensorId(SensorKind.SELECT_LINES),
    "supply": SensorId(SensorKind.SUPPLY),
    "ring light": SensorId(SensorKind.RING_LIGHT),
    "ring chain": SensorId(SensorKind.RING_CHAIN),
}


@pytest.mark.parametrize("name", KNOWN)
def test_the_contracts_names(name: str) -> None:
    assert SensorId.named(name) == KNOWN[name]
    assert KNOWN[name].name == name


def test_every_kind_has_a_name_here() -> None:
    assert {sensor.kind for sensor in KNOWN.values()} | {SensorKind.OTHER} == set(SensorKind)


@pytest.mark.parametrize(
    ("name", "tube"),
    [
        ("lamp over D4", Tube.D4),
        ("ring D4.9", Tube.D4),
        ("ring A1.2", Tube.A1),
        ("glass  D4", Tube.D4),
        ("glass H1", None),
        ("glass A5", None),
        ("mux 01", None),
        ("mux 8", None),
        ("Timer", None),
        ("", None),
    ],
)
def test_a_name_that_this_version_does_not_know(name: str, tube: Tube | None) -> None:
    """It stays as it is, and still gives the tube that it names."""
    assert SensorId.named(name) == SensorId(SensorKind.OTHER, tube=tube, other=name)


@given(st.text() | st.from_regex(r"(glass|ring|holder|mux|timer|supply) ?[A-H]?[0-9]?(\.[0-9])?", fullmatch=True))
def test_no_name_is_changed(name: str) -> None:
    assert SensorId.named(name).name == name
