"""The journal's tables, and how a database of an older version is brought up to date.

A database tells what it is by its ``application_id`` and the version of its tables by its ``user_version``: the
number of `MIGRATIONS` that were made. A migration and its number are one transaction.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

#: "TAMS": marks a SQLite database as a journal.
APPLICATION_ID = 0x54414D53

#: Statements that lead from each version to the next; never changed once released, only added to.
MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """
        CREATE TABLE game (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            key TEXT NOT NULL UNIQUE,
            state TEXT NOT NULL CHECK (state IN ('running', 'finished', 'abandoned', 'set aside')),
            note TEXT,
            header TEXT NOT NULL,
            red TEXT,
            black TEXT,
            board TEXT,
            program TEXT NOT NULL
        ) STRICT
        """,
        """
        CREATE TABLE sitting (
            game INTEGER NOT NULL REFERENCES game ON DELETE CASCADE,
            number INTEGER NOT NULL,
            wall REAL NOT NULL,
            monotonic_zero REAL NOT NULL,
            boot TEXT,
            PRIMARY KEY (game, number)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE event (
            game INTEGER NOT NULL REFERENCES game ON DELETE CASCADE,
            number INTEGER NOT NULL,
            line TEXT NOT NULL,
            wall REAL,
            checksum INTEGER NOT NULL,
            PRIMARY KEY (game, number)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE ruling (
            game INTEGER NOT NULL,
            event INTEGER NOT NULL,
            place INTEGER NOT NULL,
            name TEXT NOT NULL,
            line TEXT NOT NULL,
            PRIMARY KEY (game, event, place),
            FOREIGN KEY (game, event) REFERENCES event ON DELETE CASCADE
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE UNIQUE INDEX one_running_game ON game (state) WHERE state = 'running'",
        "CREATE INDEX ruling_turn ON ruling (game) WHERE name = 'turn'",
        "CREATE INDEX ruling_game_over ON ruling (game) WHERE name = 'game_over'",
    ),
    (
        """
        CREATE TABLE imported (
            game INTEGER PRIMARY KEY REFERENCES game ON DELETE CASCADE,
            wall REAL NOT NULL
        ) STRICT
        """,
        """
        CREATE TABLE annotation (
            game INTEGER NOT NULL REFERENCES game ON DELETE CASCADE,
            number INTEGER NOT NULL,
            wall REAL NOT NULL,
            text TEXT NOT NULL,
            PRIMARY KEY (game, number)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE TABLE chore (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID",
    ),
)


def version_of(connection: sqlite3.Connection) -> int:
    """The version of a database's tables, 0 for an empty one."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def migrate(connection: sqlite3.Connection, migrations: Sequence[Sequence[str]] = MIGRATIONS) -> None:
    """Bring a database up to date, each step whole or not at all."""
    for version in range(version_of(connection), len(migrations)):
        connection.execute("BEGIN IMMEDIATE")
        try:
            for statement in migrations[version]:
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {version + 1}")
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise


def add_missing_for_reading(connection: sqlite3.Connection) -> None:
    """Give a reader of an older database the tables that it lacks, empty and for this connection alone.

    This holds while migrations after the first only add tables.
    """
    connection.execute("PRAGMA temp_store = MEMORY")
    for statements in MIGRATIONS[version_of(connection) :]:
        for statement in statements:
            connection.execute(statement.replace("CREATE TABLE", "CREATE TEMP TABLE", 1))


def tables(connection: sqlite3.Connection) -> list[tuple[str, str, str]]:
    """Kind, name and definition of each table and index of a database."""
    return [
        (str(kind), str(name), str(definition))
        for kind, name, definition in connection.execute(
            "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name"
        )
    ]


def tables_of_version(
    version: int, migrations: Sequence[Sequence[str]] = MIGRATIONS
) -> list[tuple[str, str, str]]:
    """Tables and indexes of a journal of that version."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        migrate(connection, migrations[:version])
        return tables(connection)
    finally:
        connection.close()
