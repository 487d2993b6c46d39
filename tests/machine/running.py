"""Programs of this computer that make a virtual machine: run quietly, or fail with what they said."""

from __future__ import annotations

import subprocess
from pathlib import Path


class MachineError(Exception):
    """Something that a virtual machine needs is missing or has failed; the message says what to do."""


def run(*command: str | Path, **environment: str) -> None:
    """Run a command quietly, with this environment alone where one is given.

    Raises:
        MachineError: it failed; with the last lines of what it said.
    """
    done = subprocess.run(
        command,
        env=environment or None,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode:
        said = "\n".join(done.stdout.splitlines()[-15:])
        raise MachineError(f"{command[0]} failed with {done.returncode}:\n{said}")
