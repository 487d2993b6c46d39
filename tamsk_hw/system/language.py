"""The languages that the program speaks, and the one that the environment asks for."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Final


class Language(Enum):
    """A language of the program, by its code of ISO 639-1, and its own name."""

    ENGLISH = "en", "English"
    GERMAN = "de", "Deutsch"
    FRENCH = "fr", "Français"
    DUTCH = "nl", "Nederlands"

    own_name: str

    def __new__(cls, code: str, own_name: str) -> Language:
        """A member whose value is the code."""
        member = object.__new__(cls)
        member._value_, member.own_name = code, own_name
        return member


#: Where POSIX looks for the language of messages; the first variable that is set and not empty decides.
_VARIABLES: Final = ("LC_ALL", "LC_MESSAGES", "LANG")


def environment_language(environment: Mapping[str, str]) -> Language:
    """The language of a locale's name, as ``de_AT.UTF-8``; English for any other, and without one."""
    name = next((value for variable in _VARIABLES if (value := environment.get(variable))), "")
    code = name.partition(".")[0].partition("@")[0].partition("_")[0].lower()
    return next((language for language in Language if language.value == code), Language.ENGLISH)
