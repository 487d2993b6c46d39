"""Reads a sheet's texts with the groups that they are in. Nothing of `wiring.make` is used."""

from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree import ElementTree

_SVG = "{http://www.w3.org/2000/svg}"


@dataclass(frozen=True, slots=True)
class Text:
    """A text, and the data of the groups that it is in, the innermost last."""

    words: str
    groups: tuple[dict[str, str], ...]

    def data(self, key: str) -> str | None:
        """The attribute of the innermost group that has it."""
        return next((group[key] for group in reversed(self.groups) if key in group), None)


@dataclass(frozen=True)
class Paper:
    """A sheet."""

    texts: tuple[Text, ...]

    def pins(self) -> dict[tuple[str, str], tuple[str, ...]]:
        """The texts at each pin by part and number; raises where a pin drawn twice differs."""
        found: dict[tuple[str, str], list[str]] = {}
        groups: dict[int, tuple[str, str]] = {}
        for text in self.texts:
            if text.groups and "data-pin" in text.groups[-1]:
                groups[id(text.groups[-1])] = text.groups[-1]["data-ref"], text.groups[-1]["data-pin"]
        for group, key in groups.items():
            words = [each.words for each in self.texts if each.groups and id(each.groups[-1]) == group]
            assert found.setdefault(key, words) == words, f"{key} is drawn as {found[key]} and as {words}"
        return {key: tuple(words) for key, words in found.items()}


def read(svg: str) -> Paper:
    """The sheet in an SVG file."""
    return Paper(tuple(_texts(ElementTree.fromstring(svg), ())))


def _texts(element: ElementTree.Element, groups: tuple[dict[str, str], ...]) -> Iterator[Text]:
    for child in element:
        if child.tag == f"{_SVG}g":
            data = {key: value for key, value in child.attrib.items() if key.startswith("data-")}
            yield from _texts(child, (*groups, data))
        elif child.tag == f"{_SVG}text":
            yield Text(child.text or "", groups)
