"""Requests of the live stream at a table: what they press, and that each is answered once."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tamsk_hw.game.tubes import End, Player, Tube
from tamsk_hw.journal.journal import Journal
from tamsk_hw.live.publishing import Publisher
from tamsk_hw.live.requests import ImportPiece, SetUp, Since, read_request
from tamsk_hw.live.server import PendingRequest
from tamsk_hw.live.stream import Greeting, LiveStream, Names
from tamsk_hw.panel.keys import Rejection
from tamsk_hw.partner.intention import Advice, MoveGlass
from tamsk_hw.referee.events import Button, ButtonName, Event, Lift, Press, Seat
from tamsk_hw.referee.glasses_in_hand import STARTERS
from tamsk_hw.referee.stream import parse_event
from tamsk_hw.referee.view import Phase
from tamsk_hw.table.requests import RequestHandler
from tamsk_hw.table.table import begins_game
from tests.table.running_service import quiet_table, state_of

START = {"event": "button", "button": "start", "press": "short"}


class Table:
    """A board's table with a journal, whose clock is ``now``; requests are asked for and answered as lines."""

    def __init__(self, folder: Path) -> None:
        self.stream = LiveStream(Greeting(life="5f0c", program="0.2.0", board=None, simulated=False, speed=1.0))
        self.publisher = Publisher(self.stream)
        self.asked: list[PendingRequest] = []
        self.publisher.take = self._take  # type: ignore[method-assign]
        self.answers: list[dict[str, Any]] = []
        self.journal = Journal(folder, threaded=False)
        self.now = 100.0
        self.table = quiet_table(self.journal, self.publisher, self.now)
        self.door = RequestHandler(self.publisher)

    def _take(self) -> list[PendingRequest]:
        taken, self.asked = self.asked, []
        return taken

    def ask(self, *lines: dict[str, Any]) -> None:
        for line in lines:
            request = read_request(line)
            assert not isinstance(request, Since | ImportPiece)
            self.asked.append(PendingRequest(line.get("id"), request, self.answers.append))

    def pass_time(self, seconds: float = 1.0) -> None:
        """Rounds of the loop."""
        end = self.now + seconds
        while self.now < end:
            self.now += 0.05
            self.table.advance(self.now, self.door.take(self.table, self.now))
            self.publisher.tell(state_of(self.table))

    def happen(self, events: Sequence[Event]) -> None:
        """Events as if the board had sensed them."""
        self.table.refereeing.take(events)
        self.pass_time()

    def start(self) -> None:
        t = self.now - 100.0
        self.happen([parse_event({"t": t, "event": "timer", "state": "seated", "end": "A"})])
        self.happen([Seat(t, tube, End.A) for tube in STARTERS])
        self.ask({"id": "start", "do": START})
        self.pass_time()

    def lines(self, key: str) -> list[dict[str, Any]]:
        found, seq = [], 0
        while lines := self.stream.after(seq):
            for seq, data in lines:  # noqa: B007
                line = json.loads(data)
                if key in line:
                    found.append(line)
        return found


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path / "journal")


def test_start_is_done_with_the_number_of_its_event(table: Table) -> None:
    table.start()
    [pressed] = [line for line in table.lines("event") if line["event"]["event"] == "button"]
    assert table.answers == [{"re": "start", "done": pressed["seq"]}]
    assert [line["ruling"]["ruling"] for line in table.lines("ruling")][-2:] == ["started", "turn"]


def test_what_can_have_no_effect_is_refused_and_presses_nothing(table: Table) -> None:
    table.ask(
        {"id": 1, "do": {"event": "button", "button": "red", "press": "short"}},
        {"id": 2, "do": {"event": "arbiter", "action": "abandon"}},
        {"id": 3, "do": {"game": "resume"}},
        {"id": 4, "do": {"game": "next"}},
        {"id": 5, "do": {"event": "button", "button": "start", "press": "long"}},
    )
    table.pass_time()
    assert [(answer["re"], "refused" in answer) for answer in table.answers] == [
        *((number, True) for number in (1, 2, 3, 4)),
        (5, False),  # lots are drawn (E 1.1)
    ]
    assert table.lines("event") == []


def test_before_the_start_a_game_is_set_up_by_other_rules(table: Table) -> None:
    table.ask({"id": "s", "setup": {"ruleset": {"level": 3, "settle": 1.5}, "names": {"red": "Ann"}}})
    table.pass_time()
    first, second = table.lines("header")
    assert table.answers == [{"re": "s", "done": second["seq"]}]
    assert first["key"] != second["key"]
    assert second["names"] == {"red": "Ann", "black": None}
    assert second["header"]["ruleset"] == first["header"]["ruleset"] | {"level": 3, "settle": 1.5}


def test_in_a_game_names_change_and_rules_do_not(table: Table) -> None:
    table.start()
    table.ask(
        {"id": "n", "setup": {"names": {"red": "Ann", "black": "Bob"}}},
        {"id": "r", "setup": {"ruleset": {"level": 2}}},
    )
    table.pass_time()
    [names] = table.lines("names")[1:]
    assert names["names"] == {"red": "Ann", "black": "Bob"}
    assert table.answers[1] == {"re": "n", "done": names["seq"]}
    assert table.answers[2]["re"] == "r"
    assert "refused" in table.answers[2]
    assert len(table.lines("header")) == 1
    assert table.journal.game is not None
    assert (table.journal.game.red, table.journal.game.black) == ("Ann", "Bob")


@pytest.mark.parametrize(
    ("request_", "names"),
    [
        ({"do": {"game": "next"}}, ("Ann", "Bob")),
        ({"do": {"game": "rematch"}}, ("Bob", "Ann")),
        ({"setup": {"names": {"black": "Eve"}}}, (None, "Eve")),
    ],
    ids=["next", "rematch", "set up"],
)
def test_after_the_end_the_next_game_begins_once(
    request_: dict[str, Any], names: tuple[str | None, str], table: Table
) -> None:
    """A rematch has the colours swapped."""
    table.start()
    table.ask({"id": "s", "setup": {"names": {"red": "Ann", "black": "Bob"}}}, {"do": {"game": "rematch"}})
    table.pass_time()
    assert table.answers[-1]["why"] == "not_over"
    table.ask({"id": "a", "do": {"event": "arbiter", "action": "award", "winner": "red"}})
    table.pass_time()
    table.ask({"id": "n", **request_}, {"id": "m", "do": {"game": "next"}})
    table.pass_time()
    first, second = table.lines("header")
    begun, refused = table.answers[-2:]
    assert begun == {"re": "n", "done": second["seq"]}
    assert refused["why"] == "not_over"
    assert (second["names"]["red"], second["names"]["black"]) == names
    assert second["header"] == first["header"]


def test_a_press_that_the_end_of_the_game_overtakes_is_refused(table: Table) -> None:
    table.start()
    table.ask(
        {"id": "a", "do": {"event": "arbiter", "action": "award", "winner": "red"}},
        {"id": "b", "do": {"event": "arbiter", "action": "abandon"}},
    )
    table.pass_time()
    assert len([line for line in table.lines("ruling") if line["ruling"]["ruling"] == "game_over"]) == 1
    assert {answer["re"] for answer in table.answers} == {"start", "a", "b"}


def test_a_button_at_the_board_answers_nobody(table: Table) -> None:
    table.start()
    table.table.advance(table.now, [Button(table.now, ButtonName.RED, Press.SHORT)])
    table.pass_time()
    assert len(table.answers) == 1


NAMES, RULES = SetUp(None, Names(red="Ann")), SetUp({"level": 2}, None)


@pytest.mark.parametrize(
    ("asked", "phase", "more", "begins"),
    [
        (NAMES, Phase.SETUP, {}, False),
        (NAMES, Phase.PLAY, {}, False),
        (NAMES, Phase.OVER, {}, True),
        (NAMES, Phase.OVER, {"goes_on": False}, Rejection.ENDED),
        (NAMES, Phase.PLAY, {"offered": True}, Rejection.OFFERED),
        (RULES, Phase.SETUP, {}, True),
        (RULES, Phase.SETUP, {"goes_on": False}, True),
        (RULES, Phase.PLAY, {}, Rejection.RUNNING),
        (RULES, Phase.SAND, {}, Rejection.RUNNING),
        (RULES, Phase.OVER, {}, True),
        (RULES, Phase.OVER, {"offered": True}, Rejection.OFFERED),
    ],
)
def test_both_kinds_of_tables_decide_alike_about_a_set_up(
    asked: SetUp, phase: Phase, more: dict[str, bool], begins: bool | Rejection
) -> None:
    assert begins_game(asked, phase, **{"offered": False, **more}) is begins


def advise(id: str, to: str | None) -> dict[str, Any]:
    if to is None:
        return {"id": id, "advise": None}
    return {
        "id": id,
        "advise": {"player": "red", "act": "move", "from": "D1", "to": to, "turned": False, "ring": True},
    }


def test_an_advice_stands_until_it_is_taken_back_or_the_game_moves_on(table: Table) -> None:
    def shown() -> Advice | None:
        return table.door.advice(table.table.view())

    table.ask(advise("a", "D2"), advise("b", None))
    table.pass_time()
    refused, done = table.answers
    assert refused["why"] == "no_game"
    assert "done" in done
    assert shown() is None
    table.start()
    table.ask(advise("a", "D2"), advise("b", "E1"))
    table.pass_time()
    assert shown() == Advice(Player.RED, MoveGlass(Tube.D1, Tube.E1, turned=False, ring=True))
    table.ask(advise("c", None))
    table.pass_time()
    assert shown() is None
    table.ask(advise("d", "D2"))
    table.pass_time()
    assert table.answers[-1] == {"re": "d", "done": table.stream.newest}
    asked = Advice(Player.RED, MoveGlass(Tube.D1, Tube.D2, turned=False, ring=True))
    assert shown() == asked
    t = table.now - 100.0
    table.happen([Lift(t, Tube.D1)])
    assert shown() == asked, "the glass is on its way"
    table.happen([Seat(t + 2.0, Tube.D2, End.A)])
    assert shown() is None
