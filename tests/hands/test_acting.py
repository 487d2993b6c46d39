"""Deeds of hands at a simulated board, and what becomes of the world whatever is asked of it."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tamsk_hw.board.protocol import Decoder, Hello, ResetCause
from tamsk_hw.board.wiring import load_wiring
from tamsk_hw.errors import TamskError
from tamsk_hw.game.tubes import End, Player, Tube
from tamsk_hw.hands.actions import ACTIONS, HandAction, ResetKind, parameters_of
from tamsk_hw.hands.observation import GlassSeen, Observation
from tamsk_hw.referee.events import ButtonName
from tamsk_hw.simulator.things import TimerPlace, WorldStart
from tamsk_hw.simulator.truth import WorldError
from tamsk_hw.simulator.world import PressKind
from tests.hands.at_hand import AtHand, act, check_world
from tests.house import ROOT
from tests.soak import in_soak

RED, BLACK = Player.RED, Player.BLACK


def glass(look: Observation, name: str) -> GlassSeen:
    return next(each for each in look.glasses if each.name == name)


def test_a_glass_goes_from_tube_to_hand_to_tube() -> None:
    table = AtHand()
    before = glass(table.hands.observe(), "D1")
    assert (before.tube, before.hand, before.above, before.runs) == (Tube.D1, None, 0.0, False)
    lifted = glass(table.do(act("lift", RED, Tube.D1)), "D1")
    assert (lifted.tube, lifted.hand) == (None, RED)
    seated = glass(table.do(act("seat", RED, Tube.D2, turned=True)), "D1")
    assert (seated.tube, seated.hand, seated.end, seated.runs) == (Tube.D2, None, before.end.other, True)
    assert 0.98 < seated.above < 1.0


def test_a_glass_is_turned_in_the_hand_and_put_away() -> None:
    table = AtHand()
    turned = glass(table.do(act("lift", RED, Tube.D1), act("turn", RED)), "D1")
    assert turned.runs
    away = glass(table.do(act("put_away", RED)), "D1")
    assert (away.tube, away.hand, away.runs) == (None, None, False)
    back = glass(table.do(act("place", BLACK, Tube.D4, glass="D1", end=End.A)), "D1")
    assert (back.tube, back.end) == (Tube.D4, End.A)


def test_rings_go_from_holder_to_tube_and_to_the_others_holder() -> None:
    table = AtHand()
    dropped = table.do(act("drop", RED, Tube.D4))
    assert (dict(dropped.rings), dropped.players[RED].holder) == ({Tube.D4: 1}, 31)
    assert table.do(act("take_up", RED)).players[RED].rings == 1
    assert table.do(act("put_back", RED)).players[RED].holder == 31
    given = table.do(act("take_up", RED), act("put_back", RED, to=BLACK)).players
    assert (given[RED].holder, given[RED].rings, given[BLACK].holder) == (30, 0, 33)
    back = table.do(act("take_up", BLACK), act("put_back", BLACK, to=RED)).players
    assert (back[RED].holder, back[BLACK].holder) == (31, 32)
    taken = table.do(act("take", RED, Tube.D4, to=BLACK))
    assert (dict(taken.rings), taken.players[BLACK].holder) == ({}, 33)


def test_hands_are_as_quick_as_they_are_asked_to_be() -> None:
    table = AtHand()
    table.do(act("lift", RED, Tube.D1), act("take_up", RED))
    began = table.world.now
    table.do(act("seat", RED, Tube.D2, travel=0.0))
    assert table.world.now - began < 0.05 + 0.15 + 0.25 + 1e-6
    began = table.world.now
    table.do(act("drop", RED, Tube.D2, within=0.0))
    assert table.world.now - began == pytest.approx(0.2)
    assert table.hands.observe().rings == {Tube.D2: 1}
    table.do(act("lift", RED, Tube.D2))
    began = table.world.now
    table.do(act("seat", RED, Tube.D1, travel=8.0))
    assert table.world.now - began > 8.0


def test_rings_are_laid_aside_and_fetched() -> None:
    table = AtHand()
    aside = table.do(act("put_aside", RED))
    assert (aside.players[RED].holder, aside.players[RED].aside) == (0, 32)
    with pytest.raises(WorldError, match="no ring left"):
        table.do(act("drop", RED, Tube.D4))
    assert table.do(act("fetch", RED)).players[RED].holder == 32


def test_the_timer_is_turned_put_away_and_set_back() -> None:
    table = AtHand()
    done = table.hands.begin(act("turn_timer", RED))
    table.board.advance(done - 0.4)
    assert table.hands.observe().timer.place is TimerPlace.HAND
    table.board.advance(done)
    turned = table.hands.observe().timer
    assert (turned.place, turned.runs) == (TimerPlace.CRADLE, True)
    assert table.do(act("put_timer_away", RED)).timer.place is TimerPlace.OFF
    assert table.do(act("place_timer", BLACK, End.B)).timer.end is End.B


def test_buttons_go_down_and_up() -> None:
    table = AtHand()
    assert table.do(act("press", ButtonName.RED, PressKind.DOWN)).buttons == (ButtonName.RED,)
    assert table.do(act("press", ButtonName.RED, PressKind.UP)).buttons == ()
    done = table.hands.begin(act("press", ButtonName.START, PressKind.LONG))
    table.board.advance(1.6)
    assert table.world.is_down(ButtonName.START)
    table.board.advance(done)
    assert not table.world.is_down(ButtonName.START)


def test_what_goes_wrong_with_the_board_is_seen() -> None:
    table = AtHand()
    broken = table.do(act("fault", "ring D4.2 1"), act("fault", "holder red"), act("lamp", True), act("unplug"))
    assert broken.faults == ("ring D4.2 1", "holder red")
    assert (broken.lamp, broken.plugged) == (True, False)
    assert table.do(act("repair", "holder red"), act("replug")).faults == ("ring D4.2 1",)
    mended = table.do(act("repair"), act("lamp", False))
    assert (mended.faults, mended.lamp, mended.plugged) == ((), False, True)


@pytest.mark.parametrize(
    ("kind", "cause"),
    [
        (ResetKind.PIN, ResetCause.EXTERNAL),
        (ResetKind.POWER, ResetCause.POWER_ON),
        (ResetKind.BROWN_OUT, ResetCause.BROWN_OUT),
        (ResetKind.WATCHDOG, ResetCause.WATCHDOG),
    ],
)
def test_the_controller_starts_again(kind: ResetKind, cause: ResetCause) -> None:
    table = AtHand()
    table.board.advance(1.0)
    table.do(act("reset", kind))
    decoder = Decoder()
    sent = [each for _, frame in table.board.advance(2.0) for each in decoder.feed(frame)]
    assert [each.reset_cause for each in sent if isinstance(each, Hello)] == [cause]


def test_lights_are_seen_by_their_places() -> None:
    table = AtHand()
    assert table.hands.observe().lights is None
    picture = bytearray(3 * table.wiring.pixel_count)
    pixel = table.wiring.tube_pixels[Tube.D4]
    assert pixel is not None
    picture[3 * pixel : 3 * pixel + 3] = b"\x01\x80\xff"
    table.hands.show(bytes(picture))
    lights = table.hands.observe().lights
    assert lights is not None
    assert {place for place, colour in lights.items() if colour != "000000"} == {"D4"}
    assert lights["D4"] == "0180ff"
    assert {"timer", "red 1", "red 2", "black 1", "black 2"} <= set(lights)
    with pytest.raises(WorldError, match="126"):
        table.hands.show(b"\x00\x00\x00")


@pytest.mark.parametrize(
    ("before", "deed", "words"),
    [
        ([], act("lift", RED, Tube.D4), "no glass is in D4"),
        ([act("lift", RED, Tube.D1)], act("lift", BLACK, Tube.D1), "no glass is in D1"),
        ([], act("seat", RED, Tube.D4), "does not hold a glass"),
        ([act("lift", RED, Tube.D1)], act("seat", BLACK, Tube.D1), "does not hold a glass"),
        ([act("lift", RED, Tube.D1)], act("seat", RED, Tube.G1), "no glass fits into G1"),
        ([act("lift", RED, Tube.D1)], act("seat", RED, Tube.D1, glass="G4"), "does not hold the red glass G4"),
        ([], act("seat", RED, Tube.D1, glass="Z1"), "there is no glass 'Z1'"),
        ([act("lift", RED, Tube.D1), act("lift", RED, Tube.G4)], act("lift", RED, Tube.A4), "no free hand"),
        ([], act("place", RED, Tube.D4), "no glass off the board"),
        ([], act("place", RED, Tube.D4, glass="D1"), "is not off the board"),
        ([], act("place_timer", RED), "not in the box"),
        ([act("put_timer_away", RED)], act("put_timer_away", BLACK), "not in its cradle"),
        ([], act("put_back", RED), "no ring in his hand"),
        ([], act("take", RED, Tube.D4), "there is no ring on D4"),
        ([act("drop", RED, Tube.A1)], act("drop", RED, Tube.A1), "no ring fits on A1: 1 of 1"),
        ([], act("straighten", RED, Tube.D1), "does not lean"),
        ([], act("knock", Tube.D4), "no glass is in D4"),
        ([], act("fetch", RED), "no rings of red lie aside"),
        ([], act("press", ButtonName.RED, PressKind.UP), "nobody holds"),
        ([], act("fault", "converter 9"), "there is no converter 9"),
        ([act("fault", "mux 1 0")], act("fault", "mux 1 0"), "already"),
        ([], act("repair", "mux 1 0"), "not broken"),
        ([], act("replug"), "in already"),
        ([act("unplug")], act("unplug"), "out already"),
    ],
)
def test_what_hands_cannot_do_is_refused_and_changes_nothing(
    before: list[HandAction], deed: HandAction, words: str
) -> None:
    table = AtHand()
    table.do(*before)
    seen = table.hands.observe()
    with pytest.raises(TamskError) as refused:
        table.hands.begin(deed)
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)
    assert table.hands.observe() == seen
    check_world(seen)


def test_a_smaller_board_has_no_other_tubes() -> None:
    table = AtHand(setup=WorldStart.FREE, wiring=load_wiring(ROOT / "wiring" / "seven" / "board.toml"))
    assert glass(table.do(act("place", RED, Tube.D4)), "red-1").tube is Tube.D4
    with pytest.raises(WorldError, match="no tube A1; it has"):
        table.hands.begin(act("place", RED, Tube.A1))


VALUES: dict[Any, Any] = {
    Player: st.sampled_from(Player),
    Tube: st.sampled_from([Tube.D1, Tube.D2, Tube.G1, Tube.G4, Tube.A1, Tube.D4]),
    float: st.sampled_from([0.1, 1.0]),
    "glass": st.sampled_from(["D1", "G1", "A1", "no glass"]),
    "fault": st.sampled_from(["ring D4.1 1", "converter 1", "holder red", "nothing"]),
}


@st.composite
def actions(draw: Any) -> HandAction:
    name = draw(st.sampled_from(sorted(ACTIONS)))
    values = {}
    for each in parameters_of(name):
        kind = each.name if each.kind is str else each.kind
        drawn = VALUES[kind] if kind in VALUES else st.booleans() if kind is bool else st.sampled_from(kind)
        values[each.name] = draw(drawn if each.is_needed else st.just(each.default) | drawn)
    return HandAction(name, values)


@settings(max_examples=in_soak(150, otherwise=40))
@given(
    st.sampled_from(WorldStart),
    st.lists(st.tuples(actions(), st.sampled_from([0.0, 0.0, 0.05, 0.3, 1.0, 3.0])), max_size=40),
)
def test_whatever_hands_are_asked_for_the_world_is_consistent(
    setup: WorldStart, asked: list[tuple[HandAction, float]]
) -> None:
    table = AtHand(seed=len(asked), setup=setup)
    for deed, pause in asked:
        seen = table.hands.observe()
        refused = ""
        try:
            done = table.hands.begin(deed)
        except TamskError as error:
            refused, done = str(error), table.world.now
        assert done >= table.world.now
        assert "\n" not in refused
        assert not refused or table.hands.observe() == seen
        table.board.advance(table.world.now + pause)
        check_world(table.hands.observe())
    for _ in range(20):
        table.board.advance(table.world.now + 0.25)
        check_world(table.hands.observe())
    look = table.hands.observe()
    for player in Player:
        held = sum(each.hand is player for each in look.glasses)
        assert held + look.players[player].rings + look.players[player].free_hands == 2, "hands come to rest"
