"""Steps of ``tamsk-hw calibrate sensors``: the empty board, the rings, the ring holders."""

from functools import partial
from math import inf
from statistics import median
from typing import Final

from tamsk_hw.board import protocol
from tamsk_hw.board.calibration import FIELD_NAMES, LEAST_DEFLECTION
from tamsk_hw.board.protocol import LEAST_THRESHOLD, RING_INPUTS
from tamsk_hw.board.timeline import REFERENCE_READINGS
from tamsk_hw.board.wiring import Wiring
from tamsk_hw.game.tubes import CAPACITY, PLAYERS, TUBES, Player
from tamsk_hw.words.translating import some_of
from tamsk_hw.workbench import measurements
from tamsk_hw.workbench.board import HOLDER_RAILS, HOLDER_SILENT, Board
from tamsk_hw.workbench.measurements import LevelFound, Measurements, Sample, Trouble
from tamsk_hw.workbench.walk import Answer, Mark, Prompt, Step

#: A field is at rest when it is quiet within four steps about its mean.
REST = partial(measurements.Agreement, readings=30, seconds=1.5, margin=8.0, drift=1.0)

#: A load cell is at rest within this many counts of its converter, less than a third of a ring.
WEIGHT = partial(measurements.Agreement, readings=30, seconds=1.5, margin=1600.0, drift=250.0)

#: Seconds to wait for a sensor that does not come to rest.
PATIENCE = 12.0

#: Seconds for which a ring sensor on the empty board counts as seeing what it saw.
_REMEMBERED = 0.5

_FOREIGN_LIGHT: Final = "sees light that is not its own"
_CONVERTER: Final = "look at that MCP3008, its supply and its select line"
_CELL: Final = "nothing may touch it; look at the cell's wires"


class Scales:
    """Both load cells until they hold still."""

    def __init__(self) -> None:
        self._cells = {player: WEIGHT() for player in PLAYERS}
        self._silent: set[Player] = set()

    def feed(self, snapshot: protocol.Snapshot, t: float) -> bool:
        """Take the board's readings at ``t``; True once both hold still."""
        for (player, cell), flag, reading in zip(
            self._cells.items(), HOLDER_SILENT, snapshot.holders, strict=True
        ):
            if snapshot.faults & flag or reading in HOLDER_RAILS:
                self._silent.add(player)
                cell.restart()
            else:
                self._silent.discard(player)
                cell.feed(reading, t)
        return all(cell.sample is not None for cell in self._cells.values())

    def restart(self) -> None:
        """Start again: frames were missed, or something moved."""
        for cell in self._cells.values():
            cell.restart()

    def weighed(self, player: Player, when: str = "") -> tuple[Sample | None, Trouble | None]:
        """The weight, or the cell's trouble."""
        cell = self._cells[player]
        if player in self._silent:
            return None, ("its converter (HX711) does not answer", "look at its wires and its supply")
        trouble = (f"jumps by {cell.unrest:.0f} counts{when}", _CELL) if cell.sample is None else None
        return cell.sample, trouble


class EmptyStep(Step):
    """Waits for the start button, then measures the empty board.

    Things that are still on the board are named; another press of start accepts them.
    """

    def __init__(self, measured: Measurements, setup: Board) -> None:
        super().__init__()
        self._measurements, self._wiring, self._settings = measured, setup.wiring, setup.configuration.sensing
        #: Once one field is asked for, all are measured: glasses in the wrong tubes are found by them.
        self._measured_fields = self._wiring.fields if measured.fields else ()
        bits = self._wiring.ring_bits
        self._places = {
            f"{tube}.{level}": bit for tube in measured.levels for level, bit in enumerate(bits[tube], 1)
        }
        self._rests = [REST() for _ in range(protocol.FIELDS)]
        self._scales = Scales()
        self._lit_at, self._unknown_at = [-inf] * protocol.RING_BITS, [-inf] * protocol.RING_BITS
        self._measuring = False
        self._standing: list[int] = []
        self._lights: list[str] = []
        self._rings: list[str] = []
        self._asked: frozenset[str] = frozenset()
        self._excused: frozenset[str] = frozenset()
        self._blocked = ""
        self._quiet_since = inf

    # ---- what comes in

    def on_snapshot(self, snapshot: protocol.Snapshot, t: float) -> None:
        """Take the board's readings at ``t``."""
        if self.over:
            return
        self._look(snapshot, t)
        if not self._measuring:
            return
        if self._blocked or self._left:
            self.restart()
            return
        if self._quiet_since == inf:
            self._quiet_since = t
            self.signals.restart()
        agree = [self._rests[index].feed(snapshot.fields[index], t) for index in self._measured_fields]
        if self._measurements.holders:
            agree.append(self._scales.feed(snapshot, t))
        enough = t - self._quiet_since >= (self._rests[0].seconds if all(agree) else PATIENCE)
        if enough and self.signals.are_complete(self._places.values()):
            self._finish()

    def restart(self) -> None:
        """Start again: frames were missed, or something moved."""
        for agreement in self._rests:
            agreement.restart()
        self._scales.restart()
        self._quiet_since = inf

    def answer(self, answer: Answer, t: float) -> None:
        """Begin, or accept the things that are still on the board."""
        present = self._present
        if present <= self._asked:
            self._excused = present
            self._measuring = True
        self._asked = present

    # ---- what stands there

    def _look(self, snapshot: protocol.Snapshot, t: float) -> None:
        """Find what should not be on the board; `answer` may accept it."""
        self._standing, self._blocked = [], ""
        if self._measurements.fields:
            readings = {index: snapshot.fields[index] for index in self._wiring.fields}
            middle, rail = median(readings.values()), self._settings.rail
            self._standing = [
                index
                for index, reading in readings.items()
                if rail < reading < 255 - rail and abs(reading - middle) > LEAST_DEFLECTION
            ]
            references = zip(snapshot.references, REFERENCE_READINGS, strict=True)
            if any(abs(reading - due) > self._settings.reference_margin for reading, due in references):
                self._blocked = (
                    f"The three references read {', '.join(map(str, snapshot.references))} and not "
                    f"{', '.join(map(str, REFERENCE_READINGS))}: a multiplexer or one of its select lines is "
                    "broken, and no field can be believed. Mend that first."
                )
        places = self._places.items()
        for _, bit in places:
            if snapshot.unknown >> bit & 1:
                self._unknown_at[bit] = t
            elif snapshot.rings >> bit & 1:
                self._lit_at[bit] = t
        self._lights = [place for place, bit in places if t - self._unknown_at[bit] < _REMEMBERED]
        lit = [place for place, bit in places if t - self._lit_at[bit] < _REMEMBERED]
        self._rings = [place for place in lit if place not in self._lights]

    @property
    def _present(self) -> frozenset[str]:
        """The places of sensors that feel or see something."""
        return frozenset((*(FIELD_NAMES[index] for index in self._standing), *self._lights, *self._rings))

    @property
    def _left(self) -> frozenset[str]:
        """The places that still feel or see something and were not accepted by the person."""
        return self._present - self._excused

    # ---- what is shown

    def prompt(self) -> Prompt:
        """Name the things to take off the board, and those still on it."""
        title = "Empty board"
        things = ["glasses", "the timer"] if self._measurements.fields else []
        things += ["rings"] if self._measurements.levels else []
        listed = " and ".join(filter(None, [", ".join(things[:-1]), *things[-1:]]))
        off = f"Take {listed} off the board" if things else ""
        holders = "empty both ring holders" if self._measurements.holders else ""
        words = f"{off} and {holders}" if off and holders else off or holders.capitalize()
        marked = [*(FIELD_NAMES[index] for index in self._standing), *(place[:2] for place in self._rings)]
        marks = dict.fromkeys(marked, (Mark.WRONG,))
        trouble = self._blocked or self._trouble()
        if self._measuring and not trouble:
            return Prompt(title=title, words="The empty board is measured: hands off", marks=marks)
        return Prompt(
            title=title,
            words=words if self._measuring else f"{words}, then press start",
            trouble=trouble,
            marks=marks,
            awaits_start=not self._measuring or bool(self._left),
        )

    def _trouble(self) -> str:
        left = self._left
        if not left:
            return ""
        words = []
        if self._standing:
            words.append(f"Something is felt at {some_of(map(measurements.field_words, self._standing), 6)}.")
        if self._rings:
            words.append(f"A ring is seen at {some_of(self._rings, 6)} (level counted from the bottom).")
        silent = self.signals.silent_converters(self._places.values())
        if silent:
            words.append(f"No answer from converter {' '.join(map(str, silent))} (MCP3008): see to that first.")
        # Until the board has reported its signals nothing is known of the cause.
        read = {place: bit for place, bit in self._places.items() if bit in self.signals.last}
        lights = [place for place in self._lights if place in read and read[place] // RING_INPUTS not in silent]
        if lights:
            words.append(f"Light falls on {some_of(lights, 6)}: shade the board.")
        more = "Press start again to go on all the same: these sensors are then named as bad."
        return " ".join([*words, more] if left <= self._asked else words)

    # ---- the end

    def _finish(self) -> None:
        self.over = True
        self._measurements.taken += 1
        measured, rail = self._measurements, self._settings.rail
        for index in self._measured_fields:
            sample = self._rests[index].sample
            if sample is not None:
                measured.baseline[index] = sample.mean
            else:
                measured.baseline.setdefault(index, measurements.MIDDLE)
        for index, found in measured.fields.items():
            agreement = self._rests[index]
            sample = found.rest = agreement.sample
            found.trouble = None
            if sample is None:
                found.trouble = f"jumps by {agreement.unrest:.0f} steps with nothing on it", measurements.LOOSE
            elif FIELD_NAMES[index] in self._excused:
                words = f"reads {sample.mean:.0f} with nothing on it, where about 128 is due"
                found.trouble = words, measurements.WIRES
            elif not rail < sample.mean < 255 - rail:
                advice = "look for a broken or shorted wire at its sensor"
                found.trouble = f"reads {sample.mean:.0f}, an end of the scale", advice
        for tube in measured.levels:
            bits = enumerate(self._wiring.ring_bits[tube], 1)
            measured.levels[tube] = [self._level(f"{tube}.{level}", bit) for level, bit in bits]
        for player, holder in measured.holders.items():
            holder.empty, holder.trouble = self._scales.weighed(player, " when empty")

    def _level(self, place: str, bit: int) -> LevelFound:
        found = LevelFound(bare=self.signals.counts(bit))
        if self.signals.silent_converters((bit,)):
            found.bare_trouble = f"has no answer from its converter {bit // RING_INPUTS}", _CONVERTER
        elif self.signals.is_bright(bit) or (place in self._excused and self._unknown_at[bit] > self._lit_at[bit]):
            found.bare_trouble = _FOREIGN_LIGHT, "shade the board, or look for a short circuit"
        elif place in self._excused:
            advice = "look for dirt or a short circuit at the sensor"
            found.bare_trouble = "sees a ring where there is none", advice
        return found


class RingStep(Step):
    """Waits until every sensor has a ring's signal, or start is pressed, then measures the rings.

    The present thresholds do not matter. Sensors that were bad on the empty board are not waited for.
    """

    def __init__(self, measured: Measurements, wiring: Wiring) -> None:
        super().__init__()
        self._measurements, self._tubes = measured, tuple(measured.levels)
        self._levels = {
            bit: (tube, level, found)
            for tube, row in measured.levels.items()
            for level, (bit, found) in enumerate(zip(wiring.ring_bits[tube], row, strict=True), 1)
        }
        self._missing = {bit for bit, (_, _, found) in self._levels.items() if found.bare_trouble is None}
        self._asked = False
        self._measuring = False

    def on_signals(self, told: protocol.RingSignals) -> None:
        """Take the signals of a converter's ring sensors."""
        super().on_signals(told)
        for bit in told.by_bit:
            if bit in self._levels and self._levels[bit][2].bare_trouble is None:
                counts, bare = self.signals.counts(bit), self._levels[bit][2].bare or 0.0
                is_seen = counts is not None and counts >= max(measurements.LEAST_RING, bare + LEAST_THRESHOLD)
                (self._missing.discard if is_seen else self._missing.add)(bit)
        if self._measuring and self.signals.are_complete(self._levels):
            self._finish()
        elif not self._measuring and not self._missing:
            self._measure()

    def restart(self) -> None:
        """Start again: frames were missed."""
        self.signals.restart()

    def answer(self, answer: Answer, t: float) -> None:
        """Go on: the rings are there, seen or not."""
        if self._asked and not self._measuring:
            self._measure()
        self._asked = True

    def _measure(self) -> None:
        self._measuring = True
        self.signals.restart()

    def prompt(self) -> Prompt:
        """Ask for the rings that are missing."""
        missing = [self._levels[bit][:2] for bit in self._levels if bit in self._missing]
        wanted = {tube for tube, _ in missing}
        marks = {tube.name: (Mark.MISSING if tube in wanted else Mark.DONE,) for tube in self._tubes}
        if self._measuring:
            return Prompt(title="Rings", words="The rings are measured: hands off", marks=marks)
        if self._tubes == TUBES:
            words = "Fill all tubes with the 64 rings: 1 on each tube of the edge, then 2, 3, and 4 in the middle"
        else:
            words = "Fill with rings: " + " ".join(f"{tube} ({CAPACITY[tube]})" for tube in self._tubes)
        trouble = ""
        if self._asked and missing:
            names = some_of((f"{tube}.{level}" for tube, level in missing), 8)
            trouble = (
                f"No ring is seen at {names} (tube.level, 1 is the lowest). If the rings are "
                "there, press start again: these sensors are then measured as they are."
            )
        return Prompt(title="Rings", words=words, trouble=trouble, marks=marks, awaits_start=bool(trouble))

    def _finish(self) -> None:
        self.over = True
        self._measurements.taken += 1
        for bit, (_, _, found) in self._levels.items():
            found.covered, found.covered_trouble = self.signals.counts(bit), None
            if found.covered is None and self.signals.is_bright(bit):
                found.covered_trouble = _FOREIGN_LIGHT, "shade the board and measure its rings again"
            elif found.covered is None:
                found.covered_trouble = "cannot be read", _CONVERTER


class HolderStep(Step):
    """Waits for the start button with rings in each holder, then weighs both."""

    def __init__(self, measured: Measurements) -> None:
        super().__init__()
        self._measurements = measured
        self._scales = Scales()
        self._measuring = False
        self._since = inf

    def on_snapshot(self, snapshot: protocol.Snapshot, t: float) -> None:
        """Take the board's readings at ``t``."""
        if self.over or not self._measuring:
            return
        self._since = min(self._since, t)
        if self._scales.feed(snapshot, t) or t - self._since >= PATIENCE:
            self._finish()

    def restart(self) -> None:
        """Start again: frames were missed."""
        self._scales.restart()
        self._since = inf

    def answer(self, answer: Answer, t: float) -> None:
        """Weigh: the rings are in."""
        self._measuring = True

    def prompt(self) -> Prompt:
        """Ask for the rings."""
        if self._measuring:
            return Prompt(title="Ring holders", words="The ring holders are weighed: hands off")
        rings = self._measurements.rings
        words = f"Put {rings} ring{'s' * (rings != 1)} into each ring holder, then press start"
        return Prompt(title="Ring holders", words=words, awaits_start=True)

    def _finish(self) -> None:
        self.over = True
        self._measurements.taken += 1
        for player, holder in self._measurements.holders.items():
            holder.loaded, trouble = self._scales.weighed(player)
            holder.trouble = holder.trouble or trouble
