"""The help pages of the command line on a terminal of 80 columns."""

from __future__ import annotations

from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner

from tamsk_hw.commands.main import main


def groups(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Group]]:
    """A group and all groups in it, each with the words that call it."""
    yield path, group
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from groups(command, (*path, name))


GROUPS = dict(groups(main))


def test_all_groups_are_looked_at() -> None:
    names = {"arbiter", "calibrate", "config", "do", "games", "hands", "web"}
    assert set(GROUPS) == {(), *((name,) for name in names)}


@pytest.mark.parametrize("path", GROUPS, ids=" ".join)
def test_the_first_sentence_of_each_command_is_there_whole(path: tuple[str, ...]) -> None:
    page = CliRunner().invoke(main, [*path, "--help"], env={"COLUMNS": "80"}).stdout
    assert max(map(len, page.splitlines())) <= 80
    commands = " ".join(page.partition("Commands:")[2].split())
    for name, command in GROUPS[path].commands.items():
        assert command.help is not None
        paragraph = " ".join(command.help.split("\n\n")[0].split())
        first = paragraph.split(". ")[0].rstrip(".")
        assert f"{name} {first}" in commands


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("run", "--speed", "fast"), "'fast' is not a valid number."),
        (("run", "--speed", "nan"), "nan is not a valid number."),
        (("run", "--seed", "1.5"), "'1.5' is not a valid integer."),
        (("run", "--level", "4"), "4 is not in the range 1<=x<=3."),
        (("bundle", "--games", "all"), "'all' is not a valid integer."),
    ],
)
def test_what_is_no_number_is_refused_in_plain_words(arguments: tuple[str, ...], words: str) -> None:
    refused = CliRunner().invoke(main, arguments)
    assert refused.exit_code == 2
    assert words in refused.stderr
