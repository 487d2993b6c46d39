"""Writes the reference pages, schemas and the sample configuration that are made from the program's types.

``python -m tests.docs.references [FOLDER]``, or ``make references``: into the checkout at FOLDER (here).
"""

import sys
from pathlib import Path

from tests.docs.references import configuration, hall, live, simulate


def main(folder: Path) -> None:
    """Write all of them below ``folder``."""
    for made in (configuration, hall, live, simulate):
        for name, text in made.files(folder).items():
            (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(Path(*sys.argv[1:2]))
