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

from tamsk_hw.board.sensor_report import FieldAtRail, SensorFault
from tamsk_hw.errors import CatalogueError
from tamsk_hw.facts.notices import GameSlowed, Notice
from tamsk_hw.game.notation import Ply, PlyKind, numbered
from tamsk_hw.game.tubes import End, Player, Tube
from tamsk_hw.panel.diagnosis import TubeSign, diagnose
from tamsk_hw.panel.keys import Rejection
from tamsk_hw.referee.events import SensorId, SensorKind, TimeSpan, TimeUnit, span_text
from tamsk_hw.referee.rulings import (
    Caution,
    Code,
    Empty,
    GameOver,
    GlassLost,
    Mend,
    Moved,
    Reason,
    RingCount,
    RingCounted,
    RingKind,
    Ruling,
    TimerStarted,
    Violation,
    Warned,
)
from tamsk_hw.referee.view import GlassView, Phase
from tamsk_hw.system.output import Language
from tamsk_hw.words import translating
from tamsk_hw.words.arbiter import (
    drawing_description,
    drawing_title,
    glass_words,
    out_of_reach_words,
    rings_left_words,
    tube_words,
)
from tamsk_hw.words.hardware import sensor_words
from tamsk_hw.words.notices import notice_words
from tamsk_hw.words.rulings import say
from tamsk_hw.words.score_sheet import turn_words
from tamsk_hw.words.simulated import as_event
from tamsk_hw.words.translating import player_words, speaking, spoken, tr, worded
from tests.panel.boards import BLACK, RED, glass, view
from tests.words.made import SENSORS, made, members

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
            assert words != english

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


def assert_nothing_is_lost(say_it: Callable[[], str]) -> None:
    english = say_it()
    called = players(english)
    for language in TRANSLATED:
        with speaking(language):
            words = say_it()
            assert players(words) == called, (english, words)
        assert tokens(words) == tokens(english), (english, words)
        assert not set("{}\n") & set(words), words
        assert words != english


@given(made(GlassView))
def test_every_glass_of_a_drawing_has_all_its_values_in_every_language(held: GlassView) -> None:
    assert_nothing_is_lost(partial(glass_words, held))


@given(st.sampled_from(Tube), made(TubeSign), st.integers(0, 6))
def test_every_tube_of_a_drawing_has_all_its_values_in_every_language(
    tube: Tube, sign: TubeSign, seen: int
) -> None:
    assert_nothing_is_lost(partial(tube_words, tube, sign, seen))


def test_a_drawing_is_described_in_every_language() -> None:
    played, set_up = view(full=frozenset({E4, D2}), deadline=107.0), view(turn=None, number=0, phase=Phase.SETUP)
    for now in (played, set_up, replace(played, wrong=(Mend(E4, RED, Empty()), Mend(D2, Empty(), RED)))):
        assert_nothing_is_lost(partial(drawing_title, now))
        assert_nothing_is_lost(partial(drawing_description, now, diagnose(now)))
    for count in (0, 1, 2):
        assert_nothing_is_lost(partial(rings_left_words, count))
    assert_nothing_is_lost(out_of_reach_words)


@pytest.mark.parametrize("rejection", Rejection)
def test_every_refusal_of_the_live_stream_is_in_every_language(rejection: Rejection) -> None:
    assert_nothing_is_lost(partial(worded, rejection.sentence))


def test_a_drawing_in_words() -> None:
    now = view(glasses=(glass(BLACK, E4, seconds=(80, 90)),), left={RED: 1, BLACK: 31}, full=frozenset({D2}))
    said = []
    for language in TRANSLATED:
        with speaking(language):
            said.append(drawing_description(now, diagnose(now)))
    assert said == [
        "Rot ist am Zug. Ringe übrig: Rot 1 Ring, Schwarz 31 Ringe. "
        "Die Sanduhr von Schwarz auf E4, noch 80 bis 90 s. Voll: D2.",
        "À Rouge de jouer. Anneaux restants : Rouge 1 anneau, Noir 31 anneaux. "
        "Le sablier de Noir sur E4, encore 80 à 90 s. Cases pleines : D2.",
        "Rood aan zet. Ringen over: rood 1 ring, zwart 31 ringen. "
        "De zandloper van zwart op E4, nog 80 tot 90 s. Vol: D2.",
    ]


def test_a_sensor_is_called_by_its_name() -> None:
    assert {sensor.kind for sensor in SENSORS} == set(SensorKind)
    for sensor in SENSORS:
        assert sensor_words(sensor) == sensor.name
    with speaking(GERMAN):
        assert sensor_words(SENSORS[0]) == "Sanduhr D4"
        assert sensor_words(SENSORS[2]) == "Ringhalter Rot"


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

#: Sentences that come in every game, in German, French and Dutch.
SAID: list[tuple[Ruling, str, str, str]] = [
    (
        Moved(1, "R2.1", RED, Tube.D1, D2, False),
        "Rot zieht D1→D2. (R2.1)",
        "Rouge joue D1→D2. (R2.1)",
        "Rood speelt D1→D2. (R2.1)",
    ),
    (
        RingCounted(1, "R4.3", BLACK, D2, RingKind.CLAIM, 12),
        "Schwarz beansprucht D2: Der Ring dort gehört Schwarz; noch 12 übrig. (R4.3)",
        "Noir réclame D2 : l'anneau y est à Noir ; il lui en reste 12. (R4.3)",
        "Zwart claimt D2: de ring daar is van zwart; nog 12 over. (R4.3)",
    ),
    (
        GlassLost(1, "R6.2", RED, D2),
        "Die Sanduhr von Rot auf D2 ist abgelaufen: Sie bleibt stehen und wird nicht mehr gezogen. (R6.2)",
        "Le sablier de Rouge sur D2 est écoulé : il y reste et n'est plus déplacé. (R6.2)",
        "De zandloper van rood op D2 is leeggelopen: hij blijft staan en wordt niet meer verzet. (R6.2)",
    ),
    (
        TimerStarted(1, "R7.2", RED, 76.5),
        "Die 15-Sekunden-Sanduhr läuft gegen Rot, bis 01:16.500. (R7.2)",
        "Le sablier de 15 secondes court contre Rouge, jusqu'à 01:16.500. (R7.2)",
        "De 15-secondenzandloper loopt tegen rood, tot 01:16.500. (R7.2)",
    ),
    (
        Violation(1, "R2.2", BLACK, Code.NOT_TURNED, D2, (Mend(D2, End.A, End.B),)),
        "Kein vollendeter Zug: Die Sanduhr von Schwarz wurde auf dem Weg nach D2 nicht umgedreht. "
        "Die Sanduhr auf D2 umdrehen. (R2.2)",
        "Coup inachevé : le sablier de Noir n'a pas été retourné en allant sur D2. "
        "Retourner le sablier sur D2. (R2.2)",
        "Geen voltooide zet: de zandloper van zwart is onderweg naar D2 niet omgedraaid. "
        "Draai de zandloper op D2 om. (R2.2)",
    ),
    (
        Violation(1, "R2.1", RED, Code.NOT_ADJACENT, E4, (Mend(E4, RED, Empty()), Mend(D2, Empty(), RED))),
        "Kein zulässiger Zug: E4 liegt nicht neben D2. Die Sanduhr von Rot von E4 zurück auf D2 setzen. (R2.1)",
        "Coup interdit : la case E4 n'est pas voisine de D2. Remettre le sablier de Rouge de E4 sur D2. (R2.1)",
        "Geen geldige zet: E4 ligt niet naast D2. Zet de zandloper van rood van E4 terug op D2. (R2.1)",
    ),
    (
        Violation(1, "R4.7", None, Code.RING_REMOVED, D2, (Mend(D2, RingCount(0), RingCount(1)),)),
        "Von D2 wurde ein Ring weggenommen, der zählt. 1 Ring zurück auf D2 legen. (R4.7)",
        "Un anneau qui compte a été retiré de D2. Remettre 1 anneau sur D2. (R4.7)",
        "Er is een ring die telt van D2 gehaald. Leg 1 ring terug op D2. (R4.7)",
    ),
    (
        Warned(1, "R9.5", Caution.TIME_AWAY, None, None, detail=span_text(TimeSpan(60, 75, TimeUnit.SECOND))),
        "Niemand hat das Brett beobachtet (60 bis 75 Sekunden). Der Sand lief weiter, die Fristen nicht. (R9.5)",
        "Personne n'a surveillé le plateau pendant 60 à 75 secondes. Le sable a continué de couler, "
        "pas les délais. (R9.5)",
        "Niemand heeft 60 tot 75 seconden lang op het bord gelet. Het zand liep door, de termijnen niet. (R9.5)",
    ),
    (
        GameOver(1, "R3.2", RED, Reason.FULL_TUBE, {Player.RED: 28, Player.BLACK: 32}),
        "Rot gewinnt: Schwarz hat eine Sanduhr in eine volle Röhre gestellt (übrig: Rot 28, Schwarz 32). (R3.2)",
        "Rouge gagne : Noir a posé un sablier sur une case pleine (restants : Rouge 28, Noir 32). (R3.2)",
        "Rood wint: zwart heeft een zandloper in een volle koker gezet (over: rood 28, zwart 32). (R3.2)",
    ),
]


@pytest.mark.parametrize(("ruling", "german", "french", "dutch"), SAID)
def test_the_words(ruling: Ruling, german: str, french: str, dutch: str) -> None:
    for language, words in zip(TRANSLATED, (german, french, dutch), strict=True):
        with speaking(language):
            assert say(ruling) == words


def test_a_number_has_the_decimal_mark_of_the_language() -> None:
    slowed = GameSlowed(10.0, 3.456)
    assert " 3.5 times " in notice_words(slowed)
    for language, words in zip(TRANSLATED, ("mit 3,5-facher", "à 3,5 fois", "op 3,5 maal"), strict=True):
        with speaking(language):
            assert words in notice_words(slowed)


def test_a_decimal_mark_within_a_name_stays() -> None:
    with speaking(GERMAN):
        assert tr("The board is connected (firmware {version}).", version="1.2.3").endswith("(Firmware 1.2.3).")


def test_facts_have_no_language() -> None:
    """The detail of a sensor's fault is recorded in the stream."""
    fault = SensorFault(1.0, SensorId.glass(D2), FieldAtRail(255, 4, 251))
    english = as_event(fault)
    for language in TRANSLATED:
        with speaking(language):
            assert as_event(fault) == english


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
