"""Sentences in all languages: nothing is lost, and the most common ones are as players say them."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest
from hypothesis import given

from tamsk_hw.facts.notices import Notice
from tamsk_hw.referee.rulings import (
    Ruling,
)
from tamsk_hw.system.language import Language
from tamsk_hw.words.notices import notice_words
from tamsk_hw.words.rulings import say
from tamsk_hw.words.translating import player_words, speaking
from tests.panel.boards import BLACK, RED
from tests.words.made import made, members

ENGLISH, GERMAN, FRENCH, DUTCH = Language
TRANSLATED = (GERMAN, FRENCH, DUTCH)


def tokens(text: str) -> Counter[str]:
    """Tubes, numbers and made-up names in a text; a decimal comma is a point."""
    return Counter(
        token.replace(",", ".") for token in re.findall(r"\b[A-G][1-7]\b|[ΞΨΩ]+|[0-9]+(?:[.,][0-9]+)*", text)
    )


def players(text: str) -> Counter[str]:
    """The players in a text of the language that is spoken, by their names."""
    return Counter(
        {
            player.value: len(re.findall(rf"\b{player_words(player)}\b", text, re.IGNORECASE))
            for player in (RED, BLACK)
        }
    )


@pytest.mark.parametrize("kind", members(Ruling))
def test_every_ruling_has_all_its_values_in_every_language(kind: type) -> None:
    @given(made(kind))
    def check(ruling: Any) -> None:
        english = say(ruling)
        called = players(english)
        for language in TRANSLATED:
            with speaking(language):
                words = say(ruling)
                assert players(words) == called, (english, words)
            assert tokens(words) == tokens(english), (english, words)
            assert not set("{}\n") & set(words), words

    check()


@pytest.mark.parametrize("kind", members(Notice))
def test_every_notice_has_all_its_values_in_every_language(kind: type) -> None:
    @given(made(kind))
    def check(notice: Any) -> None:
        english = notice_words(notice)
        for language in TRANSLATED:
            with speaking(language):
                words = notice_words(notice)
            assert tokens(words) == tokens(english), (english, words)
            assert not set("{}\n") & set(words), words

    check()
