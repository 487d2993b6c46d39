"""The parts of the table's page that a browser has already, so that only the others are sent to it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from hashlib import blake2b
from typing import Final

from markupsafe import Markup

#: Revisions of which it is known what a browser has that shows them.
KNOWN_REVISIONS: Final = 32

#: The fingerprint of each part by its id.
Fingerprints = Mapping[str, bytes]


class Parts:
    """Notes a page's parts while a template makes them, and leaves out those that are in ``had``.

    What is left out is an empty element with the same name and id and the attribute ``data-same``.
    """

    def __init__(self, had: Fingerprints | None = None) -> None:
        self._had = had or {}
        self.fingerprints: dict[str, bytes] = {}

    def part(self, name: str, element: str, *, caller: Callable[[], Markup]) -> Markup:
        """The part with the id ``name``, an ``element``, which the caller makes."""
        markup = caller()
        return self.drawn(name, element, markup, markup)

    def drawn(self, name: str, element: str, markup: Markup, at_rest: str) -> Markup:
        """The same for a part that is made; ``at_rest`` has nothing of it that a browser moves by itself."""
        found = blake2b(at_rest.encode(errors="backslashreplace"), digest_size=8).digest()
        self.fingerprints[name] = found
        if self._had.get(name) != found:
            return markup
        return Markup('<{0} id="{1}" data-same></{0}>').format(Markup(element), name)


class KnownParts:
    """The parts of the last revisions that were sent."""

    def __init__(self) -> None:
        self._of: OrderedDict[str, Fingerprints] = OrderedDict()

    def of(self, revision: str) -> Fingerprints | None:
        """The parts of a revision; None for one that is not known any more."""
        return self._of.get(revision)

    def keep(self, revision: str, fingerprints: Fingerprints) -> None:
        """Remember the parts of a revision, and forget the oldest."""
        self._of.setdefault(revision, fingerprints)
        while len(self._of) > KNOWN_REVISIONS:
            self._of.popitem(last=False)
