"""``make picture``: README's picture of the scoreboard, from a simulated game in a real browser."""

import sys
from pathlib import Path

from PIL import Image

from tests.bench.scoreboard import played
from tests.web.site import Site, Visit, chromium
from tests.web.stream import greeting

#: The colours of the picture: enough for it to look well, few enough for a small file.
COLOURS = 256

#: The states of the game up to one with a glass in the hand and the timer running.
MOMENT = 72


def main(path: Path) -> None:
    """Draw the picture into ``path``, a PNG."""
    site = Site()
    site.greet(greeting(speed=0.001))
    known, story = played()
    for _, records in story[:MOMENT]:
        known += records
    site.tell(*known)
    with chromium() as browser:
        visit = Visit(browser, site.address, viewport={"width": 1280, "height": 720}, color_scheme="dark")
        visit.page.locator("#timer").wait_for()
        visit.page.screenshot(path=path)
        visit.close()
    site.close()
    with Image.open(path) as picture:
        picture.convert("RGB").quantize(COLOURS).save(path, optimize=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
