"""TOML, and the refusal of a text that is none."""

import pytest

from tamsk_hw.system.files import TomlError, parse_toml


def test_a_byte_order_mark_is_left_out() -> None:
    """Editors on Windows write one before wiring maps and calibrations, too."""
    assert parse_toml("\ufeff# a map\na = 1\n") == {"a": 1}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x = ?", r"^Invalid value \(at line 1, column 5\)$"),
        ("x = 1979-99-99", "Expected newline"),
        ("x = " + "[" * 100_000, "recursion"),
        ("x = " + "9" * 5000, "4300 digits"),
    ],
)
def test_a_text_that_is_no_toml_is_refused(text: str, words: str) -> None:
    with pytest.raises(TomlError, match=words):
        parse_toml(text)
