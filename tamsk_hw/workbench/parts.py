"""Parts of ``tamsk-hw selftest``: the base of the steps that test them, and those of the panel."""

from collections.abc import Iterable
from enum import Enum
from typing import ClassVar, Final

from tamsk_hw.board.wiring import Expected
from tamsk_hw.errors import Finding, Severity
from tamsk_hw.game.tubes import Tube
from tamsk_hw.panel.hardware import ButtonStuck, PanelFailed
from tamsk_hw.panel.lights import Colour, pixel_names
from tamsk_hw.panel.outputs import SPI_LIGHTS_GPIO, LightRoute
from tamsk_hw.panel.sounds import Sound, length
from tamsk_hw.referee.events import Button, ButtonName, Press
from tamsk_hw.words.hardware import driver_advice, driver_cause, failure_words
from tamsk_hw.words.translating import some_of
from tamsk_hw.workbench.board import Board
from tamsk_hw.workbench.findings import OK, PROBLEM, WARNING
from tamsk_hw.workbench.walk import Answer, Mark, Marks, Prompt, Step, Walk, coloured, prompt_lights

#: Seconds after which a question that nobody answers is given up.
PATIENCE: Final = 60.0

#: Seconds without anything new after which a live step is given up.
IDLE: Final = 120.0

#: Seconds within which a connected board must have sent `LEAST_SNAPSHOTS`.
NO_SNAPSHOTS: Final = 10.0

#: Snapshots that a judgement on a board at rest needs.
LEAST_SNAPSHOTS: Final = 10

NOBODY_CAN_ANSWER: Final = "there are neither keys nor buttons to answer with"
SWAPPED_WIRES: Final = "check whether their wires are swapped"


#: The colours of a pixel, one after the other, and the seconds of each.
COLOURS: Final[tuple[Colour, ...]] = ((255, 0, 0), (0, 255, 0), (0, 0, 255))
COLOUR_SECONDS: Final = 0.7

#: After this number of wrong pixels in a row the test stops asking.
MOST_WRONG: Final = 6

#: Seconds of silence before a sound is heard again.
PAUSE: Final = 1.2

#: Seconds to wait for a press.
PRESS_WITHIN: Final = 20.0

#: The sounds by their names, and how each sounds.
_SOUNDS: Final = {
    "end of the game": (Sound.GAME_OVER, "four rising tones"),
    "violation": (Sound.VIOLATION, "two low tones, the second lower"),
    "glass lost": (Sound.GLASS_LOST, "three falling tones"),
    "last seconds": (Sound.LAST_SECONDS, "a short high tick"),
}

_MARKS: Final = {None: Mark.WAITING, True: Mark.SEEN, False: Mark.FAULTY}


class Part(Enum):
    """The parts that can be tested, in the order in which they are."""

    BOARD = "board"
    LIGHTS = "lights"
    BUZZER = "buzzer"
    BUTTONS = "buttons"
    RINGS = "rings"
    GLASSES = "glasses"
    HOLDERS = "holders"
    TUBE = "tube"
    """One finished tube against the calculations; tested only when it is asked for."""


#: Parts that need a person, and parts on the controller's side of the line.
NEED_HANDS: Final = frozenset({Part.LIGHTS, Part.BUZZER, Part.BUTTONS})
ON_THE_BOARD: Final = frozenset({Part.BOARD, Part.RINGS, Part.GLASSES, Part.HOLDERS, Part.TUBE})


#: The tube of the part TUBE, and the readings that the calculations expect of it.
Finished = tuple[Tube, Expected] | None


class Bench(Walk):
    """The walk of a self-test as its steps know it: the board and panel under test, as they are now.

    ``hands``: a person is there.
    """

    def __init__(self, setup: Board, hands: bool, finished: Finished) -> None:
        super().__init__(setup)
        self.configuration, self.wiring, self.known = setup.configuration, setup.wiring, setup.known
        self.hands, self.finished = hands, finished
        self.troubles: dict[Part | ButtonName, PanelFailed | ButtonStuck] = {}
        """Parts and buttons that cannot be used."""

    @property
    def start_answers(self) -> bool:
        """The start button can be used."""
        return self.configuration.buttons.enabled and not self.troubles.keys() & {Part.BUTTONS, ButtonName.START}

    @property
    def can_answer(self) -> bool:
        """Questions can be answered."""
        return self.can_type or self.start_answers


def broken(part: Part | ButtonName, trouble: PanelFailed | ButtonStuck) -> Finding:
    """The finding on a part of the panel, or a button, that cannot be used."""
    subject = f"{part.value} button" if isinstance(part, ButtonName) else part.value
    if isinstance(trouble, ButtonStuck):
        advice = f"check whether it is stuck, or its wires (GPIO{trouble.part.pin} and ground) touch"
        return Finding(PROBLEM, subject, "stays pressed", advice)
    cause = f"{failure_words(trouble)}: {driver_cause(trouble.trouble)}"
    return Finding(PROBLEM, subject, cause, driver_advice(trouble.trouble) or "tamsk-hw doctor says more")


class PartStep(Step):
    """One part's test, which begins at ``t``; over at once when there is nothing to test, ``unused`` says why."""

    part: ClassVar[Part]

    def __init__(self, bench: Bench, t: float, unused: str = "") -> None:
        super().__init__()
        self.bench, self.unused, self.over = bench, unused, bool(unused)
        self.left: str | None = None
        """The reason for which it ended early."""
        self.since = t
        """The time of the last progress: the step's patience counts from here."""

    def on_press(self, button: Button, t: float) -> None:
        """Take the press of a button: start answers."""
        if button.button is ButtonName.START:
            self.answer(Answer.YES if button.press is Press.SHORT else Answer.NO, t)

    def leave(self, because: str) -> None:
        """End the part early."""
        self.left, self.over = because, True

    def has_rested(self, t: float, seconds: float, seen: int) -> bool:
        """True once ``seen`` snapshots of a board at rest are enough; leave the part when too few came in time."""
        if t >= self.since + seconds and seen >= LEAST_SNAPSHOTS:
            return True
        if t >= self.since + NO_SNAPSHOTS:
            self.leave(f"{seen} snapshots came within {NO_SNAPSHOTS:g} s")
        return False

    def give_up_when_nobody_answers(self, t: float, patience: float = PATIENCE) -> None:
        """Leave the step when nobody can answer, or nobody has for ``patience`` seconds."""
        if not self.bench.can_answer:
            self.leave(NOBODY_CAN_ANSWER)
        elif t >= self.since + patience:
            self.leave(f"nobody answered for {patience:g} s")

    def lights(self, t: float) -> bytes:
        """The lights at ``t``: three bytes a pixel, within the configured current."""
        return prompt_lights(self.prompt(), t, self.bench.setup)

    def tone(self, t: float) -> float | None:
        """The buzzer's tone at ``t`` in hertz, None for silence."""
        return None

    def findings(self) -> list[Finding]:
        """The findings, once the step is over."""
        if self.unused:
            return [self.finding(OK, self.unused)]
        found = []
        if self.left is not None:
            found.append(self.finding(WARNING, f"not tested to the end: {self.left}", "run this part again"))
        if (trouble := self.bench.troubles.get(self.part)) is not None:
            found.append(broken(self.part, trouble))
        return self.judge(found)

    def judge(self, found: list[Finding]) -> list[Finding]:
        """``found`` with the judgement on the tested things added."""
        raise NotImplementedError

    def finding(self, severity: Severity, cause: str, advice: str = "") -> Finding:
        """A finding on this part."""
        return Finding(severity, self.part.value, cause, advice)

    def about(self, severity: Severity, names: str, cause: str, advice: str) -> list[Finding]:
        """The finding on the sensors of these names; none for no names."""
        return [self.finding(severity, f"{cause}: {names}", advice)] if names else []


class AskingStep(PartStep):
    """Asks about one thing of the panel after the other, ``names``; a failure of the driver ends it."""

    def __init__(self, bench: Bench, t: float, names: Iterable[str], unused: str) -> None:
        super().__init__(bench, t, unused)
        self.names = list(names)
        self.right: dict[str, bool] = {}
        """The answers so far."""

    @property
    def asked(self) -> str:
        """The name of the thing that is asked about."""
        return self.names[min(len(self.right), len(self.names) - 1)]

    def answer(self, answer: Answer, t: float) -> None:
        """Take the answer on this one, or go back to the one before."""
        self.since = t
        if answer is not Answer.BACK:
            self.right[self.asked] = answer is Answer.YES
            self.over = len(self.right) == len(self.names)
        elif self.right:
            self.right.popitem()

    def advance(self, t: float) -> None:
        """End the step when the driver has failed or nobody answers."""
        if not self.over and self.part in self.bench.troubles:
            self.over = True
        elif not self.over:
            self.give_up_when_nobody_answers(t)

    def question(self, title: str, words: str, yes: str, no: str, marks: Marks | None = None) -> Prompt:
        """The prompt with a question, and the meaning of yes and no."""
        return Prompt(
            title=title,
            words=words,
            answers={Answer.YES: yes, Answer.NO: no, Answer.BACK: "once more the one before"},
            marks=marks or {},
            progress=f"{min(len(self.right) + 1, len(self.names))} of {len(self.names)}",
        )


class LightsStep(AskingStep):
    """Asks for each pixel in the board's order (A1 … G4, the timer, the players' own) whether it is right."""

    part = Part.LIGHTS

    def __init__(self, bench: Bench, t: float) -> None:
        self._pixels = pixel_names(bench.wiring)
        off = bench.configuration.lights.route is LightRoute.NONE
        super().__init__(bench, t, self._pixels, 'not used: lights.route is "none"' if off else "")

    def answer(self, answer: Answer, t: float) -> None:
        """Take the answer on this pixel; stop asking after `MOST_WRONG` wrong ones in a row."""
        super().answer(answer, t)
        last = list(self.right.values())[-MOST_WRONG:]
        self.over = self.over or (len(last) == MOST_WRONG and not any(last))

    def prompt(self) -> Prompt:
        """Ask about the pixel."""
        name = self.asked
        return self.question(
            f"Lights: {name} (pixel {self._pixels[name]})",
            f"Does the light at {name}, and no other, go red, green, blue, in this order?",
            "yes, the next one",
            "no: dark, another one, or other colours",
            {each: (Mark.NOW if each == name else _MARKS[self.right.get(each)],) for each in self.names},
        )

    def lights(self, t: float) -> bytes:
        """Light the pixel in the colour whose turn it is."""
        place = int(max(0.0, t - self.since) / COLOUR_SECONDS) % len(COLOURS)
        return coloured({} if self.over else {self.asked: COLOURS[place]}, self.bench.setup)

    def judge(self, found: list[Finding]) -> list[Finding]:
        """Findings on wrong pixels, or on a break of the chain."""
        wrong = [name for name, right in self.right.items() if not right]
        if wrong:
            found.append(self._wrong(wrong))
        elif not found:
            found.append(self.finding(OK, f"{len(self.right)} pixels, each red, green and blue at its place"))
        unseen = len(self.names) - len(self.right)
        if wrong and unseen and self.left is None:
            cause = f"{unseen} pixels were not looked at after {MOST_WRONG} wrong ones in a row"
            found.append(self.finding(WARNING, cause, "mend these first, then run tamsk-hw selftest lights"))
        return found

    def _wrong(self, wrong: list[str]) -> Finding:
        """The finding that explains the wrong pixels."""
        first = min(self._pixels[name] for name in wrong)
        looked_at = sorted(self._pixels[name] for name in self.right)
        if len(wrong) == len(looked_at):
            spi = self.bench.configuration.lights.route is LightRoute.SPI
            gpio = SPI_LIGHTS_GPIO if spi else self.bench.wiring.lights_pin
            cause = f"none of the {len(wrong)} pixels looked at lights as it should: {some_of(wrong)}"
            advice = f"check the pixels' 5 V and ground, the level shifter, and the data wire from GPIO{gpio}"
        elif len(wrong) > 1 and len(wrong) == sum(each >= first for each in looked_at):
            places = {pixel: f"pixel {pixel} ({name})" for name, pixel in self._pixels.items()}
            cause = f"wrong from {places[first]} to the chain's end: {some_of(wrong)}"
            before = places.get(first - 1, "the level shifter")
            advice = f"check data wire and supply between {before} and pixel {first}, then replace either pixel"
        else:
            cause = f"wrong: {some_of(f'{name} (pixel {self._pixels[name]})' for name in wrong)}"
            advice = (
                "replace a pixel that stays dark or lacks a colour; where another one lit, correct the pixel "
                "numbers in the wiring map"
            )
        return self.finding(PROBLEM, cause, advice)


class BuzzerStep(AskingStep):
    """Plays each sound, also those that are switched off, until somebody says whether it is heard."""

    part = Part.BUZZER

    def __init__(self, bench: Bench, t: float) -> None:
        off = "" if bench.configuration.buzzer.enabled else "not used: it is switched off"
        super().__init__(bench, t, _SOUNDS, off)

    def prompt(self) -> Prompt:
        """Ask about the sound."""
        words = f"Do you hear {_SOUNDS[self.asked][1]}? It is played again and again."
        return self.question(f"Buzzer: {self.asked}", words, "yes", "no, or something else")

    def tone(self, t: float) -> float | None:
        """The sound and a silence, in turn."""
        if self.over:
            return None
        sound, sounds = _SOUNDS[self.asked][0], self.bench.sounds
        sounds.play(sound, t - max(0.0, t - self.since) % (length(sound) + PAUSE))
        return sounds.tone_at(t)

    def judge(self, found: list[Finding]) -> list[Finding]:
        """Findings on sounds that were not heard."""
        silent = [name for name, heard in self.right.items() if not heard]
        if silent and len(silent) == len(self.right):
            advice = f"check the buzzer, its transistor and the wire from GPIO{self.bench.wiring.buzzer_pin}"
            found.append(self.finding(PROBLEM, f"no sound is heard ({', '.join(silent)})", advice))
        elif silent:
            advice = "use a passive buzzer: an active one has a single tone of its own"
            found.append(self.finding(PROBLEM, f"not heard as it should be: {', '.join(silent)}", advice))
        elif not found:
            found.append(self.finding(OK, f"{len(self.right)} sounds"))
        return found


class ButtonsStep(PartStep):
    """Asks for a short and a long press of each button; stops waiting after `PRESS_WITHIN` seconds."""

    part = Part.BUTTONS

    def __init__(self, bench: Bench, t: float) -> None:
        off = "" if bench.configuration.buttons.enabled else "not used: they are switched off"
        super().__init__(bench, t, off)
        self._open = [(name, press) for name in ButtonName for press in (Press.SHORT, Press.LONG)]
        self._seen: dict[tuple[ButtonName, Press], bool] = {}
        """The presses that were asked for, and whether they were seen."""
        self._instead: dict[ButtonName, ButtonName] = {}
        self._notice = ""

    def on_press(self, button: Button, t: float) -> None:
        """Take a press, of the button that was asked for or of another."""
        if not self._open:
            return
        name, press = self._open[0]
        if (button.button, button.press) == (name, press):
            self._close(self._open[:1], True, t)
            self._instead.pop(name, None)
        elif button.button is name:
            self._notice = f"that was {button.press.value}; asked for is {press.value}"
        else:
            self._instead[name] = button.button
            self._notice = f"that was {button.button.value}, {button.press.value}"

    def answer(self, answer: Answer, t: float) -> None:
        """Take the answer, given by key only, that the press is not seen."""
        if answer is Answer.NO:
            self._close(self._open[:1], False, t)

    def advance(self, t: float) -> None:
        """Stop waiting for a press in vain, or for a button that fails or is stuck, as the panel says."""
        if self.over:
            return
        name = self._open[0][0]
        if Part.BUTTONS in self.bench.troubles:
            self.over = True
        elif name in self.bench.troubles:
            self._close([each for each in self._open if each[0] is name], False, t)
        elif t >= self.since + PRESS_WITHIN:
            self._close(self._open[:1], False, t)

    def _close(self, asked: list[tuple[ButtonName, Press]], seen: bool, t: float) -> None:
        """Ask no more for these presses of a button."""
        name, press = asked[0]
        self._seen |= dict.fromkeys(asked, seen)
        self._open = [each for each in self._open if each not in asked]
        self._notice, self.since = f"{name.value}, {press.value}: {'seen' if seen else 'given up'}", t
        self.over = not self._open

    def prompt(self) -> Prompt:
        """Ask for a press."""
        name, press = self._open[0] if self._open else (ButtonName.BLACK, Press.LONG)
        seconds = self.bench.configuration.buttons.long_press_seconds
        how = "Press it and let it go." if press is Press.SHORT else f"Hold it for {seconds:g} s or longer."
        return Prompt(
            title=f"Buttons: {name.value.upper()}, {press.value}",
            words=f"The {name.value} button: {how} After {PRESS_WITHIN:g} s it is given up.",
            answers={Answer.NO: "give it up"},
            keys_only=True,
            progress=f"{6 - len(self._open)} of 6 done",
            notice=self._notice,
        )

    def judge(self, found: list[Finding]) -> list[Finding]:
        """Findings on the buttons."""
        troubles = self.bench.troubles
        if self.part in troubles and not any(self._seen.values()):
            return found
        for name in ButtonName:
            if name in troubles:
                found.append(broken(name, troubles[name]))
            else:
                found += self._faults(name)
        good = [
            name.value
            for name in ButtonName
            if name not in troubles and all(self._seen.get((name, press)) for press in Press)
        ]
        if good:
            found.append(self.finding(OK, f"seen short and long: {some_of(good)}"))
        return found

    def _faults(self, name: ButtonName) -> list[Finding]:
        """The finding on a button that was not seen as it should be."""
        pin, subject = self.bench.wiring.buttons[name], f"{name.value} button"
        missed = [press for (each, press), seen in self._seen.items() if each is name and not seen]
        if name in self._instead and missed:
            cause = f"when it was pressed, {self._instead[name].value} was seen"
            return [Finding(PROBLEM, subject, cause, f"{SWAPPED_WIRES} (GPIO{pin} is {name.value}'s)")]
        if len(missed) == 2:
            advice = f"check its wires to GPIO{pin} and to ground"
            return [Finding(PROBLEM, subject, "no press was seen", advice)]
        if missed:
            advice = "try it again; if it stays so, its contact is worn: replace it"
            return [Finding(WARNING, subject, f"no {missed[0].value} press was seen", advice)]
        return []
