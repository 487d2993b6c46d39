"""Settings of all tests: property tests draw the same examples every time, and new ones in ``make soak``.

What is built of the firmware is there for all of them, too.
"""

from __future__ import annotations

import os

from hypothesis import settings

pytest_plugins = ["tests.firmware.built"]

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.register_profile("soak", derandomize=False, deadline=None)
settings.load_profile("soak" if os.environ.get("TAMSK_SOAK") else "repeatable")
