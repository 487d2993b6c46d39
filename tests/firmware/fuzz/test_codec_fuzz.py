"""The codec fuzzed: the firmware's core and the Python codec have the same verdict on every input.

In ``make soak`` it tries more inputs.
"""

from pathlib import Path

import pytest

from tests.firmware.built import BuildOnce
from tests.firmware.core_program import run_make
from tests.firmware.fuzz.fuzzing import fuzz, golden_streams
from tests.firmware.toolchain import need
from tests.soak import in_soak

#: Inputs of the run in ``make test``; of a short one, in which each mutant is found; of a long one.
QUICK = 3_000
SHORT = 30_000
LONG = 500_000

#: Seeds of runs, and their inputs.
RUNS = in_soak([(1, SHORT), (2, LONG), (3, LONG)], otherwise=[(1, QUICK)])


@pytest.fixture(scope="session")
def fuzzer(build_once: BuildOnce) -> Path:
    need("make", "clang")
    return build_once("codec_fuzzer", lambda folder: run_make("fuzzer", f"BUILD={folder}")) / "codec_fuzzer"


@pytest.mark.parametrize(("seed", "runs"), RUNS)
def test_the_core_and_the_python_codec_agree_on_every_input(
    fuzzer: Path, tmp_path: Path, seed: int, runs: int
) -> None:
    outcome = fuzz(fuzzer, tmp_path, runs=runs, seed=seed)
    assert outcome.inputs == runs
    assert outcome.golden == len(golden_streams())
    # Worth something only when every verdict and answer is among them, and often.
    names = ("IDENTIFY", "SET", "SELF_TEST", "HEARTBEAT", "SET_BOARD_ID", "UNKNOWN", "MISSHAPEN", "MALFORMED")
    names += ("CRC_ERROR", "SET taken", "SET refused", "SET_BOARD_ID taken", "SET_BOARD_ID refused")
    names += ("SET_THRESHOLDS", "SET_THRESHOLDS taken", "SET_THRESHOLDS refused")
    flags = ("flag RECEIVE_ERROR", "flag HOST_SILENT")
    rare = [name for name in (*names, *flags) if outcome.met[name] < runs / 150]
    assert not rare
