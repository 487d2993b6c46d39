"""A configuration file read key by key."""

from __future__ import annotations

import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

from tamsk_hw.board.sensor_report import SensingSettings
from tamsk_hw.configuration.keys import SECTIONS, Key, Section
from tamsk_hw.configuration.reading import decode_configuration, parse_configuration
from tamsk_hw.configuration.values import Base, Configuration
from tamsk_hw.errors import ConfigError
from tamsk_hw.game.ruleset import LatePenalty, Ruleset, Start, TimerSide
from tamsk_hw.game.tubes import Player
from tamsk_hw.panel.hardware import PinFactory
from tamsk_hw.panel.lights import PALETTE
from tamsk_hw.panel.outputs import LightRoute
from tamsk_hw.panel.sounds import Sound
from tamsk_hw.partner import Strength
from tamsk_hw.system.output import Language

KEYS = [(section, key) for section in SECTIONS for key in section.keys]
KEY_NAMES = [f"{section.name}.{key.name}" for section, key in KEYS]


def test_an_empty_file_is_all_defaults() -> None:
    for text in ("", "\n\n", "# nothing yet\n", "[board]\n[lights.palette]\n"):
        assert parse_configuration(text, "config.toml") == Configuration()


def test_the_defaults_are_those_of_the_design() -> None:
    defaults = Configuration()
    assert defaults.board.port is None
    assert defaults.ruleset == Ruleset()
    assert defaults.sensing == SensingSettings()
    assert defaults.sand.exact_hands is False  # on a real board, unlike in a stream
    assert (defaults.lights.route, defaults.lights.milliamps) == (LightRoute.GPIO, 1200)
    assert defaults.lights.palette == PALETTE
    assert defaults.gpio.factory is PinFactory.LGPIO
    assert defaults.journal_folder == Path("/var/lib/tamsk-hw")
    assert defaults.calibration_file == Path("/var/lib/tamsk-hw/calibration.toml")
    assert defaults.buzzer.sounds == set(Sound)
    assert (defaults.players.red, defaults.players.black) == (None, None)
    assert defaults.words.language is None  # the environment decides


FULL = """
[board]
port = "/dev/tamsk-board"
wiring = "maps/seven.toml"
calibration = "~/measured.toml"
board_id = "0A1b2c3d"
[ruleset]
level = 2
late_penalty = "lose_turn"
forfeit_penalised = false
start = "free"
ring_window = 7
penalty_window = 12.5
final_window = 0
settle = 1.5
timer_side = "right"
[sand]
exact_hands = true
[lights]
route = "spi"
milliamps = 800
[lights.palette]
red = [200, 0, 0]
black = [0, 0, 200]
doubtful = [1, 2, 3]
lost = [4, 5, 6]
full = [7, 8, 9]
destination = [10, 11, 12]
ring = [13, 14, 15]
wrong = [16, 17, 18]
belongs = [0, 0, 255]
[gpio]
factory = "rpigpio"
hands = "/run/tamsk-hw/hands.sock"
[buttons]
enabled = false
debounce_seconds = 0.05
long_press_seconds = 2
[buzzer]
enabled = false
violation = false
glass_lost = false
last_seconds = false
game_over = false
[sensing]
glass_dwell = 0.04
lean_dwell = 0.3
weak_dwell = 0.4
hover_dwell = 0.6
ring_dwell = 0.07
ring_dwell_undue = 0.35
light_dwell = 0.3
flicker_dwell = 1.5
holder_dwell = 0.5
gap_dwell = 2
glare_dwell = 6
glare_clear_dwell = 3
fault_dwell = 1
glass_first = 0.4
holder_first = 0.7
silence = 0.2
gap_credit = 0.02
resume_within = 0.3
stray_within = 0.008
seated = 0.85
seated_until = 0.75
weak = 0.6
weak_hysteresis = 0.03
leaning = 0.35
leaning_until = 0.28
away = 0.18
away_until = 0.22
gone = 0.06
rail = 3
reference_margin = 8
[journal]
folder = "/srv/tamsk"
[web]
address = "0.0.0.0"
port = 8088
names = ["Tamsk.local", "scores"]
[players]
red = "Ada"
black = " نیک‌بین "
[partner]
player = "black"
strength = "fair"
[words]
language = "nl"
"""


def test_every_key_reaches_its_place() -> None:
    base = Base(folder=Path("/etc/tamsk-hw"), home=Path("/home/ada"))
    read = parse_configuration(FULL, "config.toml", base)
    assert read.board.port == "/dev/tamsk-board"
    assert read.board.wiring == Path("/etc/tamsk-hw/maps/seven.toml")
    assert read.board.calibration == read.calibration_file == Path("/home/ada/measured.toml")
    assert read.board.board_id == 0x0A1B2C3D
    assert read.ruleset == Ruleset(
        level=2,
        late_penalty=LatePenalty.LOSE_TURN,
        forfeit_penalised=False,
        start=Start.FREE,
        ring_window=7.0,
        penalty_window=12.5,
        final_window=0.0,
        settle=1.5,
        timer_side=TimerSide.RIGHT,
    )
    assert read.sand.exact_hands is True
    assert (read.web.address, read.web.port, read.web.names) == ("0.0.0.0", 8088, ("tamsk.local", "scores"))
    assert (read.lights.route, read.lights.milliamps) == (LightRoute.SPI, 800)
    assert (read.lights.palette.red, read.lights.palette.wrong) == ((200, 0, 0), (16, 17, 18))
    assert (read.gpio.factory, read.gpio.hands) == (PinFactory.RPIGPIO, Path("/run/tamsk-hw/hands.sock"))
    assert (read.buttons.enabled, read.buttons.debounce_seconds, read.buttons.long_press_seconds) == (
        False,
        0.05,
        2,
    )
    assert read.buzzer.sounds == frozenset()
    assert read.sensing.holder_dwell == 0.5
    assert (read.sensing.gone, read.sensing.rail) == (0.06, 3)
    assert read.journal.folder == read.journal_folder == Path("/srv/tamsk")
    assert (read.players.red, read.players.black) == ("Ada", "نیک\u200cبین")
    assert (read.partner.player, read.partner.strength) == (Player.BLACK, Strength.FAIR)
    assert read.words.language is Language.DUTCH


@pytest.mark.parametrize(("section", "key"), KEYS, ids=KEY_NAMES)
def test_every_key_is_read_from_its_own_section_alone(section: Section, key: Key) -> None:
    # The value that FULL gives, alone in a file: it is read, and every other key keeps its default.
    table = tomllib.loads(FULL)
    for part in section.name.split("."):
        table = table[part]
    value = table[key.name]
    shown = str(value).lower() if isinstance(value, bool) else repr(value).replace("'", '"')
    base = Base(home=Path("/home/ada"))
    read = parse_configuration(f"[{section.name}]\n{key.name} = {shown}\n", "config.toml", base)
    changed = {f"{s.name}.{k.name}" for s, k in KEYS if s.value(read, k) != s.default(k)}
    assert changed == {f"{section.name}.{key.name}"}


@pytest.mark.parametrize(("section", "key"), KEYS, ids=KEY_NAMES)
def test_what_a_kind_writes_it_reads_back(section: Section, key: Key) -> None:
    base = Base(folder=Path("/etc/tamsk-hw"), home=Path("/home/ada"))
    full = parse_configuration(FULL, "config.toml", base)
    for value in (section.default(key), section.value(full, key)):
        [again] = tomllib.loads(f"x = {key.kind.write(value)}").values()
        assert key.kind.read(again, Base()) == value


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.name)
def test_the_table_has_every_field(section: Section) -> None:
    # Which tubes there are, the wiring map says.
    inner = {other.name.rpartition(".")[2] for other in SECTIONS if other.name.startswith(f"{section.name}.")}
    assert [key.name for key in section.keys] == [
        field.name for field in fields(section.make) if field.name not in inner | {"tubes", "tube_mask"}
    ]


def test_each_sound_is_switched_by_its_own_key() -> None:
    for sound in Sound:
        read = parse_configuration(f"[buzzer]\n{sound.value} = false\n", "config.toml")
        assert read.buzzer.sounds == set(Sound) - {sound}
    assert parse_configuration("[buzzer]\nenabled = false\n", "config.toml").buzzer.sounds == set()


def test_relative_paths_begin_at_the_files_folder_and_names_with_a_tilde_at_home() -> None:
    base = Base(folder=Path("/etc/tamsk-hw"), home=Path("/home/ada"))
    for text, path in [
        ("games", "/etc/tamsk-hw/games"),
        ("../games", "/etc/tamsk-hw/../games"),
        ("~/games", "/home/ada/games"),
        ("~//games", "/home/ada/games"),
        ("~", "/home/ada"),
        ("/games", "/games"),
    ]:
        read = parse_configuration(f'[journal]\nfolder = "{text}"', "config.toml", base)
        assert read.journal_folder == Path(path)


def test_windows_line_ends_and_a_byte_order_mark_do_no_harm() -> None:
    text = decode_configuration(
        b'\xef\xbb\xbf[sensing]\r\nrail = 4\r\n\r\n[players]\r\nred = "J\xc3\xbcrgen"\r\n', "c"
    )
    read = parse_configuration(text, "config.toml")
    assert (read.sensing.rail, read.players.red) == (4, "Jürgen")
    with pytest.raises(ConfigError, match=r"line 5: players\.blue"):
        parse_configuration(text.replace("red", "blue"), "config.toml")


def test_a_key_of_an_earlier_version_has_no_effect_and_is_no_reason_to_refuse() -> None:
    """0.1.0 had web.enabled, of which no program made anything."""
    for enabled in ("false", "1", "{}"):
        read = parse_configuration(f'[web]\nenabled = {enabled}\naddress = "::1"\nport = 80\n', "c.toml")
        assert (read.retired, read.web.address, read.web.port) == (("web.enabled",), "::1", 80)
    assert parse_configuration("", "c.toml").retired == ()


def test_the_page_is_for_this_computer_alone_unless_configured() -> None:
    web = Configuration().web
    assert (web.address, web.port, web.names) == ("127.0.0.1", 8137, ())


@pytest.mark.parametrize(
    "line",
    [
        'address = "localhost"',
        'address = ""',
        "port = 0",
        "port = 65536",
        'names = ["a b"]',
        'names = "a"',
        'names = ["*"]',
    ],
)
def test_an_address_or_name_that_is_none_is_refused(line: str) -> None:
    with pytest.raises(ConfigError, match=r"line 2: web\."):
        parse_configuration(f"[web]\n{line}\n", "c.toml")
