"""The drawing and the hands that a page shows."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from markupsafe import Markup

from tamsk_hw.game.tubes import PLAYERS, RINGS_EACH, Tube
from tamsk_hw.panel.diagnosis import Confirmation
from tamsk_hw.referee.events import Button, ButtonName, Press
from tamsk_hw.referee.view import GlassView
from tamsk_hw.svg import Drawing, Theme
from tamsk_hw.svg.elements import FLAT, LEVEL, RING, Ink, fit, foot, tag
from tamsk_hw.svg.elements import at as moved
from tamsk_hw.svg.things import GLASS_HEIGHT, SCALE, hourglass, rings_on_pole, timer_glass
from tamsk_hw.web.scene import TableScene
from tamsk_hw.words.arbiter import confirmation_words

_INK = Ink(Theme.LIGHT)

#: The height of the uppermost edge of all rings of a player.
_TALLEST = RINGS_EACH * LEVEL + RING * FLAT + 2

_TIMER_HEIGHT = 1.3 / SCALE * GLASS_HEIGHT


def board_svg(scene: TableScene, theme: Theme = Theme.LIGHT) -> str:
    """The drawing of a scene."""
    return Drawing(view=scene.view, diagnosis=scene.diagnosis, theme=theme).svg()


def board_layers(scene: TableScene) -> Iterator[tuple[str, Markup, str]]:
    """The board of a scene as SVGs one upon the other, the lowest first.

    Each has its id, and its markup at rest: the same while nothing but sand has run.
    """
    leaning = frozenset() if scene.at_hand is None else scene.at_hand.leaning
    drawing, still = (
        Drawing(view=view, diagnosis=scene.diagnosis, leaning=leaning) for view in (scene.view, scene.still_view)
    )
    for (name, markup), (_, at_rest) in zip(drawing.layers(), still.layers(), strict=True):
        yield name, Markup(markup), at_rest


def stale_layer(scene: TableScene) -> tuple[str, Markup] | None:
    """The sign above a board that is out of reach, with its id."""
    sign = Drawing(view=scene.view, diagnosis=scene.diagnosis).stale_sign()
    return None if sign is None else (sign[0], Markup(sign[1]))


def timer_svg(seconds: float, t: float, words: str = "", prefix: str = "") -> Markup:
    """The 15-second timer with that many seconds to run above; ``prefix`` begins its id."""
    glass = timer_glass(replace(_INK, prefix=prefix), seconds=seconds, t=t, words=words)
    drawn = glass.replace(f"#{prefix}", "#")
    return _svg((-40, -_TIMER_HEIGHT - 4, 80, _TIMER_HEIGHT + 18), drawn)


def ring_row(left: int) -> Markup:
    """This many rings on a pole that lies on its side."""
    lying = tag("g", rings_on_pole(_INK, left), transform=moved(0, 0, "rotate(90)", "scale(.6 1)"))
    return _svg((-46, -46, _TALLEST + 46, 92), lying)


def small_glass(glass: GlassView, name: str = "", t: float = 0.0) -> Markup:
    """A glass alone; ``name`` is its id."""
    drawn = hourglass(_INK, glass, name=name, words="", place=(0.0, 0.0), t=t, alone=True)
    return _svg((-40, -GLASS_HEIGHT - 4, 80, GLASS_HEIGHT + 18), drawn.replace(' id=""', ""))


def board_transform(tubes: Iterable[Tube]) -> str:
    """The transform of the drawing's board."""
    x, y, scale = fit(tubes)
    return f"translate({x:g} {y:g}) scale({scale:g})"


def from_behind(tubes: Iterable[Tube]) -> list[Tube]:
    """The tubes from behind to the front, as they hide each other."""
    return sorted(tubes, key=lambda tube: foot(tube)[1])


def press_questions(scene: TableScene) -> dict[str, str]:
    """The question before a long press, by button; a press that takes nothing away has none."""
    asking = [ButtonName.START] if scene.state.offered else []
    if not scene.state.offered and scene.view.is_played:
        asking = [ButtonName(player.value) for player in PLAYERS]
    presses = [Button(0.0, button, Press.LONG) for button in asking]
    return {press.button.value: confirmation_words(Confirmation(press), scene.view) for press in presses}


def _svg(box: tuple[float, float, float, float], *content: str) -> Markup:
    """A small drawing that uses the board's definitions; the words beside it say the same."""
    view_box = " ".join(f"{each:g}" for each in box)
    return Markup(tag("svg", *content, viewBox=view_box, aria_hidden="true", focusable="false"))
