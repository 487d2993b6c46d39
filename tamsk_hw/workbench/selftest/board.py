"""Self-test of the controller itself: the link, both versions, its reference voltages and its fault flags.

It needs no person. The judgements are the doctor's, on the events of the test's own link.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

from tamsk_hw import __version__
from tamsk_hw.board.link_events import NoAnswer, PortNotOpened, Refusal
from tamsk_hw.board.protocol import Snapshot
from tamsk_hw.board.timeline import RAIL_MARGIN, REFERENCE_READINGS
from tamsk_hw.facts.examined import ClockFacts, DiskFacts, Facts, LinkFacts, PortFacts
from tamsk_hw.facts.findings import Finding
from tamsk_hw.facts.selftest_findings import DeadMultiplexer, Part
from tamsk_hw.workbench.doctor.checks import check_board, check_link, check_versions
from tamsk_hw.workbench.selftest.step import Bench, PartStep
from tamsk_hw.workbench.walk.prompt import Prompt

#: Seconds that the board is given to answer, and that its snapshots are looked at after that.
CONNECT_WITHIN: Final = 5.0
LISTEN: Final = 1.0


class BoardStep(PartStep):
    """Waits for the board at ``port``, then listens to it."""

    part = Part.BOARD

    def __init__(self, bench: Bench, port: str) -> None:
        super().__init__(bench)
        self._port = port
        self._facts = LinkFacts(waited=CONNECT_WITHIN)
        self._connected_at: float | None = None

    def fail(self, problem: Refusal | PortNotOpened | NoAnswer) -> None:
        """The port cannot be opened, no board answers, or one that must not be used."""
        self._facts = replace(self._facts, problem=problem)
        self.over = True

    def see(self, snapshot: Snapshot, t: float) -> None:
        """Count the snapshot; keep the one whose references are furthest off."""
        facts = self._facts
        kept = facts.snapshot
        if kept is None or _off(snapshot) >= _off(kept):
            kept = snapshot
        self._facts = replace(
            facts, snapshot=kept, snapshots=facts.snapshots + 1, faults=facts.faults | snapshot.faults
        )

    def advance(self, t: float) -> None:
        """End when the board has been listened to, or has not answered in time."""
        if self.bench.board.connected and self._connected_at is None:
            self._connected_at = t
            self._facts = replace(self._facts, connected_after=t - self.since, listened=LISTEN)
        if self._connected_at is None:
            self.over = self.over or t >= self.since + CONNECT_WITHIN
        else:
            self.over = t >= self._connected_at + LISTEN

    def prompt(self) -> Prompt:
        """Say what the test waits for; nothing is asked."""
        words = "Waiting for the board." if self._connected_at is None else "Listening to the board."
        return Prompt(title=f"The board at {self._port}", words=words)

    def findings(self) -> list[Finding]:
        """Link, traffic, versions, last reset, flags, references; and which multiplexer is dead."""
        bench = self.bench
        if self.left is not None:
            return self.unfinished()
        facts = Facts(
            program=__version__,
            configuration=bench.configuration,
            wiring_hash=bench.wiring.hash,
            port=PortFacts(path=self._port),
            link=replace(self._facts, statistics=bench.statistics, hello=bench.board.hello),
            # Neither is examined here.
            disk=DiskFacts(folder=Path(), nearest=Path()),
            clock=ClockFacts(year=0),
        )
        found: list[Finding] = [*check_link(facts), *check_versions(facts), *check_board(facts)]
        if self._facts.snapshot is not None:
            pins = bench.wiring.controller.mux_inputs
            dead = dead_multiplexers(bench, self._facts.snapshot)
            found += [DeadMultiplexer(mux, reading, pins[mux]) for mux, reading in dead.items()]
        return found


def _off(snapshot: Snapshot) -> int:
    """The largest deviation of a reference."""
    return max(
        abs(reading - should) for reading, should in zip(snapshot.references, REFERENCE_READINGS, strict=True)
    )


def dead_multiplexers(bench: Bench, snapshot: Snapshot) -> dict[int, int]:
    """The multiplexers whose inputs all read the same end of the scale, and that reading."""
    wiring = bench.wiring
    given: dict[int, list[int]] = {}
    readings = (*snapshot.fields, *snapshot.references)
    for place, channel in wiring.inputs.items():
        given.setdefault(channel.mux, []).append(readings[place])
    return {
        mux: read[0]
        for mux, read in sorted(given.items())
        if max(read) <= RAIL_MARGIN or min(read) >= 255 - RAIL_MARGIN
    }
