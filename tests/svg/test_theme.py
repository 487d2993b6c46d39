"""The colours of the drawing: readable in both themes, and changed by a page through its style sheet."""

import re

import pytest

from tamsk_hw.svg import Theme, drawing_of, stylesheet
from tamsk_hw.svg.elements import Role, colour
from tests.panel.boards import view


def luminance(shade: str) -> float:
    """The relative luminance of a colour, by WCAG 2.1."""
    parts = [int(shade[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Role, other: Role, theme: Theme) -> float:
    """The contrast of two colours, 1 to 21, by WCAG 2.1."""
    high, low = sorted((luminance(colour(role, theme)) for role in (one, other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


TEXTS = [
    (Role.TEXT, Role.CARD),
    (Role.TEXT, Role.PAGE),
    (Role.QUIET, Role.CARD),
    (Role.NAME, Role.PLATE),
    (Role.ON_PLAYER, Role.RED),
    (Role.ON_PLAYER, Role.BLACK),
    (Role.ON_DOUBT, Role.DOUBT),
    (Role.ON_WRONG, Role.WRONG),
]

SIGNS = [
    (Role.ALLOWED, Role.PLATE),
    (Role.DOUBT, Role.PLATE),
    (Role.ON_WRONG, Role.PLATE),
    (Role.SAND_RED, Role.BULB),
    (Role.SAND_BLACK, Role.BULB),
    (Role.SAND_TIMER, Role.BULB),
    (Role.SAND_RED, Role.SAND_BLACK),
    (Role.CAP_EDGE, Role.PLATE),
    (Role.CAP_EDGE, Role.BLACK),
    (Role.DEAD_MARK, Role.CAP_EDGE),
    (Role.LID_BAR, Role.LID),
    (Role.RING, Role.RING_EDGE),
]


@pytest.mark.parametrize("theme", Theme)
def test_text_can_be_read_and_signs_stand_out(theme: Theme) -> None:
    for least, pairs in ((4.5, TEXTS), (3.0, SIGNS)):
        for one, other in pairs:
            assert contrast(one, other, theme) >= least, f"{one} on {other}"


def test_every_colour_of_a_drawing_can_be_changed_by_its_class() -> None:
    text = drawing_of(view(), theme=Theme.DARK).svg()
    classes = set(re.findall(r"tamsk-(?:fill|line)-[a-z-]+", text))
    assert len(classes) > 12
    sheet = stylesheet()
    for name in classes:
        assert f".{name}{{" in sheet
    for element in re.findall(r"<[a-z][^>]*>", text):
        for property_name in ("fill", "stroke"):
            painted = re.search(rf' {property_name}="(#\w{{6}})"', element)
            kind = "fill" if property_name == "fill" else "line"
            assert painted is None or f"tamsk-{kind}-" in element, element
