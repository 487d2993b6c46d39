"""Giving a board its id, by which a host distinguishes boards."""

from __future__ import annotations

import re
import secrets
from dataclasses import replace
from typing import Final

from tamsk_hw.board.link_events import BoardIdArrived, Connected
from tamsk_hw.board.protocol import NO_BOARD_IDS, Hello
from tamsk_hw.board.serial_link import SerialLink
from tamsk_hw.errors import FlashError
from tamsk_hw.workbench.listening import Clock, polls_within

#: Seconds for a board to store an id; it answers within 0.1 s, and is asked again every 0.5 s.
BOARD_ID_MOST: Final = 3.0


def asked_id(text: str | None) -> int | None:
    """The id given with ``--board-id``; None without the option.

    Raises `FlashError` for anything but a possible id.
    """
    if text is None:
        return None
    if not re.fullmatch("[0-9A-Fa-f]{8}", text) or int(text, 16) in NO_BOARD_IDS:
        raise FlashError(
            f'--board-id "{text}": allowed are eight hexadecimal digits, as 0a1b2c3d; 00000000 and ffffffff are '
            "those of a board that has none"
        )
    return int(text, 16)


class Naming:
    """The id for one board: ``wanted``, or one drawn at random for a board that has none."""

    def __init__(self, wanted: int | None) -> None:
        self.wanted = wanted
        # Among a thousand boards two share an id once in 8600 times.
        self._given = secrets.randbelow(0xFFFFFFFE) + 1 if wanted is None else wanted

    def settle(self, link: SerialLink, hello: Hello, clock: Clock) -> Hello:
        """Give a connected board its id, if it needs one; return its HELLO afterwards."""
        if hello.board_id == self._given or (self.wanted is None and hello.board_id not in NO_BOARD_IDS):
            return hello
        link.session.set_board_id(self._given)
        for events in polls_within(link, clock, BOARD_ID_MOST):
            for event in events:
                match event:
                    case BoardIdArrived(_, board_id):
                        return replace(hello, board_id=board_id)
                    case Connected():
                        link.session.set_board_id(self._given)
        return hello

    def words(self, port: str, hello: Hello) -> str:
        """A sentence on the board's id. Raises `FlashError` when it is not the wanted one."""
        if self.wanted is not None and hello.board_id != self.wanted:
            has = "no id" if hello.board_id in NO_BOARD_IDS else f"the id {hello.board_id:08x}"
            raise FlashError(
                f"{port}: the program was written, but the board has {has}, not {self.wanted:08x}: run the same "
                "command again; if that does not help, its EEPROM is worn out"
            )
        if hello.board_id in NO_BOARD_IDS:
            return "This board keeps no id: it cannot be distinguished from others. It plays all the same."
        return f"This is board {hello.board_id:08x}."

    def not_done(self, port: str) -> None:
        """The id of this board cannot be set. Raises `FlashError` where one was wanted."""
        if self.wanted is not None:
            raise FlashError(
                f"{port}: the program was written, but this board did not get the id {self.wanted:08x}: write the "
                "program that belongs to this host"
            )
