"""The house's plan, held against the code: imports run downward only (DESIGN section 7)."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path

import pytest

import tamsk_hw

PACKAGE = Path(tamsk_hw.__file__).parent

#: The rooms from the bottom up. A room may import from those before it, and from no other.
ROOMS = (
    "system",
    "game",
    "referee",
    "board",
    "panel",
    "words",
    "terminal",
    "configuration",
    "journal",
    "simulator",
    "table",
    "workbench",
    "commands",
)

#: For each room those that it may import from, itself and `errors` aside, where not all those below it.
MAY_IMPORT = {
    "system": set(),
    "game": set(),
    "referee": {"game"},
    "board": {"game", "referee.events"},
    "simulator": {"game", "board.protocol", "board.wiring", "referee.rulings", "referee.events"},
}

#: What must not be known at all: no clock, no I/O, no hardware in the core.
FORBIDDEN = {
    "game": {"time", "datetime", "os", "io", "socket", "threading", "serial", "random"},
    "referee": {"time", "datetime", "os", "io", "socket", "threading", "serial", "random"},
}


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


MODULES = sorted(PACKAGE.rglob("*.py"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_run_downward(path: Path) -> None:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    room = parts[0]
    if room in ("__init__", "errors"):
        assert not any(name.startswith("tamsk_hw.") for name in imports(path))
        return
    for name in imports(path):
        top, _, rest = name.partition(".")
        assert top not in FORBIDDEN.get(room, set()), f"{path.name} imports {name}"
        if top != "tamsk_hw" or rest.startswith(("errors.", "__version__", f"{room}.")):
            continue
        below = MAY_IMPORT.get(room, set(ROOMS[: ROOMS.index(room)]))
        allowed = any(rest == place or rest.startswith(f"{place}.") for place in below)
        assert allowed, f"{room} must not import {name}"


def test_every_room_is_on_the_plan() -> None:
    rooms = {path.relative_to(PACKAGE).with_suffix("").parts[0] for path in MODULES}
    assert rooms == {*ROOMS, "__init__", "errors"}


def test_every_package_is_installed() -> None:
    """pyproject must list the packages, since one of them lives in ``wiring/``."""
    listed = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]
    found = {".".join(path.parent.relative_to(PACKAGE.parent).parts) for path in PACKAGE.rglob("__init__.py")}
    assert set(listed) == found | {"tamsk_hw.wiring"}


def test_files_have_one_subject() -> None:
    lines = {path.relative_to(PACKAGE): len(path.read_text(encoding="utf-8").splitlines()) for path in MODULES}
    assert not {str(path): count for path, count in lines.items() if count > 500}
