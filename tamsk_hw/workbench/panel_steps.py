"""Self-test of the panel: each pixel of the lights, each sound of the buzzer, each button short and long."""

from __future__ import annotations

from typing import Final

from tamsk_hw.errors import Finding
from tamsk_hw.panel.lights import Colour, pixel_names
from tamsk_hw.panel.outputs import SPI_LIGHTS_GPIO, LightRoute
from tamsk_hw.panel.sounds import TUNES, Sound, length
from tamsk_hw.referee.events import Button, ButtonName, Press
from tamsk_hw.words.translating import some_of
from tamsk_hw.workbench.findings import OK, PROBLEM, WARNING
from tamsk_hw.workbench.parts import SWAPPED_WIRES, AskingStep, Bench, Part, PartStep, broken
from tamsk_hw.workbench.showing import coloured
from tamsk_hw.workbench.walk import Answer, Mark, Prompt

#: The colours of a pixel, one after the other, and the seconds of each.
COLOURS: Final[tuple[Colour, ...]] = ((255, 0, 0), (0, 255, 0), (0, 0, 255))
COLOUR_SECONDS: Final = 0.7

#: After this number of wrong pixels in a row the test stops asking.
MOST_WRONG: Final = 6

#: Seconds of silence before a sound is heard again.
PAUSE: Final = 1.2

#: Seconds to wait for a press.
PRESS_WITHIN: Final = 20.0

#: Seconds after which a button that was down when the step began is stuck.
STUCK_AFTER: Final = 3.0

#: The name of each sound, and how it sounds.
_SOUNDS: Final = {
    Sound.GAME_OVER: ("end of the game", "four rising tones"),
    Sound.VIOLATION: ("violation", "two low tones, the second lower"),
    Sound.GLASS_LOST: ("glass lost", "three falling tones"),
    Sound.LAST_SECONDS: ("last seconds", "a short high tick"),
}

_MARKS: Final = {None: Mark.WAITING, True: Mark.GOOD, False: Mark.BAD}


class LightsStep(AskingStep):
    """Asks for each pixel in the board's order (A1 … G4, the timer, the players' own) whether it is right."""

    part = Part.LIGHTS

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self._pixels = pixel_names(bench.wiring)
        self._names = list(self._pixels)
        self._right: dict[str, bool] = {}
        self._place = 0

    def unused(self) -> str:
        """Why there is nothing to test."""
        off = self.bench.configuration.lights.route is LightRoute.NONE
        return 'not used: lights.route is "none"' if off else ""

    def answer(self, answer: Answer, t: float) -> None:
        """Take the answer on this pixel, or go back to the one before."""
        self.since = t
        if answer is Answer.BACK:
            self._place = max(0, self._place - 1)
            self._right.pop(self._names[self._place], None)
            return
        self._right[self._names[self._place]] = answer is Answer.YES
        self._place += 1
        last = list(self._right.values())[-MOST_WRONG:]
        self.over = self._place == len(self._names) or (len(last) == MOST_WRONG and not any(last))

    def prompt(self) -> Prompt:
        """Ask about the pixel."""
        name = self._names[min(self._place, len(self._names) - 1)]
        return Prompt(
            title=f"Lights: {name} (pixel {self._pixels[name]})",
            words=f"Does the light at {name}, and no other, go red, green, blue, in this order?",
            answers={
                Answer.YES: "yes, the next one",
                Answer.NO: "no: dark, another one, or other colours",
                Answer.BACK: "once more the one before",
            },
            marks={each: (Mark.NOW if each == name else _MARKS[self._right.get(each)],) for each in self._names},
            progress=f"{self._place + 1} of {len(self._names)}",
        )

    def lights(self, t: float) -> bytes:
        """Light the pixel in the colour whose turn it is."""
        place = int(max(0.0, t - self.since) / COLOUR_SECONDS) % len(COLOURS)
        lit = {} if self.over else {self._names[self._place]: COLOURS[place]}
        return coloured(lit, self.bench.wiring, self.bench.configuration.lights.milliamps)

    def judge(self, found: list[Finding]) -> list[Finding]:
        """Findings on wrong pixels, or on a break of the chain."""
        wrong = [name for name, right in self._right.items() if not right]
        if wrong:
            found.append(self._wrong(wrong))
        elif not found:
            found.append(self.finding(OK, f"{len(self._right)} pixels, each red, green and blue at its place"))
        unseen = len(self._names) - len(self._right)
        if wrong and unseen and self.left is None:
            cause = f"{unseen} pixels were not looked at after {MOST_WRONG} wrong ones in a row"
            found.append(self.finding(WARNING, cause, "mend these first, then run tamsk-hw selftest lights"))
        return found

    def _wrong(self, wrong: list[str]) -> Finding:
        """The finding that explains the wrong pixels."""
        first = min(self._pixels[name] for name in wrong)
        looked_at = sorted(self._pixels[name] for name in self._right)
        if len(wrong) == len(looked_at):
            spi = self.bench.configuration.lights.route is LightRoute.SPI
            gpio = SPI_LIGHTS_GPIO if spi else self.bench.wiring.lights_pin
            return self.finding(
                PROBLEM,
                f"none of the {len(wrong)} pixels looked at lights as it should: {some_of(wrong)}",
                f"check the pixels' 5 V and ground, the level shifter, and the data wire from GPIO{gpio}",
            )
        if len(wrong) > 1 and len(wrong) == sum(each >= first for each in looked_at):
            names = {pixel: f"pixel {pixel} ({name})" for name, pixel in self._pixels.items()}
            before = names[first - 1] if first else "the level shifter"
            return self.finding(
                PROBLEM,
                f"wrong from {names[first]} to the chain's end: {some_of(wrong)}",
                f"check data wire and supply between {before} and pixel {first}, then replace either pixel",
            )
        return self.finding(
            PROBLEM,
            f"wrong: {some_of(f'{name} (pixel {self._pixels[name]})' for name in wrong)}",
            "replace a pixel that stays dark or lacks a colour; where another one lit, correct the pixel numbers "
            "in the wiring map",
        )


class BuzzerStep(AskingStep):
    """Plays each sound, also those that are switched off, until somebody says whether it is heard."""

    part = Part.BUZZER

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self._sounds = list(Sound)
        self._heard: dict[Sound, bool] = {}

    def unused(self) -> str:
        """Why there is nothing to test."""
        return "" if self.bench.configuration.buzzer.enabled else "not used: it is switched off"

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
        name, tones = _SOUNDS[self._sound]
        return Prompt(
            title=f"Buzzer: {name}",
            words=f"Do you hear {tones}? It is played again and again.",
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
        for frequency, seconds in TUNES[self._sound]:
            if at < seconds:
                return frequency
            at -= seconds
        return None

    def judge(self, found: list[Finding]) -> list[Finding]:
        """Findings on sounds that were not heard."""
        silent = [_SOUNDS[sound][0] for sound, heard in self._heard.items() if not heard]
        if silent and len(silent) == len(self._heard):
            advice = f"check the buzzer, its transistor and the wire from GPIO{self.bench.wiring.buzzer_pin}"
            found.append(self.finding(PROBLEM, f"no sound is heard ({', '.join(silent)})", advice))
        elif silent:
            advice = "use a passive buzzer: an active one has a single tone of its own"
            found.append(self.finding(PROBLEM, f"not heard as it should be: {', '.join(silent)}", advice))
        elif not found:
            found.append(self.finding(OK, f"{len(self._heard)} sounds"))
        return found


class ButtonsStep(PartStep):
    """Asks for a short and a long press of each button; stops waiting after `PRESS_WITHIN` seconds."""

    part = Part.BUTTONS

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self._open = [(name, press) for name in ButtonName for press in (Press.SHORT, Press.LONG)]
        self._seen: set[tuple[ButtonName, Press]] = set()
        self._missed: list[tuple[ButtonName, Press]] = []
        self._instead: dict[ButtonName, ButtonName] = {}
        self._stuck: set[ButtonName] = set()
        self._notice = ""

    def unused(self) -> str:
        """Why there is nothing to test."""
        return "" if self.bench.configuration.buttons.enabled else "not used: they are switched off"

    def on_press(self, button: Button, t: float) -> None:
        """Take a press, of the button that was asked for or of another."""
        if not self._open:
            return
        name, press = self._open[0]
        if (button.button, button.press) == (name, press):
            self._seen.add(self._open.pop(0))
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
        down = self.bench.held.get(name)
        if Part.BUTTONS in self.bench.troubles:
            self.over = True
        elif name in self.bench.troubles:
            self._drop(name, t)
        # Held since before it was asked for, or when the patience ends.
        elif down is not None and (
            t >= self.since + PRESS_WITHIN
            or (down <= self.since and press is Press.SHORT and t >= down + STUCK_AFTER)
        ):
            self._stuck.add(name)
            self._drop(name, t)
        elif t >= self.since + PRESS_WITHIN:
            self._give_up(t)

    def _give_up(self, t: float) -> None:
        name, press = self._open.pop(0)
        self._missed.append((name, press))
        self._notice, self.since = f"{name.value}, {press.value}: given up", t
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

    def judge(self, found: list[Finding]) -> list[Finding]:
        """Findings on the buttons."""
        troubles = self.bench.troubles
        if self.part in troubles and not self._seen:
            return found
        for name in ButtonName:
            if name in troubles:
                found.append(broken(name, troubles[name]))
            else:
                found += self._faults(name)
        good = [
            name.value
            for name in ButtonName
            if {(name, Press.SHORT), (name, Press.LONG)} <= self._seen and name not in troubles
        ]
        if good:
            found.append(self.finding(OK, f"seen short and long: {some_of(good)}"))
        return found

    def _faults(self, name: ButtonName) -> list[Finding]:
        """The finding on a button that was not seen as it should be."""
        pin, subject = self.bench.wiring.buttons[name], f"{name.value} button"
        missed = [press for each, press in self._missed if each is name]
        if name in self._stuck:
            advice = f"check whether it is stuck, or its wires (GPIO{pin} and ground) touch"
            return [Finding(PROBLEM, subject, "stays pressed", advice)]
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
