"""A running simulated board: scripts and tests act on it as a person would, while a program reads it."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from tamsk_hw.board.protocol import ResetCause
from tamsk_hw.board.wiring import Wiring
from tamsk_hw.errors import ConfigError
from tamsk_hw.game.tubes import Player, Tube
from tamsk_hw.simulator.board import SimulatedBoard
from tamsk_hw.simulator.faults import Fault
from tamsk_hw.simulator.pty_board import PtyBoard
from tamsk_hw.simulator.sensors import Noise
from tamsk_hw.simulator.truth import PressLength, PushButton, Truth
from tamsk_hw.simulator.world import World, WorldStart


class RunningBoard(PtyBoard):
    """A simulated board on a pseudo-terminal that runs in real time, or ``speed`` times as fast.

    Actions of hands (`lift`, `seat`, `move`, `drop_ring`, …) begin now and return when they are done, with the
    simulated time of that. `do` runs any other action of `World`.
    """

    def __init__(
        self,
        link: Path,
        *,
        seed: int = 1,
        speed: float = 1.0,
        setup: WorldStart = WorldStart.CORNERS,
        wiring: Wiring | None = None,
        holders: bool | None = None,
        noise: Noise | None = None,
        reset_on_open: bool = False,
    ) -> None:
        """Switch on a board with the port ``link``; end with `close`, or use it in a ``with`` statement.

        ``wiring``: its map, by default the reference board's.
        """
        if not 0 < speed <= 1000:
            raise ConfigError(f"speed: {speed!r}; allowed is more than 0, up to 1000")
        super().__init__(
            SimulatedBoard(World(seed, setup=setup), wiring=wiring, holders=holders, noise=noise),
            link,
            reset_on_open=reset_on_open,
        )
        began = time.monotonic()
        self.run_in_thread(lambda: (time.monotonic() - began) * speed)

    @property
    def world(self) -> World:
        """The board's world; hold `lock` while reading more than one value."""
        return self.board.world

    @property
    def now(self) -> float:
        """Simulated seconds since it was switched on."""
        return self.board.now

    @property
    def truth(self) -> list[Truth]:
        """The true history so far."""
        with self.lock:
            return list(self.world.truth)

    def do(self, action: Callable[[World], float]) -> float:
        """Begin an action and wait until it is done: ``board.do(lambda world: world.wobble(Tube.D1))``."""
        with self.lock:
            done = action(self.world)
        self.wait_until(done)
        return done

    def wait(self, seconds: float) -> float:
        """Let simulated seconds pass."""
        return self.do(lambda world: world.now + seconds)

    def lift(self, player: Player, tube: Tube) -> float:
        """As `World.lift`."""
        return self.do(lambda world: world.lift(player, tube))

    def seat(self, player: Player, tube: Tube, *, turned: bool) -> float:
        """As `World.seat`."""
        return self.do(lambda world: world.seat(player, tube, turned=turned))

    def move(self, player: Player, origin: Tube, target: Tube, *, turned: bool = True) -> float:
        """Lift the glass in one tube and seat it in another."""
        self.lift(player, origin)
        return self.seat(player, target, turned=turned)

    def place(self, player: Player, tube: Tube, *, full: bool = True) -> float:
        """As `World.place`."""
        return self.do(lambda world: world.place(player, tube, full=full))

    def drop_ring(self, player: Player, tube: Tube) -> float:
        """As `World.drop_ring`."""
        return self.do(lambda world: world.drop_ring(player, tube))

    def take_ring(self, player: Player, tube: Tube) -> float:
        """As `World.take_ring`."""
        return self.do(lambda world: world.take_ring(player, tube))

    def turn_timer(self, player: Player) -> float:
        """As `World.turn_timer`."""
        return self.do(lambda world: world.turn_timer(player))

    def press(self, button: PushButton, press: PressLength = PressLength.SHORT) -> float:
        """As `World.press`."""
        return self.do(lambda world: world.press(button, press))

    def lamp(self, on: bool) -> None:
        """As `World.lamp`."""
        with self.lock:
            self.world.lamp(on)

    def put_fault(self, fault: Fault) -> None:
        """As `SimulatedBoard.put_fault`."""
        with self.lock:
            self.board.put_fault(fault)

    def clear_fault(self, fault: Fault) -> None:
        """As `SimulatedBoard.clear_fault`."""
        with self.lock:
            self.board.clear_fault(fault)

    def reset(self, cause: ResetCause = ResetCause.EXTERNAL) -> None:
        """As `SimulatedBoard.reset`."""
        with self.lock:
            self.board.reset(cause)
