"""The file of followed rests: read back as written, for this board and for a day, passed over when damaged."""

from dataclasses import replace
from pathlib import Path

import pytest

from tamsk_hw.board.calibration import (
    Calibration,
    CalibrationError,
    FieldCalibration,
    SandCalibration,
    baselines_text,
    board_identity,
    read_baselines,
)
from tamsk_hw.board.wiring import load_wiring

WIRING = load_wiring()
MEASURED = Calibration(fields=(FieldCalibration(rest=131.5),) * 38)
BOARD = board_identity(MEASURED, WIRING)
RESTS = tuple(120.25 + index for index in range(38))
SAVED = 1_790_000_000.0
HOUR = 3600.0


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "rests.toml"
    path.write_text(baselines_text(BOARD, RESTS, SAVED), encoding="utf-8")
    return path


@pytest.mark.parametrize(("hours", "rests"), [(0, RESTS), (23, RESTS), (-23, RESTS), (25, None), (-25, None)])
def test_rests_are_read_back_for_a_day(file: Path, hours: int, rests: tuple[float, ...] | None) -> None:
    """A clock that was set back is that of a Raspberry Pi which has not asked for the time yet."""
    assert read_baselines(file, BOARD, SAVED + hours * HOUR) == rests


def test_rests_are_of_one_calibration_of_the_fields_and_one_map(file: Path) -> None:
    other = board_identity(Calibration(fields=(FieldCalibration(rest=131.0),) * 38), WIRING)
    assert read_baselines(file, other, SAVED) is None
    assert read_baselines(file, (BOARD[0], "01234567"), SAVED) is None
    timed = board_identity(replace(MEASURED, sand=SandCalibration(timer=(14.5, 15.5))), WIRING)
    assert read_baselines(file, timed, SAVED) == RESTS


def test_without_a_file_there_is_nothing_to_say(tmp_path: Path) -> None:
    assert read_baselines(tmp_path / "none.toml", BOARD, SAVED) is None


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("D4 = ", "D9 = "),
        ("D4 = ", 'D4 = "a" # '),
        ("D4 = ", "D4 = true # "),
        ("D4 = ", "D4 = nan # "),
        ("D4 = ", "D4 = 256 # "),
        ("D4 = ", "# "),
        ("version = 1", "version = 2"),
        ("saved = ", "saved = 7 # "),
        ("saved = ", "# "),
        ("calibration = ", "# "),
        ("[rests]", "[rests"),
        ("[rests]", "rests = 1 #"),
    ],
)
def test_a_damaged_file_is_passed_over_with_its_reason(file: Path, before: str, after: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert before in text
    file.write_text(text.replace(before, after), encoding="utf-8")
    with pytest.raises(CalibrationError) as refused:
        read_baselines(file, BOARD, SAVED)
    assert "\n" not in refused.value.problem


@pytest.mark.parametrize("content", [b"\xff\xfe", b"\0" * 100, b"a." * 20_000, b"[" * 1000, b""])
def test_anything_may_stand_in_the_file(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    with pytest.raises(CalibrationError):
        read_baselines(file, BOARD, SAVED)
