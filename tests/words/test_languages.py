"""Sentences in all languages: nothing is lost, and the most common ones are as players say them."""

import json
import re
from collections import Counter
from collections.abc import Callable
from contextvars import copy_context
from functools import partial
from threading import Thread
from typing import Any

import pytest

from tamsk_hw.errors import CatalogueError
from tamsk_hw.facts.notices import GameSlowed, read_notice
from tamsk_hw.referee.rulings import parse_ruling
from tamsk_hw.system.output import Language
from tamsk_hw.words import translating
from tamsk_hw.words.notices import notice_words
from tamsk_hw.words.rulings import say
from tamsk_hw.words.translating import player_words, speaking, spoken
from tests.house import ROOT
from tests.panel.boards import BLACK, RED

ENGLISH, GERMAN, FRENCH, DUTCH = Language.ENGLISH, Language.DE, Language.FR, Language.NL
TRANSLATED = (GERMAN, FRENCH, DUTCH)


def tokens(text: str) -> Counter[str]:
    """Tubes, numbers and made-up names in a text; a decimal comma is a point."""
    found = re.findall(r"\b[A-G][1-7]\b|[ΞΨΩ]+|[0-9]+(?:[.,][0-9]+)*", text)
    return Counter(token.replace(",", ".") for token in found)


def players(text: str) -> dict[str, int]:
    """The number of times that each player is named in a text of the language that is spoken."""
    return {
        player.value: len(re.findall(rf"\b{player_words(player)}\b", text, re.IGNORECASE))
        for player in (RED, BLACK)
    }


def assert_nothing_is_lost(say_it: Callable[[], str], *, names_players: bool = True) -> None:
    """Of a notice the system's own words may be a player's name, and all of it."""
    english = say_it()
    called = players(english)
    for language in TRANSLATED:
        with speaking(language):
            words = say_it()
            assert not names_players or players(words) == called, (english, words)
        assert not tokens(english) - tokens(words), (english, words)
        assert not re.search(r"{\w+}|\n", words), words
        assert not names_players or words != english


def golden(name: str) -> list[dict[str, Any]]:
    """Values of every kind with their English words (``tests/golden``)."""
    return [json.loads(line) for line in (ROOT / "tests/golden" / name).read_text(encoding="utf-8").splitlines()]


def test_every_ruling_and_notice_has_all_its_values_in_every_language() -> None:
    for line in golden("rulings.jsonl"):
        assert_nothing_is_lost(partial(say, parse_ruling(line["ruling"])))
    for line in golden("notices.jsonl"):
        notice = read_notice(line["notice"])
        assert notice is not None
        assert_nothing_is_lost(partial(notice_words, notice), names_players=False)


def test_a_number_has_the_decimal_mark_of_the_language() -> None:
    slowed = GameSlowed(10.0, 3.456)
    assert " 3.5 times " in notice_words(slowed)
    for language, words in zip(TRANSLATED, ("mit 3,5-facher", "à 3,5 fois", "op 3,5 maal"), strict=True):
        with speaking(language):
            assert words in notice_words(slowed)


def test_threads_do_not_change_each_others_language() -> None:
    """Each begins with English, or with a copy of its starter's context."""
    heard: list[Language] = []

    def listen() -> None:
        heard.append(spoken())
        with speaking(DUTCH):
            heard.append(spoken())

    with speaking(GERMAN):
        for target, arguments in ((listen, ()), (copy_context().run, (listen,))):
            thread = Thread(target=target, args=arguments)
            thread.start()
            thread.join()
        assert spoken() is GERMAN
    assert heard == [ENGLISH, DUTCH, GERMAN, DUTCH]


def test_a_catalogue_that_is_missing_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    """No sentence is in English by mistake."""
    translating.catalogue.cache_clear()
    monkeypatch.setattr(translating, "CATALOGUES", tmp_path)
    with pytest.raises(CatalogueError, match=r'language "de".*install the program again'), speaking(GERMAN):
        pass
