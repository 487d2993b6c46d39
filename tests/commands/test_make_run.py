"""``make run`` in a folder whose name has a blank, with stand-ins for all programs that it runs."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

MAKEFILE = Path(__file__).parents[2] / "Makefile"

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="no make here")


def program(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    file.chmod(0o755)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "Spiele für Zwei"
    folder.mkdir()
    (folder / "pyproject.toml").touch()
    return folder


def make_run(project: Path, *variables: str) -> subprocess.CompletedProcess[str]:
    """Run ``make run``; programs in the folder ``bin`` come before those of this computer."""
    command = ["make", "--no-print-directory", "-f", str(MAKEFILE), "-C", str(project), "run", *variables]
    path = f"{project.parent / 'bin'}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("status", "makes"), [(0, 0), (130, 0), (3, 2)])
def test_an_ended_game_is_no_error_but_a_refusal_is(status: int, makes: int, project: Path) -> None:
    program(project / ".venv/bin/tamsk-hw", f"exit {status}")
    for stamp in ("pip.stamp", "run.stamp"):
        (project / ".venv" / stamp).touch()
    ran = make_run(project)
    assert ran.returncode == makes
    assert f"Error {status}" in ran.stderr if makes else ran.stderr == ""


def test_where_pip_fails_one_line_says_what_it_takes(project: Path) -> None:
    program(project / ".venv/bin/pip", "echo 'WARNING: Retrying (Retry(total=4' >&2; exit 1")
    (project / ".venv/pip.stamp").touch()
    ran = make_run(project)
    assert ran.returncode == 2
    line, *makes_own = ran.stderr.splitlines()
    assert line.startswith("pip could not install that. It needs a network")
    assert len(makes_own) == 1
    assert "Retrying" in (project / ".venv/pip.log").read_text(encoding="utf-8")


def test_without_the_right_to_install_the_password_is_asked_for_once(project: Path) -> None:
    """By a sudo that this user may not use, and where python3-venv is missing."""
    places = project.parent / "bin"
    program(places / "python", "exit 1")
    program(places / "sudo", f'echo sudo >>"{places}/asked"; exit 1')
    program(places / "apt-get", "exit 0")
    ran = make_run(project, "PYTHON=python", "SUDO=sudo")
    assert ran.returncode == 2
    assert (places / "asked").read_text(encoding="utf-8") == "sudo\n"
    assert "Debian's python3-venv); installing it takes root or sudo" in ran.stderr
    assert "apt-get could not" not in ran.stderr
