"""The sensors that a walk measures: the parts and tubes that were asked for, as far as the board has them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from tamsk_hw.board.calibration import FIELD_NAMES, field_names
from tamsk_hw.board.protocol import FIELDS
from tamsk_hw.board.wiring import Wiring
from tamsk_hw.errors import ConfigError
from tamsk_hw.game.tubes import TUBE_OF_NAME, TUBES, Tube


class SensorPart(Enum):
    """A kind of sensor that can be measured alone."""

    FIELDS = "fields"
    RINGS = "rings"
    HOLDERS = "holders"


@dataclass(frozen=True, slots=True, kw_only=True)
class SensorsSettings:
    """``only``: names of `SensorPart`, all of them when empty; ``tubes``: names of `FIELD_NAMES`, likewise.

    ``rings_to_weigh``: rings that go into each holder.
    """

    only: Sequence[str] = ()
    tubes: Sequence[str] = ()
    rings_to_weigh: int = 32
    port: str | None = None
    config: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """The sensors to measure: fields, ring sensors by tube, the holders with ``rings_to_weigh`` rings each."""

    fields: tuple[int, ...] = tuple(range(FIELDS))
    tubes: tuple[Tube, ...] = TUBES
    holders: bool = False
    rings_to_weigh: int = 32


def wanted_of(settings: SensorsSettings, wiring: Wiring) -> Wanted:
    """The sensors that the settings select. Raises `ConfigError` for unknown names or an empty selection."""
    parts = {SensorPart(name) for name in settings.only} or set(SensorPart)
    names = [name.upper() if name.upper() in TUBE_OF_NAME else name.lower() for name in settings.tubes]
    fitted = field_names(wiring)
    for given, name in zip(settings.tubes, names, strict=True):
        if name not in FIELD_NAMES:
            raise ConfigError(f"--tube {given}: there is no such tube; allowed are A1 to G4, and timer")
        if name not in fitted:
            raise ConfigError(f"--tube {given}: this board has no such tube; allowed are {', '.join(fitted)}")
    holders_named = SensorPart.HOLDERS.value in settings.only
    if holders_named and not wiring.holders:
        raise ConfigError("--only holders: the wiring map has no ring holders")
    chosen = [name for name in fitted if not names or name in names]
    wanted = Wanted(
        fields=tuple(FIELD_NAMES.index(name) for name in chosen) if SensorPart.FIELDS in parts else (),
        tubes=tuple(tube for tube in wiring.tubes if tube.name in chosen) if SensorPart.RINGS in parts else (),
        holders=bool(wiring.holders) and (holders_named or (SensorPart.HOLDERS in parts and not names)),
        rings_to_weigh=settings.rings_to_weigh,
    )
    if not (wanted.fields or wanted.tubes or wanted.holders):
        raise ConfigError("--only and --tube together leave nothing to be measured: the timer has no ring sensors")
    return wanted
