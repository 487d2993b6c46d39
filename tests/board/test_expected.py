"""The file of expected readings: read strictly, and found by the wiring map."""

from dataclasses import replace
from pathlib import Path

import pytest

from tamsk_hw.board.wiring import expected_of, load_wiring, parse_expected
from tamsk_hw.errors import WiringError

TEXT = """
wiring = "0a1b2c3d"
recess = 0.8
[light]
near = [6, 23, 136]
far = [11, 35, 192]
[field]
drv5055a3 = [58, 72, 89]
ss49e = [23, 40, 63]
ends = 7
neighbour = 1
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [("near = [6, 23, 136]", ""), ("[6, 23, 136]", "[6, 23]"), ("0a1b2c3d", "xyz"), ("[light]", "[light")],
)
def test_a_damaged_file_is_refused(old: str, new: str) -> None:
    with pytest.raises(WiringError, match=r"^file: [^\n]+: install it again$"):
        parse_expected(TEXT.replace(old, new), "file")


@pytest.mark.parametrize("map_name", ["board.toml", "seven/board.toml"])
def test_both_boards_have_one(map_name: str) -> None:
    wiring = load_wiring(Path(__file__).parents[2] / "wiring" / map_name)
    assert expected_of(wiring).wiring == wiring.hash


def test_a_map_that_nothing_is_calculated_for_is_refused() -> None:
    first, second, *rest = load_wiring().channels
    with pytest.raises(WiringError, match="no readings are calculated"):
        expected_of(replace(load_wiring(), channels=(second, first, *rest)))
