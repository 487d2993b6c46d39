"""Self-test of the lights: each pixel in turn goes red, green and blue; the person says whether it is right."""

from __future__ import annotations

from typing import Final

from tamsk_hw.facts.findings import Finding
from tamsk_hw.facts.selftest_findings import LightsFinding, LightsResult, PanelBroken, Part, PartUnused, Pixel
from tamsk_hw.facts.severity import Severity
from tamsk_hw.panel.lights import Colour, pixel_names
from tamsk_hw.panel.outputs import SPI_LIGHTS_GPIO, LightRoute
from tamsk_hw.workbench.selftest.step import AskingStep, Bench
from tamsk_hw.workbench.walk.lights import coloured
from tamsk_hw.workbench.walk.prompt import Answer, Mark, Prompt

#: The colours of a pixel, one after the other, and the seconds of each.
COLOURS: Final[tuple[Colour, ...]] = ((255, 0, 0), (0, 255, 0), (0, 0, 255))
COLOUR_SECONDS: Final = 0.7

#: After this number of wrong pixels in a row the test stops asking.
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
        """Begin; end at once without lights."""
        super().begin(t)
        self.over = self.bench.configuration.lights.route is LightRoute.NONE

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
        """Light the pixel in the colour whose turn it is."""
        place = int(max(0.0, t - self.since) / COLOUR_SECONDS) % len(COLOURS)
        lit = {} if self.over else {self._names[self._place]: COLOURS[place]}
        return coloured(lit, self.bench.wiring, self.bench.configuration.lights.milliamps)

    def findings(self) -> list[Finding]:
        """Findings on wrong pixels, or on a break of the chain."""
        bench = self.bench
        route = bench.configuration.lights.route
        if route is LightRoute.NONE:
            return [PartUnused(self.part)]
        found = self.unfinished()
        if (trouble := bench.troubles.get(self.part)) is not None:
            found.append(PanelBroken(self.part, trouble))
        wrong = tuple(Pixel(name, self._pixels[name]) for name, right in self._right.items() if not right)
        if wrong:
            found.append(self._wrong(wrong, route))
        elif not found:
            found.append(LightsFinding(LightsResult.SOUND, Severity.OK, count=len(self._right)))
        unseen = len(self._names) - len(self._right)
        if wrong and unseen and self.left is None:
            found.append(LightsFinding(LightsResult.UNSEEN, Severity.WARNING, count=unseen, wrong=MOST_WRONG))
        return found

    def _wrong(self, wrong: tuple[Pixel, ...], route: LightRoute) -> LightsFinding:
        """The finding that explains the wrong pixels."""
        numbers = sorted(pixel.number for pixel in wrong)
        looked_at = sorted(self._pixels[name] for name in self._right)
        if len(wrong) == len(looked_at):
            gpio = SPI_LIGHTS_GPIO if route is LightRoute.SPI else self.bench.wiring.lights_pin
            return LightsFinding(LightsResult.ALL_WRONG, Severity.PROBLEM, wrong, gpio=gpio)
        if len(wrong) > 1 and numbers == [each for each in looked_at if each >= numbers[0]]:
            names = {pixel: name for name, pixel in self._pixels.items()}
            last = numbers[0] - 1
            before = Pixel(names[last], last) if last >= 0 else None
            return LightsFinding(LightsResult.BROKEN_FROM, Severity.PROBLEM, wrong, before)
        return LightsFinding(LightsResult.SOME_WRONG, Severity.PROBLEM, wrong)


def _mark(right: bool | None) -> Mark:
    if right is None:
        return Mark.WAITING
    return Mark.GOOD if right else Mark.BAD
