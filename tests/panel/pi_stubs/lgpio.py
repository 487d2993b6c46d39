"""Stands for lgpio 0.2.2: the calls that gpiozero makes, with the habits of the real one (lgpio.py and its C).

Importing it makes a pipe in LG_WD, which becomes the working directory. A pin that ends its PWM keeps its level:
here always the high one. Edges are told in a thread of their own. `lines`, `busy`, `grounded`, `failing` and
`drive` are the tests'.
"""

import os
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

BOTH_EDGES, RISING_EDGE, FALLING_EDGE = 3, 1, 2
SET_PULL_UP, SET_PULL_DOWN, SET_PULL_NONE = 32, 64, 128

_OUTPUT, _PULL_UP = 1 << 1, 1 << 5


class error(Exception):
    """As in lgpio: no kind of OSError, its words in quotes."""

    def __init__(self, value: str) -> None:
        self.value = value

    def __str__(self) -> str:
        return repr(self.value)


@dataclass
class Line:
    """One pin: what it is claimed as, and every PWM asked of it (frequency, duty in per cent)."""

    mode: int = 0
    level: int = 0
    pwm: list[tuple[float, float]] = field(default_factory=list)
    pwm_runs: bool = False
    callbacks: list[Callable[[int, int, int, int], None]] = field(default_factory=list)


lines: dict[int, Line] = {}
busy: set[int] = set()
grounded: set[int] = set()
failing: list[str] = []
is_open: list[int] = []

_folder = os.environ.get("LG_WD") or os.getcwd()
os.chdir(_folder)
try:
    os.mkfifo(f"{_folder}/.lgd-nfy0")
    _writer = os.open(f"{_folder}/.lgd-nfy0", os.O_RDWR | os.O_NONBLOCK)
    pipe = open(".lgd-nfy0", "rb")  # noqa: SIM115
except OSError:
    pipe = open(".lgd-nfy-3", "rb")  # noqa: SIM115


def _fail() -> None:
    if failing:
        raise error(failing[0])


def gpiochip_open(chip: int) -> int:
    _fail()
    is_open.append(chip)
    return chip << 16


def gpiochip_close(handle: int) -> int:
    is_open.remove(handle >> 16)
    return 0


def _claim(gpio: int, mode: int, level: int) -> int:
    _fail()
    if gpio in busy:
        raise error("GPIO busy")
    line = lines.setdefault(gpio, Line())
    line.mode, line.level = mode, level
    return 0


def gpio_claim_input(handle: int, gpio: int, lFlags: int = 0) -> int:
    return _claim(gpio, lFlags, 1 if lFlags & SET_PULL_UP and gpio not in grounded else 0)


def gpio_claim_output(handle: int, gpio: int, level: int = 0, lFlags: int = 0) -> int:
    return _claim(gpio, lFlags | _OUTPUT, level)


def gpio_claim_alert(handle: int, gpio: int, eFlags: int, lFlags: int = 0) -> int:
    level = lines[gpio].level
    _claim(gpio, lFlags, level)
    return 0


def gpio_free(handle: int, gpio: int) -> int:
    lines[gpio].mode = 0
    return 0


def gpio_get_mode(handle: int, gpio: int) -> int:
    return lines[gpio].mode


def gpio_read(handle: int, gpio: int) -> int:
    _fail()
    return lines[gpio].level


def gpio_write(handle: int, gpio: int, level: int) -> int:
    _fail()
    lines[gpio].level = int(level)
    return 0


def gpio_set_debounce_micros(handle: int, gpio: int, micros: int) -> int:
    return 0


def tx_pwm(handle: int, gpio: int, frequency: float, duty: float) -> int:
    _fail()
    line = lines[gpio]
    if not frequency:
        if not line.pwm_runs:
            raise error("bad PWM micros")
        line.pwm_runs, line.level = False, 1
    else:
        line.pwm_runs = True
    line.pwm.append((frequency, duty))
    return 9


class callback:
    """Tells a function of a pin's edges until it is cancelled."""

    def __init__(self, handle: int, gpio: int, edge: int, func: Callable[[int, int, int, int], None]) -> None:
        self._gpio, self._func = gpio, func
        lines[gpio].callbacks.append(func)

    def cancel(self) -> None:
        lines[self._gpio].callbacks.remove(self._func)


def drive(gpio: int, level: int, told: bool = True, at: float = 1.0) -> None:
    """Somebody connects the pin to ground (0), or lets it go (1); ``told`` as an edge, in the driver's thread.

    ``at``: the kernel's time of it (monotonic seconds); without it one of another origin, as of early kernels.
    """
    line = lines[gpio]
    line.level = level

    def tell() -> None:
        for func in list(line.callbacks):
            func(0, gpio, level, round(at * 1e9))

    if told:
        thread = threading.Thread(target=tell)
        thread.start()
        thread.join()
