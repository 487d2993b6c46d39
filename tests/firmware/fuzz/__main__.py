"""``python -m tests.firmware.fuzz``: fuzz the codec for long, or try kept inputs again."""

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.firmware.core_program import FIRMWARE
from tests.firmware.fuzz.fuzzing import Finding, Outcome, again, fuzz


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.firmware.fuzz", description=__doc__)
    parser.add_argument("--runs", type=int, default=1_000_000, help="inputs to try (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="1 to 2^32 - 1; the same seed, the same inputs")
    parser.add_argument("inputs", nargs="*", type=Path, help="kept inputs to try again, instead of new ones")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if (
            shutil.which("make") is None
            or subprocess.run(["make", "--silent", "-C", str(FIRMWARE), "fuzzer", f"BUILD={folder}"]).returncode
        ):
            print(
                "the fuzzer cannot be built; it needs make, clang and its libFuzzer: make toolchain",
                file=sys.stderr,
            )
            return 2
        program = folder / "codec_fuzzer"
        try:
            if chosen.inputs:
                outcome = again(program, folder, chosen.inputs)
            else:
                outcome = fuzz(program, folder, runs=chosen.runs, seed=chosen.seed)
        except Finding as found:
            print(found, file=sys.stderr)
            return 1
        except KeyboardInterrupt:
            return 130
    print(told(outcome))
    return 0


def told(outcome: Outcome) -> str:
    met = ", ".join(f"{name} {count}" for name, count in sorted(outcome.met.items()) if name != "inputs")
    return f"{outcome.inputs} inputs, {outcome.golden} golden streams among them: no disagreement ({met})"


if __name__ == "__main__":
    sys.exit(main())
