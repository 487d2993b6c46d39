"""``tamsk-hw config check``: what it says, what it warns of, what it refuses."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from tamsk_hw.board.wiring import load_wiring
from tamsk_hw.commands.main import main
from tamsk_hw.configuration.checking import PI_5_LIGHTS, Machine, check, differences, warnings
from tamsk_hw.configuration.reading import Places, parse_configuration
from tamsk_hw.errors import ConfigError

WIRING = load_wiring()
WIRING_TEXT = (Path(__file__).resolve().parents[2] / "wiring" / "board.toml").read_text(encoding="utf-8")

NO_BUTTONS = (
    "buttons: none will work; start, claim and resign with tamsk-hw do, or with the keys of tamsk-hw run in a "
    "terminal"
)


@pytest.fixture
def port() -> Iterator[str]:
    """A serial line that is there."""
    ours, theirs = pty.openpty()
    yield os.ttyname(theirs)
    os.close(ours)
    os.close(theirs)


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places.of({"HOME": str(tmp_path)}, system=tmp_path / "etc.toml", system_state=tmp_path / "var")


def computer(tmp_path: Path, model: str, *missing: str) -> Machine:
    """A computer that calls itself so, with all that a Raspberry Pi may have but what is missing."""
    tree = tmp_path / "device-tree"
    if model:
        tree.mkdir()
        (tree / "model").write_bytes(model.encode() + b"\0")
        chip = b"bcm2712" if "5" in model.split("Rev")[0] and "Pi" in model else b"bcm2711"
        (tree / "compatible").write_bytes(b"raspberrypi,x\0brcm," + chip + b"\0")
    for name in {"spidev0.0", "mem"} - set(missing):
        (tmp_path / name).touch()
    return Machine(
        device_tree=tree,
        spi=tmp_path / "spidev0.0",
        memory=tmp_path / "mem",
        is_installed=lambda library: library not in missing,
    )


def warned(text: str, tmp_path: Path, port: str, machine: Machine, lights_pin: int = 18) -> list[str]:
    """The warnings about a calibrated board at ``port``, with its state in a folder that is there."""
    (tmp_path / "calibration.toml").write_text("version = 1\n")
    configuration = replace(parse_configuration(f'board.port = "{port}"\n{text}', "c"), state_folder=tmp_path)
    return list(warnings(configuration, replace(WIRING, lights_pin=lights_pin), machine))


PI_4 = "Raspberry Pi 4 Model B Rev 1.4"
PI_5 = "Raspberry Pi 5 Model B Rev 1.0"
RADXA = "Radxa ROCK 5B"
SPI = '[lights]\nroute = "spi"\n'
RPIGPIO, MOCK, SIMULATE = (f'[gpio]\nfactory = "{name}"\n' for name in ("rpigpio", "mock", "simulate"))
NO_LIGHTS = '[lights]\nroute = "none"\n'
UNPRESSED = "[buttons]\nenabled = false\n"
SILENT = f"{UNPRESSED}[buzzer]\nenabled = false\n"
NO_LIBRARY = 'lights.route: "gpio" on a Raspberry Pi 5 needs the library adafruit_raspberry_pi5'
NO_PI = "this computer is no Raspberry Pi"


# Warnings


@pytest.mark.parametrize(
    ("model", "missing", "text", "starts"),
    [
        (PI_4, [], "", []),
        (PI_5, [], "", []),
        (PI_4, [PI_5_LIGHTS], RPIGPIO, []),
        (PI_4, ["mem"], "", ['lights.route: "gpio" needs root']),
        (PI_4, ["mem"], NO_LIGHTS, []),
        (PI_5, ["mem"], "", []),
        (
            PI_4,
            ["spidev0.0"],
            SPI,
            ['lights.route: "spi" sends on GPIO10, the', 'lights.route: "spi" needs '],
        ),
        (PI_4, ["spidev0.0"], SIMULATE + SPI, []),
        (PI_4, [], MOCK, ['gpio.factory: "mock" moves no pin', NO_BUTTONS]),
        (PI_4, [], UNPRESSED, [NO_BUTTONS]),
        (PI_4, [], SIMULATE, []),
        *(
            (model, [PI_5_LIGHTS], RPIGPIO, [NO_LIBRARY, 'gpio.factory: "rpigpio" does not work on', NO_BUTTONS])
            for model in (PI_5, "Raspberry Pi 500 Rev 1.0", "Raspberry Pi Compute Module 5 Lite Rev 1.0")
        ),
        (PI_5, [], RPIGPIO + SILENT, [NO_BUTTONS]),
        (PI_5, [], MOCK + UNPRESSED, ['gpio.factory: "mock" moves no pin', NO_BUTTONS]),
        ("", [], "", [f"{NO_PI} (nobody says which): these will not work: lights, buttons, buzzer", NO_BUTTONS]),
        ("", [], NO_LIGHTS + MOCK, [NO_BUTTONS]),
        ("", [], SIMULATE, []),
        (RADXA, [], UNPRESSED, [f"{NO_PI} (Radxa ROCK 5B): these will not work: lights, buzzer", NO_BUTTONS]),
        (RADXA, [], SIMULATE, []),
        (RADXA, [], SIMULATE + UNPRESSED, [NO_BUTTONS]),
    ],
)
def test_what_cannot_work_on_this_computer_is_warned_of(
    model: str, missing: list[str], text: str, starts: list[str], tmp_path: Path, port: str
) -> None:
    found = warned(text, tmp_path, port, computer(tmp_path, model, *missing))
    assert len(found) == len(starts), found
    assert all(warning.startswith(start) for warning, start in zip(found, starts, strict=True)), found


def test_lights_wired_for_spi_are_not_warned_of(tmp_path: Path, port: str) -> None:
    assert warned(SPI, tmp_path, port, computer(tmp_path, PI_4), lights_pin=10) == []


def test_a_port_that_cannot_be_used(tmp_path: Path, port: str, monkeypatch: pytest.MonkeyPatch) -> None:
    machine = computer(tmp_path, PI_4)
    (tmp_path / "file").touch()
    for path, words in (
        (tmp_path / "ttyUSB0", "{} is not there right now: plug in the board, or correct the port"),
        (tmp_path / "file", "{} is no serial line: correct the port"),
        (Path("/dev/null"), "{} is no serial line: correct the port"),
    ):
        assert warned("", tmp_path, str(path), machine) == [f"board.port: {words.format(path)}"]
    real = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: str(path) != port and real(path, mode))
    [warning] = warned("", tmp_path, port, machine)
    assert warning.startswith(f"board.port: this user may not use {port}: add the user to the group")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"garbage", "is no TOML"),
        (b"\xff", "is no TOML"),
        (None, "is a folder, not a file"),
        ("missing", "is not there: the board is played uncalibrated"),
    ],
)
def test_a_calibration_that_cannot_be_used(
    content: bytes | str | None, words: str, tmp_path: Path, port: str
) -> None:
    file = tmp_path / "c.toml"
    if content is None:
        file.mkdir()
    elif isinstance(content, bytes):
        file.write_bytes(content)
    [warning] = warned(f'board.calibration = "{file}"', tmp_path, port, computer(tmp_path, PI_4))
    assert warning.startswith(f"board.calibration: {file} {words}")


def test_a_journal_that_cannot_be_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine(device_tree=tmp_path / "none")

    def told(folder: Path) -> list[str]:
        text = f'[journal]\nfolder = "{folder}"'
        return list(warnings(parse_configuration(text, "c"), WIRING, machine))

    assert told(tmp_path / "not" / "yet") == []
    file = tmp_path / "file"
    file.touch()
    for folder in (file, file / "games"):
        [warning] = told(folder)
        assert warning.startswith(f"journal.folder: {file} is no folder: games are not saved")
    [warning] = told(tmp_path / "not" / ("y" * 300) / "games")
    assert "cannot be made: a name is longer than 255 bytes: games are not saved" in warning
    with monkeypatch.context() as root:  # who may write anywhere, and still make no folder there
        root.setattr(os, "access", lambda path, mode: True)
        for nowhere in ("/proc/self/games", "/sys/kernel/games"):
            [warning] = told(Path(nowhere))
            assert warning == (
                f"journal.folder: {nowhere} cannot be made: {Path(nowhere).parent} keeps no files: "
                "games are not saved; correct the path"
            )
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    [warning] = told(tmp_path / "not" / "yet")
    assert warning.startswith(f"journal.folder: this user may not write in {tmp_path}: games are not saved")


# What is said


def test_differences_are_told_with_their_defaults() -> None:
    text = (
        '[board]\nport = "/dev/b"\n[ruleset]\nlevel = 3\n[lights.palette]\nred = [1, 2, 3]\n[sensing]\nrail = 3\n'
    )
    assert differences(parse_configuration(text, "c")) == [
        'board.port = "/dev/b" (default "none")',
        "lights.palette.red = [1, 2, 3] (default [255, 25, 0])",
        "sensing.rail = 3 (default 2)",
    ]


def test_without_a_file_it_says_where_it_looked(places: Places, tmp_path: Path) -> None:
    assert check(None, places, Machine()) == [
        "Configuration: defaults (there is no configuration file)",
        f"Looked for: {tmp_path}/etc.toml, {tmp_path}/.config/tamsk-hw/config.toml",
        "Every value is its default.",
        "Board: none is configured; tamsk-hw run plays on the simulated board.",
        "No warnings.",
    ]


def test_a_file_that_is_passed_over_is_told(places: Places, tmp_path: Path) -> None:
    places.system.write_text("[sensing]\nrail = 4\n")
    assert places.user is not None
    places.user.parent.mkdir(parents=True)
    places.user.touch()
    lines = check(None, places, Machine())
    assert lines[0] == f"Configuration: {places.system}"
    assert "  sensing.rail = 4 (default 2)" in lines
    assert lines[-2:] == [f"Warning: {places.user} is there, too, and is not read", "1 warning."]
    # Whoever names a file knows which one is read.
    assert check(places.user, places, Machine())[-1] == "No warnings."


def test_a_wiring_map_that_cannot_be_used_is_refused(places: Places, tmp_path: Path) -> None:
    places.system.write_text('[board]\nwiring = "own.toml"\n')
    with pytest.raises(ConfigError, match=r"etc\.toml: board\.wiring: .*own\.toml: cannot be read: No such file"):
        check(None, places, Machine())
    (tmp_path / "own.toml").write_text(WIRING_TEXT.replace("lights = 18", "lights = 28"))
    with pytest.raises(ConfigError, match=r"etc\.toml: board\.wiring: .*own\.toml: pi\.lights is 28; allowed"):
        check(None, places, Machine())
    (tmp_path / "own.toml").write_text(WIRING_TEXT)
    assert check(None, places, Machine())[-1] == "No warnings."


# The command


def test_the_command_says_it_in_plain_lines(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text('[board]\nport = "/dev/nowhere"\n[players]\nred = "Zoë"\n', encoding="utf-8")
    ran = CliRunner().invoke(main, ["config", "check", "--config", str(file)])
    assert ran.exit_code == 0
    assert ran.stderr == ""
    lines = ran.stdout.splitlines()
    assert lines[:5] == [
        f"Configuration: {file}",
        "Other than the defaults:",
        '  board.port = "/dev/nowhere" (default "none")',
        '  players.red = "Zoë" (default "")',
        "Board: /dev/nowhere",
    ]
    assert lines[5].startswith("Warning: board.port: /dev/nowhere is not there right now")
    assert lines[-1].endswith(("warning.", "warnings."))


def test_the_command_reads_the_file_that_the_variable_names(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text("[sensing]\nrail = 4\n")
    ran = CliRunner().invoke(main, ["config", "check"], env={"TAMSK_HW_CONFIG": str(file)})
    assert ran.exit_code == 0
    assert ran.stdout.startswith(
        f"Configuration: {file}\nOther than the defaults:\n  sensing.rail = 4 (default 2)\n"
    )


@pytest.mark.parametrize(
    "data", [b"[sensing]\nrail = 11\n", b"[sensing]\nrial = 1\n", b"[sensing\n", b"\xff", None]
)
def test_a_refused_configuration_is_one_line_and_status_2(data: bytes | None, tmp_path: Path) -> None:
    file = tmp_path / "con\nfig.toml"
    if data is not None:
        file.write_bytes(data)
    ran = CliRunner().invoke(main, ["config", "check", "--config", str(file)])
    assert ran.exit_code == 2
    assert ran.stdout == ""
    [line] = ran.stderr.splitlines()
    assert line.startswith("tamsk-hw: ")
    assert "fig.toml: " in line


HARDWARE = ("gpiozero", "lgpio", "RPi", "spidev", "gpiod", "board", "neopixel", "neopixel_spi", "neopixel_write")
WEB = ("starlette", "uvicorn", "websockets")


@pytest.mark.parametrize("arguments", [["--help"], ["config", "--help"], ["config", "check"]])
def test_no_library_of_pins_lights_or_pages_is_loaded(arguments: list[str], tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text('[board]\nport = "/dev/nowhere"\n')
    program = (
        "import sys\nfrom tamsk_hw.commands.main import main\n"
        f"try:\n    main({arguments!r})\nexcept SystemExit as end:\n    assert not end.code, end.code\n"
        "print('LOADED', *sorted(sys.modules))\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "TAMSK_HW_CONFIG": str(file)},
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = set(ran.stdout.rpartition("LOADED ")[2].split())
    assert "tamsk_hw.commands.main" in loaded
    assert loaded.isdisjoint(HARDWARE + WEB)
    assert not any(name.startswith("adafruit_") for name in loaded)
