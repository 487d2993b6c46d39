"""A simulated board whose sensors, supply and line are disturbed; undisturbed it is the package's."""

from tamsk_hw.board.protocol import FaultFlag
from tamsk_hw.board.wiring import Wiring
from tamsk_hw.simulator.board import SimulatedBoard
from tamsk_hw.simulator.sensors import Noise
from tamsk_hw.simulator.world import World
from tests.disturbances.line import LineDisturbance
from tests.disturbances.sensors import DisturbedSensors, Flicker

#: Steps by which a reference is off when it flickers.
REFERENCE_JUMP = 20


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
    ) -> None:
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

    def _next_change(self) -> float:
        change = super()._next_change()
        if change == self.now or self.sensors.is_restless:
            return self.now
        return min([change, *(each.next for each in (self._supply, self._reference) if each is not None)])

    def _look(self, scan: int, t: float) -> None:
        if self._supply is not None and self._supply.take(t):
            self._passing_flags |= int(FaultFlag.SUPPLY_LOW)
        super()._look(scan, t)

    def _reference_jump(self, t: float) -> int:
        return REFERENCE_JUMP if self._reference is not None and self._reference.take(t) else 0
