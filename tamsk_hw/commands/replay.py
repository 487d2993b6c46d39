"""Refereeing a recorded stream from its first line to its last (docs/formats.md, Command line)."""

from __future__ import annotations

import os
from collections.abc import Iterable

from tamsk_hw.referee import Referee
from tamsk_hw.referee.rulings import Ruling
from tamsk_hw.referee.stream import event_as_dict, json_line, read_stream


def referee_stream(lines: Iterable[str | bytes], name: str) -> list[Ruling]:
    """All rulings on a stream.

    Raises:
        StreamError: the stream is refused; ``name`` and the line are in the message.
    """
    header, events = read_stream(lines, name)
    referee = Referee(header)
    rulings: list[Ruling] = []
    for event in events:
        rulings += referee.handle(event)
    return rulings


def replay_lines(lines: Iterable[str | bytes], name: str, *, as_json: bool) -> list[str]:
    """The rulings on a stream as lines to print: JSON objects, or words.

    Nothing is given out before the whole stream has been taken.

    Raises:
        StreamError: the stream is refused.
    """
    rulings = referee_stream(lines, name)
    if as_json:
        return [json_line(ruling.as_dict()) for ruling in rulings]
    from tamsk_hw.words.rulings import line

    return [line(ruling) for ruling in rulings]


def capture_lines(lines: Iterable[bytes], name: str, *, as_json: bool) -> list[str]:
    """What is heard of the games of a capture, as lines to print: JSON objects, or rulings and notices in words.

    Nothing is given out before the whole capture has been taken. A last line that is torn is left out, with a
    warning on standard error.

    Raises:
        StreamError: the capture is refused.
    """
    import click

    from tamsk_hw.board.wiring import load_wiring
    from tamsk_hw.configuration import Places, load_configuration
    from tamsk_hw.facts.notices import as_dict
    from tamsk_hw.table.capture_replay import Noticed, replay_capture
    from tamsk_hw.table.captured import read_capture
    from tamsk_hw.words.notices import notice_words
    from tamsk_hw.words.output import torn_words
    from tamsk_hw.words.rulings import line

    captured = read_capture(lines, name)
    wiring = load_wiring()
    if wiring.hash != captured.head.wiring:
        wiring = load_wiring(load_configuration(None, Places.of(os.environ)).board.wiring)
    heard = replay_capture(captured, wiring, name)
    if captured.torn:
        click.echo(torn_words(name, captured.torn), err=True)
    printed: list[str] = []
    for each in heard:
        if isinstance(each, Noticed):
            words = notice_words(each.notice)
            fact = {"at": each.at, "notice": as_dict(each.notice), "words": words}
            printed.append(json_line(fact) if as_json else words)
        elif as_json:
            printed.append(json_line({"at": each.at, "event": event_as_dict(each.event)}))
            printed += [json_line({**ruling.as_dict(), "at": each.at}) for ruling in each.rulings]
        else:
            printed += [line(ruling) for ruling in each.rulings]
    return printed
