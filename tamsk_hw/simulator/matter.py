"""The things of the simulated world: time, the agenda, the record of what happened, and all that eyes can see.

The hands that act on them are in `tamsk_hw.simulator.world`.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from random import Random

from tamsk_hw.game.tubes import CAPACITY, GLASSES_EACH, PLAYERS, RINGS_EACH, START_TUBES, TUBES, End, Player, Tube
from tamsk_hw.simulator.truth import (
    GlassId,
    GlassRanOut,
    Knots,
    Motion,
    PushButton,
    SandGlass,
    TimerRanOut,
    Truth,
    WorldError,
)

#: Field of the timer's cradle; fields 0 … 36 are the tubes.
CRADLE = len(TUBES)

#: For each tube the number of its lowest ring place; ring places are counted tube by tube, bottom to top (0 … 63).
FIRST_PLACE: tuple[int, ...] = tuple(sum(CAPACITY[:tube]) for tube in TUBES)

#: Ring places in all.
PLACES = sum(CAPACITY)

HANDS = 2


class WorldStart(Enum):
    """Places of glasses and timer at the beginning."""

    CORNERS = "corners"  #: glasses on the start tubes with empty upper parts, timer in its cradle (R1.3)
    FREE = "free"  #: glasses off the board, timer in its cradle (R8 `start`)
    BOX = "box"  #: board not set up: glasses and timer off the board


class Hand:
    """One hand, its content, and the time until which it is busy."""

    __slots__ = ("glass", "ready", "ring", "taken", "turned")

    def __init__(self) -> None:
        self.ready = 0.0
        self.glass: GlassId | None = None
        self.ring = False
        self.taken = 0.0
        self.turned = False
        """The glass in it was turned over since it was taken."""

    def is_free(self, now: float) -> bool:
        """The hand is empty and has nothing to do."""
        return self.glass is None and not self.ring and self.ready <= now


class Matter:
    """Time and things; see `tamsk_hw.simulator.world.World`."""

    def __init__(
        self,
        seed: int,
        setup: WorldStart,
        glass_seconds: float | Mapping[str, tuple[float, float]],
        timer_seconds: float | tuple[float, float],
        spread: float,
    ) -> None:
        """Begin as `World` describes."""
        self.seed = seed
        self.setup = setup
        self.now = 0.0
        self.truth: list[Truth] = []
        self._listeners: list[Callable[[Truth], None]] = []
        self._agenda: list[tuple[float, int, Callable[[], None]]] = []
        self._serial = 0
        self._chance = Random(f"{seed}/hands")

        chance = Random(f"{seed}/material")
        names = {
            player: [
                str(tube) if setup is not WorldStart.FREE else f"{player}-{number + 1}"
                for number, tube in enumerate(START_TUBES[player])
            ]
            for player in PLAYERS
        }
        self.glasses: tuple[GlassId, ...] = tuple(
            GlassId(player, names[player][number], number + GLASSES_EACH * place)
            for place, player in enumerate(PLAYERS)
            for number in range(GLASSES_EACH)
        )

        def drawn(nominal: float) -> tuple[float, float]:
            return nominal * (1 + chance.gauss(0, spread)), nominal * (1 + chance.gauss(0, spread))

        seconds: list[tuple[float, float]] = []
        for glass in self.glasses:
            if isinstance(glass_seconds, Mapping):
                if glass.name not in glass_seconds:
                    known = ", ".join(each.name for each in self.glasses)
                    raise WorldError(f"glass_seconds: no seconds for glass {glass.name}; wanted: {known}")
                seconds.append(glass_seconds[glass.name])
            else:
                seconds.append(drawn(glass_seconds))
        timer = timer_seconds if isinstance(timer_seconds, tuple) else drawn(timer_seconds)
        for pair in [*seconds, timer]:
            if min(pair) <= 0:
                raise WorldError(f"seconds of a glass: {pair}; wanted: two numbers above 0")
        ends = (End.A, End.B)
        placed = setup is WorldStart.CORNERS
        self._sand = [SandGlass(pair, chance.choice(ends), running=placed) for pair in seconds]
        self._timer_sand = SandGlass(timer, chance.choice(ends), running=setup is not WorldStart.BOX)
        #: each magnet's own strength, for each glass (the timer last) and end
        self.magnets = [(chance.uniform(0.95, 1.05), chance.uniform(0.95, 1.05)) for _ in range(7)]

        self._tube_of: list[Tube | None] = [None] * len(self.glasses)
        self._glass_at: list[GlassId | None] = [None] * len(TUBES)
        self._leaning: set[GlassId] = set()
        self._boxed: list[GlassId] = [] if placed else list(self.glasses)
        self._reached: dict[GlassId, Player] = {}
        self._reserved: dict[Tube, GlassId] = {}
        self._timer_seated = setup is not WorldStart.BOX
        self._timer_in_box = not self._timer_seated
        self._timer_busy = False
        self._hands: dict[Player, tuple[Hand, ...]] = {
            player: tuple(Hand() for _ in range(HANDS)) for player in PLAYERS
        }
        self._rings = [0] * len(TUBES)
        self._coming = [0] * len(TUBES)
        self._going: set[Tube] = set()
        self._holders = dict.fromkeys(PLAYERS, RINGS_EACH)
        self._promised = dict.fromkeys(PLAYERS, 0)
        self._aside = dict.fromkeys(PLAYERS, 0)
        self._fingers_on = dict.fromkeys(PushButton, 0)
        self._held: dict[PushButton, float] = {}

        # what the sensors feel
        #: signed share of a standard magnet's field that stands still over each field (cradle last)
        self.still: list[float] = [0.0] * (CRADLE + 1)
        #: magnets on the move, by field
        self.moving: dict[int, Motion] = {}
        #: counts every change of `still` and of the keys of `moving`
        self.field_version = 0
        #: counts every action, so that a board knows when to scan again
        self.version = 0
        #: bit mask of the ring places that have something before their sensor
        self.covered = 0
        self._cover_counts = [0] * PLACES
        #: for each holder: when its load last changed, from how many rings, to how many
        self.loads: dict[Player, tuple[float, float, int]] = {
            player: (-1.0, float(RINGS_EACH), RINGS_EACH) for player in PLAYERS
        }
        #: for each holder: until when it swings, and by how many grams
        self.swings: dict[Player, tuple[float, float]] = dict.fromkeys(PLAYERS, (-1.0, 0.0))
        #: a load cell's reading changes until then
        self.unquiet_until = -1.0
        self.lamp_on = False

        if placed:
            for glass in self.glasses:
                tube = START_TUBES[glass.owner][glass.index % GLASSES_EACH]
                self._tube_of[glass.index] = tube
                self._glass_at[tube] = glass
                self.still[tube] = self._strength(glass)
        if self._timer_seated:
            self.still[CRADLE] = self._timer_strength()

    # ---- time and record

    def advance(self, t: float) -> None:
        """Let time run to ``t`` seconds and do what falls due, in order; raise `WorldError` if t < now."""
        if t < self.now:
            raise WorldError(f"time {t:.6f} s is past; the world is at {self.now:.6f} s and only runs forward")
        agenda = self._agenda
        while agenda and agenda[0][0] <= t:
            due, _, action = heapq.heappop(agenda)
            self.now = max(self.now, due)
            self.version += 1
            action()
        self.now = t

    def next_change(self) -> float | None:
        """The time of the next entry on the agenda; None when it is empty.

        While a magnet moves (`moving`), its field changes all the time.
        """
        return self._agenda[0][0] if self._agenda else None

    def listen(self, listener: Callable[[Truth], None]) -> None:
        """Call ``listener`` with every new entry of `truth` (e.g. to hear buttons)."""
        self._listeners.append(listener)

    def stop_listening(self, listener: Callable[[Truth], None]) -> None:
        """Call ``listener`` no more."""
        self._listeners.remove(listener)

    def note(self, entry: Truth) -> None:
        """Append an entry to `truth` and inform the listeners."""
        self.truth.append(entry)
        for listener in self._listeners:
            listener(entry)

    def _at(self, t: float, action: Callable[[], None]) -> None:
        """Do ``action`` at time ``t``; of equal times the first entered is done first."""
        self._serial += 1
        heapq.heappush(self._agenda, (t, self._serial, action))

    # ---- what people with eyes can see, at `now`

    def glass(self, name: str) -> GlassId:
        """The glass of that name ("D1", "red-1"), or `WorldError`."""
        for glass in self.glasses:
            if glass.name == name:
                return glass
        known = ", ".join(glass.name for glass in self.glasses)
        raise WorldError(f"there is no glass {name!r}; there are {known}")

    def glass_at(self, tube: Tube) -> GlassId | None:
        """The glass that stands or leans in a tube, from touching the bottom to the first millimetre of a lift."""
        return self._glass_at[tube]

    def tube_of(self, glass: GlassId) -> Tube | None:
        """The tube in which a glass stands or leans, None in the hand or off the board."""
        return self._tube_of[glass.index]

    def is_leaning(self, glass: GlassId) -> bool:
        """The glass leans, half in a tube."""
        return glass in self._leaning

    def held(self, player: Player) -> tuple[GlassId, ...]:
        """The glasses in a player's hands (on their way to a tube included), first taken first."""
        busy = [hand for hand in self._hands[player] if hand.glass is not None]
        return tuple(hand.glass for hand in sorted(busy, key=lambda hand: hand.taken) if hand.glass is not None)

    def in_box(self, player: Player) -> tuple[GlassId, ...]:
        """The player's glasses that are off the board, and that nobody reaches for."""
        return tuple(glass for glass in self._boxed if glass.owner is player and glass not in self._reached)

    def holder_of(self, glass: GlassId) -> Player | None:
        """The player in whose hand a glass is, or who reaches for it off the board; None for neither."""
        if glass in self._reached:
            return self._reached[glass]
        return next((player for player in PLAYERS if glass in self.held(player)), None)

    def share_above(self, glass: GlassId) -> float:
        """The share of its sand that is in a glass's upper part, 0 … 1."""
        return self._sand[glass.index].above(self.now)

    def is_running(self, glass: GlassId) -> bool:
        """Sand runs in the glass."""
        return self._sand[glass.index].runs_out_at(self.now) is not None

    def end_down(self, glass: GlassId) -> End:
        """The end of the glass that is down."""
        return self._sand[glass.index].down

    def upper_seconds(self, glass: GlassId) -> float:
        """Seconds of sand left in the upper part, as the glass is now; 0 when empty."""
        return self._sand[glass.index].upper_seconds(self.now)

    def lower_seconds(self, glass: GlassId) -> float:
        """Seconds the sand would run if the glass were turned over now."""
        return self._sand[glass.index].lower_seconds(self.now)

    def runs_out_at(self, glass: GlassId) -> float | None:
        """The time at which the upper part will be empty as the glass is now; None if empty or in the box."""
        return self._sand[glass.index].runs_out_at(self.now)

    def seconds_from_full(self, glass: GlassId) -> tuple[float, float]:
        """The glass's real seconds from full to empty: with end A down, with end B down."""
        return self._sand[glass.index].seconds

    def timer_in_cradle(self) -> bool:
        """The 15-second glass stands in its cradle (not while it is being turned)."""
        return self._timer_seated

    def timer_in_box(self) -> bool:
        """The 15-second glass is off the board, and nobody reaches for it."""
        return self._timer_in_box

    def timer_share_above(self) -> float:
        """The share of its sand that is in the timer's upper part, 0 … 1."""
        return self._timer_sand.above(self.now)

    def timer_end_down(self) -> End:
        """The end of the 15-second glass that is down."""
        return self._timer_sand.down

    def timer_upper_seconds(self) -> float:
        """Seconds of sand left in the timer's upper part; 0 when empty."""
        return self._timer_sand.upper_seconds(self.now)

    def timer_runs_out_at(self) -> float | None:
        """The time at which the timer's upper part will be empty; None if it is empty."""
        return self._timer_sand.runs_out_at(self.now)

    def timer_seconds_from_full(self) -> tuple[float, float]:
        """The timer's real seconds from full to empty: with end A down, with end B down."""
        return self._timer_sand.seconds

    def rings(self, tube: Tube) -> int:
        """Rings lying on a tube."""
        return self._rings[tube]

    def rings_in_holder(self, player: Player) -> int:
        """Rings in a player's holder."""
        return self._holders[player]

    def rings_in_hand(self, player: Player) -> int:
        """Rings a player holds in his hands, also on their way to a tube."""
        return sum(hand.ring for hand in self._hands[player])

    def rings_aside(self, player: Player) -> int:
        """Rings of a player that lie on the table, off the board."""
        return self._aside[player]

    def free_hands(self, player: Player) -> int:
        """Hands with nothing in them and nothing to do: 0 … 2."""
        return sum(hand.is_free(self.now) for hand in self._hands[player])

    def can_seat(self, tube: Tube) -> bool:
        """A glass fits into the tube: none is in it, or on its way in or out."""
        return self._glass_at[tube] is None and tube not in self._reserved

    def can_drop(self, tube: Tube) -> bool:
        """Another ring fits on the tube, those on their way counted."""
        return self._rings[tube] + self._coming[tube] < CAPACITY[tube] and tube not in self._going

    def set_magnets(self, strengths: Sequence[tuple[float, float]]) -> None:
        """Give the glasses (the timer last) magnets of other strengths, for ends A and B.

        Raises `WorldError` while one moves.
        """
        if self.moving or len(strengths) != len(self.magnets):
            raise WorldError(
                f"magnets: {len(strengths)} given; wanted: {len(self.magnets)}, and no glass on the move"
            )
        self.magnets = list(strengths)
        for tube, glass in enumerate(self._glass_at):
            if glass is not None:
                self.still[tube] = self._strength(glass)
        if self._timer_seated:
            self.still[CRADLE] = self._timer_strength()
        self.field_version += 1
        self.version += 1

    # ---- what the sensors feel

    def _strength(self, glass: GlassId) -> float:
        """Signed strength of the magnet that is down: positive for end A."""
        a, b = self.magnets[glass.index]
        return a if self._sand[glass.index].down is End.A else -b

    def _timer_strength(self) -> float:
        """Signed strength of the magnet of the 15-second glass that is down."""
        a, b = self.magnets[len(self.glasses)]
        return a if self._timer_sand.down is End.A else -b

    def _move(self, field: int, knots: Knots, strength: float) -> None:
        """Move a magnet over a field; it stays there with its last share."""
        motion = Motion(knots, strength)
        self.moving[field] = motion
        self.field_version += 1
        self.version += 1

        def over() -> None:
            if self.moving.get(field) is motion:
                del self.moving[field]
                self.still[field] = motion.shares[-1] * strength
                self.field_version += 1

        self._at(motion.end, over)

    def _cover(self, place: int, start: float, end: float) -> None:
        """Cover the sensor of a ring place from ``start`` to ``end``."""
        self._at(start, lambda: self._shade(place, 1))
        self._at(end, lambda: self._shade(place, -1))

    def _shade(self, place: int, step: int) -> None:
        """Put one thing more (1) or fewer (-1) before the sensor of a ring place."""
        self._cover_counts[place] += step
        if self._cover_counts[place]:
            self.covered |= 1 << place
        else:
            self.covered &= ~(1 << place)

    def load_at(self, player: Player, t: float) -> float:
        """Rings that a load cell seems to carry at ``t``: it takes 50 ms (four conversions) to settle."""
        since, before, after = self.loads[player]
        return before + (after - before) * min(1.0, max(0.0, (t - since) / 0.05))

    def _load(self, player: Player, step: int) -> None:
        """Put a ring into a holder or take one out; the hand makes it swing a little."""
        self.loads[player] = (self.now, self.load_at(player, self.now), self.loads[player][2] + step)
        self._swing(player, self._chance.uniform(-4.0, 4.0), self._chance.uniform(0.06, 0.14))

    def _swing(self, player: Player, grams: float, seconds: float) -> None:
        """Let a holder's load cell swing by up to ``grams`` for some seconds."""
        self.swings[player] = (self.now + seconds, grams)
        self.version += 1
        self.unquiet_until = max(self.unquiet_until, self.now + max(seconds, 0.05) + 0.0125)

    # ---- sand

    def _watch_sand(self, glass: GlassId) -> None:
        """Note when the glass will run out as it stands now."""
        sand = self._sand[glass.index]
        end = sand.runs_out_at(self.now)
        if end is None:
            return

        def empty() -> None:
            if sand.runs_out_at(self.now - 1e-9) == end:
                self.note(GlassRanOut(self.now, glass, self._tube_of[glass.index]))

        self._at(end, empty)

    def _watch_timer(self) -> None:
        """Note when the timer will run out as it stands now."""
        sand = self._timer_sand
        end = sand.runs_out_at(self.now)
        if end is None:
            return

        def empty() -> None:
            if sand.runs_out_at(self.now - 1e-9) == end:
                self.note(TimerRanOut(self.now))

        self._at(end, empty)
