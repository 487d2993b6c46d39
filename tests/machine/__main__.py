"""``make vm``: makes the image if need be, boots it, plugs in a simulated board, and leaves root a console."""

import argparse
import sys
import tempfile
from pathlib import Path

from tests.machine.running import MachineError
from tests.machine.table import booted


def main() -> None:
    """Boot, say where everything is, and run what is typed as root, until the input ends."""
    parser = argparse.ArgumentParser(prog="python -m tests.machine", description=__doc__)
    parser.add_argument("--emulated", action="store_true", help="the real firmware in an emulated controller")
    emulated: bool = parser.parse_args().emulated
    with tempfile.TemporaryDirectory(prefix="tvm-") as folder, booted(Path(folder)) as table:
        board = table.bring(seed=1, emulated=emulated)
        print(f"The board is connected after {table.plug():.0f} s; two simulated players begin a game at it.")
        print(f"Page: http://127.0.0.1:{table.ports.page}/")
        print(f"Live stream: {table.live_socket} (tamsk-hw live --socket)")
        print(f"Hands: {board.hands} (tamsk-hw hands look --socket)")
        print("Commands are run as root in the machine. Ctrl-D switches it off.", flush=True)
        for line in sys.stdin:
            try:
                print(table.machine.attempt(line)[1], flush=True)
            except TimeoutError as error:
                print(error, flush=True)


if __name__ == "__main__":
    try:
        main()
    except MachineError as error:
        sys.exit(f"make vm: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
