"""``make run`` with a program that ends as it is told."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

MAKEFILE = Path(__file__).parents[2] / "Makefile"


def run(tmp_path: Path, status: int) -> subprocess.CompletedProcess[str]:
    """Run ``make run`` where a script stands for the program."""
    program = tmp_path / "venv" / "bin" / "tamsk-hw"
    program.parent.mkdir(parents=True)
    program.write_text(f"#!/bin/sh\nexit {status}\n")
    program.chmod(0o755)
    (tmp_path / "pyproject.toml").touch()
    for stamp in ("pip.stamp", "run.stamp"):
        (tmp_path / "venv" / stamp).touch()
    command = ["make", "--no-print-directory", "-f", str(MAKEFILE), "-C", str(tmp_path), "run"]
    return subprocess.run([*command, f"VENV={tmp_path / 'venv'}"], capture_output=True, text=True, check=False)


pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="no make here")


@pytest.mark.parametrize("status", [0, 130])
def test_an_ended_game_is_no_error(status: int, tmp_path: Path) -> None:
    ran = run(tmp_path, status)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")


def test_a_refusal_is_an_error(tmp_path: Path) -> None:
    ran = run(tmp_path, 3)
    assert ran.returncode == 2
    assert "Error 3" in ran.stderr
