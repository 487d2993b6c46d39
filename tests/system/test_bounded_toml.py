"""Bounded TOML: the same values as `tomllib`, and nothing beyond the bounds reaches it."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from tamsk_hw.system import files as bounded_toml
from tamsk_hw.system.files import TomlError, parse_toml

ROOT = Path(__file__).resolve().parents[2]

#: Texts beyond a bound, and the words of the refusal.
HOSTILE = {
    "dotted key of 2 KB": (".".join("a" * 1000) + " = 1", "A key of more than 16 parts (at line 1, column 32)"),
    "dotted key of 40 KB": (".".join("a" * 20_000) + " = 1", "A key of more than 16 parts"),
    "dotted key, quoted": ("\n" + " . ".join(["'a'", '"b"'] * 10) + " = 1", "parts (at line 2, column 95)"),
    "dotted table": ("[" + ".".join("a" * 1000) + "]", "A key of more than 16 parts"),
    "dotted in a table": ("x = { y = 1, " + ".".join("a" * 1000) + " = 1 }", "A key of more than 16 parts"),
    "brackets": ("x = " + "[" * 100_000, "More than 16 brackets in one another (at line 1, column 21)"),
    "braces": ("x = " + "{a=" * 100_000, "More than 16 brackets in one another"),
    "brackets below a text": ('t = """\n[\n"""\r\nx = ' + "[" * 20, "(at line 4, column 21)"),
    "digits": ("x = " + "9" * 5000, "A number of 5000 characters (at line 1, column 5)"),
    "digits with a sign": ("x = -" + "9" * 5000, "A number of 5001 characters"),
    "hexadecimal digits": ("x = 0x" + "f" * 5000, "A number of 5002 characters"),
    "decimals": ("x = 1." + "9" * 5000, "A number of 5000 characters"),
}


@pytest.mark.parametrize(("text", "words"), HOSTILE.values(), ids=HOSTILE)
def test_what_is_beyond_a_bound_is_refused_before_it_is_parsed(
    text: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tomllib, "loads", lambda text: pytest.fail("parsed"))
    with pytest.raises(TomlError) as error:
        parse_toml(text)
    assert words in str(error.value)


@pytest.mark.parametrize(
    "text",
    [
        'x = "' + "a." * 100 + '"',
        "x = '" + "[" * 100 + "'",
        'x = """\n"' + "[" * 100 + '""""\ny = 1',
        "x = '''\n" + "9" * 1000 + "'''",
        "# " + "a." * 100 + "[" * 100,
        "x = 1 # " + "9" * 1000,
        'x = "\\"' + "[" * 100 + '"',
        "x = [" + ", ".join(["1.5"] * 100) + "]",
        "x = [" + ", ".join(["[1]"] * 100) + "]",
        "k" * 1000 + " = 1",
        "x = " + "9" * 100,
        ".".join("a" * 16) + " = 1",
        "x = " + "[" * 16 + "]" * 16,
    ],
)
def test_what_only_looks_like_it_is_read(text: str) -> None:
    assert parse_toml(text) == tomllib.loads(text)


@pytest.mark.parametrize(
    "name", ["wiring/board.toml", "wiring/parts.toml", "pyproject.toml", "systemd/config.toml"]
)
def test_files_of_this_project_are_read_as_ever(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert parse_toml(text) == tomllib.loads(text)


@pytest.mark.parametrize(
    "text", ['x = "' + '\\"' * 30_000, "x = '''" + "''\n" * 20_000, 'x = """' + '\\"""' * 20_000]
)
def test_a_text_without_an_end_is_looked_at_once(text: str) -> None:
    looked = bounded_toml._TOKEN.finditer(text)
    assert [next(looked).lastgroup for _ in range(2)] == ["word", "parts"]
    assert next(looked).lastgroup in ("unclosed", "half")  # here the search ends
    with pytest.raises(TomlError):
        parse_toml(text)


def test_a_byte_order_mark_is_left_out() -> None:
    """Editors on Windows write one before wiring maps and calibrations, too."""
    assert parse_toml("\ufeff# a map\na = 1\n") == {"a": 1}


def test_what_is_no_toml_is_refused_with_its_place() -> None:
    with pytest.raises(TomlError, match=r"^Invalid value \(at line 1, column 5\)$"):
        parse_toml("x = ?")
    with pytest.raises(TomlError):
        parse_toml("x = 1979-99-99")
