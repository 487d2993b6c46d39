"""Levels of lines for systemd's journal."""

import os
import subprocess
import sys
from io import StringIO
from pathlib import Path

from tamsk_hw.system.service import Priority, prefixed

ROOT = Path(__file__).parents[2]


def journal_of(file: Path) -> dict[str, str]:
    """Systemd's name for a stream that is that file."""
    status = file.stat()
    return {"JOURNAL_STREAM": f"{status.st_dev}:{status.st_ino}"}


def test_every_line_for_the_journal_begins_with_its_level(tmp_path: Path) -> None:
    with (tmp_path / "journal").open("w") as stream:
        told = journal_of(tmp_path / "journal")
        assert prefixed("one\ntwo", Priority.WARNING, stream, told) == "<4>one\n<4>two"
        assert prefixed("one", Priority.INFO, stream, told) == "<6>one"


def test_a_line_for_anything_else_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "journal").touch()
    told = journal_of(tmp_path / "journal")
    with (tmp_path / "other").open("w") as stream:
        assert prefixed("one", Priority.ERROR, stream, told) == "one"
        assert prefixed("one", Priority.ERROR, stream, {}) == "one"
    assert prefixed("one", Priority.ERROR, stream, told) == "one"  # closed
    assert prefixed("one", Priority.ERROR, StringIO(), told) == "one"


def test_a_refusal_of_the_program_is_an_error_in_the_journal(tmp_path: Path) -> None:
    file = tmp_path / "stderr"
    with file.open("w") as stream:
        subprocess.run(
            [sys.executable, "-m", "tamsk_hw.commands.main", "replay", str(tmp_path / "missing")],
            stderr=stream,
            env={**os.environ, **journal_of(file)},
            cwd=ROOT,
            check=False,
        )
    (line,) = file.read_text().splitlines()
    assert line.startswith("<3>tamsk-hw: ")
