"""The guest's real driver with a converter that does as a CH340 does: games go on, whatever happens to it."""

import time

from tests.machine.faults import after
from tests.machine.table import Table
from tests.machine.usb.ch340 import Ch340
from tests.machine.usb.plugging import board_behind
from tests.machine.virtual import until


def test_a_game_outlives_what_happens_to_its_converter(table: Table) -> None:
    table.bring(seed=3)
    table.start_record()
    chip = Ch340()
    with board_behind(table, chip) as outside:
        assert table.machine.run("readlink -f /sys/bus/usb-serial/devices/ttyUSB0/driver").endswith("/ch341-uart")
        assert "ID_MM_DEVICE_IGNORE=1" in table.machine.run("udevadm info /dev/tamsk-board")
        table.start_game()
        table.play(turns=2)
        life = table.property("InvocationID")

        for _ in range(40):  # noise on the line: bytes that nobody sent
            with outside.held():
                chip.from_line(bytes((0xFF, 0x00)))
            time.sleep(0.05)
        after(table)

        with outside.held() as redirection:  # a hub that has no time for it
            redirection.muted_until = time.monotonic() + 3.0
        until(lambda: not table.state()["connected"], "the silent board is noticed")
        table.is_connected()
        after(table)

        with outside.held() as redirection:  # a supply that sags: the chip starts again by itself
            redirection.detach()
        until(lambda: not table.state()["connected"], "the lost board is noticed")
        with outside.held() as redirection:
            redirection.attach()
        table.is_connected()
        after(table)

        with outside.held() as redirection:  # a transfer that ends with STALL
            redirection.stalls = 1
        until(lambda: not outside.redirection.stalls, "the transfer has ended so")
        table.is_connected()
        after(table)
    with board_behind(table, chip):  # pulled out, and put in again
        after(table)
    assert table.property("InvocationID") == life
