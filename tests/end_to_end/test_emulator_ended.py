"""``python -m tests.emulated run`` whose emulator ends in mid-game: what is said, what is still shown."""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from tests.emulated.process import EmulatorError, running

#: The program, with an emulator and a firmware that are built already.
PROGRAM = """\
from pathlib import Path
from tests.emulated import __main__ as emulated
from tests.emulated.build import Binaries
emulated.build = lambda folder, wiring: Binaries(emulator=Path({emulator!r}), program=Path({firmware!r}))
emulated.main()
"""

ROOT = Path(__file__).resolve().parents[2]


def emulator_of(parent: int) -> int:
    """The emulator that a process has started."""
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    (child,) = [each for each in children if Path(f"/proc/{each}/comm").read_text() == "emulator\n"]
    return int(child)


@pytest.mark.parametrize(
    ("number", "words"), [(signal.SIGKILL, "ended by signal 9"), (signal.SIGTERM, "has ended with 0")]
)
def test_what_was_played_is_shown_and_why_it_ended(
    emulator_binary: Path, firmware: Path, number: int, words: str
) -> None:
    program = PROGRAM.format(emulator=str(emulator_binary), firmware=str(firmware))
    with subprocess.Popen(
        [sys.executable, "-c", program, "run", "--level", "1", "--seed", "2", "--speed", "20"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        while "lifts the glass" not in process.stdout.readline():
            assert process.poll() is None
        os.kill(emulator_of(process.pid), number)
        rest, errors = process.communicate()
    assert process.returncode == 2
    assert "\nTAMSK, level 1\n" in rest
    *_, stopped, line = errors.splitlines()
    assert stopped == "Stopped before the end of the game."
    assert line.startswith("tamsk-hw: the emulator ")
    assert words in line
    assert line.endswith("; start again")
    assert "Traceback" not in errors


def test_every_command_tells_how_it_ended(emulator_binary: Path, firmware: Path, tmp_path: Path) -> None:
    said = []
    with suppress(EmulatorError), running(emulator_binary, firmware, tmp_path) as emulator:
        emulator.run(1_000_000)
        os.kill(emulator_of(os.getpid()), signal.SIGKILL)
        for command in (emulator.time, emulator.sent, emulator.checks):
            with pytest.raises(EmulatorError) as raised:
                command()
            said.append(str(raised.value))
    assert said == ["the emulator was ended by signal 9; start again"] * 3
