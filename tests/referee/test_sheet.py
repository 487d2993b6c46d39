"""The lines of the score sheet: recorded scenarios, and rulings that do not simply follow each other."""

import pytest

from tamsk_hw.game.notation import Ply, PlyKind, RingKind
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
    Restored,
    RingCounted,
    Ruling,
    Skip,
    Started,
    TimerExpired,
    Turn,
    Uncounted,
    Violation,
)
from tamsk_hw.referee.sheet import plies
from tamsk_hw.words.score_sheet import turn_words
from tests.panel.boards import BLACK, RED, ruled
from tests.scenarios.book import BOOK


def sheet(rulings: list[Ruling]) -> str:
    """The turns as they are written, without their numbers."""
    return " | ".join(turn_words(ply).partition(".  ")[2] for ply in plies(rulings))


def rights(ply: Ply) -> list[RingKind]:
    return [ring.right for ring in ply.rings]


#: Moves without rings. Then the glass on D2 runs out, which the arbiter takes back (R9.6); on D3 it does run out.
SIX_MOVES = "(R)D1→D2° | (B)G1→F2° | (R)G4→F4° | (B)D7→D6° | (R)A4→B4° | (B)A1→B2° | "


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("R1.1-wikipedia-four-turns", "(R)D1→D2 | (B)G1→F1x | (R)D2→E2 | (B)F1→E1x | (R)…"),
        ("R3.1-full-tube-with-a-ring-taken-away", "(R)D1→E1x | (B)G1→G2° | (R)E1→D1° | (B)G2→G1° | (R)D1→#"),
        ("R4.3-claim", "(R)D1→D2c | (B)G1→F1x | (R)…"),
        ("R4.6-claim-then-penalty", "(R)forfeit | (B)G1→F2c+F2x | (R)…"),
        ("R7.5-late-move-completed", "(R)D1→D2 late | (B)G1→F2+A2x | (R)…"),
        ("R7.5-lapsed", "(R)late | (B)G1→F2°+D4 | (R)D1→D2° | (B)…"),
        ("R7.5-put-back", "(R)forfeit | (B)G1→F2°+D4 | (R)D1→D2° | (B)…"),
        ("R7.6-in-the-tube-just-entered", "(R)forfeit | (B)G1→F2+F2x | (R)…"),
        ("R8-lose-turn-skip", "(R)forfeit | (B)G1→F2° | (R)skip | (B)D7→D6 | (R)D1→D2° | (B)…"),
        ("R8-free-start-claim", "(R)*→D4c | (B)*→E4° | (R)…"),
        ("R6.4-revived-glass-moves", f"{SIX_MOVES}(R)D2→D3° | (B)… †D3"),
        ("R9.6-ring-changes-its-owner", "(R)D1→D2c | (B)G1→F2 | (R)G4→F4 | (B)…"),
        ("R9.6-ring-given-as-a-claim", "(R)D1→D2c | (B)G1→F2 | (R)…"),
        ("R9.6-ring-given-to-the-mover", "(R)D1→D2 | (B)G1→F2° | (R)G4→F4 | (B)…"),
    ],
)
def test_recorded_scenarios(name: str, expected: str) -> None:
    assert sheet(ruled(BOOK[name])) == expected


def turn(player: Player, number: int) -> Turn:
    return Turn(1, "R2.1", player, number)


def moved(player: Player, from_tube: Tube, to: Tube, late: bool = False) -> Moved:
    return Moved(1, "R7.5" if late else "R2.1", player, from_tube, to, late)


def ring(player: Player, tube: Tube, left: int, kind: RingKind = RingKind.MOVE) -> RingCounted:
    return RingCounted(1, "R4.1", player, tube, kind, left)


def given(player: Player, tube: Tube, left: int, kind: RingKind = RingKind.CLAIM) -> RingCounted:
    """A ring that the arbiter gave (R9.6)."""
    return RingCounted(1, "R9.6", player, tube, kind, left)


def too_many(tube: Tube, has: int, should: int) -> Violation:
    return Violation(1, "R4.7", RED, Code.RING_TOO_MANY, tube, (Correction(tube, has, should),))


def abandoned(red: int) -> GameOver:
    return GameOver(9, "R9.6", None, Reason.ABANDONED, {RED: red, BLACK: 31})


LATE = TimerExpired(1, "R7.5", RED, True)

#: Red goes from D1 by D2 to D3, black from G1 to F2, nobody drops a ring.
THREE_MOVES: list[Ruling] = [
    *(turn(RED, 1), moved(RED, Tube.D1, Tube.D2)),
    *(turn(BLACK, 2), moved(BLACK, Tube.G1, Tube.F2)),
    *(turn(RED, 3), moved(RED, Tube.D2, Tube.D3)),
]

#: Red's first move with its ring, a second ring on it that no right allowed, and what the arbiter gave black.
RINGED = [turn(RED, 1), moved(RED, Tube.D1, Tube.D2), ring(RED, Tube.D2, 31)]
UNCOUNTED = too_many(Tube.D2, 2, 1)
GIVEN = given(BLACK, Tube.D2, 31)


@pytest.mark.parametrize(
    ("rulings", "expected"),
    [
        pytest.param(
            [
                *(Started(0, "R1.5", 3, RED), turn(RED, 1), LATE, turn(BLACK, 2)),
                *(moved(BLACK, Tube.G1, Tube.F2), moved(RED, Tube.D1, Tube.D2, late=True)),
                *(ring(RED, Tube.D2, 31), ring(BLACK, Tube.F2, 31), turn(RED, 3)),
            ],
            "(R)D1→D2 late, after 2 | (B)G1→F2 | (R)…",
            id="a late move says after which of the opponent's it was finished",
        ),
        pytest.param(
            [
                *(turn(RED, 1), LATE, turn(BLACK, 2), GlassLost(1, "R6.2", RED, Tube.G4)),
                *(Forfeit(1, "R7.5", RED), moved(BLACK, Tube.G1, Tube.F2)),
            ],
            "(R)forfeit | (B)G1→F2° †G4",
            id="a late glass put back forfeits its own turn, and sand runs out in the present one",
        ),
        pytest.param(
            [
                *(*RINGED, turn(BLACK, 2), moved(BLACK, Tube.G1, Tube.F1)),
                *(turn(RED, 3), moved(RED, Tube.D2, Tube.D3), turn(BLACK, 4), moved(BLACK, Tube.F1, Tube.E1)),
                *(turn(RED, 5), moved(RED, Tube.D3, Tube.D2), ring(RED, Tube.D2, 30)),
            ],
            "(R)D1→D2 | (B)G1→F1° | (R)D2→D3° | (B)F1→E1° | (R)D3→D2x",
            id="a tube entered twice keeps its rings apart",
        ),
        pytest.param(
            [*THREE_MOVES, given(RED, Tube.D2, 31, RingKind.MOVE)],
            "(R)D1→D2 | (B)G1→F2° | (R)D2→D3°",
            id="a ring given in a tube left since belongs to the move that entered it",
        ),
        pytest.param(
            [*THREE_MOVES, given(BLACK, Tube.D2, 31)],
            "(R)D1→D2c | (B)G1→F2° | (R)D2→D3°",
            id="a claim given in a tube left since, too",
        ),
        # A ring that a person gave. Red still has 31: it is a second one. Red has 32 again: his became black's.
        ([*RINGED, UNCOUNTED, GIVEN, abandoned(31)], "(R)D1→D2+cD2x"),
        ([*RINGED, UNCOUNTED, GIVEN, abandoned(32)], "(R)D1→D2c"),
        ([*RINGED, UNCOUNTED, GIVEN, ring(RED, Tube.C3, 30, RingKind.PENALTY)], "(R)D1→D2+cD2x+C3"),
        ([*RINGED, UNCOUNTED, GIVEN, ring(RED, Tube.C3, 31, RingKind.PENALTY)], "(R)D1→D2c+C3"),
        # With nothing after it: an uncounted ring was lying there, so that is the one that was given.
        ([*RINGED, UNCOUNTED, GIVEN], "(R)D1→D2+cD2x"),
        # Where none was uncounted, it changed its owner.
        ([*RINGED, UNCOUNTED, Restored(1, "R4.7"), GIVEN], "(R)D1→D2c"),
        pytest.param(
            [*RINGED, *THREE_MOVES[2:], ring(RED, Tube.D3, 30), GIVEN, abandoned(31)],
            "(R)D1→D2c | (B)G1→F2° | (R)D2→D3",
            id="the ring that changes its owner is struck and no other",
        ),
        pytest.param(
            [*RINGED, ring(RED, Tube.D2, 30, RingKind.PENALTY), Uncounted(1, "R9.7", RED, Tube.D2, 31)],
            "(R)D1→D2",
            id="a ring that was never dropped is struck off, and the one before it stays",
        ),
        pytest.param(
            [
                *(*RINGED, UNCOUNTED, GIVEN, Uncounted(1, "R9.7", BLACK, Tube.D2, 32)),
                given(RED, Tube.D2, 31, RingKind.MOVE),
            ],
            "(R)D1→D2",
            id="black had 31 left before it was uncounted and red 32, so it had been red's and became black's",
        ),
        pytest.param(
            [
                *(turn(RED, 1), moved(RED, Tube.D1, Tube.C1), ring(RED, Tube.C1, 31)),
                *(too_many(Tube.C1, 2, 1), given(BLACK, Tube.C1, 31)),
            ],
            "(R)D1→C1cx",
            id="a ring given on a full tube changed its owner",
        ),
    ],
)
def test_what_the_notation_leaves_open(rulings: list[Ruling], expected: str) -> None:
    assert sheet(rulings) == expected


def test_r9_6_a_ring_given_before_any_move_is_finished_stands_with_the_present_turn() -> None:
    forfeits = [turn(RED, 1), Forfeit(1, "R7.4", RED), turn(BLACK, 2), Forfeit(1, "R7.4", BLACK)]
    lines = plies([*forfeits, turn(RED, 3), given(BLACK, Tube.D4, 31)])
    assert [rights(line) for line in lines] == [[], [], [RingKind.CLAIM]]


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (2, [RingKind.MOVE, RingKind.CLAIM, RingKind.CLAIM]),
        # Both uncounted rings are given: the third time red's own ring becomes black's.
        (3, [RingKind.CLAIM, RingKind.CLAIM, RingKind.CLAIM]),
    ],
)
def test_r9_6_as_many_rings_are_new_as_lay_there_uncounted(number: int, expected: list[RingKind]) -> None:
    rulings: list[Ruling] = [turn(RED, 1), moved(RED, Tube.D2, Tube.D3), ring(RED, Tube.D3, 31)]
    rulings += [too_many(Tube.D3, 3, 1), *(given(BLACK, Tube.D3, 31 - n) for n in range(number))]
    (line,) = plies(rulings)
    assert rights(line) == expected


def test_r7_5_a_late_move_belongs_to_the_turn_whose_time_ran_out_not_to_one_that_was_skipped() -> None:
    lines = plies(
        [
            *(turn(RED, 1), moved(RED, Tube.D1, Tube.D2)),
            *(turn(BLACK, 2), TimerExpired(1, "R7.5", BLACK, True)),
            *(turn(RED, 3), moved(RED, Tube.D2, Tube.D3)),
            *(turn(BLACK, 4), Skip(1, "R8", BLACK)),
            *(turn(RED, 5), moved(BLACK, Tube.G1, Tube.F2, late=True)),
        ]
    )
    assert [line.kind for line in lines] == [PlyKind.MOVE, PlyKind.MOVE, PlyKind.MOVE, PlyKind.SKIP, PlyKind.OPEN]
    assert (lines[1].to, lines[1].late, lines[1].late_after) == (Tube.F2, True, 3)


def test_a_late_move_takes_until_it_is_finished() -> None:
    rulings: list[Ruling] = [
        *(Turn(0, "R2.1", RED, 1), TimerExpired(15, "R7.5", RED, True)),
        *(Turn(15, "R2.1", BLACK, 2), Moved(22, "R7.5", RED, Tube.D1, Tube.D2, True)),
    ]
    assert [ply.seconds for ply in plies(rulings)] == [22, None]


def test_rulings_without_a_turn_have_no_lines() -> None:
    assert plies([Passed(1, "R2.7", RED), Forfeit(1, "R7.4", BLACK), GlassLost(1, "R6.2", RED, Tube.G4)]) == ()


def test_a_turn_has_the_violations_that_were_ruled_in_it() -> None:
    seen = plies(ruled(BOOK["R2.6-put-back-after-a-wrong-tube"]))
    assert [ply.violations for ply in seen] == [1, 0]
