"""No file that a person gives brings a traceback, a wait or a flood: it is read, or refused in one line."""

from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result

from tamsk_hw.commands.main import main
from tamsk_hw.commands.replay import LONGEST_LINE, replay_file
from tamsk_hw.configuration.reading import Places, load_configuration
from tamsk_hw.errors import TamskError, printable
from tests.commands.hostile import ATTACKS, spoilt
from tests.soak import in_soak

TESTS = Path(__file__).resolve().parents[1]

#: Mutations of each kind of file.
MUTATIONS = in_soak(10_000, 100)

#: Commands that refuse a configuration, and end with 2.
REFUSING = (
    ("run",),
    ("config", "check"),
    ("calibrate", "sensors"),
    ("calibrate", "glasses"),
    ("sensors", "--once"),
    ("selftest",),
    ("flash",),
)


def assert_one_line(text: str) -> None:
    [line] = text.splitlines()
    assert line.isprintable()
    assert len(line) < 1000


def run(*arguments: str) -> Result:
    ran = CliRunner().invoke(main, arguments)
    assert ran.exception is None or isinstance(ran.exception, SystemExit), ran.exc_info
    return ran


@pytest.fixture(params=ATTACKS.values(), ids=list(ATTACKS))
def hostile(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / "hostile"
    request.param(path)
    return path


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A configuration file of the test's own."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    file = tmp_path / "config.toml"
    monkeypatch.setenv("TAMSK_HW_CONFIG", str(file))
    monkeypatch.chdir(tmp_path)
    return file


def test_as_configuration(hostile: Path, places: Path) -> None:
    hostile.rename(places)
    if places.is_symlink() and places.readlink() == hostile:
        places.unlink()
        places.symlink_to(places)
    for command in REFUSING:
        ran = run(*command)
        assert ran.exit_code == 2, (command, ran.output)
        assert ran.stdout == ""
        assert_one_line(ran.stderr)
    ran = run("doctor")
    assert ran.exit_code == 1
    assert all(line.isprintable() and len(line) < 1000 for line in ran.output.splitlines())
    assert run("bundle", "-o", "made.tar.gz", "--games", "0").exit_code == 0


def test_as_stream(hostile: Path) -> None:
    for more in ((), ("--json",)):
        if hostile.is_fifo():
            continue  # a pipe is meant: it is waited for
        ran = run("replay", str(hostile), *more)
        assert (ran.exit_code, ran.stdout) == (2, "")
        # What is a single line cut off in the middle is left out first; then the stream is empty.
        *_, line = ran.stderr.splitlines()
        assert_one_line(line)


def test_as_firmware(hostile: Path, places: Path) -> None:
    places.touch()
    ran = run("flash", str(hostile), "--port", "/dev/nowhere")
    assert ran.exit_code == 2
    assert_one_line(ran.stderr)


HEADER = b'{"tamsk":1}\n'


def test_a_line_from_standard_input_is_bounded() -> None:
    """No more of it is read than its bound: tests/system/test_reading.py."""
    refused = CliRunner().invoke(main, ["replay", "-"], input=HEADER + b" " * LONGEST_LINE + b" ")
    words = "standard input line 2: longer than 64 KiB; allowed is a recorded stream"
    assert (refused.exit_code, refused.stderr) == (2, f"tamsk-hw: {words}\n")


@pytest.mark.parametrize("text", ["[", '{"a":', "9"])
def test_deep_and_long_json(text: str, tmp_path: Path) -> None:
    stream = tmp_path / "stream"
    stream.write_bytes(HEADER + text.encode() * 10_000 + b"\n")
    ran = run("replay", str(stream))
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert_one_line(ran.stderr)
    assert "line 2: " in ran.stderr


# ---- mutations


def mutations(name: str, most: int | None = None) -> list[bytes]:
    content = (TESTS / name).read_bytes()[:most]
    random = Random(f"{name} 12")
    return [spoilt(content, random) for _ in range(MUTATIONS)]


def test_spoilt_configurations(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    taken = 0
    for content in mutations("fixtures/config.toml"):
        file.write_bytes(content)
        try:
            load_configuration(file, Places.of({}))
            taken += 1
        except TamskError as error:
            assert_one_line(str(error))
    assert 0 < taken < MUTATIONS


def test_spoilt_streams(tmp_path: Path) -> None:
    file = tmp_path / "stream.jsonl"
    taken = 0
    for content in mutations("recordings/level-1.jsonl", most=4000):
        file.write_bytes(content)
        warnings: list[str] = []
        try:
            printed = replay_file(str(file), as_json=True, warn=warnings.append)
            taken += 1
            assert all(line.isprintable() for line in printed)
        except TamskError as error:
            assert_one_line(printable(str(error)))  # as the command line says it
        assert len(warnings) <= 1
    assert 0 < taken < MUTATIONS
