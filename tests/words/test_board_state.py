"""The state of a game in words, for whoever cannot see it."""

import pytest

from tamsk_hw.game.tubes import Tube
from tamsk_hw.panel.diagnosis import diagnose
from tamsk_hw.referee.rulings import Correction, Empty
from tamsk_hw.referee.view import GlassState, GlassView, OpenRing, View
from tamsk_hw.words.arbiter import glass_words, tube_words
from tests.panel.boards import BLACK, RED, glass, view


@pytest.mark.parametrize(
    ("held", "words"),
    [
        (glass(RED, Tube.D4, seconds=90.2), "red's glass on D4, 91 s left"),
        (glass(RED, Tube.D4, seconds=(80.0, 90.0)), "red's glass on D4, 80 to 90 s left"),
        (
            glass(BLACK, Tube.A1, GlassState.DOUBTFUL, seconds=(0.0, 8.0)),
            "black's glass on A1, may have run out, at most 8 s left",
        ),
        (glass(BLACK, Tube.A1, GlassState.LOST), "black's glass on A1, has run out"),
        (glass(BLACK, Tube.A1, GlassState.UNSTARTED), "black's glass on A1, not started"),
        (glass(BLACK, Tube.A1, GlassState.NO_SAND), "black's glass on A1"),
        (glass(RED, Tube.D4, GlassState.NO_SAND, standing=None), "red's glass in the hand, from D4"),
        (glass(RED, Tube.D4, GlassState.NO_SAND, standing=Tube.E5), "red's glass on E5, belongs on D4"),
    ],
)
def test_a_glass(held: GlassView, words: str) -> None:
    assert glass_words(held) == words


@pytest.mark.parametrize(
    ("now", "words"),
    [
        (view(), "D4: 0 of 4 rings"),
        (view(rings_seen=(1,) * 37, full=frozenset({Tube.D4})), "D4: 1 of 4 rings, full"),
        (view(destinations=frozenset({Tube.D4})), "D4: 0 of 4 rings, the glass may go here"),
        (view(ring_open={Tube.D4: OpenRing(RED)}), "D4: 0 of 4 rings, a ring may be dropped"),
        (view(wrong=(Correction(Tube.D4, BLACK, Empty()),)), "D4: 0 of 4 rings, take the glass away"),
        (view(wrong=(Correction(Tube.D4, Empty(), BLACK),)), "D4: 0 of 4 rings, a black glass belongs here"),
        (view(wrong=(Correction(Tube.D4, 0, 1),)), "D4: 0 of 4 rings, a ring is missing"),
    ],
)
def test_a_tube(now: View, words: str) -> None:
    assert tube_words(Tube.D4, diagnose(now).tubes[Tube.D4], now.rings_seen[Tube.D4]) == words
