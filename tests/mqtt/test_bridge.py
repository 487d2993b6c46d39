"""The messages of a bridge, of games that are resumed, saved late, and asked for again."""

import asyncio
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamsk_hw.configuration.settings import MqttSettings
from tamsk_hw.live.stream import Names
from tamsk_hw.mqtt.bridge import Bridge, Outbox
from tamsk_hw.mqtt.messages import (
    AgainMessage,
    AnswerMessage,
    EventMessage,
    HeaderMessage,
    Message,
    PresenceMessage,
    RequestMessage,
    RulingMessage,
    Topic,
)
from tamsk_hw.system.sockets import Absence
from tests.scenarios.book import BOOK
from tests.web.stream import Told, greeting

SCENARIO = "R5.2-fewest-rings"
DECIDED = "The arbiter has decided something since; nothing was changed."
UNKNOWN = "The service has not answered; look at the board before you try again."
GONE_ON = "The game has gone on since; nothing was changed."
NAMES = Names(red="Ada", black="Grace")


def lines_of(messages: Iterator[Message] | list[Message]) -> list[Message]:
    return [each for each in messages if isinstance(each, HeaderMessage | EventMessage | RulingMessage)]


def service(key: str, *, saved_every: int, resumed: bool = False) -> list[dict[str, Any]]:
    """The lines of a game whose journal says now and then what it has."""
    told, lines = Told(), []
    seq = 0
    for record in told.game(SCENARIO, key, NAMES, resumed=resumed):
        if "state" in record:
            if len(lines) % saved_every == 0:
                seq += 1
                lines.append({"seq": seq, "saved": seq - 1, "game": 1})
            continue
        seq += 1
        lines.append({**record, "seq": seq})
    return [*lines, {"seq": seq + 1, "saved": seq, "game": 1}]


def replayed() -> list[tuple[int, int, Mapping[str, Any]]]:
    """The rulings of the game by number and place, as its scenario has them."""
    number, place, found = 0, 0, []
    told = Told()
    for record in told.game(SCENARIO, "a"):
        if "event" in record:
            number, place = number + 1, 0
        elif "ruling" in record:
            found.append((number, place, record["ruling"]))
            place += 1
    return found


def rulings_in(messages: list[Message]) -> list[tuple[int, int, Mapping[str, Any]]]:
    return [(each.number, each.place, each.ruling) for each in messages if isinstance(each, RulingMessage)]


@given(st.integers(1, 9), st.lists(st.integers(0, 400), max_size=3))
def test_each_line_is_sent_once_and_in_order_though_the_service_is_killed_and_resumes(
    saved_every: int, kills: list[int]
) -> None:
    outbox = Outbox()
    for life, length in enumerate([*kills, 10**6]):
        outbox.greeted(greeting(str(life)))
        # What was saved before it was killed is its past, and is on the disk.
        for line in service("a", saved_every=saved_every, resumed=life > 0)[:length]:
            outbox.heard(line)
    sent = lines_of(list(outbox.waiting))
    assert rulings_in(sent) == replayed()
    events = [each for each in sent if isinstance(each, EventMessage)]
    assert [each.number for each in events] == list(range(1, len(BOOK[SCENARIO].read()[1]) + 1))
    assert sum(each.rulings for each in events) == len(replayed())
    assert [type(each) for each in sent].index(HeaderMessage) == 0
    assert [type(each) for each in sent].count(HeaderMessage) == 1


def test_what_is_not_on_the_disk_is_not_sent() -> None:
    outbox = Outbox()
    outbox.greeted(greeting())
    lines = [line for line in service("a", saved_every=1) if "saved" not in line]
    for line in lines:
        outbox.heard(line)
    assert lines_of(list(outbox.waiting)) == []
    outbox.heard({"seq": 10**6, "saved": lines[1]["seq"], "game": 1})
    assert [each.number for each in lines_of(list(outbox.waiting))] == [0, 1]


def heard(key: str = "a") -> Outbox:
    """An outbox that has sent a whole game."""
    outbox = Outbox()
    outbox.greeted(greeting())
    for line in service(key, saved_every=1):
        outbox.heard(line)
    outbox.waiting.clear()
    return outbox


def test_a_state_after_a_ruling_goes_at_once_and_two_in_a_second_are_kept(tmp_path: Path) -> None:
    sent: list[tuple[float, Topic]] = []

    async def run() -> None:
        now = [100.0]
        asyncio.get_running_loop().time = lambda: now[0]  # type: ignore[method-assign]
        broker = SimpleNamespace(publish=AsyncMock(side_effect=lambda *what: sent.append((now[0], what[2]))))
        bridge = Bridge(MqttSettings(), [], tmp_path, is_simulated=True)
        bridge._outbox = outbox = heard()
        sending = asyncio.create_task(bridge._send_states(broker))  # type: ignore[arg-type]
        for at, is_ruled in ((0.0, False), (0.0, True), (0.0, True), (0.1, True), (0.2, False), (1.0, False)):
            now[0] = 100.0 + at
            if is_ruled:
                outbox.heard({"seq": 10**6 + len(sent), "ruling": {"ruling": "ring"}})
            outbox.heard({"state": {"t": at}})
            for _ in range(20):
                await asyncio.sleep(0)
        sending.cancel()

    asyncio.run(run())
    kept, ruled = Topic.STATE, Topic.RULED
    assert sent == [(100.0, kept), (100.0, kept), (100.0, ruled), (100.1, ruled), (101.0, kept)]


@pytest.mark.parametrize("first", [0, 1, 7, 10**6])
def test_what_is_asked_for_again_is_sent_from_there_on(first: int) -> None:
    outbox = heard()
    for _ in range(2):
        outbox.again(AgainMessage(game="a", number=first))
    assert [*outbox.wanted.items()] == [("a", first)]
    excerpts = [*outbox.games["a"].excerpts(first)]
    found = [
        (number, place, ruling)
        for excerpt in excerpts
        for number, entry in enumerate(excerpt.entries, excerpt.number)
        for place, ruling in enumerate(entry.rulings)
    ]
    assert found == [each for each in replayed() if each[0] >= first]
    assert {each.names for each in excerpts} == {NAMES}


def test_a_game_that_is_set_up_can_be_had_by_its_header() -> None:
    outbox = Outbox()
    outbox.greeted(greeting())
    outbox.heard(service("a", saved_every=1)[0])
    (excerpt,) = outbox.games["a"].excerpts(0)
    assert (excerpt.names, excerpt.entries) == (NAMES, ())


def test_the_state_of_one_game_is_never_sent_as_that_of_the_next() -> None:
    outbox = heard()
    (*_, state) = Told().game(SCENARIO, "a")
    outbox.heard(state)
    header, *_ = service("b", saved_every=1)
    outbox.heard({**header, "seq": 10**6})
    outbox.heard({"seq": 10**6 + 1, "saved": 10**6, "game": 2})
    assert outbox.state is not None
    assert (outbox.state.game, outbox.state.state) == ("a", state["state"])
    outbox.heard(state)
    assert outbox.state.game == "b"


def test_without_a_broker_lines_are_not_piled_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tamsk_hw.mqtt.bridge._MOST_WAITING", 10)
    outbox = Outbox()
    for life in "abc":
        outbox.greeted(greeting(life))
        for line in service(life, saved_every=1):
            outbox.heard(line)
            assert len(outbox.waiting) <= 10
        outbox.lost(Absence.NONE_THERE)
    assert [each.online for each in outbox.waiting if isinstance(each, PresenceMessage)] == [False]


def test_what_the_hall_has_is_not_sent_once_more_after_a_restart() -> None:
    outbox = Outbox()
    outbox.greeted(greeting())
    for line in service("a", saved_every=1):
        outbox.heard(line)
    outbox.received({"a": 5, "b": 3})
    assert next(each.number for each in lines_of(list(outbox.waiting))) == 6
    assert isinstance(outbox.waiting[0], PresenceMessage)


def test_what_a_broker_has_taken_and_lost_is_sent_again_ever_more_rarely() -> None:
    outbox = heard()
    outbox.remind({"a": LAST})
    assert not outbox.wanted  # no hall has said anything
    for received in ({"a": LAST - 1}, {"before": 7, "a": LAST - 1}):
        outbox.received(received)
        asked = []
        for look in range(1, 9):
            outbox.remind({})
            asked += [look] * (dict(outbox.wanted) == {"a": LAST})
            outbox.wanted.clear()
        assert asked == [1, 2, 4, 8]
    outbox.received({"a": LAST})
    outbox.remind({})
    assert not outbox.wanted


LAST = len(BOOK[SCENARIO].read()[1])
ARBITER = {"event": "arbiter", "action": "uncount", "tube": "D4"}
PRESS = {"event": "button", "button": "start", "press": "short"}


def request(name: str, number: int = LAST, game: str = "a", **what: Any) -> RequestMessage:
    return RequestMessage(id=name, by="Zoe", game=game, number=number, request=what or {"do": {"game": "next"}})


def refused(name: str, why: str) -> AnswerMessage:
    return AnswerMessage(id=name, done=False, refused=why)


def test_a_request_is_done_once_for_the_game_that_was_meant() -> None:
    outbox = heard()
    assert outbox.request(request("1")) == {"id": "1", "do": {"game": "next"}}
    assert outbox.request(request("1")) is None  # the broker has sent it twice
    outbox.heard({"re": "1", "done": 99})
    assert outbox.request(request("1")) is None
    assert outbox.request(request("2", game="b")) is None
    assert outbox.request(request("3", journal={"erase": {"name": "Ada"}})) is None
    outbox.heard({"re": "4", "refused": "no"})
    assert outbox.request(request("5", LAST - 1)) is None  # who asks does not know that the game is over
    done = AnswerMessage(id="1", done=True)
    assert [*outbox.waiting] == [
        *(done, done, refused("2", "Another game is on the board by now; nothing was changed.")),
        *(refused("3", "A hall may not ask for that."), refused("4", "no"), refused("5", GONE_ON)),
    ]


@pytest.mark.parametrize("is_saved", [False, True])
@pytest.mark.parametrize("what", [ARBITER, PRESS])
def test_nothing_is_done_twice_though_the_bridge_was_started_again_in_between(
    what: dict[str, str], is_saved: bool
) -> None:
    outbox = heard()
    assert outbox.request(request("1", do=what)) is not None
    seq = 10**5
    outbox.heard({"seq": seq, "event": {"t": 999.0, **what}})
    if is_saved:
        outbox.heard({"seq": seq + 1, "saved": seq, "game": 1})
    outbox.waiting.clear()
    assert outbox.request(request("other", do=what)) is None
    (answer,) = outbox.waiting
    assert isinstance(answer, AnswerMessage)
    assert answer.refused in (DECIDED, GONE_ON)
    assert outbox.request(request("later", LAST + 1, do=what)) is not None


def test_nothing_is_done_before_the_game_is_read_to_its_end() -> None:
    outbox = Outbox()
    lines = service("a", saved_every=1)
    outbox.greeted(greeting(seq=lines[-1]["seq"]))
    for line in lines[:-1]:
        outbox.heard(line)
        assert outbox.request(request(f"at {line['seq']}", 0)) is None
    outbox.heard(lines[-1])
    assert outbox.request(request("read")) is not None


def test_a_request_to_a_board_that_was_lost_is_answered() -> None:
    outbox = heard()
    assert outbox.request(request("1")) is not None
    outbox.lost(Absence.NONE_THERE)
    assert outbox.waiting[0] == refused("1", UNKNOWN)
