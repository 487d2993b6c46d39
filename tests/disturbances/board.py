"""A simulated board whose sensors, supply, controller and line are disturbed; undisturbed it is the package's."""

from random import Random

from tamsk_hw.board.protocol import FaultFlag, ResetCause
from tamsk_hw.board.wiring import Wiring
from tamsk_hw.simulator.board import SimulatedBoard
from tamsk_hw.simulator.sensors import Noise
from tamsk_hw.simulator.world import World
from tests.disturbances.line import LineDisturbance
from tests.disturbances.sensors import DisturbedSensors, Flicker


class DisturbedBoard(SimulatedBoard):
    """A board with its controller on a serial line, to be disturbed."""

    sensors: DisturbedSensors

    def __init__(
        self,
        world: World,
        *,
        wiring: Wiring | None = None,
        holders: bool | None = None,
        noise: Noise | None = None,
        clock_rate: float = 1.0,
    ) -> None:
        self.clock_rate = clock_rate
        self._chance = Random(f"{world.seed}/damage")
        self._to_drop = self._to_corrupt = 0
        super().__init__(world, wiring=wiring, holders=holders, noise=noise)
        self.sensors = DisturbedSensors(world, self.wiring, noise or Noise())
        self._disturbances: list[LineDisturbance] = []
        self._supply: Flicker | None = None
        self._reference: Flicker | None = None

    def advance(self, t: float) -> list[tuple[float, bytes]]:
        """As of `SimulatedBoard`; the frames are those that have passed through all disturbances."""
        frames = super().advance(t)
        for disturbance in self._disturbances:
            frames = disturbance.carry(frames, t)
        return frames

    def disturb_line(self, *disturbances: LineDisturbance) -> None:
        """From now on frames pass through these on their way to the host, one after the other."""
        self._disturbances += disturbances

    def disturb_supply(self, *, low: Flicker | None = None, reference: Flicker | None = None) -> None:
        """Let the supply be ``low``, or the first reference off, in a scan now and then; None: as it should be."""
        self._supply, self._reference = low, reference

    # ---- a controller that hangs

    def go_silent(self) -> None:
        """The controller hangs: it sends nothing and hears nothing until `speak` or `reset`."""
        self._silent = True
        self._line.restart(self.now)

    def speak(self) -> None:
        """Let a silent controller continue."""
        if self._silent:
            self._silent = False
            self._look_again = True

    def receive(self, data: bytes) -> None:
        """As of `SimulatedBoard`; a silent controller hears nothing."""
        if not self._silent:
            super().receive(data)

    def _boot(self, cause: ResetCause) -> None:
        self._silent = False
        super()._boot(cause)

    def _due(self) -> float:
        return float("inf") if self._silent and self._up else super()._due()

    # ---- single frames

    def inject(self, data: bytes) -> None:
        """Send noise on the line, after what is under way."""
        super()._send(data)

    def drop_frames(self, count: int) -> None:
        """Lose the next ``count`` frames on the line."""
        self._to_drop += count

    def corrupt_frames(self, count: int) -> None:
        """Flip one bit in each of the next ``count`` frames."""
        self._to_corrupt += count

    def _send(self, data: bytes, earliest: float | None = None) -> None:
        if self._to_drop:
            self._to_drop -= 1
            return
        if self._to_corrupt:
            self._to_corrupt -= 1
            damaged = bytearray(data)
            damaged[self._chance.randrange(len(data) - 1)] ^= 1 << self._chance.randrange(8)
            data = bytes(damaged)
        super()._send(data, earliest)

    # ---- scans

    def _next_change(self) -> float:
        change = super()._next_change()
        if change == self.now or self.sensors.is_restless:
            return self.now
        return min([change, *(each.next for each in (self._supply, self._reference) if each is not None)])

    def _look(self, scan: int, t: float) -> None:
        if self._supply is not None and self._supply.take(t):
            self._passing_flags |= int(FaultFlag.SUPPLY_LOW)
        self.sensors.let_reference_jump(self._reference is not None and self._reference.take(t))
        super()._look(scan, t)
