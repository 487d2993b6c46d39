"""``tamsk-hw simulate``: one simulated board in real time, at a port, with hands at a socket."""

import asyncio
import os
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from random import SystemRandom
from typing import Any, Final

from tamsk_hw import __version__
from tamsk_hw.board.wiring import Wiring, load_wiring
from tamsk_hw.game.ruleset import missing_corners
from tamsk_hw.game.tubes import Player
from tamsk_hw.hands.actions import HandledBoard
from tamsk_hw.hands.players import Seated, decide
from tamsk_hw.hands.server import HandsServer, hands_socket
from tamsk_hw.live.client import SERVICE, read_for_ever
from tamsk_hw.panel.simulated import BOARD
from tamsk_hw.partner import Strength
from tamsk_hw.simulator.board import SimulatedBoard
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


def simulate(
    state_folder: Path,
    started: Callable[[Path, Path, int], None],
    *,
    port: Path | None,
    hands: Path | None,
    live: Path | None,
    seed: int | None,
    setup: WorldStart | None,
    players: tuple[Player, ...],
    strength: Strength | None,
    follows_names: bool,
    wiring: Path | None,
    faults: tuple[str, ...],
    until_closed: int | None,
) -> None:
    """Run a board until a signal ends it.

    Args:
        state_folder: where sockets are when there is no runtime folder.
        started: called with its port, its hands' socket and its seed, as soon as port and socket exist.
        port: the board's port; like hands, setup and wiring by default the usual one.
        hands: the socket of its hands.
        live: the socket of the service whose players play; by default the usual places are searched.
        seed: drawn now without one.
        setup: where the glasses are.
        players: those whom the program plays.
        strength: theirs; without one they are the demo's, who only keep the rules.
        follows_names: whoever has a partner's name at the service is played, in place of ``players``.
        wiring: the map of the board.
        faults: words of the parts that are broken.
        until_closed: a file descriptor: when it comes to its end, the board ends, too.

    Raises:
        TamskError: the map, a fault, port or socket are refused.
        Stopped: a signal asked the program to end; port and socket are gone by then.
    """
    fitted = load_wiring(wiring)
    chosen = SystemRandom().randrange(1_000_000) if seed is None else seed
    usual = BOARD.serving_place(os.environ, state_folder)
    place, name = hands or usual, port or usual.with_name(PORT)
    services = SERVICE.searched_places(os.environ, state_folder) if live is None else (live,)
    with ExitStack() as stack:
        world = World(chosen, setup=setup or usual_setup(fitted))
        board = SimulatedBoard(world, wiring=fitted)
        socket = stack.enter_context(closing(hands_socket(place)))
        name.parent.mkdir(parents=True, exist_ok=True)
        line = stack.enter_context(PtyBoard(board, name))
        handled = HandledBoard(line, fitted)
        for fault in faults:
            handled.fault(fault)
        seated = Seated(world, players, chosen, strength, named=live is not None, follows_names=follows_names)

        def greeting() -> dict[str, Any]:
            return {
                "hands": 1,
                "program": __version__,
                "port": str(name),
                "emulated": board.is_emulated,
                "seed": chosen,
                "players": [player.value for player in players],
                "follows_names": follows_names,
                "tubes": [tube.name for tube in fitted.tubes],
                "t": round(world.now, 3),
            }

        async def run(stop_if_asked: Callable[[], None]) -> None:
            server = HandsServer(socket, handled, greeting)
            heard = services if players or follows_names else ()
            begun = partial(started, name, place, chosen)
            await _run(server, line, seated, heard, until_closed, begun, stop_if_asked)

        with stopping_between_rounds() as stop_if_asked:
            asyncio.run(run(stop_if_asked))


def usual_setup(wiring: Wiring) -> WorldStart:
    """The glasses' places for a board: the corners, where it has them."""
    return WorldStart.FREE if missing_corners(wiring.tubes) else WorldStart.CORNERS


async def _run(
    server: HandsServer,
    line: PtyBoard,
    seated: Seated,
    services: Sequence[Path],
    until_closed: int | None,
    started: Callable[[], None],
    stop_if_asked: Callable[[], None],
) -> None:
    """Serve hands and step the board, in real time; ``services``: where that is whose players play, if any do."""
    world = line.board.world
    closed = asyncio.Event()
    if until_closed is not None:
        asyncio.get_running_loop().add_reader(until_closed, closed.set)

    tasks = {asyncio.create_task(_keep_link(line))}
    try:
        await server.start()
        if services:
            tasks.add(asyncio.create_task(read_for_ever(services, seated)))
        started()
        behind = time.monotonic() - world.now
        while not closed.is_set():
            stop_if_asked()
            behind, until = next_step(behind, world.now, time.monotonic(), stands=seated.stands)
            while (due := seated.next_wakeup) is not None and due <= until:
                line.step(max(due, world.now))
                for event in seated.act():
                    tasks.add(asyncio.create_task(decide(services, event)))
            line.step(until)
            server.publish()
            for task in [task for task in tasks if task.done()]:
                tasks.remove(task)
                task.result()
            del world.truth[:-MOST_TRUTH]
            await asyncio.sleep(OPEN_SECONDS if line.is_open else IDLE_SECONDS)
    finally:
        if until_closed is not None:
            asyncio.get_running_loop().remove_reader(until_closed)
        for task in tasks:
            task.cancel()
        await server.close()


async def _keep_link(line: PtyBoard) -> None:
    """Make the port's name again when it is removed, as its folder is at a logout."""
    while True:
        line.restore_link()
        await asyncio.sleep(WATCH_SECONDS)


def next_step(behind: float, world: float, real: float, *, stands: bool = False) -> tuple[float, float]:
    """The seconds by which the world is ``behind`` real time, and its time of the next step.

    That is at most `MOST_STEP` later than the ``world``'s present time, or that where it ``stands``; what was lost
    is not caught up.
    """
    behind = max(behind, real - world - MOST_STEP * (not stands))
    return behind, max(world, real - behind)
