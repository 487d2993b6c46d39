"""Texts that code and documents cite are in the repository: files, headings, sections, clauses."""

from __future__ import annotations

import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

from tests.house import ROOT

#: Folders and files whose texts are looked at.
PLACES = (
    "tamsk_hw",
    "firmware",
    "tests",
    "wiring",
    "systemd",
    "docs",
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "Makefile",
    "pyproject.toml",
)

#: What is kept as it once was, and this file, which names what must not be named.
EXCEPT = ("tests/fixtures/", "tests/docs/test_citations.py")

ENDINGS = {".py", ".c", ".h", ".md", ".toml", ".service", ".sh", ".rules", ""}

#: Names of texts that are not in the repository.
ELSEWHERE = re.compile(r"\b(?:DESIGN|CONTRACT|HARDWARE|ENGLISH)(?:\.md| sections? | §|:)|\b[Tt]he contract\b")


@cache
def files() -> list[Path]:
    """The text files of the project; those of a checkout that git knows, else all that are there and not built."""
    try:
        command = ["git", "ls-files", *PLACES]
        found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    except (OSError, subprocess.CalledProcessError):
        found = [
            str(path.relative_to(ROOT))
            for place in PLACES
            for path in ([ROOT / place] if (ROOT / place).is_file() else (ROOT / place).rglob("*"))
            if path.is_file() and "build" not in path.parts
        ]
    names = [name for name in found if not name.startswith(EXCEPT) and Path(name).suffix in ENDINGS]
    assert len(names) > 500
    return [ROOT / name for name in names if (ROOT / name).is_file()]


@cache
def text_of(path: Path) -> str:
    """A file's text with line breaks inside sentences, and comment signs at their beginnings, as blanks."""
    text = path.read_text(encoding="utf-8")
    return re.sub(r"\s*\n\s*(?:#:? ?|\* ?|// ?)?", " ", text)


def headings(document: str) -> list[str]:
    """The headings of a document, without their signs."""
    return re.findall(r"^#+ +(.*?) *$", (ROOT / document).read_text(encoding="utf-8"), re.MULTILINE)


def cited(pattern: str) -> set[tuple[str, str]]:
    """Where in the project a pattern occurs, and its first group."""
    return {
        (str(path.relative_to(ROOT)), found) for path in files() for found in re.findall(pattern, text_of(path))
    }


def test_without_git_no_text_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = files()
    monkeypatch.setenv("PATH", str(tmp_path))
    assert set(known) <= set(files.__wrapped__())


def test_no_text_outside_the_repository_is_cited() -> None:
    lines = [
        f"{path.relative_to(ROOT)}: {found[0]}"
        for path in files()
        for found in [ELSEWHERE.search(text_of(path))]
        if found
    ]
    assert not lines


def test_every_document_that_is_named_exists() -> None:
    named = cited(r"\b((?:docs|tests|firmware|wiring|tamsk_hw)/[\w./-]+\.(?:md|toml|svg))\b")
    assert len(named) > 30
    assert not [(file, name) for file, name in named if not (ROOT / name).exists()]


def test_every_heading_that_is_cited_exists() -> None:
    found = cited(r"(\bdocs/[\w/-]+\.md, [A-Z][^.;:()\"]{0,60})")
    assert len(found) > 20
    for file, citation in found:
        document, _, words = citation.partition(", ")
        assert any(words.startswith(heading) for heading in headings(document)), f"{file} cites {citation}"


def test_every_section_of_the_protocol_that_is_cited_exists() -> None:
    numbers = {heading.split()[0] for heading in headings("firmware/PROTOCOL.md") if heading[0].isdigit()}
    found = cited(r"PROTOCOL\.md sections? (\d(?:\.\d)?(?:(?:,| and| to) \d(?:\.\d)?)*)")
    assert len(found) > 30
    for file, named in found:
        for number in re.findall(r"\d(?:\.\d)?", named):
            assert number in numbers, f"{file} cites section {number}"


def test_every_clause_that_is_cited_exists() -> None:
    rules = (ROOT / "tamsk_hw" / "referee" / "RULES.md").read_text(encoding="utf-8")
    clauses = set(re.findall(r"\*\*(R\d\.\d+)\*\*", rules)) | set(re.findall(r"^## (R\d) ", rules, re.MULTILINE))
    code = [path for path in files() if "tamsk_hw" in path.parts and path.suffix == ".py"]
    named = {(path.name, clause) for path in code for clause in re.findall(r"\b(R\d(?:\.\d+)?)\b", text_of(path))}
    assert len(named) > 100
    assert not {(name, clause) for name, clause in named if clause not in clauses}


@pytest.mark.parametrize(
    "path",
    [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))],
    ids=lambda path: path.name,
)
def test_links_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8")):
        if not target.startswith(("http://", "https://")):
            assert (path.parent / target).exists(), f"{path.name} links to {target}"
