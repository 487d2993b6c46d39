"""What the partner means to do, from what the referee shows: moves, rings, claims, timer, mistakes."""

from dataclasses import replace
from random import Random

import pytest

from tamsk_hw.game.position import Move, Position
from tamsk_hw.game.ruleset import Ruleset, Start
from tamsk_hw.game.tubes import End, Player, Tube
from tamsk_hw.partner import Partner, Strength
from tamsk_hw.partner.intention import Await, MoveGlass, MoveRing, PutRight, RingAct, TurnTimerOver
from tamsk_hw.referee.rulings import Correction
from tamsk_hw.referee.view import OpenRing, Phase, View
from tests.partner.views import placed, shown
from tests.soak import in_soak

RED, BLACK = Player.RED, Player.BLACK


def partner(ruleset: Ruleset, me: Player = RED, strength: Strength = Strength.FAIR, seed: int = 1) -> Partner:
    return Partner(me, ruleset, strength, seed)


# ---- moves


@pytest.mark.parametrize("seed", range(in_soak(400, otherwise=40)))
@pytest.mark.parametrize("strength", [Strength.EASY, Strength.FAIR], ids=str)
def test_a_lawful_move_is_meant_wherever_there_is_one(seed: int, strength: Strength) -> None:
    chance = Random(f"{seed}/{strength}")
    ruleset = Ruleset(level=chance.choice([1, 2, 3]), start=chance.choice(list(Start)))
    position = Position.start(ruleset)
    for _ in range(chance.randint(0, 60)):
        moves = position.legal_moves()
        if position.is_over():
            break
        position = position.play(chance.choice(moves), chance.random() < 0.9) if moves else position.pass_turn()
        tube = chance.choice(list(Tube))
        if ruleset.has_sand and (position.red | position.black) & ~position.fresh >> tube & 1:
            position = position.lose(tube)
    sand = {tube: chance.choice([0.0, 0.5, 2.0, 20.0, 170.0]) for tube in Tube}
    me = position.turn
    playing = partner(ruleset, me, strength, seed)
    intention = playing.intend(shown(position, sand=sand))
    moves = position.legal_moves()
    ends = not position.left(me) and not position.has_move(me.opponent)
    if not moves:
        assert isinstance(intention, Await)
    elif not ends:
        assert isinstance(intention, MoveGlass)
        assert Move(intention.at, intention.to) in moves
        assert intention.turned == (ruleset.level > 1 and intention.at is not None)
        has_ring = position.left(me) > 0
        assert intention.ring == has_ring or (has_ring and strength is Strength.EASY), "the weakest forgets one"
    assert playing.nodes <= strength.nodes


def test_the_same_seed_means_the_same_and_another_one_may_not() -> None:
    view = shown(Position.start(Ruleset(level=2)))
    easy = [partner(Ruleset(level=2), strength=Strength.EASY, seed=seed).intend(view) for seed in range(8)]
    again = [partner(Ruleset(level=2), strength=Strength.EASY, seed=seed).intend(view) for seed in range(8)]
    assert easy == again
    assert len(set(easy)) > 1


def test_asked_again_the_partner_means_the_same_without_thinking() -> None:
    ruleset = Ruleset(level=2)
    playing = partner(ruleset)
    view = shown(Position.start(ruleset))
    first = playing.intend(view)
    playing.nodes = 0
    assert playing.intend(replace(view, t=1.0)) == first
    assert playing.nodes == 0


@pytest.mark.parametrize("dying", [Tube.B3, Tube.D4, Tube.F3], ids=str)
def test_the_glass_about_to_run_out_is_moved(dying: Tube) -> None:
    ruleset = Ruleset(level=2)
    position = placed(Position.start(ruleset), "B3 D4 F3", "A1 G1 D7")
    intention = partner(ruleset).intend(shown(position, sand={dying: 8.0}))
    assert isinstance(intention, MoveGlass)
    assert intention.at is dying


def test_r5_1_a_game_that_is_won_is_brought_to_its_end() -> None:
    """With no ring left, against one who cannot move, moves change nothing: the glasses may run out."""
    for level, meant in ((2, Await), (1, MoveGlass)):
        ruleset = Ruleset(level=level)
        position = placed(Position.start(ruleset), "D4 E4 C3", "A1 A4 D7", red_left=0, black_left=5)
        for tube in (Tube.A2, Tube.B1, Tube.B2, Tube.A3, Tube.B4, Tube.B5, Tube.C6, Tube.E6, Tube.D6):
            position = position._replace(full=position.full | 1 << tube)
        assert not position.has_move(BLACK)
        intention = partner(ruleset).intend(shown(position))
        assert isinstance(intention, meant)
    assert isinstance(intention, MoveGlass)
    assert not intention.ring


@pytest.mark.parametrize("phase", [Phase.SETUP, Phase.SAND, Phase.OVER])
def test_nothing_is_meant_while_nothing_is_played(phase: Phase) -> None:
    view = replace(shown(Position.start()), phase=phase)
    assert isinstance(partner(Ruleset()).intend(view), Await)


# ---- rings


def test_r4_1_the_ring_of_the_move_is_dropped_at_once() -> None:
    ruleset = Ruleset(level=2)
    after = Position.start(ruleset).play(Move(Tube.D1, Tube.D2), ring=False)
    view = shown(after, ring_open={Tube.D2: OpenRing(RED, 5.0)})
    assert partner(ruleset, RED).intend(view) == MoveRing(RingAct.DROP, Tube.D2)
    assert isinstance(partner(ruleset, BLACK).intend(view), Await), "the other is still waited for"


def test_r4_3_the_weakest_forgets_one_ring_in_ten_and_means_so_from_the_move_on() -> None:
    """The opponent can claim a forgotten ring. The move itself says that no ring follows, so none is asked for."""
    ruleset, forgotten = Ruleset(level=1), 0
    for seed in range(100):
        playing = partner(ruleset, RED, Strength.EASY, seed)
        move = playing.intend(shown(Position.start(ruleset)))
        assert isinstance(move, MoveGlass)
        assert move.at is not None
        after = Position.start(ruleset).play(Move(move.at, move.to), ring=False)
        for t in (4.0, 9.0):
            view = shown(after, t=t, ring_open={move.to: OpenRing(RED, None)})
            dropping = playing.intend(replace(view, number=2)) == MoveRing(RingAct.DROP, move.to)
            assert dropping == move.ring
        forgotten += not move.ring
    assert 2 <= forgotten <= 20


def test_r7_6_a_penalty_ring_goes_where_there_is_room_and_hurts() -> None:
    """Black's glass on A1 can go to A2 alone; a ring that fills A2 shuts it in."""
    ruleset = Ruleset(level=3)
    position = placed(Position.start(ruleset), "E4 D4 F3", "A1 D7 G1", turn=BLACK)
    for tube in (Tube.B1, Tube.B2):
        while not position.is_full(tube):
            position = position.ringed(tube, RED)
    playing = partner(ruleset, RED, Strength.STRONG)
    assert playing.intend(shown(position, penalty=RED)) == MoveRing(RingAct.DROP_PENALTY, Tube.A2)
    assert 0 < playing.nodes <= Strength.STRONG.nodes


def after_a_move_without_ring(level: int, strength: Strength = Strength.FAIR) -> tuple[Partner, View]:
    """Black, who has seen red move to D2, its ring still in red's hand; and the view: black is to move."""
    before = Position.start(Ruleset(level=level))
    playing = partner(Ruleset(level=level), BLACK, strength)
    playing.intend(shown(before, t=10.0))
    after = before.play(Move(Tube.D1, Tube.D2), ring=False)
    return playing, replace(shown(after, t=14.0), number=2)


@pytest.mark.parametrize("level", [1, 2])
def test_r4_4_a_claim_waits_until_the_mover_has_had_his_time(level: int) -> None:
    """At level 1, where no time is set for the ring, as long (R4.3)."""
    playing, after = after_a_move_without_ring(level)
    for t in (14.0, 16.0, 18.9):
        ring = OpenRing(RED, 19.0 - t if level > 1 else None)
        assert isinstance(playing.intend(replace(after, t=t, ring_open={Tube.D2: ring})), Await)
    late = after if level > 1 else replace(after, ring_open={Tube.D2: OpenRing(RED, None)})
    assert playing.intend(replace(late, t=19.1)) == MoveRing(RingAct.CLAIM, Tube.D2)


@pytest.mark.parametrize(("level", "claims"), [(1, 34.0), (2, 19.0)])
def test_r4_3_the_weakest_leaves_a_beginner_twenty_seconds_where_the_ring_may_still_come(
    level: int, claims: float
) -> None:
    """At level 2 the mover's own right has lapsed after 5 s: to wait for longer would help nobody (R4.4)."""
    playing, after = after_a_move_without_ring(level, Strength.EASY)
    for t in (14.0, claims - 0.1):
        ring = OpenRing(RED, claims - t if level > 1 else None)
        assert isinstance(playing.intend(replace(after, t=t, ring_open={Tube.D2: ring})), Await)
    late = after if level > 1 else replace(after, ring_open={Tube.D2: OpenRing(RED, None)})
    assert playing.intend(replace(late, t=claims + 0.1)) == MoveRing(RingAct.CLAIM, Tube.D2)


def test_r4_3_a_ring_that_came_is_not_claimed() -> None:
    playing, after = after_a_move_without_ring(2)
    playing.intend(replace(after, ring_open={Tube.D2: OpenRing(RED, 5.0)}))
    ringed = shown(Position.start(Ruleset(level=2)).play(Move(Tube.D1, Tube.D2)), t=17.0)
    assert isinstance(playing.intend(replace(ringed, number=2)), MoveGlass)
    assert isinstance(playing.intend(replace(ringed, number=2, t=30.0)), MoveGlass)


def test_r4_5_who_has_started_his_move_does_not_claim() -> None:
    playing, after = after_a_move_without_ring(2)
    assert isinstance(playing.intend(replace(after, t=20.0, move_started=True)), MoveGlass)
    assert isinstance(playing.intend(replace(after, t=21.0)), MoveGlass), "not even if the glass was put back"


def test_glasses_that_are_set_up_are_no_moves_without_rings() -> None:
    """Before the start they appear one after the other."""
    ruleset = Ruleset(level=2)
    playing = partner(ruleset, BLACK)
    view = shown(Position.start(ruleset))
    for number in range(len(view.glasses) + 1):
        playing.intend(replace(view, phase=Phase.SETUP, number=0, turn=None, glasses=view.glasses[::-1][:number]))
    assert isinstance(playing.intend(replace(view, t=5.0)), Await)
    assert isinstance(playing.intend(replace(view, t=15.0)), Await)


def test_r1_4_who_has_no_ring_claims_none() -> None:
    playing, after = after_a_move_without_ring(2)
    intention = playing.intend(replace(after, t=20.0, left={RED: 30, BLACK: 0}))
    assert isinstance(intention, MoveGlass)
    assert not intention.ring


@pytest.mark.parametrize("hurry", ["sand", "timer"])
def test_nobody_waits_for_a_ring_while_his_time_runs_out(hurry: str) -> None:
    ruleset = Ruleset(level=3)
    playing = partner(ruleset, BLACK)
    before = placed(Position.start(ruleset), "D1 G4 A4", "D4 D6 F3")
    after = before.play(Move(Tube.D1, Tube.D2), ring=False)
    view = shown(
        after,
        t=14.0,
        sand={Tube.D4: 9.0} if hurry == "sand" else None,
        deadline=24.0 if hurry == "timer" else None,
        ring_open={Tube.D2: OpenRing(RED, 5.0)},
    )
    playing.intend(shown(before, t=10.0))
    assert isinstance(playing.intend(replace(view, number=2)), MoveGlass)


def test_a_claim_that_nobody_carries_out_is_given_up() -> None:
    playing, after = after_a_move_without_ring(1)
    assert playing.intend(replace(after, t=20.0)) == MoveRing(RingAct.CLAIM, Tube.D2)
    assert playing.intend(replace(after, t=25.0)) == MoveRing(RingAct.CLAIM, Tube.D2)
    assert isinstance(playing.intend(replace(after, t=30.0)), MoveGlass)


# ---- the timer


def test_r7_2_the_timer_is_turned_when_it_has_run_out_and_not_before() -> None:
    ruleset = Ruleset(level=3)
    playing = partner(ruleset, BLACK)
    view = shown(Position.start(ruleset), t=3.0)
    assert playing.intend(view) == TurnTimerOver()
    assert isinstance(playing.intend(replace(view, t=4.0, deadline=19.0)), Await), "it counts already"
    # Red has moved in time and so has black; the timer still runs.
    assert isinstance(playing.intend(replace(view, t=18.0, number=3)), Await)
    assert playing.intend(replace(view, t=20.0, number=3)) == TurnTimerOver()


HURRIES = [(1, "strong", 9, Await), (2, "strong", 9, Await), (3, "easy", 6, Await), (3, "easy", 7, TurnTimerOver)]


@pytest.mark.parametrize(("level", "strength", "number", "does"), HURRIES)
def test_r7_2_the_timer_is_turned_at_level_3_by_the_weakest_after_three_turns_of_each(
    level: int, strength: str, number: int, does: type
) -> None:
    ruleset = Ruleset(level=level)
    view = replace(shown(Position.start(ruleset)), number=number)
    assert isinstance(Partner(BLACK, ruleset, Strength(strength)).intend(view), does)


# ---- putting right


def test_r2_6_a_glass_of_his_is_put_back_or_turned_over() -> None:
    ruleset = Ruleset(level=2)
    view = shown(Position.start(ruleset))
    [glass] = [glass for glass in view.glasses if glass.tube is Tube.G1]
    others = tuple(other for other in view.glasses if other is not glass)
    astray = replace(view, glasses=(*others, replace(glass, standing=Tube.G2)))
    assert partner(ruleset, BLACK).intend(astray) == PutRight(Tube.G2, Tube.G1, turned=True)
    assert isinstance(partner(ruleset, RED).intend(astray), MoveGlass), "it is the other's"
    turned = replace(view, wrong=(Correction(Tube.G1, End.A, End.B),))
    assert partner(ruleset, BLACK).intend(turned) == PutRight(Tube.G1, Tube.G1, turned=True)


def test_r4_7_a_ring_of_his_that_does_not_count_is_taken_back_and_the_others_is_not() -> None:
    playing, after = after_a_move_without_ring(1)
    wrong = replace(after, t=22.0, wrong=(Correction(Tube.D2, 2, 1),))
    assert playing.intend(wrong) != MoveRing(RingAct.TAKE, Tube.D2)
    assert playing.intend(replace(after, t=22.1)) == MoveRing(RingAct.CLAIM, Tube.D2)
    assert playing.intend(replace(wrong, t=23.0)) == MoveRing(RingAct.TAKE, Tube.D2)
    missing = replace(wrong, t=24.0, wrong=(Correction(Tube.D2, 0, 1),))
    assert playing.intend(missing) != MoveRing(RingAct.TAKE, Tube.D2)
