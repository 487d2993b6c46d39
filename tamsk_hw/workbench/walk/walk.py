"""A guided walk, as `tamsk_hw.workbench.walk.leading` leads it and as screens show it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rich.text import Text

from tamsk_hw.board.link_events import LinkEvent, LinkStatistics
from tamsk_hw.panel.hardware import PanelNotice
from tamsk_hw.panel.sounds import Sound, Sounds
from tamsk_hw.referee.events import Button, ButtonName
from tamsk_hw.words.hardware import panel_words
from tamsk_hw.workbench.listening import BoardState
from tamsk_hw.workbench.walk.prompt import Note, NoteKind

#: The sound of each kind of note that is heard.
_SOUNDS: Final = {NoteKind.TAKEN: Sound.LAST_SECONDS, NoteKind.WARNING: Sound.VIOLATION}


@dataclass(frozen=True, slots=True)
class Spoken:
    """A walk's prompt in lines.

    ``task``: what to do; ``notice``: what was noticed last; ``trouble``: what is in the way.
    """

    task: tuple[str, ...]
    notice: str = ""
    trouble: str = ""


class Walk:
    """A guided walk. Times are seconds of one clock that never goes back. The defaults do nothing."""

    #: On a terminal each key is an answer by itself.
    single_keys = False

    #: Somebody must be able to press or type something; without that the walk is refused.
    must_be_led = True

    def __init__(self) -> None:
        self.board = BoardState()
        self.can_type = True
        """More may be typed."""
        self._notes: list[Note] = []
        self._sounds = Sounds()

    @property
    def over(self) -> bool:
        """The walk has ended, completed or not."""
        raise NotImplementedError

    # ---- what comes in

    def hear(self, event: LinkEvent, t: float) -> None:
        """Take what the link reports. Raises `LinkError` for a board that the walk cannot begin with."""
        raise NotImplementedError

    def count(self, statistics: LinkStatistics) -> None:
        """Take the link's counters as they stand."""

    def press(self, button: Button, t: float) -> None:
        """Take the press of a button."""
        raise NotImplementedError

    def hold(self, held: frozenset[ButtonName], t: float) -> None:
        """Take which buttons are down."""

    def typed(self, text: str, t: float) -> None:
        """Take a line that was typed, or a key."""
        raise NotImplementedError

    def panel_reports(self, notice: PanelNotice) -> None:
        """Take what the panel's hardware reports."""
        self.say(panel_words(notice))

    def advance(self, t: float) -> None:
        """Time has passed to ``t``."""
        raise NotImplementedError

    # ---- what comes out

    def self_test_due(self, t: float) -> bool:
        """True when the board is to test its ring sensors now; asked for once."""
        return False

    def take_notes(self) -> list[Note]:
        """The notes since the last call."""
        notes, self._notes = self._notes, []
        return notes

    def spoken(self, t: float) -> Spoken:
        """The prompt at ``t`` in lines."""
        raise NotImplementedError

    def picture(self, t: float, notes: Sequence[Note], typed: str) -> Text:
        """The prompt at ``t`` as a picture. ``notes``: the last ones, the newest at the end."""
        raise NotImplementedError

    def lights(self, t: float) -> bytes:
        """The lights at ``t``: three bytes a pixel, within the configured current."""
        raise NotImplementedError

    def tone(self, t: float) -> float | None:
        """The buzzer's tone at ``t`` in hertz, None for silence."""
        return self._sounds.tone_at(t)

    # ---- for the walks themselves

    def say(self, words: str, kind: NoteKind = NoteKind.PLAIN) -> None:
        """Keep a note for the screen."""
        self._notes.append(Note(words, kind))

    def sound(self, kind: NoteKind, t: float) -> None:
        """Let a kind of note be heard."""
        if kind in _SOUNDS:
            self._sounds.play(_SOUNDS[kind], t)
