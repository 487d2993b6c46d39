"""The score sheet's notation: every line of the table in `tamsk_hw.game.notation`."""

import pytest

from tamsk_hw.game import notation
from tamsk_hw.game.notation import Ply, PlyKind, RingKind, SheetRing
from tamsk_hw.game.tubes import Player, Tube
from tamsk_hw.words.score_sheet import turn_words

RED, BLACK = Player.RED, Player.BLACK


def ring(right: RingKind, tube: Tube, fills: bool = False) -> SheetRing:
    return SheetRing(right, tube, fills)


OWN, CLAIM, PENALTY = RingKind.MOVE, RingKind.CLAIM, RingKind.PENALTY


def move(number: int, player: Player, from_tube: Tube | None, to: Tube, *rings: SheetRing, **more: object) -> Ply:
    return Ply(
        number=number,
        player=player,
        kind=PlyKind.MOVE,
        from_tube=from_tube,
        to=to,
        rings=rings,
        **more,  # type: ignore[arg-type]
    )


LINES = [
    (move(1, RED, Tube.D1, Tube.D2, ring(OWN, Tube.D2)), "  1.  (R)D1→D2"),
    (move(2, BLACK, Tube.G1, Tube.F1, ring(OWN, Tube.F1, True)), "  2.  (B)G1→F1x"),
    (move(3, RED, Tube.D2, Tube.E2), "  3.  (R)D2→E2°"),
    (move(4, BLACK, Tube.F1, Tube.E1, ring(CLAIM, Tube.E1, True)), "  4.  (B)F1→E1cx"),
    (move(5, RED, Tube.E2, Tube.E3, ring(OWN, Tube.E3), ring(PENALTY, Tube.D4)), "  5.  (R)E2→E3+D4"),
    (Ply(number=6, player=BLACK, kind=PlyKind.PASS), "  6.  (B)pass"),
    (Ply(number=7, player=RED, kind=PlyKind.FORFEIT), "  7.  (R)forfeit"),
    (Ply(number=8, player=BLACK, kind=PlyKind.TIMEOUT), "  8.  (B)late"),
    (move(9, RED, Tube.E3, Tube.E4, ring(OWN, Tube.E4), late=True), "  9.  (R)E3→E4 late"),
    (Ply(number=10, player=BLACK, kind=PlyKind.SKIP), " 10.  (B)skip"),
    (move(11, RED, None, Tube.C3, ring(OWN, Tube.C3)), " 11.  (R)*→C3"),
    (move(12, BLACK, Tube.E1, Tube.D1, ring(OWN, Tube.D1), lost=(Tube.G4,)), " 12.  (B)E1→D1 †G4"),
    (Ply(number=13, player=RED, kind=PlyKind.MOVE, from_tube=Tube.C3), " 13.  (R)C3→#"),
    (Ply(number=14, player=BLACK, kind=PlyKind.OPEN), " 14.  (B)…"),
]


@pytest.mark.parametrize(("ply", "line"), LINES, ids=[str(ply.number) for ply, _ in LINES])
def test_the_lines_of_the_table(ply: Ply, line: str) -> None:
    assert turn_words(ply) == line
    assert notation.__doc__ is not None
    assert f"    {line} " in notation.__doc__ + " "


@pytest.mark.parametrize(
    ("ply", "text"),
    [
        (move(9, RED, Tube.E3, Tube.E4, late=True, late_after=10), "(R)E3→E4° late, after 10"),
        (move(1, RED, Tube.D1, Tube.D2, ring(PENALTY, Tube.D2)), "(R)D1→D2°+D2"),
        (move(1, RED, Tube.D1, Tube.D2, ring(OWN, Tube.D2), ring(PENALTY, Tube.D2, True)), "(R)D1→D2+D2x"),
        (move(1, RED, Tube.D1, Tube.D2, ring(PENALTY, Tube.A1, True), ring(CLAIM, Tube.D2)), "(R)D1→D2c+A1x"),
        (move(1, RED, Tube.D1, Tube.D2, ring(OWN, Tube.D2), ring(CLAIM, Tube.C3)), "(R)D1→D2+cC3"),
        (Ply(number=7, player=RED, kind=PlyKind.PASS, lost=(Tube.A1, Tube.B2)), "(R)pass †A1 †B2"),
    ],
)
def test_what_comes_together(ply: Ply, text: str) -> None:
    assert turn_words(ply).partition(".  ")[2] == text
