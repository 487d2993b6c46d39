"""Light as physics: lights in the room, and a board's ring sensors, judged in them by the firmware's own core.

Light is given by the photo-current that it makes in a bare, average sensor, in microamperes; all light on a sensor
adds up, its own emitter's that a ring or a neighbour sends back included. The model is firmware/host/light.c; the
core's plans and filter run around it (firmware/host/lit_rings.c), in a library that is built when it is needed.
"""

import ctypes
import fcntl
import subprocess
import weakref
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cache
from pathlib import Path

from tamsk_hw.board.protocol import RING_BITS
from tests.firmware.toolchain import need

#: Seconds from one scan to the next.
PERIOD = 2.5e-3

#: Counts of a converter for a microampere: 680 ohms, 1024 counts of 5 volts.
COUNTS = 680e-6 * 1024 / 5

#: Share of outside light that a sensor gets under a ring or a hand.
UNDER_A_RING = 0.02

#: Places after which a patch of light is back.
PLACES = 8.0


class Kind(IntEnum):
    """Kinds of light, as in firmware/host/light.h."""

    STEADY = 0
    SINE = 1
    PWM = 2
    TELEVISION = 3
    SLOPE = 4
    PATCH = 5


@dataclass(frozen=True)
class Light:
    """A light from outside; ``switched``: seconds after which it goes on, and off again."""

    kind: Kind
    values: tuple[float, ...]
    seed: int = 0
    switched: float = 0.0


def steady(current: float) -> Light:
    """Daylight, or a lamp without ripple."""
    return Light(Kind.STEADY, (current,))


def mains(mean: float, hertz: float = 100.0, depth: float = 1.0, phase: float = 0.0) -> Light:
    """A lamp at the mains, modulated by ``depth`` (1: it goes out in between)."""
    return Light(Kind.SINE, (mean, hertz, depth, phase))


def pwm(peak: float, hertz: float, duty: float = 0.5, phase: float = 0.0) -> Light:
    """A dimmed LED lamp, the board's pixels or a backlight: ``peak`` for the share ``duty`` of each turn."""
    return Light(Kind.PWM, (peak, hertz, duty, phase))


def television(peak: float, seed: int, hertz: float = 240.0) -> Light:
    """A picture that changes every 40 ms, behind a backlight of ``hertz``."""
    return Light(Kind.TELEVISION, (peak, hertz), seed)


def cloud(least: float, most: float, seconds: float = 0.02, every: float = 0.5) -> Light:
    """Daylight that goes from one level to another within ``seconds``, and back, every ``every`` seconds."""
    return Light(Kind.SLOPE, (least, most, seconds, every))


def patch(inside: float, outside: float = 0.0, width: float = 0.5, speed: float = 1.0) -> Light:
    """A patch of sun, a torch's beam or, with ``outside`` above ``inside``, a hand's shadow.

    It moves over the places of the sensors, ``speed`` of them a second.
    """
    return Light(Kind.PATCH, (inside, outside, width, speed))


def switched(light: Light, every: float) -> Light:
    """The light, off and on for ``every`` seconds each."""
    return replace(light, switched=every)


# ---- the library


class _Light(ctypes.Structure):
    _fields_ = (
        ("kind", ctypes.c_int32),
        ("seed", ctypes.c_uint32),
        ("switched", ctypes.c_double),
        ("values", ctypes.c_double * 4),
    )


_PerSensor = ctypes.c_double * RING_BITS

_FIRMWARE = Path(__file__).resolve().parents[2] / "firmware"


@cache
def _library() -> ctypes.CDLL:
    need("make", "gcc")
    folder = _FIRMWARE / "build"
    folder.mkdir(exist_ok=True)
    with (folder / "lit_rings.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        subprocess.run(["make", "--silent", "-C", str(_FIRMWARE), "HOST_CC=gcc", "lit_rings"], check=True)
    library = ctypes.CDLL(str(folder / "lit_rings.so"))
    library.lit_rings_open.restype = ctypes.c_void_p
    board = ctypes.c_void_p
    library.lit_rings_open.argtypes = [ctypes.c_uint32, ctypes.c_double, ctypes.c_bool, _PerSensor]
    library.lit_rings_close.argtypes = [board]
    library.lit_rings_shine.argtypes = [board, ctypes.c_void_p, ctypes.c_uint8]
    library.lit_rings_lay.argtypes = [board, _PerSensor, _PerSensor, ctypes.c_uint64]
    library.lit_rings_thresholds.argtypes = [board, ctypes.c_char_p]
    library.lit_rings_scan.argtypes = [board, ctypes.c_double]
    library.lit_rings_decided.argtypes = [board, ctypes.c_void_p]
    library.lit_rings_signal.argtypes = [board, ctypes.c_uint8, ctypes.c_void_p]
    for name in ("close", "shine", "lay", "thresholds", "scan", "decided", "signal"):
        getattr(library, f"lit_rings_{name}").restype = None
    return library


class LitRings:
    """The ring sensors of a board in light, visited and judged by the firmware's core."""

    def __init__(
        self, seed: int, *, places: Sequence[float] | None = None, noise: float = 1.0, in_fixed_order: bool = False
    ) -> None:
        """Sensors in the dark, of which nothing is known.

        ``places``: those of the sensors, 0 to `PLACES`, for patches of light; by default one for each converter.
        ``noise``: counts, standard deviation of a conversion. ``in_fixed_order``: without the plans of chance.
        """
        at = [bit / 8 for bit in range(RING_BITS)] if places is None else places
        self._library = _library()
        self._board = self._library.lit_rings_open(seed & 0xFFFFFFFF, noise, in_fixed_order, _PerSensor(*at))
        weakref.finalize(self, self._library.lit_rings_close, self._board)

    def shine(self, lights: Sequence[Light]) -> None:
        """Have these lights, eight at most, and no others."""
        packed = [_Light(each.kind, each.seed, each.switched, each.values) for each in lights]
        self._library.lit_rings_shine(self._board, (_Light * len(packed))(*packed), len(packed))

    def lay(self, reflected: Sequence[float], covered: int, read: int = (1 << RING_BITS) - 1) -> None:
        """Microamperes that each sensor's own light makes, and the sensors (bits) that lie in shade.

        ``read``: the sensors that are visited.
        """
        shares = [UNDER_A_RING if covered >> bit & 1 else 1.0 for bit in range(RING_BITS)]
        self._library.lit_rings_lay(self._board, _PerSensor(*reflected), _PerSensor(*shares), read)

    def set_thresholds(self, thresholds: Iterable[int]) -> None:
        """The sensors' own thresholds in counts; 0: the common one."""
        self._library.lit_rings_thresholds(self._board, bytes(thresholds))

    def scan(self, begin: float) -> tuple[int, int]:
        """Make a scan that begins then (seconds). Returns ring bits and unknown bits."""
        self._library.lit_rings_scan(self._board, begin)
        bits = (ctypes.c_uint64 * 2)()
        self._library.lit_rings_decided(self._board, bits)
        return bits[0], bits[1]

    def signal(self, sensor: int) -> tuple[int, int, int]:
        """Mean (in 1/16 count), deviation (in 1/8 count) and dark reading (in 4 counts) of a sensor."""
        found = (ctypes.c_int16 * 3)()
        self._library.lit_rings_signal(self._board, sensor, found)
        return found[0], found[1], found[2]
