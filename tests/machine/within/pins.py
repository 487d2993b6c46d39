"""A program for inside the virtual machine: moves its pins, and prints what happens there as JSON Lines.

``python3 pins.py SECONDS WATCHED [PIN:LEVEL:AFTER:BOUNCE]...``: each PIN takes LEVEL (0 as by a button to ground,
1 let go) AFTER so many seconds, after a contact has bounced for BOUNCE microseconds. Printed are the moves with
their times, what SPI 0 sent meanwhile as /dev/vm_spi has it (base64), and each change of the pin WATCHED, an
output. All times are nanoseconds of the clock MONOTONIC.
"""

import base64
import json
import os
import sys
import time

PLACE = "/sys/devices/platform/vm_pins"


def say(**what: object) -> None:
    print(json.dumps(what))


def main() -> None:
    seconds, watched = float(sys.argv[1]), int(sys.argv[2])
    moves = sorted(
        (float(after), pin, level, bounce)
        for pin, level, after, bounce in (text.split(":") for text in sys.argv[3:])
    )
    spi = os.open("/dev/vm_spi", os.O_RDONLY)
    while os.read(spi, 1 << 16):
        pass
    level_before = None
    began = time.monotonic()
    while (now := time.monotonic() - began) < seconds:
        while moves and moves[0][0] <= now:
            _, pin, level, bounce = moves.pop(0)
            at = time.monotonic_ns()
            with open(f"{PLACE}/drive", "w") as drive:
                drive.write(f"{pin} {level} {bounce}")
            say(moved=int(pin), level=int(level), ns=at)
        with open(f"{PLACE}/levels") as levels:
            level = levels.read()[watched]
        if level != level_before:
            level_before = level
            say(watched=int(level), ns=time.monotonic_ns())
        sent = b""
        while part := os.read(spi, 1 << 16):
            sent += part
        if sent:
            say(sent=base64.b64encode(sent).decode())
        time.sleep(0.005)


if __name__ == "__main__":
    main()
