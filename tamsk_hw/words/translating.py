"""Translation of sentences: English stands in the code, the other languages in the catalogues beside it.

A sentence is one call of `tr`, `ntr` or `tr_in` with a literal text and named values; docs/languages.md says how
such texts are written and translated. The language is that of the context (`speaking`): a new thread or task has
its starter's language only if it runs in a copy of the starter's context.
"""

import gettext
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Any, Final

from tamsk_hw.errors import CatalogueError
from tamsk_hw.game.tubes import Player
from tamsk_hw.system.output import CATALOGUES, Language


def capital(text: str) -> str:
    """The text with a capital at its beginning, and otherwise unchanged."""
    return text[:1].upper() + text[1:]


def some_of(names: Iterable[str], most: int = 12) -> str:
    """At most ``most`` names one after the other, and the number of the others."""
    names = list(names)
    more = len(names) - most
    return " ".join(names) if more <= 0 else f"{' '.join(names[:most])} and {more} more"


#: The name of the catalogues' files.
DOMAIN: Final = "tamsk-hw"

_current: ContextVar[Language] = ContextVar("language", default=Language.ENGLISH)


@contextmanager
def speaking(language: Language) -> Iterator[None]:
    """Within it sentences are in ``language``.

    Raises:
        CatalogueError: its catalogue is missing or damaged.
    """
    catalogue(language)
    token = _current.set(language)
    try:
        yield
    finally:
        _current.reset(token)


def spoken() -> Language:
    """The language of the sentences here and now."""
    return _current.get()


def own_name(language: Language) -> str:
    """The name of a language in itself."""
    with speaking(language):
        return tr_in("the name of this language in itself", "English")


def tr(message: str, /, **values: object) -> str:
    """The message with its values, in the language that is spoken.

    ``{name}`` stands for the value of that name, ``{Name}`` for the same with a capital at its beginning. A player
    is called by his colour; a number that is no whole one gets the language's decimal mark.
    """
    return worded(message, **values)


def ntr(singular: str, plural: str, count: int, /, **values: object) -> str:
    """As `tr`, in the form that ``count`` takes; ``{count}`` stands for it."""
    text = catalogue(_current.get()).ngettext(singular, plural, count)
    return _filled(text, {"count": count, **values})


def tr_in(context: str, message: str, /, **values: object) -> str:
    """As `tr`, for a text that may be translated differently elsewhere."""
    return _filled(catalogue(_current.get()).pgettext(context, message), values)


def worded(message: str, /, **values: object) -> str:
    """As `tr`, for a message that is `marked` where it stands."""
    return _filled(catalogue(_current.get()).gettext(message), values)


def player_words(player: Player) -> str:
    """A player's name within a sentence; it has the same form wherever it stands."""
    return tr_in("player", "red") if player is Player.RED else tr_in("player", "black")


def letter_words(player: Player) -> str:
    """The letter that stands for a player where there is no room for his name."""
    return tr_in("letter of a player", "R") if player is Player.RED else tr_in("letter of a player", "B")


@cache
def catalogue(language: Language) -> gettext.NullTranslations:
    """The translations into a language, read once.

    Raises:
        CatalogueError: they are missing or damaged.
    """
    is_in_the_code = language is Language.ENGLISH
    try:
        return gettext.translation(DOMAIN, CATALOGUES, [language.value], fallback=is_in_the_code)
    except (OSError, UnicodeDecodeError) as error:
        raise CatalogueError(language.value, error) from None


#: The place of a value in a text: its name, and the form of a number.
_PLACE: Final = re.compile(r"\{(\w+)(?::([^{}]*))?\}")


def _filled(text: str, values: Mapping[str, Any]) -> str:
    """The text with the values at their places; raises `KeyError` where one is missing."""

    def put(place: re.Match[str]) -> str:
        name, form = place[1], place[2] or ""
        if name not in values and name[0].isupper():
            return capital(_shown(values[name[0].lower() + name[1:]], form))
        return _shown(values[name], form)

    return _PLACE.sub(put, text) if values else text


def _shown(value: Any, form: str) -> str:
    """A value within a text."""
    match value:
        case Player():
            return player_words(value)
        case float() | int() if "." in form or isinstance(value, float):
            return format(float(value), form).replace(".", tr_in("decimal mark", "."))
        case _:
            return format(value, form)
