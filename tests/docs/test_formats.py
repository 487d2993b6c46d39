"""``docs/formats.md``: every example is what the code reads and writes, and nothing is left out."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from pathlib import Path
from typing import Any, get_args

import pytest
from click.testing import CliRunner

from tamsk_hw.commands.main import main
from tamsk_hw.journal.ruling_reading import parse_ruling
from tamsk_hw.referee import events, rulings
from tamsk_hw.referee.header import parse_header
from tamsk_hw.referee.stream import event_as_dict, parse_event
from tests.house import ROOT

PAGE = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
FIXTURES = ROOT / "tests" / "fixtures" / "0.1.0"
RULES = (ROOT / "tamsk_hw" / "referee" / "RULES.md").read_text(encoding="utf-8")


def examples(kind: str) -> list[dict[str, Any]]:
    """The objects in the page's blocks of that kind."""
    blocks = re.findall(rf"^```json {kind}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    return [json.loads(line) for block in blocks for line in block.splitlines()]


def rows(heading: str) -> list[str]:
    """The first cells of the table under a heading, without their backticks."""
    section = PAGE.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    cells = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    return [name for cell in cells for name in re.findall(r"`([^`]+)`", cell)]


def names_of(union: Any) -> set[str]:
    """The names of a union's classes."""
    return {each.__name__ for each in get_args(union)}


def test_every_block_of_json_is_of_a_kind_that_is_checked() -> None:
    assert set(re.findall(r"^```json *(\w*)$", PAGE, re.MULTILINE)) == {
        "header",
        "event",
        "ruling",
        "game",
        "summary",
    }


# ---- header


def test_the_headers_are_read() -> None:
    for example in examples("header"):
        written = parse_header(example).as_dict()
        assert written.get("pause_when_lost") == example.get("pause_when_lost")
        for part in example.keys() - {"tamsk", "holders", "pause_when_lost"}:
            for key, value in example[part].items():
                assert written[part][key] == ([value, value] if key == "glass" and value == 179.5 else value)


def test_the_table_has_every_key_of_the_header_with_its_default() -> None:
    full = examples("header")[1]
    assert {**full, "sand": {**full["sand"], "glasses": {}}} == parse_header({"tamsk": 1}).as_dict()
    keys = {"tamsk", "holders", "pause_when_lost", "ruleset.tubes"}
    keys |= {f"{part}.{key}" for part in ("ruleset", "sand") for key in full[part]}
    assert set(rows("Header")) == keys


# ---- events


@pytest.mark.parametrize("example", examples("event"), ids=json.dumps)
def test_an_event_is_read_and_written_as_it_stands(example: dict[str, Any]) -> None:
    assert event_as_dict(parse_event(example)) == example


def test_every_event_has_an_example_and_a_row() -> None:
    assert {type(parse_event(example)).__name__ for example in examples("event")} == names_of(events.Event)
    assert set(rows("Events")) == {example["event"] for example in examples("event")}
    actions = {example.get("action") for example in examples("event")} - {None}
    assert actions == {action.value for action in events.Action}


def test_the_sensors_of_the_faults_that_were_kept_are_named() -> None:
    with sqlite3.connect(f"file:{FIXTURES}/journal/journal.db?immutable=1", uri=True) as kept:
        given = [json.loads(line) for (line,) in kept.execute("SELECT line FROM event")]
    sensors = {event["sensor"] for event in given if event["event"] == "fault"}
    assert sensors == {"glass B2", "ring D4.1", "ring D4.2"}
    for name in sensors:
        assert f"`{name.split()[0]} " in PAGE


# ---- rulings


@pytest.mark.parametrize("example", examples("ruling"), ids=json.dumps)
def test_a_ruling_is_read_and_written_as_it_stands(example: dict[str, Any]) -> None:
    assert list(parse_ruling(example).as_dict().items()) == list(example.items())
    assert f"**{example['rule']}**" in RULES or f"## {example['rule']} " in RULES


def test_every_ruling_has_an_example_and_a_row() -> None:
    assert {type(parse_ruling(example)).__name__ for example in examples("ruling")} == names_of(rulings.Ruling)
    assert {example["ruling"] for example in examples("ruling")} <= set(rows("Rulings"))


def test_the_rulings_of_games_have_the_keys_of_the_examples() -> None:
    forms = {(each["ruling"], *sorted(each)) for each in examples("ruling")}
    given = [
        json.loads(line)
        for path in (FIXTURES / "recordings").glob("*.rulings.jsonl")
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    assert len(given) > 1000
    assert {(each["ruling"], *sorted(each)) for each in given} <= forms


@pytest.mark.parametrize("names", [rulings.Code, rulings.Caution, rulings.Reason, rulings.RingKind])
def test_every_code_is_named(names: Any) -> None:
    for name in names:
        assert f"`{name.value}`" in PAGE or f'`"{name.value}"`' in PAGE


# ---- exports


def test_the_exports_have_the_keys_of_the_examples(tmp_path: Path) -> None:
    """And those of 0.1.0 had no others."""
    folder = shutil.copytree(FIXTURES / "journal", tmp_path / "journal")

    def said(*arguments: str) -> Any:
        command = ["games", *arguments, "--json", "--folder", str(folder)]
        return json.loads(CliRunner().invoke(main, command).stdout)

    (game,) = examples("game")
    now, kept = said("show", "6"), json.loads((FIXTURES / "exports" / "game-6.json").read_text(encoding="utf-8"))
    assert kept.keys() <= now.keys() == game.keys()
    for part in ("sittings", "entries"):
        assert kept[part][0].keys() <= now[part][0].keys() == game[part][0].keys()
    (summary,) = examples("summary")
    listed = json.loads((FIXTURES / "exports" / "games.json").read_text(encoding="utf-8"))
    assert listed[0].keys() <= said("list")[0].keys() == summary.keys()


# ---- command line


def test_every_command_is_in_the_table() -> None:
    table = PAGE.split("\n## Command line\n")[1]
    for name in main.commands:
        assert re.search(rf"`(tamsk-hw )?{name}\b", table), name
    result = CliRunner().invoke(main, ["perft", "3"])
    assert result.stdout.strip() in table


def test_a_refusal_is_as_the_page_says(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    file.write_text("{}\n", encoding="utf-8")
    result = CliRunner().invoke(main, ["replay", str(file)])
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("tamsk-hw: ")
    assert result.stderr.count("\n") == 1


def test_the_python_of_the_page_runs() -> None:
    (code,) = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    names: dict[str, Any] = {}
    exec(code, names)
    assert names["due"] is None
    assert names["result"] is None
