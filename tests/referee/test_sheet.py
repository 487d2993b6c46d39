"""The lines of the score sheet where rulings do not simply follow each other: late moves, an arbiter's rings."""

import pytest

from tamsk_hw.game.notation import Ply, PlyKind, RingKind, numbered
from tamsk_hw.game.tubes import Player, Tube
from tamsk_hw.referee.rulings import (
    Code,
    Correction,
    Forfeit,
    GameOver,
    GlassLost,
    Moved,
    Passed,
    Reason,
    RingCounted,
    Ruling,
    Skip,
    TimerExpired,
    Turn,
    Violation,
)
from tamsk_hw.referee.sheet import plies

RED, BLACK = Player.RED, Player.BLACK


def turn(player: Player, number: int) -> Turn:
    return Turn(1, "R2.1", player, number)


def moved(player: Player, from_tube: Tube, to: Tube, late: bool = False) -> Moved:
    return Moved(1, "R7.5" if late else "R2.1", player, from_tube, to, late)


def ring(player: Player, tube: Tube, left: int) -> RingCounted:
    """A ring dropped after the player's own move."""
    return RingCounted(1, "R4.1", player, tube, RingKind.MOVE, left)


def given(player: Player, tube: Tube, kind: RingKind, left: int) -> RingCounted:
    """A ring that the arbiter gave (R9.6)."""
    return RingCounted(1, "R9.6", player, tube, kind, left)


def sheet(rulings: list[Ruling]) -> list[str]:
    return [numbered(ply) for ply in plies(rulings)]


def rights(ply: Ply) -> list[RingKind]:
    return [ring.right for ring in ply.rings]


#: Red goes from D1 by D2 to D3, black from G1 to F2, nobody drops a ring.
THREE_MOVES: list[Ruling] = [
    turn(RED, 1),
    moved(RED, Tube.D1, Tube.D2),
    turn(BLACK, 2),
    moved(BLACK, Tube.G1, Tube.F2),
    turn(RED, 3),
    moved(RED, Tube.D2, Tube.D3),
]


def test_r9_6_a_ring_given_in_a_tube_left_since_belongs_to_the_move_that_entered_it() -> None:
    own = sheet([*THREE_MOVES, given(RED, Tube.D2, RingKind.MOVE, 31)])
    assert own == ["  1.  (R)D1→D2", "  2.  (B)G1→F2°", "  3.  (R)D2→D3°"]
    claimed = sheet([*THREE_MOVES, given(BLACK, Tube.D2, RingKind.CLAIM, 31)])
    assert claimed == ["  1.  (R)D1→D2c", "  2.  (B)G1→F2°", "  3.  (R)D2→D3°"]


def test_r9_6_a_ring_given_before_any_move_is_finished_stands_with_the_present_turn() -> None:
    lines = plies(
        [
            turn(RED, 1),
            Forfeit(1, "R7.4", RED),
            turn(BLACK, 2),
            Forfeit(1, "R7.4", BLACK),
            turn(RED, 3),
            given(BLACK, Tube.D4, RingKind.CLAIM, 31),
        ]
    )
    assert [rights(line) for line in lines] == [[], [], [RingKind.CLAIM]]


def test_r9_6_the_ring_that_changes_its_owner_is_struck_and_no_other() -> None:
    lines = sheet(
        [
            turn(RED, 1),
            moved(RED, Tube.D1, Tube.D2),
            ring(RED, Tube.D2, 31),
            turn(BLACK, 2),
            moved(BLACK, Tube.G1, Tube.F2),
            turn(RED, 3),
            moved(RED, Tube.D2, Tube.D3),
            ring(RED, Tube.D3, 30),
            given(BLACK, Tube.D2, RingKind.CLAIM, 31),
            GameOver(9, "R9.6", None, Reason.ABANDONED, {Player.RED: 31, Player.BLACK: 31}),
        ]
    )
    assert lines == ["  1.  (R)D1→D2c", "  2.  (B)G1→F2°", "  3.  (R)D2→D3"]


def test_r9_6_a_ring_that_changes_its_owner_fills_the_tube_as_before() -> None:
    lines = sheet(
        [
            turn(RED, 1),
            moved(RED, Tube.D1, Tube.E1),
            ring(RED, Tube.E1, 31),
            given(BLACK, Tube.E1, RingKind.CLAIM, 31),
        ]
    )
    assert lines == ["  1.  (R)D1→E1cx"]


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (1, [RingKind.MOVE, RingKind.CLAIM]),
        (2, [RingKind.MOVE, RingKind.CLAIM, RingKind.CLAIM]),
        # Both uncounted rings are given: the third time red's own ring becomes black's.
        (3, [RingKind.CLAIM, RingKind.CLAIM, RingKind.CLAIM]),
    ],
)
def test_r9_6_as_many_rings_are_new_as_lay_there_uncounted(number: int, expected: list[RingKind]) -> None:
    uncounted = Correction(Tube.D3, 3, 1)
    rulings: list[Ruling] = [
        turn(RED, 1),
        moved(RED, Tube.D2, Tube.D3),
        ring(RED, Tube.D3, 31),
        Violation(1, "R4.7", RED, Code.RING_TOO_MANY, Tube.D3, (uncounted,)),
        *(given(BLACK, Tube.D3, RingKind.CLAIM, 31 - n) for n in range(number)),
    ]
    (line,) = plies(rulings)
    assert rights(line) == expected


def test_r7_5_a_late_move_belongs_to_the_turn_whose_time_ran_out_not_to_one_that_was_skipped() -> None:
    lines = plies(
        [
            turn(RED, 1),
            moved(RED, Tube.D1, Tube.D2),
            turn(BLACK, 2),
            TimerExpired(1, "R7.5", BLACK, True),
            turn(RED, 3),
            moved(RED, Tube.D2, Tube.D3),
            turn(BLACK, 4),
            Skip(1, "R8", BLACK),
            turn(RED, 5),
            moved(BLACK, Tube.G1, Tube.F2, late=True),
        ]
    )
    assert [line.kind for line in lines] == [PlyKind.MOVE, PlyKind.MOVE, PlyKind.MOVE, PlyKind.SKIP, PlyKind.OPEN]
    assert (lines[1].to, lines[1].late, lines[1].late_after) == (Tube.F2, True, 3)


def test_r6_2_a_glass_is_lost_in_the_present_turn() -> None:
    lines = plies([*THREE_MOVES, turn(BLACK, 4), GlassLost(1, "R6.2", RED, Tube.G4)])
    assert [line.lost for line in lines] == [[], [], [], [Tube.G4]]


def test_rulings_without_a_turn_have_no_lines() -> None:
    assert plies([Passed(1, "R2.7", RED), Forfeit(1, "R7.4", BLACK), GlassLost(1, "R6.2", RED, Tube.G4)]) == ()
