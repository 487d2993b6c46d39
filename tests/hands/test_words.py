"""Faults by their words, and colours of lights by their names."""

import re

import pytest

from tamsk_hw.errors import StreamError
from tamsk_hw.game.tubes import Tube
from tamsk_hw.hands.observation import COLOURS, is_colour
from tamsk_hw.panel.lights import DARK, PALETTE, scaled
from tamsk_hw.simulator import faults

#: Words of each fault, and what they mean: tube, number, value.
FAULTS = {
    "ring D4.2 1": (Tube.D4, 2, 1.0),
    "ring A1.1 0": (Tube.A1, 1, 0.0),
    "recess D4.2 0.3": (Tube.D4, 2, 0.3),
    "glass D4 255": (Tube.D4, 0, 255.0),
    "timer 0": (None, 0, 0.0),
    "reference 2 200": (None, 2, 200.0),
    "select 3 high": (None, 3, 1.0),
    "select 0 low": (None, 0, 0.0),
    "mux 2 17": (None, 2, 17.0),
    "holder black": (None, 0, 1.0),
    "converter 4": (None, 4, 0.0),
    "dust D4.3 0.25": (Tube.D4, 3, 0.25),
}


@pytest.mark.parametrize("words", FAULTS)
def test_a_fault_has_words(words: str) -> None:
    fault = faults.fault_of(words)
    assert (fault.kind, fault.tube, fault.number, fault.value) == (words.split()[0], *FAULTS[words])
    assert str(fault) == words


@pytest.mark.parametrize(
    ("typed", "words"),
    [("ring d4.2  1", "ring D4.2 1"), ("recess D4.2 0.30", "recess D4.2 0.3"), ("mux 2 017", "mux 2 17")],
)
def test_a_fault_is_the_same_however_it_is_typed(typed: str, words: str) -> None:
    assert faults.fault_of(typed) == faults.fault_of(words)


def test_every_fault_has_words() -> None:
    assert {words.split()[0] for words in FAULTS} == {form.split()[0] for form in faults.FORMS}


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
