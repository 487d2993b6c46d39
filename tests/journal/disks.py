"""Disks that are full, slow, or fail: SQLite connections that do as the test says."""

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass
class Disk:
    """Disk that the next transactions meet: ``fails`` is raised by every write, ``before_commit`` is called."""

    fails: str | None = None
    fails_at_commit: bool = False
    before_commit: Callable[[], None] = lambda: None
    commits: int = 0
    connections: list[sqlite3.Connection] = field(default_factory=list)

    def connect(self, path: Path) -> sqlite3.Connection:
        disk = self

        class Connection(sqlite3.Connection):
            def execute(self, sql: str, *rest: Any) -> sqlite3.Cursor:
                if sql == "COMMIT":
                    disk.before_commit()
                    disk.commits += 1
                if disk.fails and sql == ("COMMIT" if disk.fails_at_commit else "BEGIN IMMEDIATE"):
                    raise error(disk.fails)
                return super().execute(sql, *rest)

        connection = sqlite3.connect(
            path, timeout=0, isolation_level=None, check_same_thread=False, factory=Connection
        )
        self.connections.append(connection)
        return connection


def error(name: str) -> sqlite3.OperationalError:
    """The error that SQLite raises under that name."""
    made = sqlite3.OperationalError(f"as {name}")
    made.sqlite_errorname = name
    made.sqlite_errorcode = getattr(sqlite3, name)
    return made
