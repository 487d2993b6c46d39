"""Programs and mounts of a virtual machine go with the one that began them, however that ends."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.machine.image import PROJECT
from tests.machine.running import BOUND

#: Begins a program and waits for its end, which does not come.
BEGINS = "import subprocess, sys; subprocess.run(sys.argv[1:])"

#: A program that prints its process id and does not end; the process is the one that `BOUND` was before it.
PROGRAM = ("sh", "-c", "echo $$; exec sleep 1000")

#: Enters a root in which there is no program to run; says how that failed, and which mounts are there afterwards.
MOUNTS = """
import json, sys
from pathlib import Path
from tests.machine.running import MachineError, run_within
try:
    run_within(Path(sys.argv[1]), "no-program")
except MachineError as error:
    mounted = [line.split()[4] for line in Path("/proc/self/mountinfo").read_text().splitlines()]
    print(json.dumps([str(error), mounted]))
"""


def test_a_program_ends_with_the_one_that_began_it() -> None:
    parent = subprocess.Popen([sys.executable, "-c", BEGINS, *BOUND, *PROGRAM], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    program = os.pidfd_open(int(parent.stdout.readline()))
    try:
        assert select.select([program], [], [], 0.0)[0] == [], "it runs"
        parent.kill()
        parent.wait()
        assert select.select([program], [], [], 60.0)[0] == [program], "it has ended"
    finally:
        if not select.select([program], [], [], 0.0)[0]:
            signal.pidfd_send_signal(program, signal.SIGKILL)
        os.close(program)
        parent.stdout.close()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount")
def test_a_root_that_was_entered_leaves_no_mount_behind(tmp_path: Path) -> None:
    for name in ("proc", "dev"):
        (tmp_path / name).mkdir()
    # In a namespace of its own: should the mounts be left behind after all, they must not be in this computer's.
    alone = ["unshare", "--mount", sys.executable, "-c", MOUNTS, str(tmp_path)]
    done = subprocess.run(alone, cwd=PROJECT, capture_output=True, text=True, check=False)
    if "unshare" in done.stderr:
        pytest.skip(f"mounts cannot be tried here: {done.stderr.strip()}")
    failed, mounted = json.loads(done.stdout)
    assert "failed to run command" in failed, "both mounts were made before it"
    assert not [place for place in mounted if place.startswith(str(tmp_path))]
