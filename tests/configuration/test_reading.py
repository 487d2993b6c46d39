"""A configuration file read key by key."""

from dataclasses import fields
from pathlib import Path

from tamsk_hw.configuration import Configuration, parse_configuration
from tamsk_hw.configuration.kinds import Base
from tamsk_hw.configuration.settings import (
    SECTIONS,
    BoardSettings,
    GpioSettings,
    HallOptions,
    MqttSettings,
    PageOptions,
    PlayerNames,
)
from tamsk_hw.game.ruleset import LatePenalty, TimerSide
from tamsk_hw.panel.hardware import PinFactory

KEYS = [(section, key) for section in SECTIONS for key in section.keys]
BASE = Base(folder=Path("/etc/tamsk-hw"), home=Path("/home/ada"))


def test_an_empty_file_is_all_defaults() -> None:
    for text in ("", "\n\n", "# nothing yet\n", "[board]\n[lights.palette]\n"):
        assert parse_configuration(text, "config.toml") == Configuration()


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
ring_dwell_weak = 0.09
ring_dwell_undue = 0.35
light_dwell = 0.3
flicker_dwell = 1.5
holder_dwell = 0.5
gap_dwell = 2
glare_dwell = 6
glare_clear_dwell = 3
margin_dwell = 6
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
[mqtt]
host = "hall-pi.local"
port = 8883
hall = "club"
board = "table-5"
user = "table-5"
password_file = "~/password"
tls = true
[hall]
address = "::"
port = 8080
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
    read = parse_configuration(FULL, "config.toml", BASE)
    board = BoardSettings(
        port="/dev/tamsk-board",
        wiring=Path("/etc/tamsk-hw/maps/seven.toml"),
        calibration=Path("/home/ada/measured.toml"),
        board_id=0x0A1B2C3D,
    )
    assert (read.board, read.calibration_file) == (board, board.calibration)
    assert (read.ruleset.late_penalty, read.ruleset.timer_side) == (LatePenalty.LOSE_TURN, TimerSide.RIGHT)
    assert read.web == PageOptions(address="0.0.0.0", port=8088, names=("tamsk.local", "scores"))
    assert read.mqtt == MqttSettings(
        host="hall-pi.local",
        port=8883,
        hall="club",
        board="table-5",
        user="table-5",
        password_file=Path("/home/ada/password"),
        tls=True,
    )
    assert read.hall == HallOptions(address="::", port=8080)
    assert (read.lights.palette.red, read.lights.palette.wrong) == ((200, 0, 0), (16, 17, 18))
    assert read.gpio == GpioSettings(factory=PinFactory.RPIGPIO, hands=Path("/run/tamsk-hw/hands.sock"))
    assert (read.sensing.holder_dwell, read.sensing.gone, read.sensing.rail) == (0.5, 0.06, 3)
    assert read.journal.folder == read.journal_folder == Path("/srv/tamsk")
    assert read.players == PlayerNames(red="Ada", black="نیک\u200cبین")


def test_every_key_is_read_from_its_own_section_alone_and_written_as_it_is_read() -> None:
    """The value that FULL gives, alone in a file: every other key keeps its default."""
    full = parse_configuration(FULL, "config.toml", BASE)
    assert [f"{section.name}.{key.name}" for section, key in KEYS if section.value(full, key) == key.default] == []
    for section, key in KEYS:
        text = f"[{section.name}]\n{key.name} = {key.kind.write(section.value(full, key))}\n"
        read = parse_configuration(text, "config.toml", BASE)
        changed = [(s.name, k.name) for s, k in KEYS if s.value(read, k) != k.default]
        assert changed == [(section.name, key.name)]
        assert section.value(read, key) == section.value(full, key)
        default = f"[{section.name}]\n{key.name} = {key.kind.write(key.default)}\n"
        assert parse_configuration(default, "config.toml", BASE) == Configuration()


def test_every_field_of_a_section_is_a_key() -> None:
    # Which tubes there are, the wiring map says.
    for section in SECTIONS:
        names = {field.name for field in fields(section.make)} - {"palette", "tubes", "tube_mask"}
        assert {key.name for key in section.keys} == names


def test_a_tilde_is_the_users_home_alone_and_before_however_many_slashes() -> None:
    for text, path in (("~", "/home/ada"), ("~//games", "/home/ada/games")):
        read = parse_configuration(f'[journal]\nfolder = "{text}"', "config.toml", BASE)
        assert read.journal_folder == Path(path)
