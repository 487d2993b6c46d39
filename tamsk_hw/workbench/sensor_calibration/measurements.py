"""The measurements of a walk over the board so far, sensor by sensor, before anybody judges them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from statistics import median

from tamsk_hw.board.calibration import FIELD_NAMES, KnownCalibration
from tamsk_hw.board.protocol import TIMER_FIELD
from tamsk_hw.facts.calibration_findings import FieldTrouble, HolderTrouble, LevelTrouble
from tamsk_hw.game.tubes import End, Player, Tube
from tamsk_hw.workbench.sensor_calibration.samples import Sample
from tamsk_hw.workbench.walk.prompt import Lit, Marks

#: The reading of an unmeasured field without a magnet: half the supply.
MIDDLE = 128.0

#: A tube is compared with the others once this many have been measured.
FEWEST_TO_COMPARE = 3


@dataclass(slots=True)
class FieldFound:
    """One Hall sensor. ``ends``: the readings with a glass seated, by the end that they indicate.

    ``contrary``: the person said that the other end was down. ``confirmed``: a weak field was taken at his word.
    ``trouble``: what is wrong with it; its values do not count then.
    """

    rest: Sample | None = None
    ends: dict[End, Sample] = field(default_factory=dict)
    contrary: bool = False
    confirmed: bool = False
    trouble: FieldTrouble | None = None

    @property
    def is_complete(self) -> bool:
        """Rest and both ends were measured."""
        return self.rest is not None and len(self.ends) == 2

    def deflection(self, end: End) -> float | None:
        """The steps by which a glass with that end down moves the reading; None when it was not measured."""
        if self.rest is None or end not in self.ends:
            return None
        return abs(self.ends[end].mean - self.rest.mean)


@dataclass(slots=True)
class LevelFound:
    """One ring sensor, with the light times of the self-tests in microseconds as the board reports them.

    ``bare``: the shortest that saw something without a ring (0: none did, as it should be); ``covered``: the
    shortest that saw its ring; both None when not tested. ``bare_trouble``, ``covered_trouble``: what is wrong
    with it without and with a ring.
    """

    bare: int | None = None
    covered: int | None = None
    bare_trouble: LevelTrouble | None = None
    covered_trouble: LevelTrouble | None = None

    @property
    def trouble(self) -> LevelTrouble | None:
        """The sensor's trouble, if any."""
        return self.bare_trouble or self.covered_trouble


@dataclass(slots=True)
class HolderFound:
    """One ring holder's load cell: empty, and loaded with ``rings`` rings."""

    empty: Sample | None = None
    loaded: Sample | None = None
    rings: int = 0
    trouble: HolderTrouble | None = None


@dataclass(slots=True)
class Measurements:
    """All measurements. ``baseline``: the readings of all fields on the empty board."""

    fields: dict[int, FieldFound] = field(default_factory=dict)
    levels: dict[Tube, list[LevelFound]] = field(default_factory=dict)
    holders: dict[Player, HolderFound] = field(default_factory=dict)
    baseline: dict[int, float] = field(default_factory=dict)

    def typical(self, end: End, earlier: KnownCalibration) -> float | None:
        """The median of the steps by which a glass with that end down moves the tubes' fields.

        Those measured now count; while they are few, those of an ``earlier`` calibration do; None when there are
        too few of either.
        """
        now = [
            deflection
            for index, found in self.fields.items()
            if index != TIMER_FIELD and found.trouble is None and not found.confirmed
            if (deflection := found.deflection(end)) is not None
        ]
        if len(now) < FEWEST_TO_COMPARE:
            fields = earlier.calibration.fields
            now = [
                fields[index].end_a if end is End.A else fields[index].end_b
                for index, name in enumerate(FIELD_NAMES)
                if name in earlier.measured and index != TIMER_FIELD
            ]
        return median(now) if len(now) >= FEWEST_TO_COMPARE else None


def marks_of(lit: Mapping[int, Lit]) -> Marks:
    """The marks of fields by the names of their places."""
    return {FIELD_NAMES[index]: (each,) for index, each in lit.items()}
