"""Pages for readers: links lead somewhere, commands exist, examples run, and README stays short."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tamsk_hw.commands.main import main
from tests.house import ROOT, kept

PAGES = [ROOT / name for name in kept("*.md") if not name.startswith("wiring/")]
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


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_exist(page: Path) -> None:
    """``make`` targets and commands of the program, in fences and code spans."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = {name for line in re.findall(r"^([a-z][\w -]*):", makefile, re.MULTILINE) for name in line.split()}
    text = page.read_text(encoding="utf-8")
    for line in re.findall(r"^(?:sudo )?make .*|`(?:sudo )?make [^`]*", text, re.MULTILINE):
        words = [word for word in line.partition("#")[0].strip("`").split() if word not in ("sudo", "make")]
        if words[:1] != ["-C"]:
            assert {word for word in words if re.fullmatch(r"[a-z][\w-]*", word)} <= targets, line
    for name in re.findall(r"(?:^|`|bin/)tamsk-hw ([a-z]+)", text, re.MULTILINE):
        assert name in main.commands, name


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
    for name in spans:
        assert any((ROOT / folder / name.partition("*")[0]).exists() for folder in (".", "tamsk_hw")), name
