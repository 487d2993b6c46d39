"""A recorded stream in the terminal's picture: where it stands, the keys that move it, and how it is shown."""

from __future__ import annotations

from typing import Final

from tamsk_hw.panel.diagnosis import diagnose
from tamsk_hw.panel.prompts import LEFT, RIGHT, Ways
from tamsk_hw.referee.playback import SPEEDS, Moment, Playback
from tamsk_hw.referee.sheet import plies
from tamsk_hw.terminal.picture import Scene
from tamsk_hw.words.replaying import replay_keys, replay_words
from tamsk_hw.words.rulings import line

#: Rulings of which the picture is given the words: more than a terminal has rows.
_RECENT: Final = 100


class Replay:
    """The place in a recorded stream. Times ``now`` are real seconds, ``t`` the stream's."""

    def __init__(self, playback: Playback, now: float) -> None:
        self.playback = playback
        self.t = playback.begins
        self.speed = SPEEDS[0]
        self.is_paused = False
        self.is_left = False
        """The person at the keys wants to end."""
        self._now = now

    def advance(self, now: float) -> None:
        """Real time has passed to ``now``; at its end the stream stands still."""
        if not self.is_paused:
            self.t = min(self.playback.ends, self.t + (now - self._now) * self.speed)
            self.is_paused = self.t >= self.playback.ends
        self._now = now

    def press(self, key: str) -> None:
        """Do what a key says: see `replay_keys`. Others do nothing."""
        match key:
            case " ":
                if self.is_paused and self.t >= self.playback.ends:
                    self.t = self.playback.begins
                self.is_paused = not self.is_paused
            case _ if key == RIGHT:
                self._step(self.playback.next_moment(self.t))
            case _ if key == LEFT:
                self._step(self.playback.previous_moment(self.t))
            case "+" | "=":
                self.speed = next((each for each in SPEEDS if each > self.speed), self.speed)
            case "-":
                self.speed = next((each for each in reversed(SPEEDS) if each < self.speed), self.speed)
            case "q":
                self.is_left = True

    def _step(self, moment: Moment | None) -> None:
        """Stand still at a moment, if there is one."""
        self.is_paused = True
        if moment is not None:
            self.t = moment.t

    def scene(self) -> Scene:
        """The contents of the picture."""
        view = self.playback.at(self.t)
        rulings = self.playback.rulings_to(self.t)
        return Scene(
            view=view,
            diagnosis=diagnose(view, ways=Ways(demo=True)),
            recent=[line(ruling) for ruling in rulings[-_RECENT:]],
            plies=plies(rulings),
            speed=self.speed,
            board=replay_words(self.playback.ends, is_paused=self.is_paused),
            keys=replay_keys(),
        )
