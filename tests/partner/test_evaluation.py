"""The worth of positions: each term for itself, and the same for both players."""

from random import Random

import pytest

from tamsk_hw.game.position import Position
from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.game.tubes import NEIGHBOUR_MASKS, TUBES, Player, Tube, tubes_in
from tamsk_hw.partner.search import WIN, fear, judged, reach, spread
from tests.partner.views import placed

RED, BLACK = Player.RED, Player.BLACK
START = Position.start(Ruleset(level=2))


def test_neighbours_of_a_set_of_tubes() -> None:
    chance = Random(1)
    for _ in range(200):
        tubes = chance.getrandbits(len(TUBES))
        wanted = 0
        for tube in tubes_in(tubes):
            wanted |= NEIGHBOUR_MASKS[tube]
        assert spread(tubes) == wanted


def test_tubes_belong_to_whom_reaches_them_sooner() -> None:
    """A1 … A4 are in a row. From A1 and A4 each comes to one first, from A1 and A3 both come to A2 at once."""
    a1, a2, a3, a4 = (1 << tube for tube in (Tube.A1, Tube.A2, Tube.A3, Tube.A4))
    assert reach(a1, a4, a2 | a3) == 0
    assert reach(a1, 0, a2 | a3) == 2
    assert reach(a1, a3, a2 | a4) == -1
    assert reach(a1, a3, a4) == -1, "nobody goes through a glass"


def test_a_glass_is_feared_for_the_more_the_less_it_has_and_the_more_must_be_moved_before_it() -> None:
    d4, e4 = 1 << Tube.D4, 1 << Tube.E4
    alone = [fear({Tube.D4: end}, d4, 0.0, 12.0) for end in (60.0, 40.0, 10.0)]
    assert alone == [0.0, pytest.approx(0.2), pytest.approx(0.8)]
    both = fear({Tube.D4: 10.0, Tube.E4: 56.0}, d4 | e4, 0.0, 12.0)
    assert both == pytest.approx(0.8 + 6.0 / 50.0)  # 56 s would be plenty, if the other had not to be moved first
    assert fear({Tube.D4: 10.0, Tube.E4: 56.0}, e4, 0.0, 12.0) == 0.0, "the other's frightens nobody"
    position = placed(START, "B3 D4 F3", "A1 G1 D7")
    uneasy, easy = (judged(position, {Tube.D4: end}, 0.0, 12.0) for end in (10.0, 60.0))
    assert uneasy < easy


def test_what_is_good_for_one_is_bad_for_the_other() -> None:
    chance = Random(3)
    for _ in range(100):
        position = START
        for _ in range(chance.randint(0, 50)):
            moves = position.legal_moves()
            position = position.play(chance.choice(moves)) if moves else position.pass_turn()
        mirrored = position._replace(
            turn=position.turn.opponent,
            red=position.black,
            black=position.red,
            red_left=position.black_left,
            black_left=position.red_left,
        )
        sand = {tube: chance.uniform(1.0, 100.0) for tube in tubes_in(position.red | position.black)}
        value = judged(position, sand, 0.0, 12.0)
        assert judged(mirrored, sand, 0.0, 12.0) == pytest.approx(value)
        assert judged(position._replace(turn=mirrored.turn), sand, 0.0, 12.0) == pytest.approx(-value)


def test_a_glass_lost_early_is_missed_more_than_one_lost_late() -> None:
    early = placed(START, "B3 D4 F3", "A1 G1 D7")
    late = early._replace(red_left=4, black_left=4)
    costs = [
        judged(position, {}, 0.0, 12.0) - judged(position.lose(Tube.D4), {}, 0.0, 12.0)
        for position in (early, late)
    ]
    assert costs[0] > costs[1] > 0


@pytest.mark.parametrize(("red_left", "sign"), [(3, 1), (5, -1)])
def test_r5_2_a_game_that_is_over_is_worth_more_than_any_other(red_left: int, sign: int) -> None:
    blocked = START._replace(full=START.ruleset.tube_mask, red_left=red_left, black_left=4)
    assert sign * judged(blocked, {}, 0.0, 12.0) > WIN / 2
    assert sign * judged(blocked._replace(turn=BLACK), {}, 0.0, 12.0) < -WIN / 2
    even = START._replace(full=START.ruleset.tube_mask)
    assert judged(even, {}, 0.0, 12.0) == 0.0
    assert judged(even, {Tube.D1: 20.0, Tube.G1: 10.0}, 0.0, 12.0) > WIN / 2, "red's glass runs longer (R5.3)"
