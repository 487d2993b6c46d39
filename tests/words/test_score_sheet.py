"""Score sheets as they are written; tests/referee/test_sheet.py has what stands in their lines."""

from tamsk_hw.game.tubes import Player, Tube
from tamsk_hw.referee.events import Action
from tamsk_hw.referee.rulings import (
    Code,
    Forfeit,
    GameOver,
    GlassLost,
    Moved,
    Penalty,
    Reason,
    RingCounted,
    Started,
    TimerExpired,
    Turn,
    Uncounted,
    Violation,
)
from tamsk_hw.words.score_sheet import score_sheet
from tests.panel.boards import BLACK, RED, ruled
from tests.scenarios.book import SCENARIOS

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


def test_a_long_turn_widens_its_column() -> None:
    lost = [GlassLost(1, "R6.2", RED, tube) for tube in (Tube.G4, Tube.A4, Tube.D2)]
    move = Moved(1, "R2.1", RED, Tube.D1, Tube.D2, False)
    sheet = score_sheet([Turn(1, "R2.1", RED, 1), move, *lost, Turn(1, "R2.1", BLACK, 2)])
    _, head, first, *_ = sheet.splitlines()
    assert first.startswith("  1.  (R)D1→D2° †G4 †A4 †D2   ")
    assert first.index("(B)…") == head.index("black")


def test_the_sheet_holds_each_finished_move_and_each_ring_of_every_scenario_once() -> None:
    assert score_sheet([]) == ""
    for scenario in SCENARIOS:
        rulings = ruled(scenario)
        sheet = score_sheet(rulings)
        finished = sheet.count("→") - sheet.count("→#")
        assert finished == sum(isinstance(ruling, Moved) for ruling in rulings), scenario.name
        revived = [event for event in scenario.read()[1] if getattr(event, "action", None) is Action.REVIVE]
        lost = sum(isinstance(ruling, GlassLost) for ruling in rulings)
        assert sheet.count("†") == lost - len(revived), scenario.name
        begun = [ruling for ruling in rulings if isinstance(ruling, Turn)]
        assert sheet.count(".  (") == len(begun), scenario.name
        counted = [r for r in rulings if isinstance(r, RingCounted)]
        if all(not ruling.by_arbiter for ruling in counted):
            on_sheet = finished - sheet.count("°") + sheet.count("+")
            taken_back = sum(isinstance(ruling, Uncounted) for ruling in rulings)
            assert on_sheet == len(counted) - taken_back, scenario.name
