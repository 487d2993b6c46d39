"""Self-test of the lights: one pixel after the other, red, green and blue, its name said, right or not."""

from __future__ import annotations

from typing import Final

from tamsk_hw.panel.palette import Colour
from tamsk_hw.panel.pixels import SPI_LIGHTS_GPIO, LightRoute
from tamsk_hw.workbench.doctor.checks import Finding
from tamsk_hw.workbench.selftest.step import AskingStep, Bench, Part, broken, listed, ok, problem, warning
from tamsk_hw.workbench.walk.lights import coloured
from tamsk_hw.workbench.walk.prompt import Answer, Mark, Prompt, pixel_names

#: What a pixel is lit with, one after the other, and for how many seconds each.
COLOURS: Final[tuple[Colour, ...]] = ((255, 0, 0), (0, 255, 0), (0, 0, 255))
COLOUR_SECONDS: Final = 0.7

#: After so many wrong pixels in a row no more are asked for.
MOST_WRONG: Final = 6


class LightsStep(AskingStep):
    """Asks for each pixel in the board's order: A1 … G4, the timer, the players' own."""

    part = Part.LIGHTS

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self._pixels = pixel_names(bench.wiring)
        self._names = list(self._pixels)
        self._right: dict[str, bool] = {}
        self._place = 0

    def begin(self, t: float) -> None:
        """Without lights there is nothing to see."""
        super().begin(t)
        self.over = self.bench.configuration.lights.route is LightRoute.NONE

    def answer(self, answer: Answer, t: float) -> None:
        """The pixel is right, or wrong; or the one before was answered by mistake."""
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
        """Which pixel it is."""
        name = self._names[min(self._place, len(self._names) - 1)]
        marks = {each: (Mark.NOW if each == name else _mark(self._right.get(each)),) for each in self._names}
        return Prompt(
            title=f"Lights: {name} (pixel {self._pixels[name]})",
            words=f"Does the light at {name}, and no other, go red, green, blue, in this order?",
            answers={
                Answer.YES: "yes, the next one",
                Answer.NO: "no: dark, another one, or other colours",
                Answer.BACK: "once more the one before",
            },
            marks=marks,
            progress=f"{self._place + 1} of {len(self._names)}",
        )

    def lights(self, t: float) -> bytes:
        """The one pixel, in the colour whose turn it is."""
        place = int(max(0.0, t - self.since) / COLOUR_SECONDS) % len(COLOURS)
        lit = {} if self.over else {self._names[self._place]: COLOURS[place]}
        return coloured(lit, self.bench.wiring, self.bench.configuration.lights.milliamps)

    def findings(self) -> list[Finding]:
        """Wrong pixels by name; a break of the chain where it shows."""
        bench, name = self.bench, self.part.value
        route = bench.configuration.lights.route
        if route is LightRoute.NONE:
            return [ok(name, 'not used: lights.route is "none"')]
        found = self.unfinished()
        if (trouble := bench.troubles.get(Part.LIGHTS)) is not None:
            found.append(broken(name, trouble))
        wrong = [each for each, right in self._right.items() if not right]
        if not wrong:
            if not found:
                found.append(ok(name, f"{len(self._right)} pixels, each red, green and blue at its place"))
            return found
        numbers = sorted(self._pixels[each] for each in wrong)
        looked_at = sorted(self._pixels[each] for each in self._right)
        at = {pixel: each for each, pixel in self._pixels.items()}
        if len(wrong) == len(looked_at):
            gpio = SPI_LIGHTS_GPIO if route is LightRoute.SPI else bench.wiring.lights_pin
            words = f"none of the {len(wrong)} pixels looked at lights as it should: {listed(wrong)}"
            advice = f"check the pixels' 5 V and ground, the level shifter, and the data wire from GPIO{gpio}"
        elif len(wrong) > 1 and numbers == [each for each in looked_at if each >= numbers[0]]:
            first = numbers[0]
            words = f"wrong from pixel {first} ({at[first]}) to the chain's end: {listed(wrong)}"
            before = f"pixel {first - 1} ({at[first - 1]})" if first else "the level shifter"
            advice = f"check data wire and supply between {before} and pixel {first}, then either pixel"
        else:
            words = f"wrong: {listed(f'{each} (pixel {self._pixels[each]})' for each in wrong)}"
            advice = (
                "replace a pixel that stays dark or lacks a colour; where another one lit, correct the pixel "
                "numbers in the wiring map"
            )
        found.append(problem(name, words, advice))
        asked = len(self._right)
        if asked < len(self._names) and self.left is None:
            words = f"{len(self._names) - asked} pixels were not looked at after {MOST_WRONG} wrong ones in a row"
            found.append(warning(name, words, "mend these first, then run tamsk-hw selftest lights"))
        return found


def _mark(right: bool | None) -> Mark:
    if right is None:
        return Mark.WAITING
    return Mark.GOOD if right else Mark.BAD
