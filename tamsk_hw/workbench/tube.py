"""Test of one finished tube: rings near and far, a glass on both ends, a glass beside it. Nothing is saved.

What is read is judged by what the calculations expect of the tube.
"""

from statistics import fmean
from typing import Final, Literal, assert_never

from tamsk_hw.board import protocol
from tamsk_hw.board.ring_sensing import NEAR_ABOVE, NEAR_BELOW
from tamsk_hw.board.wiring import Band, Expected
from tamsk_hw.errors import Finding, Severity
from tamsk_hw.game.tubes import CAPACITY, NEIGHBOURS
from tamsk_hw.workbench.findings import OK, PROBLEM, WARNING
from tamsk_hw.workbench.parts import IDLE, Bench, Part, PartStep
from tamsk_hw.workbench.ring_step import NO_SIGNALS
from tamsk_hw.workbench.sensor_steps import HIGHEST_REST, LOWEST_REST
from tamsk_hw.workbench.walk import Answer, Mark, Marks, Prompt

#: Seconds of which a field's mean is taken, and snapshots that it needs.
MEAN_SECONDS: Final = 1.0
LEAST_SNAPSHOTS: Final = 5

#: Seconds that one measurement may take.
MEASURED_WITHIN: Final = 10.0

#: Steps below which a glass counts as not felt.
UNFELT: Final = 8.0

#: Steps that a mean may be off, by the converter's rounding.
ROUNDING: Final = 1.0


#: The stages of the test. Near: some rings on the tube, pushed against the sensors' side; far: all rings, pushed
#: away from it.
StageKind = Literal["empty", "near", "far", "first_end", "second_end", "beside"]

#: Stages that measure light: they take longer than the field's mean.
_LIGHT: Final = frozenset({"empty", "near", "far"})

#: One request to the person, and a measurement: its kind, and the number of rings on the tube.
Stage = tuple[StageKind, int]


class TubeStep(PartStep):
    """Leads through the stages at the tube; each begins when the person has confirmed its request."""

    part = Part.TUBE

    def __init__(self, bench: Bench, t: float) -> None:
        super().__init__(bench, t)
        assert bench.finished is not None, "the part TUBE needs a finished tube"
        self._tube, self._expected = bench.finished
        self._bits = bench.wiring.ring_bits[self._tube]
        self._levels = levels = CAPACITY[self._tube]
        self._neighbour = next((tube for tube in NEIGHBOURS[self._tube] if tube in bench.wiring.tubes), None)
        tube = self._tube
        clear = f"Take rings and glass off {tube}, and glasses from around it. Switch lamps over it off."
        push = "Push all against the side of the sensors (east, towards column G); no finger above them."
        self._stages: list[tuple[Stage, str]] = [(("empty", 0), clear)]
        """Each with the request to the person."""
        for rings in range(1, levels + 1):
            added = (
                f"Put {'a' if rings == 1 else 'another'} ring on {tube}, so that {rings} of {levels} are there."
            )
            self._stages.append((("near", rings), f"{added} {push}"))
        self._stages += [
            (("far", levels), f"Push all rings on {tube} the other way, away from the sensors."),
            (("first_end", levels), f"Stand a glass in {tube}, any end down."),
            (("second_end", levels), f"Turn the glass in {tube} over and stand it there again."),
        ]
        if self._neighbour is not None:
            beside = f"Take the glass out of {tube} and stand it in {self._neighbour}."
            self._stages.append((("beside", levels), beside))
        self._at = 0
        self._seen: dict[StageKind, list[float | None]] = {}
        """Signals in counts, by level from the bottom; None for a sensor that could not be read."""
        self._above: dict[int, float | None] = {}
        """The signal of the level above this number of rings."""
        self._rest: float | None = None
        """The field of the empty tube."""
        self._moved: dict[StageKind, float] = {}
        """Steps by which a glass moved the field."""
        self._unanswered = False
        self._measures_since: float | None = None
        self._fields: list[int] = []

    @property
    def stage(self) -> Stage:
        """The present stage."""
        return self._stages[min(self._at, len(self._stages) - 1)][0]

    @property
    def measures(self) -> bool:
        """A measurement runs; otherwise the person is asked."""
        return self._measures_since is not None

    # ---- what comes in

    def on_snapshot(self, snapshot: protocol.Snapshot, t: float) -> None:
        """Take the tube's field."""
        if self.measures:
            self._fields.append(snapshot.fields[self._tube])

    def answer(self, answer: Answer, t: float) -> None:
        """Measure, leave the neighbour out, or go back to the stage before."""
        if self.measures or not self.bench.board.connected:
            return
        self.since = t
        match answer:
            case Answer.YES:
                self._measures_since, self._fields = t, []
                self.signals.restart()
            case Answer.NO if self.stage[0] == "beside":
                self.over = True
            case Answer.BACK:
                self._at = max(0, self._at - 1)

    def advance(self, t: float) -> None:
        """End a measurement, or give the part up."""
        if self.over:
            return
        if self.bench.board.away is not None:
            self._measures_since = None  # things may have changed meanwhile: the person is asked again
        if self._measures_since is None:
            self.give_up_when_nobody_answers(t, IDLE)
            return
        seen = self.stage[0] not in _LIGHT or self.signals.are_complete(self._bits)
        felt = t >= self._measures_since + MEAN_SECONDS and len(self._fields) >= LEAST_SNAPSHOTS
        if seen and felt:
            self._take(*self.stage)
            self._measures_since, self.since = None, t
            self._at += 1
            self.over = self._at == len(self._stages)
        elif t >= self._measures_since + MEASURED_WITHIN:
            self._unanswered = not seen
            self.leave(f"{len(self._fields)} snapshots came within {MEASURED_WITHIN:g} s")

    def _take(self, kind: StageKind, rings: int) -> None:
        """Keep what the stage measured."""
        counts = [self.signals.counts(bit) for bit in self._bits]
        match kind:
            case "empty":
                self._rest, self._seen[kind] = fmean(self._fields), counts
            case "near" if rings < self._levels:
                self._above[rings] = counts[rings]
            case "near" | "far":
                self._seen[kind] = counts
            case "first_end" | "second_end" | "beside":
                self._moved[kind] = fmean(self._fields) - (self._rest or 0.0)
            case _:
                assert_never(kind)

    # ---- what comes out

    def prompt(self) -> Prompt:
        """Ask for what the stage measures."""
        title = f"Tube {self._tube}"
        progress = f"{min(self._at + 1, len(self._stages))} of {len(self._stages)}"
        if self.measures:
            return Prompt(title=title, words="Measuring: hands off.", marks=self._marks(), progress=progress)
        words, answers = self._stages[self._at][1], {Answer.YES: "it is so, measure"}
        if self.stage[0] == "beside":
            answers[Answer.NO] = f"there is no tube at {self._neighbour}, end"
        if self._at:
            answers[Answer.BACK] = "the measurement before once more"
        return Prompt(title=title, words=words, answers=answers, marks=self._marks(), progress=progress)

    def _marks(self) -> Marks:
        """The level whose ring is missing, or where the glass goes."""
        kind, rings = self.stage
        if kind == "beside" and self._neighbour is not None:
            return {self._neighbour.name: (Mark.HERE,)}
        if kind in ("first_end", "second_end"):
            return {self._tube.name: (Mark.HERE if kind == "first_end" else Mark.TURN,)}
        wanted = rings - 1 if kind == "near" and not self.measures else None
        rest = Mark.NOW if self.measures else Mark.WAITING
        return {self._tube.name: tuple(Mark.MISSING if at == wanted else rest for at in range(self._levels))}

    # ---- judging

    def judge(self, found: list[Finding]) -> list[Finding]:
        """The judgement on all that was measured."""
        calculated = (
            "what is expected is calculated (make wiring, electrics.md) and measured by nobody yet; light is in "
            "counts of the converter, of 1024"
        )
        found.append(Finding(OK, f"tube {self._tube}", calculated))
        if self._unanswered:
            found.append(NO_SIGNALS)
        return [*found, *self._judge_levels(), *self._judge_field(), *self._judge_neighbour()]

    def _judge_levels(self) -> list[Finding]:
        """A finding for each level; none when not all was read."""
        if not {"near", "far"} <= self._seen.keys():
            return []
        verdicts = [self._verdict(level) for level in range(self._levels)]
        if len(verdicts) > 1 and "needy" in verdicts and set(verdicts) <= {"needy", "blind"}:
            verdicts = ["deep"] * len(verdicts)
        return [self._level_finding(level, verdict) for level, verdict in enumerate(verdicts)]

    def _verdict(self, level: int) -> str:
        """The name of what a level is."""
        empty, near, far = (self._seen[kind][level] for kind in ("empty", "near", "far"))
        phantom, stray = self._phantom(level), self._expected.stray
        if near is None or far is None or empty is None or phantom is None:
            return "dazzled"
        if empty > stray:
            return "reflecting"
        if phantom > stray:
            return "below seen"
        if max(near, far) <= stray:
            return "blind"
        if near < far:
            return "shallow"
        return "needy" if near < self._expected.near.least or far < self._expected.far.least else "sound"

    def _phantom(self, level: int) -> float | None:
        """The greatest signal of a level without a ring of its own; None where one could not be read."""
        without = [self._seen["empty"][level], *([self._above[level]] if level in self._above else [])]
        known = [counts for counts in without if counts is not None]
        return max(known) if len(known) == len(without) else None

    def _level_finding(self, level: int, verdict: str) -> Finding:
        expected = self._expected
        near, far = self._seen["near"][level], self._seen["far"][level]
        phantom, recess = self._phantom(level) or 0.0, f"{expected.recess:g} mm"
        readings = f"ring near: {_light(near, expected.near)}; far: {_light(far, expected.far)}"
        stray = f"{phantom:.0f} counts (expected at most {expected.stray}); {readings}"
        loud = PROBLEM if phantom > protocol.COMMON_THRESHOLD - NEAR_BELOW else WARNING
        ring = min(near or 0.0, far or 0.0)
        weak = WARNING if ring > protocol.COMMON_THRESHOLD + NEAR_ABOVE else PROBLEM
        severity, cause, advice = {
            "sound": (OK, readings, ""),
            "dazzled": (
                WARNING,
                "cannot be read, for light or for want of its converter",
                "switch lamps off, keep the sun out, and test again",
            ),
            "reflecting": (
                loud,
                f"sees its own light on the empty tube, {stray}",
                "blacken the walls of its slot and whatever faces it, or sink the sensor",
            ),
            "below seen": (
                loud,
                f"sees the ring below, {stray}",
                f"raise the sensor to its height as drawn, sink it to {recess}, blacken the slot around it",
            ),
            "blind": (
                weak,
                f"sees its ring neither near nor far; {readings}",
                f"check its wires, RE, RP and its recess ({recess}), then swap the sensor",
            ),
            # The ring is in the dead zone before its face.
            "shallow": (
                weak,
                f"recess too shallow, a near ring gives less light than a far one; {readings}",
                f"measure from tube to face and sink the sensor, or file its seat, until it is {recess}",
            ),
            # All levels see less light than the least expected.
            "deep": (
                weak,
                f"recess too deep, or little light on all levels; {readings}",
                f"measure from tube to face; deeper than {recess}: bring it forward; else check RE and 5V_IR",
            ),
            # It alone does.
            "needy": (
                weak,
                f"sees less light than the weakest sensor should; {readings}",
                f"measure from tube to face; deeper than {recess}: bring the sensor forward; else swap it",
            ),
        }[verdict]
        return Finding(severity, f"{self._tube}.{level + 1}", cause, advice)

    def _judge_field(self) -> list[Finding]:
        """The findings on the rest, and on both ends of a glass if both were read."""
        rest, subject, expected = self._rest, f"glass {self._tube}", self._expected
        if rest is None:
            return []
        found: list[Finding] = []
        if not LOWEST_REST <= rest <= HIGHEST_REST:
            cause = f"the empty tube reads {rest:.0f}; expected {LOWEST_REST} to {HIGHEST_REST}"
            advice = "take magnets and steel away; check the Hall sensor's three wires"
            found.append(Finding(PROBLEM, subject, cause, advice))
        if not {"first_end", "second_end"} <= self._moved.keys():
            return found
        end_b, end_a = sorted((self._moved["first_end"], self._moved["second_end"]))
        severity, cause, advice = _field_verdict(end_a, end_b, expected)
        readings = (
            f"rest {rest:.0f}, end A {end_a:+.0f}, end B {end_b:+.0f} steps (expected {_band(expected.drv5055a3)} "
            f"with N35 to N45 and a DRV5055A3, {_band(expected.ss49e)} with an SS49E)"
        )
        return [*found, Finding(severity, subject, f"{cause}; {readings}" if cause else readings, advice)]

    def _judge_neighbour(self) -> list[Finding]:
        """The finding on the cross-talk, if it was read."""
        tube, neighbour, most = self._tube, self._neighbour, self._expected.neighbour
        if neighbour is None or "beside" not in self._moved:
            return []
        steps = abs(self._moved["beside"])
        cause = f"a glass in {neighbour} moves it by {steps:.1f} steps; expected at most {most}"
        if steps <= most + ROUNDING:
            return [Finding(OK, f"glass {tube}", cause)]
        advice = (
            f"measure the distance from {tube} to {neighbour}, and look for steel between them; or the glass "
            f"still stood in {tube}"
        )
        return [Finding(PROBLEM, f"glass {tube}", cause, advice)]


def _light(counts: float | None, band: Band) -> str:
    seen = "not read" if counts is None else f"{counts:.0f} counts"
    return f"{seen} (expected {_band(band)}, typically {band.typical})"


def _band(band: Band) -> str:
    return f"{band.least} to {band.most}"


def _field_verdict(end_a: float, end_b: float, expected: Expected) -> tuple[Severity, str, str]:
    """Severity, cause (empty for none) and advice."""
    weak, strong = sorted((abs(end_a), abs(end_b)))
    hall = "measure the floor over the Hall sensor; else that glass's magnets"
    if weak < UNFELT:
        advice = "check the Hall sensor's wires, and that the glass has a magnet in each cap"
        return PROBLEM, "the glass is not felt", advice
    if end_a * end_b > 0:
        advice = "turn one cap's magnet over: the ends must show opposite poles; or the glass was not turned"
        return PROBLEM, "both ends move it the same way", advice
    if strong > expected.drv5055a3.most + ROUNDING:
        advice = f"try another glass: as strong, {hall}"
        return PROBLEM, "field too strong: magnet or sensor too near", advice
    if strong - weak > strong * expected.ends / 100 + ROUNDING:
        weaker = "A" if abs(end_a) < abs(end_b) else "B"
        apart = (1 - weak / strong) * 100
        cause = f"end {weaker} is {apart:.0f} % weaker, expected at most {expected.ends} %"
        return WARNING, cause, "glue this glass's magnets again in the jig, both equally deep"
    if weak >= expected.drv5055a3.least - ROUNDING:
        return OK, "", ""
    if weak >= expected.ss49e.least - ROUNDING and strong <= expected.ss49e.most + ROUNDING:
        advice = "with an SS49E nothing; else try another glass, then measure the floor over the Hall sensor"
        return WARNING, "right for an SS49E only: magnet or sensor too deep for a DRV5055A3", advice
    return PROBLEM, "field too weak: magnet or sensor too deep", f"try another glass: as weak, {hall}"
