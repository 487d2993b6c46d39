"""``make toolchain`` on other machines, and what becomes of a test whose tool is missing.

make sees a folder of stand-ins: an apt-get that writes down how it was called, and a sudo and an id that make this
user what the test says.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.firmware.core_program import FIRMWARE
from tests.firmware.toolchain import TOOLS, need

#: The stand-ins of a machine on which nothing is missing.
TOOLS_THERE = ("gcc", "cc", "avr-gcc", "clang", "dot", "systemd-analyze", "udevadm", "shellcheck", "chromium")

#: Debian's names of what a machine without any of them needs.
PACKAGES = " ".join(package for name, tool in TOOLS.items() if name != "make" for package in tool.packages)


def program(folder: Path, name: str, text: str = "") -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)


def make_toolchain(folder: Path, *there: str, user: int = 0, apt: str = "", **environment: str) -> tuple[int, str]:
    """The status of make and all that it says, on a machine with these programs; ``apt`` is what apt-get does."""
    for name in ("make", "sh", "touch"):
        path = shutil.which(name)
        assert path is not None
        (folder / name).symlink_to(path)
    for name in there:
        program(folder, name)
    program(folder, "id", f"echo {user}")
    if apt:
        program(folder, "apt-get", f'echo "$*" >>{folder}/calls\n{apt}')
    done = subprocess.run(
        ["make", "--no-print-directory", "-C", str(FIRMWARE.parent), "toolchain", f"PYTHON={sys.executable}"],
        env={"PATH": str(folder), **environment},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        executable=folder / "make",
    )
    return done.returncode, done.stdout


def installs(folder: Path) -> str:
    """What an apt-get does that installs stand-ins of all tools."""
    return "\n".join(
        f"printf '#!/bin/sh\\n' >{folder}/{name}; /bin/chmod +x {folder}/{name}" for name in TOOLS_THERE
    )


def test_where_all_is_there_nothing_is_done_or_said(tmp_path: Path) -> None:
    assert make_toolchain(tmp_path, *TOOLS_THERE, TAMSK_TOOLCHAIN="require") == (0, "")


def test_root_installs_what_is_missing_and_says_so(tmp_path: Path) -> None:
    status, said = make_toolchain(tmp_path, apt=installs(tmp_path))
    assert status == 0, said
    assert f"Installing with apt-get: {PACKAGES} ..." in said
    asked = ["update -q", f"install -q -y --no-install-recommends {PACKAGES}"]
    assert (tmp_path / "calls").read_text().splitlines() == asked


@pytest.mark.parametrize(("rule", "status"), [("optional", 0), ("require", 2)])
@pytest.mark.parametrize(
    ("user", "apt", "words"),
    [
        (0, "", "there is no apt-get here"),
        (1000, "exit 0", "installing them takes root or sudo"),
        (0, "echo 'E: Unable to reach it' >&2; exit 100", "could not install them (E: Unable to reach it)."),
    ],
)
def test_where_it_cannot_one_line_says_why(
    tmp_path: Path, user: int, apt: str, words: str, rule: str, status: int
) -> None:
    found, said = make_toolchain(tmp_path, user=user, apt=apt, TAMSK_TOOLCHAIN=rule)
    assert found == status
    line = next(line for line in said.splitlines() if words in line)
    assert line.startswith("The tests need gcc, avr-gcc, ")
    assert line.endswith("stopping." if status else "Their tests are skipped.")


@pytest.mark.parametrize(
    ("rule", "can_install", "skipped"),
    [("optional", True, True), ("require", False, False), (None, True, False), (None, False, True)],
)
def test_a_test_without_its_tool_is_skipped_or_fails(
    rule: str | None, can_install: bool, skipped: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("TAMSK_TOOLCHAIN", raising=False)
    if rule is not None:
        monkeypatch.setenv("TAMSK_TOOLCHAIN", rule)
    if can_install:
        program(tmp_path, "apt-get")
        program(tmp_path, "sudo")
    wanted = pytest.skip.Exception if skipped else pytest.fail.Exception
    with pytest.raises(wanted, match="not installed: no-such-program"):
        need("no-such-program")
