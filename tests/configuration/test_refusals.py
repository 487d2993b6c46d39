"""Each way to spoil a configuration file: refused in one line, by file, line and key."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamsk_hw.configuration.kinds import Base
from tamsk_hw.configuration.reading import parse_configuration
from tamsk_hw.configuration.settings import SECTIONS
from tamsk_hw.errors import ConfigError, printable


def refusal(text: str, base: Base | None = None) -> str:
    """The one line with which the text is refused."""
    with pytest.raises(ConfigError) as caught:
        parse_configuration(text, "some/config.toml", base)
    message = str(caught.value)
    assert printable(message) == message
    return message


# Refused texts, each with words that the line must have

REFUSALS = [
    # Names
    ('[board]\nprot = "/dev/a"', "line 2: board.prot: unknown key; did you mean port? allowed are port, wiring, "),
    (
        '\n[bord]\nport = "/dev/a"',
        "line 2: bord: unknown section; did you mean board? allowed are the sections board",
    ),
    ('port = "/dev/a"\n', "line 1: port: unknown key; did you mean port in [board]? allowed are the sections"),
    ("[board]\nmilliamps = 3", "line 2: board.milliamps: unknown key; did you mean milliamps in [lights]? "),
    ("[board]\nxyzzy = 3", "line 2: board.xyzzy: unknown key; allowed are port, wiring, calibration, board_id"),
    ("[lights.palete]\nred = 1", "line 1: lights.palete: unknown key; did you mean palette? allowed are route"),
    ("[lights]\npalette = { red = [1, 2, 3], rot = 1 }", "line 2: lights.palette.rot: unknown key;"),
    ("lights.palette.rot = 1", "line 1: lights.palette.rot: unknown key;"),
    ('[sensing]\n"\\u001b[31m" = 1', 'line 2: sensing."\\x1b[31m": unknown key;'),
    (f"[lights]\n{'p' * 5000} = 1", f"line 2: lights.{'p' * 57}...: unknown key;"),
    # Kinds
    ("[buzzer]\nenabled = 1", "line 2: buzzer.enabled: 1; allowed is true or false"),
    ("[sensing]\nrail = true", "line 2: sensing.rail: true; allowed is a whole number"),
    ("[sensing]\nrail = 8080.0", "line 2: sensing.rail: 8080.0; allowed is a whole number"),
    ("[sensing]\nrail = -1", "line 2: sensing.rail: -1; allowed is a whole number of steps of 8 bits, 0 to 10"),
    ("[sensing]\nrail = 1979-05-27", "line 2: sensing.rail: 1979-05-27; allowed"),
    ("[sensing]\nrail = [80, 81]", "line 2: sensing.rail: [80, 81]; allowed"),
    ("[sensing]\nrail = { a = 1 }", "line 2: sensing.rail: a table; allowed"),
    (
        "[sensing]\nring_dwell = nan",
        "line 2: sensing.ring_dwell: nan; allowed is a number of seconds, more than 0",
    ),
    (f"[sensing]\nring_dwell = 0x{'f' * 300}", "sensing.ring_dwell: a number of more than 60 digits; allowed"),
    ('[ruleset]\nstart = "Free"', 'line 2: ruleset.start: "Free"; allowed is "corners" or "free"'),
    ("[ruleset]\nring_window = -1", "line 2: ruleset.ring_window: -1; allowed is a number of seconds, 0 or more"),
    ("[lights.palette]\nred = [1, 2]", "lights.palette.red: [1, 2]; allowed is [red, green, blue], each a whole"),
    ("[lights.palette]\nred = [1, 2, 256]", "lights.palette.red: [1, 2, 256]; allowed"),
    ("[lights.palette]\nred = [1, 2, true]", "lights.palette.red: [1, 2, true]; allowed"),
    ('[lights.palette]\nred = "#ff0000"', 'lights.palette.red: "#ff0000"; allowed'),
    ('[board]\nport = "ttyUSB0"', 'board.port: "ttyUSB0"; allowed is the full path of a device, as "/dev/tamsk'),
    ('[board]\nport = "/dev/a\\u0000"', 'board.port: "/dev/a\\x00"; allowed'),
    ('[board]\nwiring = ""', 'board.wiring: ""; allowed is a path, or "packaged"'),
    ("[board]\nboard_id = 12345678", "board.board_id: 12345678; allowed is the eight hexadecimal digits"),
    ('[board]\nboard_id = "1a2b3c"', 'board.board_id: "1a2b3c"; allowed is the eight hexadecimal digits'),
    ('[players]\nred = "a\\nb"', 'players.red: "a\\nb"; allowed is a text of at most 40 printable characters'),
    (f'[players]\nred = "{"x" * 41}"', "line 2: players.red: "),
    ('[web]\naddress = "localhost"', 'line 2: web.address: "localhost"; allowed is an address, as "127.0.0.1"'),
    ('[web]\nnames = ["*"]', 'line 2: web.names: ["*"]; allowed is a list of at most 20 names of this computer'),
    ('[web]\nnames = "a"', 'line 2: web.names: "a"; allowed is a list'),
    # Sections that are none
    ("board = 3", "line 1: board: 3; allowed is a section, [board]"),
    ("\n[[board]]\n", "line 2: board: a list of tables; allowed is a section, [board]"),
    ("[lights]\npalette = 3", "line 2: lights.palette: 3; allowed is a section, [lights.palette]"),
    # Values that do not go together
    (
        "[sensing]\nseated = 0.6",
        "line 2: sensing.seated: 0.6; allowed is more than seated_until, 0.7, and less than 1",
    ),
    (
        "[sensing]\nrail = 3\ngone = 0.2",
        "line 3: sensing.gone: does not go with away: 0.15; allowed is more than gone, 0.2, and less than 1",
    ),
    (
        "[buttons]\ndebounce_seconds = 0.4\nlong_press_seconds = 0.3",
        "line 3: buttons.long_press_seconds: 0.3; allowed is more than debounce_seconds, 0.4",
    ),
    # Given twice
    ('[board]\nport = "/a"\n\nport = "/b"', 'line 4: port = "/b": no TOML (cannot overwrite a value); allowed is'),
    ('[board]\nport = "/a"\nport = "/b"\n[sensing', 'line 3: port = "/b": no TOML (cannot overwrite a value)'),
    ("[board]\n[sensing]\n[board]\n", "line 3: [board]: no TOML (cannot declare"),
    # No TOML
    (
        "[board]\nport = /dev/ttyUSB0\n",
        "line 2: port = /dev/ttyUSB0: no TOML (invalid value); allowed is KEY = VALUE",
    ),
    ("[board]\nport\n", "line 2: port: no TOML (expected '=' after a key"),
    ("[board\n", "line 1: [board: no TOML (expected ']'"),
    ("[sensing]\nrail = [1,\n\n\n", "line 2: rail = [1,: no TOML"),
    ('[players]\nred = """\n\n\n', 'line 2: red = """: no TOML'),
    ('[players]\nred = "\x1b[2J"', 'line 2: red = "\\x1b[2J": no TOML'),
    ("[sensing]\nrail = 1979-99-99\n", "line 2: rail = 1979-99-99: no TOML"),
    ("[sensing]\n\nrail = " + "9" * 6000, "line 3: rail = 9999"),
    ("x = " + "[" * 60_000, "line 1: x = [[[["),
    ("\x00", "line 1: \\x00: no TOML"),
]


@pytest.mark.parametrize(("text", "words"), REFUSALS, ids=[repr(text[:50]) for text, _ in REFUSALS])
def test_a_spoilt_file_is_refused_by_line_and_key(text: str, words: str) -> None:
    message = refusal(text)
    assert message.startswith("some/config.toml: line "), message
    assert words in message, message
    assert "allowed is" in message or "allowed are" in message or "does not go with" in message


MANY_LINES = r'''
# sensing.rail = 1
[players]
red = """\
  [sensing] \
  port = 1"""
[lights.palette]
red = [
  1,  # [sensing]
  2,
  3
]
'''


def test_the_line_is_found_behind_texts_and_lists_of_many_lines() -> None:
    assert parse_configuration(MANY_LINES, "c").players.red == "[sensing] port = 1"
    assert "line 13: lights.palette.green: unknown key" in refusal(MANY_LINES + "green = 1\n")
    assert "line 14: sensing.rail: 11;" in refusal(MANY_LINES + "[sensing]\nrail = 11\n")
    assert "line 4: players.rot: unknown key" in refusal(MANY_LINES.replace('red = "', 'rot = "'))
    assert "line 8: lights.palette.red: [1, 2, 3, 4]; allowed" in refusal(MANY_LINES.replace("3\n", "3, 4\n"))


def test_the_first_mistake_of_the_file_is_told() -> None:
    assert "line 2: sensing.rail" in refusal("[sensing]\nrail = 11\n[board]\nport = 0\n")
    assert "line 2: board.port" in refusal("[board]\nport = 0\n[sensing]\nrail = 11\n")


def test_a_user_without_a_home_has_no_paths_there() -> None:
    assert 'journal.folder: "~/games"; allowed is a path' in refusal(
        '[journal]\nfolder = "~/games"', Base(home=None)
    )


# The bounds of the table are those of the values that it sets up


def test_the_bounds_are_those_of_the_value() -> None:
    # A value that the dataclass refuses is refused as the key's.
    for section in SECTIONS:
        for key in section.keys:
            for number in (0, 1, 2, 3, 10, 11, 30, 31, 59.999, 60, 255, 256, 0.5, -1):
                try:
                    section.make(**{key.name: number})
                except (ConfigError, TypeError):
                    with pytest.raises(ConfigError):
                        parse_configuration(f"[{section.name}]\n{key.name} = {number}\n", "c.toml")


# Whatever a file holds

WORDS = "[board] [sensing] [lights.palette] [[sensing]] [ ] port red gone = # { } , 1 0.1 true nan - ."
TOKENS = st.sampled_from(
    [
        *WORDS.split(),
        *("\n", " ", "\r\n", '"/dev/a"', '"""', "'''", '"', "'", "[1, 2, 3]", "\x00", "é", "\\", "1979-05-27"),
        *("9" * 5000, "port = 1\n", "gone = 0.01\n", "a.b = 1\n"),
    ]
)


@given(st.lists(TOKENS, max_size=25).map("".join) | st.text(max_size=60))
def test_any_text_is_taken_or_refused_in_one_line(text: str) -> None:
    message = ""
    try:
        parse_configuration(text, "c.toml")
    except ConfigError as error:
        message = str(error)
    assert re.fullmatch(r"(c\.toml: line [0-9]+: .+)?", message)
    assert printable(message) == message
