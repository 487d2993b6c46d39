"""The help pages of the command line, and refusals of words that it does not take."""

import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from tamsk_hw.commands.main import main

#: As a shell has it: the folder may have a blank in its name.
RECORDING = shlex.quote(str(Path(__file__).parents[1] / "recordings" / "level-1.jsonl"))


def groups(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Group]]:
    """A group and all groups in it, each with the words that call it."""
    yield path, group
    for name, command in commands(group):
        if isinstance(command, click.Group):
            yield from groups(command, (*path, name))


def commands(group: click.Group) -> list[tuple[str, click.Command]]:
    """The commands of a group by their names."""
    context = click.Context(group)
    return [
        (name, command) for name in group.list_commands(context) if (command := group.get_command(context, name))
    ]


def test_on_80_columns_the_first_sentence_of_each_command_is_there_whole() -> None:
    for path, group in groups(main):
        page = CliRunner().invoke(main, [*path, "--help"], env={"COLUMNS": "80"}).stdout
        assert max(map(len, page.splitlines())) <= 80
        listed = " ".join(page.partition("Commands:")[2].split())
        for name, command in commands(group):
            first = " ".join((command.help or "").split("\n\n")[0].split()).split(". ")[0].rstrip(".")
            assert f"{name} {first}" in listed


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("run --speed fast", "'fast' is not a valid number."),
        ("run --speed nan", "nan is not a valid number."),
        ("run --speed 0", "--speed"),
        ("run --seed 1.5", "'1.5' is not a valid integer."),
        ("run --level 4", "4 is not in the range 1<=x<=3."),
        ("run --mischief 0.5", "--mischief"),
        ("run --record /nowhere/game.jsonl", "--record /nowhere/game.jsonl"),
        ("run --capture /nowhere/game.capture", "directory; allowed: a file that can be written"),
        ("bundle --games all", "'all' is not a valid integer."),
        ("replay /nowhere/game.jsonl", "/nowhere/game.jsonl"),
        (f"replay --picture {RECORDING} --json", "--picture"),
        (f"replay --picture {RECORDING} --capture", "--picture"),
        (f"replay --picture {RECORDING}", "the picture cannot be shown here"),
        ("perft 13", "DEPTH"),
        ("web --address localhost", "no address"),
        ("web --address 256.1.1.1", "no address"),
        ("rule R4.66", 'tamsk-hw: the rules have no clause "R4.66"'),
    ],
)
def test_bad_words_are_refused_by_name(arguments: str, words: str) -> None:
    refused = CliRunner().invoke(main, shlex.split(arguments))
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert words in refused.stderr.splitlines()[-1]


def test_perft_and_version() -> None:
    assert CliRunner().invoke(main, ["perft", "4"]).stdout == "8994\n"
    assert CliRunner().invoke(main, ["perft", "3", "--rings", "optional"]).stdout == "6864\n"
    assert CliRunner().invoke(main, ["--version"]).stdout.startswith("tamsk-hw, version ")


@pytest.mark.parametrize(
    ("clause", "start", "numbers"),
    [
        ("R3.1", "R3.1 A tube with as many rings", ["R3.1"]),
        ("R3", "R3 Full tubes\n", ["R3", "R3.1", "R3.2"]),
        ("R8", "R8 ", ["R8"]),
        ("", "R1 ", [f"R{number}" for number in range(1, 10)]),
    ],
)
def test_rules_are_printed_as_wide_as_the_terminal(clause: str, start: str, numbers: list[str]) -> None:
    printed = CliRunner().invoke(main, ["rule", *clause.split()], env={"COLUMNS": "80"})
    assert printed.exit_code == 0
    assert printed.stdout.startswith(start)
    lines = printed.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert [line.split()[0] for line in lines if line.startswith("R")] == numbers
    assert clause != "R8" or any("lose_turn" in line and "F 3.4" in line for line in lines)
