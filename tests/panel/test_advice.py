"""An advice in diagnosis, lights, words, picture and drawing."""

from dataclasses import replace
from itertools import combinations
from xml.etree import ElementTree

import pytest

from tamsk_hw.game.tubes import Tube
from tamsk_hw.panel.diagnosis import Diagnosis, HeadlineKind, TubeRequest, TubeState, diagnose
from tamsk_hw.panel.lights import pixels
from tamsk_hw.partner.intention import Advice, MoveGlass, MoveRing, RingAct, TurnTimerOver
from tamsk_hw.referee.rulings import Correction, Empty, GameOver, Question, Reason
from tamsk_hw.referee.view import OpenRing, Phase, View
from tamsk_hw.svg import Drawing
from tamsk_hw.terminal.picture import Scene, picture
from tamsk_hw.words.arbiter import drawing_description, tube_words
from tamsk_hw.words.prompts import advice_words
from tamsk_hw.words.rulings import headline
from tamsk_hw.words.table import due_words
from tests.panel.boards import ADVICES, BLACK, PIXELS, RED, WIRING, glass, view
from tests.svg.drawn import named, of_class

D4_TO_E5 = MoveGlass(Tube.D4, Tube.E5, turned=True, ring=True)
CARRY = Advice(BLACK, D4_TO_E5)
DROP = Advice(BLACK, MoveRing(RingAct.DROP, Tube.E5))
BOARD = view(turn=BLACK, glasses=(glass(BLACK, Tube.D4), glass(RED, Tube.B2)))

BLUE, WHITE, DARK = (0, 0, 255), (255, 255, 240), (0, 0, 0)


def advised(advice: Advice, now: View = BOARD) -> Diagnosis:
    return diagnose(now, advice=advice)


def asks(diagnosis: Diagnosis) -> dict[Tube, TubeRequest]:
    return {tube: sign.asks for tube, sign in zip(Tube, diagnosis.tubes, strict=True) if sign.asks is not None}


def light(diagnosis: Diagnosis, place: str) -> list[tuple[int, ...]]:
    """The light of a place in the middle of each eighth of a second, for one second."""
    start = 3 * PIXELS[place]
    pictures = [pixels(diagnosis, (step + 0.5) / 8, WIRING, milliamp_cap=5000) for step in range(8)]
    return [tuple(each[start : start + 3]) for each in pictures]


def test_a_move_names_the_glass_and_where_to() -> None:
    diagnosis = advised(CARRY)
    assert asks(diagnosis) == {Tube.D4: TubeRequest.CARRY, Tube.E5: TubeRequest.PUT_HERE_TURNED}
    assert {diagnosis.tubes[tube].hand for tube in (Tube.D4, Tube.E5)} == {BLACK}
    assert headline(diagnosis) == "Black: carry D4 to E5, turned over, then drop its ring."
    assert drawing_description(BOARD, diagnosis).startswith("Black: carry D4 to E5, turned over, then")
    straight = advised(Advice(RED, MoveGlass(None, Tube.E5, turned=False, ring=False)))
    assert asks(straight) == {Tube.E5: TubeRequest.PUT_HERE}
    assert (straight.tubes[Tube.E5].hand, straight.tubes[Tube.E5].ring) == (RED, False)


def test_a_glass_in_the_hand_is_asked_for_no_more() -> None:
    now = replace(BOARD, glasses=(glass(BLACK, Tube.D4, standing=None),), destinations=frozenset({Tube.E5}))
    diagnosis = advised(CARRY, now)
    assert asks(diagnosis) == {Tube.E5: TubeRequest.PUT_HERE_TURNED}
    assert diagnosis.tubes[Tube.E5].holds is TubeState.DESTINATION


@pytest.mark.parametrize("act", [RingAct.DROP, RingAct.DROP_PENALTY, RingAct.CLAIM])
def test_a_ring_that_is_advised_comes_before_one_that_may_be_dropped(act: RingAct) -> None:
    now = replace(BOARD, ring_open={Tube.D4: OpenRing(BLACK), Tube.B2: OpenRing(RED)})
    diagnosis = advised(Advice(BLACK, MoveRing(act, Tube.D4)), now)
    assert asks(diagnosis) == {Tube.D4: TubeRequest.DROP_RING, Tube.B2: TubeRequest.RING_OPEN}
    claims = [due_words(diagnosis.players[player]) == "button, then a ring" for player in (BLACK, RED)]
    assert claims == [act is RingAct.CLAIM, False]


def test_putting_right_comes_first() -> None:
    at_its_tube = advised(CARRY, replace(BOARD, wrong=(Correction(Tube.E5, RED, Empty()),)))
    assert asks(at_its_tube) == {Tube.E5: TubeRequest.TAKE_AWAY}
    assert at_its_tube.advice is None
    elsewhere = advised(CARRY, replace(BOARD, wrong=(Correction(Tube.A1, 1, 0),)))
    assert asks(elsewhere) == {
        Tube.A1: TubeRequest.RING_OFF,
        Tube.D4: TubeRequest.CARRY,
        Tube.E5: TubeRequest.PUT_HERE_TURNED,
    }
    assert elsewhere.headline.news is HeadlineKind.PUT_RIGHT


@pytest.mark.parametrize("advice", [each for each, words in ADVICES.items() if "again" in words or "C2 " in words])
def test_what_puts_something_right_is_shown_by_what_is_wrong(advice: Advice) -> None:
    now = replace(BOARD, wrong=(Correction(Tube.C2, 1, 0),))
    assert advised(advice, now) == diagnose(now)


@pytest.mark.parametrize(
    "changes",
    [
        {"phase": Phase.SETUP},
        {"phase": Phase.SAND},
        {"phase": Phase.OVER, "over": GameOver(9, "R5.2", RED, Reason.FEWEST_RINGS, {RED: 3, BLACK: 4})},
        {"link_lost": True},
        {"question": Question()},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_nothing_is_advised_while_nobody_plays(changes: dict[str, object]) -> None:
    now = replace(BOARD, **changes)  # type: ignore[arg-type]
    for advice in ADVICES:
        assert diagnose(now, advice=advice) == diagnose(now)
    assert diagnose(BOARD, offered=True, advice=CARRY) == diagnose(BOARD, offered=True)


# Lights


def test_the_lights_by_hand() -> None:
    turned = advised(CARRY)
    assert light(turned, "D4") == [BLUE, BLUE, DARK, DARK, BLUE, BLUE, BLUE, BLUE]
    assert light(turned, "E5")[:2] == [WHITE, WHITE]
    # In the middle of the third and fifth eighth of a second: 25 % + 75 % * (1 + cos 112.5°) / 2, and with 202.5°.
    assert (light(turned, "E5")[2], light(turned, "E5")[4]) == ((0, 0, 123), (0, 0, 71))
    straight = advised(Advice(BLACK, replace(D4_TO_E5, turned=False)))
    assert light(straight, "E5") == [WHITE, WHITE, DARK, DARK, BLUE, BLUE, BLUE, BLUE]
    bare = advised(Advice(BLACK, replace(D4_TO_E5, turned=False, ring=False)))
    assert light(bare, "E5") == [DARK] * 4 + [BLUE] * 4
    assert light(advised(DROP), "E5") == [WHITE, WHITE] + [DARK] * 6
    timer = advised(Advice(BLACK, TurnTimerOver()))
    assert light(timer, "timer") == [BLUE] * 4 + [DARK] * 4
    claim = advised(Advice(BLACK, MoveRing(RingAct.CLAIM, Tube.E5)))
    assert light(claim, "black 1") == light(claim, "black 2") == [BLUE] * 4 + [DARK] * 4
    assert light(claim, "E5") == light(advised(DROP), "E5")


def rhythm(diagnosis: Diagnosis, place: str) -> tuple[int, ...]:
    """The brightness through a second, in steps that anybody can see, 0 to 4, whatever its colour."""
    return tuple(4 if min(colour) > 200 else round(3 * max(colour) / 255) for colour in light(diagnosis, place))


def test_each_request_has_a_rhythm_of_its_own() -> None:
    """Colour-blind people see them by their rhythm; a free tube and a full glass are the steadiest there are."""
    moves = [replace(D4_TO_E5, turned=turned, ring=ring) for turned in (True, False) for ring in (True, False)]
    seen = {f"put {act}": rhythm(advised(Advice(BLACK, act)), "E5") for act in moves}
    seen["carry"] = rhythm(advised(CARRY), "D4")
    seen["drop a ring"] = rhythm(advised(DROP), "E5")
    here = (glass(BLACK, Tube.E5, seconds=180.0),)
    seen["a full glass"] = rhythm(diagnose(view(glasses=here)), "E5")
    seen["nothing"] = rhythm(diagnose(BOARD), "E5")
    may = view(glasses=here, ring_open={Tube.E5: OpenRing(BLACK)})
    seen["a ring may be dropped"] = rhythm(diagnose(may), "E5")
    for (one, first), (other, second) in combinations(seen.items(), 2):
        assert first != second, (one, other)


# Words, picture, drawing


@pytest.mark.parametrize("advice", ADVICES)
def test_the_words(advice: Advice) -> None:
    assert advice_words(advice) == ADVICES[advice]


@pytest.mark.parametrize(
    ("act", "tube", "words"),
    [
        (D4_TO_E5, Tube.D4, "D4: 0 of 4 rings, carry this glass"),
        (D4_TO_E5, Tube.E5, "E5: 0 of 2 rings, put the glass here, turned over, then drop its ring"),
        (replace(D4_TO_E5, ring=False), Tube.E5, "E5: 0 of 2 rings, put the glass here, turned over"),
        (replace(D4_TO_E5, turned=False), Tube.E5, "E5: 0 of 2 rings, put the glass here, then drop its ring"),
        (replace(D4_TO_E5, turned=False, ring=False), Tube.E5, "E5: 0 of 2 rings, put the glass here"),
        (DROP.act, Tube.E5, "E5: 0 of 2 rings, drop a ring here"),
    ],
)
def test_a_tube_says_it(act: MoveGlass | MoveRing, tube: Tube, words: str) -> None:
    assert tube_words(tube, advised(Advice(BLACK, act)).tubes[tube], 0) == words


@pytest.mark.parametrize(
    ("act", "shown"),
    [
        (D4_TO_E5, {"B lift", "B over", "E5__+·"}),
        (replace(D4_TO_E5, turned=False, ring=False), {"B lift", "B put ", "E5__··"}),
        (DROP.act, {"B ring"}),
        (TurnTimerOver(), {"turn the timer over"}),
    ],
)
def test_the_terminal_shows_it(act: MoveGlass | MoveRing | TurnTimerOver, shown: set[str]) -> None:
    text = picture(Scene(view=BOARD, diagnosis=advised(Advice(BLACK, act)))).plain
    assert {words for words in shown if words in text} == shown


@pytest.mark.parametrize(
    ("act", "signs"),
    [
        (D4_TO_E5, {"carry": 0, "put_here_turned": 1}),
        (replace(D4_TO_E5, ring=False), {"carry": 0, "put_here_turned": 0}),
        (replace(D4_TO_E5, turned=False), {"carry": 0, "put_here": 1}),
        (DROP.act, {"drop_ring": 1}),
    ],
)
def test_the_drawing_shows_it(act: MoveGlass | MoveRing, signs: dict[str, int]) -> None:
    """Each sign with the rings that are drawn on it."""
    root = ElementTree.fromstring(Drawing(view=BOARD, diagnosis=advised(Advice(BLACK, act))).svg())
    drawn = {
        each.get("class", "").split()[-1]: len(of_class(each, "tamsk-line-ring"))
        for each in of_class(root, "advice-sign")
    }
    assert drawn == signs
    assert len(of_class(root, "way-there")) == ("carry" in signs)
    assert "put_here" not in signs or "put_here" in named(root, "tube-E5").get("class", "")
