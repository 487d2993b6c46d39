"""The house's plan, held against the code: imports run downward only, between rooms and inside them."""

import ast
import io
import tokenize
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import tamsk_hw

PACKAGE = Path(tamsk_hw.__file__).parent

#: The rooms from the bottom up. A room may import from those before it, and from no other.
ROOMS = (
    "errors",
    "forms",
    "system",
    "game",
    "referee",
    "partner",
    "board",
    "panel",
    "configuration",
    "journal",
    "facts",
    "words",
    "lessons",
    "live",
    "svg",
    "terminal",
    "simulator",
    "hands",
    "tutor",
    "table",
    "workbench",
    "web",
    "mqtt",
    "hall",
    "commands",
)

#: Rooms that may import from fewer than all those below them.
MAY_IMPORT = {
    "system": {"errors"},
    "game": {"errors", "forms"},
    "referee": {"errors", "forms", "game"},
    "partner": {"errors", "forms", "game", "referee.rulings", "referee.view"},
    "board": {"errors", "forms", "system.files", "game", "referee.events"},
    "simulator": {
        "errors",
        "forms",
        "game",
        "board.protocol",
        "board.wiring",
        "referee.rulings",
        "referee.view",
        "referee.events",
        "partner.intention",
    },
    "lessons": {
        "errors",
        "forms",
        "system.files",
        "system.output",
        "game",
        "referee.stream",
        "referee.rulings",
        "partner.intention",
        "words.rules",
    },
    # The world's side: of what judges it knows no more than what any reader of the live stream is told.
    "hands": {
        "errors",
        "forms",
        "system",
        "game",
        "partner",
        "board.protocol",
        "board.wiring",
        "panel.lights",
        "panel.simulated",
        "referee.rulings",
        "referee.view",
        "referee.events",
        "referee.stream",
        "partner.intention",
        "live",
        "simulator",
    },
}

#: Modules that a room must not know at all: no clock, no I/O and no hardware in the core.
FORBIDDEN = {
    room: {"time", "datetime", "os", "io", "socket", "threading", "serial", "random"}
    for room in ("game", "referee")
} | {"partner": {"time", "datetime", "os", "io", "socket", "threading", "serial"}}  # its chances come from a seed

#: Tokens that make no line a line of code.
_NO_CODE = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
}

#: Nodes that may have a docstring.
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)

MODULES = sorted(PACKAGE.rglob("*.py"))


def code_lines(source: str) -> int:
    """Number of lines of code in a Python source."""
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in _NO_CODE:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, _DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            docstring = node.body[0]
            lines.difference_update(range(docstring.lineno, (docstring.end_lineno or docstring.lineno) + 1))
    return len(lines)


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """All nodes of a file's syntax tree."""
    return tuple(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


def imports(path: Path) -> Iterator[str]:
    """Full names of all that a file imports, inside functions and for type checking, too."""
    for node in nodes(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def within(name: str, places: set[str]) -> bool:
    """The name is one of these places or lies in one."""
    return any(name == place or name.startswith(f"{place}.") for place in places)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_run_downward_between_rooms(path: Path) -> None:
    room = path.relative_to(PACKAGE).with_suffix("").parts[0]
    below = set() if room == "__init__" else MAY_IMPORT.get(room, set(ROOMS[: ROOMS.index(room)]))
    for name in imports(path):
        top, _, place = name.partition(".")
        assert top not in FORBIDDEN.get(room, set()), f"{room} must not know {top}"
        if top == "tamsk_hw":
            assert within(place, below | {room, "__version__"}), f"{room} must not import {name}"


@pytest.mark.parametrize(
    "folder",
    sorted({path.parent for path in MODULES} - {PACKAGE}),
    ids=lambda folder: str(folder.relative_to(PACKAGE)),
)
def test_imports_run_downward_inside_a_room(folder: Path) -> None:
    """The files and folders in one folder import each other in one direction; ``__init__`` comes last."""
    package = ".".join(("tamsk_hw", *folder.relative_to(PACKAGE).parts))
    needs: dict[str, set[str]] = defaultdict(set)
    children = {path.stem for path in folder.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    for path in folder.rglob("*.py"):
        child = path.relative_to(folder).with_suffix("").parts[0]
        for name in imports(path):
            if name.startswith(f"{package}."):
                other = name.removeprefix(f"{package}.").partition(".")[0]
                needs[child].add(other if other in children else "__init__")
    for child in needs:
        needs[child].discard(child)
    try:
        TopologicalSorter(needs).prepare()
    except CycleError as error:
        pytest.fail(f"{package}: {' needs '.join(reversed(error.args[1]))}")


def test_every_room_is_on_the_plan() -> None:
    rooms = {path.relative_to(PACKAGE).with_suffix("").parts[0] for path in MODULES}
    assert rooms == {*ROOMS, "__init__"}


def test_every_package_is_installed() -> None:
    """pyproject must list the packages, since one of them lives in ``wiring/``."""
    listed = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]
    found = {".".join(path.parent.relative_to(PACKAGE.parent).parts) for path in PACKAGE.rglob("__init__.py")}
    assert set(listed) == found | {"tamsk_hw.wiring"}


@pytest.mark.slow
def test_a_file_is_one_topic() -> None:
    lines = {path.relative_to(PACKAGE): code_lines(path.read_text(encoding="utf-8")) for path in MODULES}
    assert not {str(path): count for path, count in lines.items() if count > 450}


def test_class_names_are_used_once() -> None:
    """A reader who meets a class by its name finds one definition."""
    places: dict[str, list[str]] = defaultdict(list)
    for path in MODULES:
        for node in nodes(path):
            if isinstance(node, ast.ClassDef):
                places[node.name].append(str(path.relative_to(PACKAGE)))
    assert not {name: files for name, files in places.items() if len(files) > 1}
