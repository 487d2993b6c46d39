"""Why it last reset, as HELLO says it behind boot loaders that clear MCUSR (firmware/core/reset_cause.h)."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tamsk_hw.board.protocol import ResetCause
from tests.firmware.built import BuildOnce
from tests.firmware.emulator.emulated import MILLISECOND, Emulator, hellos, running
from tests.firmware.emulator.firmware_programs import build_firmware_with
from tests.firmware.toolchain import need
from tests.soak import in_soak

UNKNOWN = ResetCause(0)

#: Timer 0 overflows every 16.4 ms. The note of a hang is made at the sixth overflow since the main loop was last
#: alive, which it is every 2.5 ms: from 82 ms on at the earliest, after 98.3 at the latest.
NOT_YET_NOTED = 79 * MILLISECOND
NOTED = 99 * MILLISECOND

#: Enough for the watchdog (120 ms, in the emulator 128) and a start (21 ms).
HANG = 300 * MILLISECOND


@pytest.fixture
def clearing(build_once: BuildOnce, emulator_binary: Path, tmp_path: Path) -> Iterator[Emulator]:
    """Switched on, behind a boot loader that clears MCUSR and passes nothing."""
    with _behind("boot_loader_clears", build_once, emulator_binary, tmp_path) as board:
        yield board


@pytest.fixture
def passing(build_once: BuildOnce, emulator_binary: Path, tmp_path: Path) -> Iterator[Emulator]:
    """Switched on, behind a boot loader that clears MCUSR and passes what it was in register 2."""
    with _behind("boot_loader_passes", build_once, emulator_binary, tmp_path) as board:
        yield board


@contextmanager
def _behind(boot_loader: str, build_once: BuildOnce, emulator_binary: Path, tmp_path: Path) -> Iterator[Emulator]:
    need("make", "avr-gcc")
    folder = build_once(boot_loader, lambda folder: build_firmware_with(folder, boot_loader))
    with running(emulator_binary, folder / "tamsk.elf", tmp_path) as emulator:
        hellos(emulator, 100 * MILLISECOND)
        yield emulator


def cause_after(board: Emulator, command: str, moment: int, *, wait: int = 100 * MILLISECOND) -> ResetCause:
    """Give the command at one of many moments of a scan and of timer 0; the cause that the board says then."""
    hellos(board, 20 * MILLISECOND + moment * 26_011)
    board.ask(command)
    (hello,) = hellos(board, wait)
    return hello.reset_cause


MOMENTS = range(0, 24, in_soak(1, otherwise=3))


@pytest.mark.parametrize(
    ("command", "wait"), [("reset", 100 * MILLISECOND), ("brownout", 100 * MILLISECOND), ("hang", HANG)]
)
def test_where_nothing_is_passed_no_cause_is_made_up(clearing: Emulator, command: str, wait: int) -> None:
    """A scan leaves all sorts of numbers in the registers, at one moment this, at another that."""
    assert {cause_after(clearing, command, moment, wait=wait) for moment in MOMENTS} == {UNKNOWN}


@pytest.mark.parametrize(
    ("command", "cause"),
    [("reset", ResetCause.EXTERNAL), ("brownout", ResetCause.BROWN_OUT), ("power", ResetCause.POWER_ON)],
)
def test_what_is_passed_is_told(passing: Emulator, command: str, cause: ResetCause) -> None:
    assert {cause_after(passing, command, moment) for moment in MOMENTS} == {cause}


def test_the_watchdog_alone_may_be_the_boot_loaders(passing: Emulator) -> None:
    """An Optiboot that waited for a program resets by its own watchdog: without the note it is no hang of ours."""
    assert {cause_after(passing, "hang", moment, wait=HANG) for moment in MOMENTS[:8]} == {UNKNOWN}


@pytest.mark.parametrize("boot_loader", ["clearing", "passing"])
def test_a_hang_that_interrupts_outlive_is_noted_and_told(
    boot_loader: str, request: pytest.FixtureRequest
) -> None:
    board = request.getfixturevalue(boot_loader)
    for moment in MOMENTS:
        assert cause_after(board, "hang running", moment, wait=HANG) is ResetCause.WATCHDOG
    assert cause_after(board, "reset", 0) is not ResetCause.WATCHDOG  # told once


def test_a_hang_is_noted_at_the_sixth_overflow(clearing: Emulator) -> None:
    """The reset pin, pulled before the watchdog does it, shows whether the note was there already."""
    for moment in MOMENTS:
        for hung, cause in ((NOT_YET_NOTED, UNKNOWN), (NOTED, ResetCause.WATCHDOG)):
            hellos(clearing, 50 * MILLISECOND + moment * 26_011)
            clearing.ask("hang running")
            assert hellos(clearing, hung) == []
            assert cause_of_reset(clearing) is cause


def cause_of_reset(board: Emulator) -> ResetCause:
    board.ask("reset")
    (hello,) = hellos(board, 100 * MILLISECOND)
    return hello.reset_cause
