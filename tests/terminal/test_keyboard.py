"""Typing: lines from a pipe, lines or single keys from a terminal."""

import os
import pty
import select
import termios
from collections.abc import Iterator
from contextlib import contextmanager

from tamsk_hw.panel.diagnosis import BACKSPACE, DOWN, ENTER, ESCAPE, UP
from tamsk_hw.terminal.keyboard import SUSPEND, Keyboard, Typing


def test_lines_from_a_pipe_and_its_end() -> None:
    reader, writer = os.pipe()
    with Keyboard(reader, Typing.KEYS) as keyboard:
        assert keyboard.take() == []
        os.write(writer, b"D1\n\nba")
        assert keyboard.take() == ["D1", ""]
        os.write(writer, b"ck\r\xff\x1b[A\x1b[4~\n")
        assert keyboard.take() == ["back", ""]
        os.write(writer, b"one\r\ntwo\r\nB")
        assert keyboard.take() == ["one", "two"]
        os.close(writer)
        assert keyboard.take() == ["B"], "a last line without an end counts"
        assert not keyboard.open
        assert keyboard.take() == []
    os.close(reader)


@contextmanager
def terminal(typing: Typing) -> Iterator[tuple[Keyboard, int]]:
    """A terminal's keyboard, and the end at which is typed; the terminal is left as it was."""
    ours, theirs = pty.openpty()
    before = termios.tcgetattr(theirs)
    with Keyboard(theirs, typing) as keyboard:
        yield keyboard, ours
    assert termios.tcgetattr(theirs) == before
    os.close(ours)
    os.close(theirs)


def typed(keyboard: Keyboard, ours: int, keys: bytes) -> list[str]:
    """The keys that the keyboard has of those that are typed at once."""
    os.write(ours, keys)
    select.select([keyboard.fileno()], [], [], 10)
    return keyboard.take()


def test_a_line_is_edited_where_the_screen_shows_it() -> None:
    with terminal(Typing.SHOWN) as (keyboard, ours):
        assert not termios.tcgetattr(keyboard.fileno() or 0)[3] & termios.ECHO
        assert typed(keyboard, ours, b"D4\x7f1") == []
        assert keyboard.line == "D1"


def test_each_key_of_a_terminal_comes_at_once() -> None:
    with terminal(Typing.KEYS) as (keyboard, ours):
        assert typed(keyboard, ours, b"yN x\n") == ["y", "N", " ", "x", ""]
        assert typed(keyboard, ours, b"\x1b[B") == []


def test_a_line_without_end_is_cut() -> None:
    reader, writer = os.pipe()
    keyboard = Keyboard(reader)
    os.write(writer, b"x" * 4000)
    keyboard.take()
    assert len(keyboard.line) <= 200
    os.close(reader)
    os.close(writer)


def test_without_any_input() -> None:
    with Keyboard(987) as keyboard:
        assert (keyboard.take(), keyboard.open) == ([], False)
    with Keyboard(None) as keyboard:
        assert (keyboard.open, keyboard.take()) == (False, [])


def read_until(keyboard: Keyboard, last: str) -> list[str]:
    """All keys up to ``last``, in as many reads as it takes."""
    keys: list[str] = []
    while last not in keys:
        keys += keyboard.take()
    return keys


def test_arrows_escape_and_backspace_are_keys_where_they_are_wanted() -> None:
    with terminal(Typing.ARROWS) as (keyboard, ours):
        os.write(ours, b"a\x1b[B\x1bOA\x1b[5~\x7f\nD\x1b")
        assert read_until(keyboard, ESCAPE) == ["a", DOWN, UP, BACKSPACE, ENTER, "D", ESCAPE]


def test_an_arrow_that_comes_in_pieces_is_no_letter() -> None:
    """Its last byte is a capital B, which would ask whether black resigns."""
    with terminal(Typing.ARROWS) as (keyboard, ours):
        assert [typed(keyboard, ours, piece) for piece in (b"\x1b", b"[", b"B")] == [[], [], [DOWN]]


def test_ctrl_z_is_a_key_of_a_game_alone() -> None:
    """So that the program leaves the terminal before the shell has it."""
    for typing, is_key in ((Typing.KEYS, False), (Typing.ARROWS, True)):
        with terminal(typing) as (keyboard, ours):
            assert (termios.tcgetattr(keyboard.fileno() or 0)[6][termios.VSUSP] == b"\0") is is_key
            if is_key:
                os.write(ours, b"\x1a")
                assert read_until(keyboard, SUSPEND) == [SUSPEND]
