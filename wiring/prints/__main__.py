"""``python -m wiring.prints [NAME …]``: writes and measures all prints or those named.

Exit status 1: a print breaks a rule, or build123d is missing.
"""

import sys
import time
from importlib.util import find_spec

from tamsk_hw.errors import TamskError
from wiring.prints.making import PrintError, all_prints, make


def main(arguments: list[str]) -> int:
    """Make all prints, or those named; return the exit status."""
    began = time.monotonic()
    if find_spec("build123d") is None:
        print("prints: build123d is not installed; make prints installs it", file=sys.stderr)
        return 1
    try:
        known = {wanted.name: wanted for wanted in all_prints()}
        strange = [name for name in arguments if name not in known]
        if strange:
            print(f"{strange[0]}: no such print; there are {', '.join(known)}", file=sys.stderr)
            return 2
        for name in arguments or known:
            make(known[name])
            print(f"build/prints/{name}: written, closed, and as the mechanics have it", flush=True)
    except (TamskError, PrintError, OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{len(arguments or known)} prints; {time.monotonic() - began:.0f} seconds")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
