"""Every ruling and every code in words."""

from __future__ import annotations

import re
from typing import get_args

import pytest

from tamsk_hw.game.tubes import End, Player, Tube
from tamsk_hw.panel.diagnosis import HeadlineKind, diagnose
from tamsk_hw.referee.events import SensorId, TimeSpan, TimeUnit, span_text
from tamsk_hw.referee.rulings import (
    ArbiterNeeded,
    BaseRuling,
    Caution,
    Code,
    Empty,
    Forfeit,
    FullTubeEntered,
    GameOver,
    GlassDoubtful,
    GlassLost,
    LastGlass,
    Mend,
    Moved,
    MoveStarted,
    Passed,
    Penalty,
    Reason,
    RecordedQuestion,
    Restored,
    RingCount,
    RingCounted,
    RingKind,
    Ruling,
    Setup,
    Skip,
    Started,
    StillRunning,
    TimerExpired,
    TimerStarted,
    Turn,
    Uncounted,
    Violation,
    Warned,
)
from tamsk_hw.referee.view import Phase, View
from tamsk_hw.words.rulings import clock, headline, line, say
from tests.panel.boards import BLACK, RED, SCENARIOS, played, view

E4, D2 = Tube.E4, Tube.D2
MISSEATED = (Mend(E4, RED, Empty()), Mend(D2, Empty(), RED))


def rings(has: int, should: int) -> tuple[Mend, ...]:
    return (Mend(D2, RingCount(has), RingCount(should)),)


SAID: list[tuple[Ruling, str]] = [
    (Setup(0, "R1.3", ()), "The board is ready. (R1.3)"),
    (
        Setup(
            0, "R9.2", (Mend(Tube.D1, Empty(), RED), Mend(E4, None, Empty()), Mend(D2, RingCount(2), RingCount(0)))
        ),
        "The board is not ready: put a red glass on D1; take the glass off E4; take 2 rings off D2. (R9.2)",
    ),
    (Started(1, "R1.5", 3, RED), "The game begins, at level 3. Red plays first. (R1.5)"),
    (Turn(1, "R2.1", BLACK, 4), "Turn 4: black to move. (R2.1)"),
    (MoveStarted(1, "R2.1", RED, D2), "Red lifts the glass on D2. (R2.1)"),
    (Moved(1, "R2.1", RED, Tube.D1, D2, False), "Red moves D1→D2. (R2.1)"),
    (Moved(1, "R7.5", RED, Tube.D1, D2, True), "Red finishes a late move D1→D2. (R7.5)"),
    (Moved(1, "R8", BLACK, None, D2, False), "Black places a glass on D2. (R8)"),
    (RingCounted(1, "R4.1", BLACK, Tube.F1, RingKind.MOVE, 31), "Black's ring on F1 counts; 31 left. (R4.1)"),
    (
        RingCounted(1, "R4.3", BLACK, D2, RingKind.CLAIM, 0),
        "Black claims D2: the ring there is black's; none left. (R4.3)",
    ),
    (RingCounted(1, "R7.6", RED, D2, RingKind.PENALTY, 9), "Red's penalty ring on D2 counts; 9 left. (R7.6)"),
    (Uncounted(1, "R9.7", RED, D2, 32), "Red's ring on D2 was never dropped and counts no more; 32 left. (R9.7)"),
    (
        Violation(
            1,
            "R9.7",
            None,
            Code.RING_WRONG_TUBE,
            D2,
            (Mend(D2, RingCount(1), RingCount(0)),),
        ),
        "A ring lies on D2 that counts no more. Take 1 ring off D2. (R9.7)",
    ),
    (Passed(1, "R2.7", RED), "Red has no legal move and passes. (R2.7)"),
    (GlassLost(1, "R6.2", RED, D2), "Red's glass on D2 has run out: it stays there and is moved no more. (R6.2)"),
    (GlassDoubtful(1, "R6.4", BLACK, D2), "Black's glass on D2 may have run out. (R6.4)"),
    (TimerStarted(1, "R7.2", RED, 76.5), "The 15-second timer runs against red, until 01:16.500. (R7.2)"),
    (TimerExpired(1, "R7.5", RED, True), "Time is up: red is late with the move that was started. (R7.5)"),
    (TimerExpired(1, "R7.4", RED, False), "Time is up: red had not started a move. (R7.4)"),
    (Forfeit(1, "R7.4", BLACK), "Black loses this turn. (R7.4)"),
    (
        Penalty(1, "R7.6", RED),
        "Red may drop a second ring with the next move, in any tube that is not full. (R7.6)",
    ),
    (Penalty(1, "R8", RED), "Red will move twice in a row. (R8)"),
    (Skip(1, "R8", BLACK), "Black's turn is skipped. (R8)"),
    (Restored(1, "R2.6"), "That has been put right. (R2.6)"),
    (ArbiterNeeded(1, "R5.4", RecordedQuestion("Who won?")), "A question for the arbiter: Who won? (R5.4)"),
    (ArbiterNeeded(1, "R5.4", LastGlass()), "A question for the arbiter: Whose glass ran out last? (R5.4)"),
    (
        ArbiterNeeded(1, "R5.4", StillRunning(RED)),
        "A question for the arbiter: Has red still a glass running, now that black has none? (R5.4)",
    ),
    (
        ArbiterNeeded(1, "R9.3", FullTubeEntered(E4)),
        "A question for the arbiter: Whose glass was put into the full tube E4? "
        "If it was the player's on move, he has lost. (R9.3)",
    ),
    (
        Violation(1, "R2.1", RED, Code.NOT_ADJACENT, E4, MISSEATED),
        "Not a legal move: E4 is not next to D2. Put red's glass from E4 back on D2. (R2.1)",
    ),
    (
        Violation(1, "R2.1", RED, Code.NOT_ADJACENT, Tube.D3, (Mend(Tube.D3, RED, BLACK), Mend(D2, Empty(), RED))),
        "Not a legal move: D3 is taken, a glass in the hand still counts as standing there."
        " Take the glass off D3, where a black one belongs. Put red's glass back on D2. (R2.1)",
    ),
    (
        Violation(1, "R9.3", RED, Code.NOT_ADJACENT, E4, MISSEATED),
        "Not a legal move: E4 is full. Put red's glass from E4 back on D2. (R9.3)",
    ),
    (
        Violation(1, "R8", RED, Code.NOT_ADJACENT, E4, (Mend(E4, RED, Empty()),)),
        "A glass may not be placed on E4. Take red's glass off E4. (R8)",
    ),
    (
        Violation(1, "R2.8", BLACK, Code.NOT_YOUR_TURN, E4, (Mend(E4, BLACK, Empty()), Mend(D2, Empty(), BLACK))),
        "It is not black's turn. Put black's glass from E4 back on D2. (R2.8)",
    ),
    (
        Violation(1, "R2.3", RED, Code.DEAD_GLASS, E4, MISSEATED),
        "Not a legal move: red's glass has run out and may not be moved any more."
        " Put red's glass from E4 back on D2. (R2.3)",
    ),
    (
        Violation(1, "R2.4", RED, Code.ALREADY_MOVED, E4, MISSEATED),
        "Not a legal move: red has moved that glass and must first move each of the others once."
        " Put red's glass from E4 back on D2. (R2.4)",
    ),
    (
        Violation(1, "R8", RED, Code.ALREADY_MOVED, E4, MISSEATED),
        "Not a legal move: red places all three glasses before one is moved."
        " Put red's glass from E4 back on D2. (R8)",
    ),
    (
        Violation(1, "R2.2", RED, Code.NOT_TURNED, D2, (Mend(D2, End.A, End.B),)),
        "Not a finished move: red's glass was not turned over on the way to D2. Turn the glass on D2 over. (R2.2)",
    ),
    (
        Violation(1, "R2.9", RED, Code.TWO_GLASSES, D2, (Mend(D2, Empty(), RED),)),
        "Red has lifted a second glass, from D2. Put red's glass back on D2. (R2.9)",
    ),
    (
        Violation(1, "R2.5", RED, Code.TURNED_IN_PLACE, D2, (Mend(D2, End.A, End.B),)),
        "Red's glass on D2 was turned over without being moved. Turn the glass on D2 over. (R2.5)",
    ),
    (
        Violation(1, "R4.7", None, Code.RING_WRONG_TUBE, D2, rings(1, 0)),
        "The new ring on D2 does not count: nobody may drop one there now. Take 1 ring off D2. (R4.7)",
    ),
    (
        Violation(1, "R4.7", RED, Code.RING_TOO_MANY, D2, rings(3, 1)),
        "The new ring on D2 does not count: the ring of that move is there already. Take 2 rings off D2. (R4.7)",
    ),
    (
        Violation(1, "R4.7", None, Code.RING_TOO_LATE, D2, rings(1, 0)),
        "The new ring on D2 does not count: it came too late. Take 1 ring off D2. (R4.7)",
    ),
    (
        Violation(1, "R4.7", None, Code.RING_REMOVED, D2, rings(0, 1)),
        "A ring that counts was taken off D2. Put 1 ring back on D2. (R4.7)",
    ),
    (
        Violation(1, "R7.2", None, Code.TIMER_RUNNING, None, ()),
        "The 15-second timer was turned over before it had run out. (R7.2)",
    ),
    (
        Violation(1, "R9.2", RED, Code.OUT_OF_PLACE, D2, (Mend(D2, RED, RED),)),
        "The glass on D2 does not stand firm. Set the glass on D2 upright. (R9.2)",
    ),
    (
        Violation(1, "R9.2", None, Code.OUT_OF_PLACE, D2, (Mend(D2, None, Empty()),)),
        "There is a glass on D2 where none should be. Take the glass off D2. (R9.2)",
    ),
    (Warned(1, "R2.8", Caution.EARLY_START, RED, D2), "Red has lifted a glass from D2 before his turn. (R2.8)"),
    (
        Warned(1, "R7.8", Caution.OVERTIME, RED, None),
        "Red has taken more than 15 seconds for this turn. (R7.8)",
    ),
    (
        Warned(1, "R9.5", Caution.LINK_LOST, None, None),
        "The board is out of reach; the sand runs on. Check its cable. (R9.5)",
    ),
    (
        Warned(1, "R9.5", Caution.TIME_AWAY, None, None, detail=span_text(TimeSpan(60, 75, TimeUnit.SECOND))),
        "Nobody watched the board for 60 to 75 seconds. The sand ran on; no deadline did. (R9.5)",
    ),
    (
        Warned(1, "R9.5", Caution.TIME_AWAY, None, None),
        "Nobody watched the board for some time. The sand ran on; no deadline did. (R9.5)",
    ),
    (
        Warned(1, "R9.4", Caution.SENSOR_FAULT, None, D2),
        "A glass seems to have left D2, where none stood. Check the sensor of D2. (R9.4)",
    ),
    (
        Warned(1, "R9.5", Caution.SENSOR_FAULT, None, D2, SensorId.glass(D2), "stuck at 255"),
        'The sensor "glass D2" cannot be trusted: stuck at 255. (R9.5)',
    ),
    (
        GameOver(1, "R3.2", RED, Reason.FULL_TUBE, {Player.RED: 28, Player.BLACK: 32}),
        "Red wins: black seated a glass in a full tube (rings left: red 28, black 32). (R3.2)",
    ),
    (
        GameOver(1, "R5.2", BLACK, Reason.FEWEST_RINGS, {Player.RED: 9, Player.BLACK: 7}),
        "Black wins: fewest rings left (rings left: red 9, black 7). (R5.2)",
    ),
    (
        GameOver(1, "R5.2", None, Reason.TIE, {Player.RED: 7, Player.BLACK: 7}),
        "A tie: equal rings (rings left: red 7, black 7). (R5.2)",
    ),
    (
        GameOver(1, "R5.3", None, Reason.TIE, {Player.RED: 7, Player.BLACK: 7}),
        "A tie: equal rings, and the sand does not decide (rings left: red 7, black 7). (R5.3)",
    ),
    (
        GameOver(1, "R5.3", RED, Reason.LAST_GLASS, {Player.RED: 7, Player.BLACK: 7}),
        "Red wins: equal rings, and the last glass running (rings left: red 7, black 7). (R5.3)",
    ),
    (
        GameOver(1, "R5.5", RED, Reason.RESIGNED, {Player.RED: 9, Player.BLACK: 7}),
        "Red wins: black resigned (rings left: red 9, black 7). (R5.5)",
    ),
    (
        GameOver(1, "R9.6", RED, Reason.AWARDED, {Player.RED: 9, Player.BLACK: 7}),
        "Red wins: awarded by the arbiter (rings left: red 9, black 7). (R9.6)",
    ),
    (
        GameOver(1, "R9.6", None, Reason.ABANDONED, {Player.RED: 9, Player.BLACK: 7}),
        "No result: abandoned (rings left: red 9, black 7). (R9.6)",
    ),
]


@pytest.mark.parametrize(("ruling", "words"), SAID, ids=[words[:40] for _, words in SAID])
def test_the_words(ruling: Ruling, words: str) -> None:
    assert say(ruling) == words


def test_the_list_above_has_every_ruling_and_every_code() -> None:
    said = [ruling for ruling, _ in SAID]
    assert {type(ruling) for ruling in said} == set(get_args(Ruling))
    assert {ruling.code for ruling in said if isinstance(ruling, Violation)} == set(Code)
    assert {ruling.code for ruling in said if isinstance(ruling, Warned)} == set(Caution)
    assert {ruling.kind for ruling in said if isinstance(ruling, RingCounted)} == set(RingKind)
    assert {ruling.reason for ruling in said if isinstance(ruling, GameOver)} == set(Reason)


def test_a_ruling_of_another_kind_is_refused() -> None:
    with pytest.raises(AssertionError, match="R1\\.1"):
        say(BaseRuling(1.0, "R1.1"))  # type: ignore[arg-type]


#: Jargon, and values that slipped through.
JARGON = re.compile(r"None|_|<|\bMend\b|Tube\.|Player\.|\brestore\b|\bplies\b|[Vv]iolation")


def test_every_ruling_of_every_scenario_is_said_plainly() -> None:
    said = 0
    for path in SCENARIOS:
        for rulings, now in played(path):
            for ruling in rulings:
                words = say(ruling)
                assert not JARGON.search(words), words
                assert "\n" not in words
                assert "  " not in words
                assert words.endswith((f". ({ruling.rule})", f"? ({ruling.rule})")), words
                assert words[0].isupper()
                said += 1
            words = headline(diagnose(now))
            assert not JARGON.search(words), words
    assert said > 2000


@pytest.mark.parametrize(
    ("t", "shown"),
    [
        (0.0, "00:00.000"),
        (12.3456, "00:12.346"),
        (59.9996, "01:00.000"),
        (1200.5, "20:00.500"),
        (4000.0, "66:40.000"),
    ],
)
def test_the_clock(t: float, shown: str) -> None:
    assert clock(t) == shown


def test_a_line_has_the_time_first() -> None:
    assert line(Passed(61.25, "R2.7", RED)) == "01:01.250  Red has no legal move and passes. (R2.7)"


THREE = (
    Mend(Tube.D1, Empty(), RED),
    Mend(Tube.G1, Empty(), BLACK),
    Mend(E4, None, Empty()),
)


HEADLINES: list[tuple[View, str]] = [
    (view(), "Red to move."),
    (view(move_started=True), "Red is moving."),
    (view(turn=None), "Nobody can move any more; the last rings may be dropped."),
    (view(turn=None, phase=Phase.SAND), "Equal rings: the sand decides. Let the glasses run."),
    (view(turn=None, phase=Phase.SETUP), "The board is ready: press start."),
    (
        view(turn=None, phase=Phase.SETUP, wrong=THREE),
        "Set up the board: put a red glass on D1; put a black glass on G1 … and 1 more.",
    ),
    (view(wrong=MISSEATED), "Put right: put red's glass from E4 back on D2."),
    (view(question=LastGlass()), "For the arbiter: Whose glass ran out last?"),
    (view(link_lost=True), "The board is out of reach: check its cable. The sand runs on."),
    (
        view(over=GameOver(1, "R5.2", BLACK, Reason.FEWEST_RINGS, {Player.RED: 9, Player.BLACK: 7})),
        "Black wins: fewest rings left (rings left: red 9, black 7). (R5.2)",
    ),
]


@pytest.mark.parametrize(("now", "words"), HEADLINES)
def test_headlines(now: View, words: str) -> None:
    assert headline(diagnose(now)) == words


def test_an_unfinished_game_is_offered_whatever_stood_in_it() -> None:
    for now, _ in HEADLINES:
        assert "start resumes it, start held abandons it" in headline(diagnose(now, offered=True))


def test_the_list_above_has_every_news() -> None:
    assert {diagnose(now).headline.news for now, _ in HEADLINES} == set(HeadlineKind) - {
        HeadlineKind.OFFERED,
        HeadlineKind.ADVICE,
    }
