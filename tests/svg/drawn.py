"""Drawings taken apart again, for the tests."""

import re
from collections.abc import Iterator
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from tamsk_hw.referee.view import View
from tamsk_hw.svg import drawing_of

SPACE = "{http://www.w3.org/2000/svg}"

#: A transform: x, y, the scales in both directions, and the angle in degrees.
_STEP = re.compile(r"(\w+)\(([^)]*)\)")


def read(view: View) -> Element:
    """The root of a view's drawing, parsed."""
    return ElementTree.fromstring(drawing_of(view).svg())


def named(root: Element, name: str) -> Element:
    """The element with that id, which must be the only one."""
    (found,) = (each for each in root.iter() if each.get("id") == name)
    return found


def of_class(root: Element, name: str) -> list[Element]:
    """The elements of a class."""
    return [each for each in root.iter() if name in (each.get("class") or "").split()]


def uses(root: Element, name: str) -> int:
    """The number of times that a shape is used."""
    return sum(each.get("href") == f"#{name}" for each in root.iter(f"{SPACE}use"))


def rings_on(root: Element) -> int:
    """The number of rings that are drawn: in each stack one more than lines between them."""
    lines = sum((seams.get("d") or "").count("M") for seams in of_class(root, "seams"))
    return lines + len(of_class(root, "rings"))


def texts(root: Element) -> Iterator[tuple[Element, tuple[Element, ...]]]:
    """Each text with the elements in which it stands, from the root inwards."""

    def inside(element: Element, path: tuple[Element, ...]) -> Iterator[tuple[Element, tuple[Element, ...]]]:
        if element.tag == f"{SPACE}text":
            yield element, path
        for child in element:
            yield from inside(child, (*path, element))

    return inside(root, ())


def moved(path: tuple[Element, ...], x: float, y: float) -> tuple[float, float, float]:
    """A place in the drawing's own units, and the scale there; without turns, in which no text stands."""
    scale = 1.0
    for element in reversed(path):
        for kind, values in reversed(_STEP.findall(element.get("transform") or "")):
            numbers = [float(each) for each in values.split()]
            match kind:
                case "translate":
                    x, y = x + numbers[0], y + numbers[1]
                case "scale":
                    x, y, scale = x * numbers[0], y * numbers[-1], scale * numbers[0]
                case _:
                    raise AssertionError(f"a text stands in {kind}")
    return x, y, scale
