"""The language that the environment asks for."""

from __future__ import annotations

import pytest

from tamsk_hw.system.language import Language, environment_language


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, Language.ENGLISH),
        ({"LANG": ""}, Language.ENGLISH),
        ({"LANG": "C"}, Language.ENGLISH),
        ({"LANG": "POSIX"}, Language.ENGLISH),
        ({"LANG": "C.UTF-8"}, Language.ENGLISH),
        ({"LANG": "en_GB.UTF-8"}, Language.ENGLISH),
        ({"LANG": "de_DE.UTF-8"}, Language.GERMAN),
        ({"LANG": "de"}, Language.GERMAN),
        ({"LANG": "de_AT"}, Language.GERMAN),
        ({"LANG": "de_DE@euro"}, Language.GERMAN),
        ({"LANG": "fr.UTF-8"}, Language.FRENCH),
        ({"LANG": "nl_BE.UTF-8"}, Language.DUTCH),
        ({"LANG": "es_ES.UTF-8"}, Language.ENGLISH),
        ({"LANG": "deutsch"}, Language.ENGLISH),
        ({"LANG": "\x1b[31m"}, Language.ENGLISH),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "fr_FR.UTF-8"}, Language.FRENCH),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "fr_FR.UTF-8", "LC_ALL": "C"}, Language.ENGLISH),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "", "LC_ALL": ""}, Language.GERMAN),
        ({"LANG": "de_DE.UTF-8", "LC_CTYPE": "fr_FR.UTF-8"}, Language.GERMAN),
    ],
)
def test_the_first_variable_that_is_set_decides(environment: dict[str, str], language: Language) -> None:
    assert environment_language(environment) is language
