"""The state of each glass while it is timed, and its view for the screen. No I/O, no clock."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

from tamsk_hw.game.sand import Sand
from tamsk_hw.game.tubes import End
from tamsk_hw.workbench.glass_calibration.figures import TIMER

#: Seconds that a glass and the timer run when nothing better is known (R6.1).
NOMINAL: Final = 180.0
NOMINAL_TIMER: Final = 15.0

#: The share by which a run may exceed its expectation before its sand is certainly down.
CERTAIN: Final = 0.25

#: Most seconds in the hand, from lift to seat, of a turning that begins a run: the sand begins to run somewhere in
#: between.
MOST_HELD: Final = 3.5
MOST_HELD_TIMER: Final = 2.0


class GlassStanding(Enum):
    """The place and the sand of a glass."""

    MISSING = "missing"  #: has not been seen on its tube
    HAND = "in the hand"
    LEANING = "leaning"
    UNKNOWN = "runs, not timed"  #: stands; where its sand is nobody knows, or it did not start from full
    DOWN = "run down"
    RUNNING = "running"  #: from full, timed


@dataclass(frozen=True, slots=True)
class Expectation:
    """The expected duration of a run: ``seconds``, give or take ``share`` of it."""

    seconds: float
    share: float

    def window(self) -> tuple[float, float]:
        """The least and the most seconds after the middle of its turning at which its last grain is expected."""
        return self.seconds * (1 - self.share) - 0.5, self.seconds * (1 + self.share) + 0.5


@dataclass(frozen=True, slots=True)
class Turning:
    """The turning that began a run: ``end`` is down; lifted and seated at these host seconds."""

    end: End
    lifted: float
    seated: float

    @property
    def middle(self) -> float:
        """The best estimate of when the sand began to run."""
        return (self.lifted + self.seated) / 2


@dataclass(slots=True)
class TimedGlass:
    """One glass.

    ``sand`` is None until it has been seen. ``start``: it makes a run that counts. ``away_since``: it left its
    tube then; ``down_when_lifted``: it was run down. ``leaning_since``: it leans. ``lifted_run``: the run that was
    ended by lifting the glass about when its last grain should fall, uncalled, and when that was. ``hand``: when
    it was last lifted and seated, and whether it was turned over. ``moves`` counts lifts and seatings.
    """

    name: str
    durations: tuple[float, float]
    sand: Sand | None = None
    start: Turning | None = None
    away_since: float | None = None
    down_when_lifted: bool = False
    leaning_since: float | None = None
    lifted_run: tuple[Turning, float] | None = None
    hand: tuple[float, float, bool] = (0.0, 0.0, False)
    moves: int = 0

    @property
    def most_held(self) -> float:
        """The longest turning that begins a run, in seconds."""
        return MOST_HELD_TIMER if self.name == TIMER else MOST_HELD

    def seen(self, end: End, t: float) -> None:
        """Note that it stands, its sand unknown."""
        self.sand = Sand(0.0, 1.0, end, t, True, self.durations, CERTAIN)

    def run_down(self, t: float) -> None:
        """Note that its sand is down at ``t``."""
        assert self.sand is not None
        sand = self.sand
        self.sand = Sand(0.0, 0.0, sand.end, max(t, sand.since), sand.standing, self.durations, CERTAIN)

    def is_down(self, t: float) -> bool:
        """All its sand is certainly below."""
        return self.sand is not None and self.sand.above(max(t, self.sand.since))[1] <= 0

    def standing(self, t: float) -> GlassStanding:
        """Its standing at ``t``."""
        if self.away_since is not None:
            return GlassStanding.HAND
        if self.leaning_since is not None:
            return GlassStanding.LEANING
        if self.sand is None:
            return GlassStanding.MISSING
        if self.start is not None:
            return GlassStanding.RUNNING
        return GlassStanding.DOWN if self.is_down(t) else GlassStanding.UNKNOWN


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedGlassView:
    """Everything shown of one glass.

    ``end`` is down. ``left``: seconds until its last grain is expected, below 0 when it is overdue; None when it
    makes no run that counts. ``needs``: runs still wanted with that end down. ``expected_next``: the first to end.
    ``selected``: by the buttons. ``in_question``: an unanswered call may be its.
    """

    name: str
    standing: GlassStanding
    end: End | None
    left: float | None
    needs: Mapping[End, int]
    expected_next: bool
    selected: bool
    in_question: bool

    @property
    def turning_helps(self) -> bool:
        """It is run down, and turned over it would make a run that is wanted."""
        return self.standing is GlassStanding.DOWN and self.end is not None and self.needs[self.end.other] > 0

    @property
    def is_complete(self) -> bool:
        """Nothing more is wanted of it."""
        return not any(self.needs.values())
