"""docs/partner.md says what is so: its example runs, and its table of strengths is that of the code."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

from tamsk_hw.partner import Strength

PAGE = (Path(__file__).parents[2] / "docs" / "partner.md").read_text(encoding="utf-8")


def test_the_example_prints_what_it_says() -> None:
    [block] = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(block, {})
    [said] = re.findall(r"# (.*): the game has not begun", block)
    assert printed.getvalue().strip() == said


def test_the_table_of_strengths_is_that_of_the_code() -> None:
    rows = {
        row[0].strip("`"): row[1:]
        for row in re.findall(r"(?m)^\| (`\w+`) \| (\d+) \| ([\w ]+) \| (.+?) \|$", PAGE)
    }
    for strength in Strength:
        nodes, plies, error = rows.pop(strength.value)
        assert int(nodes) == strength.skill.nodes
        assert plies == (str(strength.skill.depth) if strength.skill.depth < 10 else "no limit")
        assert error == (f"{strength.skill.error / 100:g} rings" if strength.skill.error else "none")
    assert not rows
