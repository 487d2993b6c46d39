"""The prints as `make prints` leaves them in ``build/prints``; one that is not there is written for the tests."""

from __future__ import annotations

import fcntl
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

from wiring.prints.making import BUILD, all_prints, written

WANTED = {wanted.name: wanted for wanted in all_prints()}


def kernel() -> None:
    """Skip the test where the CAD kernel is not installed."""
    if find_spec("build123d") is None:
        pytest.skip("the CAD kernel is not installed (make prints)")


@cache
def stl(name: str) -> Path:
    """The STL file of a print; the test is skipped where the CAD kernel is needed and missing."""
    BUILD.mkdir(parents=True, exist_ok=True)
    with (BUILD / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            return written(WANTED[name])
        except ModuleNotFoundError:
            pytest.skip("the CAD kernel is not installed (make prints)")
