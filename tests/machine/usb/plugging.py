"""Plugs converters of our own into the machine of a table, with the table's board or an echo behind them."""

import os
import time
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from threading import Thread

from tests.machine.table import Table
from tests.machine.usb.device import SerialConverter
from tests.machine.usb.plugged import PluggedConverter
from tests.machine.virtual import until

_NUMBERS = count(1)


@contextmanager
def plugged(table: Table, converter: SerialConverter, port: Path) -> Iterator[PluggedConverter]:
    """A converter that is plugged in, with the pseudo-terminal ``port`` behind it; it is pulled afterwards."""
    # The socket's path must be short, so it is beside the machine's own.
    outside = PluggedConverter(converter, port, table.live_socket.with_name(f"usb-{next(_NUMBERS)}"))
    try:
        table.machine.plug_redirected(outside.socket_path)
        yield outside
        table.machine.pull()
    finally:
        outside.close()


@contextmanager
def board_behind(table: Table, converter: SerialConverter) -> Iterator[PluggedConverter]:
    """The table's board behind a converter, connected; it is pulled afterwards."""
    assert table.board is not None
    with plugged(table, converter, table.board.port) as outside:
        began = time.monotonic()
        table.is_connected()
        print(f"{converter.description.strings[1]}, plugged in to connected: {time.monotonic() - began:.1f} s")
        yield outside
    until(lambda: not table.state()["connected"], "the lost board is noticed")


@contextmanager
def pseudo_terminal(serve: Callable[[int], None]) -> Iterator[Path]:
    """A pseudo-terminal whose master ``serve`` is given in a thread, until it cannot be read any more."""
    master, slave = os.openpty()
    tty.setraw(slave)
    thread = Thread(target=serve, args=(master,), name="far end", daemon=True)
    thread.start()
    try:
        # The slave stays open, so that the master can be read while nobody else has it open.
        yield Path(os.ttyname(slave))
    finally:
        os.close(slave)
        thread.join(10)
        os.close(master)


def echo(master: int) -> None:
    """Send back every byte at once."""
    with suppress(OSError):
        while data := os.read(master, 4096):
            os.write(master, data)
