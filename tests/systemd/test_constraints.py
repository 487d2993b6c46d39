"""The versions that `make install` takes: one of each library, on every Pi, within the project's bounds."""

import re
import subprocess
import tomllib
from contextlib import suppress
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.systemd.tools import FILES, PROJECT
from tests.systemd.tree import make_wheel

PROJECT_TABLE = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LINES = (FILES / "constraints.txt").read_text(encoding="ascii").splitlines()
PINS = [Requirement(line) for line in LINES if not line.startswith("#")]

#: 64-bit Raspberry Pi OS 12 and 13, and its 32-bit sisters.
COMPUTERS = [
    {"sys_platform": "linux", "platform_machine": machine, "python_version": version, "python_full_version": full}
    for machine in ("aarch64", "armv7l")
    for version, full in (("3.11", "3.11.2"), ("3.13", "3.13.5"))
]


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pins_on(computer: dict[str, str]) -> dict[str, str]:
    """The version of each library on a computer."""
    found: dict[str, str] = {}
    for pin in PINS:
        if pin.marker is None or pin.marker.evaluate(computer):
            assert plain(pin.name) not in found, f"{pin.name} twice"
            [exactly] = pin.specifier
            assert exactly.operator == "=="
            found[plain(pin.name)] = exactly.version
    return found


@pytest.mark.parametrize("computer", COMPUTERS, ids=lambda each: "-".join(list(each.values())[1:3]))
def test_each_library_and_what_it_stands_on_has_one_version_within_its_bounds(computer: dict[str, str]) -> None:
    """What libraries stand on, as far as those that are installed here say."""
    pins = pins_on(computer)
    extras = PROJECT_TABLE["optional-dependencies"]
    asked = [*PROJECT_TABLE["dependencies"], *extras["pi"], *extras["pi5"]]
    looked_at = 0
    for name in pins:
        with suppress(metadata.PackageNotFoundError):
            asked += metadata.requires(name) or []
            looked_at += 1
    assert looked_at > 20
    for requirement in map(Requirement, asked):
        if requirement.marker is None or requirement.marker.evaluate({**computer, "extra": ""}):
            assert requirement.specifier.contains(pins[plain(requirement.name)], prereleases=True), requirement


def test_make_install_takes_these_versions(quick_python: Path, tmp_path: Path) -> None:
    """A version that cannot be had stops it: in a copy of the project it is the program's own."""
    project = tmp_path / "project"
    (project / "systemd").mkdir(parents=True)
    (project / "systemd/install.sh").write_bytes((FILES / "install.sh").read_bytes())
    (project / "systemd/constraints.txt").write_text("tamsk-hw==0.0.0\n", encoding="ascii")
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    make_wheel(wheels)
    done = subprocess.run(
        ["sh", project / "systemd/install.sh", "install"],
        env={
            **{"PATH": "/usr/local/bin:/usr/bin:/bin", "PIP_NO_INDEX": "1", "PIP_NO_DEPS": "1"},
            **{"WHEELS": str(wheels), "DESTDIR": str(tmp_path / "tree"), "PYTHON": str(quick_python)},
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert "Could not find a version" in done.stderr
