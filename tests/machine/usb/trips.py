"""Runs in the virtual machine: how long bytes take to an echo behind a serial port and back, by its clock.

``trips.py PORT TRIPS BYTES`` prints milliseconds, a line for each trip. It needs nothing but Python.
"""

import os
import sys
import termios
import time
import tty

#: Trips that are not counted: the first ones load what is needed.
BEFORE = 10


def main() -> None:
    """Open the port as the program does, and send each trip's bytes when those of the last one are back."""
    port, trips, size = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    line = os.open(port, os.O_RDWR | os.O_NOCTTY)
    tty.setraw(line)
    settings = termios.tcgetattr(line)
    settings[4] = settings[5] = termios.B500000
    termios.tcsetattr(line, termios.TCSANOW, settings)
    time.sleep(0.5)
    termios.tcflush(line, termios.TCIOFLUSH)
    for trip in range(BEFORE + trips):
        sent = bytes(1 + (trip + place) % 255 for place in range(size))
        began = time.monotonic()
        os.write(line, sent)
        heard = b""
        while len(heard) < size:
            heard += os.read(line, 4096)
        took = time.monotonic() - began
        if heard != sent:
            sys.exit(f"trip {trip}: sent {sent.hex()}, heard {heard.hex()}")
        if trip >= BEFORE:
            print(f"{1000 * took:.3f}")
        # Not in step with the converter's timer.
        time.sleep(0.003 + trip * 7 % 17 / 1000)


if __name__ == "__main__":
    main()
