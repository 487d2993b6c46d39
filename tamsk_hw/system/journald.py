"""Levels for lines that go to systemd's journal, by the prefixes of sd-daemon(3).

At a terminal, in a pipe or a file a line stays as it is.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from enum import IntEnum
from typing import IO


class Priority(IntEnum):
    """Importance of a line; the numbers are syslog's."""

    ERROR = 3
    """Something failed that should not."""
    WARNING = 4
    """Something people should put right."""
    NOTICE = 5
    """Something people should know."""
    INFO = 6
    """What is going on; the journal's level for lines without a prefix."""


def goes_to_journal(stream: IO[str], environment: Mapping[str, str]) -> bool:
    """True when ``stream`` is the one that systemd connected to its journal (``$JOURNAL_STREAM``)."""
    try:
        status = os.fstat(stream.fileno())
    except (OSError, ValueError):  # closed, or no file at all
        return False
    return environment.get("JOURNAL_STREAM") == f"{status.st_dev}:{status.st_ino}"


def prefixed(text: str, priority: Priority, stream: IO[str], environment: Mapping[str, str] = os.environ) -> str:
    """The form of ``text`` for ``stream``: for systemd's journal each line begins with its level."""
    if not goes_to_journal(stream, environment):
        return text
    return "\n".join(f"<{priority.value}>{line}" for line in text.split("\n"))
