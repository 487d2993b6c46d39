"""Measures the house: its size, lines of code by room, and who imports whom (``make size``).

It fails when a figure exceeds its entry in `MOST`: a change that adds makes something else unnecessary.

Lines of code are those without blank lines, comments and docstrings. Hand-kept words are those in Markdown files,
without pages that begin with "Made by" and without the rules, which the program prints. A word has a letter or a
digit.
"""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median, quantiles
from typing import Final

from tests.test_architecture import PACKAGE, ROOMS, code_lines, imports

ROOT = PACKAGE.parent

#: The most of each figure, which only goes down; the aims are 33 000, 45 000 and 8 500 lines and 550 classes for
#: one board. What a hall needs, `mqtt` and `hall` with their commands, comes on top: at most 2 000 lines.
MOST: Final = {
    "`tamsk_hw` in all": 34_765,
    "`tests`": 53_154,
    "`wiring`": 8_444,
    "classes in `tamsk_hw`": 627,
    "names of its classes and functions": 2_614,
    "own imports of a file, median": 6,
    "lines of a function, 95 of 100 have at most": 30,
    "share of lines that import, %": 8.3,
    "hand-kept words": 26_290,
    "all that git keeps of this version, MB": 9.2,
}


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


def lines() -> dict[str, tuple[int, int]]:
    """Files and lines of code by room, and in all."""
    folders = {f"`tamsk_hw/{room}`": PACKAGE / room for room in reversed(ROOMS)}
    folders |= {"`tamsk_hw` in all": PACKAGE, "`wiring`": ROOT / "wiring", "`tests`": ROOT / "tests"}
    return {name: lines_in(folder) for name, folder in folders.items()}


def size() -> dict[str, float]:
    """What a stranger to the package must learn, and what a copy of the repository costs."""
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
    file_lines = [code_lines(source) for source in files]
    return {
        "classes in `tamsk_hw`": len(classes),
        "names of its classes and functions": len({node.name for node in [*classes, *functions]}),
        "own imports of a file, median": median(own_imports),
        "lines of code of a file, median": median(file_lines),
        "lines of a function, 95 of 100 have at most": quantiles(map(_length, functions), n=20)[-1],
        "share of lines that import, %": round(100 * import_lines / sum(file_lines), 1),
        "hand-kept words": hand_kept(),
        "all that git keeps of this version, MB": round(
            sum((ROOT / name).stat().st_size for name in kept()) / 1e6, 1
        ),
    }


def _length(node: ast.stmt) -> int:
    """Number of lines from a statement's first to its last."""
    return (node.end_lineno or node.lineno) - node.lineno + 1


def hand_kept() -> int:
    """Number of words in Markdown that people keep by hand."""
    texts = [(ROOT / name).read_text(encoding="utf-8") for name in kept("*.md") if Path(name).name != "RULES.md"]
    words = [word for text in texts if "Made by" not in text[:400] for word in text.split()]
    return sum(any(map(str.isalnum, word)) for word in words)


def kept(*patterns: str) -> list[str]:
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


def main() -> None:
    """Print size, lines by room and who imports whom, and fail where there is too much."""
    figures, rooms = size(), lines()
    rows = ["| figure | |", "|---|---:|", *(f"| {name} | {figure:g} |" for name, figure in figures.items())]
    rows += ["", "| folder | files | lines of code |", "|---|---:|---:|"]
    rows += [f"| {name} | {files} | {count} |" for name, (files, count) in rooms.items()]
    print(*rows, "", matrix(), sep="\n")
    all_figures = figures | {name: count for name, (_, count) in rooms.items()}
    if too_many := [
        f"{name}: {all_figures[name]:g}, at most {most:g}"
        for name, most in MOST.items()
        if all_figures[name] > most
    ]:
        sys.exit("The house has grown. " + "; ".join(too_many))


if __name__ == "__main__":
    main()
