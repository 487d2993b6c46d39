"""Fixtures for tests of tournaments: a club, whose boards do as the test says, and its arbiter's browser."""

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tests.hall.club import Club


@pytest.fixture
def club(tmp_path: Path) -> Club:
    return Club(tmp_path)


@pytest.fixture
def arbiter(club: Club) -> TestClient:
    return club.browser()
