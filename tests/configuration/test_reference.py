"""The reference page and the sample file against the table of keys that reads the configuration."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tamsk_hw.configuration import reference
from tamsk_hw.configuration.keys import SECTIONS
from tamsk_hw.configuration.reading import parse_configuration
from tamsk_hw.configuration.values import Configuration
from tamsk_hw.errors import ConfigError

CHECKOUT = Path(__file__).resolve().parents[2]
PAGE = (CHECKOUT / reference.PAGE).read_text(encoding="utf-8")
SAMPLE = (CHECKOUT / reference.SAMPLE).read_text(encoding="utf-8")

REMEDY = "run python -m tamsk_hw.configuration.reference"


def test_page_and_sample_are_those_of_the_table() -> None:
    assert reference.page() == PAGE, REMEDY
    assert reference.sample() == SAMPLE, REMEDY


def test_the_page_has_a_row_for_every_key_and_no_other() -> None:
    found = []
    for part in PAGE.split("\n## `[")[1:]:
        section = re.match(r"([\w.]+)\]`\n", part)
        assert section, part
        rows = [line.split(" | ") for line in part.splitlines() if line.startswith("| `")]
        found += [f"{section[1]}.{row[0].strip('| `')}" for row in rows]
        for row in rows:
            assert len(row) == 5, row
            assert all(cell.strip("| ") for cell in row), row
    assert found == [f"{section.name}.{key.name}" for section in SECTIONS for key in section.keys]


def test_times_and_currents_have_their_unit_on_the_page() -> None:
    times = re.findall(
        r"^\| `(?:\w+_(?:dwell|dwell_undue|window|first|credit|within)|debounce_\w+|long_\w+|settle|silence)` .*",
        PAGE,
        re.MULTILINE,
    )
    assert len(times) == 19 + 4 + 2  # sensing, ruleset, buttons
    assert all("| seconds |" in line for line in times)
    [current] = re.findall(r"^\| `milliamps` .*", PAGE, re.MULTILINE)
    assert "| milliamperes |" in current


def test_the_sample_is_all_defaults_as_it_stands_and_with_every_key_switched_on() -> None:
    assert parse_configuration(SAMPLE, "sample") == Configuration()
    switched_on = re.sub(r"^#(?=\w+ = )", "", SAMPLE, flags=re.MULTILINE)
    assert parse_configuration(switched_on, "sample") == Configuration()
    given = re.findall(r"^(?:\[([\w.]+)\]|(\w+) = )", switched_on, flags=re.MULTILINE)
    section, keys = "", []
    for name, key in given:
        section = name or section
        keys += [f"{section}.{key}"] * bool(key)
    assert keys == [f"{section.name}.{key.name}" for section in SECTIONS for key in section.keys]


def test_the_example_on_the_page_is_taken() -> None:
    [example] = re.findall(r"```toml\n(.*?)```", PAGE, flags=re.DOTALL)
    assert parse_configuration(example, "c").board.port == "/dev/tamsk-board"


@pytest.mark.parametrize(
    ("line", "text"),
    [(3, '\n[board]\nprot = "/dev/tamsk-board"'), (9, '\n\n\n\n\n\n\n[lights]\nroute = "uart"')],
)
def test_the_refusals_on_the_page_are_those_of_the_program(line: int, text: str) -> None:
    [shown] = re.findall(rf"^tamsk-hw: (/etc/tamsk-hw/config\.toml: line {line}: .*)$", PAGE, flags=re.MULTILINE)
    with pytest.raises(ConfigError) as caught:
        parse_configuration(text, "/etc/tamsk-hw/config.toml")
    whole, ellipsis, _ = shown.partition("…")
    assert str(caught.value).startswith(whole)
    assert ellipsis or str(caught.value) == whole


def test_the_command_writes_both(tmp_path: Path) -> None:
    command = [sys.executable, "-W", "error", "-m", "tamsk_hw.configuration.reference", str(tmp_path)]
    subprocess.run(command, check=True, cwd=CHECKOUT)
    assert (tmp_path / "docs" / "configuration.md").read_text(encoding="utf-8") == PAGE
    assert (tmp_path / "systemd" / "config.toml").read_text(encoding="utf-8") == SAMPLE
