"""Diagnoses of views made by hand and of every recorded scenario."""

from dataclasses import replace

import pytest

from tamsk_hw.game.tubes import PLAYERS, TUBES, Tube
from tamsk_hw.panel.diagnosis import (
    HeadlineKind,
    PlayerSign,
    PlayerStatus,
    TimerSign,
    TubeRequest,
    TubeSign,
    TubeState,
    diagnose,
)
from tamsk_hw.referee.rulings import Correction, Empty, GameOver, Question, Reason
from tamsk_hw.referee.view import GlassState, OpenRing, Phase
from tests.panel.boards import BLACK, RED, glass, played, view
from tests.scenarios.book import SCENARIOS
from tests.soak import SOAK

WON = GameOver(90.0, "R5.2", RED, Reason.FEWEST_RINGS, {RED: 3, BLACK: 4})


def sign_of(tube: Tube, **changes: object) -> TubeSign:
    return diagnose(view(**changes)).tubes[tube]


def test_a_running_glass_never_promises_more_sand_than_is_sure() -> None:
    sign = sign_of(Tube.D4, glasses=(glass(BLACK, Tube.D4, seconds=(45.0, 54.0)),))
    assert sign == TubeSign(TubeState.RUNNING, BLACK, 0.25, 45.0)


def test_a_glass_in_the_hand_is_shown_where_it_belongs() -> None:
    sign = sign_of(Tube.D2, full=frozenset({Tube.D2}), glasses=(glass(RED, Tube.D2, seconds=90.0, standing=None),))
    assert sign == TubeSign(TubeState.LIFTED, RED, 0.5, 90.0)


def test_a_wrongly_seated_glass_shows_its_sand_there_and_what_to_do() -> None:
    diagnosis = diagnose(
        view(
            glasses=(glass(BLACK, Tube.D7, seconds=90.0, standing=Tube.E5), glass(RED, Tube.G4)),
            destinations=frozenset({Tube.E5}),
            wrong=(Correction(Tube.E5, BLACK, Empty()), Correction(Tube.D7, Empty(), BLACK)),
        )
    )
    assert diagnosis.tubes[Tube.E5] == TubeSign(TubeState.RUNNING, BLACK, 0.5, 90.0, TubeRequest.TAKE_AWAY)
    assert diagnosis.tubes[Tube.D7] == TubeSign(TubeState.LIFTED, BLACK, 0.5, 90.0, TubeRequest.BELONGS, BLACK)


def test_a_glass_that_took_a_lifted_ones_tube_is_shown_there() -> None:
    diagnosis = diagnose(
        view(glasses=(glass(RED, Tube.D1, seconds=90.0, standing=None), glass(BLACK, Tube.E1, standing=Tube.D1)))
    )
    assert diagnosis.tubes[Tube.D1].player is BLACK
    assert diagnosis.tubes[Tube.E1].holds is TubeState.LIFTED


@pytest.mark.parametrize("turned_round", [False, True])
def test_the_most_pressing_is_asked(turned_round: bool) -> None:
    wrong = (Correction(Tube.D2, 2, 1), Correction(Tube.D2, RED, Empty()))
    sign = sign_of(Tube.D2, ring_open={Tube.D2: OpenRing(RED)}, wrong=wrong[::-1] if turned_round else wrong)
    assert sign.asks is TubeRequest.TAKE_AWAY


WRONG = (Correction(Tube.C3, None, Empty()),)


@pytest.mark.parametrize(
    ("changes", "stance"),
    [
        ({"turn": RED}, PlayerStatus.TO_MOVE),
        ({"turn": RED, "move_started": True}, PlayerStatus.MOVING),
        ({"turn": BLACK}, PlayerStatus.WAITING),
        ({"turn": None, "phase": Phase.SETUP, "wrong": WRONG}, PlayerStatus.WAITING),
        ({"turn": None, "phase": Phase.SETUP, "link_lost": True}, PlayerStatus.WAITING),
        ({"over": replace(WON, winner=BLACK)}, PlayerStatus.BEATEN),
    ],
)
def test_where_a_player_stands(changes: dict[str, object], stance: PlayerStatus) -> None:
    assert diagnose(view(**changes)).players[RED] == PlayerSign(stance, 30)


@pytest.mark.parametrize(("left", "due"), [(31, 2), (1, 1), (0, 0)])
def test_a_player_drops_the_rings_that_he_has(left: int, due: int) -> None:
    now = view(ring_open={Tube.D2: OpenRing(BLACK)}, penalty=BLACK, left={RED: 30, BLACK: left})
    assert diagnose(now).players[BLACK] == PlayerSign(PlayerStatus.WAITING, left, due, left > 0)


def test_the_fifteen_seconds_end_at_0() -> None:
    assert diagnose(view(deadline=99.0)).timer == TimerSign(RED, 0.0, urgent=True)


def test_after_the_game_nothing_is_asked() -> None:
    diagnosis = diagnose(
        view(over=WON, wrong=WRONG, ring_open={Tube.D2: OpenRing(RED)}, question=Question(), deadline=105.0)
    )
    assert {sign.asks for sign in diagnosis.tubes} == {None}
    assert diagnosis.timer is None
    assert not diagnosis.asking


def test_nothing_is_shown_that_the_view_does_not_say() -> None:
    """Every view of recorded scenarios, tube by tube against the view."""
    states = {
        TubeState.RUNNING: GlassState.RUNNING,
        TubeState.URGENT: GlassState.RUNNING,
        TubeState.DOUBTFUL: GlassState.DOUBTFUL,
        TubeState.LOST: GlassState.LOST,
        TubeState.UNSTARTED: GlassState.UNSTARTED,
        TubeState.STILL: GlassState.NO_SAND,
    }
    seen: set[TubeState | TubeRequest | PlayerStatus | HeadlineKind] = set()
    for scenario in SCENARIOS[:: 1 if SOAK else 8]:
        for _, now in played(scenario):
            diagnosis = diagnose(now)
            standing = {g.standing: g for g in now.glasses if g.standing is not None}
            lifted = {g.tube for g in now.glasses if g.standing is not g.tube}
            mended = {mend.tube for mend in now.wrong}
            for tube, sign in zip(TUBES, diagnosis.tubes, strict=True):
                where = f"{scenario.name} at {now.t}: {tube}"
                if sign.holds in states:
                    held = standing[tube]
                    assert (held.owner, held.state) == (sign.player, states[sign.holds]), where
                    assert sign.seconds <= held.seconds[0], where
                    assert sign.share <= held.fraction[0], where
                else:
                    assert tube not in standing, where
                assert (sign.holds is not TubeState.LIFTED) or tube in lifted, where
                assert (sign.holds is not TubeState.DESTINATION) or tube in now.destinations, where
                assert (sign.holds is not TubeState.FULL) or tube in now.full, where
                if sign.asks is TubeRequest.RING_OPEN:
                    assert now.ring_open[tube].player is sign.asked, where
                elif now.over is None:
                    assert (sign.asks is not None) == (tube in mended), where
                seen |= {sign.holds} | ({sign.asks} if sign.asks else set())
            for player in PLAYERS:
                sign_now = diagnosis.players[player]
                to_move = sign_now.stance in (PlayerStatus.TO_MOVE, PlayerStatus.MOVING)
                assert to_move == (now.turn is player and now.over is None), scenario.name
                seen.add(sign_now.stance)
            seen.add(diagnosis.headline.news)
    assert len(seen) > 30, "the scenarios show nearly everything that there is"


def test_glasses_stand_in_the_order_in_which_they_run_out() -> None:
    lost, fresh = glass(RED, Tube.A1, GlassState.LOST), glass(RED, Tube.D4, GlassState.UNSTARTED)
    runs, doubtful = glass(RED, Tube.B2), glass(RED, Tube.C3, GlassState.DOUBTFUL, seconds=(0.0, 8.0))
    now = view(glasses=(lost, runs, glass(BLACK, Tube.F1), doubtful, fresh))
    assert now.clocks(RED) == [(3, doubtful), (2, runs), (4, fresh), (1, lost)]
