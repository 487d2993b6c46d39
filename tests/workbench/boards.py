"""Boards, and the time that waiting for them takes."""

from collections.abc import Iterable

import pytest
from _pytest.mark import ParameterSet

from tamsk_hw.board.calibration import KnownCalibration
from tamsk_hw.board.protocol import FIELDS, Snapshot
from tamsk_hw.board.wiring import Wiring, load_wiring
from tamsk_hw.configuration import Configuration
from tamsk_hw.errors import Finding, Severity
from tamsk_hw.game.tubes import Tube
from tamsk_hw.workbench.board import Board, Clock

WIRING = load_wiring()


def made_up_time() -> Clock:
    """Time that passes only while the program under test waits."""
    now = [0.0]

    def wait(descriptor: int | None, seconds: float) -> None:
        now[0] += seconds

    return Clock(now=lambda: now[0], wait=wait)


def snapshot(
    fields: dict[Tube | int, int] | None = None,
    *,
    rings: dict[Tube, str] | None = None,
    references: tuple[int, int, int] = (64, 128, 191),
    holders: tuple[int, int] = (0, 0),
    faults: int = 0,
) -> Snapshot:
    """A board without glasses and rings but for those named; a ring code is written from the bottom up."""
    readings = [128] * FIELDS
    for place, reading in (fields or {}).items():
        readings[place] = reading
    lit = dark = 0
    for tube, code in (rings or {}).items():
        for bit, sign in zip(WIRING.ring_bits[tube], code, strict=True):
            lit |= (sign == "1") << bit
            dark |= (sign == "?") << bit
    return Snapshot(0, 0, lit, dark, bytes(readings), bytes(references), holders, faults)


def setup_of(
    wiring: Wiring = WIRING,
    known: KnownCalibration | None = None,
    configuration: Configuration | None = None,
    port: str = "/dev/board",
) -> Board:
    """A board that nothing special is known of, but for what is given."""
    return Board(
        configuration=configuration or Configuration(),
        wiring=wiring,
        known=known or KnownCalibration(),
        named=port,
    )


def wrong_among(findings: Iterable[Finding]) -> list[Finding]:
    """All that is not in order."""
    return [finding for finding in findings if finding.severity is not Severity.OK]


def assert_says(findings: Iterable[Finding], *lines: str) -> None:
    """Check that the findings that are not in order are these lines; ``…`` in a line stands for any text."""
    found = [
        f"{each.severity.value} {each.subject}: {each.cause} → {each.advice}" for each in wrong_among(findings)
    ]
    assert len(found) == len(lines), found
    for words, line in zip(found, lines, strict=True):
        at = 0
        for part in line.split("…"):
            assert part.strip() in words[at:], (words, line)
            at = words.index(part.strip(), at) + len(part.strip())


def cases(table: str) -> list[ParameterSet]:
    """The cases of a table: each begins with a line that is not indented, its id; then come its indented lines."""
    found: dict[str, list[str]] = {}
    head = ""
    for line in table.strip().splitlines():
        if line[0] != " ":
            head = line
        found.setdefault(head, [])
        if line != head:
            found[head].append(line.strip())
    return [pytest.param(head, lines, id=head) for head, lines in found.items()]
