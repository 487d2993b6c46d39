"""What is typed during a walk: lines from a pipe, lines or single keys from a terminal."""

from __future__ import annotations

import os
import pty
import select
import termios

from tamsk_hw.workbench.walk.keyboard import Keyboard, Typing


def test_lines_from_a_pipe_and_its_end() -> None:
    reader, writer = os.pipe()
    with Keyboard(reader, Typing.KEYS) as keyboard:
        assert keyboard.take() == []
        os.write(writer, b"D1\n\nba")
        assert keyboard.take() == ["D1", ""]
        os.write(writer, b"ck\r\xff\x1b[A\x1b[4~\n")
        assert keyboard.take() == ["back", ""]
        os.write(writer, b"one\r\ntwo\r\n")
        assert keyboard.take() == ["one", "two"]
        os.close(writer)
        assert keyboard.take() == []
        assert not keyboard.open
    os.close(reader)


def test_a_last_line_without_an_end_counts() -> None:
    reader, writer = os.pipe()
    keyboard = Keyboard(reader)
    os.write(writer, b"y\nB")
    assert keyboard.take() == ["y"]
    os.close(writer)
    assert keyboard.take() == ["B"]
    assert not keyboard.open
    assert keyboard.take() == []
    os.close(reader)


def test_keys_are_taken_one_by_one_and_the_terminal_is_left_as_it_was() -> None:
    ours, theirs = pty.openpty()
    before = termios.tcgetattr(theirs)
    with Keyboard(theirs, Typing.SHOWN) as keyboard:
        assert not termios.tcgetattr(theirs)[3] & termios.ECHO
        os.write(ours, b"D4\x7f1")
        lines: list[str] = []
        while keyboard.line != "D1":
            lines += keyboard.take()
        assert lines == []
    assert termios.tcgetattr(theirs) == before
    os.close(ours)
    os.close(theirs)


def test_each_key_of_a_terminal_comes_at_once_and_it_is_left_as_it_was() -> None:
    ours, theirs = pty.openpty()
    before = termios.tcgetattr(theirs)
    with Keyboard(theirs, Typing.KEYS) as keyboard:
        os.write(ours, b"yN x\n")
        select.select([theirs], [], [], 10)
        assert keyboard.take() == ["y", "N", " ", "x", ""]
        os.write(ours, b"\x1b[B")
        select.select([theirs], [], [], 10)
        assert keyboard.take() == []
    assert termios.tcgetattr(theirs) == before
    os.close(ours)
    os.close(theirs)


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
