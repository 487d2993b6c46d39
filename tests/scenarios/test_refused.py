"""Streams that `tamsk-hw replay` must refuse: one line that names place, value and what is allowed.

Beside each ``refused/NAME.jsonl`` lies ``NAME.error.txt`` with the words, one a line, that the message must hold
(capitals do not matter; a word found is used up; the stream's own name does not count).
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tamsk_hw.commands.main import main

REFUSED = Path(__file__).parent / "refused"
STREAMS = sorted(REFUSED.glob("*.jsonl"))


def words_of(stream: Path) -> list[str]:
    """The words that the message on ``stream`` must contain."""
    return stream.with_name(stream.stem + ".error.txt").read_text(encoding="utf-8").splitlines()


def words_missing(message: str, words: list[str]) -> list[str]:
    """The ``words`` that are not in ``message``; each occurrence serves one of them."""
    missing = []
    for word in words:
        message, found = re.subn(rf"(?<!\w){re.escape(word)}(?!\w)", " ", message, count=1, flags=re.IGNORECASE)
        if not found:
            missing.append(word)
    return missing


def assert_refused(result: Result, words: list[str], source: str) -> None:
    """Exit 2, nothing on standard output, one line with all the words on standard error."""
    assert result.exit_code == 2, (result.output, result.exception)
    assert result.stdout == ""
    lines = result.stderr.splitlines()
    assert len(lines) == 1, lines
    missing = words_missing(lines[0].replace(source, ""), words)
    assert not missing, f"{lines[0]!r} does not hold {missing}"


def test_every_stream_has_its_words() -> None:
    assert STREAMS
    assert {stream.stem for stream in STREAMS} == {
        path.name.removesuffix(".error.txt") for path in REFUSED.glob("*.error.txt")
    }
    assert all(words_of(stream) for stream in STREAMS)


@pytest.mark.parametrize("stream", STREAMS, ids=lambda path: path.stem)
@pytest.mark.parametrize("options", [(), ("--json",)], ids=["text", "json"])
def test_refused(stream: Path, options: tuple[str, ...]) -> None:
    result = CliRunner().invoke(main, ["replay", str(stream), *options])
    assert_refused(result, words_of(stream), str(stream))


@pytest.mark.parametrize("name", ["event-unknown-tube", "header-level-4", "empty-file"])
def test_refused_from_standard_input(name: str) -> None:
    stream = REFUSED / f"{name}.jsonl"
    result = CliRunner().invoke(main, ["replay", "-"], input=stream.read_bytes())
    assert_refused(result, words_of(stream), str(stream))


def test_the_lines_before_the_refused_one_are_good(tmp_path: Path) -> None:
    """The streams are refused for their last line only; the lines before it are accepted."""
    lines = (REFUSED / "event-unknown-tube.jsonl").read_text(encoding="utf-8").splitlines()
    good = tmp_path / "good.jsonl"
    good.write_text("\n".join(lines[:-1]) + "\n", encoding="utf-8")
    result = CliRunner().invoke(main, ["replay", str(good), "--json"])
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    assert len(result.stdout.splitlines()) == 3
