"""Pages for readers: links lead somewhere, commands exist, examples run, and README stays short."""

import re
from pathlib import Path
from typing import Any

import click
import pytest

from tamsk_hw.commands.main import main
from tests.house import ROOT, kept
from tests.test_architecture import ROOMS

PAGES = [ROOT / name for name in kept("*.md")]
#: A module in the picture of a walk.
MODULE = re.compile(r"\b((?:board|table|referee|journal|panel|live|web|svg)/[a-z_]+)")
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target, _, heading in re.findall(r"\]\(([^)#\s]*)(#([^)]*))?\)", page.read_text(encoding="utf-8")):
        if not target.startswith(("http://", "https://")):
            there = page.parent / target if target else page
            assert there.exists(), target
            if heading and there.suffix == ".md":
                assert heading in anchors(there), f"{target}#{heading}"


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings."""
    titles = re.findall(r"^#+ +(.*?) *$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def targets(folder: Path) -> set[str]:
    """The targets of a Makefile."""
    text = (folder / "Makefile").read_text(encoding="utf-8")
    return {name for line in re.findall(r"^([a-z][\w -]*):", text, re.MULTILINE) for name in line.split()}


def takes(words: list[str]) -> bool:
    """True if the program has this command with these options."""
    command: click.Command | None = main
    context, rest = click.Context(main, info_name="tamsk-hw"), [word for word in words if not word.isupper()]
    while isinstance(command, click.Group) and rest and rest[0].isalpha():
        command = command.get_command(context, rest.pop(0))
        if command is None:
            return False
    known = {name for each in command.params for name in (*each.opts, *each.secondary_opts)}
    return {word for word in rest if word.startswith("--")} <= known | {"--help", "--version"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_exist(page: Path) -> None:
    """``make`` targets, and commands of the program with their options, in fences and code spans."""
    text = page.read_text(encoding="utf-8")
    fences = re.findall(r"^ *```(?:sh)?\n(.*?)^ *```", text, re.MULTILINE | re.DOTALL)
    spans = re.findall(r"`([^`\n]+)`", re.sub(r"^ *```.*?^ *```", "", text, flags=re.MULTILINE | re.DOTALL))
    for line in [line for fence in fences for line in fence.splitlines()] + spans:
        plain = line.partition("#")[0].strip().removeprefix("sudo -u tamsk-hw ").removeprefix("sudo ")
        words = re.split(r"[ |]+", plain)
        if words[0].removeprefix(".venv/bin/") == "tamsk-hw":
            assert takes(words[1:]), line
        elif words[0] == "make":
            folder, named = (words[2], words[3:]) if words[1:2] == ["-C"] else (".", words[1:])
            assert {word for word in named if re.fullmatch(r"[a-z][\w-]*", word)} <= targets(ROOT / folder), line


@pytest.mark.parametrize("page", ["docs/formats.md", "docs/partner.md"])
def test_examples_run(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What an example says that it prints is printed."""
    text = (ROOT / page).read_text(encoding="utf-8")
    [code] = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    exec(code, {})
    printed = capsys.readouterr().out
    for promised in ("not_adjacent", "Illegality.OCCUPIED", "Await(seconds=0.5)"):
        assert (promised in code) <= (promised in printed)


def test_the_fixture_gives_a_board(tamsk_board: Any) -> None:
    text = (ROOT / "docs" / "simulate.md").read_text(encoding="utf-8")
    [code] = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    names: dict[str, Any] = {}
    exec(code, names)
    names["test_my_program"](tamsk_board)


def test_the_first_page_stays_short() -> None:
    assert len(README.split()) <= 700


def test_the_overview_leads_to_files_that_exist() -> None:
    text = (ROOT / "docs" / "overview.md").read_text(encoding="utf-8")
    walk = "".join(re.findall(r"^ +(?:│|\w+) .*$", text, re.MULTILINE))
    spans = {*re.findall(r"`([a-z_]+/[\w/.*]+)`", text), *(f"{each}.py" for each in MODULE.findall(walk))}
    assert len(spans) > 60
    assert not [room for room in ROOMS if f"\n| `{room}` |" not in text]
    for name in spans:
        assert any((ROOT / folder / name.partition("*")[0]).exists() for folder in (".", "tamsk_hw")), name
