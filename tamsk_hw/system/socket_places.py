"""The places of a program's socket: where it is served, and where clients look for it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

#: The runtime folder of the service, for programs that are not started by systemd.
SYSTEM_RUNTIME: Final = Path("/run/tamsk-hw")

#: Bytes that the path of a socket may have on Linux.
LONGEST_PATH: Final = 107


def serving_place(name: str, environment: Mapping[str, str], state_folder: Path) -> Path:
    """The default place of ``name``: the program's runtime folder, else the user's, else the state folder."""
    runtime = _runtime_folder(environment)
    if runtime is not None:
        return runtime / name
    user = _user_folder(environment)
    return (state_folder if user is None else user) / name


def searched_places(name: str, environment: Mapping[str, str], state_folder: Path) -> tuple[Path, ...]:
    """The places in which a client looks for ``name``, in their order."""
    folders = (_runtime_folder(environment) or SYSTEM_RUNTIME, _user_folder(environment), state_folder)
    return tuple(folder / name for folder in folders if folder is not None)


def _runtime_folder(environment: Mapping[str, str]) -> Path | None:
    """The folder that systemd made; of several the first."""
    first = environment.get("RUNTIME_DIRECTORY", "").partition(":")[0]
    return Path(first) if first.startswith("/") else None


def _user_folder(environment: Mapping[str, str]) -> Path | None:
    folder = environment.get("XDG_RUNTIME_DIR", "")
    return Path(folder) / "tamsk-hw" if folder.startswith("/") else None
