"""Runs the fuzzer of the codec with the golden frames as its seeds, and judges every input while it runs.

The same seed and number of inputs give the same inputs in every run, on one machine with one clang.
"""

import hashlib
import subprocess
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from tests.firmware.core_program import FIRMWARE, GOLDEN
from tests.firmware.fuzz.judge import Disagreement, Judge
from tests.firmware.fuzz.record import records

DICTIONARY = Path(__file__).with_name("codec.dict")

#: Where inputs are kept that the core and the Python codec disagree on, or that the core fails at.
KEPT = FIRMWARE.with_name("build") / "fuzz"

#: Bytes of an input at most: the longest golden stream has 371.
LONGEST = 512


class Finding(Exception):
    """Finding of the fuzzer, in words, with the input in hexadecimal and the file that it is kept in."""


@dataclass(frozen=True)
class Outcome:
    """Account of a run without a finding.

    ``golden`` are how many golden streams were among the inputs; ``met`` says how often each verdict, command and
    flag came.
    """

    inputs: int
    golden: int
    met: Counter[str]


def golden_streams() -> dict[bytes, dict[str, int]]:
    """The golden streams, each in one piece, with their counters."""
    return {bytes.fromhex("".join(stream["chunks"])): stream["counters"] for stream in GOLDEN["streams"]}


def _seeds(folder: Path) -> list[Path]:
    """A file for each golden stream, the shortest first."""
    seeds = []
    for place, stream in enumerate(sorted(golden_streams(), key=lambda each: (len(each), each))):
        seed = folder / f"{place:03}"
        seed.write_bytes(stream)
        seeds.append(seed)
    return seeds


def fuzz(program: Path, folder: Path, *, runs: int, seed: int) -> Outcome:
    """Try ``runs`` inputs. ``program``: the codec_fuzzer; ``folder``: for the seeds and what the fuzzer says.

    Raises `Finding`.
    """
    listed = folder / "seeds"
    # In an order of our own: that of a folder is the file system's.
    listed.write_text(",".join(map(str, _seeds(folder))), encoding="utf-8")
    options = (
        f"-runs={runs}",
        f"-seed={seed}",
        f"-max_len={LONGEST}",
        f"-dict={DICTIONARY}",
        f"-seed_inputs=@{listed}",
        # What is compared may be an address, and those are others in each run: the dictionary has the values.
        "-use_cmp=0",
        "-detect_leaks=0",
        "-verbosity=0",
    )
    return _run(program, folder, options)


def again(program: Path, folder: Path, inputs: Sequence[Path]) -> Outcome:
    """Try these files once more. Raises `Finding`."""
    return _run(program, folder, [str(each.resolve()) for each in inputs])


def _run(program: Path, folder: Path, options: Sequence[str]) -> Outcome:
    said = folder / "said"
    with said.open("wb") as errors:
        fuzzer = subprocess.Popen(
            [str(program), f"-artifact_prefix={folder}/", *options],
            stdout=subprocess.PIPE,
            stderr=errors,
            bufsize=1 << 20,
        )
    assert fuzzer.stdout is not None
    try:
        outcome = _judge(fuzzer.stdout)
        status = fuzzer.wait()
    finally:
        fuzzer.stdout.close()
        if fuzzer.poll() is None:
            fuzzer.kill()
            fuzzer.wait()
    if status:
        raise Finding(_failure(said.read_text(encoding="utf-8", errors="replace"), status))
    return outcome


def _judge(stream: IO[bytes]) -> Outcome:
    judge = Judge(golden_streams())
    inputs = 0
    for record in records(stream):
        inputs += 1
        try:
            judge.judge(record)
        except Disagreement as found:
            file = _keep(found.data, "disagreement")
            raise Finding(f"input {inputs}: {found}\n  kept as:  {file}") from None
    return Outcome(inputs, len(judge.golden_met), judge.met)


def _keep(data: bytes, what: str) -> Path:
    KEPT.mkdir(parents=True, exist_ok=True)
    file = KEPT / f"{what}-{hashlib.sha256(data).hexdigest()[:12]}"
    file.write_bytes(data)
    return file


def _failure(said: str, status: int) -> str:
    """Complaint of a sanitiser or libFuzzer, and the input at which it did, which is kept."""
    lines = said.splitlines()
    shown = [f"the core failed (status {status}):", *lines[-40:]]
    for name in (line.partition("Test unit written to ")[2] for line in lines):
        if name:
            data = Path(name).read_bytes()
            shown += [f"  input:    {data.hex() or '-'}", f"  kept as:  {_keep(data, 'failure')}"]
    return "\n".join(shown)
