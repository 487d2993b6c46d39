"""The reference page and the sample file against the settings that read the configuration."""

import re
from pathlib import Path

import pytest

from tamsk_hw.configuration import Configuration, parse_configuration
from tamsk_hw.configuration.settings import SECTIONS
from tamsk_hw.errors import ConfigError
from tests.docs.references import configuration as reference

CHECKOUT = Path(__file__).resolve().parents[2]
PAGE = (CHECKOUT / reference.PAGE).read_text(encoding="utf-8")
SAMPLE = (CHECKOUT / reference.SAMPLE).read_text(encoding="utf-8")


def test_page_and_sample_are_kept_as_they_are_made(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / reference.PAGE).write_text(PAGE.replace("| `", "| x"), encoding="utf-8")
    assert reference.files(tmp_path) == {reference.PAGE: PAGE, reference.SAMPLE: SAMPLE}, "make references"


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
    ("line", "text"), [(3, '\n[board]\nprot = "/dev/tamsk-board"'), (9, '\n\n\n\n\n\n\n[lights]\nroute = "uart"')]
)
def test_the_refusals_on_the_page_are_those_of_the_program(line: int, text: str) -> None:
    [shown] = re.findall(rf"^tamsk-hw: (/etc/tamsk-hw/config\.toml: line {line}: .*)$", PAGE, flags=re.MULTILINE)
    with pytest.raises(ConfigError) as caught:
        parse_configuration(text, "/etc/tamsk-hw/config.toml")
    whole, ellipsis, _ = shown.partition("…")
    assert str(caught.value).startswith(whole)
    assert ellipsis or str(caught.value) == whole
