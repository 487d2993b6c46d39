"""Self-test of the Hall sensors, at rest and with a glass in each, and of the load cells, with a ring in each."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from tamsk_hw.board.calibration import FIELD_NAMES
from tamsk_hw.board.protocol import FIELDS, FaultFlag, Snapshot
from tamsk_hw.board.timeline import RAIL_MARGIN
from tamsk_hw.board.wiring import Wiring
from tamsk_hw.errors import Finding
from tamsk_hw.game.tubes import PLAYERS, End
from tamsk_hw.words.translating import some_of
from tamsk_hw.workbench.board import HOLDER_RAILS, HOLDER_SILENT, Standing
from tamsk_hw.workbench.findings import OK, PROBLEM, WARNING
from tamsk_hw.workbench.measurements import Agreement
from tamsk_hw.workbench.parts import SWAPPED_WIRES, Bench, Part, PartStep
from tamsk_hw.workbench.ring_step import Item, LiveStep
from tamsk_hw.workbench.walk import Answer, Prompt

#: Rests that a sensor of the reference build may have, in steps: those that a calibration may have.
LOWEST_REST, HIGHEST_REST = 90, 166

#: A rest may be off its calibration by this share of a seated glass.
REST_SHARE: Final = 0.15

#: Readings may stray over this multiple of the calibrated noise.
NOISE_SPAN: Final = 2

#: Seconds for which the holders are watched before a ring is asked for.
HOLDER_REST: Final = 2.0

#: Seconds that a ring is waited for, and for which the new weight must hold, in so many readings.
RING_WITHIN: Final = 30.0
STEADY: Final = 0.2
STEADY_READINGS: Final = 4

#: A weight that differs by more than this share of a ring's is another one.
REACTION: Final = 0.4

#: A calibrated holder should say between these shares of a ring.
LEAST_RING, MOST_RING = 0.7, 1.3

_ENDS = {Standing.SEATED_A: End.A, Standing.SEATED_B: End.B}


def dead_multiplexers(wiring: Wiring, snapshot: Snapshot) -> dict[int, int]:
    """The multiplexers whose inputs all read the same end of the scale, and that reading."""
    given: dict[int, list[int]] = {}
    readings = (*snapshot.fields, *snapshot.references)
    for place, channel in wiring.inputs.items():
        given.setdefault(channel.mux, []).append(readings[place])
    return {
        mux: read[0]
        for mux, read in sorted(given.items())
        if max(read) <= RAIL_MARGIN or min(read) >= 255 - RAIL_MARGIN
    }


def multiplexer_advice(wiring: Wiring, mux: int) -> str:
    """Advice on a dead multiplexer."""
    return f"check its supply, its enable pin and its wire to {wiring.controller.mux_inputs[mux]}"


class GlassesStep(LiveStep):
    """Rest and noise on the empty board, then a glass in each, both ends. Inside, sensors go by their field."""

    part = Part.GLASSES
    HOLD = 0.1
    REST_SECONDS = 3.0
    TITLE = "Glass sensors"
    COUNTED, FELT = "with both ends", "felt both ends"
    IF_SWAPPED = f"{SWAPPED_WIRES}, or correct the wiring map"
    ENDS = tuple(End)
    EMPTY_IT = "Take every glass off the board, the 15-second one, too; magnets well away."
    TRY_THEM = (
        "Stand a glass in each tube, first on one end, then on the other; the 15-second glass in its "
        "cradle. What is seen is ticked off. Take as many of them as you like."
    )

    def __init__(self, bench: Bench, t: float) -> None:
        self._fields = bench.wiring.fields
        names = {index: FIELD_NAMES[index] for index in self._fields}
        super().__init__(bench, t, names, {name: (index,) for index, name in names.items()})
        self._railed: set[int] = set()
        self._shares = [0.0] * FIELDS
        """The largest share of a seated glass that was felt where none was seated."""

    # ---- phases

    def _stood(self, index: int) -> set[Standing]:
        """All that a field stood for on the board at rest."""
        return {self.bench.setup.standing(snapshot, index) for snapshot in self.rest}

    def go_on(self, t: float) -> None:
        """Go on to the glasses."""
        self._railed = {index for index in self._fields if Standing.RAIL in self._stood(index)}
        super().go_on(t)

    def felt(self, snapshot: Snapshot) -> set[Item]:
        """The fields with a seated glass, and its end that is down. The shares of the other fields are kept."""
        found: set[Item] = set()
        for index in self._fields:
            reading = snapshot.fields[index]
            end = _ENDS.get(self.bench.setup.standing(snapshot, index))
            if end is not None:
                found.add((index, end))
            elif not self.is_bad(index):
                self._shares[index] = max(self._shares[index], abs(self._share(index, reading)))
        return found

    def is_bad(self, sensor: int) -> bool:
        """True for a sensor that was at an end of its scale at rest, or came when another one was tried."""
        return sensor in self._railed or sensor in self.wrong

    def _share(self, index: int, reading: int) -> float:
        calibration = self.bench.known.calibration.fields[index]
        full = calibration.end_a if reading >= calibration.rest else calibration.end_b
        return (reading - calibration.rest) / full

    # ---- found

    def judge(self, found: list[Finding]) -> list[Finding]:
        """Findings on the board at rest, then on the sensors that were tried."""
        if self.phase == "empty" or not self.rest:
            return found
        wiring = self.bench.wiring
        dead = dead_multiplexers(wiring, self.rest[-1])
        for mux, reading in dead.items():
            behind = sum(wiring.inputs[index].mux == mux for index in self._fields)
            cause = f"multiplexer {mux}: all {behind} fields on it read {reading}"
            found.append(self.finding(PROBLEM, cause, multiplexer_advice(wiring, mux)))
        alive = [index for index in self._fields if wiring.inputs[index].mux not in dead]
        railed = self._read(index for index in alive if index in self._railed)
        advice = "as if shorted or not connected: check these Hall sensors, their 5 V and their wires"
        found += self.about(PROBLEM, railed, "at an end of the scale", advice)
        found += self._at_rest([index for index in alive if index not in self._railed])
        found += self.tried()
        if not found:
            how = "quiet at rest, and each felt both ends of a glass"
            if not self.bench.hands:
                empty = sum(self._stood(index) == {Standing.GONE} for index in self._fields)
                how = f"all quiet, {empty} without a glass"
            found.append(self.finding(OK, f"{len(self._fields)} sensors: {how}"))
        return found

    def _at_rest(self, sound: list[int]) -> list[Finding]:
        """Findings on rest and noise."""
        fields, known, hands = self.bench.known.calibration.fields, self.bench.known, self.bench.hands
        seated = {Standing.SEATED_A, Standing.SEATED_B}
        # Without a person a glass may stand anywhere.
        bare = [index for index in sound if hands or not self._stood(index) & seated]
        off = [index for index in bare if not LOWEST_REST <= self._mean(index) <= HIGHEST_REST]
        if hands:
            cause = f"rest outside {LOWEST_REST} to {HIGHEST_REST} on an empty tube"
            advice = "look for a magnet nearby; else the sensor is of another kind, or its supply is wrong"
        else:
            cause = "neither empty nor a seated glass"
            advice = "a glass may lean there, or the board is not calibrated; try it: tamsk-hw selftest glasses"
        found = self.about(PROBLEM if hands else WARNING, self._read(off), cause, advice)
        moved = [
            f"{FIELD_NAMES[index]} {self._mean(index):.0f}, was {fields[index].rest:.0f}"
            for index in bare
            if index not in off
            and known.is_measured(index)
            and abs(self._mean(index) - fields[index].rest)
            > max(fields[index].noise, REST_SHARE * min(fields[index].end_a, fields[index].end_b))
        ]
        advice = "look for a magnet nearby, then tamsk-hw calibrate sensors"
        found += self.about(WARNING, ", ".join(moved), "rest not as calibrated", advice)
        noisy = []
        for index in sound:
            readings, most = [snapshot.fields[index] for snapshot in self.rest], NOISE_SPAN * fields[index].noise
            if (span := max(readings) - min(readings)) > most:
                noisy.append(f"{FIELD_NAMES[index]} over {span:.0f} steps (at most {most:.0f})")
        advice = "check ground, the 1 nF at the sensor and its wires; keep hands off meanwhile"
        return found + self.about(WARNING, ", ".join(noisy), "stray", advice)

    def suspect(self, missed: Mapping[int, Sequence[End | None]]) -> tuple[str, str]:
        """The share of a seated glass that was felt, and where to look."""
        # More than noise, and no end of a seated glass.
        least = self.bench.configuration.sensing.leaning
        faint = [
            f"{FIELD_NAMES[index]} {100 * self._shares[index]:.0f} %"
            for index, ends in missed.items()
            if len(ends) == len(End) and self._shares[index] >= least
        ]
        aside = f" (felt, at most: {', '.join(faint)} of a seated glass)" if faint else ""
        nowhere = set[End | None](End) - {end for _, end in self.seen}
        if nowhere:
            cap = "check whether that cap has its magnet, and which way round"
            return aside, f"end {nowhere.pop()} was felt nowhere: {cap}"
        if faint:
            return aside, "calibrate them (tamsk-hw calibrate sensors); else the sensor sits too deep, or askew"
        return aside, "check these Hall sensors, their wires and solder joints"

    def _read(self, indices: Iterable[int]) -> str:
        """Sensors with their mean readings at rest."""
        return some_of(f"{FIELD_NAMES[index]} ({self._mean(index):.0f})" for index in indices)

    def _mean(self, index: int) -> float:
        return sum(snapshot.fields[index] for snapshot in self.rest) / max(1, len(self.rest))


class HoldersStep(PartStep):
    """Watches both holders at rest, then asks for one ring in red's and one in black's."""

    part = Part.HOLDERS

    def __init__(self, bench: Bench, t: float) -> None:
        hello = bench.board.hello
        fitted = bench.wiring.holders and (hello is None or hello.holders > 0)
        super().__init__(bench, t, "" if fitted else "none are fitted")
        self._rest: list[Snapshot] = []
        self._last: Snapshot | None = None
        self._silent = FaultFlag(0)
        self._asked = -1
        """The holder whose ring is awaited: 0 red's, 1 black's; -1 while both are at rest."""
        self._from = (0, 0)
        self._weights: list[Agreement] = []
        self._came: dict[int, tuple[int, float] | None] = {}
        """By the holder that was asked for: the one that moved, and by how many counts; None when neither did."""

    def on_snapshot(self, snapshot: Snapshot, t: float) -> None:
        """Take a reading of each holder."""
        if self.over:
            return
        self._last = snapshot
        self._silent |= snapshot.faults
        if self._asked < 0:
            self._rest.append(snapshot)
        else:
            self._weigh(snapshot, t)

    def _weigh(self, snapshot: Snapshot, t: float) -> None:
        """Go on to the next holder when one carries another weight, steadily."""
        for index in (self._asked, 1 - self._asked):
            weight, per_ring = self._weights[index], self.bench.known.calibration.holders[index].per_ring
            weight.feed(snapshot.holders[index], t)
            if weight.sample is None:
                continue
            moved = weight.sample.mean - self._from[index]
            if abs(moved) >= REACTION * abs(per_ring):
                self._next(t, (index, moved))
                return
            weight.restart()

    def _next(self, t: float, came: tuple[int, float] | None = None) -> None:
        """Keep the weight that came and ask for the next holder's ring; weights count from the present ones."""
        if self._asked >= 0:
            self._came[self._asked] = came
        if self._last is not None:
            self._from = self._last.holders
        self._weights = [
            Agreement(readings=STEADY_READINGS, seconds=STEADY, margin=each.margin, drift=each.margin)
            for each in self.bench.known.calibration.holders
        ]
        self.since = t
        self._asked += 1
        while self._asked < len(PLAYERS) and self._dead(self._asked) is not None:
            self._asked += 1
        self.over = self._asked >= len(PLAYERS)

    def _dead(self, index: int) -> Finding | None:
        """The finding on a holder that gives no weight."""
        readings, player = self._readings(index), PLAYERS[index]
        if self._silent & HOLDER_SILENT[index] or not any(readings):
            pins = self.bench.wiring.holders[player]
            advice = f"check its HX711, its supply and its wires to {pins.clock} (clock) and {pins.data} (data)"
            return Finding(PROBLEM, f"{player} holder", "does not answer", advice)
        if any(reading in HOLDER_RAILS for reading in readings):
            cause = f"reads {readings[-1]}, its end of scale"
            return Finding(PROBLEM, f"{player} holder", cause, "check the load cell's four wires")
        return None

    def _readings(self, index: int) -> list[int]:
        """The readings of a holder at rest."""
        return [snapshot.holders[index] for snapshot in self._rest]

    def answer(self, answer: Answer, t: float) -> None:
        """Take the answer that the ring lies there and nothing happens."""
        if answer is Answer.NO and 0 <= self._asked < len(PLAYERS):
            self._next(t)

    def advance(self, t: float) -> None:
        """End the rest, or stop waiting for a ring."""
        if self.over:
            return
        if self._asked >= 0:
            if t >= self.since + RING_WITHIN:
                self._next(t)
        elif self.has_rested(t, HOLDER_REST, len(self._rest)):
            self.over = not self.bench.hands
            if self.bench.hands:
                self._next(t)

    def prompt(self) -> Prompt:
        """Ask for a ring."""
        if not 0 <= self._asked < len(PLAYERS):
            return Prompt(title="Ring holders: at rest", words="Hands off the ring holders.")
        player, before = PLAYERS[self._asked], self._asked - 1
        came = self._came.get(before)
        return Prompt(
            title=f"Ring holders: {player}",
            words=f"Lay one ring into {player}'s holder, or take one out. It is given up after {RING_WITHIN:g} s.",
            answers={Answer.NO: "I did, and nothing happens"},
            notice=f"{PLAYERS[before]}: seen" if came is not None and came[0] == before else "",
        )

    def judge(self, found: list[Finding]) -> list[Finding]:
        """Findings on each holder."""
        return [*found, *self._of(0), *self._of(1)] if self._rest else found

    def _of(self, index: int) -> list[Finding]:
        dead = self._dead(index)
        if dead is not None:
            return [dead]
        readings, player, known = self._readings(index), PLAYERS[index], self.bench.known
        subject, calibration = f"{player} holder", known.calibration.holders[index]
        found: list[Finding] = []
        span = max(readings) - min(readings)
        if span > calibration.margin:
            cause = f"strays over {span} counts at rest; at most {calibration.margin:.0f}"
            advice = "keep hands off; else fix the cell, and check its wires"
            found.append(Finding(WARNING, subject, cause, advice))
        came = self._came.get(index)
        if index not in self._came:
            if not found:
                found.append(Finding(OK, subject, f"answers, and strays over {span} counts"))
        elif came is None:
            advice = "check the load cell's wires, and that it can bend freely"
            found.append(Finding(PROBLEM, subject, "does not move by a ring", advice))
        elif came[0] != index:
            cause = f"{player.opponent}'s moved when {player}'s was asked for"
            found.append(Finding(PROBLEM, subject, cause, SWAPPED_WIRES))
        else:
            moved = abs(came[1])
            rings = moved / abs(calibration.per_ring)
            if known.holders_measured and not LEAST_RING <= rings <= MOST_RING:
                advice = "see that nothing rubs, then tamsk-hw calibrate sensors"
                found.append(Finding(WARNING, subject, f"moved by {rings:.1f} rings for one", advice))
            else:
                found.append(Finding(OK, subject, f"quiet at rest, moved by {moved:.0f} counts"))
        return found
