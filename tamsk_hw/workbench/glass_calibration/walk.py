"""The timing of the glasses as a walk: link events through sensing to `GlassTiming`, and how it is shown."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from tamsk_hw.board.link_events import Connected, LinkEvent, Lost, NoAnswer, Refused, SnapshotArrived, Unreachable
from tamsk_hw.board.sensing import Sensing
from tamsk_hw.board.sensor_report import SensorReport
from tamsk_hw.referee.events import Button
from tamsk_hw.words.hardware import link_error, link_words
from tamsk_hw.words.simulated import as_event
from tamsk_hw.workbench.glass_calibration.lights import glass_pixels
from tamsk_hw.workbench.glass_calibration.picture import glass_picture, prompt
from tamsk_hw.workbench.glass_calibration.session import GlassTiming, TimingPhase
from tamsk_hw.workbench.listening import Board
from tamsk_hw.workbench.walk.prompt import Note, NoteKind
from tamsk_hw.workbench.walk.walk import Spoken, Walk


class GlassWalk(Walk):
    """Hands the board's events and the person's actions on to ``timing``."""

    def __init__(self, timing: GlassTiming, board: Board, port: str) -> None:
        super().__init__()
        self._timing = timing
        self._setup = board
        self._port = port
        self._sensing = Sensing(board.wiring, board.known.calibration, board.configuration.sensing, False)
        self._sensed_to = float("-inf")

    @property
    def over(self) -> bool:
        """There are enough runs, or the person ended the timing."""
        return self._timing.phase is TimingPhase.DONE

    # ---- what comes in

    def hear(self, event: LinkEvent, t: float) -> None:
        """Take what the link reports. Raises `LinkError` for a board that cannot be used, before one ever was."""
        self.board.hear(event)
        self._sensed_to = sensed_at = max(event.time, self._sensed_to)
        match event:
            case SnapshotArrived():
                self._hand_on(self._sensing.feed(event.snapshot, sensed_at, event.missed))
            case Connected():
                self._timing.link_restored(event.time)
                self._hand_on(self._sensing.link_restored(sensed_at))
                self.say("The board is connected.")
            case Lost(_, reason, last_heard):
                self._timing.link_lost(last_heard)
                self._hand_on(self._sensing.link_lost(sensed_at))
                self.say(f"The board is out of reach: {link_words(reason)}.", NoteKind.WARNING)
            case Refused(_, reason) | Unreachable(_, reason):
                if self.board.hello is None and not isinstance(reason, NoAnswer):
                    raise link_error(reason)
                self.say(link_words(reason), NoteKind.WARNING)
            case _:
                pass

    def _hand_on(self, sensed: Sequence[SensorReport]) -> None:
        for each in sensed:
            self._timing.handle(as_event(each))

    def press(self, button: Button, t: float) -> None:
        """Take the press of a button."""
        self._timing.press(button)

    def typed(self, text: str, t: float) -> None:
        """Take a line that was typed."""
        self._timing.typed(text, t)

    def advance(self, t: float) -> None:
        """Time has passed to ``t``."""
        self._timing.advance(t)

    # ---- what comes out

    def take_notes(self) -> list[Note]:
        """The notes since the last call."""
        return [*super().take_notes(), *self._timing.take_notes()]

    def spoken(self, t: float) -> Spoken:
        """The prompt as a line."""
        return Spoken((" ".join(prompt(self._timing)),))

    def picture(self, t: float, notes: Sequence[Note], typed: str) -> Text:
        """The glasses as they are now."""
        return glass_picture(self._timing, notes, t, f"board at {self._port}", typed)

    def lights(self, t: float) -> bytes:
        """The lights at ``t``."""
        timing, lights = self._timing, self._setup.configuration.lights
        return glass_pixels(
            timing.views(t),
            timing.elsewhere,
            timing.phase,
            t,
            self._setup.wiring,
            lights.palette,
            lights.milliamps,
            connected=self.board.connected,
        )
