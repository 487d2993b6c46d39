"""Libraries of pins and lights are loaded when used, never before: they take long, and may fail.

Each program says at its end which modules it has loaded.
"""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house import ROOT
from tests.scenarios.book import BOOK

pytestmark = pytest.mark.slow

#: What drives pins.
PINS = {"gpiozero", "lgpio", "RPi", "pigpio"}

#: What drives lights.
LIGHTS = {"adafruit_blinka", "board", "busio", "digitalio", "gpiod", "microcontroller", "neopixel", "neopixel_spi"}

#: The drivers of real pins and lights, which only a Raspberry Pi needs.
DRIVERS = {"gpiod", "lgpio", "pigpio", "RPi", "_rpi_ws281x", "spidev"}

#: What serves pages.
WEB = {"anyio", "h11", "starlette", "uvicorn"}

#: Seconds after which a program that does not get on fails the test.
PATIENCE = 60.0

NO_PANEL = '[lights]\nroute = "none"\n[buttons]\nenabled = false\n[buzzer]\nenabled = false\n'

#: Runs the program with the words after it, and leaves the names of all modules in the file LOADED at its end.
PROGRAM = """
import os, sys
from tamsk_hw.commands.main import entry
try:
    entry()
finally:
    with open(os.environ["LOADED"], "w") as file:
        print(*sys.modules, file=file)
"""


def start(folder: Path, *words: str, configuration: str = NO_PANEL) -> subprocess.Popen[bytes]:
    """Start the program on a computer whose files are in a folder; systemd listens at `notify` there."""
    (folder / "config.toml").write_text(f'[board]\nport = "{folder}/board"\n{configuration}', encoding="utf-8")
    variables = {
        "PATH": os.defpath,
        "PYTHONPATH": str(ROOT),
        "HOME": str(folder),
        "TAMSK_HW_CONFIG": str(folder / "config.toml"),
        "LOADED": str(folder / "loaded"),
        "NOTIFY_SOCKET": str(folder / "notify"),
        "WATCHDOG_USEC": "200000",
    }
    command = [sys.executable, "-c", PROGRAM, *words]
    return subprocess.Popen(command, env=variables, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)


def loaded(folder: Path) -> set[str]:
    """The modules of the program that ended, and the libraries among them."""
    modules = (folder / "loaded").read_text().split()
    return {*modules, *(name.partition(".")[0] for name in modules)}


@pytest.mark.parametrize("command", ["replay", "doctor"])
def test_a_command_that_needs_no_panel_loads_none_of_them(command: str, tmp_path: Path) -> None:
    stream = tmp_path / "game.jsonl"
    stream.write_text(BOOK["R1.2-sixty-four-rings"].stream, encoding="utf-8")
    with start(tmp_path, command, *([str(stream)] if command == "replay" else [])) as process:
        process.communicate(timeout=PATIENCE)
    assert "tamsk_hw" in loaded(tmp_path)
    assert not loaded(tmp_path) & (PINS | LIGHTS | WEB)


@pytest.mark.parametrize(
    ("configuration", "needed", "others"),
    [
        (NO_PANEL, "tamsk_hw.table.run", {"tamsk_hw.simulator"} | PINS | LIGHTS | WEB),
        ('[gpio]\nfactory = "mock"\n[lights]\nroute = "none"\n', "gpiozero", LIGHTS | DRIVERS),
        # By their OS-agnostic board, off a Pi: the real `neopixel`, and no driver.
        (NO_PANEL.replace('"none"', '"gpio"'), "neopixel", PINS),
    ],
    ids=["no panel", "buttons", "lights"],
)
def test_a_service_loads_what_it_drives(configuration: str, needed: str, others: set[str], tmp_path: Path) -> None:
    """It runs until it is ready and its loop has gone round."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        systemd.settimeout(PATIENCE)
        with start(tmp_path, "run", configuration=configuration) as process:
            try:
                heard = ""
                while heard.count("WATCHDOG=1") < 3:
                    heard += systemd.recv(4096).decode()
                assert "READY=1" in heard
            finally:
                process.send_signal(signal.SIGTERM)
                process.communicate(timeout=PATIENCE)
    assert needed in loaded(tmp_path)
    assert not loaded(tmp_path) & others
