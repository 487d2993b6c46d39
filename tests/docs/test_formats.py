"""``docs/formats.md``: every example is what the code reads and writes, and nothing is left out."""

import json
import re
from pathlib import Path
from typing import Any, get_args

from click.testing import CliRunner

from tamsk_hw.commands.main import main
from tamsk_hw.forms import to_json
from tamsk_hw.referee import events, rulings
from tamsk_hw.referee.rulings import parse_ruling
from tamsk_hw.referee.stream import parse_event, parse_header
from tests.house import ROOT

PAGE = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
RECORDINGS = ROOT / "tests" / "recordings"
RULES = (ROOT / "tamsk_hw" / "referee" / "RULES.md").read_text(encoding="utf-8")


def examples(kind: str) -> list[dict[str, Any]]:
    """The objects in the page's blocks of that kind, or in the file of that name beside it."""
    file = ROOT / "docs" / "examples" / f"{kind}.jsonl"
    blocks = re.findall(rf"^```json {kind}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    texts = [file.read_text(encoding="utf-8")] if file.exists() else blocks
    return [json.loads(line) for text in texts for line in text.splitlines()]


def rows(heading: str) -> list[str]:
    """The first cells of the table under a heading, without their backticks."""
    section = PAGE.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    cells = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    return [name for cell in cells for name in re.findall(r"`([^`]+)`", cell)]


def names_of(union: Any) -> set[str]:
    """The names of a union's classes."""
    return {each.__name__ for each in get_args(union)}


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


def test_each_kind_of_event_has_a_row_and_is_read_and_written_as_its_examples_stand() -> None:
    read = [parse_event(example) for example in examples("events")]
    assert [to_json(event) for event in read] == examples("events")
    assert {type(event).__name__ for event in read} == names_of(events.Event)
    assert set(rows("Events")) == {example["event"] for example in examples("events")}
    actions = {example.get("action") for example in examples("events")} - {None}
    assert actions == {action.value for action in events.Action}


# ---- rulings


def test_each_kind_of_ruling_has_a_row_and_is_read_and_written_as_its_examples_stand() -> None:
    read = [parse_ruling(example) for example in examples("rulings")]
    assert {type(ruling).__name__ for ruling in read} == names_of(rulings.Ruling)
    assert {ruling.name for ruling in read} <= set(rows("Rulings"))
    for ruling, example in zip(read, examples("rulings"), strict=True):
        assert list(ruling.as_dict().items()) == list(example.items())
        assert f"**{ruling.rule}**" in RULES or f"## {ruling.rule} " in RULES


def test_the_rulings_of_games_have_the_keys_of_the_examples() -> None:
    forms = {(each["ruling"], *sorted(each)) for each in examples("rulings")}
    given = [
        json.loads(line)
        for path in RECORDINGS.glob("*.rulings.jsonl")
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    assert len(given) > 1000
    assert {(each["ruling"], *sorted(each)) for each in given} <= forms


def test_every_code_is_named() -> None:
    for names in (rulings.Code, rulings.Caution, rulings.Reason, rulings.RingKind):
        for name in names:
            assert f"`{name.value}`" in PAGE or f'`"{name.value}"`' in PAGE


# ---- exports


def test_the_exports_have_the_keys_of_the_examples(tmp_path: Path) -> None:
    def said(*arguments: str) -> Any:
        result = CliRunner().invoke(main, ["games", *arguments, "--folder", str(tmp_path / "journal")])
        assert result.exit_code == 0, result.output
        return json.loads(result.stdout) if "--json" in arguments else None

    said("import", str(RECORDINGS / "level-1.jsonl"))
    said("annotate", "1", "a remark")
    (game,) = examples("game")
    now = said("show", "1", "--json")
    assert now.keys() == game.keys()
    for part in ("annotations", "entries"):
        assert now[part][0].keys() == game[part][0].keys()
    (summary,) = examples("summary")
    assert said("list", "--json")[0].keys() == summary.keys()


# ---- command line


def test_every_command_is_in_the_table() -> None:
    table = PAGE.split("\n## Command line\n")[1]
    for name in main.commands:
        assert re.search(rf"`(tamsk-hw )?{name}\b", table), name
    result = CliRunner().invoke(main, ["perft", "3"])
    assert result.stdout.strip() in table
