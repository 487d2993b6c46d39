"""``tamsk-hw bundle``: what is in it, what is missing and why, what is hidden, and that nothing is replaced."""

import gzip
import json
import os
import sqlite3
import tarfile
import threading
from pathlib import Path

import pytest
from click.testing import CliRunner

from tamsk_hw.commands.main import main
from tamsk_hw.errors import ConfigError
from tamsk_hw.journal.archive import Archive
from tamsk_hw.journal.changes import NamePlayers, change_here
from tamsk_hw.journal.records import ruling_line
from tamsk_hw.referee.stream import read_stream
from tamsk_hw.simulator.pty_board import RunningBoard
from tamsk_hw.workbench import bundle as bundle_module
from tamsk_hw.workbench.bundle import Bundle, gather_bundle, make_bundle, packed
from tamsk_hw.workbench.doctor import Surroundings
from tests.journal.played import UNENDED, played, write

LOG = ("echo", "2026-01-02T11:00:00+0100 tamsk-hw[7]: waiting for the board")


@pytest.fixture
def here(tmp_path: Path) -> Surroundings:
    """A computer that is no Pi, on which nothing else runs."""
    return Surroundings(device_tree=tmp_path / "device-tree", processes=tmp_path / "proc")


@pytest.fixture
def journal(tmp_path: Path, configuration: Path) -> Path:
    """A journal with two games, one of them finished."""
    folder = tmp_path / "journal"
    configuration.write_text(f'journal.folder = "{folder}"\n')
    write(folder, played())
    write(folder, played(UNENDED))
    return folder


def gathered(here: Surroundings, log: tuple[str, ...] = LOG, **settings: int) -> Bundle:
    return gather_bundle(here, log_command=log, **settings)


def unpacked(file: Path) -> dict[str, str]:
    """The files in a bundle, without the folder that they are in."""
    found = {}
    with tarfile.open(file) as archive:
        for member in archive.getmembers():
            assert (member.uid, member.gid, member.uname, member.gname, member.mode) == (0, 0, "", "", 0o644)
            content = archive.extractfile(member)
            assert content is not None
            folder, _, name = member.name.partition("/")
            assert folder.startswith("tamsk-hw-bundle-")
            found[name] = content.read().decode()
    return found


# ---- what is in it


def test_everything_that_is_there_is_in_it_and_shown(
    board: RunningBoard,
    journal: Path,
    configuration: Path,
    here: Surroundings,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    calibration = tmp_path / "calibration.toml"
    calibration.write_text("version = 1\n[fields.D4]\nrest = 130.0\nend_a = 60.0\nend_b = 61.0\nnoise = 2.0\n")
    with configuration.open("a") as file:
        file.write(f'board.port = "{board.port}"\nboard.calibration = "{calibration}"\n')
        file.write("buttons.enabled = false\nbuzzer.enabled = false\n")
    output = tmp_path / "out.tar.gz"
    assert make_bundle(output=output, here=here, log_command=LOG) == 0
    files = unpacked(output)
    games = [f"games/{number}.{kind}.jsonl" for number in (1, 2) for kind in ("events", "rulings")]
    others = [f"{name}.txt" for name in ("README", "doctor", "configuration", "versions")]
    assert set(files) == {"calibration.toml", "service.log", *others, *games}
    assert "connected after" in files["doctor.txt"]
    assert "buttons.enabled = false" in files["configuration.txt"]
    assert "firmware: 2.0.0, protocol 2.0" in files["versions.txt"]
    assert "rest = 130.0" in files["calibration.toml"]
    assert "waiting for the board" in files["service.log"]
    said = capsys.readouterr().out
    assert f"{output.stat().st_size} bytes" in said
    for name, text in files.items():
        assert f"==== {name}\n{text.rstrip()}" in said
        assert name == "README.txt" or f"{len(text.encode())} bytes  {name}\n" in files["README.txt"]


def test_a_game_in_it_can_be_refereed_again(journal: Path, here: Surroundings) -> None:
    files = gathered(here).files
    header, events = read_stream(files["games/1.events.jsonl"].splitlines(), "the bundle")
    assert header == played().header
    assert list(events) == [entry.event for entry in played().entries]
    rulings = [ruling_line(each) for entry in played().entries for each in entry.rulings]
    assert files["games/1.rulings.jsonl"].splitlines() == rulings
    names = set(gathered(here, games=1).files)
    assert ("games/2.events.jsonl" in names, "games/1.events.jsonl" in names) == (True, False)
    assert not any(name.startswith("games/") for name in gathered(here, games=0).files)


# ---- parts that cannot be had


def why(here: Surroundings, name: str, log: tuple[str, ...] = LOG) -> str:
    bundle = gathered(here, log)
    assert name not in bundle.files
    assert "versions.txt" in bundle.files
    return bundle.missing[name]


def test_without_a_board_and_games_the_rest_is_there(here: Surroundings, tmp_path: Path) -> None:
    output = tmp_path / "out.tar.gz"
    make_bundle(output=output, here=here, log_command=LOG)
    manifest = unpacked(output)["README.txt"]
    assert "\n  calibration.toml: " in manifest


def test_a_damaged_journal_or_game_does_not_stop_the_others(journal: Path, here: Surroundings) -> None:
    connection = sqlite3.connect(journal / "journal.db", isolation_level=None)
    connection.execute("UPDATE event SET line = '{}' WHERE game = 1 AND number = 3")
    connection.close()
    bundle = gathered(here)
    assert "damaged" in bundle.missing["games/1.events.jsonl"]
    assert "games/2.events.jsonl" in bundle.files
    (journal / "journal.db").write_bytes(b"no database at all" * 500)
    assert "not a database" in why(here, "games")


def test_a_refused_configuration(configuration: Path, here: Surroundings) -> None:
    configuration.write_text("board.prt = 3\n")
    bundle = gathered(here)
    assert "board.prt" in bundle.missing["configuration.txt"]
    assert "board.prt" in bundle.files["doctor.txt"]


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (("/no/such/program",), "No such file"),
        (("sh", "-c", "echo no right to see it >&2; exit 1"), "no right to see it"),
        (("true",), "has logged nothing"),
    ],
)
def test_a_log_that_cannot_be_read(here: Surroundings, command: tuple[str, ...], reason: str) -> None:
    assert reason in why(here, "service.log", command)


def test_a_part_that_hangs_is_missing() -> None:
    bundle = Bundle()
    assert bundle.attempt("service.log", threading.Event().wait, 0.2) is None
    assert bundle.missing == {"service.log": "gives no answer within 0.2 s"}


def test_a_part_that_fails_in_a_way_that_nobody_thought_of(
    here: Surroundings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: object) -> str:
        raise ZeroDivisionError("by nothing")

    monkeypatch.setattr(bundle_module, "examine", fail)
    bundle = gathered(here)
    assert bundle.missing["doctor.txt"] == "by nothing"
    assert "versions.txt" in bundle.files


def test_the_end_of_a_long_part_is_kept(here: Surroundings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle_module, "MOST_PART", 2000)
    log = gathered(here, ("seq", "40000")).files["service.log"]
    assert (len(log), log.endswith("\n40000\n")) == (2000, True)


# ---- what is hidden


def test_known_names_and_addresses_are_nowhere_in_it(
    configuration: Path, here: Surroundings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    red, black, user, host = "Zoë Łuczak", "Annabel O'Hara", "ottokar", "ottokars-pi"
    secrets = ["192.168.178.23", "fe80::dea6:32ff:fe01:2345", "dc:a6:32:01:23:45", "zoe@example.org"]
    home = tmp_path / user
    port = home / "by-id" / "usb-1a86_USB2.0-Serial_7G53FX0042-if00-port0"
    port.parent.mkdir(parents=True)
    write(home, played(), red=red)
    change_here(home, NamePlayers(len(Archive(home).games()), red, "Bo"), 0.0)
    configuration.write_text(
        f'board.port = "{port}"\njournal.folder = "{home}"\nplayers.red = "{red}"\nplayers.black = "{black}"\n'
    )
    log = f"11:00:00 {host} tamsk-hw[7]: {red.upper()} and Bo and {black} at {port.name}, {user}; "
    log += " ".join(secrets)
    monkeypatch.setattr("platform.node", lambda: host)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USER", user)
    output = tmp_path / "out.tar.gz"
    with RunningBoard(port):
        make_bundle(output=output, here=here, log_command=("printf", "%s", log))
    everything = gzip.decompress(output.read_bytes()).decode(errors="replace").casefold()
    for secret in (red, black, user, host, str(home), "7G53FX0042", *secrets):
        assert secret.casefold() not in everything
        assert json.dumps(secret)[1:-1].casefold() not in everything
    assert "11:00:00 … tamsk-hw[7]: … and … and … at …, …; …" in everything


# ---- the file


def left_in(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


def test_nothing_that_is_there_is_replaced(here: Surroundings, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    file = folder / "out.tar.gz"
    file.write_bytes(b"mine")
    for _ in range(2):
        with pytest.raises(ConfigError, match="is there already"):
            make_bundle(output=file, here=here)
        file.unlink()
        file.symlink_to("nowhere")
    with pytest.raises(ConfigError, match="cannot be written: file exists: name another"):
        bundle_module._write_new(file, b"new")
    assert left_in(folder) == ["out.tar.gz"]


def test_a_write_that_fails_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(descriptor: int, mode: str) -> object:
        os.close(descriptor)
        return open("/dev/full", mode)

    (tmp_path / "mine").mkdir()
    monkeypatch.setattr(bundle_module, "open", refuse, raising=False)
    with pytest.raises(ConfigError, match="no space left on device"):
        bundle_module._write_new(tmp_path / "mine" / "out.tar.gz", packed({"a": "1"}, "folder", NOW))
    assert left_in(tmp_path / "mine") == []


NOW = bundle_module.datetime(2026, 1, 2, 12, 0, 0)


def test_a_folder_that_is_not_there_is_told_before_anything_is_looked_at(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["bundle", "-o", str(tmp_path / "no" / "out.tar.gz")])
    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert f"there is no folder {tmp_path / 'no'}" in line


def test_at_a_terminal_all_of_it_is_shown_and_asked_for(
    here: Surroundings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str] = []
    monkeypatch.setattr("click.echo_via_pager", shown.append)
    (tmp_path / "mine").mkdir()
    monkeypatch.chdir(tmp_path / "mine")
    asked: list[str] = []

    def answer(question: str) -> bool:
        assert left_in(Path()) == []
        asked.append(question)
        return len(asked) > 1

    assert make_bundle(here=here, ask=answer, log_command=LOG) == 1
    assert left_in(Path()) == []
    assert make_bundle(here=here, ask=answer, log_command=LOG) == 0
    (name,) = left_in(Path())
    for each, text in unpacked(Path(name)).items():
        assert f"==== {each}\n{text.rstrip()}" in shown[-1]
    # Scripts that have agreed are not asked.
    assert make_bundle(output=Path("other.tar.gz"), yes=True, here=here, ask=answer, log_command=LOG) == 0
    assert (len(shown), len(asked)) == (2, 2)
