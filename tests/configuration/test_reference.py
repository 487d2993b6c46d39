"""The reference page and the sample file against the settings that read the configuration."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tamsk_hw.configuration import Configuration, parse_configuration, reference
from tamsk_hw.configuration.settings import SECTIONS
from tamsk_hw.errors import ConfigError

CHECKOUT = Path(__file__).resolve().parents[2]
PAGE = (CHECKOUT / reference.PAGE).read_text(encoding="utf-8")
SAMPLE = (CHECKOUT / reference.SAMPLE).read_text(encoding="utf-8")


def test_the_command_writes_page_and_sample_as_they_are_kept(tmp_path: Path) -> None:
    for name, text in ((reference.PAGE, PAGE.replace("| `", "| x")), (reference.SAMPLE, "")):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(text, encoding="utf-8")
    command = [sys.executable, "-W", "error", "-m", "tamsk_hw.configuration.reference"]
    subprocess.run([*command, str(tmp_path)], check=True, cwd=CHECKOUT)
    assert (tmp_path / reference.PAGE).read_text(encoding="utf-8") == PAGE, f"run {command[-1]}"
    assert (tmp_path / reference.SAMPLE).read_text(encoding="utf-8") == SAMPLE


def test_the_sample_is_all_defaults_as_it_stands_and_with_every_key_switched_on() -> None:
    assert parse_configuration(SAMPLE, "sample") == Configuration()
    switched_on = re.sub(r"^#(?=\w+ = )", "", SAMPLE, flags=re.MULTILINE)
    assert parse_configuration(switched_on, "sample") == Configuration()
    keys = re.findall(r"^(\w+) = ", switched_on, flags=re.MULTILINE)
    assert keys == [key.name for section in SECTIONS for key in section.keys]


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
