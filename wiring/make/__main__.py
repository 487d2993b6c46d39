"""``python -m wiring.make``: writes the files made from the wiring maps below ``build/wiring``.

Exit status 1: a circuit is refused, or a tool is missing.
"""

import subprocess
import sys

from tamsk_hw.errors import TamskError
from wiring.make.board import load_boards
from wiring.make.making import MakingError, made_for, write


def main(arguments: list[str]) -> int:
    """Make the files of all boards; return the exit status."""
    if arguments:
        print("usage: python -m wiring.make", file=sys.stderr)
        return 2
    try:
        made = {board.key: made_for(board) for board in load_boards()}
        for key, files in made.items():
            write(key, files)
            print(f"build/wiring/{key}: {len(files)} files")
    except (TamskError, MakingError) as error:
        print(error, file=sys.stderr)
        return 1
    except (OSError, subprocess.SubprocessError) as error:
        print(f"wiring: {error}; nothing else was made", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
