"""The real firmware's ring sensors in the room's light: rings are right or unknown, and chance is what it takes.

Each sensor has a current of its own, as real parts have: bare ones, weak and strong rings. The host waits until a
state has held for 40 ms: what was wrong for less is no harm.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tamsk_hw.board.protocol import Decoder, SetThresholds, Snapshot, encode
from tests.firmware.emulator.emulated import SECOND, Emulator, running

MICROSECOND, MILLISECOND = SECOND // 1_000_000, SECOND // 1000

#: Microamperes of the sensors in turn: bare, with the most stray light, with rings from the weakest on.
CURRENTS = (9, 62, 105, 145, 178, 462, 9, 1140)
LEAST_RING = 105

#: Half of each one's own ring in counts; the bare ones have rings of 145 and 460 µA.
CALIBRATED = bytes((9, 32, 7, 10, 12, 32, 9, 80))

#: Milliseconds for which a state must have held.
HOST_WAITS = 40


class Lit:
    """A board in light. The snapshots say what it sees; the currents what is true."""

    def __init__(self, emulator: Emulator, *, thresholds: bytes | None) -> None:
        self._emulator = emulator
        self._decoder = Decoder()
        self.rings = 0
        emulator.ask("noise ring 1000")
        for sensor in range(64):
            current = CURRENTS[sensor % 8]
            emulator.ask(f"reflect {sensor} {current}")
            self.rings |= (current >= LEAST_RING) << sensor
        emulator.run(SECOND // 10)
        for chip in range(8) if thresholds else ():
            emulator.send(encode(SetThresholds(chip, chip, thresholds or b"")))
            emulator.run(SECOND // 50)
        emulator.run(SECOND)
        self.snapshots()

    def snapshots(self) -> list[Snapshot]:
        heard = self._decoder.feed(bytes(byte for _, byte in self._emulator.sent()))
        return [message for message in heard if isinstance(message, Snapshot)]

    def run(self, milliseconds: float, *commands: str) -> tuple[float, float]:
        """Milliseconds for which a sensor was wrong at most, and the mean share of sensors that were unknown."""
        for command in commands:
            self._emulator.ask(command)
        snapshots = []
        while milliseconds > 0:
            step = min(milliseconds, 500)
            self._emulator.run(round(step * MILLISECOND))
            snapshots += self.snapshots()
            milliseconds -= step
        since: dict[int, int] = {}
        longest, unknown = 0, 0
        for snapshot in snapshots:
            wrong = (snapshot.rings ^ self.rings) & ~snapshot.unknown
            unknown += snapshot.unknown.bit_count()
            since = {bit: since.get(bit, snapshot.time) for bit in range(64) if wrong >> bit & 1}
            longest = max([longest, *(snapshot.time - begin for begin in since.values())])
        return longest / 1000, unknown / (64 * max(1, len(snapshots)))


@contextmanager
def lit(emulator_binary: Path, elf: Path, folder: Path, *, thresholds: bytes | None = None) -> Iterator[Lit]:
    with running(emulator_binary, elf, folder) as emulator:
        yield Lit(emulator, thresholds=thresholds)
        assert emulator.checks() == []


#: Light, and the share of sensors that may be unknown: common threshold, calibrated.
LIGHTS = {
    "none": (["lamp 0 off"], 0.0, 0.0),
    "100 Hz, mean 500": (["lamp 0 sine 500 100000"], 0.15, 0.01),
    "120 Hz, mean 500": (["lamp 0 sine 500 120000"], 0.15, 0.01),
    "100 Hz, 15 %": (["lamp 0 sine 150 100000", "ambient all 850"], 0.15, 0.0),
    "1 mA": (["ambient all 1000"], 0.15, 0.0),
    "PWM 30, 400 Hz": (["lamp 0 pwm 30 400000 500"], 0.03, 0.01),
    "PWM 30, 401 Hz": (["lamp 0 pwm 30 401000 500"], 0.03, 0.01),
    "PWM 30, 2 kHz": (["lamp 0 pwm 30 2000000 500"], 0.25, 0.02),
    "PWM 100, 400 Hz": (["lamp 0 pwm 100 400000 500"], 0.4, 0.1),
    "PWM 100, 400.1 Hz": (["lamp 0 pwm 100 400100 300"], 0.4, 0.1),
    "PWM 100, 800 Hz": (["lamp 0 pwm 100 800000 500"], 0.4, 0.25),
    "PWM 100, 20 kHz": (["lamp 0 pwm 100 20000000 500"], 0.4, 0.1),
}


#: Of the lights those in ``make test`` that differ most: the core's own tests have the others, as physics.
IN_SHORT = [
    "False-none",
    "False-120 Hz, mean 500",
    "False-PWM 30, 2 kHz",
    "True-100 Hz, mean 500",
    "True-1 mA",
    "True-PWM 100, 400.1 Hz",
    "True-PWM 100, 20 kHz",
]


@pytest.mark.soak(but=IN_SHORT)
@pytest.mark.parametrize("light", LIGHTS)
@pytest.mark.parametrize("calibrated", [False, True])
def test_in_any_light_rings_are_right_or_unknown(
    firmware: Path, emulator_binary: Path, tmp_path: Path, light: str, calibrated: bool
) -> None:
    commands, *most = LIGHTS[light]
    with lit(emulator_binary, firmware, tmp_path, thresholds=CALIBRATED if calibrated else None) as board:
        wrong, _ = board.run(500, *commands)
        later, unknown = board.run(2000)
    if calibrated or "100" not in light.split(",")[0]:
        assert max(wrong, later) < HOST_WAITS
    assert unknown <= most[calibrated]


def test_lamps_that_are_switched_and_a_patch_of_sun_that_moves_make_and_hide_no_ring(
    firmware: Path, emulator_binary: Path, tmp_path: Path
) -> None:
    with lit(emulator_binary, firmware, tmp_path, thresholds=CALIBRATED) as board:
        found = []
        for turn in range(12):
            found.append(board.run(103.7, "lamp 0 sine 500 100000" if turn % 2 else "lamp 0 off"))
            found.append(board.run(101.3, f"ambient all {1000 * (turn % 3)}"))
        # A cloud: 5 mA within 20 ms, and back.
        for level in (*range(0, 5001, 250), *range(5000, -1, -250)):
            found.append(board.run(1, f"ambient all {level}"))
        # A patch of sun over eight sensors that have no ring on them, and over them again.
        for sensor in range(0, 64, 8):
            found.append(board.run(60, f"ambient {sensor} 5000", f"ambient {(sensor - 8) % 64} 0"))
        assert max(wrong for wrong, _ in found) < HOST_WAITS
        assert max(unknown for _, unknown in found[-8:]) <= 0.1


def test_beyond_what_can_be_read_it_is_unknown_within_two_seconds(
    firmware: Path, emulator_binary: Path, tmp_path: Path
) -> None:
    for number, light in enumerate(("ambient all 9000", "lamp 0 pwm 1500 400000 500")):
        folder = tmp_path / str(number)
        folder.mkdir()
        with lit(emulator_binary, firmware, folder, thresholds=CALIBRATED) as board:
            board.run(2000, light)
            wrong, unknown = board.run(1000)
            assert wrong < HOST_WAITS
            assert unknown > 0.9
            # And known again when it is over.
            board.run(1500, "ambient all 0", "lamp 0 off")
            assert board.run(500) == (0, 0)
