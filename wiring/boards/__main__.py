"""``python -m wiring.boards [NAME …]``: draws and checks all boards or those named, for a factory.

Exit status 1: a board breaks a rule, or KiCad is missing. ``--footprints`` takes their dimensions from KiCad.
"""

import sys
import time
from functools import partial

from tamsk_hw.errors import TamskError
from wiring.boards import kicad
from wiring.boards.making import BUILD, BoardError, make, make_footprints, wanted_boards
from wiring.boards.routing import RoutingError


def main(arguments: list[str]) -> int:
    """Make all boards, or those named; return the exit status."""
    began = time.monotonic()
    try:
        lacking = kicad.missing()
        if lacking:
            print(lacking, file=sys.stderr)
            return 1
        if arguments == ["--footprints"]:
            make_footprints()
            return 0
        known = {wanted.layout.name: wanted for wanted in wanted_boards()}
        strange = [name for name in arguments if name not in known]
        if strange:
            print(f"{strange[0]}: no such board; there are {', '.join(known)}", file=sys.stderr)
            return 2
        for name in arguments or known:
            make(known[name], tell=partial(print, f"{name},", flush=True))
            print(f"build/boards/{name}: drawn, without a fault by its netlist, by our rules and by KiCad's")
    except (TamskError, BoardError, RoutingError, kicad.KicadError, OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{BUILD}: what a factory gets; {(time.monotonic() - began) / 60:.1f} minutes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
