"""Games one after the other at one board; one that was interrupted goes on to the same rulings."""

import shutil
from collections.abc import Sequence
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Any

import pytest

from tamsk_hw.board.link_events import LinkEvent
from tamsk_hw.board.sensing import Sensing
from tamsk_hw.board.sensing_settings import SensingSettings
from tamsk_hw.board.session import LinkSession
from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.game.tubes import Player
from tamsk_hw.journal.journal import Journal
from tamsk_hw.journal.records import Entry, GameState, verify
from tamsk_hw.live.stream import Names
from tamsk_hw.referee.events import Action, Arbiter, Button, ButtonName, Event, Link, Press
from tamsk_hw.referee.rulings import Caution, GameOver, Ruling, Warned
from tamsk_hw.referee.view import Phase
from tamsk_hw.simulator.board import SimulatedBoard
from tamsk_hw.simulator.truth import GlassLifted
from tamsk_hw.table.simulation import LOOK, calibration_of
from tamsk_hw.table.table import BoardTable
from tests.boards import SEVEN, WHOLE, PlayedBoard
from tests.disturbances.board import DisturbedBoard
from tests.players.habits import Habits
from tests.players.simulated_game import SimulatedGame
from tests.said import Said
from tests.soak import in_soak

#: The board where nothing depends on its size.
BOARD = in_soak(WHOLE, otherwise=SEVEN)


class Wire:
    """The simulated board's frames, as the link reports them; a new program finds the board as it is."""

    def __init__(self, evening: "Evening") -> None:
        self._evening = evening
        self._session = LinkSession(evening.simulation.wiring.hash)
        self._session.opened(evening.now - evening.zero)

    @property
    def has_news(self) -> bool:
        return self._evening.simulation.board.now < self._evening.now

    def poll(self, now: float) -> list[LinkEvent]:
        board, zero = self._evening.simulation.board, self._evening.zero
        events: list[LinkEvent] = []
        for sent, frame in board.advance(max(board.now, now + zero)):
            events += self._session.receive(frame, sent - zero)
        events += self._session.advance(now)
        if outgoing := self._session.take_outgoing():
            board.receive(outgoing)
        return events

    def next_wakeup(self, now: float) -> float:
        return float("inf")


class Evening:
    """Two simulated players at a board whose program may be killed and started again.

    ``now`` is the world's time, which ``stood`` still for some seconds; the machine's monotonic clock was at 0
    when that was ``zero``.
    """

    zero = stood = 0.0
    boot = "one"

    def __init__(
        self,
        folder: Path,
        *,
        level: int,
        seed: int,
        board: PlayedBoard = BOARD,
        holders: bool = False,
        habits: Habits | None = None,
    ) -> None:
        ruleset = Ruleset(level=level, start=board.start)
        habits = habits or Habits(pace=0.5, lifts_early=0.0)
        self.sit_down(SimulatedGame(ruleset, seed, wiring=board.wiring, holders=holders, habits=habits))
        self.folder = folder
        self.now = 0.0
        self.starts = 0
        self.shown: list[Ruling] = []
        self.said = Said()
        self.start()

    def sit_down(self, simulation: SimulatedGame) -> None:
        self.simulation = simulation
        assert isinstance(simulation.board, SimulatedBoard)
        self.values = simulation.board.sensors.calibration_values()

    def start(self, line: Any = None, **more: Any) -> None:
        """The program starts; the board is at the end of this line, or its frames are handed over."""
        self.starts += 1
        self.journal = self.open_journal()
        self.table = BoardTable(
            self.simulation.header,
            self.simulation.wiring,
            self._sensing,
            line or Wire(self),
            self.journal,
            self.now - self.zero,
            wall=self.wall,
            boot=self.boot,
            **{"notice": self.said, **more},
        )

    @property
    def place(self) -> Path:
        """The folder of the journal that is written now."""
        return self.folder / str(self.starts)

    def open_journal(self) -> Journal:
        return Journal(self.place, threaded=False)

    def wall(self) -> float:
        """The time of day (seconds since 1970)."""
        return 1_763_726_400.0 + self.now

    def _sensing(self) -> Sensing:
        calibration = calibration_of(self.values)
        return Sensing(self.simulation.wiring, calibration, SensingSettings(), self.simulation.header.holders)

    def kill(self) -> None:
        """The program is gone at once; what is on the disk stays, nothing is said good-bye to."""
        shutil.copytree(self.place, self.folder / str(self.starts + 1))
        self.start()
        while not self.table.refereeing.connected:  # nobody is quicker than the cable
            self.step()

    def press(self, press: Press = Press.SHORT) -> None:
        self.step([Button(self.now, ButtonName.START, press)])

    def step(self, told: Sequence[Event] = (), *, writes: bool = True) -> list[Ruling]:
        match = self.simulation.match
        due = match.next_wakeup
        look = self.now + LOOK
        self.now = look if due is None or due <= self.now else min(look, due)
        if writes:
            self.journal.writer.attempt()
        decided = [replace(event, t=event.t - self.zero + self.stood) for event in told]
        ruled = self.table.advance(self.now - self.zero + self.stood, decided)
        self.shown += ruled
        match.on_rulings(ruled)
        if not self.table.is_offered:
            match.advance(self.now)
        return ruled

    def steps(self, count: int) -> None:
        """People sit and look."""
        for _ in range(count):
            self.step()

    def stand(self, seconds: float) -> None:
        """The machine's time passes; world and people stand still."""
        for _ in range(round(seconds / LOOK)):
            self.stood += LOOK
            self.table.advance(self.now - self.zero + self.stood)

    def decide(self, action: Action) -> None:
        self.step([Arbiter(self.now, action)])

    def play(self, until: float) -> None:
        while self.now < until and self.simulation.match.over is None:
            self.step(self.simulation.match.drain_events())


def plain(rulings: Sequence[Ruling]) -> dict[str, list[dict[str, Any]]]:
    """The rulings of each kind in their order, without their times and what tells of the time away.

    Players that stood still for a moment go on at other times: a ring and the other one's next lift may change
    places.
    """
    kinds: dict[str, list[dict[str, Any]]] = {}
    for ruling in rulings:
        if not (isinstance(ruling, Warned) and ruling.code is Caution.TIME_AWAY):
            kinds.setdefault(ruling.name, []).append({**ruling.as_dict(), "t": None})
    return kinds


@pytest.mark.parametrize("late", [0, 2, 8])
def test_r9_5_a_pause_that_stops_the_board_takes_no_time(tmp_path: Path, late: int) -> None:
    """Whatever hands were about: the board stands ``late`` looks after the referee, who judges nothing of that as
    done in the pause.
    """
    whole = Evening(tmp_path / "whole", level=3, seed=3)
    whole.start(stops=True)
    whole.play(inf)
    lifts = [each.t for each in whole.simulation.world.truth if isinstance(each, GlassLifted)]
    evening = Evening(tmp_path / "paused", level=3, seed=3)
    evening.start(stops=True)
    for lifted in lifts[5:30:5]:
        evening.play(lifted - 1.5 * LOOK)
        evening.decide(Action.PAUSE)
        evening.steps(late)
        evening.stand(LOOK)
        paused = evening.table.view()
        assert paused.paused
        evening.stand(600.0)
        assert evening.table.view() == paused
        evening.decide(Action.RESUME)
        assert not evening.table.view().paused
    evening.play(inf)
    assert [name for name in evening.said if "reach" in name] == []
    shown, due = plain(evening.shown), plain(whole.shown)
    for each in (shown, due):  # a timer turned as the board stood counts from when the game went on
        each.pop("timer_started", None)
    assert shown == due
    assert verify(evening.journal.archive.load(1)) is None


@pytest.mark.parametrize(
    ("seat", "red", "said"),
    [(Player.RED, "Ada", "By lot: stay where you sit."), (Player.BLACK, "Grace", "By lot: change places.")],
)
def test_e_1_1_the_start_button_held_draws_lots_and_names_go_with_the_players(
    seat: Player, red: str, said: str, tmp_path: Path
) -> None:
    evening = Evening(tmp_path, level=1, seed=1, board=SEVEN)
    evening.start(names=Names(red="Ada", black="Grace"), draw=lambda: seat)
    evening.press(Press.LONG)
    assert evening.table.lot(evening.now) == (seat, evening.now)
    assert (evening.table.names.red, evening.table.view().phase) == (red, Phase.SETUP)
    assert said in evening.said
    assert evening.table.lot(evening.now + 9.0) is None


def test_r9_5_what_was_watched_before_the_kill_is_no_time_away(tmp_path: Path) -> None:
    """Between two events the board was watched: a deadline keeps what it had left when that ended."""
    evening = Evening(tmp_path, level=2, seed=1)
    evening.play(40.0)
    while evening.now < 48.0:  # nobody does anything
        evening.simulation.match.drain_events()
        evening.step()
    watched = evening.table.refereeing.watched_to
    assert watched > evening.now - 0.2
    evening.kill()
    evening.press()
    aways = [e for e in evening.journal.archive.load(1).header_and_events()[1] if isinstance(e, Link)]
    assert aways == []  # not on the disk yet
    evening.step()
    (away,) = [e for e in evening.journal.archive.load(1).header_and_events()[1] if isinstance(e, Link)]
    assert away.t == pytest.approx(watched, abs=0.2)
    assert away.away is not None
    least, most = away.away
    assert least == most  # the monotonic clock tells it exactly
    assert away.t + least == pytest.approx(evening.now, abs=0.2)


def test_r9_5_a_board_that_is_not_there_when_the_game_goes_on_is_said(tmp_path: Path) -> None:
    evening = Evening(tmp_path, level=1, seed=2)
    evening.play(30.0)
    evening.kill()
    assert isinstance(evening.simulation.board, DisturbedBoard)
    evening.simulation.board.go_silent()
    evening.steps(20)
    evening.press()
    assert evening.table.refereeing.view().link_lost
    evening.simulation.board.speak()
    evening.steps(20)
    assert not evening.table.refereeing.view().link_lost


def test_a_game_that_this_version_rules_to_be_over_is_set_aside(tmp_path: Path) -> None:
    """Its stored rulings are another version's, which took no notice of a resignation."""
    evening = Evening(tmp_path, level=1, seed=2)
    evening.play(30.0)
    resigned = Button(evening.table.refereeing.now, ButtonName.RED, Press.LONG)
    evening.journal.append(Entry(resigned, (), None))
    evening.step()
    evening.kill()
    assert evening.table.view().phase is not Phase.OVER
    assert [
        said for said in evening.said if said.startswith("This version of tamsk-hw rules otherwise on game 1, ")
    ]
    assert "Game 1 is set aside: it cannot be resumed." in evening.said
    evening.step()
    assert evening.journal.archive.load(1).state is GameState.SET_ASIDE


def test_a_game_of_a_board_with_other_tubes_waits_for_the_right_map(tmp_path: Path) -> None:
    """A wrong wiring map costs nothing: the game is not gone on with nor set aside, only abandoned on demand."""
    evening = Evening(tmp_path, level=1, seed=2, board=SEVEN)
    evening.play(60.0)
    evening.journal.writer.attempt()
    later = Evening(tmp_path / "later", level=1, seed=2, board=WHOLE)
    shutil.copytree(evening.place, tmp_path / "later" / "2")
    later.said.clear()
    later.start()
    (words,) = later.said
    assert words.startswith("Game 1 was not finished, on a board with other tubes than the wiring map's.")
    later.press()
    assert later.table.is_offered
    assert later.said == [words, words]
    assert later.journal.archive.load(1).state is GameState.RUNNING
    later.press(Press.LONG)
    assert not later.table.is_offered
    later.step()
    assert later.journal.archive.load(1).state is GameState.ABANDONED


def test_a_game_that_ends_as_the_next_is_asked_for_is_shown_to_its_end(tmp_path: Path) -> None:
    evening = Evening(tmp_path, level=1, seed=4)
    evening.play(10.0)
    ended = evening.table.refereeing
    resigns = Button(ended.watched_to, ButtonName.RED, Press.LONG)
    ended.take([resigns])
    ended.advance(evening.now)  # ruled, and nobody was told yet
    assert ended.is_over
    evening.press()
    assert any(isinstance(ruling, GameOver) for ruling in evening.shown)
    assert "The game is over; the next one can be set up." in evening.said
    assert evening.table.view().phase is not Phase.OVER


def test_the_table_is_to_be_woken_for_a_press_that_waits(tmp_path: Path) -> None:
    """By the machine's clock, by which the game began late."""
    evening = Evening(tmp_path, level=2, seed=1)
    evening.now = 100.0
    evening.kill()
    assert evening.table.next_wakeup(100.0) == float("inf")
    evening.table.refereeing.take([Button(5.0, ButtonName.START, Press.SHORT)])
    inside = evening.table.refereeing.next_deadline
    assert inside is not None
    assert inside > 5.0
    due = evening.table.next_wakeup(100.0)
    assert due == pytest.approx(100.0 + inside)
