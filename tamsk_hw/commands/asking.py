"""Asking a running program for something from a shell: what is printed, and the exit status."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, NoReturn

import click

from tamsk_hw.errors import SocketError, printable

if TYPE_CHECKING:
    from tamsk_hw.system.socket_client import LineConnection

#: Exit statuses: it is refused; no such program answers.
REFUSED: Final = 1
UNREACHABLE: Final = 3


def end(status: int, why: object) -> NoReturn:
    """End with an exit status, and the reason on standard error."""
    click.echo(f"tamsk-hw: {printable(str(why))}", err=True)
    sys.exit(status)


def act(connect: Callable[[], LineConnection], what: dict[str, Any], patience: float) -> None:
    """Have a program do something, and wait until it is done; end with the reason if it is not.

    ``patience``: real seconds in which something must be heard.
    """
    try:
        with connect() as connection:
            answer = connection.ask(what, patience=patience)
    except SocketError as error:
        end(UNREACHABLE, error)
    if "refused" in answer:
        end(REFUSED, answer["refused"])
