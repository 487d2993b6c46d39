"""The options of ``tamsk-hw run``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSettings:
    """The options of one ``tamsk-hw run``."""

    level: int | None = None
    seed: int | None = None
    speed: float | None = None
    record: Path | None = None
    capture: Path | None = None
    live: Path | None = None
    emulator: bool = False
    simulated: bool = False
    web: bool = False
    """Show the table in browsers, too."""
    page: str | None = None
    """The page's address, when it is there."""

    @property
    def of_the_simulation(self) -> list[str]:
        """The given options that apply to the simulated board only."""
        values = {"--seed": self.seed, "--speed": self.speed, "--record": self.record}
        return [option for option, value in values.items() if value is not None]
