"""The state of a game in words, for whoever cannot see it."""

import pytest

from tamsk_hw.game.tubes import End, Tube
from tamsk_hw.panel.diagnosis import diagnose
from tamsk_hw.referee.rulings import Correction, Empty
from tamsk_hw.referee.view import GlassState, GlassView, OpenRing, View
from tamsk_hw.words.arbiter import glass_words, sand_words, tube_words
from tests.panel.boards import BLACK, RED, glass, view


@pytest.mark.parametrize(
    ("held", "words", "clock"),
    [
        (glass(RED, Tube.D4, seconds=90.2), "red's glass on D4, 91 s left", "91"),
        (glass(RED, Tube.D4, seconds=(80.0, 90.0)), "red's glass on D4, 80 to 90 s left", "80–90"),
        (
            glass(BLACK, Tube.A1, GlassState.DOUBTFUL, seconds=(0.0, 8.0)),
            "black's glass on A1, may have run out, at most 8 s left",
            "0–8",
        ),
        (glass(BLACK, Tube.A1, GlassState.LOST), "black's glass on A1, has run out", "lost"),
        (glass(BLACK, Tube.A1, GlassState.UNSTARTED), "black's glass on A1, not started", "new"),
        (glass(BLACK, Tube.A1, GlassState.NO_SAND), "black's glass on A1", ""),
        (glass(RED, Tube.D4, GlassState.NO_SAND, standing=None), "red's glass in the hand, from D4", ""),
        (glass(RED, Tube.D4, GlassState.NO_SAND, standing=Tube.E5), "red's glass on E5, belongs on D4", ""),
    ],
)
def test_a_glass(held: GlassView, words: str, clock: str) -> None:
    assert (glass_words(held), sand_words(held)) == (words, clock)


@pytest.mark.parametrize(
    ("now", "words"),
    [
        (view(), "D4: 0 of 4 rings"),
        (view(rings_seen=(1,) * 37, full=frozenset({Tube.D4})), "D4: 1 of 4 rings, full"),
        (view(destinations=frozenset({Tube.D4})), "D4: 0 of 4 rings, the glass may go here"),
        (view(ring_open={Tube.D4: OpenRing(RED)}), "D4: 0 of 4 rings, a ring may be dropped"),
    ],
)
def test_a_tube(now: View, words: str) -> None:
    assert tube_words(Tube.D4, diagnose(now).tubes[Tube.D4], now.rings_seen[Tube.D4]) == words


@pytest.mark.parametrize(
    ("mend", "words"),
    [
        (Correction(Tube.D4, None, Empty()), "take the glass away"),
        (Correction(Tube.D4, RED, BLACK), "take the glass away"),
        (Correction(Tube.D4, None, BLACK), "set the glass upright"),
        (Correction(Tube.D4, BLACK, BLACK), "set the glass upright"),
        (Correction(Tube.D4, End.A, End.B), "turn the glass over"),
        (Correction(Tube.D4, Empty(), BLACK), "a black glass belongs here"),
        (Correction(Tube.D4, 2, 1), "too many rings"),
        (Correction(Tube.D4, 0, 1), "a ring is missing"),
    ],
)
def test_what_is_to_be_put_right_at_a_tube(mend: Correction, words: str) -> None:
    sign = diagnose(view(wrong=(mend,))).tubes[Tube.D4]
    assert tube_words(Tube.D4, sign, 0) == f"D4: 0 of 4 rings, {words}"
