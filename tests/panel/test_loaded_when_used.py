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

from tests.scenarios.book import BOOK

pytestmark = pytest.mark.slow

PROJECT = Path(__file__).parents[2]

#: What drives pins.
PINS = {"gpiozero", "lgpio", "RPi", "pigpio"}

#: What drives lights.
LIGHTS = {
    "adafruit_blinka",
    "adafruit_pixelbuf",
    "adafruit_platformdetect",
    "board",
    "busio",
    "digitalio",
    "gpiod",
    "microcontroller",
    "neopixel",
    "neopixel_spi",
    "neopixel_write",
    "_rpi_ws281x",
    "spidev",
}

#: What serves pages.
WEB = {"anyio", "h11", "starlette", "uvicorn"}

#: The drivers of real pins and lights, which only a Raspberry Pi needs.
DRIVERS = {"gpiod", "lgpio", "pigpio", "RPi", "_rpi_ws281x", "spidev"}

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


class Computer:
    """A folder that stands for a user's computer, with the program on it."""

    def __init__(self, folder: Path, configuration: str = NO_PANEL) -> None:
        self.folder = folder
        self.port = folder / "board"
        (folder / "config.toml").write_text(configuration.replace("PORT", str(self.port)), encoding="utf-8")

    @property
    def loaded(self) -> set[str]:
        """The modules of the program that ended last."""
        return set((self.folder / "loaded").read_text().split())

    @property
    def libraries(self) -> set[str]:
        """The libraries among them."""
        return {name.partition(".")[0] for name in self.loaded}

    def start(self, *words: str, **variables: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", PROGRAM, *words],
            env={
                "PATH": os.defpath,
                "PYTHONPATH": str(PROJECT),
                "HOME": str(self.folder),
                "TAMSK_HW_CONFIG": str(self.folder / "config.toml"),
                "LOADED": str(self.folder / "loaded"),
                **variables,
            },
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *words: str) -> int:
        """Run the program to its end, and give its exit status."""
        with self.start(*words) as process:
            process.communicate(timeout=PATIENCE)
        return process.returncode

    def serve(self, *words: str) -> None:
        """Run the program until it is ready and its loop has gone round, then end it."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
            systemd.bind(str(self.folder / "notify"))
            systemd.settimeout(PATIENCE)
            variables = {"NOTIFY_SOCKET": str(self.folder / "notify"), "WATCHDOG_USEC": "200000"}
            with self.start(*words, **variables) as process:
                try:
                    heard = ""
                    while heard.count("WATCHDOG=1") < 3:
                        heard += systemd.recv(4096).decode()
                    assert "READY=1" in heard
                finally:
                    process.send_signal(signal.SIGTERM)
                    process.communicate(timeout=PATIENCE)


@pytest.mark.parametrize(
    "command",
    ["--version", "replay", "config check", "doctor"],
    ids=lambda command: command.split()[0],
)
def test_a_command_that_needs_no_panel_loads_none_of_them(command: str, tmp_path: Path) -> None:
    computer = Computer(tmp_path)
    stream = tmp_path / "game.jsonl"
    stream.write_text(BOOK["R1.2-sixty-four-rings"].stream, encoding="utf-8")
    assert computer.run(*command.split(), *([str(stream)] if command == "replay" else [])) == 0
    assert "tamsk_hw" in computer.libraries
    assert not computer.libraries & (PINS | LIGHTS | WEB)


@pytest.mark.parametrize(
    ("configuration", "needed", "others"),
    [
        (
            f'[board]\nport = "PORT"\n{NO_PANEL}',
            {"tamsk_hw.table.run"},
            {"tamsk_hw.simulator"} | PINS | LIGHTS | WEB,
        ),
        (
            '[board]\nport = "PORT"\n[gpio]\nfactory = "mock"\n[lights]\nroute = "none"\n',
            {"gpiozero"},
            LIGHTS | DRIVERS,
        ),
        # By their OS-agnostic board, off a Pi: the real `neopixel`, and no driver.
        (NO_PANEL.replace('"none"', '"gpio"'), {"board", "neopixel"}, PINS),
    ],
    ids=["no panel", "buttons", "lights"],
)
def test_a_service_loads_what_it_drives(
    configuration: str, needed: set[str], others: set[str], tmp_path: Path
) -> None:
    computer = Computer(tmp_path, configuration)
    computer.serve("run")
    assert needed <= computer.loaded
    assert not computer.loaded & others
    assert not computer.libraries & others
