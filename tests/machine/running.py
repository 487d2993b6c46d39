"""Programs of this computer that make a virtual machine: run quietly, or fail with what they said."""

import subprocess
from pathlib import Path
from typing import Final

#: Ends a program with the one that has begun it, however that ends.
BOUND: Final = ("setpriv", "--pdeathsig", "KILL")

#: Runs a command below a root. Its mounts and processes are seen by nobody else and go with it, however it ends.
ENTER: Final = (
    *(*BOUND, "unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c"),
    'mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && root=$1 && shift && exec chroot "$root" "$@"',
    "sh",
)

#: Where a Debian has its programs.
PATHS: Final = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


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


def run_within(root: Path, *command: str | Path, **environment: str) -> None:
    """Run a command quietly in another system's root, as root there; the environment is added to a bare one.

    Raises:
        MachineError: it failed; with the last lines of what it said.
    """
    bare = {"PATH": PATHS, "HOME": "/root", "LC_ALL": "C.UTF-8"}
    run(*ENTER, root, *command, **bare, **environment)
