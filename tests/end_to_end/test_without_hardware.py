"""docs/simulate.md, Step by step, followed literally: its commands are read from the page and carried out.

In real time, but nothing waits for the clock: each step waits for what the one before has printed. ``make test``
calibrates two tubes and awards the game after some moves; ``make soak`` does all of it.
"""

import os
import queue
import re
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import tomllib
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house import ROOT
from tests.soak import SOAK

#: Real seconds for which anything is waited for, and a whole game.
PATIENCE, GAME = 120.0, 5400.0

PROGRAM = ".venv/bin/tamsk-hw"
PAGE = (ROOT / "docs" / "simulate.md").read_text(encoding="utf-8")
SECTION = PAGE.partition("\n## Step by step\n")[2].partition("\n## ")[0]
BLOCKS = re.findall(r"^```sh\n(.*?)^```", SECTION, re.MULTILINE | re.DOTALL)

#: In ``make test`` these tubes are calibrated.
TUBES = ("A1", "A2")


class Running:
    """A command of the page that goes on, in a terminal of its own."""

    def __init__(self, words: list[str], folder: Path, environment: dict[str, str]) -> None:
        self.process = subprocess.Popen(
            words,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.said = ""
        self._lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)
        self._lines.put(None)

    def hear(self, words: str, patience: float = PATIENCE) -> str:
        """Wait until it prints a line with these words."""
        while True:
            line = self._lines.get(timeout=patience)
            assert line is not None, f"it ended:\n{self.said}"
            self.said += line
            if re.search(words, line):
                return line

    def end(self) -> int:
        """End it with Ctrl-C, if it has not ended; give its exit status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        return self.process.wait(PATIENCE)


class Reader:
    """Somebody who does what the page says, in a folder that looks like the project's."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "docs").symlink_to(ROOT / "docs")
        kept = {
            key: value for key, value in os.environ.items() if key not in ("RUNTIME_DIRECTORY", "TAMSK_HW_CONFIG")
        }
        self.environment = kept | {
            "HOME": str(folder / "home"),
            "XDG_RUNTIME_DIR": str(folder / "run"),
            "PYTHONPATH": str(ROOT),
            "PYTHONUNBUFFERED": "1",
        }
        self.running: list[Running] = []

    def _words(self, line: str) -> list[str]:
        words = shlex.split(line, comments=True)
        assert words[0] == PROGRAM
        return [sys.executable, "-m", "tamsk_hw.commands.main", *words[1:]]

    def shell(self, block: str) -> None:
        subprocess.run(["bash", "-e", "-c", block], cwd=self.folder, env=self.environment, check=True)

    def start(self, line: str, *more: str) -> Running:
        started = Running([*self._words(line), *more], self.folder, self.environment)
        self.running.append(started)
        return started

    def do(self, line: str) -> str:
        done = subprocess.run(
            self._words(line), cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
        return done.stdout


@pytest.fixture
def reader() -> Iterator[Reader]:
    with tempfile.TemporaryDirectory(prefix="tamsk-") as folder:  # a socket's path must be short
        made = Reader(Path(folder))
        try:
            yield made
        finally:
            for each in made.running:
                if each.process.poll() is None:
                    each.process.kill()
                each.process.wait()


def commands(block: str) -> list[str]:
    return [line for line in block.splitlines() if line.strip()]


def shortened(line: str, folder: Path) -> str:
    """The script of the page as far as the tubes that are calibrated."""
    (script,) = re.findall(r"\S+\.hands", line)
    whole = (ROOT / script).read_text(encoding="utf-8")
    last = f"seat red {TUBES[-1]} --turned\n"
    cut = whole[: whole.rindex(last) + len(last)]
    (folder / "short.hands").write_text(cut, encoding="utf-8")
    return line.replace(script, "short.hands")


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def test_the_page_is_followed(reader: Reader) -> None:
    setting, calibrating, playing, joining = BLOCKS
    reader.shell(setting)
    folder = reader.folder / "sim"

    line_simulate, line_doctor, line_calibrate, line_hands = commands(calibrating)
    board = reader.start(line_simulate)
    board.hear("Ctrl-C")
    settings = tomllib.loads((folder / "config.toml").read_text(encoding="utf-8"))
    assert f'port = "{settings["board"]["port"]}"' in board.said
    assert "No problems" in reader.do(line_doctor)
    narrowed = [] if SOAK else ["--only", "fields", *(word for tube in TUBES for word in ("--tube", tube))]
    calibrating_run = reader.start(line_calibrate, *narrowed)
    calibrating_run.hear("Empty board")
    reader.do(line_hands if SOAK else shortened(line_hands, reader.folder))
    calibrating_run.hear("This board is", GAME)
    assert calibrating_run.process.wait(PATIENCE) == 0
    assert "What was completed is saved" in calibrating_run.said
    assert (folder / "calibration.toml").exists()
    assert board.end() == 130
    assert not (folder / "board").is_symlink()
    assert not (folder / "hands.sock").exists()

    line_simulate, line_run, line_web = commands(playing)
    board = reader.start(line_simulate)
    board.hear("Ctrl-C")
    service = reader.start(line_run)
    service.hear("The game begins, at level 3")
    page = reader.start(line_web, "--port", str(free_port()))
    address = re.search(r"http://\S+", page.hear("http://"))
    assert address is not None
    service.hear("ring on")
    ends = time.monotonic() + PATIENCE
    html = ""
    while "<svg" not in html:  # until the page has found the service
        assert time.monotonic() < ends, html
        with urllib.request.urlopen(address[0], timeout=PATIENCE) as answer:
            html = answer.read().decode()

    line_look, line_fault, line_repair, line_award, line_list = commands(joining)
    looked = reader.do(line_look)
    assert "rings: none on the board" not in looked
    assert "lights: no program" not in looked
    if SOAK:
        service.hear(r"wins|tie", GAME)
    else:
        reader.do(line_fault)
        assert "faults: ring D4.1 1" in reader.do(line_look)
        reader.do(line_repair)
        reader.do(line_award)
        service.hear("Red wins")
    assert re.search(r"\b3\b", reader.do(line_list))
    assert service.end() == 130
    assert board.end() == 130
    page.end()


def test_a_service_goes_on_while_its_board_is_started_again(reader: Reader) -> None:
    """It says once that buttons and lights are gone, and finds port and panel again."""
    reader.shell(BLOCKS[0])
    simulate = commands(BLOCKS[2])[0].replace("--players both", "")
    board = reader.start(simulate)
    board.hear("Ctrl-C")
    service = reader.start(commands(BLOCKS[2])[1])
    service.hear("The board is ready")
    board.end()
    service.hear("buttons and lights cannot be used: no simulated board")
    again = reader.start(simulate)
    again.hear("Ctrl-C")
    service.hear("buttons and lights can be used now")
    reader.do(f"{PROGRAM} hands press --socket sim/hands.sock start")
    service.hear("The game begins")
    assert service.said.count("cannot be used") == 1
    assert service.end() == 130
