"""What the board sounds like: sounds as plain data, and which of them is heard when. Pure: time comes in.

==============  ============================================================================================
violation       two low tones, the second lower: something is to be put right
glass lost      three falling tones
last seconds    a short tick for each of the last five seconds that the 15-second timer leaves
end of the game four rising tones
==============  ============================================================================================

One sound at a time. A more pressing one cuts off the other; a less pressing one waits until it is over, at most
one of each kind and at most `PATIENCE` seconds; a tick never waits, for it would be wrong by then. A sound that is
heard already is not begun again. The end of the game is the last sound of all.

Sounds follow from the same two things as lights and words: the rulings, and the one diagnosis.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import Enum
from math import ceil
from typing import Final, assert_never

from tamsk_hw.panel.diagnosis import TIMER_URGENT_SECONDS, Diagnosis
from tamsk_hw.referee.rulings import (
    ArbiterNeeded,
    Forfeit,
    GameOver,
    GlassDoubtful,
    GlassLost,
    Moved,
    MoveStarted,
    Passed,
    Penalty,
    Restored,
    RingCounted,
    Ruling,
    Setup,
    Skip,
    Started,
    TimerExpired,
    TimerStarted,
    Turn,
    Violation,
    Warned,
)

#: Seconds that a sound waits at most for a more pressing one to be over.
PATIENCE: Final = 2.0


class Sound(Enum):
    """The sounds there are, the most pressing first."""

    GAME_OVER = "game_over"
    VIOLATION = "violation"
    GLASS_LOST = "glass_lost"
    LAST_SECONDS = "last_seconds"


@dataclass(frozen=True, slots=True)
class Tone:
    """``frequency`` in hertz (None: silence) for ``seconds``.

    lgpio makes at most 10 000 Hz, and its tones begin up to 20 ms late: the shortest here is longer than that.
    """

    frequency: float | None
    seconds: float


_PAUSE: Final = Tone(None, 0.04)

#: How each sound goes. Piezo discs are loud from about 500 Hz to 4 kHz; no two sounds share a tune.
TUNES: Final[dict[Sound, tuple[Tone, ...]]] = {
    Sound.GAME_OVER: (
        Tone(1047.0, 0.15),
        _PAUSE,
        Tone(1319.0, 0.15),
        _PAUSE,
        Tone(1568.0, 0.15),
        _PAUSE,
        Tone(2093.0, 0.5),
    ),
    Sound.VIOLATION: (Tone(622.0, 0.2), _PAUSE, Tone(494.0, 0.4)),
    Sound.GLASS_LOST: (Tone(1568.0, 0.15), _PAUSE, Tone(1175.0, 0.15), _PAUSE, Tone(880.0, 0.3)),
    Sound.LAST_SECONDS: (Tone(2637.0, 0.07),),
}

#: All of them.
EVERY_SOUND: Final = frozenset(Sound)

_PRESSING: Final = {sound: place for place, sound in enumerate(Sound)}


def length(sound: Sound) -> float:
    """How long a sound lasts, in seconds."""
    return sum(tone.seconds for tone in TUNES[sound])


def _sound(ruling: Ruling) -> Sound | None:
    """The sound of a ruling, if it has one."""
    match ruling:
        case GameOver():
            return Sound.GAME_OVER
        case Violation():
            return Sound.VIOLATION
        case GlassLost():
            return Sound.GLASS_LOST
        case (
            Setup()
            | Started()
            | Turn()
            | MoveStarted()
            | Moved()
            | RingCounted()
            | Passed()
            | GlassDoubtful()
            | TimerStarted()
            | TimerExpired()
            | Forfeit()
            | Penalty()
            | Skip()
            | Restored()
            | Warned()
            | ArbiterNeeded()
        ):
            return None
        case _:
            assert_never(ruling)


class Sounds:
    """Plays the sounds of one board; ``wanted`` are those that are heard at all, none of them when it is empty.

    Times ``t`` are the listeners' own, in seconds from any origin and never going back: game time may run faster.
    """

    def __init__(self, wanted: Collection[Sound] = EVERY_SOUND) -> None:
        self._wanted = frozenset(wanted)
        self._playing: Sound | None = None
        self._begun = 0.0
        self._waiting: dict[Sound, float] = {}
        # The whole seconds that the 15-second timer had left when it was last looked at.
        self._seconds_left = float("inf")

    def hear(self, rulings: Iterable[Ruling], diagnosis: Diagnosis | None, t: float) -> None:
        """Take what was ruled since the last call, and the present diagnosis (None: nothing new)."""
        for ruling in rulings:
            sound = _sound(ruling)
            if sound is not None:
                self._ask(sound, t)
        if diagnosis is not None:
            self._count(diagnosis, t)

    def play(self, sound: Sound, t: float) -> None:
        """Play one sound, wanted or not, for who wants to hear it."""
        self._playing, self._begun = sound, t

    @property
    def is_playing(self) -> bool:
        """A sound was going on as of the last `tone_at`, be it in a pause between its tones."""
        return self._playing is not None

    def tone_at(self, t: float) -> float | None:
        """The frequency to sound at ``t`` in hertz, None for silence."""
        self._move_on(t)
        if self._playing is None:
            return None
        within = t - self._begun
        for tone in TUNES[self._playing]:
            if within < tone.seconds:
                return tone.frequency
            within -= tone.seconds
        return None

    def _count(self, diagnosis: Diagnosis, t: float) -> None:
        """A tick for each second that begins among the timer's last."""
        timer = diagnosis.timer
        if timer is None:
            self._seconds_left = float("inf")
            return
        left = ceil(timer.seconds)
        if left < self._seconds_left and 0 < left <= TIMER_URGENT_SECONDS:
            self._ask(Sound.LAST_SECONDS, t)
        self._seconds_left = left

    def _ask(self, sound: Sound, t: float) -> None:
        """Somebody should hear this sound from ``t`` on."""
        if sound not in self._wanted:
            return
        self._move_on(t)
        playing = self._playing
        if playing is Sound.GAME_OVER or playing is sound:
            return
        if playing is None or _PRESSING[sound] < _PRESSING[playing]:
            self._playing, self._begun = sound, t
            if sound is Sound.GAME_OVER:
                self._waiting.clear()
        elif sound is not Sound.LAST_SECONDS:
            self._waiting.setdefault(sound, t)

    def _move_on(self, t: float) -> None:
        """End the sound that is over at ``t``, and begin the most pressing one that waits."""
        while self._playing is not None and t >= (over := self._begun + length(self._playing)):
            self._playing = None
            for sound in sorted(self._waiting, key=_PRESSING.__getitem__):
                if self._waiting.pop(sound) + PATIENCE >= over:
                    # Nobody called meanwhile when this comes late; the sound is heard whole all the same.
                    self._playing, self._begun = sound, t
                    break
