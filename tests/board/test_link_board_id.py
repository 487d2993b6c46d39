"""The link asks a board to keep another id (PROTOCOL.md section 5.5): until it answers, and this board alone."""

from dataclasses import replace

import pytest

from tamsk_hw.board.link_events import Answered, Connected, LineQuality, Lost, Refused, SnapshotArrived
from tamsk_hw.board.protocol import SetBoardId, encode
from tamsk_hw.board.session import LinkSession
from tamsk_hw.errors import LinkError
from tests.board.test_link_session import HASH, HELLO, connected, sent, snapshot

NEW = 0x1A2B3C4D


def asked(session: LinkSession) -> list[int]:
    """The ids that the session wants written, since the last call."""
    return [message.board_id for message in sent(session) if isinstance(message, SetBoardId)]


def run(session: LinkSession, begin: float, end: float) -> list[object]:
    """Snapshots come all the time; what the session reports besides them and the line's quality."""
    events: list[object] = []
    for step in range(round((end - begin) / 0.05)):
        now = begin + step * 0.05
        events += session.receive(encode(snapshot(step, round(now * 1e6))), now)
        events += session.advance(now)
    return [event for event in events if not isinstance(event, SnapshotArrived | LineQuality)]


def test_it_is_asked_every_half_second_until_the_board_has_it() -> None:
    session = connected()
    session.set_board_id(NEW)
    assert session.next_wakeup() <= 10.0
    assert run(session, 10.0, 11.2) == []
    assert asked(session) == [NEW] * 3
    assert session.receive(encode(replace(HELLO, seq=9, board_id=NEW)), 11.2) == [Answered(11.2, NEW, True)]
    assert run(session, 11.2, 13.0) == []
    assert asked(session) == []


def test_a_board_that_keeps_to_its_own_id_is_let_be() -> None:
    session = connected()
    session.set_board_id(NEW)
    events, times = [], 0
    for step in range(200):
        now = 10 + step * 0.05
        events += run(session, now, now + 0.05)
        for _ in asked(session):
            times += 1
            events += session.receive(encode(replace(HELLO, seq=9)), now)
    assert times == 3
    (answered,) = [event for event in events if isinstance(event, Answered)]
    assert (answered.board_id, answered.as_asked) == (HELLO.board_id, False)


def test_after_a_reset_it_is_asked_again() -> None:
    session = connected()
    session.set_board_id(NEW)
    session.advance(10.0)
    assert asked(session) == [NEW]
    restarted = replace(HELLO, boot_id=8)
    assert session.receive(encode(restarted), 10.2) == [Connected(10.2, restarted, True)]
    run(session, 10.2, 11.0)
    assert NEW in asked(session)


def test_a_board_that_comes_after_the_connection_is_not_asked() -> None:
    """It may be another one."""
    session = connected()
    session.set_board_id(NEW)
    assert [type(event) for event in session.advance(11.0)] == [Lost]
    session.receive(encode(replace(HELLO, boot_id=8)), 12.0)
    session.take_outgoing()
    run(session, 12.0, 14.0)
    assert asked(session) == []


def test_an_id_that_the_configuration_does_not_want_is_refused_as_any_board_of_that_id() -> None:
    session = connected(board_id=5, hello=replace(HELLO, board_id=5))
    session.set_board_id(NEW)
    events = session.receive(encode(replace(HELLO, seq=9, board_id=NEW)), 10.1)
    assert [type(event) for event in events] == [Lost, Refused]


@pytest.mark.parametrize("board_id", [0, 0xFFFFFFFF, -1, 1 << 32])
def test_an_id_that_no_board_takes_is_refused(board_id: int) -> None:
    with pytest.raises(LinkError, match="allowed are 1 to fffffffe"):
        connected().set_board_id(board_id)


def test_without_a_connection_there_is_nobody_to_ask() -> None:
    session = LinkSession(HASH)
    with pytest.raises(LinkError, match="not connected"):
        session.set_board_id(NEW)
