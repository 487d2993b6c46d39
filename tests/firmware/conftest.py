"""Builds the firmware's portable core once in a run."""

from __future__ import annotations

import pytest

from tests.firmware.core_program import Core, need, run_make


@pytest.fixture(scope="session")
def core(tmp_path_factory: pytest.TempPathFactory) -> Core:
    # A folder of its own: tests run in several processes at once.
    build = tmp_path_factory.mktemp("core")
    need("make", "gcc")
    run_make("host", "HOST_CC=gcc", f"BUILD={build}")
    return Core(build / "core_filter")
