"""The pytest fixture ``tamsk_board``: a simulated board on a serial port, for tests of programs that read one.

It is installed with the package and imports nothing before a test uses it. With plain pyserial::

    import serial
    from tamsk_hw.board.protocol import Decoder, Snapshot
    from tamsk_hw.game import Player, Tube

    def test_my_program(tamsk_board):
        decoder = Decoder()
        with serial.Serial(tamsk_board.port, 500_000, timeout=2) as line:
            tamsk_board.move(Player.RED, Tube.D1, Tube.D2)
            snapshots = [m for m in decoder.feed(line.read(50_000)) if isinstance(m, Snapshot)]
        assert snapshots[-1].fields[Tube.D2] != snapshots[0].fields[Tube.D2]

``@pytest.mark.tamsk_board(seed=3, speed=10.0, setup=WorldStart.FREE)`` sets the arguments of `RunningBoard`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tamsk_hw.simulator.pty_board import RunningBoard


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker."""
    config.addinivalue_line(
        "markers",
        "tamsk_board(seed, speed, setup, wiring, holders, noise, reset_on_open): how the simulated board is made",
    )


@pytest.fixture
def tamsk_board(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[RunningBoard]:
    """A `RunningBoard`, set up for a game, on the port ``tamsk_board.port`` until the test ends."""
    from tamsk_hw.simulator.pty_board import RunningBoard

    marker = request.node.get_closest_marker("tamsk_board")
    with RunningBoard(tmp_path / "tamsk-board", **(marker.kwargs if marker else {})) as board:
        yield board
