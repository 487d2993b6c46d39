"""Files written whole or not at all."""

import os
import shutil
from pathlib import Path

import pytest

from tamsk_hw.system.background import latest_file
from tamsk_hw.system.files import parse_toml, write_whole, written_beside


def test_a_file_is_replaced_and_keeps_its_permissions(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"old")
    file.chmod(0o640)
    write_whole(file, b"new")
    assert (file.read_bytes(), file.stat().st_mode & 0o777) == (b"new", 0o640)
    assert list(tmp_path.iterdir()) == [file]


def test_a_new_file_gets_the_users_permissions(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_whole(tmp_path / "file", b"new")
    finally:
        os.umask(before)
    assert (tmp_path / "file").stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_what_cannot_be_written_leaves_the_old_file_and_nothing_else(
    call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"old")

    def fail(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, call, fail)
    with pytest.raises(OSError, match="No space left"):
        write_whole(file, b"new")
    assert file.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [file]


def test_what_is_not_named_is_removed(tmp_path: Path) -> None:
    with written_beside(tmp_path / "file", b"new", mode=0o600) as new:
        assert (new.read_bytes(), new.parent, new.stat().st_mode & 0o777) == (b"new", tmp_path, 0o600)
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_takes_nothing_is_reported_once_until_it_does(tmp_path: Path) -> None:
    folder, errors = tmp_path / "folder", list[OSError]()
    file = latest_file(folder / "file", errors.append)
    for change in (folder.touch, lambda: None, folder.unlink, lambda: (shutil.rmtree(folder), folder.touch())):
        change()
        file.write(b"content")
        assert file.wait_until_written(30.0)
    assert len(errors) == 2


def test_a_byte_order_mark_before_toml_is_left_out() -> None:
    """Editors on Windows write one before wiring maps and calibrations, too."""
    assert parse_toml("\ufeff# a map\na = 1\n") == {"a": 1}
