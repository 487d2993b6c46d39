"""Self-test of the ring holders' load cells: still at rest, and moved by a ring."""

from __future__ import annotations

from collections import deque
from typing import Final

from tamsk_hw.board.protocol import FaultFlag, Snapshot
from tamsk_hw.facts.findings import Finding
from tamsk_hw.facts.selftest_findings import HolderResult, HolderTested, LeftBecause, Part, PartUnused
from tamsk_hw.facts.severity import Severity
from tamsk_hw.game.tubes import PLAYERS, Player
from tamsk_hw.workbench.selftest.live import LEAST_SNAPSHOTS, NO_SNAPSHOTS
from tamsk_hw.workbench.selftest.step import Bench, PartStep
from tamsk_hw.workbench.walk.prompt import Answer, Prompt

#: Seconds for which the holders are watched before a ring is asked for.
REST_SECONDS: Final = 2.0

#: Seconds that a ring is waited for, and for which the new weight must hold.
RING_WITHIN: Final = 30.0
STEADY: Final = 0.3

#: A weight that differs by more than this share of a ring's is another one.
REACTION: Final = 0.4

#: A calibrated holder should say between these shares of a ring.
LEAST_RING, MOST_RING = 0.7, 1.3

_SILENT = (FaultFlag.HOLDER_RED_SILENT, FaultFlag.HOLDER_BLACK_SILENT)
_RAILS = (-(1 << 23), (1 << 23) - 1)


class HoldersStep(PartStep):
    """Watches both holders at rest, then asks for one ring in red's and one in black's."""

    part = Part.HOLDERS

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self._readings: tuple[list[int], list[int]] = ([], [])
        self._silent = [False, False]
        self._asked = -1
        """The holder whose ring is awaited: 0 red's, 1 black's; -1 while both are at rest."""
        self._from = [0.0, 0.0]
        self._recent: deque[tuple[float, tuple[int, int]]] = deque()
        self._reacted: dict[int, float] = {}
        """The counts by which each holder moved."""
        self._instead: dict[int, int] = {}
        """The holder that moved in place of the one that was asked for."""
        self._missed: set[int] = set()

    def begin(self, t: float) -> None:
        """Begin; end at once on a board without holders."""
        super().begin(t)
        self.over = not self._fitted

    @property
    def _fitted(self) -> bool:
        hello = self.bench.board.hello
        return bool(self.bench.wiring.holders) and (hello is None or hello.holders > 0)

    def see(self, snapshot: Snapshot, t: float) -> None:
        """Take a reading of each holder."""
        if self.over:
            return
        for index, flag in enumerate(_SILENT):
            self._silent[index] |= bool(snapshot.faults & flag)
        if self._asked < 0:
            for readings, reading in zip(self._readings, snapshot.holders, strict=True):
                readings.append(reading)
            return
        self._recent.append((t, snapshot.holders))
        while self._recent[0][0] < t - STEADY:
            self._recent.popleft()
        if self._recent[0][0] <= t - 0.7 * STEADY:
            self._weigh(t)

    def _weigh(self, t: float) -> None:
        """Go on to the next holder when one carries another weight, steadily."""
        for index in (self._asked, 1 - self._asked):
            calibration = self.bench.known.calibration.holders[index]
            values = [readings[index] for _, readings in self._recent]
            if max(values) - min(values) > calibration.margin:
                continue
            moved = sum(values) / len(values) - self._from[index]
            if abs(moved) < REACTION * abs(calibration.per_ring):
                continue
            if index == self._asked:
                self._reacted[index] = moved
                self._instead.pop(index, None)
            else:
                self._instead[self._asked] = index
                self._missed.add(self._asked)
            self._next(t)
            return

    def _next(self, t: float) -> None:
        """Ask for the next holder's ring; from now on weights are compared with the present ones."""
        newest = self._recent[-1][1] if self._recent else None
        for index in (0, 1):
            readings = self._readings[index]
            self._from[index] = newest[index] if newest else sum(readings) / max(1, len(readings))
        self._recent.clear()
        self.since = t
        self._asked += 1
        while self._asked < len(PLAYERS) and self._is_dead(self._asked):
            self._asked += 1
        self.over = self._asked >= len(PLAYERS)

    def _is_dead(self, index: int) -> bool:
        readings = self._readings[index]
        return self._silent[index] or not any(readings) or any(reading in _RAILS for reading in readings)

    def answer(self, answer: Answer, t: float) -> None:
        """Take the answer that the ring lies there and nothing happens."""
        if answer is Answer.NO and 0 <= self._asked < len(PLAYERS):
            self._missed.add(self._asked)
            self._next(t)

    def advance(self, t: float) -> None:
        """End the rest, or stop waiting for a ring."""
        if self.over:
            return
        if self._asked < 0:
            seen = len(self._readings[0])
            if t >= self.since + REST_SECONDS and seen >= LEAST_SNAPSHOTS:
                if self.bench.hands:
                    self._next(t)
                else:
                    self.over = True
            elif t >= self.since + NO_SNAPSHOTS:
                self.leave(LeftBecause.FEW_SNAPSHOTS, seconds=NO_SNAPSHOTS, snapshots=seen)
        elif t >= self.since + RING_WITHIN:
            self._missed.add(self._asked)
            self._next(t)

    def prompt(self) -> Prompt:
        """Ask for a ring."""
        if not 0 <= self._asked < len(PLAYERS):
            return Prompt(title="Ring holders: at rest", words="Hands off the ring holders.")
        player = PLAYERS[self._asked]
        return Prompt(
            title=f"Ring holders: {player}",
            words=f"Lay one ring into {player}'s holder, or take one out. It is given up after {RING_WITHIN:g} s.",
            answers={Answer.NO: "I did, and nothing happens"},
            notice="" if not self._reacted else f"{PLAYERS[max(self._reacted)]}: seen",
        )

    def findings(self) -> list[Finding]:
        """Findings on each holder."""
        if not self._fitted:
            return [PartUnused(self.part)]
        found = self.unfinished()
        if not self._readings[0]:
            return found
        for index, player in enumerate(PLAYERS):
            found += self._of(index, player)
        return found

    def _of(self, index: int, player: Player) -> list[Finding]:
        readings = self._readings[index]
        calibration = self.bench.known.calibration.holders[index]
        if self._silent[index] or not any(readings):
            pins = self.bench.wiring.holders[player]
            silent = HolderResult.SILENT
            return [HolderTested(player, silent, Severity.PROBLEM, clock=pins.clock, data=pins.data)]
        if any(reading in _RAILS for reading in readings):
            return [HolderTested(player, HolderResult.RAIL, Severity.PROBLEM, readings[-1])]
        found: list[Finding] = []
        span = max(readings) - min(readings)
        if span > calibration.margin:
            unsteady = HolderResult.UNSTEADY
            found.append(HolderTested(player, unsteady, Severity.WARNING, span, calibration.margin))
        if index in self._instead:
            found.append(HolderTested(player, HolderResult.SWAPPED, Severity.PROBLEM))
        elif index in self._missed:
            found.append(HolderTested(player, HolderResult.STILL, Severity.PROBLEM))
        elif index in self._reacted:
            moved = abs(self._reacted[index])
            rings = moved / abs(calibration.per_ring)
            if self.bench.known.holders_measured and not LEAST_RING <= rings <= MOST_RING:
                found.append(HolderTested(player, HolderResult.MISMATCH, Severity.WARNING, rings))
            else:
                found.append(HolderTested(player, HolderResult.MOVED, Severity.OK, moved))
        elif not found:
            found.append(HolderTested(player, HolderResult.STEADY, Severity.OK, span))
        return found
