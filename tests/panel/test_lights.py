"""Pictures computed by hand from the palette's numbers, their current, and their rhythm."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tamsk_hw.game.tubes import NEIGHBOURS, PLAYERS, TUBE_OF_NAME, TUBES, End, Player, Tube
from tamsk_hw.panel.diagnosis import diagnose
from tamsk_hw.panel.lights import Palette, capped, has_rhythm, milliamps, pixels
from tamsk_hw.partner.intention import Advice
from tamsk_hw.referee.events import RING_LIGHT, SensorId
from tamsk_hw.referee.rulings import Correction, Empty, GameOver, Question, Reason
from tamsk_hw.referee.view import GlassState, OpenRing, Phase, View
from tests.panel.boards import ADVICES, BLACK, PIXELS, RED, WIRING, glass, played, view
from tests.scenarios.book import SCENARIOS
from tests.soak import in_soak

FULL_RED, FULL_BLUE, DARK = (255, 25, 0), (0, 0, 255), (0, 0, 0)
WHITE, VIOLET, AMBER = (255, 255, 240), (170, 20, 255), (240, 150, 0)
RED_TO_MOVE = {"red 1": FULL_RED, "red 2": FULL_RED}


def lit(now: View, t: float = 0.0, *, offered: bool = False) -> dict[str, tuple[int, ...]]:
    """The places that are lit, with their red, green and blue; the supply is generous."""
    picture = pixels(diagnose(now, offered=offered), t, WIRING, milliamp_cap=5000)
    assert len(picture) == 126
    colours = {place: tuple(picture[3 * pixel : 3 * pixel + 3]) for place, pixel in PIXELS.items()}
    return {place: colour for place, colour in colours.items() if colour != DARK}


def test_every_kind_of_tube_by_hand() -> None:
    now = view(
        glasses=(
            glass(RED, Tube.A1, seconds=180.0),  # the whole colour
            glass(RED, Tube.A2, seconds=100.0),  # 100/180 is step 3: 53 % of (255, 25, 0)
            glass(BLACK, Tube.A3, GlassState.UNSTARTED),  # 8 % of (0, 0, 255)
            glass(BLACK, Tube.A4, GlassState.DOUBTFUL, seconds=(0.0, 5.0)),
            glass(RED, Tube.B1, GlassState.LOST),
            glass(BLACK, Tube.B2, GlassState.NO_SAND),
        ),
        full=frozenset({Tube.B1, Tube.B3}),
        destinations=frozenset({Tube.B4}),
    )
    by_hand = RED_TO_MOVE | {
        "A1": FULL_RED,
        "A2": (135, 13, 0),
        "A3": (0, 0, 20),
        "A4": AMBER,
        "B1": (14, 6, 12),
        "B2": FULL_BLUE,
        "B3": (60, 50, 40),
        "B4": (20, 230, 70),
    }
    assert lit(now, 0.0) == lit(now, 0.5) == lit(now, 0.75) == by_hand


@pytest.mark.parametrize("seat", PLAYERS)
def test_e_1_1_a_light_runs_round_the_edge_and_stops_at_the_seat_that_gets_red(seat: Player) -> None:
    drawn = diagnose(view(phase=Phase.SETUP), lot=(seat, 100.0))
    pictures = [pixels(drawn, 100.0 + tick / 15, WIRING) for tick in range(9 * 15)]
    places = [[place for place, at in PIXELS.items() if picture[3 * at]] for picture in pictures]
    running, stopped = places[:60], places[60:]
    edge = {name for (name,) in running}
    assert edge == {tube.name for tube in TUBES if len(NEIGHBOURS[tube]) < 6}
    for (before,), (after,) in pairwise(running):
        steps = {before, *map(str, NEIGHBOURS[TUBE_OF_NAME[before]])}
        assert after in steps or steps & set(map(str, NEIGHBOURS[TUBE_OF_NAME[after]])), "it jumps"
    assert all(names == [f"{seat} 1", f"{seat} 2"] for names in stopped)
    assert has_rhythm(drawn)


def test_the_last_thirty_seconds_and_the_lifted_glass_swell() -> None:
    now = view(glasses=(glass(RED, Tube.A1, seconds=30.0), glass(BLACK, Tube.A2, standing=None)))
    # Step 1 is 28 %: (71, 7, 0). A lifted glass has the lowest step, 20 %: (0, 0, 51).
    assert lit(now, 7.0) == RED_TO_MOVE | {"A1": (71, 7, 0), "A2": (0, 0, 51)}
    # A quarter second on 62.5 % of that, then 25 %.
    assert lit(now, 7.25) == RED_TO_MOVE | {"A1": (44, 4, 0), "A2": (0, 0, 32)}
    assert lit(now, 7.5) == RED_TO_MOVE | {"A1": (18, 2, 0), "A2": (0, 0, 13)}


def test_a_tube_whose_rings_cannot_be_read_flashes_at_the_beginning_of_each_second() -> None:
    now = view(
        glasses=(glass(RED, Tube.A1, seconds=180.0),),
        unread={RING_LIGHT: frozenset({Tube.A1, Tube.A2}), SensorId.ring(Tube.A3, 1): frozenset({Tube.A3})},
        wrong=(Correction(Tube.A3, 1, 0),),
    )
    assert lit(now, 3.0) == lit(now, 3.2) == RED_TO_MOVE | {"A1": VIOLET, "A2": VIOLET, "A3": VIOLET}
    assert lit(now, 3.3) == RED_TO_MOVE | {"A1": FULL_RED, "A3": VIOLET}  # what must be put right comes first
    assert lit(now, 3.6) == RED_TO_MOVE | {"A1": FULL_RED}
    over = replace(now, phase=Phase.OVER, turn=None, over=GameOver(0.0, "R5.2", None, Reason.TIE, {}), wrong=())
    assert not has_rhythm(diagnose(over))


def test_what_is_to_be_put_right_takes_turns_with_what_is_there() -> None:
    now = view(
        glasses=(glass(BLACK, Tube.D7, seconds=180.0, standing=Tube.E5),),
        full=frozenset({Tube.C1}),
        wrong=(
            Correction(Tube.E5, BLACK, Empty()),
            Correction(Tube.D7, Empty(), BLACK),
            Correction(Tube.C1, 2, 1),
            Correction(Tube.A1, End.A, End.B),
        ),
    )
    assert lit(now, 0.0) == RED_TO_MOVE | {"E5": VIOLET, "D7": (90, 130, 210), "C1": VIOLET, "A1": VIOLET}
    assert lit(now, 0.5) == RED_TO_MOVE | {"E5": FULL_BLUE, "D7": FULL_BLUE, "C1": (60, 50, 40)}


def test_an_open_ring_is_white_at_its_tube_and_its_player() -> None:
    now = view(glasses=(glass(BLACK, Tube.F1, seconds=180.0),), ring_open={Tube.F1: OpenRing(BLACK)})
    assert lit(now, 0.0) == RED_TO_MOVE | {"F1": WHITE, "black 2": WHITE}
    assert lit(now, 0.5) == RED_TO_MOVE | {"F1": FULL_BLUE, "black 2": WHITE}


@pytest.mark.parametrize(
    ("seconds", "t", "colour"),
    [
        (15.0, 0.5, FULL_RED),
        (9.0, 0.5, (135, 13, 0)),  # 9 of 15 s is step 3
        (5.0, 0.0, (97, 10, 0)),  # step 2, 38 %, and swelling
        (5.0, 0.5, (24, 2, 0)),
        (-1.0, 0.0, (51, 5, 0)),
    ],
)
def test_the_timer_fades_in_the_colour_of_whom_it_counts_against(
    seconds: float, t: float, colour: tuple[int, int, int]
) -> None:
    assert lit(view(deadline=100.0 + seconds), t) == RED_TO_MOVE | {"timer": colour}


def test_the_lights_of_the_players() -> None:
    black_to_move = {"black 1": FULL_BLUE, "black 2": FULL_BLUE}
    assert lit(view(turn=BLACK, late=RED)) == {"red 1": AMBER, "red 2": AMBER} | black_to_move
    assert lit(view(turn=None, phase=Phase.SETUP)) == RED_TO_MOVE | black_to_move
    won = view(over=GameOver(90.0, "R5.2", BLACK, Reason.FEWEST_RINGS, {Player.RED: 4, Player.BLACK: 3}))
    assert lit(won, 0.0) == black_to_move
    assert lit(won, 0.5) == dict.fromkeys(black_to_move, (0, 0, 64))
    tied = view(over=GameOver(90.0, "R5.2", None, Reason.TIE, {Player.RED: 3, Player.BLACK: 3}))
    assert lit(tied, 0.5) == RED_TO_MOVE | black_to_move
    for now, offered in ((view(question=Question(RED)), False), (view(), True)):
        assert lit(now, 0.0, offered=offered) == dict.fromkeys(RED_TO_MOVE | black_to_move, VIOLET)
        assert lit(now, 0.5, offered=offered) == RED_TO_MOVE


def test_a_board_out_of_reach_is_shown_at_a_quarter() -> None:
    assert lit(view(link_lost=True)) == {"red 1": (63, 6, 0), "red 2": (63, 6, 0)}


def test_the_current_model_by_hand() -> None:
    assert milliamps(bytes(126)) == 42  # 42 dark pixels of 1 mA
    assert milliamps(bytes(123) + b"\xff\xff\xff") == 102  # and one white one of 3 times 20 mA
    assert milliamps(b"\xff" * 126) == 2562


@settings(max_examples=in_soak(500, otherwise=40))
@given(
    st.binary(min_size=126, max_size=126)
    | st.lists(st.sampled_from([0, 255]), min_size=126, max_size=126).map(bytes),
    st.floats(0, 3000),
)
def test_no_picture_draws_more_than_its_cap(picture: bytes, cap: float) -> None:
    dimmed = capped(picture, cap)
    assert milliamps(dimmed) <= max(cap, 42) + 1e-6
    if milliamps(picture) <= cap:
        assert dimmed == picture
    else:
        # Evenly: whatever was brighter is no darker now, and hardly any light is given away.
        ranked = sorted(range(126), key=lambda place: picture[place])
        assert [dimmed[place] for place in ranked] == sorted(dimmed)
        assert milliamps(dimmed) > min(cap, 2562) - 126 * 20 / 255 or cap < 42


def test_a_board_full_of_destinations_is_capped_at_1200_or_as_it_is_told() -> None:
    bright = Palette(destination=(255, 255, 255))
    diagnosis = diagnose(view(destinations=frozenset(TUBES)))
    assert 1190 < milliamps(pixels(diagnosis, 0.0, WIRING, bright)) <= 1200
    assert 690 < milliamps(pixels(diagnosis, 0.0, WIRING, bright, 700)) <= 700


def busy_view() -> View:
    """A view in which everything that has a rhythm has it, and the tubes of all advice are right."""
    return view(
        glasses=(
            glass(RED, Tube.A3, seconds=9.0),
            glass(RED, Tube.A2, standing=None),
            glass(BLACK, Tube.D7, seconds=20.0, standing=Tube.F5),
            glass(BLACK, Tube.B2, seconds=10.0),
            glass(BLACK, Tube.D4, seconds=9.0),
        ),
        ring_open={Tube.B2: OpenRing(BLACK)},
        wrong=(
            Correction(Tube.F5, BLACK, Empty()),
            Correction(Tube.D7, Empty(), BLACK),
            Correction(Tube.C1, 1, 0),
        ),
        deadline=103.0,
    )


def rises(values: list[int]) -> int:
    """The number of times that a light rises after falling."""
    moves = [after - before for before, after in pairwise(values) if after != before]
    return sum(1 for before, after in pairwise(moves) if before < 0 < after)


@pytest.mark.parametrize("question", [None, Question()], ids=["playing", "asked"])
@pytest.mark.parametrize("advice", [None, *list(ADVICES)[::2]])
def test_the_board_flashes_once_a_second_and_no_light_more_often(
    advice: Advice | None, question: Question | None
) -> None:
    """Three times a second would be dangerous for some people."""
    diagnosis = diagnose(replace(busy_view(), question=question), advice=advice)
    pictures = [pixels(diagnosis, step / 100, WIRING, milliamp_cap=5000) for step in range(201)]
    assert rises([sum(picture) for picture in pictures[:101]]) <= 1
    flashing = 0
    for place, pixel in PIXELS.items():
        light = [sum(picture[3 * pixel : 3 * pixel + 3]) for picture in pictures]
        assert all(rises(light[start : start + 101]) < 2 for start in range(0, 101, 10)), place
        flashing += len(set(light)) > 1
    assert flashing >= 7  # five tubes that ask or swell, the timer, and more


def test_a_picture_changes_by_itself_just_when_it_has_a_rhythm() -> None:
    alone = [
        diagnose(view(deadline=103.0)),
        diagnose(view(glasses=(glass(RED, Tube.A1, seconds=20.0),))),
        diagnose(view(glasses=(glass(RED, Tube.A1, standing=None),))),
        *(diagnose(view(), advice=advice) for advice in ADVICES),
    ]
    still = moving = 0
    in_games = (diagnose(now) for scenario in SCENARIOS[::40] for _, now in played(scenario))
    for diagnosis in (*alone, *in_games):
        pictures = {pixels(diagnosis, phase / 8, WIRING, milliamp_cap=5000) for phase in range(8)}
        assert has_rhythm(diagnosis) is (len(pictures) > 1)
        moving += len(pictures) > 1
        still += len(pictures) == 1
    assert min(still, moving) > 20


@pytest.mark.parametrize("player", PLAYERS)
def test_more_sand_is_never_darker(player: Player) -> None:
    light = [
        sum(lit(view(glasses=(glass(player, Tube.A1, seconds=seconds),)))["A1"]) for seconds in range(31, 181)
    ]
    assert light == sorted(light)
    assert len(set(light)) == 5  # the sixth and lowest step is that of the last thirty seconds
