"""The partner's advice at a table: what is asked when, how long an answer holds, and processes that fail."""

from dataclasses import replace

import pytest

from tamsk_hw.facts.notices import PartnerEnded
from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.game.tubes import Tube
from tamsk_hw.live.stream import Names
from tamsk_hw.partner import Strength
from tamsk_hw.partner.intention import Advice, MoveGlass, MoveRing, PartnerSeat, RingAct, TurnTimerOver
from tamsk_hw.referee.rulings import Correction, Empty
from tamsk_hw.referee.view import GlassState, OpenRing, Phase, View
from tamsk_hw.table.partner import HANGS_SECONDS, RETRY_SECONDS, PartnerAdviser, PartnerAnswer, PartnerGame
from tests.panel.boards import BLACK, RED, glass, view

MOVE = Advice(BLACK, MoveGlass(Tube.D4, Tube.E4, turned=True, ring=True))
RING = Advice(BLACK, MoveRing(RingAct.DROP, Tube.D4))
BOARD = view(turn=BLACK, glasses=(glass(BLACK, Tube.D4), glass(RED, Tube.B2)))


class Seats:
    """The names and rules of a table."""

    names = Names(red="Ann", black="tamsk-hw (fair)")
    ruleset = Ruleset(level=2)


class Thinks:
    """A mind that answers when a test says so."""

    def __init__(self) -> None:
        self.asked: list[tuple[PartnerGame, View]] = []
        self.answers: list[PartnerAnswer] = []
        self.is_lost = False
        self.ended: list[str] = []

    def ask(self, game: PartnerGame, view: View) -> None:
        self.asked.append((game, view))

    def take_answer(self) -> PartnerAnswer | None:
        if self.is_lost:
            raise ConnectionError("gone")
        return self.answers.pop(0) if self.answers else None

    def kill(self) -> None:
        self.ended.append("kill")

    def close(self) -> None:
        self.ended.append("close")


class AtTable:
    """An adviser with the minds that he was given, one after the other."""

    def __init__(self) -> None:
        self.seats = Seats()
        self.minds: list[Thinks] = []
        self.notices: list[PartnerEnded] = []
        self.refuses = False
        self.adviser = PartnerAdviser(self.seats, self._start, self.notices.append, seed=5)
        self.now = 0.0

    def _start(self) -> Thinks:
        if self.refuses:
            raise ConnectionError("no memory")
        self.minds.append(Thinks())
        return self.minds[-1]

    @property
    def mind(self) -> Thinks:
        return self.minds[-1]

    def see(self, now: View, seconds: float = 0.1, *, offered: bool = False) -> None:
        self.now += seconds
        self.adviser.follow(now, offered=offered, now=self.now)

    def advised(self, advice: Advice | None, now: View = BOARD, seconds: float = 1.0) -> None:
        """Have the mind answer about this view."""
        self.see(now)
        self.mind.answers.append(PartnerAnswer(advice, seconds))
        self.see(now)

    def shown(self, now: View = BOARD, *, offered: bool = False) -> Advice | None:
        return self.adviser.advice(now, offered=offered)


@pytest.mark.parametrize(
    "now",
    [
        replace(BOARD, t=101.0, glasses=(glass(BLACK, Tube.D4, seconds=60.0), glass(RED, Tube.B2))),
        replace(BOARD, move_started=True, glasses=(glass(BLACK, Tube.D4, standing=None), glass(RED, Tube.B2))),
        replace(BOARD, deadline=115.0),
        replace(BOARD, destinations=frozenset({Tube.E4})),
    ],
)
def test_a_move_stays_advised_while_sand_runs_and_a_glass_is_in_the_hand(now: View) -> None:
    table = AtTable()
    table.advised(MOVE)
    assert table.shown(now) == MOVE


CHANGED = [
    replace(BOARD, turn=RED),
    replace(BOARD, number=6),
    replace(BOARD, rings=(1,) + (0,) * 36),
    replace(BOARD, glasses=(glass(BLACK, Tube.E4), glass(RED, Tube.B2))),
    replace(BOARD, glasses=(glass(BLACK, Tube.D4, GlassState.DOUBTFUL), glass(RED, Tube.B2))),
    replace(BOARD, wrong=(Correction(Tube.A1, RED, Empty()),)),
    replace(BOARD, ring_open={Tube.D4: OpenRing(BLACK)}),
    replace(BOARD, penalty=BLACK),
    replace(BOARD, link_lost=True),
    replace(BOARD, phase=Phase.OVER),
]


@pytest.mark.parametrize("now", CHANGED)
def test_an_advice_disappears_as_soon_as_it_is_no_longer_true(now: View) -> None:
    for advice in (MOVE, RING):
        table = AtTable()
        table.advised(advice)
        assert table.shown(now) is None
        assert table.shown(BOARD) == advice
        assert table.shown(BOARD, offered=True) is None


def test_what_is_no_move_depends_on_hands_and_timer_too() -> None:
    for advice in (RING, Advice(BLACK, TurnTimerOver())):
        table = AtTable()
        table.advised(advice)
        assert table.shown(replace(BOARD, t=101.0)) == advice
        assert table.shown(replace(BOARD, move_started=True)) is None
        assert table.shown(replace(BOARD, deadline=115.0)) is None


def test_he_is_asked_by_his_name_s_strength_at_every_change_and_when_he_wants_to_be() -> None:
    table = AtTable()
    table.advised(None, seconds=0.5)
    assert table.mind.asked == [(PartnerGame(PartnerSeat(BLACK, Strength.FAIR), Ruleset(level=2), 5, 0), BOARD)]
    table.see(BOARD, 0.2)
    assert len(table.mind.asked) == 1
    table.see(BOARD, 0.2)  # half a second since he was asked
    assert len(table.mind.asked) == 2
    table.mind.answers.append(PartnerAnswer(None, 1000.0))
    table.see(BOARD)
    table.see(CHANGED[0])
    assert [view for _, view in table.mind.asked[2:]] == [CHANGED[0]]


def test_while_he_thinks_views_pass_him_by_and_the_newest_is_next() -> None:
    table = AtTable()
    for now in (BOARD, *CHANGED[:5]):
        table.see(now)
    assert [view for _, view in table.mind.asked] == [BOARD]
    table.mind.answers.append(PartnerAnswer(MOVE, 1.0))
    table.see(CHANGED[5])
    assert [view for _, view in table.mind.asked] == [BOARD, CHANGED[5]]
    assert table.shown(CHANGED[5]) is None  # what he said was about another view


def test_nothing_is_asked_while_nobody_plays() -> None:
    table = AtTable()
    for phase in (Phase.SETUP, Phase.OVER):
        table.see(replace(BOARD, phase=phase))
    table.see(replace(BOARD, link_lost=True))
    table.see(BOARD, offered=True)
    assert not table.mind.asked


def test_each_game_is_a_new_one_for_him() -> None:
    table = AtTable()
    table.see(replace(BOARD, phase=Phase.SETUP))
    table.advised(None, seconds=0.0)
    table.see(replace(BOARD, phase=Phase.SETUP))
    table.see(replace(BOARD, phase=Phase.SETUP))
    table.mind.answers.append(PartnerAnswer(None, 0.0))
    table.see(BOARD)
    assert {game.number for game, _ in table.mind.asked[:-1]} == {0}
    assert table.mind.asked[-1][0].number == 1


def test_without_his_name_at_the_table_there_is_no_process() -> None:
    table = AtTable()
    table.seats.names = Names(red="Ann", black="tamsk-hw (clever)")
    table.see(BOARD)
    assert not table.minds
    table.seats.names = Names(red="tamsk-hw (easy)")
    table.advised(MOVE)
    assert table.mind.asked[0][0].seat.player is RED
    table.seats.names = Names()
    table.see(BOARD)
    assert table.mind.ended == ["kill"]
    assert table.shown() is None
    assert not table.notices


def test_a_process_that_ends_is_started_again_and_reported_once() -> None:
    table = AtTable()
    table.advised(MOVE)
    table.mind.is_lost = True
    table.see(BOARD)
    assert table.shown() is None
    assert table.notices == [PartnerEnded()]
    table.see(BOARD, RETRY_SECONDS - 0.1)
    assert len(table.minds) == 1
    table.refuses = True
    table.see(BOARD, 0.2)
    assert table.notices == [PartnerEnded()]  # he has not answered since
    table.refuses = False
    table.see(BOARD, RETRY_SECONDS - 0.1)
    assert len(table.minds) == 1
    table.see(BOARD, 0.2)
    table.advised(MOVE)
    assert table.shown() == MOVE
    table.mind.is_lost = True
    table.see(BOARD)
    assert table.notices == [PartnerEnded()] * 2


def test_a_process_that_hangs_is_ended() -> None:
    table = AtTable()
    table.see(BOARD)
    table.see(BOARD, HANGS_SECONDS - 0.1)
    assert table.mind.ended == []
    table.see(BOARD, 0.2)
    assert table.mind.ended == ["kill"]
    assert table.notices == [PartnerEnded()]
