-- The tables of a journal of version 2.

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
) STRICT;

CREATE TABLE sitting (
    game INTEGER NOT NULL REFERENCES game ON DELETE CASCADE,
    number INTEGER NOT NULL,
    wall REAL NOT NULL,
    monotonic_zero REAL NOT NULL,
    boot TEXT,
    PRIMARY KEY (game, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE event (
    game INTEGER NOT NULL REFERENCES game ON DELETE CASCADE,
    number INTEGER NOT NULL,
    line TEXT NOT NULL,
    wall REAL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (game, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE ruling (
    game INTEGER NOT NULL,
    event INTEGER NOT NULL,
    place INTEGER NOT NULL,
    name TEXT NOT NULL,
    line TEXT NOT NULL,
    PRIMARY KEY (game, event, place),
    FOREIGN KEY (game, event) REFERENCES event ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX one_running_game ON game (state) WHERE state = 'running';

CREATE INDEX ruling_turn ON ruling (game) WHERE name = 'turn';

CREATE INDEX ruling_game_over ON ruling (game) WHERE name = 'game_over';

CREATE TABLE imported (
    game INTEGER PRIMARY KEY REFERENCES game ON DELETE CASCADE,
    wall REAL NOT NULL
) STRICT;

CREATE TABLE annotation (
    game INTEGER NOT NULL REFERENCES game ON DELETE CASCADE,
    number INTEGER NOT NULL,
    wall REAL NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (game, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE chore (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
