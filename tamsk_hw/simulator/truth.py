"""The true history of a simulated board, by which tests judge the code under test.

Every entry has ``t``, simulated seconds since the world began, and is appended when it happens, so the times never
decrease. Sensing and referee never see it.
"""

from dataclasses import dataclass

from tamsk_hw.errors import TamskError
from tamsk_hw.game.tubes import End, Player, Tube
from tamsk_hw.referee.events import ButtonName, Press
from tamsk_hw.simulator.glasses import WorldGlass


class WorldError(TamskError):
    """A request to the simulated world that is physically impossible."""


@dataclass(frozen=True, slots=True)
class Truth:
    """Something that happened at ``t``."""

    t: float


@dataclass(frozen=True, slots=True)
class BaseAct(Truth):
    """Something that ``player`` did."""

    player: Player


@dataclass(frozen=True, slots=True)
class GlassLifted(BaseAct):
    """A glass began to rise out of a tube where it stood or leaned (first millimetre)."""

    glass: WorldGlass
    tube: Tube


@dataclass(frozen=True, slots=True)
class GlassSeated(BaseAct):
    """A glass came to rest on the bottom of a tube; the bounce before it took up to 0.25 s.

    ``end_down`` is the end that is down now, ``turned`` whether that differs from the end down when it last
    stood or leaned in a tube (false for a glass from the box).
    """

    glass: WorldGlass
    tube: Tube
    end_down: End
    turned: bool


@dataclass(frozen=True, slots=True)
class GlassLeaning(BaseAct):
    """A glass stays half in a tube or half out of it, and will stay so until lifted or straightened."""

    glass: WorldGlass
    tube: Tube


@dataclass(frozen=True, slots=True)
class GlassRanOut(Truth):
    """The upper part of a glass has run empty, in a tube (``tube``) or in the hand (None)."""

    glass: WorldGlass
    tube: Tube | None


@dataclass(frozen=True, slots=True)
class HolderChanged(Truth):
    """Rings were taken out of ``player``'s holder or laid into it; ``left`` are in it now."""

    player: Player
    left: int


@dataclass(frozen=True, slots=True)
class RingDropped(BaseAct):
    """A ring came to rest on a tube; ``count`` rings lie there now."""

    tube: Tube
    count: int


@dataclass(frozen=True, slots=True)
class RingLifted(BaseAct):
    """The top ring of a tube began to leave it; ``count`` rings are left there."""

    tube: Tube
    count: int


@dataclass(frozen=True, slots=True)
class TimerTaken(BaseAct):
    """The 15-second glass left its cradle; ``was_empty``: its upper part had run out by then."""

    was_empty: bool


@dataclass(frozen=True, slots=True)
class TimerSet(BaseAct):
    """The 15-second glass came to rest in its cradle.

    ``turned``: other end down than before it was lifted. ``was_empty``: the upper part was empty when it was
    lifted (false when it came from the box).
    """

    end_down: End
    turned: bool
    was_empty: bool


@dataclass(frozen=True, slots=True)
class TimerRanOut(Truth):
    """The upper part of the 15-second glass has run empty."""


@dataclass(frozen=True, slots=True)
class ButtonPressed(Truth):
    """A button was let go after a short press, or held long enough for a long one."""

    button: ButtonName
    press: Press
