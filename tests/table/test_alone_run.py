"""The program at a configured board with a partner: his advice, his end, and a game without him meanwhile."""

import json
import os
import signal
import time
from pathlib import Path

from tamsk_hw.game.position import Move
from tamsk_hw.live.client import connect
from tamsk_hw.live.stream import read_state
from tamsk_hw.panel.diagnosis import HeadlineKind, diagnose
from tamsk_hw.partner.intention import Advice, MoveGlass, MoveRing, RingAct
from tamsk_hw.system.sockets import LineConnection
from tests.panel.boards import BLACK
from tests.table.board_program import PATIENCE
from tests.table.conftest import Start
from tests.table.test_partner_process import has_ended


def advised(stream: LineConnection, kind: type) -> Advice:
    """The first advice of this kind that the stream gives from now on."""
    for line in stream.lines(time.monotonic() + PATIENCE):
        record = json.loads(line)
        if "state" in record:
            state = read_state(record["state"])
            if state.advice is not None and isinstance(state.advice.act, kind):
                assert diagnose(state.view, advice=state.advice).headline.news is HeadlineKind.ADVICE
                return state.advice
    raise AssertionError(f"no advice {kind.__name__}")


def children(pid: int) -> list[int]:
    return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def test_the_partner_advises_is_killed_and_comes_back(start: Start, tmp_path: Path) -> None:
    program = start({"PARTNER_OF_TEST": "black", "XDG_RUNTIME_DIR": str(tmp_path)})
    program.begin()
    with connect((tmp_path / "tamsk-hw" / "live.sock",)) as stream:
        program.do("move D1 D2", "ring D2")
        program.hear("Red's ring on D2 counts")
        advice = advised(stream, MoveGlass)
        assert advice.player is BLACK
        assert isinstance(advice.act, MoveGlass)
        move = Move(advice.act.at, advice.act.to)
        program.do(f"move {move.from_tube} {move.to_tube}")
        program.hear(f"Black moves {move}")
        assert advised(stream, MoveRing) == Advice(BLACK, MoveRing(RingAct.DROP, move.to_tube))
        program.do(f"ring {move.to_tube}")
        program.hear(f"Black's ring on {move.to_tube} counts")

        (partner,) = children(program.process.pid)
        os.kill(partner, signal.SIGKILL)
        program.hear("The partner has stopped thinking")
        program.do("move D2 D3")
        program.hear("Red moves D2→D3")  # the game goes on without him
        advised(stream, MoveGlass)
        (again,) = children(program.process.pid)
        assert again != partner
    program.do("kill")
    assert program.process.wait(PATIENCE) == -signal.SIGKILL
    assert has_ended(again)
