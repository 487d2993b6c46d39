"""The program, and others, as processes beside a test."""

import os
import subprocess
import sys
from typing import Any

from tests.house import ROOT

PYTHON = [sys.executable, "-u"]
COMMAND = [*PYTHON, "-m", "tamsk_hw.commands.main"]


def start(processes: list[subprocess.Popen[str]], *command: str, **pipes: Any) -> subprocess.Popen[str]:
    """Start a program, which the fixture ``processes`` ends. ``pipes``: its stdin, stdout and stderr, if any."""
    silent = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
    environment = os.environ | {"PYTHONUNBUFFERED": "1"}
    processes.append(subprocess.Popen(command, cwd=ROOT, env=environment, text=True, **silent | pipes))
    return processes[-1]
