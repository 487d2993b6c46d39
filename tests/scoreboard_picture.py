"""``make picture``: README's picture of the scoreboard, from a simulated game in a real browser."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PIL import Image

from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.live.stream import GameBegun, Names, TableState, state_as_dict
from tamsk_hw.referee.events import Event
from tamsk_hw.referee.rulings import Ruling
from tests.simulation import Simulation
from tests.web.site import Site, Visit, chromium
from tests.web.stream import Told, greeting

SEED = 11

#: The colours of the picture: enough for it to look well, few enough for a small file.
COLOURS = 256


def middle_game() -> list[dict[str, Any]]:
    """A service's lines up to a moment with a glass in the hand and the timer running, and its state then."""
    told = Told()

    def took(event: Event, rulings: Sequence[Ruling]) -> None:
        told.line(event)
        for ruling in rulings:
            told.line(ruling)

    game = Simulation(Ruleset(level=3), SEED, took=took)
    told.line(GameBegun(game.header, "a", None, Names(red="Ada", black="Grace"), False))
    t = 240.0
    view = game.refereeing.view()
    while not game.is_over and not (view.t > t and view.move_started and view.deadline is not None):
        game.advance(max(t, view.t + 0.1))
        view = game.refereeing.view()
    state = json.loads(json.dumps(state_as_dict(TableState(view, False))))
    return [*told.lines, {"state": state}]


def main(path: Path) -> None:
    """Draw the picture into ``path``, a PNG."""
    site = Site()
    site.greet(greeting(speed=0.001))
    site.tell(*middle_game())
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
