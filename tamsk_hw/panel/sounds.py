"""The sounds of the board, as plain data, and their order. Pure: time comes in as an argument.

==============  ============================================================================================
violation       two low tones, the second lower: something is to be put right
glass lost      three falling tones
last seconds    a short tick for each of the last five seconds that the 15-second timer leaves
end of the game four rising tones
==============  ============================================================================================

One sound is heard at a time. A more urgent one cuts off the other. A less urgent one waits until the other is
over, at most one of each kind and at most `PATIENCE` seconds; a tick never waits, since it would be wrong by then.
A sound does not start again while it is heard. The end of the game is the last sound.

Sounds follow from the rulings and from the diagnosis.
"""

from collections.abc import Collection, Iterable
from enum import Enum
from typing import Final

from tamsk_hw.panel.diagnosis import TIMER_URGENT_SECONDS, Diagnosis, whole_seconds
from tamsk_hw.referee.rulings import GameOver, GlassLost, Ruling, Violation

#: The longest time that a sound waits for a more urgent one (seconds).
PATIENCE: Final = 2.0


class Sound(Enum):
    """The sounds, the most urgent first."""

    GAME_OVER = "game_over"
    VIOLATION = "violation"
    GLASS_LOST = "glass_lost"
    LAST_SECONDS = "last_seconds"


#: A frequency in hertz (None: silence) and its seconds. lgpio makes at most 10 000 Hz and starts tones up to 20 ms
#: late; all tones here are longer than that.
Tone = tuple[float | None, float]

_PAUSE: Final[Tone] = (None, 0.04)

#: The tones of each sound. Piezo discs are loud from about 500 Hz to 4 kHz; no two sounds share a tune.
TUNES: Final[dict[Sound, tuple[Tone, ...]]] = {
    Sound.GAME_OVER: ((1047.0, 0.15), _PAUSE, (1319.0, 0.15), _PAUSE, (1568.0, 0.15), _PAUSE, (2093.0, 0.5)),
    Sound.VIOLATION: ((622.0, 0.2), _PAUSE, (494.0, 0.4)),
    Sound.GLASS_LOST: ((1568.0, 0.15), _PAUSE, (1175.0, 0.15), _PAUSE, (880.0, 0.3)),
    Sound.LAST_SECONDS: ((2637.0, 0.07),),
}

#: All of them.
EVERY_SOUND: Final = frozenset(Sound)

_PRESSING: Final = {sound: place for place, sound in enumerate(Sound)}


def length(sound: Sound) -> float:
    """The length of a sound in seconds."""
    return sum(seconds for _, seconds in TUNES[sound])


_OF_RULING: Final[dict[type, Sound]] = {
    GameOver: Sound.GAME_OVER,
    Violation: Sound.VIOLATION,
    GlassLost: Sound.GLASS_LOST,
}


class Sounds:
    """Plays the sounds of one board, those in ``wanted`` only.

    Times ``t`` are the listeners' own (seconds, any origin, never going back), as game time may run faster.
    """

    def __init__(self, wanted: Collection[Sound] = EVERY_SOUND) -> None:
        self._wanted = frozenset(wanted)
        self._playing: Sound | None = None
        self._begun = 0.0
        self._waiting: dict[Sound, float] = {}
        # Whole seconds left on the 15-second timer at the last call.
        self._seconds_left = float("inf")

    def feed(self, rulings: Iterable[Ruling], diagnosis: Diagnosis | None, t: float) -> None:
        """Take the rulings since the last call, and the present diagnosis (None: unchanged)."""
        for ruling in rulings:
            if type(ruling) in _OF_RULING:
                self._ask(_OF_RULING[type(ruling)], t)
        if diagnosis is not None:
            self._count(diagnosis, t)

    def play(self, sound: Sound, t: float) -> None:
        """Play one sound, even one that is not wanted."""
        self._playing, self._begun = sound, t

    @property
    def is_playing(self) -> bool:
        """True while a sound, pauses included, was playing at the last `tone_at`."""
        return self._playing is not None

    def tone_at(self, t: float) -> float | None:
        """The frequency at ``t`` in hertz, None for silence."""
        self._move_on(t)
        if self._playing is None:
            return None
        within = t - self._begun
        for frequency, seconds in TUNES[self._playing]:
            if within < seconds:
                return frequency
            within -= seconds
        return None

    def _count(self, diagnosis: Diagnosis, t: float) -> None:
        """Ask for a tick when one of the timer's last seconds begins."""
        timer = diagnosis.timer
        if timer is None:
            self._seconds_left = float("inf")
            return
        left = whole_seconds(timer.seconds)
        if left < self._seconds_left and 0 < left <= TIMER_URGENT_SECONDS:
            self._ask(Sound.LAST_SECONDS, t)
        self._seconds_left = left

    def _ask(self, sound: Sound, t: float) -> None:
        """Play a sound from ``t`` on, or let it wait."""
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
        """End a sound that is over at ``t``, and begin the most urgent one that waits."""
        while self._playing is not None and t >= (over := self._begun + length(self._playing)):
            self._playing = None
            for sound in sorted(self._waiting, key=_PRESSING.__getitem__):
                if self._waiting.pop(sound) + PATIENCE >= over:
                    # A late call must not shorten the sound.
                    self._playing, self._begun = sound, t
                    break
