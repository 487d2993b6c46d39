"""systemd's own programs, which judge its files here, and the files."""

import os
import shutil
import subprocess
from pathlib import Path

from tests.firmware.toolchain import need

PROJECT = Path(__file__).resolve().parents[2]
FILES = PROJECT / "systemd"


def tool(name: str) -> str:
    """The path of this program; the test is skipped or fails where it is not installed (`need`)."""
    need(name)
    found = shutil.which(name)
    assert found is not None
    return found


def printed(*command: str | Path) -> tuple[int, str]:
    """Run a program: its exit status, and all that it printed, without colours."""
    environment = {**os.environ, "SYSTEMD_COLORS": "0", "SYSTEMD_PAGER": "", "LC_ALL": "C"}
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment, check=False
    )
    return done.returncode, done.stdout
