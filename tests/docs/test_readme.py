"""``README.md``: its commands are there, its examples run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from tamsk_hw.commands.main import main
from tests.house import ROOT

PAGE = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def test_every_command_has_its_row() -> None:
    rows = re.findall(r"^\| `tamsk-hw (\w+)", PAGE, re.MULTILINE)
    assert set(rows) == set(main.commands)


def test_the_referee_rules_as_the_page_says() -> None:
    names: dict[str, Any] = {}
    exec(EXAMPLES[0], names)
    assert names["ruling"].as_dict()["code"] == "not_adjacent"


def test_the_game_answers_as_the_page_says() -> None:
    names: dict[str, Any] = {}
    exec(EXAMPLES[1], names)
    illegality = names["position"].why_illegal(names["Move"](names["Tube"].F1, names["Tube"].E2))
    assert f"# {illegality}" in EXAMPLES[1]


def test_the_fixture_of_the_page_gives_a_board(tmp_path: Path, tamsk_board: Any) -> None:
    names: dict[str, Any] = {}
    exec(EXAMPLES[2], names)
    names["test_my_program"](tamsk_board)
