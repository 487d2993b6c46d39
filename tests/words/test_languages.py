"""Sentences in all languages: nothing is lost, and the most common ones are as players say them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from contextvars import copy_context
from dataclasses import replace
from functools import partial
from threading import Thread
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamsk_hw.errors import CatalogueError
from tamsk_hw.facts.notices import GameSlowed, Notice
from tamsk_hw.game.notation import Ply, PlyKind, numbered
from tamsk_hw.game.tubes import Tube
from tamsk_hw.panel.diagnosis import TubeSign, diagnose
from tamsk_hw.panel.keys import Rejection
from tamsk_hw.referee.rulings import (
    Correction,
    Empty,
    Ruling,
)
from tamsk_hw.referee.view import GlassView, Phase
from tamsk_hw.system.output import Language
from tamsk_hw.words import translating
from tamsk_hw.words.arbiter import (
    drawing_description,
    drawing_title,
    glass_words,
    tube_words,
)
from tamsk_hw.words.notices import notice_words
from tamsk_hw.words.rulings import say
from tamsk_hw.words.score_sheet import turn_words
from tamsk_hw.words.translating import player_words, speaking, spoken, tr, worded
from tests.panel.boards import BLACK, RED, view
from tests.words.made import made, members

ENGLISH, GERMAN, FRENCH, DUTCH, *_ = Language
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
        assert tokens(words) == tokens(english), (english, words)
        assert not set("{}\n") & set(words), words
        assert not names_players or words != english


#: Everything that is put into words, and its function.
WORDED = [
    *((kind, say) for kind in members(Ruling)),
    *((kind, notice_words) for kind in members(Notice)),
    (GlassView, glass_words),
]


@pytest.mark.parametrize(("kind", "words"), WORDED)
def test_everything_has_all_its_values_in_every_language(kind: type, words: Callable[[Any], str]) -> None:
    @given(made(kind))
    def check(said: Any) -> None:
        assert_nothing_is_lost(partial(words, said), names_players=words is not notice_words)

    check()


@given(st.sampled_from(Tube), made(TubeSign), st.integers(0, 6))
def test_every_tube_of_a_drawing_has_all_its_values_in_every_language(
    tube: Tube, sign: TubeSign, seen: int
) -> None:
    assert_nothing_is_lost(partial(tube_words, tube, sign, seen))


def test_a_drawing_is_described_in_every_language() -> None:
    played, set_up = view(full=frozenset({E4, D2}), deadline=107.0), view(turn=None, number=0, phase=Phase.SETUP)
    for now in (
        played,
        set_up,
        replace(played, wrong=(Correction(E4, RED, Empty()), Correction(D2, Empty(), RED))),
    ):
        assert_nothing_is_lost(partial(drawing_title, now))
        assert_nothing_is_lost(partial(drawing_description, now, diagnose(now)))


@pytest.mark.parametrize("rejection", Rejection)
def test_every_refusal_of_the_live_stream_is_in_every_language(rejection: Rejection) -> None:
    assert_nothing_is_lost(partial(worded, rejection.sentence))


@given(made(Ply))
def test_a_line_of_the_score_sheet_is_the_notation(ply: Ply) -> None:
    if ply.kind is PlyKind.MOVE and ply.to is None:
        return
    english = turn_words(ply)
    assert english == numbered(ply)
    for language in TRANSLATED:
        with speaking(language):
            assert tokens(turn_words(ply)) == tokens(english)


E4, D2 = Tube.E4, Tube.D2


def test_a_number_has_the_decimal_mark_of_the_language() -> None:
    slowed = GameSlowed(10.0, 3.456)
    assert " 3.5 times " in notice_words(slowed)
    for language, words in zip(TRANSLATED, ("mit 3,5-facher", "à 3,5 fois", "op 3,5 maal"), strict=True):
        with speaking(language):
            assert words in notice_words(slowed)


def test_a_decimal_mark_within_a_name_stays() -> None:
    with speaking(GERMAN):
        assert tr("The board is connected (firmware {version}).", version="1.2.3").endswith("(Firmware 1.2.3).")


def test_a_language_is_spoken_within_and_the_one_before_it_after() -> None:
    assert spoken() is ENGLISH
    with speaking(GERMAN):
        with speaking(FRENCH):
            assert tr("Who wins?") == "Qui gagne ?"
        assert tr("Who wins?") == "Wer gewinnt?"
    assert tr("Who wins?") == "Who wins?"


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
