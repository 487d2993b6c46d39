"""Self-test of the buzzer, sound by sound, and of the three buttons, short and long."""

from __future__ import annotations

from typing import Final

from tamsk_hw.facts.findings import Finding
from tamsk_hw.facts.selftest_findings import (
    ButtonFault,
    ButtonFinding,
    ButtonsSound,
    BuzzerFinding,
    BuzzerResult,
    PanelBroken,
    Part,
    PartUnused,
)
from tamsk_hw.facts.severity import Severity
from tamsk_hw.panel.sounds import TUNES, Sound, length
from tamsk_hw.referee.events import Button, ButtonName, Press
from tamsk_hw.words.selftest_findings import sound_words
from tamsk_hw.workbench.selftest.step import AskingStep, Bench, PartStep
from tamsk_hw.workbench.walk.prompt import Answer, Prompt

#: Seconds of silence before a sound is heard again.
PAUSE: Final = 1.2

#: Seconds to wait for a press.
PRESS_WITHIN: Final = 20.0

#: Seconds after which a button that was down when the step began is stuck.
STUCK_AFTER: Final = 3.0

_TUNE_WORDS: Final = {
    Sound.GAME_OVER: "four rising tones",
    Sound.VIOLATION: "two low tones, the second lower",
    Sound.GLASS_LOST: "three falling tones",
    Sound.LAST_SECONDS: "a short high tick",
}


class BuzzerStep(AskingStep):
    """Plays each sound, also those that are switched off, until somebody says whether it is heard."""

    part = Part.BUZZER

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self._sounds = list(Sound)
        self._heard: dict[Sound, bool] = {}

    def begin(self, t: float) -> None:
        """Begin; end at once without a buzzer."""
        super().begin(t)
        self.over = not self.bench.configuration.buzzer.enabled

    @property
    def _sound(self) -> Sound:
        return self._sounds[min(len(self._heard), len(self._sounds) - 1)]

    def answer(self, answer: Answer, t: float) -> None:
        """Take the answer on this sound, or go back to the one before."""
        self.since = t
        if answer is Answer.BACK:
            if self._heard:
                self._heard.popitem()
            return
        self._heard[self._sound] = answer is Answer.YES
        self.over = len(self._heard) == len(self._sounds)

    def prompt(self) -> Prompt:
        """Ask about the sound."""
        return Prompt(
            title=f"Buzzer: {sound_words(self._sound)}",
            words=f"Do you hear {_TUNE_WORDS[self._sound]}? It is played again and again.",
            answers={
                Answer.YES: "yes",
                Answer.NO: "no, or something else",
                Answer.BACK: "once more the one before",
            },
            progress=f"{min(len(self._heard) + 1, len(self._sounds))} of {len(self._sounds)}",
        )

    def tone(self, t: float) -> float | None:
        """The sound and a silence, in turn."""
        if self.over:
            return None
        at = max(0.0, t - self.since) % (length(self._sound) + PAUSE)
        for tone in TUNES[self._sound]:
            if at < tone.seconds:
                return tone.frequency
            at -= tone.seconds
        return None

    def findings(self) -> list[Finding]:
        """Findings on sounds that were not heard."""
        bench = self.bench
        if not bench.configuration.buzzer.enabled:
            return [PartUnused(self.part)]
        found = self.unfinished()
        if (trouble := bench.troubles.get(self.part)) is not None:
            found.append(PanelBroken(self.part, trouble))
        silent = tuple(sound for sound, heard in self._heard.items() if not heard)
        gpio = bench.wiring.buzzer_pin
        if silent:
            result = BuzzerResult.SILENT if len(silent) == len(self._heard) else BuzzerResult.SOME_SILENT
            found.append(BuzzerFinding(result, Severity.PROBLEM, silent, gpio))
        elif not found:
            found.append(BuzzerFinding(BuzzerResult.SOUND, Severity.OK, tuple(self._heard), gpio))
        return found


class ButtonsStep(PartStep):
    """Asks for a short and a long press of each button; stops waiting after `PRESS_WITHIN` seconds."""

    part = Part.BUTTONS

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self._open = [(name, press) for name in ButtonName for press in (Press.SHORT, Press.LONG)]
        self._seen: list[tuple[ButtonName, Press]] = []
        self._missed: list[tuple[ButtonName, Press]] = []
        self._instead: dict[ButtonName, ButtonName] = {}
        self._stuck: list[ButtonName] = []
        self._notice = ""

    def begin(self, t: float) -> None:
        """Begin; end at once without buttons."""
        super().begin(t)
        self.over = not self.bench.configuration.buttons.enabled

    def press(self, button: Button, t: float) -> None:
        """Take a press, of the button that was asked for or of another."""
        if not self._open:
            return
        name, press = self._open[0]
        if (button.button, button.press) == (name, press):
            self._seen.append(self._open.pop(0))
            self._notice, self.since = f"{name.value}, {press.value}: seen", t
            self._instead.pop(name, None)
        elif button.button is name:
            self._notice = f"that was {button.press.value}; asked for is {press.value}"
        else:
            self._instead[name] = button.button
            self._notice = f"that was {button.button.value}, {button.press.value}"
        self.over = not self._open

    def answer(self, answer: Answer, t: float) -> None:
        """Take the answer, given by key only, that the press is not seen."""
        if answer is Answer.NO:
            self._give_up(t)

    def advance(self, t: float) -> None:
        """Stop waiting for a press in vain, and for a button that is stuck."""
        if self.over:
            return
        name, press = self._open[0]
        if Part.BUTTONS in self.bench.troubles:
            self.over = True
            return
        if name in self.bench.troubles:
            self._drop(name, t)
            return
        down = self.bench.held.get(name)
        # Held since before it was asked for.
        if down is not None and down <= self.since and press is Press.SHORT and t >= down + STUCK_AFTER:
            self._stuck.append(name)
            self._drop(name, t)
        elif t >= self.since + PRESS_WITHIN:
            if down is not None:
                self._stuck.append(name)
                self._drop(name, t)
            else:
                self._give_up(t)

    def _give_up(self, t: float) -> None:
        self._missed.append(self._open.pop(0))
        self._notice = f"{self._missed[-1][0].value}, {self._missed[-1][1].value}: given up"
        self.since = t
        self.over = not self._open

    def _drop(self, name: ButtonName, t: float) -> None:
        """Ask no more for this button."""
        self._open = [each for each in self._open if each[0] is not name]
        self._notice, self.since = f"{name.value}: given up", t
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

    def findings(self) -> list[Finding]:
        """Findings on the buttons."""
        bench = self.bench
        if not bench.configuration.buttons.enabled:
            return [PartUnused(self.part)]
        found = self.unfinished()
        if (trouble := bench.troubles.get(self.part)) is not None:
            found.append(PanelBroken(self.part, trouble))
            if not self._seen:
                return found
        for name in ButtonName:
            if name in bench.troubles:
                found.append(PanelBroken(name, bench.troubles[name]))
            elif (fault := self._fault(name)) is not None:
                found.append(fault)
        good = tuple(
            name
            for name in ButtonName
            if {(name, Press.SHORT), (name, Press.LONG)} <= set(self._seen) and name not in bench.troubles
        )
        if good:
            found.append(ButtonsSound(good))
        return found

    def _fault(self, name: ButtonName) -> ButtonFinding | None:
        pin = self.bench.wiring.buttons[name]
        missed = [press for each, press in self._missed if each is name]
        if name in self._stuck:
            return ButtonFinding(name, ButtonFault.STUCK, Severity.PROBLEM, pin)
        if name in self._instead and missed:
            return ButtonFinding(name, ButtonFault.SWAPPED, Severity.PROBLEM, pin, other=self._instead[name])
        if len(missed) == 2:
            return ButtonFinding(name, ButtonFault.DEAD, Severity.PROBLEM, pin)
        if missed:
            return ButtonFinding(name, ButtonFault.WORN, Severity.WARNING, pin, missed=missed[0])
        return None
