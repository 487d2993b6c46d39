"""An advice in diagnosis, lights, words, picture and drawing."""

from dataclasses import replace
from itertools import combinations, pairwise

import pytest

from tamsk_hw.game.tubes import Player, Tube
from tamsk_hw.panel.diagnosis import Diagnosis, HeadlineKind, TubeRequest, TubeState, diagnose
from tamsk_hw.panel.lights import has_rhythm, pixels
from tamsk_hw.partner.intention import Advice, MoveGlass, MoveRing, RingAct, TurnTimerOver
from tamsk_hw.referee.rulings import Correction, Empty, GameOver, Question, Reason
from tamsk_hw.referee.view import GlassState, OpenRing, Phase, View
from tamsk_hw.svg import Drawing
from tamsk_hw.terminal.picture import Scene, picture
from tamsk_hw.words.arbiter import drawing_description, tube_words
from tamsk_hw.words.prompts import advice_words
from tamsk_hw.words.rulings import headline
from tamsk_hw.words.table import due_words
from tests.panel.boards import ADVICES, BLACK, RED, PlainMap, glass, view
from tests.svg.drawn import named, of_class, read

PLAIN = PlainMap()
D4_TO_E5 = MoveGlass(Tube.D4, Tube.E5, turned=True, ring=True)
CARRY = Advice(BLACK, D4_TO_E5)
BOARD = view(turn=BLACK, glasses=(glass(BLACK, Tube.D4), glass(RED, Tube.B2)))

BLUE, WHITE, DARK = (0, 0, 255), (255, 255, 240), (0, 0, 0)


def advised(advice: Advice, now: View = BOARD) -> Diagnosis:
    return diagnose(now, advice=advice)


def asks(diagnosis: Diagnosis) -> dict[Tube, TubeRequest]:
    return {tube: sign.asks for tube, sign in zip(Tube, diagnosis.tubes, strict=True) if sign.asks is not None}


def light(diagnosis: Diagnosis, pixel: int) -> list[tuple[int, ...]]:
    """The light of a pixel in the middle of each eighth of a second, for one second."""
    pictures = [pixels(diagnosis, (step + 0.5) / 8, PLAIN, milliamp_cap=5000) for step in range(8)]
    return [tuple(each[3 * pixel : 3 * pixel + 3]) for each in pictures]


def test_a_move_names_the_glass_and_where_to() -> None:
    diagnosis = advised(CARRY)
    assert asks(diagnosis) == {Tube.D4: TubeRequest.CARRY, Tube.E5: TubeRequest.PUT_HERE_TURNED}
    assert {diagnosis.tubes[tube].hand for tube in (Tube.D4, Tube.E5)} == {BLACK}
    assert diagnosis.tubes[Tube.E5].ring
    assert not diagnosis.tubes[Tube.D4].ring
    assert diagnosis.advice == CARRY
    assert diagnosis.headline.news is HeadlineKind.ADVICE
    straight = advised(Advice(RED, MoveGlass(None, Tube.E5, turned=False, ring=False)))
    assert asks(straight) == {Tube.E5: TubeRequest.PUT_HERE}
    assert (straight.tubes[Tube.E5].hand, straight.tubes[Tube.E5].ring) == (RED, False)


def test_a_glass_in_the_hand_is_asked_for_no_more() -> None:
    now = replace(BOARD, glasses=(glass(BLACK, Tube.D4, standing=None),), destinations=frozenset({Tube.E5}))
    diagnosis = advised(CARRY, now)
    assert asks(diagnosis) == {Tube.E5: TubeRequest.PUT_HERE_TURNED}
    assert diagnosis.tubes[Tube.E5].holds is TubeState.DESTINATION
    assert light(diagnosis, Tube.D4) == light(diagnose(now), Tube.D4)


@pytest.mark.parametrize("act", [RingAct.DROP, RingAct.DROP_PENALTY, RingAct.CLAIM])
def test_a_ring_that_is_advised_comes_before_one_that_may_be_dropped(
    act: RingAct,
) -> None:
    now = replace(BOARD, ring_open={Tube.D4: OpenRing(BLACK), Tube.B2: OpenRing(RED)})
    diagnosis = advised(Advice(BLACK, MoveRing(act, Tube.D4)), now)
    assert asks(diagnosis) == {Tube.D4: TubeRequest.DROP_RING, Tube.B2: TubeRequest.RING_OPEN}
    assert diagnosis.players[BLACK].claim is (act is RingAct.CLAIM)
    assert not diagnosis.players[RED].claim


def test_the_timer_is_asked_of_one_player() -> None:
    diagnosis = advised(Advice(BLACK, TurnTimerOver()))
    assert (diagnosis.timer_hand, asks(diagnosis)) == (BLACK, {})
    assert advised(CARRY).timer_hand is None


def test_putting_right_comes_first() -> None:
    wrong = (Correction(Tube.E5, RED, Empty()),)
    at_its_tube = advised(CARRY, replace(BOARD, wrong=wrong))
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
    "now",
    [
        replace(BOARD, phase=Phase.SETUP),
        replace(BOARD, phase=Phase.SAND),
        replace(BOARD, link_lost=True),
        replace(BOARD, question=Question()),
        replace(
            BOARD,
            phase=Phase.OVER,
            over=GameOver(9, "R5.2", RED, Reason.FEWEST_RINGS, {Player.RED: 3, Player.BLACK: 4}),
        ),
    ],
)
def test_nothing_is_advised_while_nobody_plays(now: View) -> None:
    for advice in ADVICES:
        assert diagnose(now, advice=advice) == diagnose(now)
    assert diagnose(BOARD, offered=True, advice=CARRY) == diagnose(BOARD, offered=True)


# Lights


def test_the_lights_by_hand() -> None:
    turned = advised(CARRY)
    assert light(turned, Tube.D4) == [BLUE, BLUE, DARK, DARK, BLUE, BLUE, BLUE, BLUE]
    assert light(turned, Tube.E5)[:2] == [WHITE, WHITE]
    # In the middle of the third and fifth eighth of a second: 25 % + 75 % * (1 + cos 112.5°) / 2, and with 202.5°.
    assert (light(turned, Tube.E5)[2], light(turned, Tube.E5)[4]) == ((0, 0, 123), (0, 0, 71))
    straight = advised(Advice(BLACK, replace(D4_TO_E5, turned=False)))
    assert light(straight, Tube.E5) == [WHITE, WHITE, DARK, DARK, BLUE, BLUE, BLUE, BLUE]
    bare = advised(Advice(BLACK, replace(D4_TO_E5, turned=False, ring=False)))
    assert light(bare, Tube.E5) == [DARK] * 4 + [BLUE] * 4
    ring = advised(Advice(BLACK, MoveRing(RingAct.DROP, Tube.E5)))
    assert light(ring, Tube.E5) == [WHITE, WHITE] + [DARK] * 6
    timer = advised(Advice(BLACK, TurnTimerOver()))
    assert light(timer, PLAIN.timer_pixel) == [BLUE] * 4 + [DARK] * 4
    claim = advised(Advice(BLACK, MoveRing(RingAct.CLAIM, Tube.E5)))
    assert light(claim, 40) == light(claim, 41) == [BLUE] * 4 + [DARK] * 4
    assert light(claim, Tube.E5) == light(ring, Tube.E5)


def rhythm(diagnosis: Diagnosis, pixel: int) -> tuple[int, ...]:
    """The pixel's brightness through a second, in steps that anybody can see, 0 to 4, whatever its colour."""
    lit = [max(colour) for colour in light(diagnosis, pixel)]
    white = [min(colour) > 200 for colour in light(diagnosis, pixel)]
    return tuple(4 if bright else round(3 * each / 255) for bright, each in zip(white, lit, strict=True))


def test_each_request_has_a_rhythm_of_its_own() -> None:
    """Colour-blind people see them by their rhythm; a free tube and a full glass are the steadiest there are."""
    moves = [replace(D4_TO_E5, turned=turned, ring=ring) for turned in (True, False) for ring in (True, False)]
    seen = {f"put {act}": rhythm(advised(Advice(BLACK, act)), Tube.E5) for act in moves}
    seen["carry"] = rhythm(advised(CARRY), Tube.D4)
    seen["drop a ring"] = rhythm(advised(Advice(BLACK, MoveRing(RingAct.DROP, Tube.E5))), Tube.E5)
    seen["a full glass"] = rhythm(diagnose(view(glasses=(glass(BLACK, Tube.E5, seconds=180.0),))), Tube.E5)
    seen["a destination"] = rhythm(diagnose(view(destinations=frozenset({Tube.E5}))), Tube.E5)
    seen["nothing"] = rhythm(diagnose(BOARD), Tube.E5)
    here = glass(BLACK, Tube.E5, seconds=180.0)
    may = view(glasses=(here,), ring_open={Tube.E5: OpenRing(BLACK)})
    seen["a ring may be dropped"] = rhythm(diagnose(may), Tube.E5)
    assert rhythm(advised(Advice(BLACK, MoveRing(RingAct.DROP, Tube.E5)), may), Tube.E5) == seen["drop a ring"]
    for (one, first), (other, second) in combinations(seen.items(), 2):
        if {one, other} != {"a full glass", "a destination"}:
            assert first != second, (one, other)


def test_an_advice_makes_the_board_rise_once_a_second() -> None:
    everything = replace(
        BOARD,
        glasses=(
            glass(BLACK, Tube.D4, seconds=9.0),
            glass(RED, Tube.B2, seconds=9.0),
            glass(RED, Tube.C1, standing=None),
        ),
        ring_open={Tube.B2: OpenRing(RED)},
        wrong=(Correction(Tube.A1, 1, 0), Correction(Tube.A2, Empty(), RED)),
    )
    for advice in (None, *ADVICES):
        diagnosis = diagnose(everything, advice=advice)
        whole = [sum(pixels(diagnosis, step / 200, PLAIN, milliamp_cap=5000)) for step in range(201)]
        moves = [after - before for before, after in pairwise(whole) if after != before]
        assert sum(before < 0 < after for before, after in pairwise(moves)) <= 1, advice
        still = view(glasses=(glass(BLACK, Tube.D4, GlassState.NO_SAND),))
        lit = {pixels(diagnose(still, advice=advice), step / 8, PLAIN) for step in range(8)}
        assert has_rhythm(diagnose(still, advice=advice)) is (len(lit) > 1)


# Words, picture, drawing


@pytest.mark.parametrize("advice", ADVICES)
def test_the_words(advice: Advice) -> None:
    assert advice_words(advice) == ADVICES[advice]


def test_the_headline_and_the_description_say_it() -> None:
    assert headline(advised(CARRY)) == "Black: carry D4 to E5, turned over, then drop its ring."
    assert drawing_description(BOARD, advised(CARRY)).startswith("Black: carry D4 to E5, turned over, then")
    claim = advised(Advice(BLACK, MoveRing(RingAct.CLAIM, Tube.B2)))
    assert due_words(claim.players[BLACK]) == "button, then a ring"
    assert due_words(claim.players[RED]) == ""


@pytest.mark.parametrize(
    ("act", "tube", "words"),
    [
        (D4_TO_E5, Tube.D4, "D4: 0 of 4 rings, carry this glass"),
        (D4_TO_E5, Tube.E5, "E5: 0 of 2 rings, put the glass here, turned over, then drop its ring"),
        (replace(D4_TO_E5, ring=False), Tube.E5, "E5: 0 of 2 rings, put the glass here, turned over"),
        (replace(D4_TO_E5, turned=False), Tube.E5, "E5: 0 of 2 rings, put the glass here, then drop its ring"),
        (replace(D4_TO_E5, turned=False, ring=False), Tube.E5, "E5: 0 of 2 rings, put the glass here"),
        (MoveRing(RingAct.DROP, Tube.E5), Tube.E5, "E5: 0 of 2 rings, drop a ring here"),
    ],
)
def test_a_tube_says_it(act: MoveGlass | MoveRing, tube: Tube, words: str) -> None:
    assert tube_words(tube, advised(Advice(BLACK, act)).tubes[tube], 0) == words


def test_the_terminal_shows_it() -> None:
    def shown(act: MoveGlass | MoveRing | TurnTimerOver) -> str:
        return picture(Scene(view=BOARD, diagnosis=advised(Advice(BLACK, act)))).plain

    assert "B lift" in shown(D4_TO_E5)
    assert "B over" in shown(D4_TO_E5)
    assert "E5__+·" in shown(D4_TO_E5)
    assert "E5__··" in shown(replace(D4_TO_E5, ring=False))
    assert "B put " in shown(replace(D4_TO_E5, turned=False))
    assert "B ring" in shown(MoveRing(RingAct.DROP, Tube.E5))
    assert "turn the timer over" in shown(TurnTimerOver())


def test_the_drawing_shows_it() -> None:
    def drawn(act: MoveGlass | MoveRing) -> dict[str, int]:
        root = read(Drawing(view=BOARD, diagnosis=advised(Advice(BLACK, act))))
        signs = {
            each.get("class", "").split()[-1]: len(of_class(each, "tamsk-line-ring"))
            for each in of_class(root, "advice-sign")
        }
        assert len(of_class(root, "way-there")) == ("carry" in signs)
        assert "put_here" not in signs or "put_here" in named(root, "tube-E5").get("class", "")
        return signs

    # Each sign with the rings that are drawn on it.
    assert drawn(D4_TO_E5) == {"carry": 0, "put_here_turned": 1}
    assert drawn(replace(D4_TO_E5, ring=False)) == {"carry": 0, "put_here_turned": 0}
    assert drawn(replace(D4_TO_E5, turned=False)) == {"carry": 0, "put_here": 1}
    assert drawn(MoveRing(RingAct.DROP, Tube.E5)) == {"drop_ring": 1}
