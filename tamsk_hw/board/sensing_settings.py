"""Settings of sensing."""

from dataclasses import dataclass, fields
from itertools import pairwise

from tamsk_hw.errors import SettingError

#: The thresholds that are shares, each below the next.
_SHARES = ("gone", "away", "away_until", "leaning_until", "leaning", "weak", "seated_until", "seated")


@dataclass(frozen=True, slots=True, kw_only=True)
class SensingSettings:
    """Dwell times in seconds and thresholds as shares of a seated glass's calibrated deflection.

    Raises `SettingError` for a time that is not above 0 or not below 60 s, or shares that are not in order.
    """

    glass_dwell: float = 0.030
    """A glass seated or gone; the timer's glass too."""
    lean_dwell: float = 0.250
    """Something leaning: longer, because a glass on its way in or out passes here, and wobbles here as it
    settles."""
    weak_dwell: float = 0.300
    """A glass that is seated if it is a weak one: longer than it takes to put a strong one down."""
    hover_dwell: float = 0.500
    """A glass held above its tube (`away` … `gone`): it has left, though its field is still felt."""
    ring_dwell: float = 0.060
    """A tube's ring count; more rings only where a right to a ring is open."""
    ring_dwell_weak: float = 0.085
    """The same where a ring sensor is weak or not calibrated: there a finger of 45 ms may be seen for 80 ms."""
    ring_dwell_undue: float = 0.450
    """More rings where no right is open: a finger at the tube while a glass is put in or taken out, which takes
    0.1 to 0.3 s, must not count; nobody waits for such a ring."""
    light_dwell: float = 0.200
    """A ring count just after nothing was known of the tube: a lamp's flicker must not count."""
    flicker_dwell: float = 1.0
    """The same where that comes and goes: its seconds in all, with no other reading between."""
    holder_dwell: float = 0.250
    """A ring holder's weight; 8 readings must agree besides."""
    gap_dwell: float = 1.0
    """A gap in a tube's ring code before it is a fault: a ring lowered by hand shows one for a moment."""
    glare_dwell: float = 1.5
    """Unknown ring sensors of a tube before they are a fault: each tells of its signal once a second."""
    glare_clear_dwell: float = 2.0
    """Known ones before that fault is cleared: light may flicker."""
    margin_dwell: float = 5.0
    """Ring sensors that are near to their threshold before that is said."""
    fault_dwell: float = 0.500
    """Any other fault before it is reported, and its absence before it is cleared."""
    glass_first: float = 0.300
    """Longest wait of a ring count for the glass of its tube to settle, so that the seat comes
    first."""
    holder_first: float = 0.600
    """Longest wait of a ring count for the holder that the ring may have come from, from the ring's beginning: 8
    readings take 0.4 s at 20 a second."""
    silence: float = 0.120
    """Time after a snapshot for which its states still count as held; snapshots come every 0.05 s at least."""
    gap_credit: float = 0.010
    """The most that counts as held, of the time between two snapshots of which those between were lost."""

    resume_within: float = 0.25
    """The longest time in which a sensor is not trusted after which a state that had begun goes on."""
    stray_within: float = 0.006
    """The longest time for which a glass that is gone may be felt and still be gone: two readings of noise."""

    seated: float = 0.80
    seated_until: float = 0.70
    weak: float = 0.68
    """From here a glass whose strength nobody knows may be seated; a usual one that leans by 7° reads 0.61."""
    weak_hysteresis: float = 0.02
    leaning: float = 0.30
    leaning_until: float = 0.25
    away: float = 0.15
    away_until: float = 0.20
    gone: float = 0.05

    rail: int = 2
    """A reading this near to 0 or 255 is a broken or shorted sensor."""
    reference_margin: int = 6
    """Allowed deviation of the references from 1/4, 1/2, 3/4 of the supply, in steps."""

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            is_time = each.name not in (*_SHARES, "weak_hysteresis", "rail", "reference_margin")
            if is_time and not 0 < value < 60:
                raise SettingError("sensing", each.name, value, "more than 0, below 60 s")
        for lower, upper in pairwise(_SHARES):
            if not 0 < getattr(self, lower) < getattr(self, upper) < 1:
                allowed = f"more than {lower}, {getattr(self, lower)!r}, and less than 1"
                raise SettingError("sensing", upper, getattr(self, upper), allowed, against=(lower,))
        if not 0 <= self.rail <= 10:
            raise SettingError("sensing", "rail", self.rail, "0 to 10 steps")
        if not 1 <= self.reference_margin <= 30:
            raise SettingError("sensing", "reference_margin", self.reference_margin, "1 to 30 steps")
