"""Score sheets from rulings: Wikipedia's example, and all that its notation leaves open."""

from collections.abc import Iterable

import pytest

from tamsk_hw.game.notation import RingKind, numbered
from tamsk_hw.game.tubes import Player, Tube
from tamsk_hw.referee import Referee
from tamsk_hw.referee.rulings import (
    Code,
    Correction,
    Forfeit,
    GameOver,
    GlassLost,
    Moved,
    Penalty,
    Reason,
    Restored,
    RingCounted,
    Ruling,
    Started,
    TimerExpired,
    Turn,
    Uncounted,
    Violation,
)
from tamsk_hw.referee.sheet import plies
from tamsk_hw.words.score_sheet import score_sheet
from tests.scenarios.book import BOOK

RED, BLACK = Player.RED, Player.BLACK


def rulings_of(name: str) -> list[Ruling]:
    header, events = BOOK[name].read()
    referee = Referee(header)
    return [ruling for event in events for ruling in referee.handle(event)]


def lines(rulings: Iterable[Ruling]) -> list[str]:
    """The turns as they are written, one a line."""
    return [numbered(ply) for ply in plies(rulings)]


def turns(name: str) -> list[str]:
    """The turns of a scenario, without their numbers."""
    return [line.partition(".  ")[2] for line in lines(rulings_of(name))]


def test_wikipedias_four_turns() -> None:
    assert lines(rulings_of("R1.1-wikipedia-four-turns"))[:4] == [
        "  1.  (R)D1→D2",
        "  2.  (B)G1→F1x",
        "  3.  (R)D2→E2",
        "  4.  (B)F1→E1x",
    ]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("R4.3-claim", ["(R)D1→D2c", "(B)G1→F1x", "(R)…"]),
        ("R4.6-claim-then-penalty", ["(R)forfeit", "(B)G1→F2c+F2x", "(R)…"]),
        ("R7.5-late-move-completed", ["(R)D1→D2 late", "(B)G1→F2+A2x", "(R)…"]),
        ("R7.5-lapsed", ["(R)late", "(B)G1→F2°+D4", "(R)D1→D2°", "(B)…"]),
        ("R7.5-put-back", ["(R)forfeit", "(B)G1→F2°+D4", "(R)D1→D2°", "(B)…"]),
        ("R7.6-in-the-tube-just-entered", ["(R)forfeit", "(B)G1→F2+F2x", "(R)…"]),
        ("R8-lose-turn-skip", ["(R)forfeit", "(B)G1→F2°", "(R)skip", "(B)D7→D6", "(R)D1→D2°", "(B)…"]),
        ("R8-free-start-claim", ["(R)*→D4c", "(B)*→E4°", "(R)…"]),
        ("R9.6-ring-changes-its-owner", ["(R)D1→D2c", "(B)G1→F2", "(R)G4→F4", "(B)…"]),
        ("R9.6-ring-given-as-a-claim", ["(R)D1→D2c", "(B)G1→F2", "(R)…"]),
        ("R9.6-ring-given-to-the-mover", ["(R)D1→D2", "(B)G1→F2°", "(R)G4→F4", "(B)…"]),
    ],
)
def test_recorded_scenarios(name: str, expected: list[str]) -> None:
    assert turns(name) == expected


def turn(player: Player, number: int) -> Turn:
    return Turn(1, "R2.1", player, number)


def moved(player: Player, from_tube: Tube, to: Tube, late: bool = False) -> Moved:
    return Moved(1, "R7.5" if late else "R2.1", player, from_tube, to, late)


def ring(player: Player, tube: Tube, kind: RingKind, left: int, rule: str = "R4.1") -> RingCounted:
    return RingCounted(1, rule, player, tube, kind, left)


UNCOUNTED = Violation(1, "R4.7", RED, Code.RING_TOO_MANY, Tube.D2, (Correction(Tube.D2, 2, 1),))
LATE = TimerExpired(1, "R7.5", RED, True)
D1_D2 = [turn(RED, 1), moved(RED, Tube.D1, Tube.D2)]
RINGED = [*D1_D2, ring(RED, Tube.D2, RingKind.MOVE, 31)]
GIVEN = ring(BLACK, Tube.D2, RingKind.CLAIM, 31, "R9.6")


def abandoned(red: int) -> GameOver:
    return GameOver(9, "R9.6", None, Reason.ABANDONED, {Player.RED: red, Player.BLACK: 31})


@pytest.mark.parametrize(
    ("rulings", "expected"),
    [
        pytest.param(
            [
                *(Started(0, "R1.5", 3, RED), turn(RED, 1), LATE, turn(BLACK, 2)),
                *(moved(BLACK, Tube.G1, Tube.F2), moved(RED, Tube.D1, Tube.D2, late=True)),
                *(ring(RED, Tube.D2, RingKind.MOVE, 31), ring(BLACK, Tube.F2, RingKind.MOVE, 31), turn(RED, 3)),
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
                *(turn(RED, 5), moved(RED, Tube.D3, Tube.D2), ring(RED, Tube.D2, RingKind.MOVE, 30)),
            ],
            "(R)D1→D2 | (B)G1→F1° | (R)D2→D3° | (B)F1→E1° | (R)D3→D2x",
            id="a tube entered twice keeps its rings apart",
        ),
        # A ring that a person gave. Red still has 31: it is a second one. Red has 32 again: his became black's.
        ([*RINGED, UNCOUNTED, GIVEN, abandoned(31)], "(R)D1→D2+cD2x"),
        ([*RINGED, UNCOUNTED, GIVEN, abandoned(32)], "(R)D1→D2c"),
        ([*RINGED, UNCOUNTED, GIVEN, ring(RED, Tube.C3, RingKind.PENALTY, 30)], "(R)D1→D2+cD2x+C3"),
        ([*RINGED, UNCOUNTED, GIVEN, ring(RED, Tube.C3, RingKind.PENALTY, 31)], "(R)D1→D2c+C3"),
        # With nothing after it: an uncounted ring was lying there, so that is the one that was given.
        ([*RINGED, UNCOUNTED, GIVEN], "(R)D1→D2+cD2x"),
        # Where none was uncounted, it changed its owner.
        ([*RINGED, UNCOUNTED, Restored(1, "R4.7"), GIVEN], "(R)D1→D2c"),
        pytest.param(
            [*RINGED, ring(RED, Tube.D2, RingKind.PENALTY, 30), Uncounted(1, "R9.7", RED, Tube.D2, 31)],
            "(R)D1→D2",
            id="a ring that was never dropped is struck off, and the one before it stays",
        ),
        pytest.param(
            [
                *(*RINGED, UNCOUNTED, GIVEN, Uncounted(1, "R9.7", BLACK, Tube.D2, 32)),
                ring(RED, Tube.D2, RingKind.MOVE, 31, "R9.6"),
            ],
            "(R)D1→D2",
            id="black had 31 left before it was uncounted and red 32, so it had been red's and became black's",
        ),
        pytest.param(
            [
                *(turn(RED, 1), moved(RED, Tube.D1, Tube.C1), ring(RED, Tube.C1, RingKind.MOVE, 31)),
                Violation(1, "R4.7", RED, Code.RING_TOO_MANY, Tube.C1, (Correction(Tube.C1, 2, 1),)),
                ring(BLACK, Tube.C1, RingKind.CLAIM, 31, "R9.6"),
            ],
            "(R)D1→C1cx",
            id="a ring given on a full tube changed its owner",
        ),
    ],
)
def test_what_the_notation_leaves_open(rulings: list[Ruling], expected: str) -> None:
    assert " | ".join(line.partition(".  ")[2] for line in lines(rulings)) == expected


RED_FORFEITS = [
    Started(0, "R1.5", 3, RED),
    Turn(0, "R2.1", RED, 1),
    TimerExpired(20, "R7.4", RED, False),
    Forfeit(20, "R7.4", RED),
    Penalty(20, "R7.6", BLACK),
    Turn(20, "R2.1", BLACK, 2),
    Moved(27.4, "R2.1", BLACK, Tube.G1, Tube.F2, False),
    Turn(27.4, "R2.1", RED, 3),
    Violation(30, "R2.2", RED, Code.NOT_TURNED, Tube.D2, ()),
    Violation(31, "R9.2", None, Code.OUT_OF_PLACE, Tube.A1, ()),
    Moved(93.4, "R2.1", RED, Tube.D1, Tube.D2, False),
    Turn(93.4, "R2.1", BLACK, 4),
    GameOver(100, "R5.5", RED, Reason.RESIGNED, {Player.RED: 32, Player.BLACK: 32}),
]


def test_two_columns_with_times_figures_and_the_result() -> None:
    assert score_sheet(RED_FORFEITS).splitlines() == [
        "TAMSK, level 3",
        "",
        "      red                  time         black                time",
        "  1.  (R)forfeit           0:20     2.  (B)G1→F2°            0:07",
        "  3.  (R)D1→D2°            1:06     4.  (B)…",
        "",
        "                 red     black",
        "time            1:26      0:07",
        "penalties          1         0",
        "violations         1         0",
        "violations of nobody in particular: 1",
        "",
        "Red wins: black resigned (rings left: red 32, black 32). (R5.5)",
    ]


def test_a_late_move_takes_until_it_is_finished() -> None:
    rulings: list[Ruling] = [
        Turn(0, "R2.1", RED, 1),
        TimerExpired(15, "R7.5", RED, True),
        Turn(15, "R2.1", BLACK, 2),
        Moved(22, "R7.5", RED, Tube.D1, Tube.D2, True),
    ]
    assert [ply.seconds for ply in plies(rulings)] == [22, None]


def test_a_game_that_never_began_has_no_moves_and_no_figures() -> None:
    assert score_sheet([]) == ""


def test_a_long_turn_widens_its_column() -> None:
    lost = [GlassLost(1, "R6.2", RED, tube) for tube in (Tube.G4, Tube.A4, Tube.D2)]
    rulings: list[Ruling] = [turn(RED, 1), moved(RED, Tube.D1, Tube.D2), *lost, turn(BLACK, 2)]
    first = score_sheet(rulings).splitlines()[2]
    assert first.startswith("  1.  (R)D1→D2° †G4 †A4 †D2   ")
    assert first.endswith("  2.  (B)…")


def test_the_sheet_holds_each_finished_move_and_each_ring_of_every_scenario_once() -> None:
    for name in BOOK:
        rulings = rulings_of(name)
        sheet = score_sheet(rulings)
        assert sheet.count("→") == sum(isinstance(ruling, Moved) for ruling in rulings), name
        assert sheet.count("†") == sum(isinstance(ruling, GlassLost) for ruling in rulings), name
        begun = [ruling for ruling in rulings if isinstance(ruling, Turn)]
        assert sheet.count(".  (") == len(begun), name
        counted = [r for r in rulings if isinstance(r, RingCounted)]
        if all(not ruling.by_arbiter for ruling in counted):
            on_sheet = sheet.count("→") - sheet.count("°") + sheet.count("+")
            taken_back = sum(isinstance(ruling, Uncounted) for ruling in rulings)
            assert on_sheet == len(counted) - taken_back, name
