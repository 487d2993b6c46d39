"""A simulated board with hands, in simulated time: for tests."""

import json
from functools import cache
from typing import Any
from unittest.mock import Mock

from tamsk_hw.board.wiring import Wiring, load_wiring
from tamsk_hw.game.tubes import CAPACITY, PLAYERS
from tamsk_hw.hands.actions import HandAction, HandledBoard, parameters_of
from tamsk_hw.hands.observation import Observation
from tamsk_hw.hands.server import HandsClient, HandsServer
from tamsk_hw.simulator.board import SimulatedBoard
from tamsk_hw.simulator.things import WorldStart
from tamsk_hw.simulator.world import World
from tamsk_hw.system.line_server import LONGEST_LINE


def act(name: str, *values: Any, **more: Any) -> HandAction:
    """An action with these values of its parameters, in their order."""
    parameters = parameters_of(name)
    given = {parameter.name: value for parameter, value in zip(parameters, values, strict=False)}
    return HandAction(name, {each.name: each.default for each in parameters} | given | more)


class LooseCable:
    """A cable without a port."""

    plugged = True

    def __init__(self, board: SimulatedBoard) -> None:
        self.board = board

    def unplug(self) -> None:
        self.plugged = False

    def replug(self) -> None:
        self.plugged = True


class AtHand:
    """The board and its hands; `do` waits until a deed is done."""

    def __init__(
        self, seed: int = 1, setup: WorldStart = WorldStart.CORNERS, wiring: Wiring | None = None
    ) -> None:
        self.wiring = wiring or load_wiring()
        self.world = World(seed, setup=setup)
        self.board = SimulatedBoard(self.world, wiring=self.wiring)
        self.cable = LooseCable(self.board)
        self.hands = HandledBoard(self.cable, self.wiring)

    def do(self, *deeds: HandAction) -> Observation:
        for deed in deeds:
            self.board.advance(self.hands.begin(deed))
        return self.hands.observe()


@cache
def _hands() -> HandledBoard:
    return AtHand().hands


def answers(data: bytes) -> list[dict[str, Any]]:
    """The answers that a client gets at once to lines, at a board on which others have acted before."""
    client = HandsClient(HandsServer(Mock(), _hands(), dict), Mock(), Mock())
    for line in filter(bytes.strip, data.split(b"\n")):
        client._on_line(line if len(line) <= LONGEST_LINE else None)
    return [json.loads(line) for line in client.taken_answers().splitlines()]


def check_world(look: Observation) -> None:
    """What no hand can change: six glasses, each in one place, 64 rings, each player's two hands."""
    assert len({glass.name for glass in look.glasses}) == 6
    tubes = [glass.tube for glass in look.glasses if glass.tube is not None]
    assert len(tubes) == len(set(tubes))
    for glass in look.glasses:
        assert glass.tube is None or glass.hand is None
        assert not glass.leaning or glass.tube is not None
        assert 0.0 <= glass.above <= 1.0
    rings = sum(look.rings.values())
    assert rings + sum(side.holder + side.rings + side.aside for side in look.players.values()) == 64
    assert all(0 < count <= CAPACITY[tube] for tube, count in look.rings.items())
    for player in PLAYERS:
        side = look.players[player]
        held = sum(glass.hand is player for glass in look.glasses)
        assert min(side.holder, side.rings, side.aside) >= 0
        assert held + side.rings + side.free_hands <= 2
