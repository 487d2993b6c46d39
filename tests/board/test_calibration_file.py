"""The calibration file: whole or not at all, read back as it was written, refused by name."""

import os
import signal
import tomllib
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tamsk_hw.board import calibration
from tamsk_hw.board.wiring import load_wiring
from tamsk_hw.errors import ConfigError
from tamsk_hw.game.tubes import Tube

WIRING = load_wiring()
SAVED = datetime(2026, 11, 21, 12, 30, 5, 999, UTC)

FULL = calibration.KnownCalibration(
    calibration=calibration.Calibration(
        fields=tuple(
            calibration.FieldCalibration(rest=128 + i / 7, end_a=60 + i / 3, end_b=71.5, noise=2.25)
            for i in range(38)
        ),
        holders=(
            calibration.HolderCalibration(zero=-1234.5, per_ring=-5301, margin=900),
            calibration.HolderCalibration(zero=7),
        ),
        sand=calibration.SandCalibration(
            glass=(178.5, 180.25),
            glasses=((Tube.D1, (176.2, 181.9)), (Tube.A4, (180.0, 179.0))),
            timer=(14.9, 15.2),
            tolerance=0.0125,
        ),
    ),
    measured=frozenset(calibration.FIELD_NAMES),
    holders_measured=True,
    glasses=frozenset({"D1", "A4"}),
    timer_timed=True,
    ring_counts={"D4": (60.5, 90, 160, 0), "A1": (120,)},
)


def test_a_sensors_threshold_is_half_of_its_ring() -> None:
    """5 to 255 counts (PROTOCOL.md section 5.6); the common one where no ring was seen or measured."""
    rows = {"D4": (64.0, 9.0, 1000.0, 0.0), "A1": (25.4,)}
    thresholds = calibration.KnownCalibration(ring_counts=rows).thresholds(WIRING)
    of_bit = dict(enumerate(b"".join(thresholds)))
    assert [len(each) for each in thresholds] == [8] * 8
    assert [of_bit.pop(bit) for bit in WIRING.ring_bits[Tube.D4]] == [32, 5, 255, 0]
    assert [of_bit.pop(bit) for bit in WIRING.ring_bits[Tube.A1]] == [13]
    assert not any(of_bit.values())


def test_a_file_of_the_first_version_keeps_all_but_its_ring_counts(tmp_path: Path) -> None:
    path = tmp_path / "calibration.toml"
    path.write_text("version = 1\n[fields]\nD4 = { end_a = 60 }\n[rings]\nA1 = [160]\n")
    known = calibration.read_calibration(path)
    assert (known.problem, known.measured, known.ring_counts) == (None, frozenset({"D4"}), {})


def test_what_was_saved_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "below" / "calibration.toml"
    calibration.save_calibration(path, FULL, SAVED)
    assert replace(calibration.read_calibration(path), modified=None) == FULL


def test_only_what_was_measured_stands_in_the_file(tmp_path: Path) -> None:
    part = replace(FULL, measured=frozenset({"D4"}), holders_measured=False, glasses=frozenset(), ring_counts={})
    table = tomllib.loads(calibration.calibration_text(part, SAVED))
    assert set(table) == {"version", "saved", "fields", "sand"}
    assert set(table["fields"]) == {"D4"}
    assert set(table["sand"]) == {"tolerance", "timer"}
    assert table["saved"] == SAVED.replace(microsecond=0)
    path = tmp_path / "calibration.toml"
    calibration.save_calibration(path, part, SAVED)
    read = calibration.read_calibration(path)
    assert read.calibration.fields[Tube.D4] == FULL.calibration.fields[Tube.D4]
    assert read.calibration.fields[Tube.D1] == calibration.FieldCalibration()
    assert not read.holders_measured
    assert len(read.untimed) == 6


def test_the_one_before_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "calibration.toml"
    calibration.save_calibration(path, FULL, SAVED)
    first = path.read_bytes()
    assert not calibration.backup_of(path).exists()
    for _ in range(2):
        before = path.read_bytes()
        calibration.save_calibration(path, replace(FULL, ring_counts={}), SAVED)
        assert calibration.backup_of(path).read_bytes() == before
    assert path.read_bytes() != first
    assert sorted(each.name for each in tmp_path.iterdir()) == ["calibration.toml", "calibration.toml.bak"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty"),
        ("version = 3\n", "version: 3"),
        ("version = true\n", "version: True"),
        ("[rings]\nD9 = [60]\n", "rings.D9 is"),
        ("[rings]\nD4 = [60]\n", "rings.D4 is [60.0]; allowed: 4 numbers"),
        ("[rings]\nA1 = [1024]\n", "rings.A1[0] is 1024"),
        ("rings = 3\n", "rings is 3"),
        ("[fields]\nD4 = { rest = 20 }\n", "fields.D4.rest: 20"),
        ("[fields", "is no TOML"),
    ],
)
def test_what_cannot_be_is_named_and_nothing_of_the_file_used(text: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "calibration.toml"
    path.write_text(text)
    read = calibration.read_calibration(path)
    assert read.problem is not None
    assert words in read.problem
    assert replace(read, problem=None, modified=None) == calibration.KnownCalibration()


def test_one_holder_alone_counts_nothing(tmp_path: Path) -> None:
    path = tmp_path / "calibration.toml"
    path.write_text("[holders]\nred = { per_ring = 5000 }\n")
    assert not calibration.read_calibration(path).holders_measured


def test_what_cannot_be_written_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "calibration.toml"
    calibration.save_calibration(path, FULL, SAVED)
    before = path.read_bytes()

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ConfigError, match="no space left on device: mend that") as refused:
        calibration.save_calibration(path, replace(FULL, ring_counts={}), SAVED)
    assert str(path) in str(refused.value)
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["calibration.toml"]


NEW = calibration.KnownCalibration(ring_counts={"A1": (60,)})


def status_of_killed_save(path: Path, call: str, number: int) -> int:
    """Save in a process of its own that is killed at this call of `os` (kill -9), if it comes to that."""
    child = os.fork()
    if child == 0:
        real, calls = getattr(os, call), iter(range(number))

        def dying(*arguments: object, **more: object) -> object:
            if next(calls, None) is None:
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*arguments, **more)

        setattr(os, call, dying)
        try:
            calibration.save_calibration(path, NEW, SAVED)
        except BaseException:
            os._exit(1)
        os._exit(0)
    return os.waitpid(child, 0)[1]


@pytest.mark.parametrize("call", ["fsync", "replace", "link", "unlink"])
def test_killed_at_any_step_one_whole_file_is_there(call: str, tmp_path: Path) -> None:
    path = tmp_path / "calibration.toml"
    calibration.save_calibration(path, calibration.KnownCalibration(), SAVED)
    number = 0
    while (status := status_of_killed_save(path, call, number)) != 0:
        assert os.WTERMSIG(status) == signal.SIGKILL
        assert calibration.read_calibration(path).problem is None
        assert calibration.read_calibration(path).ring_counts in ({}, NEW.ring_counts)
        number += 1
    assert number >= 1
    assert calibration.read_calibration(path).ring_counts == NEW.ring_counts
