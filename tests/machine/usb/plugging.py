"""Plugs a converter of our own into the machine of a table, with the table's board behind it."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

from tests.machine.table import Table
from tests.machine.usb.ch340 import Ch340
from tests.machine.usb.plugged import PluggedConverter
from tests.machine.virtual import until

_NUMBERS = count(1)


@contextmanager
def board_behind(table: Table, converter: Ch340) -> Iterator[PluggedConverter]:
    """The table's board behind a converter, connected; it is pulled afterwards."""
    assert table.board is not None
    # The socket's path must be short, so it is beside the machine's own.
    outside = PluggedConverter(converter, table.board.port, table.live_socket.with_name(f"usb-{next(_NUMBERS)}"))
    try:
        began = time.monotonic()
        table.machine.plug_redirected(outside.socket_path)
        table.is_connected()
        print(f"{converter.description.strings[1]}, plugged in to connected: {time.monotonic() - began:.1f} s")
        yield outside
        table.machine.pull()
    finally:
        outside.close()
    until(lambda: not table.state()["connected"], "the lost board is noticed")
