"""Streams that `tamsk-hw replay` must refuse: one line that names place, value and what is allowed.

They stand in `refused.txt`, as scenarios do in the book. Indented are the words, one a line, that the message must
hold (capitals do not matter; a word found is used up; the stream's own name does not count).
"""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tamsk_hw.commands.main import main
from tests.scenarios.book import HERE, scenarios_of, set_up

#: A game that is set up with the timer, and begins.
TIMER = '{"t": 0, "event": "timer", "state": "seated", "end": "A"}\n'
BEGUN = f'{{"tamsk": 1}}\n{TIMER}{set_up("0")}{{"t": 1, "event": "button", "button": "start", "press": "short"}}\n'

#: Streams by name, and the words of the messages on them.
REFUSED = {
    each.name: (each.stream.encode(), each.given.splitlines()) for each in scenarios_of(HERE / "refused.txt")
} | {"event-not-utf-8": (BEGUN.encode() + b'{"t": 2, "event": "lift", "tube": "\xff"}\n', ["UTF-8"])}


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


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("options", [(), ("--json",)], ids=["text", "json"])
def test_refused(name: str, options: tuple[str, ...], tmp_path: Path) -> None:
    stream, words = REFUSED[name]
    path = tmp_path / f"{name}.jsonl"
    path.write_bytes(stream)
    result = CliRunner().invoke(main, ["replay", str(path), *options])
    assert_refused(result, words, str(path))


@pytest.mark.parametrize("name", ["event-unknown-tube", "header-level-4", "empty-file"])
def test_refused_from_standard_input(name: str) -> None:
    stream, words = REFUSED[name]
    assert_refused(CliRunner().invoke(main, ["replay", "-"], input=stream), words, f"{name}.jsonl")


def test_the_lines_before_the_refused_one_are_good() -> None:
    """The streams are refused for their last line only; the lines before it are accepted."""
    result = CliRunner().invoke(main, ["replay", "-", "--json"], input=BEGUN)
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    assert len(result.stdout.splitlines()) == 3
