"""`make install` and `make uninstall`, below a folder that stands for the computer."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import tamsk_hw
from tests.systemd.tools import FILES, PROJECT, printed, tool
from tests.systemd.tree import PROGRAM, UNIT, environment_of, files_of, make
from tests.systemd.unit_file import read_unit

COMMAND = "usr/local/bin/tamsk-hw"
CONFIGURATION = "etc/tamsk-hw/config.toml"
INSTALLED = {
    PROGRAM,
    UNIT,
    "usr/local/lib/systemd/system/tamsk-hw-web.service",
    "usr/local/lib/systemd/system/tamsk-hw@.service",
    CONFIGURATION,
    COMMAND,
    "usr/local/lib/udev/rules.d/99-tamsk-board.rules",
    "usr/local/lib/sysusers.d/tamsk-hw.conf",
}


def version_of(venv: Path) -> str:
    """Version that the program in this virtual environment prints."""
    command = [venv / "bin/tamsk-hw", "--version"]
    return subprocess.check_output(command, env=environment_of(), text=True).strip()


def test_all_is_where_it_belongs(tree: Path) -> None:
    assert files_of(tree) == INSTALLED


def test_the_installed_program_runs(tree: Path) -> None:
    """And on the installed Python, though the tree is not where the program will be."""
    command = [tree / PROGRAM / "bin/tamsk-hw", "--version"]
    environment = environment_of(PYTHONVERBOSE="1")
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, f"tamsk-hw, version {tamsk_hw.__version__}\n")
    assert f"{tree / PROGRAM}/lib" in done.stderr
    assert f"{PROJECT}/tamsk_hw" not in done.stderr


def test_what_the_page_loads_is_installed(tree: Path) -> None:
    [page] = (tree / PROGRAM).glob("lib/python*/site-packages/tamsk_hw/web")
    for folder in ("static", "templates"):
        sources = {file.name for file in (PROJECT / "tamsk_hw/web" / folder).iterdir()}
        assert {file.name for file in (page / folder).iterdir()} == sources != set()


def test_a_new_configuration_is_that_of_a_real_board(tree: Path) -> None:
    """The sample, whose port is the only thing that is changed."""
    written = (tree / CONFIGURATION).read_text()
    sample = (FILES / "config.toml").read_text()
    assert tomllib.loads(written) == tomllib.loads(sample) | {"board": {"port": "/dev/tamsk-board"}}
    assert len(written.splitlines()) == len(sample.splitlines())


def test_installing_again_elsewhere_and_uninstalling(wheels: Path, quick_python: Path, tmp_path: Path) -> None:
    """In one test, since each installation takes seconds."""
    elsewhere = {"DESTDIR": tmp_path, "PREFIX": "/srv/board", "PYTHON": quick_python}
    program = tmp_path / "srv/board/venv"
    installed = {name for name in INSTALLED if name != PROGRAM} | {"srv/board/venv"}
    assert make("install", **elsewhere, WHEELS=wheels)[0] == 0
    assert files_of(tmp_path) == installed
    assert read_unit(tmp_path / UNIT)["Service"]["ExecStart"] == ["/srv/board/venv/bin/tamsk-hw run"]
    assert os.readlink(tmp_path / COMMAND) == "/srv/board/venv/bin/tamsk-hw"

    (tmp_path / CONFIGURATION).write_text("# mine\n")
    games = tmp_path / "var/lib/tamsk-hw/games.sqlite"
    games.parent.mkdir(parents=True)
    games.write_text("games")
    (tmp_path / "srv/board/mine").touch()
    stale = program / "stale"
    stale.touch()
    mine = {CONFIGURATION, "var/lib/tamsk-hw/games.sqlite", "srv/board/mine"}

    # What goes wrong leaves the program as it was.
    empty = tmp_path / "empty"
    empty.mkdir()
    status, said = make("install", **elsewhere, WHEELS=empty)
    assert status != 0
    assert "No matching distribution found for tamsk-hw" in said
    assert files_of(tmp_path) == installed | mine
    assert version_of(program) == f"tamsk-hw, version {tamsk_hw.__version__}"

    status, said = make("install", **elsewhere, WHEELS=wheels)
    assert status == 0, said
    assert f"Kept as it is: {tmp_path / CONFIGURATION}" in said
    assert files_of(tmp_path) == installed | mine
    assert (tmp_path / CONFIGURATION).read_text() == "# mine\n"
    assert not stale.exists(), "the old program is gone"
    assert version_of(program) == f"tamsk-hw, version {tamsk_hw.__version__}"

    for _ in range(2):
        status, said = make("uninstall", **elsewhere)
        assert status == 0, said
        assert files_of(tmp_path) == mine
        assert f"{tmp_path}/var/lib/tamsk-hw" in said
        assert f"{tmp_path}/etc/tamsk-hw" in said
    assert games.read_text() == "games"
    assert (tmp_path / CONFIGURATION).read_text() == "# mine\n"


def test_every_user_may_use_what_root_installs_with_a_closed_umask(
    wheels: Path, quick_python: Path, tmp_path: Path
) -> None:
    """Also where an earlier installation has left the program's folder closed."""
    tree = tmp_path / "tree"
    before = os.umask(0o022)
    try:
        (tree / "opt/tamsk-hw").mkdir(parents=True)
        (tree / "opt/tamsk-hw").chmod(0o700)
        os.umask(0o077)
        status, said = make("install", DESTDIR=tree, WHEELS=wheels, PYTHON=quick_python)
    finally:
        os.umask(before)
    assert status == 0, said
    files = [each for each in tree.rglob("*") if not each.is_symlink()]
    closed = [each for each in files if not each.stat().st_mode & 0o004]
    closed += [each for each in files if each.is_dir() and not each.stat().st_mode & 0o001]
    assert closed == []
    assert (tree / PROGRAM / "bin/tamsk-hw").stat().st_mode & 0o001


@pytest.mark.parametrize(
    ("variables", "words"),
    [
        ({"DESTDIR": "tree"}, "tree: a full path is needed"),
        ({"PREFIX": "/"}, "/: a full path of plain characters is needed"),
        ({"PREFIX": "/opt"}, "/opt: a folder of its own is needed"),
        ({"PREFIX": "/opt/../etc"}, "/opt/../etc: a full path of plain characters is needed"),
        ({"PREFIX": "/opt/tamsk hw"}, "/opt/tamsk hw: a full path of plain characters is needed"),
        ({"PYTHON": "/bin/false"}, "PYTHON=/bin/false: Python 3.11 or newer is needed"),
        ({"WHEELS": "/nowhere"}, "WHEELS=/nowhere: no such folder; make wheels makes it"),
    ],
    ids=str,
)
def test_what_cannot_be_is_refused_before_anything_is_done(
    variables: dict[str, str], words: str, tmp_path: Path
) -> None:
    tool("make")
    tree = tmp_path / "tree"
    status, said = make("install", **{"DESTDIR": str(tree), **variables})
    assert status != 0
    assert said.startswith(f"tamsk-hw: {words}"), said
    assert not tree.exists()


@pytest.mark.parametrize(
    ("computer", "tools", "built", "lacks"),
    [
        ("aarch64 3.11 64", [], "", "gcc libc6-dev python3-dev"),
        ("aarch64 3.13 64", ["gcc"], "", "python3-dev"),
        ("aarch64 3.13 64", ["gcc", "Python.h"], "", None),
        ("armv7l 3.13 32", ["cc", "Python.h"], "gpiod and lgpio", "swig"),
        ("aarch64 3.13 32", ["cc", "Python.h", "swig"], "gpiod and lgpio", None),
        ("armv7l 3.11 32", ["cc", "Python.h"], "", None),
    ],
)
def test_what_is_missing_to_build_from_source_is_named_before_it_begins(
    computer: str, tools: list[str], built: str, lacks: str | None, tmp_path: Path
) -> None:
    """On a 32-bit system with a new Python more has no wheel; where nothing is missing, no environment is made."""
    asked = f'case "$*" in *platform.machine*) echo {computer}; echo {tmp_path}/Python.h ;;'
    programs = {"python": f"{asked} *venv.new*) echo NO VENV >&2; exit 1 ;; esac", **dict.fromkeys(tools, "")}
    for name, does in programs.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{does}\n")
        (tmp_path / name).chmod(0o755)
    for name in ("sh", "dirname", "mktemp", "rm", "install"):
        (tmp_path / name).symlink_to(f"/bin/{name}")
    environment = {
        **{"PATH": str(tmp_path), "PYTHON": str(tmp_path / "python"), "TMPDIR": str(tmp_path)},
        "DESTDIR": str(tmp_path / "tree"),
    }
    done = subprocess.run(
        ["/bin/sh", FILES / "install.sh", "install"], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "RPi.GPIO, rpi_ws281x and spidev are built from source, which needs a compiler" in done.stdout
    assert built in done.stdout
    assert ("This is a 32-bit system" in done.stdout) == bool(built)
    if lacks is None:
        assert done.stderr == "NO VENV\n"
    else:
        assert done.stderr == f"tamsk-hw: a compiler, Python.h or swig is missing: sudo apt install {lacks}\n"
        assert not (tmp_path / "tree").exists()


@pytest.mark.parametrize("what", ["install", "uninstall"])
def test_without_a_folder_of_its_own_it_takes_root(what: str, tmp_path: Path) -> None:
    # Nobody's id; and whomever it let through would still stop at this Python, and remove nothing.
    for name, does in {"id": "echo 1000", "rm": "", "rmdir": "", "systemctl": "", "udevadm": ""}.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{does}\n")
        (tmp_path / name).chmod(0o755)
    environment = {"PATH": f"{tmp_path}:{os.defpath}", "PYTHON": "/bin/false", "TMPDIR": str(tmp_path)}
    done = subprocess.run(
        ["sh", FILES / "install.sh", what], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stderr == f"tamsk-hw: this takes root: sudo make {what}, or give a DESTDIR\n"


def test_the_script_is_plain_shell() -> None:
    shellcheck = tool("shellcheck")
    assert printed(shellcheck, FILES / "install.sh") == (0, "")


@pytest.mark.soak
def test_from_wheels_alone(tmp_path: Path) -> None:
    """The whole way: collect the wheels from the index, install offline, run on nothing else."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    command = ["make", "-C", PROJECT, f"PYTHON={sys.executable}", f"WHEELS={tmp_path / 'wheels'}"]
    subprocess.run([*command, "wheels"], check=True, env=plain)
    tree = tmp_path / "tree"
    offline = {**plain, "PIP_NO_INDEX": "1"}
    subprocess.run([*command, "install", f"DESTDIR={tree}"], check=True, env=offline)
    end = subprocess.run(
        [tree / PROGRAM / "bin/tamsk-hw", "run", "--level", "1", "--seed", "1", "--speed", "100"],
        env={"PATH": os.defpath, "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert end.returncode == 0, end.stderr
