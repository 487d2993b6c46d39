"""A running simulated board: scripts and tests act on it as a person would, while a program reads it."""

import time
from collections.abc import Callable
from pathlib import Path

from tamsk_hw.board.wiring import Wiring
from tamsk_hw.errors import ConfigError
from tamsk_hw.game.tubes import Player, Tube
from tamsk_hw.simulator.board import SimulatedBoard
from tamsk_hw.simulator.pty_board import PtyBoard
from tamsk_hw.simulator.sensors import Noise
from tamsk_hw.simulator.things import WorldStart
from tamsk_hw.simulator.truth import Truth
from tamsk_hw.simulator.world import World


class RunningBoard(PtyBoard):
    """A simulated board on a pseudo-terminal that runs in real time, or ``speed`` times as fast.

    Actions of `World` (`lift`, `seat`, `drop`, `wait`, …) and `move` begin now and return when they are done, with
    the simulated time of that. Faults are put in and cleared as by `SimulatedBoard`.
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

    def do(self, action: Callable[[World], float | None]) -> float:
        """Begin an action and wait until it is done: ``board.do(lambda world: world.knock(Tube.D1))``."""
        with self.lock:
            done = action(self.world)
            if done is None:
                return self.now
        self.wait_until(done)
        return done

    def move(self, player: Player, origin: Tube, target: Tube, *, turned: bool = True) -> float:
        """Lift the glass in one tube and seat it in another."""
        self.do(lambda world: world.lift(player, origin))
        return self.do(lambda world: world.seat(player, target, turned=turned))

    def __getattr__(self, name: str) -> Callable[..., float]:
        """An action of `World` or `SimulatedBoard`: ``board.lift(Player.RED, Tube.D1)`` returns when done."""
        if name.startswith("_") or name == "board":
            raise AttributeError(name)
        of = self.world if hasattr(World, name) else self.board
        action: Callable[..., float | None] = getattr(of, name)
        return lambda *values, **more: self.do(lambda world: action(*values, **more))
