"""``make picture``: README's picture, drawn from a simulated game by the program's own hand."""

import sys
from io import StringIO
from pathlib import Path

from rich.console import Console

from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.panel.diagnosis import InputMethods, diagnose
from tamsk_hw.terminal.picture import HEIGHT, WIDTH, Scene, picture
from tamsk_hw.words.rulings import line
from tests.simulation import Simulation

SEED = 11


def picture_svg(scene: Scene, *, title: str = "tamsk-hw run") -> str:
    """The picture as an SVG of a terminal window."""
    console = Console(
        record=True, width=WIDTH, height=HEIGHT, file=StringIO(), force_terminal=True, color_system="truecolor"
    )
    console.print(picture(scene))
    return console.export_svg(title=title)


def main(path: Path) -> None:
    """Play into the middle game until a glass is in the hand with the timer running, and draw it."""
    game = Simulation(Ruleset(level=3), SEED)
    t = 120.0
    view = game.refereeing.view()
    while not game.is_over and not (view.move_started and view.deadline is not None):
        game.advance(t)
        view = game.refereeing.view()
        t += 0.1
    recent = [line(ruling) for ruling in game.refereeing.rulings[-8:]]
    diagnosis = diagnose(view, ways=InputMethods(keys=True, demo=True))
    board = f"simulated board, seed {SEED}"
    svg = picture_svg(Scene(view=view, diagnosis=diagnosis, recent=recent, speed=10.0, board=board))
    path.write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
