"""``tamsk-hw bundle``: what is in it, what is missing and why, and that it is written whole or not at all."""

from __future__ import annotations

import errno
import io
import os
import sqlite3
import tarfile
import termios
import threading
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
import serial
from click.testing import CliRunner

from tamsk_hw.commands.main import main
from tamsk_hw.configuration.checking import Machine
from tamsk_hw.errors import ConfigError
from tamsk_hw.journal.records import ruling_line
from tamsk_hw.referee.stream import read_stream
from tamsk_hw.simulator.running import RunningBoard
from tamsk_hw.workbench.bundle import file as bundle_file
from tamsk_hw.workbench.bundle import games as bundle_games
from tamsk_hw.workbench.bundle import line as bundle_line
from tamsk_hw.workbench.bundle import making as bundle_module
from tamsk_hw.workbench.bundle import versions as bundle_versions
from tamsk_hw.workbench.bundle.file import packed, write_new
from tamsk_hw.workbench.bundle.making import BundleSettings, Here, gather_bundle, make_bundle
from tamsk_hw.workbench.doctor.gathering import Surroundings
from tamsk_hw.workbench.listening import Clock
from tests.journal.disks import small_disk
from tests.journal.played import UNENDED, played, write

NOON = datetime(2026, 1, 2, 12, 0, 0)
FOLDER = "tamsk-hw-bundle-20260102-120000"


def here_in(tmp_path: Path, log: str = "") -> Here:
    """A computer that is no Pi, on which nothing else runs, with a service that has said something."""
    processes = tmp_path / "proc"
    processes.mkdir(exist_ok=True)
    said = tmp_path / "said.log"
    said.write_text(log or "2026-01-02T11:00:00+0100 tamsk-hw[7]: waiting for the board\n", encoding="utf-8")
    return Here(
        surroundings=Surroundings(
            machine=Machine(device_tree=tmp_path / "device-tree"), clock=Clock(), processes=processes
        ),
        environment={"HOME": os.environ["HOME"], "TAMSK_HW_CONFIG": os.environ["TAMSK_HW_CONFIG"]},
        today=lambda: NOON,
        log_command=("cat", str(said)),
    )


@pytest.fixture
def here(tmp_path: Path) -> Here:
    return here_in(tmp_path)


@pytest.fixture
def journal(tmp_path: Path, configuration: Path) -> Path:
    """A journal with two games, one of them finished."""
    folder = tmp_path / "journal"
    configuration.write_text(f'journal.folder = "{folder}"\n')
    write(folder, played())
    write(folder, played(UNENDED))
    return folder


@pytest.fixture
def short_listening(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle_line, "LISTEN", 0.3)


def unpacked(file: Path) -> dict[str, bytes]:
    """The files in a bundle, without the folder that they are in."""
    found = {}
    with tarfile.open(file) as archive:
        for member in archive.getmembers():
            content = archive.extractfile(member)
            assert content is not None
            folder, _, name = member.name.partition("/")
            assert folder == FOLDER
            found[name] = content.read()
    return found


# ---- what is in it


def test_everything_that_is_there_is_in_it(
    board: RunningBoard, journal: Path, configuration: Path, here: Here, tmp_path: Path, short_listening: None
) -> None:
    calibration = tmp_path / "calibration.toml"
    calibration.write_text("version = 1\n[fields.D4]\nrest = 130.0\nend_a = 60.0\nend_b = 61.0\nnoise = 2.0\n")
    with configuration.open("a") as file:
        file.write(f'board.port = "{board.port}"\nboard.calibration = "{calibration}"\n')
        file.write("buttons.enabled = false\nbuzzer.enabled = false\n")
    output = tmp_path / "out.tar.gz"
    assert make_bundle(BundleSettings(output=output), here) == 0
    files = unpacked(output)
    assert set(files) == {
        "README.txt",
        "doctor.txt",
        "configuration.txt",
        "versions.txt",
        "calibration.toml",
        "games.txt",
        "games/1.events.jsonl",
        "games/1.rulings.jsonl",
        "games/2.events.jsonl",
        "games/2.rulings.jsonl",
        "journal-folder.txt",
        "line.bin",
        "line.txt",
        "service.log",
    }
    assert b"connected after" in files["doctor.txt"]
    assert b"enabled = false\n" in files["configuration.txt"]
    assert b"firmware: 1.1.0, protocol 1.0" in files["versions.txt"]
    assert b"D4 = { rest = 130.0" in files["calibration.toml"]
    assert b"waiting for the board" in files["service.log"]
    assert b"SNAPSHOT" in files["line.txt"]
    assert b"journal.db" in files["journal-folder.txt"]


def test_a_game_in_it_can_be_refereed_again(journal: Path, here: Here) -> None:
    files = gather_bundle(BundleSettings(), here).files
    header, events = read_stream(files["games/1.events.jsonl"].decode().splitlines(), "the bundle")
    assert header == played().header
    assert list(events) == [entry.event for entry in played().entries]
    rulings = [ruling_line(each) for entry in played().entries for each in entry.rulings]
    assert files["games/1.rulings.jsonl"].decode().splitlines() == rulings


def test_only_the_last_games_go_along(journal: Path, here: Here) -> None:
    names = set(gather_bundle(BundleSettings(games=1), here).files)
    assert ("games/2.events.jsonl" in names, "games/1.events.jsonl" in names) == (True, False)
    assert not any(name.startswith("games/") for name in gather_bundle(BundleSettings(games=0), here).files)


def test_the_manifest_lists_files_with_their_sizes_and_what_is_missing(here: Here, tmp_path: Path) -> None:
    output = tmp_path / "out.tar.gz"
    make_bundle(BundleSettings(output=output), here)
    files = unpacked(output)
    manifest = files.pop("README.txt").decode()
    for name, data in files.items():
        assert f"{len(data)} bytes  {name} " in manifest
    for name in ("calibration.toml", "games.txt", "line.bin"):
        assert f"\n  {name}: " in manifest
    assert "line.bin: no board is configured" in manifest
    assert "Only what is known to be harmless is in it" in manifest
    assert max(map(len, manifest.splitlines())) < 80


def test_what_is_said_on_the_screen(here: Here, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "out.tar.gz"
    make_bundle(BundleSettings(output=output), here)
    said = capsys.readouterr().out
    assert str(output) in said
    assert f"{output.stat().st_size} bytes" in said
    assert "doctor.txt" in said
    assert "==== doctor.txt\nok " in said
    assert "==== versions.txt\ntamsk-hw: " in said


# ---- parts that cannot be had


def why(here: Here, name: str) -> str:
    bundle = gather_bundle(BundleSettings(), here)
    assert name not in bundle.files
    assert "doctor.txt" in bundle.files
    return bundle.missing[name]


def test_a_damaged_journal(journal: Path, here: Here) -> None:
    (journal / "journal.db").write_bytes(b"no database at all" * 500)
    assert "not a database" in why(here, "games.txt")


def test_a_damaged_game_does_not_stop_the_others(journal: Path, here: Here) -> None:
    connection = sqlite3.connect(journal / "journal.db", isolation_level=None)
    connection.execute("UPDATE event SET line = '{}' WHERE game = 1 AND number = 3")
    connection.close()
    bundle = gather_bundle(BundleSettings(), here)
    assert "damaged" in bundle.missing["games/1"]
    assert "games/2.events.jsonl" in bundle.files


def test_files_that_cannot_be_read(configuration: Path, here: Here, tmp_path: Path) -> None:
    """Folders stand in their places, since a test that runs as root may read every file."""
    (tmp_path / "calibration").mkdir()
    (tmp_path / "journal" / "journal.db").mkdir(parents=True)
    configuration.write_text('board.calibration = "calibration"\njournal.folder = "journal"\n')
    bundle = gather_bundle(BundleSettings(), here)
    assert "is a folder, not a file" in bundle.missing["calibration.toml"]
    assert "games.txt" in bundle.missing
    assert {"doctor.txt", "versions.txt", "service.log"} <= set(bundle.files)


def test_a_refused_configuration(configuration: Path, here: Here) -> None:
    configuration.write_text("board.prt = 3\n")
    bundle = gather_bundle(BundleSettings(), here)
    assert bundle.files["configuration.txt"].decode() == "refused: line 1, key board.…\n"
    assert "configuration" in bundle.missing["line.bin"]


def test_a_port_that_another_program_has(board: RunningBoard, configuration: Path, here: Here) -> None:
    configuration.write_text(f'board.port = "{board.port}"\n')
    other = here.surroundings.processes / "12"
    (other / "fd").mkdir(parents=True)
    (other / "cmdline").write_bytes(b"minicom\0")
    (other / "fd" / "3").symlink_to(os.path.realpath(board.port))
    assert "in use by … (process 12)" in why(here, "line.bin")


def test_a_port_that_is_held_unseen(board: RunningBoard, configuration: Path, here: Here) -> None:
    """Whose processes may not be looked at, as the service's by an ordinary user."""
    configuration.write_text(f'board.port = "{board.port}"\n')
    with serial.Serial(board.port, exclusive=True):
        assert "in use by another program" in why(here, "line.bin")


def test_a_board_that_says_nothing(
    board: RunningBoard, configuration: Path, here: Here, monkeypatch: pytest.MonkeyPatch, short_listening: None
) -> None:
    configuration.write_text(f'board.port = "{board.port}"\n')
    with board.lock:
        board.board.go_silent()
    from tamsk_hw.workbench.doctor import gathering

    monkeypatch.setattr(gathering, "CONNECT_WITHIN", 0.2)
    with serial.Serial(board.port) as line:  # what was on its way
        termios.tcflush(line.fileno(), termios.TCIFLUSH)
    assert "nothing came on the line" in why(here, "line.bin")


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (("/no/such/program",), "there is no … here"),
        (("sh", "-c", "echo no right to see it >&2; exit 1"), "no right to see it"),
        (("true",), "has said nothing"),
    ],
)
def test_a_log_that_cannot_be_read(here: Here, command: tuple[str, ...], reason: str) -> None:
    assert reason in why(replace(here, log_command=command), "service.log")


def test_a_log_that_hangs(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle_versions, "LOG_WITHIN", 0.01)
    assert "gives no answer" in why(replace(here, log_command=("sleep", "100")), "service.log")


def test_a_disk_that_hangs(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    never = threading.Event()
    monkeypatch.setattr(bundle_module, "PART_WITHIN", 0.2)
    monkeypatch.setattr(bundle_module, "folder_list", lambda folder: str(never.wait()))
    try:
        assert why(here, "journal-folder.txt") == "gives no answer within 0.2 s"
    finally:
        never.set()


def test_a_part_that_fails_in_a_way_that_nobody_thought_of(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object) -> str:
        raise ZeroDivisionError("by nothing")

    for name in ("gather", "versions", "game_list", "read_calibration", "folder_list", "service_log"):
        monkeypatch.setattr(bundle_module, name, fail)
    bundle = gather_bundle(BundleSettings(), here)
    assert set(bundle.files) == {"configuration.txt"}  # read by itself when the doctor fails
    assert bundle.missing["versions.txt"] == "ZeroDivisionError: by nothing"


# ---- its size


def test_long_parts_are_cut(journal: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle_games, "MOST_BYTES", 2000)
    lines = [f"2026-01-02T11:00:00+0100 line {number}\n" for number in range(40_000)]
    files = gather_bundle(BundleSettings(), here_in(tmp_path, "".join(lines))).files
    log = files["service.log"].decode()
    assert len(log) <= bundle_versions.MOST_LOG
    assert "".join(lines).endswith(log)
    assert log.startswith("2026-01-02T11:00:00+0100 line ")
    events = files["games/1.events.jsonl"].decode()
    assert 1500 < len(events) <= 2000
    list(read_stream(events.splitlines(), "a whole number of lines")[1])


def test_a_part_has_a_limit_whatever_it_is() -> None:
    bundle = bundle_module.Bundle()
    bundle.put("text", "x" * 2_000_000)
    bundle.put("bytes", bytes(2_000_000))
    assert max(map(len, bundle.files.values())) < bundle_module.MOST_PART + 100


# ---- the file


def left_in(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


def test_nobody_owns_what_is_in_it() -> None:
    data = packed({"a": b"1"}, "folder", NOON)
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        (file,) = archive.getmembers()
    assert (file.uid, file.gid, file.uname, file.gname, file.mode) == (0, 0, "", "", 0o644)


def test_its_name_is_its_date_and_it_is_in_this_folder(
    here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine").mkdir()
    monkeypatch.chdir(tmp_path / "mine")
    make_bundle(BundleSettings(), here)
    assert left_in(tmp_path / "mine") == [f"{FOLDER}.tar.gz"]


def test_what_is_there_is_not_replaced(here: Here, tmp_path: Path) -> None:
    output = tmp_path / "mine"
    output.mkdir()
    file = output / "out.tar.gz"
    file.write_bytes(b"mine")
    with pytest.raises(ConfigError, match="is there already"):
        make_bundle(BundleSettings(output=file), here)
    file.unlink()
    file.symlink_to("nowhere")
    with pytest.raises(ConfigError, match="is there already"):
        make_bundle(BundleSettings(output=file), here)
    assert left_in(output) == ["out.tar.gz"]


def test_what_came_there_meanwhile_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    file = tmp_path / "mine" / "out.tar.gz"
    file.write_bytes(b"mine")
    with pytest.raises(ConfigError, match="is there already"):
        write_new(file, b"new")
    assert (file.read_bytes(), left_in(tmp_path / "mine")) == (b"mine", ["out.tar.gz"])


def test_on_a_disk_without_second_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*paths: object) -> None:
        raise OSError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(bundle_file.os, "link", refuse)
    (tmp_path / "stick").mkdir()
    write_new(tmp_path / "stick" / "out.tar.gz", b"new")
    assert (tmp_path / "stick" / "out.tar.gz").read_bytes() == b"new"
    assert left_in(tmp_path / "stick") == ["out.tar.gz"]


def test_a_full_disk_leaves_nothing_behind(tmp_path: Path) -> None:
    folder = tmp_path / "small"
    folder.mkdir()
    try:
        with small_disk(folder, "64k"):
            with pytest.raises(ConfigError, match=r"cannot be written: no space left on device: name another"):
                write_new(folder / "out.tar.gz", os.urandom(200_000))
            assert left_in(folder) == []
    except PermissionError as error:
        pytest.skip(str(error))


def test_a_write_that_fails_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(bundle_file.os, "fsync", fail)
    (tmp_path / "mine").mkdir()
    with pytest.raises(ConfigError, match="no space left on device"):
        write_new(tmp_path / "mine" / "out.tar.gz", b"new")
    assert left_in(tmp_path / "mine") == []


def test_a_folder_that_is_not_there_is_told_before_anything_is_looked_at(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["bundle", "-o", str(tmp_path / "no" / "out.tar.gz")])
    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert f"there is no folder {tmp_path / 'no'}" in line


# ---- what a person agrees to


def test_at_a_terminal_all_of_it_is_shown_and_asked_for(
    here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str] = []
    monkeypatch.setattr("click.echo_via_pager", shown.append)
    output = tmp_path / "out.tar.gz"
    asked: list[str] = []

    def answer(question: str) -> bool:
        assert not output.exists()
        asked.append(question)
        return len(asked) > 1

    asking = replace(here, ask=answer)
    assert make_bundle(BundleSettings(output=output), asking) == 1
    assert not output.exists()
    assert make_bundle(BundleSettings(output=output), asking) == 0
    for name, data in unpacked(output).items():
        assert name in shown[-1]
        assert name.endswith(".bin") or data.decode().rstrip("\n") in shown[-1]
    # Scripts that have agreed are not asked.
    output.unlink()
    assert make_bundle(BundleSettings(output=output, yes=True), asking) == 0
    assert (len(shown), len(asked)) == (2, 2)
