"""One machine for all checks, booted once; each check begins from the same memory and the same disk."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.machine.table import Table, booted


@pytest.fixture(scope="session")
def booted_table() -> Iterator[Table]:
    """The machine with its service ready and no board, as every check finds it."""
    with tempfile.TemporaryDirectory(prefix="tvm-") as folder, booted(Path(folder)) as table:
        yield table


@pytest.fixture
def table(booted_table: Table) -> Iterator[Table]:
    """The machine as it was kept."""
    booted_table.begin()
    yield booted_table
    booted_table.end()
