"""Measures the house: its size, lines of code by room, and who imports whom.

``python -m tests.house`` prints all three (``make size``); with the name of a file it also draws there who imports
whom (``make overview``). Lines of code are those without blank lines, comments and docstrings.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median, quantiles

from tests.test_architecture import PACKAGE, ROOMS, code_lines, imports

ROOT = PACKAGE.parent

#: Measures of the picture in pixels: a cell, the names' column, the names' row, the margin.
_CELL, _NAMES, _HEAD, _MARGIN = 26, 120, 112, 12


def sources(place: Path) -> Iterator[Path]:
    """The Python files in a folder and below it; of a room that is a single file that one."""
    if not place.is_dir():
        place = place.with_suffix(".py")
        return iter([place] if place.is_file() else [])
    return (path for path in sorted(place.rglob("*.py")) if "__pycache__" not in path.parts)


def lines_in(place: Path) -> tuple[int, int]:
    """Number of files in a folder or room, and of lines of code in them."""
    counts = [code_lines(path.read_text(encoding="utf-8")) for path in sources(place)]
    return len(counts), sum(counts)


def imported_rooms(room: str) -> set[str]:
    """The other rooms that a room imports from."""
    found = set()
    for path in sources(PACKAGE / room):
        for name in imports(path):
            package, _, rest = name.partition(".")
            if package == "tamsk_hw":
                found.add(rest.partition(".")[0])
    return (found & set(ROOMS)) - {room}


def table() -> str:
    """Files and lines of code by room, and in all, as a Markdown table."""
    folders = {f"`tamsk_hw/{room}`": PACKAGE / room for room in reversed(ROOMS)}
    folders |= {"`tamsk_hw` in all": PACKAGE, "`wiring`": ROOT / "wiring", "`tests`": ROOT / "tests"}
    rows = ["| folder | files | lines of code |", "|---|---:|---:|"]
    for name, folder in folders.items():
        files, lines = lines_in(folder)
        rows.append(f"| {name} | {files} | {lines} |")
    return "\n".join(rows)


def size() -> str:
    """What a stranger to the package must learn, and what a copy of the repository costs, as a Markdown table."""
    files = [path.read_text(encoding="utf-8") for path in sources(PACKAGE)]
    trees = [ast.parse(source) for source in files]
    functions, classes, own_imports, import_lines = [], [], [], 0
    for tree in trees:
        nodes = list(ast.walk(tree))
        functions += [node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
        classes += [node for node in nodes if isinstance(node, ast.ClassDef)]
        imported = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
        import_lines += sum(_length(node) for node in imported)
        own_imports.append(sum(ast.unparse(node).startswith("from tamsk_hw") for node in imported))
    lines = [code_lines(source) for source in files]
    figures = {
        "classes in `tamsk_hw`": len(classes),
        "names of its classes and functions": len({node.name for node in [*classes, *functions]}),
        "own imports of a file, median": median(own_imports),
        "lines of code of a file, median": median(lines),
        "lines of a function, 95 of 100 have at most": quantiles(map(_length, functions), n=20)[-1],
        "share of lines that import, %": round(100 * import_lines / sum(lines), 1),
        "words in Markdown": sum(len((ROOT / name).read_text(encoding="utf-8").split()) for name in _kept("*.md")),
        "all that git keeps of this version, MB": round(
            sum((ROOT / name).stat().st_size for name in _kept()) / 1e6, 1
        ),
    }
    return "\n".join(
        ["| figure | |", "|---|---:|", *(f"| {name} | {figure:g} |" for name, figure in figures.items())]
    )


def _length(node: ast.stmt) -> int:
    """Number of lines from a statement's first to its last."""
    return (node.end_lineno or node.lineno) - node.lineno + 1


def _kept(*patterns: str) -> list[str]:
    """The files that git keeps, by their paths from the root."""
    command = ["git", "ls-files", "-z", *patterns]
    return [name for name in subprocess.check_output(command, cwd=ROOT, text=True).split("\0") if name]


def matrix() -> str:
    """For each room, from the top of the house down, the rooms that it imports from."""
    rows = []
    for room in reversed(ROOMS):
        below = imported_rooms(room)
        rows.append(f"{room}: {', '.join(each for each in reversed(ROOMS) if each in below) or '-'}")
    return "\n".join(rows)


def picture() -> str:
    """The same as an SVG: a row for each room, a dot under each room that it imports from."""
    rooms = tuple(reversed(ROOMS))
    side = _CELL * len(rooms)
    width, height = 4 * _MARGIN + _NAMES + side, 2 * _MARGIN + _HEAD + side
    left, top = _MARGIN + _NAMES, _MARGIN + _HEAD
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        ' font-family="sans-serif" font-size="13">',
        "<title>Which room imports from which: only from those below it</title>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
    ]
    for place, room in enumerate(rooms):
        middle = place * _CELL + _CELL // 2
        below = imported_rooms(room)
        shade = "#f3f5f9" if place % 2 == 0 else "#ffffff"
        x, y = left + middle, top + middle
        parts += [
            f'<rect x="{_MARGIN}" y="{y - _CELL // 2}" width="{_NAMES + side}" height="{_CELL}" fill="{shade}"/>',
            f'<text x="{left - 8}" y="{y + 4}" text-anchor="end">{room}</text>',
            f'<text transform="translate({x + 4} {top - 8}) rotate(-60)">{room}</text>',
            f'<rect x="{x - 6}" y="{y - 6}" width="12" height="12" fill="#c9d1de"/>',
        ]
        parts += [
            f'<circle cx="{left + column * _CELL + _CELL // 2}" cy="{y}" r="6" fill="#1f4e8c"/>'
            for column, other in enumerate(rooms)
            if other in below
        ]
    return "\n".join([*parts, "</svg>", ""])


def main() -> None:
    """Print size, lines by room and who imports whom; draw the last where a file is named."""
    print(size(), table(), matrix(), sep="\n\n")
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(picture(), encoding="utf-8")


if __name__ == "__main__":
    main()
