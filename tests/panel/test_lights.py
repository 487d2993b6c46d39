"""Pictures computed by hand from the palette's numbers, their current, and their rhythm."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamsk_hw.game.tubes import PLAYERS, TUBES, End, Player, Tube
from tamsk_hw.panel.diagnosis import diagnose
from tamsk_hw.panel.lights import PALETTE, Palette, capped, has_rhythm, milliamps, pixels
from tamsk_hw.referee.events import RING_LIGHT, SensorId
from tamsk_hw.referee.rulings import Correction, Empty, GameOver, Question, Reason
from tamsk_hw.referee.view import GlassState, GlassView, OpenRing, Phase, View
from tests.panel.boards import BLACK, RED, OddMap, PlainMap, glass, played, view
from tests.scenarios.book import SCENARIOS

PLAIN = PlainMap()
RED_TO_MOVE = {38: (255, 25, 0), 39: (255, 25, 0)}
DARK = (0, 0, 0)


def lit(now: View, t: float = 0.0, wiring: Any = PLAIN) -> dict[int, tuple[int, ...]]:
    """The pixels that are lit, with their red, green and blue; the supply is generous."""
    picture = pixels(diagnose(now), t, wiring, milliamp_cap=5000)
    assert len(picture) == 126
    colours = {pixel: tuple(picture[3 * pixel : 3 * pixel + 3]) for pixel in range(42)}
    return {pixel: colour for pixel, colour in colours.items() if colour != DARK}


def test_red_to_move_on_an_empty_board() -> None:
    picture = pixels(diagnose(view()), 0.0, PLAIN)
    assert picture == bytes(38 * 3) + bytes([255, 25, 0, 255, 25, 0]) + bytes(6)


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
        0: (255, 25, 0),
        1: (135, 13, 0),
        2: (0, 0, 20),
        3: (240, 150, 0),
        4: (14, 6, 12),
        5: (0, 0, 255),
        6: (60, 50, 40),
        7: (20, 230, 70),
    }
    assert lit(now, 0.0) == lit(now, 0.5) == lit(now, 0.75) == by_hand


def test_the_last_thirty_seconds_and_the_lifted_glass_swell() -> None:
    now = view(glasses=(glass(RED, Tube.A1, seconds=20.0), glass(BLACK, Tube.A2, standing=None)))
    # The lowest step is 20 %: (51, 5, 0) and (0, 0, 51); a quarter second on 62.5 % of that, then 25 %.
    assert lit(now, 7.0) == RED_TO_MOVE | {0: (51, 5, 0), 1: (0, 0, 51)}
    assert lit(now, 7.25) == RED_TO_MOVE | {0: (32, 3, 0), 1: (0, 0, 32)}
    assert lit(now, 7.5) == RED_TO_MOVE | {0: (13, 1, 0), 1: (0, 0, 13)}


def test_a_tube_whose_rings_cannot_be_read_flashes_at_the_beginning_of_each_second() -> None:
    now = view(
        glasses=(glass(RED, Tube.A1, seconds=180.0),),
        unread={RING_LIGHT: frozenset({Tube.A1, Tube.A2}), SensorId.ring(Tube.A3, 1): frozenset({Tube.A3})},
        wrong=(Correction(Tube.A3, 1, 0),),
    )
    violet = (170, 20, 255)
    assert lit(now, 3.0) == lit(now, 3.2) == RED_TO_MOVE | {0: violet, 1: violet, 2: violet}
    assert lit(now, 3.3) == RED_TO_MOVE | {0: (255, 25, 0), 2: violet}  # what must be put right comes first
    assert lit(now, 3.6) == RED_TO_MOVE | {0: (255, 25, 0)}
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
    violet = (170, 20, 255)
    assert lit(now, 0.0) == RED_TO_MOVE | {26: violet, 21: (90, 130, 210), 9: violet, 0: violet}
    assert lit(now, 0.5) == RED_TO_MOVE | {26: (0, 0, 255), 21: (0, 0, 255), 9: (60, 50, 40)}


def test_an_open_ring_is_white_at_its_tube_and_its_player() -> None:
    now = view(glasses=(glass(BLACK, Tube.F1, seconds=180.0),), ring_open={Tube.F1: OpenRing(BLACK)})
    white = (255, 255, 240)
    assert lit(now, 0.0) == RED_TO_MOVE | {28: white, 41: white}
    assert lit(now, 0.5) == RED_TO_MOVE | {28: (0, 0, 255), 41: white}


@pytest.mark.parametrize(
    ("seconds", "t", "colour"),
    [
        (15.0, 0.5, (255, 25, 0)),
        (9.0, 0.5, (135, 13, 0)),  # 9 of 15 s is step 3
        (3.0, 0.0, (71, 7, 0)),  # step 1, 28 %, and swelling
        (3.0, 0.5, (18, 2, 0)),
        (0.0, 0.0, (51, 5, 0)),
    ],
)
def test_the_timer_fades_in_the_colour_of_whom_it_counts_against(
    seconds: float, t: float, colour: tuple[int, int, int]
) -> None:
    assert lit(view(deadline=100.0 + seconds), t) == RED_TO_MOVE | {37: colour}


def test_late_won_tied_and_asked_players() -> None:
    blue, amber, violet = (0, 0, 255), (240, 150, 0), (170, 20, 255)
    assert lit(view(turn=BLACK, late=RED)) == {38: amber, 39: amber, 40: blue, 41: blue}
    won = view(over=GameOver(90.0, "R5.2", BLACK, Reason.FEWEST_RINGS, {Player.RED: 4, Player.BLACK: 3}))
    assert lit(won, 0.0) == {40: blue, 41: blue}
    assert lit(won, 0.5) == {40: (0, 0, 64), 41: (0, 0, 64)}
    tied = view(over=GameOver(90.0, "R5.2", None, Reason.TIE, {Player.RED: 3, Player.BLACK: 3}))
    assert lit(tied, 0.5) == RED_TO_MOVE | {40: blue, 41: blue}
    asked = view(question=Question(RED))
    assert lit(asked, 0.0) == dict.fromkeys((38, 39, 40, 41), violet)
    assert lit(asked, 0.5) == RED_TO_MOVE


def test_a_board_that_waits_for_start_lights_both_players() -> None:
    ready = lit(view(turn=None, phase=Phase.SETUP))
    assert ready == {38: (255, 25, 0), 39: (255, 25, 0), 40: (0, 0, 255), 41: (0, 0, 255)}


def test_an_unfinished_game_that_is_offered_asks_the_players() -> None:
    offered = [pixels(diagnose(view(), offered=True), t, PLAIN, milliamp_cap=5000)[3 * 38 :] for t in (0.0, 0.5)]
    assert offered == [bytes([170, 20, 255] * 4), bytes([255, 25, 0] * 2) + bytes(6)]


def test_a_board_out_of_reach_is_shown_at_a_quarter() -> None:
    assert lit(view(link_lost=True)) == {38: (63, 6, 0), 39: (63, 6, 0)}


def test_the_wiring_says_which_pixel_it_is() -> None:
    now = view(glasses=(glass(BLACK, Tube.A1, seconds=180.0),), deadline=115.0)
    assert lit(now, 0.0, OddMap()) == {41: (0, 0, 255), 4: (255, 25, 0), 3: (255, 25, 0), 2: (255, 25, 0)}


def test_the_current_model_by_hand() -> None:
    assert milliamps(bytes(126)) == 42  # 42 dark pixels of 1 mA
    assert milliamps(bytes(123) + b"\xff\xff\xff") == 102  # and one white one of 3 times 20 mA
    assert milliamps(b"\xff" * 126) == 2562


def test_dimmed_evenly_by_hand() -> None:
    # 42 white pixels draw 2562 mA; 672 mA leave 630 for light, a quarter of 2520: 63 of 255 each.
    assert capped(b"\xff" * 126, 672) == bytes([63]) * 126


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


GLASSES = st.lists(st.sampled_from(TUBES), max_size=6, unique=True).flatmap(
    lambda tubes: st.tuples(
        *(
            st.builds(
                glass,
                st.sampled_from(PLAYERS),
                st.just(tube),
                st.sampled_from(GlassState),
                seconds=st.floats(0, 180),
            )
            for tube in tubes
        )
    )
)


@given(GLASSES, st.frozensets(st.sampled_from(TUBES)), st.floats(0, 100), st.floats(42, 1200))
def test_whole_pictures_keep_to_the_cap(
    glasses: tuple[object, ...], green: frozenset[Tube], t: float, cap: float
) -> None:
    now = view(glasses=glasses, destinations=green, ring_open={Tube.D4: OpenRing(RED)}, deadline=110.0)
    assert milliamps(pixels(diagnose(now), t, PLAIN, milliamp_cap=cap)) <= cap + 1e-6


def test_a_board_full_of_destinations_is_capped_at_1200_by_default() -> None:
    bright = Palette(destination=(255, 255, 255))
    picture = pixels(diagnose(view(destinations=frozenset(TUBES))), 0.0, PLAIN, bright)
    assert 1190 < milliamps(picture) <= 1200


@given(GLASSES, st.sampled_from(PLAYERS), st.sampled_from(TUBES), st.floats(0, 100))
def test_a_lost_glass_never_looks_as_if_it_ran(
    others: tuple[GlassView, ...], owner: Player, tube: Tube, t: float
) -> None:
    lost = glass(owner, tube, GlassState.LOST)
    now = view(turn=None, glasses=(lost, *(other for other in others if other.tube is not tube)))
    assert lit(now, t)[tube] == PALETTE.lost


def busy_view() -> View:
    """A view in which everything that has a rhythm has it."""
    return view(
        glasses=(
            glass(RED, Tube.A1, seconds=9.0),
            glass(RED, Tube.A2, standing=None),
            glass(BLACK, Tube.D7, seconds=20.0, standing=Tube.E5),
            glass(BLACK, Tube.B2, seconds=10.0),
        ),
        ring_open={Tube.B2: OpenRing(BLACK)},
        wrong=(
            Correction(Tube.E5, BLACK, Empty()),
            Correction(Tube.D7, Empty(), BLACK),
            Correction(Tube.C1, 1, 0),
        ),
        deadline=103.0,
        question=Question(),
    )


def rises(values: list[int]) -> int:
    """The number of times that a light rises after falling."""
    moves = [after - before for before, after in pairwise(values) if after != before]
    return sum(1 for before, after in pairwise(moves) if before < 0 < after)


@pytest.mark.parametrize("now", [busy_view(), replace(busy_view(), question=None)])
def test_nothing_flashes_three_times_a_second(now: View) -> None:
    diagnosis = diagnose(now)
    pictures = [pixels(diagnosis, step / 200, PLAIN) for step in range(400)]
    flashing = 0
    for pixel in range(42):
        light = [sum(picture[3 * pixel : 3 * pixel + 3]) for picture in pictures]
        for start in range(0, 200, 20):
            assert rises(light[start : start + 200]) < 3, f"pixel {pixel}"
        flashing += len(set(light)) > 1
    whole = [sum(picture) for picture in pictures]
    assert all(rises(whole[start : start + 200]) < 3 for start in range(0, 200, 20))
    assert flashing >= 7  # five tubes that ask or swell, the timer, and more


def test_a_picture_changes_by_itself_just_when_it_has_a_rhythm() -> None:
    alone = [
        view(deadline=103.0),
        view(glasses=(glass(RED, Tube.A1, seconds=20.0),)),
        view(glasses=(glass(RED, Tube.A1, standing=None),)),
    ]
    still = moving = 0
    for now in [*alone, *(now for scenario in SCENARIOS[::5] for _, now in played(scenario))]:
        diagnosis = diagnose(now)
        pictures = {pixels(diagnosis, phase / 8, PLAIN, milliamp_cap=5000) for phase in range(8)}
        assert has_rhythm(diagnosis) is (len(pictures) > 1)
        moving += len(pictures) > 1
        still += len(pictures) == 1
    assert min(still, moving) > 50


@pytest.mark.parametrize("player", PLAYERS)
def test_more_sand_is_never_darker(player: Player) -> None:
    light = [
        sum(lit(view(turn=None, glasses=(glass(player, Tube.A1, seconds=seconds),)))[0])
        for seconds in range(31, 181)
    ]
    assert light == sorted(light)
    assert len(set(light)) == 5  # the sixth and lowest step is that of the last thirty seconds
