"""Settings of all tests: property tests draw the same examples every time, and new ones in ``make soak``."""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True)
settings.register_profile("soak", derandomize=False)
settings.load_profile("soak" if os.environ.get("TAMSK_SOAK") else "repeatable")
