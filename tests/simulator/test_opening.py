"""A port that is opened on a line which is not as it should be yet."""

import select
from pathlib import Path

import pytest

from tamsk_hw.board.link_events import SnapshotArrived
from tamsk_hw.board.sensing import Sensing
from tamsk_hw.board.sensing_settings import SensingSettings
from tamsk_hw.board.serial_link import SerialLink
from tamsk_hw.board.wiring import load_wiring
from tamsk_hw.facts.notices import BoardConnected, BoardNotice
from tamsk_hw.game.tubes import Player, Tube
from tamsk_hw.referee.events import Fault, Lift, Seat
from tamsk_hw.simulator.board import SimulatedBoard
from tamsk_hw.simulator.world import World
from tamsk_hw.table.refereeing import BoardWatch
from tamsk_hw.table.simulation import calibration_of
from tests.disturbances.opening import OpenedPty, Opening

WIRING = load_wiring()


OPENINGS = {
    "smooth": Opening(),
    "old bytes": Opening(old=30),
    "from the board's start on": Opening(old=1000),
    "in the middle of a frame": Opening(cut=41),
    "a terminal first": Opening(echoed=3),
    "all at once": Opening(old=30, echoed=3, cut=41),
}


@pytest.mark.parametrize("opening", OPENINGS.values(), ids=OPENINGS)
def test_the_link_connects_and_nobody_is_told_of_a_bad_line(opening: Opening, tmp_path: Path) -> None:
    """Nor is what was long ago taken for what is: a glass was moved while nobody read."""
    board = SimulatedBoard(World(1))
    watch, notices, seats = BoardWatch(), list[BoardNotice](), dict[Tube, bool]()
    sensing = Sensing(WIRING, calibration_of(board.sensors.calibration_values()), SensingSettings())
    with OpenedPty(board, tmp_path / "board", opening) as pty:
        pty.step(1.0)
        pty.step(board.world.lift(Player.RED, Tube.D1))
        pty.step(board.world.seat(Player.RED, Tube.D2, turned=True) + 1.0)
        link = SerialLink(pty.port, WIRING.hash)
        began = board.now
        while board.now < began + 6.0:
            for event in link.poll(board.now):
                notices += watch.on_event(event)
                if isinstance(event, SnapshotArrived):
                    for sensed in sensing.feed(event.snapshot, event.time, event.missed):
                        assert not isinstance(sensed, Fault)
                        if isinstance(sensed, Seat | Lift):
                            seats[sensed.tube] = isinstance(sensed, Seat)
            pty.step(board.now + 0.02)
            if link.statistics.received_bytes < pty.sent:
                select.select([link.fileno()], [], [], 10)
        assert link.connected
        link.close()
    assert [type(notice) for notice in notices] == [BoardConnected]
    assert {tube for tube, stands in seats.items() if stands} == {
        Tube.D2,
        Tube.G4,
        Tube.A4,
        Tube.G1,
        Tube.D7,
        Tube.A1,
    }
