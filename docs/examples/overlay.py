"""Writes the newest ruling into a text file, for a text source of OBS that reads from a file.

python3 overlay.py http://127.0.0.1:8137 ruling.txt
"""

import json
import os
import sys
import time
from urllib.request import Request, urlopen


def sentences(page):
    """Rulings and decisions in words; when the page is gone for a while it goes on where it was."""
    last = ""
    while True:
        try:
            with urlopen(Request(f"{page}/events", headers={"Last-Event-ID": last}), timeout=60) as stream:
                for line in stream:
                    field, _, value = line.decode().rstrip("\n").partition(": ")
                    if field == "id":
                        last = value
                    elif field == "event":
                        kind = value
                    elif field == "data" and kind in ("ruling", "decision"):
                        yield json.loads(value)["said"]
        except OSError:
            pass
        time.sleep(2)


page, file = sys.argv[1:]
for sentence in sentences(page):
    with open(file + ".new", "w", encoding="utf-8") as new:
        new.write(sentence + "\n")
    os.replace(file + ".new", file)
