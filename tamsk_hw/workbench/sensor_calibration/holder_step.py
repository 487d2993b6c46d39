"""The ring holders' step of a walk: a known number of rings in each gives the weight of a ring."""

from __future__ import annotations

from tamsk_hw.board.protocol import FaultFlag, Snapshot
from tamsk_hw.facts.calibration_findings import HolderFault, HolderTrouble
from tamsk_hw.game.tubes import PLAYERS
from tamsk_hw.workbench.sensor_calibration.empty_step import PATIENCE, WEIGHT
from tamsk_hw.workbench.sensor_calibration.measurements import Measurements
from tamsk_hw.workbench.sensor_calibration.samples import Agreement
from tamsk_hw.workbench.sensor_calibration.step import MeasuringStep
from tamsk_hw.workbench.walk.prompt import Answer, Prompt

_SILENT = (FaultFlag.HOLDER_RED_SILENT, FaultFlag.HOLDER_BLACK_SILENT)


class HolderStep(MeasuringStep):
    """Waits for the start button with ``rings`` rings in each holder, then weighs both."""

    def __init__(self, measurements: Measurements, rings: int) -> None:
        super().__init__()
        self._measurements = measurements
        self._rings = rings
        self._weights = [Agreement(WEIGHT) for _ in PLAYERS]
        self._measuring = False
        self._since: float | None = None

    def see(self, snapshot: Snapshot, t: float) -> None:
        """Take the board's readings at ``t``."""
        if self.over or not self._measuring:
            return
        self._since = t if self._since is None else self._since
        agree = []
        for weight, flag, reading in zip(self._weights, _SILENT, snapshot.holders, strict=True):
            if snapshot.faults & flag:
                weight.restart()
            agree.append(not snapshot.faults & flag and weight.see(reading, t))
        if all(agree) or t - self._since >= PATIENCE:
            self._finish()

    def restart(self) -> None:
        """Start again: frames were missed."""
        for weight in self._weights:
            weight.restart()
        self._since = None

    def answer(self, answer: Answer, t: float) -> None:
        """Weigh: the rings are in."""
        self._measuring = True

    def prompt(self) -> Prompt:
        """Ask for the rings."""
        title = "Ring holders"
        if self._measuring:
            return Prompt(title=title, words="The ring holders are weighed: hands off")
        rings = f"{self._rings} ring{'s' * (self._rings != 1)}"
        words = f"Put {rings} into each ring holder, then press start"
        return Prompt(title=title, words=words, awaits_start=True)

    def _finish(self) -> None:
        self.over = True
        self.taken += 1
        for player, weight in zip(PLAYERS, self._weights, strict=True):
            holder = self._measurements.holders[player]
            holder.loaded, holder.rings = weight.sample, self._rings
            if weight.sample is None and holder.trouble is None:
                holder.trouble = HolderTrouble(HolderFault.JUMPS_LOADED, weight.unrest)
