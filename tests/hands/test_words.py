"""Faults by their words, and colours of lights by their names."""

import re
from typing import get_args

import pytest

from tamsk_hw.errors import StreamError
from tamsk_hw.game.tubes import Player, Tube
from tamsk_hw.hands.observation import COLOURS, is_colour
from tamsk_hw.panel.lights import DARK, PALETTE, scaled
from tamsk_hw.simulator import faults

FAULTS = {
    "ring D4.2 1": faults.RingSensorStuck(Tube.D4, 1, True),
    "ring A1.1 0": faults.RingSensorStuck(Tube.A1, 0, False),
    "recess D4.2 0.3": faults.SensorRecess(Tube.D4, 1, 0.3),
    "glass D4 255": faults.HallSensorOpen(Tube.D4, 255),
    "timer 0": faults.HallSensorOpen(None, 0),
    "reference 2 200": faults.ReferenceStuck(1, 200),
    "select 3 high": faults.SelectLineStuck(3, True),
    "select 0 low": faults.SelectLineStuck(0, False),
    "mux 2 17": faults.MultiplexerDead(2, 17),
    "holder black": faults.LoadCellSilent(Player.BLACK),
    "converter 4": faults.ConverterSilent(4),
    "dust D4.3 0.25": faults.SensorDust(Tube.D4, 2, 0.25),
}


@pytest.mark.parametrize("words", FAULTS)
def test_a_fault_has_words(words: str) -> None:
    assert faults.fault_of(words) == FAULTS[words]
    assert str(FAULTS[words]) == words


def test_every_fault_has_words() -> None:
    assert {type(fault) for fault in FAULTS.values()} == set(get_args(faults.Fault))


@pytest.mark.parametrize(
    "words", ["", "ring", "ring D4 1", "ring D9.1 1", "ring D4.5 1", "mux 2 256", "glass D4 7", "all", "x" * 1000]
)
def test_what_is_no_fault_is_refused(words: str) -> None:
    with pytest.raises(StreamError, match=re.escape("allowed: ")):
        faults.fault_of(words)


@pytest.mark.parametrize(
    ("colour", "names"),
    [
        (DARK, {"dark"}),
        (PALETTE.destination, {"lit", "green"}),
        (scaled(PALETTE.destination, 0.06), {"lit"}),
        (PALETTE.ring, {"lit", "white"}),
        (PALETTE.wrong, {"lit", "violet"}),
        (PALETTE.red, {"lit"}),
        (PALETTE.black, {"lit"}),
        (PALETTE.full, {"lit"}),
        (PALETTE.doubtful, {"lit"}),
    ],
)
def test_lights_have_the_names_of_their_colours(colour: tuple[int, int, int], names: set[str]) -> None:
    assert {name for name in COLOURS if is_colour(bytes(colour).hex(), name)} == names
