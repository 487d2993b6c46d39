"""The places of the live stream's socket (docs/live.md, Where)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tamsk_hw.system import socket_places

NAME: Final = "live.sock"


def serving_place(environment: Mapping[str, str], state_folder: Path) -> Path:
    """The default place for a service."""
    return socket_places.serving_place(NAME, environment, state_folder)


def searched_places(environment: Mapping[str, str], state_folder: Path) -> tuple[Path, ...]:
    """The places in which a reader looks for a service, in their order."""
    return socket_places.searched_places(NAME, environment, state_folder)
