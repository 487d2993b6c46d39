"""Followed rests on the disk: written seldom and at the end, by a thread, so that a hanging disk delays nobody."""

from pathlib import Path
from threading import Event

import pytest

from tamsk_hw.board.calibration import Calibration, board_identity, read_baselines
from tamsk_hw.board.wiring import load_wiring
from tamsk_hw.facts.notices import RestsNotKept
from tamsk_hw.system import background
from tamsk_hw.table import run as rest_keeper
from tamsk_hw.table.run import LOOK_EVERY, BaselineKeeper

BOARD = board_identity(Calibration(), load_wiring())
NOW = 1_790_000_000.0


def rests(drift: float) -> tuple[float, ...]:
    return (128.0 + drift,) * 38


class Disk:
    """Takes what is written, and hangs while it is told to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.written: list[bytes] = []
        self.begun = Event()
        self.goes_on = Event()
        self.goes_on.set()
        monkeypatch.setattr(background, "write_whole", self.write)

    def write(self, path: Path, content: bytes) -> None:
        self.begun.set()
        assert self.goes_on.wait(60.0)
        self.written.append(content)


class Kept:
    """A keeper in a folder, by a clock of the test's."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "state" / "rests.toml"
        self.notices: list[RestsNotKept] = []
        self.keeper = BaselineKeeper(self.file, BOARD, lambda: NOW, self.notices.append)

    def see(self, now: float, drift: float | None) -> None:
        self.keeper.feed(now, lambda: None if drift is None else rests(drift))

    def read(self) -> tuple[float, ...] | None:
        return read_baselines(self.file, BOARD, NOW)


def test_a_board_out_of_reach_at_the_end_leaves_what_was_known_before(tmp_path: Path) -> None:
    kept = Kept(tmp_path)
    kept.see(0.0, None)
    kept.see(1.0, 7.0)
    kept.see(1000.0, None)
    kept.keeper.close(None)
    assert kept.read() == rests(7.0)


class Counted:
    """In place of a `latest_file`: counts what would be written."""

    writes = 0

    def __init__(self, path: Path, failed: object) -> None:
        Counted.writes = 0

    def write(self, content: bytes) -> None:
        Counted.writes += 1


@pytest.mark.parametrize(
    ("looks", "writes"),
    [
        ([(float(second), float(second)) for second in range(60)], 1),
        ([(60.0 * minute, float(minute)) for minute in range(60)], 60),
        ([(60.0 * minute, 0.0) for minute in range(61)], 2),
    ],
    ids=["within a minute", "each minute", "after an hour without change"],
)
def test_it_is_written_seldom(
    looks: list[tuple[float, float]], writes: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rest_keeper, "latest_file", Counted)
    kept = Kept(tmp_path)
    for now, drift in looks:
        kept.see(now, drift)
    assert Counted.writes == writes


def test_a_disk_that_hangs_delays_nobody_and_gets_the_newest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = Disk(monkeypatch)
    disk.goes_on.clear()
    kept = Kept(tmp_path)
    kept.see(0.0, 1.0)
    assert disk.begun.wait(60.0)
    for minute in range(1, 10):  # returns though the first file is still being written
        kept.see(LOOK_EVERY * minute, float(minute))
    assert disk.written == []
    disk.goes_on.set()
    kept.keeper.close(None)
    assert [b"D4 = 129.0" in disk.written[0], b"D4 = 137.0" in disk.written[-1]] == [True, True]
    assert len(disk.written) == 2


def test_a_disk_that_takes_nothing_is_said_once(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("no folder", encoding="utf-8")
    kept = Kept(tmp_path)
    for minute in range(5):
        kept.see(LOOK_EVERY * minute, float(minute))
    kept.keeper.close(rests(7.0))
    (notice,) = kept.notices
    assert notice == RestsNotKept(kept.file, notice.why)
    assert notice.why
