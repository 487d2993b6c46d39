"""The journal in good times: games begun, written down, resumed, ended, and read again."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tamsk_hw.errors import JournalError, MisuseError
from tamsk_hw.game import Tube
from tamsk_hw.game.tubes import Player
from tamsk_hw.journal.archive import Archive
from tamsk_hw.journal.changes import DeleteGame
from tamsk_hw.journal.journal import Journal
from tamsk_hw.journal.records import Entry, GameState, Sitting, verify
from tamsk_hw.referee.events import Action, Arbiter, Fault, SensorId, Tick
from tamsk_hw.referee.rulings import GameOver, Reason
from tests.journal.played import SITTING, UNENDED, append, begun, is_durable, played, stored_lines, write


def test_a_game_comes_back_as_it_was_handed_in(tmp_path: Path) -> None:
    game = played()
    with Journal(tmp_path) as journal:
        record = journal.begin_game(game.header, SITTING, red="Anna", black="Bo", board="7f")
        tickets = [journal.append(entry) for entry in game.entries]
        assert journal.queue.wait_until_written(60)
        assert all(is_durable(journal, ticket) for ticket in tickets)
        assert tickets == sorted(set(tickets))
        assert (journal.queue.trouble, journal.queue.unsaved, record.number) == (None, 0, 1)
    stored = Archive(tmp_path).load(1)
    assert stored_lines(stored) == game.lines()
    assert stored.header_and_events() == (game.header, [entry.event for entry in game.entries])
    assert stored.rulings() == [ruling for entry in game.entries for ruling in entry.rulings]
    assert (stored.red, stored.black, stored.board, stored.state) == ("Anna", "Bo", "7f", GameState.FINISHED)
    assert stored.sittings == (SITTING,)
    assert [entry.wall for entry in stored.entries] == [entry.wall for entry in game.entries]
    assert verify(stored) is None


def test_nothing_is_durable_before_the_disk_has_it(tmp_path: Path) -> None:
    game = played()
    journal = begun(tmp_path)
    first = [journal.append(entry) for entry in game.entries[:10]]
    assert not any(is_durable(journal, ticket) for ticket in first)
    assert journal.queue.unsaved == 10
    assert Archive(tmp_path).games() == []
    assert journal.writer.attempt()
    assert is_durable(journal, first[-1])
    later = journal.append(game.entries[10])
    assert not is_durable(journal, later)
    assert stored_lines(Archive(tmp_path).load(1)) == game.lines(10)
    assert journal.queue.newest_durable == later - 1
    assert journal.close() == 0
    assert stored_lines(Archive(tmp_path).load(1)) == game.lines(11)


def test_an_unfinished_game_is_gone_on_with(tmp_path: Path) -> None:
    game = played()
    write(tmp_path, game, 40, red="Anna")
    with Journal(tmp_path) as journal:
        unfinished = journal.unfinished
        assert unfinished is not None
        assert stored_lines(unfinished) == game.lines(40)
        again = Sitting(wall=SITTING.wall + 3600, monotonic_zero=-20.0, boot="next")
        record = journal.resume(unfinished, again)
        assert journal.unfinished is None
        append(journal, 40)
        journal.queue.wait_until_written(60)
        assert record.number == 1
    stored = Archive(tmp_path).load(1)
    assert stored_lines(stored) == game.lines()
    assert (stored.state, stored.red) == (GameState.FINISHED, "Anna")
    assert stored.sittings == (SITTING, again)
    assert verify(stored) is None
    with Journal(tmp_path) as journal:
        assert journal.unfinished is None


def test_one_game_after_the_other_and_an_unfinished_one_is_resumed_or_abandoned_first(tmp_path: Path) -> None:
    header, first = played().header, played().entries[0]
    write(tmp_path, played(), 40)
    with Journal(tmp_path) as journal:
        unfinished = journal.unfinished
        assert unfinished is not None
        with pytest.raises(MisuseError, match="game 1 is unfinished; allowed"):
            journal.begin_game(header, SITTING)
        journal.abandon()
        assert journal.unfinished is None
        with pytest.raises(MisuseError, match="is not unfinished"):
            journal.resume(unfinished, SITTING)
        for call in (lambda: journal.append(first), journal.finish, lambda: journal.set_aside("why")):
            with pytest.raises(MisuseError, match="allowed: begin_game or resume"):
                call()
        journal.begin_game(header, SITTING)
        append(journal, 0, 40)
        with pytest.raises(MisuseError, match="a game is running"):
            journal.begin_game(header, SITTING)
    for call in (lambda: journal.append(first), lambda: journal.begin_game(header, SITTING)):
        with pytest.raises(MisuseError):
            call()
    assert Archive(tmp_path).load(1).state is GameState.ABANDONED
    with Journal(tmp_path) as journal:
        assert journal.unfinished is not None
        assert journal.unfinished.number == 2


def test_a_game_over_ends_the_game_in_the_same_commit(tmp_path: Path) -> None:
    """So that no kill can leave a game running whose end was shown."""
    game = played()
    end = game.first("game_over")
    journal = begun(tmp_path, end)
    journal.writer.attempt()
    assert Archive(tmp_path).running() == 1
    journal.append(game.entries[end])
    journal.append(Entry(Tick(10_000.0), ()))  # what comes after the end is still written down
    journal.writer.attempt()
    (summary,) = Archive(tmp_path).games()
    assert (summary.state, summary.over, summary.turns) == (GameState.FINISHED, game.entries[end].rulings[-1], 64)
    journal.close()


def test_an_abandoned_game_is_no_finished_one(tmp_path: Path) -> None:
    game = played(UNENDED)
    over = GameOver(99.0, "R9.6", None, Reason.ABANDONED, {Player.RED: 32, Player.BLACK: 31})
    with Journal(tmp_path) as journal:
        journal.begin_game(game.header, SITTING)
        for entry in (*game.entries, Entry(Arbiter(99.0, Action.ABANDON), [over])):
            journal.append(entry)
    (summary,) = Archive(tmp_path).games()
    assert (summary.state, summary.over) == (GameState.ABANDONED, over)


def test_a_game_that_was_only_set_up_leaves_nothing_and_gives_its_number_back(tmp_path: Path) -> None:
    game = played()
    setting_up = game.first("started")
    assert setting_up > 0
    for _ in range(3):
        write(tmp_path, game, setting_up)
        assert Archive(tmp_path).games() == []
        with Journal(tmp_path) as journal:
            assert journal.unfinished is None
    with Journal(tmp_path) as journal:
        journal.begin_game(game.header, SITTING)
        journal.append(game.entries[0])
        journal.begin_game(game.header, SITTING)  # other rules were agreed meanwhile
        journal.append(game.entries[0])
        journal.abandon()
    write(tmp_path, game)
    assert [summary.number for summary in Archive(tmp_path).games()] == [1]


def test_a_game_deleted_in_its_last_ticks_stays_deleted_and_its_number_is_never_given_again(
    tmp_path: Path,
) -> None:
    game = played()
    with Journal(tmp_path) as journal:
        journal.begin_game(game.header, SITTING)
        append(journal)
        journal.queue.wait_until_written(60)
        journal.change(DeleteGame(1), 0.0, lambda outcome: None)
        last = journal.append(Entry(Tick(10_000.0), ()))
        journal.begin_game(game.header, SITTING)
        assert journal.queue.wait_until_written(60)
        assert (is_durable(journal, last), journal.queue.trouble) == (True, None)
    assert Archive(tmp_path).games() == []
    write(tmp_path, game)
    assert [summary.number for summary in Archive(tmp_path).games()] == [2]


def test_players_are_named_meanwhile(tmp_path: Path) -> None:
    with begun(tmp_path, 40, red="Anna") as journal:
        journal.name_players(red="Anna", black="  Bo ")
        journal.writer.attempt()
    stored = Archive(tmp_path).load(1)
    assert (stored.red, stored.black) == ("Anna", "Bo")


def test_texts_may_hold_anything(tmp_path: Path) -> None:
    """A sensor's detail is stored as it is, line breaks of other alphabets and half characters included."""
    game = played(UNENDED)
    details = ("\u2028\x85\x1b[31m\x00", "\udcff", "李\U0001f3b2")
    faults = [Entry(Fault(200.0, SensorId.ring(Tube.D4, 2), detail), ()) for detail in details]
    with Journal(tmp_path) as journal:
        journal.begin_game(game.header, SITTING)
        for entry in (*game.entries, *faults):
            journal.append(entry)
    events = Archive(tmp_path).load(1).header_and_events()[1]
    assert tuple(event.detail for event in events if isinstance(event, Fault)) == details


def test_a_second_program_is_told_who_holds_the_journal(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from tamsk_hw.journal.journal import Journal\n"
        "journal = Journal(Path(sys.argv[1])); print('open', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "open\n"
        with pytest.raises(JournalError, match=rf"is held by process {holder.pid} \(since .*; end that, or use"):
            Journal(tmp_path)
        assert Archive(tmp_path).games() == []  # reading is for everybody
        holder.kill()
    Journal(tmp_path).close()


def test_the_loop_is_woken_when_something_has_become_durable(tmp_path: Path) -> None:
    read, written = os.pipe()
    with Journal(tmp_path, wake=lambda: os.write(written, b"!")) as journal:
        journal.begin_game(played().header, SITTING)
        ticket = journal.append(played().entries[0])
        while not is_durable(journal, ticket):
            assert os.read(read, 1) == b"!"
    os.close(read)
    os.close(written)
