"""Harness, parts list and pin tables agree with board.toml; sheets agree with the circuit (test_sheets.py).

The files that a builder has in hand are read back and compared; each is then spoiled, and must be found out.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tamsk_hw.board.wiring import load_wiring, parse_wiring
from tamsk_hw.errors import WiringError
from tests.wiring.bench import REFERENCE, SEVEN, all_made
from tests.wiring.facts import MAPS, WIRING, Facts, pins_page_problems
from tests.wiring.harness import checks as harness_checks
from tests.wiring.harness.reading import read_source
from tests.wiring.parts_list.checking import map_problems as parts_problems
from wiring.make.board import Board
from wiring.make.making import KEPT, MakingError, made_for, write

#: A board's files: name below its folder, text.
Files = dict[str, str]


def files_of(key: str) -> Files:
    """All files of a board, to be spoiled."""
    return {**all_made(key)}


def problems(files: Files, facts: Facts) -> list[str]:
    """Everything in which a board's files do not agree with its map, a line each."""
    found = pins_page_problems(files["pins.md"], facts)
    wiring = load_wiring(MAPS["seven" if len(facts.values["tubes"]) == 7 else "reference"])
    harness = read_source(files["harness/harness.yml"])
    tubes = read_source(files["harness/tube-cables.yml"])
    found += harness_checks.source_problems(harness) + harness_checks.source_problems(tubes)
    found += harness_checks.table_problems(files["harness/harness.md"], harness, tubes)
    found += parts_problems(files["parts.csv"], wiring)
    return found


@pytest.mark.parametrize("key", MAPS)
def test_everything_agrees(key: str) -> None:
    assert problems(files_of(key), Facts.of(key)) == []


def replaced(name: str, old: str, new: str) -> Callable[[Files], None]:
    """Something else stands in a file, once or wherever it stood."""

    def spoil(files: Files) -> None:
        assert old in files[name], name
        files[name] = files[name].replace(old, new)

    return spoil


SPOILED: dict[str, tuple[Callable[[Files], None], str]] = {
    "a wire of the harness": (
        replaced("harness/harness.yml", "[11, 13, 15, 18, 20]", "[13, 11, 15, 18, 20]"),
        "W10",
    ),
    "a wire of a tube": (replaced("harness/tube-cables.yml", "RING_D4_3", "RING_D4_2"), "D4"),
    "a row of the wire tables": (replaced("harness/harness.md", "PI1 pin 12 |", "PI1 pin 13 |"), "PI1"),
    "how many sensors to order": (replaced("parts.csv", "order,64,pieces", "order,63,pieces"), "QRE1114GR: 63"),
    "a ring bit in the pin tables": (
        replaced("pins.md", "| 26 | U13 | CH2 | 3 | D4 | 1 |", "| 26 | U13 | CH2 | 3 | D4 | 2 |"),
        "pins.md: bit 26",
    ),
    "a GPIO in the pin tables": (replaced("pins.md", "| 12 | GPIO18 |", "| 13 | GPIO18 |"), "pins.md, Pi"),
    "a pixel in the pin tables": (replaced("pins.md", "| LED18 | 18 |", "| LED18 | 19 |"), "pins.md: pixels"),
}


@pytest.mark.parametrize("name", SPOILED)
def test_what_does_not_agree_is_named(name: str) -> None:
    spoil, words = SPOILED[name]
    files = files_of("reference")
    spoil(files)
    found = problems(files, Facts.of("reference"))
    assert any(words in problem for problem in found), found


# ---- what is made, and what of it is kept


def test_what_is_made_again_is_the_same() -> None:
    assert all_made("seven") == made_for(SEVEN)


@pytest.mark.parametrize(("key", "name"), KEPT)
def test_what_is_kept_is_of_the_map(key: str, name: str) -> None:
    """A drawing by its words: their places are other fonts' and other libraries' matter."""
    kept, now = (WIRING / KEPT[key, name]).read_text(encoding="utf-8"), all_made(key)[name]
    if name.endswith(".svg"):
        kept, now = (sorted(re.findall(r"<text [^>]*>([^<]*)<", text)) for text in (kept, now))
        assert kept
    assert kept == now, "run `make wiring`, and commit what it changes"


def test_a_boards_folder_holds_what_is_made_and_nothing_else(tmp_path: Path) -> None:
    old = tmp_path / "build" / "seven" / "old.svg"
    old.parent.mkdir(parents=True)
    old.touch()
    files = {"schematics/panel.svg": "<svg/>", "expected.toml": "120 µs"}
    write("seven", files, tmp_path / "build", tmp_path / "source")
    there = {str(path.relative_to(old.parent)): path for path in old.parent.rglob("*.*")}
    assert {name: path.read_text("utf-8") for name, path in there.items()} == files
    assert (tmp_path / "source" / "seven" / "expected.toml").read_text("utf-8") == "120 µs"


def other_parts(kind: str, **changes: object) -> Board:
    """The reference board with another kind of part."""
    known = REFERENCE.catalogue
    kinds = {**known.kinds, kind: replace(known.kinds[kind], **changes)}  # type: ignore[arg-type]
    return replace(REFERENCE, catalogue=replace(known, kinds=kinds))


def test_a_board_that_draws_too_much_is_not_made() -> None:
    with pytest.raises(MakingError, match=r"board.toml: 5V: \d+ mA at worst; allowed are 1480 mA"):
        made_for(other_parts("hall_sensor", worst=40))


def test_a_pin_beyond_its_capability_is_not_made() -> None:
    """The lights' pin of the map moved to one without PWM, past the reader of maps."""
    wrong = replace(REFERENCE, wiring=replace(REFERENCE.wiring, lights_pin=23))
    with pytest.raises(MakingError, match="GPIO23: LIGHTS_3V3; allowed is a pin with PWM or PCM"):
        made_for(wrong)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('latch = "PB2"', 'latch = "PB1"', 'controller.ring_select is "PB1", which controller.latch uses'),
        ('"PD6", "PD7"]', '"ADC6", "PD7"]', 'controller.mux_selects[2] is "ADC6", which is no pin'),
        ('mosi = "PB3"', 'mosi = "PB4"', 'controller.mosi is "PB4"; allowed: PB3'),
        ("lights = 18", "lights = 23", "pi.lights is 23; allowed: 10, 12"),
        ("buzzer = 24", "buzzer = 22", "pi.buttons.black is 22, which pi.buzzer uses"),
    ],
)
def test_a_pin_used_twice_or_beyond_its_capability_is_refused_by_the_map(old: str, new: str, words: str) -> None:
    text = MAPS["reference"].read_text(encoding="utf-8")
    assert old in text
    with pytest.raises(WiringError) as refused:
        parse_wiring(text.replace(old, new), "board.toml")
    assert words in str(refused.value)
