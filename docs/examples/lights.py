"""Shows whose turn it is by the colour of a lamp: put your own lamp into `show`.

python3 lights.py /run/tamsk-hw/live.sock
"""

import json
import socket
import sys
import time

OFF, WHITE, COLOURS = (0, 0, 0), (255, 255, 255), {"red": (255, 0, 0), "black": (0, 0, 255)}


def colour(state):
    """White: something is to be put right, or the arbiter is asked; else the player's whose turn it is."""
    if not state["connected"] or state["phase"] in ("offered", "setup"):
        return OFF
    if state["over"]:
        return COLOURS.get(state["over"]["winner"], OFF)
    return WHITE if state["wrong"] or state["question"] else COLOURS.get(state["turn"], OFF)


def show(red, green, blue):
    """Light the lamp; the numbers are 0 to 255."""
    print(red, green, blue, flush=True)


shown = None
while True:
    try:
        with socket.socket(socket.AF_UNIX) as stream:
            stream.connect(sys.argv[1])
            for line in stream.makefile(encoding="utf-8"):
                state = json.loads(line).get("state")
                if state and colour(state) != shown:
                    shown = colour(state)
                    show(*shown)
    except OSError:
        pass  # the service is not there, or has gone
    time.sleep(2)
