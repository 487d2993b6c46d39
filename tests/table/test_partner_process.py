"""The partner's process itself: what it answers, that it ends with the service, and answers that are none."""

import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO

import pytest

from tamsk_hw.game.position import Position
from tamsk_hw.game.ruleset import Ruleset, Start
from tamsk_hw.partner import Partner, Strength
from tamsk_hw.partner.intention import Await, PartnerSeat
from tamsk_hw.referee.view import View
from tamsk_hw.table.partner import AGAIN_SECONDS, PartnerAnswer, PartnerClient, PartnerGame, next_question, packed
from tamsk_hw.table.partner_program import NICENESS
from tests.boards import SEVEN
from tests.panel.boards import BLACK, RED
from tests.partner.views import shown

#: Seconds after which something that does not happen fails the test.
PATIENCE = 60.0

RULES = Ruleset(level=2)
START = Position.start(RULES)


def question(player: object = RED, number: int = 0) -> tuple[PartnerGame, View]:
    seat = PartnerSeat(RED if player is RED else BLACK, Strength.FAIR)
    return PartnerGame(seat, RULES, 7, number), shown(START)


@pytest.fixture
def process() -> Iterator[PartnerClient]:
    made = PartnerClient()
    yield made
    made.close()


def answer(process: PartnerClient) -> PartnerAnswer:
    """The answer, once it is there."""
    while (heard := process.take_answer()) is None:
        assert process._process.stdout is not None
        ready, _, _ = select.select([process._process.stdout], [], [], PATIENCE)
        assert ready, "no answer"
    return heard


def has_ended(pid: int) -> bool:
    """The process ends within `PATIENCE`."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([descriptor], [], [], PATIENCE)[0])
    finally:
        os.close(descriptor)


def test_it_means_what_the_partner_means_and_gives_way_to_the_service(process: PartnerClient) -> None:
    assert process.take_answer() is None
    for game in (0, 0, 1):
        process.ask(*question(number=game))
        said = answer(process)
        assert said.advice is not None
        assert said.advice.player is RED
        assert said.advice.act == Partner(RED, RULES, Strength.FAIR, 7 + game).intend(shown(START))
        assert said.seconds == AGAIN_SECONDS
    process.ask(*question(BLACK))
    waits = Partner(BLACK, RULES, Strength.FAIR, 7).intend(shown(START))
    assert isinstance(waits, Await)
    assert answer(process) == PartnerAnswer(None, waits.seconds)
    own = os.getpriority(os.PRIO_PROCESS, 0)
    assert os.getpriority(os.PRIO_PROCESS, process.pid) == min(19, own + NICENESS)


def test_a_question_arrives_as_it_was_asked() -> None:
    few = Ruleset(level=2, start=Start.FREE, tubes=SEVEN.wiring.tubes)
    game = PartnerGame(PartnerSeat(BLACK, Strength.EASY), few, 7, 1)
    small = game, replace(shown(START), tubes=few.tubes)
    stream = BytesIO(packed(*question()) + packed(*small))
    assert [next_question(stream) for _ in range(3)] == [question(), small, None]


def test_a_killed_one_is_lost(process: PartnerClient) -> None:
    process.ask(*question())
    answer(process)
    os.kill(process.pid, signal.SIGTERM)  # systemd's reaches it, too, and is not for it
    process.ask(*question())
    answer(process)
    os.kill(process.pid, signal.SIGKILL)
    assert has_ended(process.pid)
    with pytest.raises(ConnectionError):
        process.take_answer()
    with pytest.raises(ConnectionError):
        process.ask(*question())


def test_it_ends_with_the_service_however_that_ends() -> None:
    """A service that is killed with -9 says nothing to anybody."""
    service = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import signal; from tamsk_hw.table.partner import PartnerClient\n"
            "print(PartnerClient().pid, flush=True); signal.pause()",
        ],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert service.stdout is not None
    pid = int(service.stdout.readline())
    service.kill()
    service.wait(PATIENCE)
    service.stdout.close()
    assert has_ended(pid)


GARBAGE = [
    "hello",
    '{"advice": {"player": "black", "act": "dance"}}',
    '{"advice": null, "seconds": NaN}',
    "[" * 3000,
    "x" * 5000,
    '{"advice": null}\\n{"advice": null}',
]


@pytest.mark.parametrize("said", GARBAGE)
def test_what_is_no_answer_is_refused(said: str) -> None:
    # Each says it as far as a pipe takes it, and waits.
    process = PartnerClient([sys.executable, "-c", f"print('{said}', flush=True); input()"])
    try:
        with pytest.raises(ConnectionError):
            answer(process)
    finally:
        process.close()


def test_one_that_does_not_end_by_itself_is_ended() -> None:
    process = PartnerClient([sys.executable, "-c", "print('{\"advice\": null}', flush=True)\nwhile True: pass"])
    answer(process)
    process.close()
    assert has_ended(process.pid)
