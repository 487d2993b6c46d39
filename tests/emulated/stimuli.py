"""The world's effects on the emulated board's sensors, as commands to the emulator: volts, light, load.

Each sensor's own values come from `Sensors`, as on the simulated board: one seed is the same board on both.
"""

from collections.abc import Sequence
from typing import assert_never

from tamsk_hw.board.protocol import FIELDS
from tamsk_hw.board.wiring import Channel, Wiring
from tamsk_hw.simulator.faults import BrokenPart
from tamsk_hw.simulator.glasses import between
from tamsk_hw.simulator.sensors import Noise, Sensors
from tamsk_hw.simulator.world import World

#: Millivolts of the supply, and of a step of 8 bits.
SUPPLY = 5000
STEP = SUPPLY / 256

#: Microamperes at a ring sensor for a count of its converter: 680 ohms, 1024 counts of the supply.
PER_COUNT = SUPPLY / 1024 / 680 * 1e3

#: Microamperes of a sensor that is stuck at "ring", and of a bare one under a lamp, which dazzles it.
STRONG, GLARE = 460, 9000

#: Thousandths of a count of a ring sensor's converter, standard deviation.
RING_NOISE = 500

#: Microvolts of a Hall reading's standard deviation where every reading may stray (`Noise.field` 1).
FIELD_NOISE = 20_000

#: Seconds between two updates of a load cell: while its load swings, and at rest.
UNQUIET_LOAD, QUIET_LOAD = 0.0125, 0.5


class Stimuli:
    """Keeps the emulated board's sensors as the world has them, with as few commands as possible."""

    def __init__(self, world: World, sensors: Sensors, wiring: Wiring) -> None:
        self._world = world
        self._sensors = sensors
        self._wiring = wiring
        self._millivolts: list[int | None] = [None] * FIELDS
        self._reflected: list[int | None] = [None] * len(sensors.ring_counts)
        self._ambient: list[int | None] = [None] * len(sensors.ring_counts)
        self._loads: list[int | None] = [None] * len(wiring.holders)
        self._field_version = -1
        self._was_moving: set[int] = set()
        self._ring_key: tuple[object, ...] | None = None
        self._load_due = 0.0
        self._broken = Broken((), wiring)

    def beginning(self, noise: Noise, seed: int) -> list[str]:
        """The commands for switching a board on: its parts, noise, references."""
        wiring = self._wiring
        commands = [f"fitted {wiring.chips} {len(wiring.controller.mux_inputs)}"]
        commands += [f"seed {seed}", f"noise field {round(noise.field * FIELD_NOISE)}"]
        commands += [f"noise holder {round(noise.holder_counts)}", f"noise ring {RING_NOISE}"]
        for quarter, channel in enumerate(wiring.references, start=1):
            commands.append(f"field {channel.mux} {channel.address} {SUPPLY * quarter // 4}")
        return commands

    def broken(self, faults: tuple[BrokenPart, ...]) -> list[str]:
        """The commands that break these parts and no others."""
        self._broken = Broken(faults, self._wiring)
        self._field_version = -1
        self._ring_key = None
        self._millivolts = [None] * FIELDS
        self._loads = [None] * len(self._loads)
        self._load_due = 0.0
        commands = list(self._broken.commands)
        for quarter, channel in enumerate(self._wiring.references, start=1):
            volts = self._broken.volts.get(channel, SUPPLY * quarter // 4)
            commands.append(f"field {channel.mux} {channel.address} {volts}")
        return commands

    def changes(self, t: float) -> list[str]:
        """The commands for all that has changed by ``t`` seconds since it was last set."""
        return [*self._field_changes(t), *self._ring_changes(), *self._load_changes(t)]

    def _field_changes(self, t: float) -> list[str]:
        world, sensors = self._world, self._sensors
        if world.field_version != self._field_version:
            self._field_version = world.field_version
            fields: Sequence[int] = self._wiring.fields
        else:
            fields = list(world.moving)
        commands = []
        for field in fields:
            channel = self._wiring.channels[field]
            if channel is None:
                continue
            volts = self._broken.volts.get(channel)
            if volts is None:
                level = sensors.standing_level(field)
                if field in world.moving:
                    knots, strength = world.moving[field]
                    level += between(knots, t) * strength * sensors.full[field]
                volts = min(max(round(level * STEP), 0), SUPPLY)
            elif volts == OPEN:
                continue
            if volts != self._millivolts[field]:
                self._millivolts[field] = volts
                commands.append(f"field {channel.mux} {channel.address} {volts}")
        return commands

    def _ring_changes(self) -> list[str]:
        world, sensors = self._world, self._sensors
        key = (world.covered, world.lamp_on, sensors.near)
        if key == self._ring_key:
            return []
        self._ring_key = key
        glare = sensors.dazzled & ~world.covered if world.lamp_on else 0
        commands = []
        for place, bit in sensors.bit_of_place.items():
            reflected = self._broken.reflected.get(bit, round(sensors.counts(place) * PER_COUNT))
            ambient = GLARE if glare >> place & 1 else 0
            if reflected != self._reflected[place]:
                self._reflected[place] = reflected
                commands.append(f"reflect {bit} {reflected}")
            if ambient != self._ambient[place]:
                self._ambient[place] = ambient
                commands.append(f"ambient {bit} {ambient}")
        return commands

    def _load_changes(self, t: float) -> list[str]:
        unquiet = self._world.unquiet_until > t
        if t < self._load_due and not (unquiet and t >= self._load_due - QUIET_LOAD + UNQUIET_LOAD):
            return []
        self._load_due = t + QUIET_LOAD
        commands = []
        for index in range(len(self._loads)):
            if index in self._broken.silent:
                continue
            counts = round(self._sensors.load(index, t))
            if counts != self._loads[index]:
                self._loads[index] = counts
                commands.append(f"holder {index} {counts}")
        return commands


#: In `Broken.volts`: the sensor's wire is broken, and the emulator decides what is read.
OPEN = -1


class Broken:
    """A set of faults as the emulator's commands, and the inputs that are no longer the world's."""

    def __init__(self, faults: tuple[BrokenPart, ...], wiring: Wiring) -> None:
        #: forced multiplexer inputs in millivolts, or `OPEN`
        self.volts: dict[Channel, int] = {}
        #: forced ring sensors, by bit, in microamperes
        self.reflected: dict[int, int] = {}
        #: holders whose load cell is silent
        self.silent: set[int] = set()
        lines = ["ok"] * 4
        self.commands: list[str] = ["converter ok"]
        for fault in faults:
            tube, number, reading = fault.tube, fault.number, int(fault.value)
            match fault.kind:
                case "ring":
                    assert tube is not None
                    self.reflected[wiring.ring_bits[tube][number - 1]] = STRONG if reading else 0
                case "glass" | "timer":
                    channel = wiring.inputs[FIELDS - 1 if tube is None else int(tube)]
                    self.volts[channel] = SUPPLY if reading else OPEN
                    if not reading:
                        self.commands.append(f"field {channel.mux} {channel.address} open")
                case "reference":
                    self.volts[wiring.references[number - 1]] = round(reading * STEP)
                case "select":
                    lines[number] = "high" if reading else "low"
                case "mux":
                    for channel in wiring.inputs.values():
                        if channel.mux == number:
                            self.volts[channel] = round(reading * STEP)
                case "holder":
                    self.silent.add(reading)
                    self.commands.append(f"holder {reading} silent")
                case "converter":
                    self.commands.append(f"converter missing {number}")
                case "recess" | "dust":
                    pass  # `Sensors.counts` has them
                case _:
                    assert_never(fault.kind)
        self.commands += [f"select {line} {state}" for line, state in enumerate(lines)]
