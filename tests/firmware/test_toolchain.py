"""``make toolchain`` on other machines: what it installs, how, and what it says where it cannot.

make sees nothing but a folder of stand-ins: compilers that build anything, an apt-get that writes down how it was
called, and a sudo and an id that make this user what the test says.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.firmware import toolchain
from tests.firmware.core_program import FIRMWARE
from tests.firmware.toolchain import TOOLS, need

#: The stand-ins of a machine on which nothing is missing.
TOOLS_THERE = ("gcc", "cc", "avr-gcc", "clang", "dot", "systemd-analyze", "udevadm", "shellcheck", "chromium")

#: What ``make toolchain`` misses on a machine without any of them.
MISSING = "gcc, avr-gcc, libsimavr, clang, dot, systemd-analyze, udevadm, shellcheck, chromium"

#: Debian's names of what such a machine needs.
PACKAGES = (
    "gcc libc6-dev gcc-avr avr-libc binutils-avr libsimavr-dev libelf-dev clang libclang-rt-dev graphviz "
    "systemd udev shellcheck chromium fonts-dejavu-core"
)

#: ``install`` puts the compilers there; a mode makes it fail, or do nothing and say that all is well.
APT_GET = """\
#!/bin/sh
'''exec' "{python}" "$0" "$@"
' '''
import json, os, sys
with open({calls!r}, "a") as file:
    file.write(json.dumps([os.environ.get("ROOT"), *sys.argv[1:]]) + "\\n")
if sys.argv[1] in {warns!r}:
    print("W: Failed to fetch deb.example.org/InRelease", file=sys.stderr)
    sys.exit(0)
if sys.argv[1] in {fails!r}:
    print("W: something was late", file=sys.stderr)
    print("E: Unable to reach deb.example.org", file=sys.stderr)
    print("E: Perhaps try again?", file=sys.stderr)
    sys.exit(100)
if sys.argv[1] == "install":
    for name in {installs!r}:
        path = os.path.join({folder!r}, name)
        with open(path, "w") as file:
            file.write("#!/bin/sh\\n")
        os.chmod(path, 0o755)
"""


def program(folder: Path, name: str, text: str = "#!/bin/sh\n") -> None:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)


@dataclass
class Machine:
    """Programs on the path of a machine."""

    folder: Path

    def __post_init__(self) -> None:
        self.folder.mkdir()
        self.calls = self.folder.parent / "calls"
        for name in ("make", "sh"):
            path = shutil.which(name)
            assert path is not None
            (self.folder / name).symlink_to(path)
        self.user("0")

    def user(self, number: str) -> None:
        program(self.folder, "id", f"#!/bin/sh\necho {number}\n")

    def has(self, *names: str) -> None:
        for name in names:
            program(self.folder, name)

    def has_apt(
        self, *, fails: tuple[str, ...] = (), warns: tuple[str, ...] = (), installs: tuple[str, ...] = TOOLS_THERE
    ) -> None:
        text = APT_GET.format(
            python=sys.executable,
            calls=str(self.calls),
            fails=fails,
            warns=warns,
            installs=installs,
            folder=str(self.folder),
        )
        program(self.folder, "apt-get", text)

    def has_sudo(self, name: str = "sudo") -> None:
        program(self.folder, name, '#!/bin/sh\nROOT=yes exec "$@"\n')

    def make_toolchain(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["make", "--no-print-directory", "-C", str(FIRMWARE.parent), "toolchain", *arguments],
            env={"PATH": str(self.folder), **environment},
            text=True,
            capture_output=True,
            executable=self.folder / "make",
        )

    def asked_of_apt(self) -> list[list[str | None]]:
        """Calls of apt-get: as root by sudo or not, and its arguments."""
        return [json.loads(line) for line in self.calls.read_text().splitlines()] if self.calls.exists() else []


PYTHON = f"PYTHON={sys.executable}"


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path / "bin")


@pytest.mark.parametrize("rule", ["optional", "require"])
def test_where_all_is_there_nothing_is_done_or_said(machine: Machine, rule: str) -> None:
    machine.has(*TOOLS_THERE)
    machine.has_apt()
    done = machine.make_toolchain(PYTHON, TAMSK_TOOLCHAIN=rule)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert machine.asked_of_apt() == []


def test_root_installs_what_is_missing_and_says_so(machine: Machine) -> None:
    machine.has_apt()
    done = machine.make_toolchain(PYTHON)
    assert done.returncode == 0, done.stderr
    (line,) = done.stdout.splitlines()
    assert line == f"The tests need {MISSING}. Installing with apt-get: {PACKAGES} ..."
    assert machine.asked_of_apt() == [
        [None, "update", "-q"],
        [None, "install", "-q", "-y", "--no-install-recommends", *PACKAGES.split()],
    ]


def test_only_what_is_missing_is_installed(machine: Machine) -> None:
    machine.has("gcc", "cc", "avr-gcc", "systemd-analyze", "udevadm", "shellcheck", "chromium")
    machine.has_apt()
    done = machine.make_toolchain(PYTHON)
    assert done.returncode == 0, done.stderr
    assert machine.asked_of_apt()[-1][5:] == ["clang", "libclang-rt-dev", "graphviz"]


@pytest.mark.parametrize(("arguments", "name"), [((), "sudo"), (("SUDO=doas",), "doas")])
def test_who_is_not_root_installs_with_sudo(machine: Machine, arguments: tuple[str, ...], name: str) -> None:
    machine.user("1000")
    machine.has_apt()
    machine.has_sudo(name)
    done = machine.make_toolchain(PYTHON, *arguments)
    assert done.returncode == 0, done.stderr
    assert f"Installing with {name} apt-get: " in done.stdout
    assert [call[:2] for call in machine.asked_of_apt()] == [
        ["yes", "--version"],
        ["yes", "update"],
        ["yes", "install"],
    ]


@pytest.mark.parametrize(("rule", "status"), [("optional", 0), ("require", 2)])
def test_who_is_not_root_and_has_no_sudo_is_told_in_one_line(machine: Machine, rule: str, status: int) -> None:
    machine.user("1000")
    machine.has_apt()
    done = machine.make_toolchain(PYTHON, TAMSK_TOOLCHAIN=rule)
    assert done.returncode == status
    assert done.stdout == ""
    line = done.stderr.splitlines()[0]
    assert line.startswith(f"The tests need {MISSING}; installing them takes root or sudo")
    assert line.endswith("Their tests are skipped." if rule == "optional" else "stopping.")
    assert machine.asked_of_apt() == []


def test_a_sudo_that_refuses_is_asked_once_and_apt_is_not_blamed(machine: Machine) -> None:
    machine.user("1000")
    machine.has_apt()
    program(machine.folder, "sudo", f'#!/bin/sh\necho "[]" >>"{machine.calls}"\nexit 1\n')
    done = machine.make_toolchain(PYTHON)
    assert done.returncode == 0
    assert "; installing them takes root or sudo (apt-get install gcc " in done.stderr
    assert len(machine.asked_of_apt()) == 1


@pytest.mark.parametrize(("rule", "status"), [("optional", 0), ("require", 2)])
def test_without_apt_one_line_says_what_is_missing(machine: Machine, rule: str, status: int) -> None:
    machine.has("gcc", "cc")
    done = machine.make_toolchain(PYTHON, TAMSK_TOOLCHAIN=rule)
    assert done.returncode == status
    assert done.stdout == ""
    line, *makes_own = done.stderr.splitlines()
    assert line.startswith(
        "The tests need avr-gcc, clang, dot, systemd-analyze, udevadm, shellcheck, chromium; "
        "there is no apt-get here"
    )
    assert len(makes_own) == (1 if status else 0)


@pytest.mark.parametrize(("rule", "status"), [("optional", 0), ("require", 2)])
def test_an_apt_that_fails_is_told_in_one_line(machine: Machine, rule: str, status: int) -> None:
    machine.has_apt(fails=("update", "install"))
    done = machine.make_toolchain(PYTHON, TAMSK_TOOLCHAIN=rule)
    assert done.returncode == status
    line, *makes_own = done.stderr.splitlines()
    assert "apt-get could not install them (E: Unable to reach deb.example.org)." in line
    assert len(makes_own) == (1 if status else 0)


def test_lists_that_cannot_be_fetched_are_told_as_the_cause(machine: Machine) -> None:
    """Without the network an update only warns; the installation then knows no such package."""
    machine.has_apt(fails=("install",), warns=("update",))
    done = machine.make_toolchain(PYTHON)
    assert "could not install them (W: Failed to fetch deb.example.org/InRelease)." in done.stderr


def test_a_list_that_cannot_be_fetched_is_no_failure_when_the_packages_come(machine: Machine) -> None:
    machine.has_apt(fails=("update",))
    done = machine.make_toolchain(PYTHON, TAMSK_TOOLCHAIN="require")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("rule", ["optional", "require"])
def test_an_apt_that_installed_what_does_not_work_stops_make(machine: Machine, rule: str) -> None:
    machine.has_apt(installs=tuple(name for name in TOOLS_THERE if name != "avr-gcc"))
    done = machine.make_toolchain(PYTHON, TAMSK_TOOLCHAIN=rule)
    assert done.returncode == 2
    assert "but avr-gcc still cannot be used" in done.stderr


@pytest.mark.parametrize(
    ("environment", "status"),
    [
        ({}, 0),
        ({"CI": "true"}, 2),
        ({"CI": "false"}, 0),
        ({"CI": "true", "TAMSK_TOOLCHAIN": "optional"}, 0),
        ({"TAMSK_TOOLCHAIN": "perhaps"}, 2),
    ],
)
def test_on_ci_nothing_may_be_missing(machine: Machine, environment: dict[str, str], status: int) -> None:
    assert machine.make_toolchain(PYTHON, **environment).returncode == status


def test_without_python_make_says_so(machine: Machine) -> None:
    done = machine.make_toolchain("PYTHON=")
    assert done.returncode == 2
    assert "needs Python 3.11 or newer" in done.stderr


# ---- the tests themselves


@pytest.mark.parametrize("name", [name for name, tool in TOOLS.items() if tool.compiler])
def test_a_compiler_that_cannot_build_is_not_there(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    toolchain.is_there.cache_clear()
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not toolchain.is_there(name)
    for compiler in TOOLS_THERE:
        program(tmp_path, compiler, "#!/bin/sh\nexit 1\n")
    toolchain.is_there.cache_clear()
    assert not toolchain.is_there(name)
    for compiler in TOOLS_THERE:
        program(tmp_path, compiler)
    toolchain.is_there.cache_clear()
    assert toolchain.is_there(name)
    toolchain.is_there.cache_clear()


@pytest.mark.parametrize(
    ("rule", "can_install", "skipped"),
    [
        ("optional", True, True),
        ("optional", False, True),
        ("require", True, False),
        ("require", False, False),
        (None, True, False),
        (None, False, True),
        ("perhaps", False, False),
    ],
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


def test_what_is_there_is_no_reason_to_skip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path, "such-a-program")
    toolchain.is_there.cache_clear()
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    need("such-a-program")
