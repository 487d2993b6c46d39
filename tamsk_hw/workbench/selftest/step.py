"""What the steps of ``tamsk-hw selftest`` have in common: parts, answers, prompts, and the board as it is known.

A step is a state machine without clock and hardware: snapshots, presses, keys and the time (seconds of one clock
that never goes back) come in; a prompt for the screen, a picture for the lights, a tone and findings come out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import ClassVar, Final

from tamsk_hw.board.calibration_file import KnownCalibration
from tamsk_hw.board.link import LinkStatistics
from tamsk_hw.board.protocol.messages import Hello, SelfTestReport, Snapshot
from tamsk_hw.board.wiring import Wiring
from tamsk_hw.configuration import Configuration
from tamsk_hw.game.players import PLAYERS
from tamsk_hw.game.tubes import TUBES
from tamsk_hw.panel.lights import capped
from tamsk_hw.panel.palette import DARK, Palette
from tamsk_hw.referee.events import Button, ButtonName, Press
from tamsk_hw.workbench.doctor.checks import Finding, Verdict

#: Seconds after which a question that nobody answers is given up.
PATIENCE: Final = 60.0

#: Seconds without anything new after which a live step is given up.
IDLE: Final = 120.0

#: Names that a line of findings lists before it only counts.
_LISTED = 12


class Part(Enum):
    """What can be tested, in the order in which it is."""

    BOARD = "board"
    LIGHTS = "lights"
    BUZZER = "buzzer"
    BUTTONS = "buttons"
    RINGS = "rings"
    GLASSES = "glasses"
    HOLDERS = "holders"


#: Parts that are on the controller's side of the line.
ON_THE_BOARD: Final = frozenset({Part.BOARD, Part.RINGS, Part.GLASSES, Part.HOLDERS})


class Answer(Enum):
    """What a person may say, by key or by the start button (short: yes, long: no)."""

    YES = "yes"
    NO = "no"
    BACK = "back"
    SKIP = "skip"
    QUIT = "quit"


class Mark(Enum):
    """How far one pixel, one ring sensor or one end of a glass has come."""

    WAITING = "waiting"
    NOW = "now"
    GOOD = "good"
    BAD = "bad"


#: Marks by the name of their place: a tube's (``"D4"``), ``"timer"``, ``"red 1"``.
Marks = Mapping[str, tuple[Mark, ...]]

TIMER_NAME: Final = "timer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """What is shown now.

    ``answers``: what each answer means here; ``progress`` counts; ``notice``: what was noticed last; ``trouble``:
    why nothing comes from the board; ``keys_only``: the start button gives no answer.
    """

    part: Part
    title: str
    words: str
    answers: Mapping[Answer, str] = field(default_factory=dict)
    marks: Marks = field(default_factory=dict)
    progress: str = ""
    notice: str = ""
    trouble: str = ""
    keys_only: bool = False


@dataclass(slots=True, kw_only=True)
class Bench:
    """What is tested, and what is known of it now. The steps read it; `SelfTest` keeps it up to date.

    ``hands``: a person is there to do as told. ``keys``: answers may come from a keyboard. ``troubles``: parts and
    buttons that cannot be used, in words. ``held``: buttons that are down, and since when. ``wants_sweep``: a step
    asks for the board's own self-test.
    """

    configuration: Configuration
    wiring: Wiring
    known: KnownCalibration
    hands: bool = True
    keys: bool = True
    hello: Hello | None = None
    snapshot: Snapshot | None = None
    connected: bool = False
    statistics: LinkStatistics = field(default_factory=LinkStatistics)
    troubles: dict[Part | ButtonName, str] = field(default_factory=dict)
    held: dict[ButtonName, float] = field(default_factory=dict)
    wants_sweep: bool = False

    @property
    def can_answer(self) -> bool:
        """Somebody can be asked."""
        return self.keys or self.start_answers

    @property
    def start_answers(self) -> bool:
        """The start button can be used."""
        return self.configuration.buttons.enabled and not self.troubles.keys() & {Part.BUTTONS, ButtonName.START}

    @property
    def palette(self) -> Palette:
        """The configured colours."""
        return self.configuration.lights.palette


class Step:
    """One part's test. ``over``: it has come to its end; ``left``: why it was left before that."""

    part: ClassVar[Part]

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.over = False
        self.left: str | None = None
        self.since = 0.0
        """When something last came about: the step's patience counts from here."""

    def begin(self, t: float) -> None:
        """The step begins."""
        self.since = t

    def see(self, snapshot: Snapshot, t: float) -> None:
        """The board at ``t``."""

    def report(self, report: SelfTestReport, t: float) -> None:
        """The board's own self-test, asked for by `Bench.wants_sweep`, has ended."""

    def press(self, button: Button, t: float) -> None:
        """A button was pressed: start answers."""
        if button.button is ButtonName.START:
            self.answer(Answer.YES if button.press is Press.SHORT else Answer.NO, t)

    def answer(self, answer: Answer, t: float) -> None:
        """Somebody answers; never `Answer.SKIP` or `Answer.QUIT`, which are `SelfTest`'s own."""

    def advance(self, t: float) -> None:
        """Time has passed to ``t``."""

    def leave(self, reason: str) -> None:
        """End before the end."""
        self.left, self.over = reason, True

    def prompt(self) -> Prompt:
        """What is shown now."""
        raise NotImplementedError

    def picture(self, t: float) -> bytes:
        """What the lights show at ``t``: three bytes a pixel, within the configured current."""
        return marked_picture(self.bench, self.prompt().marks)

    def tone(self, t: float) -> float | None:
        """What the buzzer sounds at ``t``: hertz, None for silence."""
        return None

    def findings(self) -> list[Finding]:
        """What was found, once it is over."""
        raise NotImplementedError

    def unfinished(self) -> list[Finding]:
        """A line that says that the step was left, if it was."""
        if self.left is None:
            return []
        return [warning(self.part.value, f"not tested to the end: {self.left}", "run this part again")]

    def give_up_when_nobody_answers(self, t: float) -> bool:
        """Leave the step when nobody can answer, or nobody has for `PATIENCE` seconds; whether it was left."""
        if not self.bench.can_answer:
            self.leave("there are neither keys nor buttons to answer with")
        elif t >= self.since + PATIENCE:
            self.leave(f"nobody answered for {PATIENCE:g} s")
        return self.over


class AskingStep(Step):
    """A step of questions about a part that may fail by itself, which ends it."""

    def advance(self, t: float) -> None:
        """A driver that fails ends the step; so does nobody who answers."""
        if not self.over and self.part in self.bench.troubles:
            self.over = True
        elif not self.over:
            self.give_up_when_nobody_answers(t)


def ok(subject: str, words: str) -> Finding:
    """Nothing to do."""
    return Finding(subject, Verdict.OK, words)


def warning(subject: str, words: str, advice: str) -> Finding:
    """Something to look at."""
    return Finding(subject, Verdict.WARNING, words, advice)


def problem(subject: str, words: str, advice: str) -> Finding:
    """Something that must be mended."""
    return Finding(subject, Verdict.PROBLEM, words, advice)


def listed(names: Iterable[str]) -> str:
    """Names one after the other; of very many the first and how many more there are."""
    names = list(names)
    if len(names) <= _LISTED:
        return " ".join(names)
    return f"{' '.join(names[:_LISTED])} and {len(names) - _LISTED} more"


def broken(subject: str, trouble: str) -> Finding:
    """What a driver complains of: ``"cannot be opened: why"``, or ``"cannot be opened: why: what to do"``."""
    what, _, rest = trouble.partition(": ")
    why, _, advice = rest.rpartition(": ")
    if why:
        return problem(subject, f"{what}: {why}", advice)
    return problem(subject, trouble, "tamsk-hw doctor tells more")


def pixel_names(wiring: Wiring) -> dict[str, int]:
    """The pixel of every place: the fitted tubes in board order, the timer, each player's two."""
    pixels = {tube.name: pixel for tube in TUBES if (pixel := wiring.tube_pixels[tube]) is not None}
    pixels[TIMER_NAME] = wiring.timer_pixel
    for player in PLAYERS:
        for place, pixel in enumerate(wiring.player_pixels[player], start=1):
            pixels[f"{player} {place}"] = pixel
    return pixels


def marked_picture(bench: Bench, marks: Marks) -> bytes:
    """A place that is felt now is white, one with something wrong violet, one that is done green, half amber."""
    palette = bench.palette
    picture = bytearray(3 * bench.wiring.pixel_count)
    pixels = pixel_names(bench.wiring)
    for name, found in marks.items():
        if Mark.NOW in found:
            colour = palette.ring
        elif Mark.BAD in found:
            colour = palette.wrong
        elif all(mark is Mark.GOOD for mark in found):
            colour = palette.destination
        else:
            colour = palette.doubtful if Mark.GOOD in found else DARK
        start = 3 * pixels[name]
        picture[start : start + 3] = bytes(colour)
    return capped(bytes(picture), bench.configuration.lights.milliamps)
