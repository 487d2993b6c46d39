"""Notices: their facts, JSON objects and sentences, each a line of ``tests/golden/notices.jsonl``."""

import errno
import json
import termios
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
import serial

from tamsk_hw.board.link_events import LinkProblem, PortTrouble, port_trouble
from tamsk_hw.board.protocol import FaultFlag
from tamsk_hw.facts.notices import BoardLost, BoardUnusable, Notice, read_notice
from tamsk_hw.forms import to_json
from tamsk_hw.panel.hardware import DriverTroubleKind, PanelFailed
from tamsk_hw.words.hardware import flag_words
from tamsk_hw.words.notices import notice_words

GOLDEN = Path(__file__).parents[1] / "golden" / "notices.jsonl"
LINES = [json.loads(line) for line in GOLDEN.read_text(encoding="utf-8").splitlines()]


def notice_of(line: dict[str, Any]) -> Notice:
    notice = read_notice(line["notice"])
    assert notice is not None
    return notice


@pytest.mark.parametrize("line", LINES, ids=lambda line: str(line["words"][:50]))
def test_a_notice_is_read_written_and_put_into_words(line: dict[str, Any]) -> None:
    notice = notice_of(line)
    assert to_json(notice) == line["notice"]
    assert read_notice({**line["notice"], "of_a_newer_version": 1}) == notice
    assert notice_words(notice) == line["words"]


@pytest.mark.parametrize(
    "record",
    [
        {},
        {"code": "of_a_newer_version"},
        {"code": ["board_lost"]},
        {"code": "board_lost"},
        {"code": "board_lost", "reason": "of a newer version"},
        {"code": "board_connected", "firmware": [1, 2, "3"]},
    ],
)
def test_what_this_version_does_not_know_is_none(record: dict[str, Any]) -> None:
    assert read_notice(record) is None


def kinds_in(union: Any) -> Iterator[type]:
    for each in get_args(union):
        yield from kinds_in(each) if get_args(each) else (each,)


def test_every_notice_problem_and_trouble_is_there() -> None:
    notices = [notice_of(line) for line in LINES]
    kinds = set(kinds_in(Notice))
    assert {type(notice) for notice in notices} == kinds
    assert len({kind.code for kind in kinds}) == len(kinds)  # type: ignore[attr-defined]
    problems = {type(each.reason) for each in notices if isinstance(each, BoardLost | BoardUnusable)}
    assert problems == set(kinds_in(LinkProblem))
    troubles = {each.trouble.kind for each in notices if isinstance(each, PanelFailed)}
    assert troubles == set(DriverTroubleKind)


def test_every_flag_of_a_fault_has_words() -> None:
    """A silent host and a running self-test are no faults of the board."""
    assert set(FaultFlag) - set(flag_words()) == {FaultFlag.HOST_SILENT}


@pytest.mark.parametrize(
    ("error", "trouble", "system"),
    [
        (OSError(errno.ENOENT, "No such file"), PortTrouble.MISSING, "no such file or directory"),
        (OSError(errno.EACCES, "…"), PortTrouble.NO_RIGHT, "permission denied"),
        (OSError(errno.EAGAIN, "…"), PortTrouble.IN_USE, "resource temporarily unavailable"),
        (termios.error(errno.ENOTTY, "…"), PortTrouble.NOT_SERIAL, "inappropriate ioctl for device"),
        (
            serial.SerialException("ready but\n returned no data"),
            PortTrouble.UNPLUGGED,
            "ready but returned no data",
        ),
        (termios.error(errno.EIO, "Input/output error"), PortTrouble.OTHER, "input/output error"),
        (ValueError("odd\nport"), PortTrouble.OTHER, "odd port"),
    ],
)
def test_a_ports_error(error: Exception, trouble: PortTrouble, system: str) -> None:
    assert port_trouble(error) == (trouble, system)
