"""Drawings taken apart again, for the tests."""

from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from tamsk_hw.referee.view import View
from tamsk_hw.svg import drawing_of

SPACE = "{http://www.w3.org/2000/svg}"


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
