"""``tamsk-hw simulate``: one simulated board in real time, at a port, with hands at a socket."""

import asyncio
import os
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from random import SystemRandom
from typing import Any, Final

from tamsk_hw import __version__
from tamsk_hw.board.wiring import Wiring, load_wiring
from tamsk_hw.game.ruleset import missing_corners
from tamsk_hw.game.tubes import Player
from tamsk_hw.hands.actions import HandledBoard
from tamsk_hw.hands.players import Seated, decide, demo_life, partner_life
from tamsk_hw.hands.server import HandsServer, hands_socket
from tamsk_hw.live.client import SERVICE, read_for_ever
from tamsk_hw.panel.simulated import BOARD
from tamsk_hw.partner import Strength
from tamsk_hw.simulator.board import SimulatedBoard
from tamsk_hw.simulator.faults import Fault
from tamsk_hw.simulator.pty_board import PtyBoard
from tamsk_hw.simulator.things import WorldStart
from tamsk_hw.simulator.world import World
from tamsk_hw.system.line_server import WATCH_SECONDS
from tamsk_hw.system.service import stopping_between_rounds

#: The name of the board's port.
PORT: Final = "board"

#: Real seconds between two steps while a program has the port open, and while none has.
OPEN_SECONDS, IDLE_SECONDS = 0.002, 0.01

#: The most world's seconds of one step. A program that was kept from running longer stops the world meanwhile: no
#: press or motion is ever over between two steps.
MOST_STEP: Final = 0.05

#: Facts of the world that are kept; the oldest are forgotten.
MOST_TRUTH: Final = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulateSettings:
    """The choices of one run; None: the default, or a seed drawn now."""

    port: Path | None = None
    hands: Path | None = None
    live: Path | None = None
    seed: int | None = None
    setup: WorldStart | None = None
    players: tuple[Player, ...] = ()
    strength: Strength | None = None
    """The strength of the players by the program; None: they are the demo's, who only keep the rules."""
    follows_names: bool = False
    """Whoever has a partner's name at the service is played, in place of ``players``."""
    wiring: Path | None = None
    faults: tuple[Fault, ...] = ()
    until_closed: int | None = None
    """A file descriptor: when it comes to its end, the board ends, too."""


def simulate(settings: SimulateSettings, state_folder: Path, started: Callable[[Path, Path, int], None]) -> None:
    """Run a board until a signal ends it.

    ``started`` is called with its port, its hands' socket and its seed, as soon as port and socket exist.

    Raises:
        TamskError: the map, a fault, port or socket are refused.
        Stopped: a signal asked the program to end; port and socket are gone by then.
    """
    wiring = load_wiring(settings.wiring)
    seed = SystemRandom().randrange(1_000_000) if settings.seed is None else settings.seed
    port = settings.port or BOARD.serving_place(os.environ, state_folder).with_name(PORT)
    place = settings.hands or BOARD.serving_place(os.environ, state_folder)
    live = SERVICE.searched_places(os.environ, state_folder) if settings.live is None else (settings.live,)
    with ExitStack() as stack:
        world = World(seed, setup=settings.setup or usual_setup(wiring))
        board = SimulatedBoard(world, wiring=wiring)
        socket = stack.enter_context(closing(hands_socket(place)))
        port.parent.mkdir(parents=True, exist_ok=True)
        line = stack.enter_context(PtyBoard(board, port))
        hands = HandledBoard(line, wiring)
        for fault in settings.faults:
            hands.break_part(fault)
        life = demo_life if settings.strength is None else partner_life(settings.strength)
        seated = Seated(
            world,
            settings.players,
            seed,
            life,
            named=settings.live is not None,
            follows_names=settings.follows_names,
        )

        def greeting() -> dict[str, Any]:
            return {
                "hands": 1,
                "program": __version__,
                "port": str(port),
                "emulated": board.is_emulated,
                "seed": seed,
                "players": [player.value for player in settings.players],
                "follows_names": settings.follows_names,
                "tubes": [tube.name for tube in wiring.tubes],
                "t": round(world.now, 3),
            }

        async def run(stop_if_asked: Callable[[], None]) -> None:
            server = HandsServer(socket, hands, greeting)
            await _run(server, line, seated, settings, live, lambda: started(port, place, seed), stop_if_asked)

        with stopping_between_rounds() as stop_if_asked:
            asyncio.run(run(stop_if_asked))


def usual_setup(wiring: Wiring) -> WorldStart:
    """The glasses' places for a board: the corners, where it has them."""
    return WorldStart.FREE if missing_corners(wiring.tubes) else WorldStart.CORNERS


async def _run(
    server: HandsServer,
    line: PtyBoard,
    seated: Seated,
    settings: SimulateSettings,
    live: Sequence[Path],
    started: Callable[[], None],
    stop_if_asked: Callable[[], None],
) -> None:
    """Serve hands and step the board, in real time."""
    world = line.board.world
    closed = asyncio.Event()
    if settings.until_closed is not None:
        asyncio.get_running_loop().add_reader(settings.until_closed, closed.set)

    tasks = {asyncio.create_task(_keep_link(line))}
    try:
        await server.start()
        if settings.players or settings.follows_names:
            tasks.add(asyncio.create_task(read_for_ever(live, seated)))
        started()
        pace = Pace(world.now, time.monotonic())
        while not closed.is_set():
            stop_if_asked()
            until = pace.next_time(world.now, time.monotonic())
            while (due := seated.next_wakeup) is not None and due <= until:
                line.step(max(due, world.now))
                for event in seated.act():
                    tasks.add(asyncio.create_task(decide(live, event)))
            line.step(until)
            server.publish()
            for task in [task for task in tasks if task.done()]:
                tasks.remove(task)
                task.result()
            del world.truth[:-MOST_TRUTH]
            await asyncio.sleep(OPEN_SECONDS if line.is_open else IDLE_SECONDS)
    finally:
        if settings.until_closed is not None:
            asyncio.get_running_loop().remove_reader(settings.until_closed)
        for task in tasks:
            task.cancel()
        await server.close()


async def _keep_link(line: PtyBoard) -> None:
    """Make the port's name again when it is removed, as its folder is at a logout."""
    while True:
        line.restore_link()
        await asyncio.sleep(WATCH_SECONDS)


class Pace:
    """Turns real time into the world's; times are seconds."""

    def __init__(self, world: float, real: float) -> None:
        self._ahead = real - world

    def next_time(self, world: float, real: float) -> float:
        """The world's time of the next step, at most `MOST_STEP` later."""
        if real - self._ahead > world + MOST_STEP:
            self._ahead = real - world - MOST_STEP
        return max(world, real - self._ahead)
