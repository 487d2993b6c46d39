"""``python -m wiring.make [--check]``: writes the files made from the wiring maps, or reports those out of date.

Exit status 1: a circuit is refused, or with ``--check`` a file is out of date.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tamsk_hw.errors import TamskError
from wiring.make.board import FOLDER, load_boards
from wiring.make.making import MakingError, made_for, stale, write


def main(arguments: list[str], folder: Path = FOLDER) -> int:
    """Make or check all boards below ``folder``; return the exit status."""
    check = arguments == ["--check"]
    if arguments and not check:
        print("usage: python -m wiring.make [--check]", file=sys.stderr)
        return 2
    try:
        return _make(folder, check=check)
    except (TamskError, MakingError) as error:
        print(error, file=sys.stderr)
    except (OSError, subprocess.SubprocessError) as error:
        print(f"wiring: {error}; nothing else was made", file=sys.stderr)
    return 1


def _make(folder: Path, *, check: bool) -> int:
    made = {board.key: made_for(board) for board in load_boards()}
    wrong = 0
    for key, files in made.items():
        found = stale(folder / key, files)
        if check:
            wrong += len(found)
            for name, why in found.items():
                print(f"wiring/{key}/{name}: {why}; run make wiring", file=sys.stderr)
        else:
            write(folder / key, files)
            print(f"wiring/{key}: {len(files)} files, {len(found)} of them changed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
