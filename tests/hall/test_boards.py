"""A board at the hall: what is shown of it, what is kept, and what is asked for again."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tamsk_hw.errors import HallError
from tamsk_hw.hall.boards import PATIENCE, HallBoard
from tamsk_hw.hall.store import Store
from tamsk_hw.live.stream import Names
from tamsk_hw.mqtt.bridge import Outbox
from tamsk_hw.mqtt.messages import AgainMessage, GamesMessage, Message, PresenceMessage, RulingMessage
from tamsk_hw.referee.rulings import GameOver
from tamsk_hw.web.live import LiveTable
from tests.mqtt.test_bridge import NAMES, SCENARIO, service
from tests.web.stream import Told, greeting


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = Store(tmp_path / "hall.sqlite")
    yield made
    made.close()


def board(store: Store) -> HallBoard:
    return HallBoard("one", LiveTable(lambda: 0.0, lambda: 0.0), store, store.games().get("one", ()))


def sent(key: str = "a") -> tuple[list[Message], Outbox]:
    """All that a bridge sends of a game, and the bridge; the state at the end comes last."""
    outbox = Outbox()
    outbox.greeted(greeting())
    for line in service(key, saved_every=1):
        outbox.heard(line)
    outbox.heard([*Told().game(SCENARIO, key)][-1])
    assert outbox.state is not None
    return [*outbox.waiting, outbox.state], outbox


def shown(board: HallBoard) -> list[object]:
    return [each for each in board.table.kept.rulings() if isinstance(each, GameOver)]


def test_a_game_is_shown_and_kept_as_it_was_ruled(store: Store) -> None:
    here = board(store)
    messages, outbox = sent()
    for message in messages:
        here.on_message(message, 0.0)
    here.table.watch(lambda: pytest.fail("it was there already"))
    here.on_message(messages[0], 0.0)
    assert here.is_online
    assert here.is_understood
    assert here.game is not None
    assert here.game.over is not None
    assert here.game.over["ruling"] == "game_over"
    assert len(shown(here)) == 1
    assert here.table.scene is not None
    assert here.table.scene.names == NAMES
    assert store.entries("one", "a") == outbox.games["a"].entries
    assert [*here.missing(1e6)] == []
    # The hall is started again: it has the game, and shows it whole.
    store.save()
    again = board(store)
    for message in (messages[0], messages[-1]):
        again.on_message(message, 0.0)
    assert shown(again) == shown(here)
    assert [*again.missing(1e6)] == []


def test_what_does_not_come_is_asked_for_until_it_does(store: Store) -> None:
    here = board(store)
    messages, outbox = sent()
    late = [each for each in messages if isinstance(each, RulingMessage) and each.number > 4]
    for message in messages:
        if message not in late:
            here.on_message(message, 10.0)
    assert shown(here) == []
    assert [*here.missing(10.0)] == []
    wanted = AgainMessage(game="a", number=late[0].number)
    assert [*here.missing(10.0 + PATIENCE)] == [wanted]
    assert [*here.missing(10.1 + PATIENCE)] == []
    assert [*here.missing(10.0 + 3 * PATIENCE)] == [wanted]
    for excerpt in outbox.games["a"].excerpts(wanted.number):
        here.on_message(excerpt, 20.0)
    assert len(shown(here)) == 1
    assert store.entries("one", "a") == outbox.games["a"].entries


def test_games_of_which_nothing_has_come_are_asked_for_whole_the_newest_first(store: Store) -> None:
    here = board(store)
    here.on_message(GamesMessage(games=dict.fromkeys("abcdef", 9)), 0.0)
    assert [*here.missing(PATIENCE)] == [AgainMessage(game=name, number=0) for name in "fedc"]
    assert here.game is not None
    assert here.game.key == "f"


def test_a_game_that_nobody_has_any_more_keeps_no_other_from_being_asked_for(store: Store) -> None:
    here = board(store)
    here.on_message(GamesMessage(games=dict.fromkeys("abcdef", 9)), 0.0)
    asked = [wanted.game for tick in range(200) for wanted in here.missing(tick / 2)]
    assert set(asked) == {*"abcdef"}
    assert asked.count("f") == 6  # after 1.5, 3, 6, 12, 24 and 48 seconds more


def test_a_board_that_comes_back_is_asked_at_once_and_for_no_game_that_it_has_no_more(store: Store) -> None:
    here = board(store)
    here.on_message(GamesMessage(games=dict.fromkeys("abc", 9)), 0.0)
    assert sum(len([*here.missing(float(tick))]) for tick in range(100)) > 9
    here.on_message(GamesMessage(games=dict.fromkeys("bc", 9)), 100.0)
    assert [wanted.game for wanted in here.missing(100.0 + PATIENCE)] == ["c", "b"]


def test_a_state_that_comes_before_the_boards_presence_is_shown(store: Store) -> None:
    here = board(store)
    messages, _ = sent()
    for message in reversed(messages):
        here.on_message(message, 0.0)
    assert here.table.scene is not None
    assert len(shown(here)) == 1


def test_a_board_that_is_gone_is_shown_as_it_stood(store: Store) -> None:
    here = board(store)
    for message in (*sent()[0], PresenceMessage(online=False)):
        here.on_message(message, 0.0)
    assert not here.is_online
    assert here.table.absence is not None
    assert len(shown(here)) == 1


def test_players_who_change_their_names_are_called_so(store: Store) -> None:
    here = board(store)
    messages, outbox = sent()
    outbox.heard({"seq": 10**6, "names": {"red": "Zoe", "black": None}})
    assert outbox.state is not None
    for message in (*messages, outbox.state):
        here.on_message(message, 0.0)
    assert here.table.scene is not None
    assert here.table.scene.names == Names(red="Zoe")


def test_a_newer_board_is_said_to_be_one_and_disturbs_nothing(store: Store) -> None:
    here = board(store)
    messages, _ = sent()
    *lines, state = messages
    for message in lines:
        here.on_message(message, 0.0)
    here.on_message(PresenceMessage(online=True, service={"live": 2}), 0.0)
    assert not here.is_understood
    here.on_message(state, 0.0)
    assert store.entries("one", "a")


def test_a_database_that_is_none_is_named_with_what_to_do(tmp_path: Path) -> None:
    file = tmp_path / "hall.sqlite"
    file.write_text("no database, but longer than the head of one would be" * 20)
    with pytest.raises(HallError, match=r"hall\.sqlite: file is not a database: mend or remove it"):
        Store(file)
