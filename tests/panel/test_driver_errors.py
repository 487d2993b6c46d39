"""Complaints of drivers, in one line that says what to do."""

import errno
from pathlib import Path

import pytest

from tamsk_hw.panel.hardware import trouble_of
from tamsk_hw.words.hardware import driver_words


class LgpioError(Exception):
    """As lgpio's: its words in quotes."""

    def __str__(self) -> str:
        return repr(self.args[0])


GROUP_GPIO = "add this user to the group gpio (sudo usermod -aG gpio USER) and log in again"


def said_of(error: BaseException, pin: int | None = None, devices: Path = Path("/dev")) -> str:
    return driver_words(trouble_of(error, pin, devices))


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ModuleNotFoundError("No module named 'lgpio'", name="lgpio"), "pip install 'tamsk-hw[pi]'"),
        (ModuleNotFoundError("No module named 'gpiozero'", name="gpiozero.pins"), "pip install tamsk-hw"),
        (ModuleNotFoundError("…", name="adafruit_raspberry_pi5_neopixel_write"), "pip install 'tamsk-hw[pi5]'"),
        (ImportError("libgpiod Python bindings not found, please install"), "pip install 'tamsk-hw[pi]'"),
        (LgpioError("GPIO busy"), "another program holds GPIO17 (gpioinfo tells which one): end it"),
        (OSError(errno.EBUSY, "Device or resource busy"), "another program holds GPIO17"),
        (RuntimeError("No access to /dev/mem.  Try running as root!"), GROUP_GPIO),
        (RuntimeError("Cannot determine SOC peripheral base address"), 'choose the pin factory "lgpio"'),
        (RuntimeError("unable to locate Pi revision in /proc/cpuinfo"), 'choose the pin factory "mock"'),
        (PermissionError("Cannot inspect controllers; grant access to the gpio group"), GROUP_GPIO),
        (RuntimeError("NeoPixel support requires running with sudo, please try again!"), 'the route "spi"'),
        (OSError("/dev/spidev0.0 does not exist"), "sudo raspi-config nonint do_spi 0"),
        (PermissionError(errno.EACCES, "Permission denied", "/dev/spidev0.0"), "group spi (sudo usermod -aG spi"),
        (RuntimeError("pio_init() failed"), GROUP_GPIO),
        (
            FileNotFoundError(2, "No usable temporary directory found"),
            "lgpio has no folder to write to: set LG_WD",
        ),
    ],
)
def test_known_troubles_come_with_what_to_do(error: Exception, said: str) -> None:
    line = said_of(error, 17)
    assert said in line
    assert "\n" not in line


def test_a_missing_library_is_found_behind_blinkas_words() -> None:
    missing = ModuleNotFoundError("No module named '_rpi_ws281x'", name="_rpi_ws281x")
    error = RuntimeError("The platform library '_rpi_ws281x' was not found.\nTo install, try typing: …")
    error.__cause__ = missing
    assert said_of(error) == "rpi_ws281x is not installed: pip install 'tamsk-hw[pi]'"


def test_lgpio_does_not_say_why_but_the_devices_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    error = LgpioError("can not open gpiochip")
    assert said_of(error, devices=tmp_path) == (
        "there is no /dev/gpiochip*: a service must not hide its devices (PrivateDevices=no)"
    )
    (tmp_path / "gpiochip0").touch()
    assert said_of(error, devices=tmp_path) == "/dev/gpiochip* cannot be opened"
    monkeypatch.setattr("os.access", lambda path, mode: False)
    assert said_of(error, devices=tmp_path) == f"no right to /dev/gpiochip0: {GROUP_GPIO}"


def test_unknown_troubles_keep_their_own_words_on_one_line() -> None:
    assert said_of(RuntimeError("Something\n  else")) == "Something else"
    assert said_of(ValueError()) == "ValueError"
    assert said_of(LgpioError("bad GPIO read")) == "bad GPIO read"


def test_errors_that_were_raised_from_each_other_in_a_ring_end() -> None:
    one, other = RuntimeError("one"), RuntimeError("other")
    one.__cause__, other.__cause__ = other, one
    assert said_of(one) == "one"
