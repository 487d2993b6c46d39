"""Captures of real and simulated boards: each `NAME.jsonl` must give the rulings of `NAME.rulings.jsonl`.

A bug report's capture becomes a test by copying it into this folder, with what should have been ruled beside it:
all rulings in their order, written by hand from the rules and from what people saw. A key that is left out, as
times are here, may have any value.
"""

import json
from pathlib import Path

import pytest

from tamsk_hw.commands.replay import capture_lines

HERE = Path(__file__).parent
RULINGS = ".rulings.jsonl"
CAPTURES = sorted(path for path in HERE.glob("*.jsonl") if not path.name.endswith(RULINGS))


def test_there_are_captures_and_each_has_its_rulings() -> None:
    expected = {path.name for path in HERE.glob("*" + RULINGS)}
    assert expected == {path.stem + RULINGS for path in CAPTURES} != set()


@pytest.mark.parametrize("path", CAPTURES, ids=lambda path: path.stem)
def test_a_capture_is_ruled_on_as_it_should_have_been(path: Path) -> None:
    with path.open("rb") as lines:
        printed = [json.loads(line) for line in capture_lines(lines, path.name, as_json=True, warn=pytest.fail)]
    ruled = [record for record in printed if "ruling" in record]
    expected = [json.loads(line) for line in path.with_name(path.stem + RULINGS).read_text().splitlines()]
    shown = [{key: ruling.get(key) for key in wanted} for wanted, ruling in zip(expected, ruled, strict=False)]
    assert shown == expected[: len(shown)]
    assert len(ruled) == len(expected)
