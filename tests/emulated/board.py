"""The emulated board: the simulated world on the real firmware, in emulated time.

It has the calls of `SimulatedBoard`. The world's fields, light and loads are set at the emulator's parts, and the
controller's bytes come back. The same seed and the same calls give the same bytes.
"""

from dataclasses import fields
from random import Random

from tamsk_hw.board.protocol import ResetCause
from tamsk_hw.board.wiring import Wiring, load_wiring
from tamsk_hw.simulator.board import SimulatedBoard
from tamsk_hw.simulator.faults import BrokenPart, FaultOverlay
from tamsk_hw.simulator.sensors import Noise, Sensors
from tamsk_hw.simulator.truth import WorldError
from tamsk_hw.simulator.world import World
from tests.disturbances.line import LineDisturbance
from tests.emulated.process import CYCLES_PER_SECOND, Emulator, EmulatorError
from tests.emulated.stimuli import Stimuli

#: Seconds between two updates while something moves: a scan reads each place once in 2.5 ms.
MOTION = 0.002

#: Longest time between two fetches of the controller's bytes (seconds): the emulator keeps those of 1.3 s.
LONGEST = 0.5

_RESETS = {
    ResetCause.POWER_ON: "power",
    ResetCause.EXTERNAL: "reset",
    ResetCause.BROWN_OUT: "brownout",
    ResetCause.WATCHDOG: "hang",
}


class EmulatedBoard(SimulatedBoard):
    """A world under the sensors of an emulated controller, in simulated seconds."""

    is_emulated = True

    def __init__(
        self,
        world: World,
        emulator: Emulator,
        *,
        wiring: Wiring | None = None,
        noise: Noise | None = None,
        clock_rate: float = 1.0,
    ) -> None:
        """A board that was switched on just now: ``emulator`` has not run yet.

        ``wiring``: the map for which the firmware was built. ``clock_rate``: controller seconds in a true second,
        0.995 … 1.005 for a real one. Raises `EmulatorError`.
        """
        self.world = world
        self.emulator = emulator
        self.wiring = wiring or load_wiring()
        check_pins(self.wiring)
        self.sensors = Sensors(world, self.wiring, noise or Noise())
        self._stimuli = Stimuli(world, self.sensors, self.wiring)
        self._began = world.now
        self._cycles = CYCLES_PER_SECOND * clock_rate
        self._begun = bytearray()
        self._disturbances: list[LineDisturbance] = []
        seed = Random(f"{world.seed}/emulator").getrandbits(31)
        emulator.ask_all(self._stimuli.beginning(noise or Noise(), seed))

    def advance(self, t: float) -> list[tuple[float, bytes]]:
        """As `SimulatedBoard.advance`."""
        world, sensors = self.world, self.sensors
        if t < world.now:
            raise WorldError(f"time {t:.6f} s is past; the board is at {world.now:.6f} s and only runs forward")
        frames: list[tuple[float, bytes]] = []
        collected = world.now
        while world.now < t:
            world.advance(world.now)
            changes = self._stimuli.changes(world.now)
            until = self._next_look(t)
            self.emulator.ask_all([*changes, f"run_to {round((until - self._began) * self._cycles)}"])
            world.advance(until)
            sensors.advance(until)
            if until == t or until - collected >= LONGEST:
                frames += self._sent()
                collected = until
        for disturbance in self._disturbances:
            frames = disturbance.carry(frames, t)
        return frames

    def receive(self, data: bytes) -> None:
        """Take bytes that the host wrote just now."""
        self.emulator.send(data)

    # ---- faults

    def _break(self, faults: tuple[BrokenPart, ...]) -> None:
        FaultOverlay(faults, self.wiring)  # refuses parts that the board does not have
        self.sensors.set_faults(faults)
        self.emulator.ask_all(self._stimuli.broken(faults))

    def reset(self, cause: ResetCause = ResetCause.EXTERNAL) -> None:
        """Reset the controller now; a watchdog reset comes somewhat later, after its program was made to hang."""
        self.emulator.ask(_RESETS[cause])

    def disturb_line(self, *disturbances: LineDisturbance) -> None:
        """From now on frames pass through these on their way to the host, one after the other."""
        self._disturbances += disturbances

    # ---- time and line

    def _next_look(self, t: float) -> float:
        """The time of the next update of the sensors, ``t`` at the latest."""
        world, now = self.world, self.world.now
        until = min(t, now + LONGEST)
        if world.moving or world.unquiet_until > now:
            until = min(until, now + MOTION)
        for due in (world.next_change(), self.sensors.next_change()):
            if due is not None and due > now:
                until = min(until, due)
        return until

    def _sent(self) -> list[tuple[float, bytes]]:
        """The whole frames sent since the last call: (when the last byte left, bytes)."""
        frames = []
        for cycle, byte in self.emulator.sent():
            self._begun.append(byte)
            if byte == 0:
                frames.append((self._began + cycle / self._cycles, bytes(self._begun)))
                self._begun.clear()
        return frames


def check_pins(wiring: Wiring) -> None:
    """Raise `EmulatorError` for a map that uses other pins than the reference map, which the emulator has."""
    there, asked = load_wiring(), wiring.controller
    for field in fields(asked):
        has, wants = getattr(there.controller, field.name), getattr(asked, field.name)
        if wants != (has[: len(wants)] if field.name == "mux_inputs" else has):
            raise EmulatorError(
                f"controller.{field.name}: {wants!r}; the emulated controller has {has!r}, as wiring/board.toml: "
                "play on the simulated board"
            )
    for player, pins in wiring.holders.items():
        if pins != there.holders[player]:
            raise EmulatorError(
                f"holders.{player}: {pins}; the emulated controller has {there.holders[player]}: play on the "
                "simulated board"
            )
