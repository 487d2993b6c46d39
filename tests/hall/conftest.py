"""A club whose boards are told what to do, for the tests of its tournaments, and its arbiter's browser."""

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
