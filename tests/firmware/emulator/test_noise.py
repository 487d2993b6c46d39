"""Noise of the ADC and of the load cells: as wide as it was said, and the same on every machine."""

from __future__ import annotations

import ctypes
import subprocess
from math import exp
from pathlib import Path
from statistics import fmean, stdev

import pytest

from tests.firmware.emulator.chance import SplitMix64, Stream, stream
from tests.firmware.emulator.conftest import Start
from tests.firmware.emulator.emulated import ROOT, Emulator
from tests.firmware.toolchain import need

PERIOD = 200_000  # cycles between the red holder's readings


def samples(emulator: Emulator, cycles: int) -> list[int]:
    """The results, 10 bits each, of a program that converts on and on."""
    emulator.run(cycles)
    values = [value for _, value in emulator.marks()]
    return [high << 8 | low for high, low in zip(values[::2], values[1::2], strict=False)]


def readings(emulator: Emulator, periods: int) -> list[int]:
    """A load cell's readings, from a program that marks 0xAA and their three bytes."""
    emulator.run(periods * PERIOD)
    values = bytes(value for _, value in emulator.marks())
    return [int.from_bytes(values[at + 1 : at + 4], "big", signed=True) for at in range(0, len(values), 4)]


def test_the_generator_is_splitmix64() -> None:
    """The numbers that the literature gives for the state 1234567."""
    known = SplitMix64(1234567)
    assert [known.bits() for _ in range(3)] == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_what_is_left_after_a_time_does_not_depend_on_the_machines_libm(tmp_path: Path) -> None:
    """decay(x) is exp(-x) to a few units of the last place, whoever made exp(): it is four kinds of arithmetic."""
    need("cc")
    library = tmp_path / "decay.so"
    source = ROOT / "firmware/emulator/decay.c"
    subprocess.run(["cc", "-std=c11", "-O2", "-shared", "-fPIC", "-o", library, source, "-lm"], check=True)
    decay = ctypes.CDLL(str(library)).decay
    decay.argtypes, decay.restype = [ctypes.c_double], ctypes.c_double
    assert decay(0.0) == 1.0
    assert decay(701.0) == 0.0
    for step in range(1, 70_000):
        x = step / 100
        assert abs(decay(x) - exp(-x)) <= 1e-15 * exp(-x)


# 50 mV are 10.24 steps of 10 bits; a bell that ends at three deviations is 0.987 of one wide.
def test_noise_of_the_fields_is_a_bell_as_wide_as_it_was_said(start: Start) -> None:
    emulator = start("analog", SPACING=0)
    emulator.ask("field 0 0 2502")  # the middle of step 512
    emulator.ask("noise field 50000")
    found = samples(emulator, 1_000_000)
    assert len(found) == 2048
    deviations = [(value - 512) / 10.24 for value in found]
    # within four standard errors: 1 / sqrt(2048) of the mean, 1 / sqrt(4096) of the deviation
    assert abs(fmean(deviations)) <= 4 / 45
    assert abs(stdev(deviations) - 0.987) <= 4 / 64
    # beyond two deviations 4.29 % should lie: 88 of them, give or take four times 9; beyond three none
    assert 52 <= sum(abs(deviation) > 2 for deviation in deviations) <= 124
    assert max(map(abs, deviations)) <= 3 + 0.5 / 10.24
    assert emulator.checks() == []


@pytest.mark.parametrize("seed", [None, 0, 1, 2**63 - 1])
def test_each_sample_is_what_the_seed_says(start: Start, seed: int | None) -> None:
    emulator = start("analog", SPACING=0)
    emulator.ask("field 0 0 1000")
    emulator.ask("noise field 30000")
    if seed is not None:
        emulator.ask(f"seed {seed}")
    chance = stream(seed or 0, Stream.FIELD)  # 0 at first
    found = samples(emulator, 200_000)
    assert len(found) > 300
    assert found == [int((1.0 + chance.gauss(0.03)) * 1024 / 5) for _ in found]


@pytest.mark.parametrize(("holder", "which"), [(0, Stream.HOLDER_RED), (1, Stream.HOLDER_BLACK)])
def test_each_reading_of_a_holder_is_what_the_seed_says(start: Start, holder: int, which: Stream) -> None:
    emulator = start("holders", HOLDER=holder, HIGH=8, PULSES=25)
    emulator.ask(f"holder {holder} -5000")
    emulator.ask("noise holder 300")
    emulator.ask("seed 77")
    found = readings(emulator, 40)
    assert len(found) >= 36
    chance = stream(77, which)
    assert found == [-5000 + round(chance.gauss(300)) for _ in found]
    assert len(set(found)) > 30
