"""The table at a simulated board: its time and speed, the games that it keeps, changes that it is asked for."""

import json
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tamsk_hw.facts.notices import GameOnSpeed, GameSlowed
from tamsk_hw.game.ruleset import Ruleset, Start
from tamsk_hw.journal.archive import Archive, simulated_folder
from tamsk_hw.journal.changes import Annotate, DeleteGame
from tamsk_hw.journal.database import holder_of
from tamsk_hw.journal.journal import Journal
from tamsk_hw.journal.records import GameState, verify
from tamsk_hw.live.client import change_journal
from tamsk_hw.live.publishing import Publisher
from tamsk_hw.live.requests import ImportPiece, ImportStream, Since, change_as_dict, pieces_of, read_request
from tamsk_hw.live.server import PendingRequest
from tamsk_hw.live.stream import NO_NAMES, Greeting, LiveStream, Names
from tamsk_hw.referee.events import Action, Arbiter, Button, ButtonName, Press
from tamsk_hw.referee.rulings import Violation
from tamsk_hw.system.service import Waker
from tamsk_hw.table.keeping import MOST_KEPT, journal_changer, journal_in
from tamsk_hw.table.requests import RequestHandler
from tamsk_hw.table.simulation import WINDOW, ScaledClock, SimulatedTable
from tests.boards import SEVEN
from tests.journal.played import SITTING, played, stored_lines, write
from tests.scenarios.book import BOOK

PATIENCE = 60.0


def run_at(clock: ScaledClock, real: float, seconds: float, kept: float) -> list[GameSlowed | GameOnSpeed]:
    """The notices of a clock on a computer that gets round only every half a second of the game's time."""
    pause = 0.5 / kept
    notices = []
    for turn in range(1, round(seconds / pause) + 1):
        clock.advance(real + turn * pause)
        notices.append(clock.speed_notice())
    return [notice for notice in notices if notice is not None]


def test_a_speed_that_is_kept_is_no_news() -> None:
    clock = ScaledClock(20.0)
    assert clock.advance(1000.0) == 0.0
    for turn in range(1, 5000):
        assert clock.advance(1000.0 + turn * 0.02) == pytest.approx(turn * 0.4)
        assert clock.speed_notice() is None


def test_a_slow_computer_is_reported_once_and_again_when_it_changes_much_and_when_all_is_well() -> None:
    clock = ScaledClock(10.0)
    clock.advance(0.0)
    assert run_at(clock, 0.0, WINDOW - 0.2, 4.0) == []
    assert run_at(clock, WINDOW, 20.0, 4.0) == [GameSlowed(10.0, pytest.approx(4.0, rel=0.1))]
    assert run_at(clock, 30.0, 40.0, 4.8) == []
    assert run_at(clock, 70.0, 40.0, 8.0)[-1] == GameSlowed(10.0, pytest.approx(8.0, rel=0.1))
    assert run_at(clock, 110.0, 40.0, 10.0) == [GameOnSpeed(10.0)]


def test_a_suspended_program_is_not_slow_and_skips_nothing() -> None:
    clock = ScaledClock(1.0)
    for turn in range(10):
        before = clock.advance(64.0 * turn)
        assert [clock.advance(64.0 * turn + tick / 4) for tick in range(16)][-1] == before + 3.75
        assert clock.speed_notice() is None
    assert before == pytest.approx(9 * (3.75 + 0.5))


class Simulated:
    """A simulated table of a program, asked by lines as a reader of its live stream sends them."""

    def __init__(self, folder: Path, *, level: int = 1, names: Names = NO_NAMES, is_kept: bool = True) -> None:
        self.folder = folder
        self.socket = folder / "live.sock"
        self.stream = LiveStream(Greeting(life="5f0c", program="0.2.0", board=None, simulated=True, speed=1.0))
        publisher = Publisher(self.stream)
        self._open = ExitStack()
        place = simulated_folder(folder) if is_kept else folder / "elsewhere"
        waker = self._open.enter_context(Waker())
        self.journal = self._open.enter_context(
            journal_in(place, waker, self.socket, simulated=True, unsaved=lambda notice: None)
        )
        self.table = SimulatedTable(
            Ruleset(level=level, start=Start.FREE, tubes=SEVEN.wiring.tubes),
            4,
            100.0,
            wiring=SEVEN.wiring,
            port=folder / "board",
            journal=self.journal,
            publisher=publisher,
            names=names,
            stays=True,
            is_kept=is_kept,
            change_others=journal_changer(folder),
        )
        self._open.callback(self.table.close)
        self._door = RequestHandler(publisher)
        self._asked: list[PendingRequest] = []
        publisher.take = self._take  # type: ignore[method-assign]
        self._now = 0.0

    def _take(self) -> list[PendingRequest]:
        taken, self._asked = self._asked, []
        return taken

    def ask(self, line: dict[str, Any]) -> dict[str, Any]:
        request = read_request(line)
        if isinstance(request, ImportPiece):  # as the stream's server puts the pieces together
            request = ImportStream(request.text.encode(), request.red, request.black)
        assert not isinstance(request, Since)
        answers: list[dict[str, Any]] = []
        self._asked.append(PendingRequest(line.get("id"), request, answers.append))
        self._door.take(self.table, 0.0)
        end = time.monotonic() + PATIENCE
        while not answers and time.monotonic() < end:
            self.journal.queue.wait_until_written(0.01)
        return answers[0]

    def play(self, rounds: int | None = None) -> None:
        """So many rounds of half a simulated second, or the whole game."""
        while not self.table.refereeing.is_over and rounds != 0:
            self._now += 0.005
            self.table.advance(self._now)
            rounds = None if rounds is None else rounds - 1

    def decide(self, action: Action) -> None:
        self.table.advance(self._now, [Arbiter(0.0, action)])

    def next_game(self) -> None:
        self.table.advance(self._now, [Button(0.0, ButtonName.START, Press.SHORT)])

    def close(self) -> None:
        self._open.close()


def games(folder: Path) -> list[tuple[int, GameState]]:
    return [(game.number, game.state) for game in Archive(simulated_folder(folder)).games()]


def test_a_simulated_game_is_kept_as_it_was_played_and_the_next_is_another(tmp_path: Path) -> None:
    table = Simulated(tmp_path, level=3, names=Names(red="Ann"))
    table.play()
    rulings = table.table.refereeing.rulings
    table.next_game()
    table.play(200)
    table.close()
    stored = Archive(simulated_folder(tmp_path)).load(1)
    assert (stored.state, stored.red) == (GameState.FINISHED, "Ann")
    assert stored.rulings() == rulings
    assert verify(stored) is None
    assert games(tmp_path)[1:] == [(2, GameState.SET_ASIDE)]
    second = Archive(simulated_folder(tmp_path)).load(2)
    assert second.header_and_events()[0].sand != stored.header_and_events()[0].sand  # it has a board of its own
    assert Archive(tmp_path).games() == []  # none of the players' games


def test_a_pause_stops_a_simulated_game_and_its_players(tmp_path: Path) -> None:
    table = Simulated(tmp_path, level=3)
    table.play(40)
    table.decide(Action.PAUSE)
    table.play(2)
    before = table.table.view(), list(table.table.people.world.truth)
    assert before[0].paused
    table.play(5000)
    assert (table.table.view(), list(table.table.people.world.truth)) == before
    table.decide(Action.RESUME)
    table.play()
    assert not [each for each in table.table.refereeing.rulings if isinstance(each, Violation)]
    table.close()
    assert verify(Archive(simulated_folder(tmp_path)).load(1)) is None


def test_the_newest_twenty_are_kept(tmp_path: Path) -> None:
    for _ in range(MOST_KEPT + 3):
        write(simulated_folder(tmp_path), played())
    table = Simulated(tmp_path)
    table.play(100)
    table.close()
    assert [number for number, _ in games(tmp_path)] == list(range(5, 25))


def test_a_run_that_was_killed_leaves_a_game_to_look_at_and_none_to_resume(tmp_path: Path) -> None:
    with Journal(simulated_folder(tmp_path)) as killed:
        killed.begin_game(played().header, SITTING)
        for entry in played().entries[:40]:
            killed.append(entry)
    table = Simulated(tmp_path)
    assert not table.table.is_offered
    table.close()
    assert games(tmp_path) == [(1, GameState.SET_ASIDE)]


def test_games_that_nobody_can_look_at_are_neither_saved_nor_changed(tmp_path: Path) -> None:
    """Another program keeps its simulated games; the real journal is free."""
    table = Simulated(tmp_path, is_kept=False)
    with Journal(tmp_path) as journal:  # a service at a real board
        journal.begin_game(played().header, SITTING)
        for entry in played().entries:
            journal.append(entry)
    table.play(100)
    table.journal.queue.wait_until_written(None)
    table.play(1)
    lines = [json.loads(data) for _, data in table.stream.after(0)]
    assert any("ruling" in line for line in lines)
    assert not any("saved" in line for line in lines)
    assert table.ask(change_as_dict(DeleteGame(1), simulated=True))["why"] == "no_journal"
    table.close()
    assert stored_lines(Archive(tmp_path).load(1)) == played().lines()


def test_a_folder_that_cannot_be_written_stops_no_game(tmp_path: Path) -> None:
    (tmp_path / "simulated").write_text("in the way")
    table = Simulated(tmp_path)
    table.play(100)
    assert table.table.refereeing.rulings
    table.close()
    assert (tmp_path / "simulated").read_text() == "in the way"


@pytest.fixture
def simulated(tmp_path: Path) -> Iterator[Simulated]:
    """Game 1 of the players, and game 1 of the simulated ones."""
    write(tmp_path, played(), red="Ann")
    write(simulated_folder(tmp_path), played(), red="Sim")
    table = Simulated(tmp_path)
    yield table
    table.close()


def test_a_request_says_of_which_games_it_is(simulated: Simulated) -> None:
    players, own = Archive(simulated.folder), Archive(simulated_folder(simulated.folder))
    assert "done" in simulated.ask(change_as_dict(Annotate(1, "simulated"), simulated=True))
    assert "done" in simulated.ask(change_as_dict(Annotate(1, "played")))
    assert [each.text for each in own.load(1).annotations] == ["simulated"]
    assert [each.text for each in players.load(1).annotations] == ["played"]
    assert "done" in simulated.ask(change_as_dict(DeleteGame(1), simulated=True))
    assert [game.number for game in own.games()] == []
    assert [game.number for game in players.games()] == [1]


def test_a_stream_is_imported_into_the_players_journal(simulated: Simulated) -> None:
    stream = BOOK["R5.2-fewest-rings"].stream.encode()
    answer = simulated.ask(pieces_of(ImportStream(stream, "Bo", None))[0])
    game = Archive(simulated.folder).load(answer["game"])
    assert (game.red, game.imported is not None) == ("Bo", True)
    assert len(games(simulated.folder)) == 1


def test_a_journal_that_another_program_has_is_left_alone(simulated: Simulated) -> None:
    with Journal(simulated.folder) as journal:
        journal.begin_game(played().header, SITTING)
        refused = simulated.ask(change_as_dict(DeleteGame(1)))["refused"]
    assert "is held by process" in refused
    assert [game.number for game in Archive(simulated.folder).games()] == [1]


def test_a_command_in_the_folder_of_simulated_games_asks_for_those(
    simulated: Simulated, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its game 1 is not the players' game 1, though one service changes both."""
    holder = holder_of(simulated_folder(simulated.folder))
    assert holder is not None
    assert (holder.asked_at, holder.simulated) == (simulated.socket, True)
    assert holder_of(simulated.folder) is None
    sent: list[dict[str, Any]] = []

    def ask(place: Path, change: Any, *, simulated: bool) -> dict[str, Any]:
        sent.append(change_as_dict(change, simulated=simulated))
        return {"done": 1, "game": 1}

    monkeypatch.setattr("tamsk_hw.live.client.ask_owner", ask)
    change_journal(simulated_folder(simulated.folder), DeleteGame(1), 0.0, "")
    assert sent == [{"journal": {"delete": {"game": 1, "simulated": True}}}]


def test_the_players_of_the_current_simulated_game_are_renamed_for_everybody(simulated: Simulated) -> None:
    assert "done" in simulated.ask({"setup": {"names": {"red": "Ann", "black": "Bo"}}})
    simulated.play(100)
    assert "done" in simulated.ask({"journal": {"erase": {"name": "Ann", "simulated": True}}})
    assert simulated.table.names == Names(red=None, black="Bo")
