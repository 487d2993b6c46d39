"""The things of the simulated world: glasses, hands, holders, rings, and the fields and shades at the sensors.

Physics only: no I/O, no clock, no rules of the game. `Things` has the time, the agenda and the record of what
happened; actions of hands on them are in `tamsk_hw.simulator.world`.
"""

import heapq
from collections.abc import Callable
from enum import Enum
from random import Random

from tamsk_hw.game.tubes import CAPACITY, GLASSES_EACH, PLAYERS, RINGS_EACH, START_TUBES, TUBES, End, Player, Tube
from tamsk_hw.referee.events import ButtonName
from tamsk_hw.simulator.glasses import Knots, SandGlass, WorldGlass, between
from tamsk_hw.simulator.truth import GlassRanOut, HolderChanged, TimerRanOut, Truth, WorldError

#: Field of the timer's cradle; fields 0 … 36 are the tubes.
CRADLE = len(TUBES)

#: For each tube the number of its lowest ring place; ring places are counted tube by tube, bottom to top (0 … 63).
FIRST_PLACE: tuple[int, ...] = tuple(sum(CAPACITY[:tube]) for tube in TUBES)

#: Nominal seconds of a glass and of the timer from full, and by how much those of each end differ: a standard
#: deviation, relative.
GLASS_SECONDS, TIMER_SECONDS, SPREAD = 180.0, 15.0, 0.015

#: Ring places in all.
PLACES = sum(CAPACITY)


class WorldStart(Enum):
    """Places of glasses and timer at the beginning."""

    CORNERS = "corners"  #: glasses on the start tubes with empty upper parts, timer in its cradle (R1.3)
    FREE = "free"  #: glasses off the board, timer in its cradle (R8 `start`)
    BOX = "box"  #: board not set up: glasses and timer off the board


class TimerPlace(Enum):
    """The places of the 15-second timer."""

    CRADLE = "cradle"
    HAND = "hand"
    OFF = "off"


class Hand:
    """One hand, its content, and the time until which it is busy."""

    def __init__(self) -> None:
        self.ready = 0.0
        self.glass: WorldGlass | None = None
        self.ring = False
        self.taken = 0.0
        self.turned = False
        """The glass in it was turned over since it was taken."""


class WorldHolder:
    """A player's ring holder on its load cell, and his rings on the table."""

    def __init__(self) -> None:
        self.rings = RINGS_EACH
        self.promised = 0
        """Rings for which a hand reaches."""
        self.aside = 0
        """Rings that lie on the table, off the board."""
        self.swing = (-1.0, 0.0)
        """Until when the load cell swings, and by how many grams."""
        self._load = (-1.0, float(RINGS_EACH), RINGS_EACH)

    def load_at(self, t: float) -> float:
        """Rings that the load cell seems to carry at ``t``: it takes 50 ms (four conversions) to settle."""
        since, before, after = self._load
        return before + (after - before) * min(1.0, max(0.0, (t - since) / 0.05))

    def put(self, rings: int, t: float) -> None:
        """Put rings in at ``t``, or take some out if there are fewer than none."""
        self.rings += rings
        self._load = (t, self.load_at(t), self._load[2] + rings)


class Things:
    """Time and things; see `tamsk_hw.simulator.world.World`."""

    fingers = (0.3, 0.01, 0.045)
    """With which probability fingers brush the tube's ring sensors at a glass that comes or goes, and for how long
    (seconds, least and most) they stay on the place where the next ring would lie.

    By default that is sooner than a ring would be accepted; people's fingers stay for 0.02 to 0.5 s.
    """

    def __init__(self, seed: int, *, setup: WorldStart = WorldStart.CORNERS) -> None:
        """Begin a world at time 0."""
        self.seed = seed
        self.setup = setup
        self.now = 0.0
        self.truth: list[Truth] = []
        self.listeners: list[Callable[[Truth], None]] = []
        """They are called with every new entry of `truth`, as buttons."""
        self._agenda: list[tuple[float, int, Callable[[], None]]] = []
        self._serial = 0
        self._chance = Random(f"{seed}/hands")
        #: the six glasses, and the 15-second timer
        self.glasses, self.timer = _material(seed, setup)
        on_table = setup is not WorldStart.BOX
        self.timer_place = TimerPlace.CRADLE if on_table else TimerPlace.OFF
        self.glass_at: list[WorldGlass | None] = [None] * len(TUBES)
        """The glass that stands or leans in each tube, from its touching the bottom to the beginning of a lift."""
        self.hands = {player: (Hand(), Hand()) for player in PLAYERS}
        self.holders = {player: WorldHolder() for player in PLAYERS}
        self.rings = [0] * len(TUBES)
        """Rings lying on each tube."""
        self._off_board: list[WorldGlass] = [] if setup is WorldStart.CORNERS else list(self.glasses)
        self._reached: dict[WorldGlass, Player] = {}
        self._reserved: dict[Tube, WorldGlass] = {}
        self._timer_busy = False
        self._coming = [0] * len(TUBES)
        self._going: set[Tube] = set()
        self._fingers_on = dict.fromkeys(ButtonName, 0)
        self._held_down: dict[ButtonName, float] = {}

        # what the sensors feel
        #: signed share of a standard magnet's field that stands still over each field (cradle last)
        self.still: list[float] = [0.0] * (CRADLE + 1)
        #: magnets on the move, by field: shares at times, and the magnet's strength, negative with end B down
        self.moving: dict[int, tuple[Knots, float]] = {}
        #: counts every change of `still` and of the keys of `moving`
        self.field_version = 0
        #: counts every action, so that a board knows when to scan again
        self.version = 0
        #: bit mask of the ring places that have something before their sensor
        self.covered = 0
        self._cover_counts = [0] * PLACES
        #: a load cell's reading changes until then
        self.unquiet_until = -1.0
        self.lamp_on = False

        if setup is WorldStart.CORNERS:
            for glass in self.glasses:
                glass.tube = tube = START_TUBES[glass.owner][glass.index % GLASSES_EACH]
                self.glass_at[tube] = glass
        self._set_fields()

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
        """Call ``listener`` with every new entry of `truth`, as buttons."""
        self.listeners.append(listener)

    def note(self, entry: Truth) -> None:
        """Append an entry to `truth` and inform the listeners."""
        self.truth.append(entry)
        for listener in self.listeners:
            listener(entry)

    def _at(self, t: float, action: Callable[[], None]) -> None:
        """Do ``action`` at time ``t``; of equal times the first entered is done first."""
        self._serial += 1
        heapq.heappush(self._agenda, (t, self._serial, action))

    # ---- what people with eyes can see, at `now`

    def glass(self, name: str) -> WorldGlass:
        """The glass of that name ("D1", "red-1"), or `WorldError`."""
        for glass in self.glasses:
            if glass.name == name:
                return glass
        known = ", ".join(glass.name for glass in self.glasses)
        raise WorldError(f"there is no glass {name!r}; there are {known}")

    def held(self, player: Player) -> tuple[WorldGlass, ...]:
        """The glasses in a player's hands (on their way to a tube included), first taken first."""
        in_order = sorted(self.hands[player], key=lambda hand: hand.taken)
        return tuple(hand.glass for hand in in_order if hand.glass is not None)

    def in_box(self, player: Player) -> tuple[WorldGlass, ...]:
        """The player's glasses that are off the board, and that nobody reaches for."""
        return tuple(glass for glass in self._off_board if glass.owner is player and glass not in self._reached)

    def hand_of(self, glass: WorldGlass) -> Player | None:
        """The player in whose hand a glass is, or who reaches for it off the board; None for neither."""
        if glass in self._reached:
            return self._reached[glass]
        return next((player for player in PLAYERS if glass in self.held(player)), None)

    def rings_in_hand(self, player: Player) -> int:
        """Rings a player holds in his hands, also on their way to a tube."""
        return sum(hand.ring for hand in self.hands[player])

    def free_hands(self, player: Player) -> list[Hand]:
        """Hands with nothing in them and nothing to do."""
        return [
            hand for hand in self.hands[player] if hand.glass is None and not hand.ring and hand.ready <= self.now
        ]

    def can_seat(self, tube: Tube) -> bool:
        """A glass fits into the tube: none is in it, or on its way in or out."""
        return self.glass_at[tube] is None and tube not in self._reserved

    def can_drop(self, tube: Tube) -> bool:
        """Another ring fits on the tube, those on their way counted."""
        return self.rings[tube] + self._coming[tube] < CAPACITY[tube] and tube not in self._going

    def is_down(self, button: ButtonName) -> bool:
        """The button is down."""
        return self._fingers_on[button] > 0

    # ---- what the sensors feel

    def _set_fields(self) -> None:
        """Have the fields be those of the glasses that stand."""
        for tube, glass in enumerate(self.glass_at):
            if glass is not None:
                self.still[tube] = glass.strength
        if self.timer_place is TimerPlace.CRADLE:
            self.still[CRADLE] = self.timer.strength
        self.field_version += 1
        self.version += 1

    def _share_of(self, field: int, glass: SandGlass) -> float:
        """Share of its full field that a glass has over a sensor now."""
        if field not in self.moving:
            return abs(self.still[field] / glass.strength)
        knots, strength = self.moving[field]
        return abs(between(knots, self.now) * strength / glass.strength)

    def _move(self, field: int, knots: Knots, strength: float) -> None:
        """Move a magnet over a field; it stays there with its last share."""
        self.moving[field] = motion = knots, strength
        self.field_version += 1
        self.version += 1

        def over() -> None:
            if self.moving.get(field) is motion:
                del self.moving[field]
                self.still[field] = knots[-1][1] * strength
                self.field_version += 1

        self._at(knots[-1][0], over)

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

    def _load(self, player: Player, rings: int) -> None:
        """Put rings into a holder or take some out; the hand makes it swing a little."""
        self.holders[player].put(rings, self.now)
        self.note(HolderChanged(self.now, player, self.holders[player].rings))
        self._swing(player, self._chance.uniform(-4.0, 4.0), self._chance.uniform(0.06, 0.14))

    def _swing(self, player: Player, grams: float, seconds: float) -> None:
        """Let a holder's load cell swing by up to ``grams`` for some seconds."""
        self.holders[player].swing = (self.now + seconds, grams)
        self.version += 1
        self.unquiet_until = max(self.unquiet_until, self.now + max(seconds, 0.05) + 0.0125)

    def _watch_sand(self, glass: SandGlass) -> None:
        """Note when the glass will run out as it stands now."""
        end = glass.runs_out_at(self.now)
        if end is None:
            return

        def empty() -> None:
            if glass.runs_out_at(self.now - 1e-9) == end:
                ran_out = GlassRanOut(self.now, glass, glass.tube) if isinstance(glass, WorldGlass) else None
                self.note(ran_out or TimerRanOut(self.now))

        self._at(end, empty)

    # ---- parts of actions

    def _free_hand(self, player: Player) -> Hand:
        if free := self.free_hands(player):
            return free[0]
        raise WorldError(f"{player} has no free hand; each player has two")

    def _hand_with(self, player: Player, glass: WorldGlass | None) -> tuple[Hand, WorldGlass]:
        """The hand that holds the glass (by default the one taken first) and is not busy with it."""
        holding = [
            (hand, hand.glass)
            for hand in self.hands[player]
            if hand.glass is not None and glass in (None, hand.glass)
        ]
        ready = [pair for pair in holding if pair[0].ready <= self.now]
        if not ready:
            trouble = "'s hand is still under way with" if holding else " does not hold"
            raise WorldError(f"{player}{trouble} {'a glass' if glass is None else f'the {glass}'}")
        return min(ready, key=lambda pair: pair[0].taken)

    def _ring_hand(self, player: Player) -> Hand | None:
        """The player's hand that has a ring and nothing else to do."""
        return next((hand for hand in self.hands[player] if hand.ring and hand.ready <= self.now), None)

    def _standing_in(self, tube: Tube) -> WorldGlass:
        glass = self.glass_at[tube]
        if glass is None:
            raise WorldError(f"no glass is in {tube}")
        if tube in self._reserved:
            raise WorldError(f"a hand is already at {glass} in {tube}")
        return glass

    def _need_room(self, tube: Tube) -> None:
        if not self.can_seat(tube):
            there = self.glass_at[tube] or self._reserved.get(tube)
            raise WorldError(f"no glass fits into {tube}: {there} is there, or on its way")

    def _take(self, hand: Hand, glass: WorldGlass) -> None:
        hand.glass, hand.taken, hand.turned = glass, self.now, False

    def _release(self, tube: Tube) -> None:
        self._reserved.pop(tube, None)

    def _stand(self, glass: WorldGlass, tube: Tube, hand: Hand) -> None:
        hand.glass = None
        self.glass_at[tube], glass.tube = glass, tube

    def _finger_off(self, button: ButtonName) -> None:
        self._fingers_on[button] -= 1

    def _play(self) -> float:
        """Share of the full field at rest: a glass stands up to 1 mm beside the axis."""
        return self._chance.uniform(0.965, 1.0)

    def _finger(self, tube: Tube, start: float) -> float:
        """Cover a tube's upper sensors with fingers from ``start`` on; return when the last is gone."""
        chance, lying = self._chance, self.rings[tube]
        _, least, most = self.fingers
        end = start + chance.uniform(0.05, 0.3)
        for level in range(lying + self._coming[tube], CAPACITY[tube]):
            place = FIRST_PLACE[tube] + level
            if level == lying:
                # a finger here looks like a ring
                gone = start + chance.uniform(least, most)
                self._cover(place, start, gone)
                end = max(end, gone)
            elif chance.random() < 0.6 and level > lying + self._coming[tube]:
                self._cover(place, start + 0.05, max(start + 0.06, end))
        return end

    def _brush(self, tube: Tube, start: float, end: float) -> None:
        """Now and then brush over the tube's ring sensors with the fingers that hold a glass."""
        if self._chance.random() < self.fingers[0] and tube not in self._going and not self._coming[tube]:
            self._finger(tube, start + (end - start) * self._chance.uniform(0.0, 0.5))


def _material(seed: int, setup: WorldStart) -> tuple[tuple[WorldGlass, ...], SandGlass]:
    """The six glasses and the timer."""
    chance = Random(f"{seed}/material")

    def drawn(nominal: float) -> tuple[float, float]:
        return nominal * (1 + chance.gauss(0, SPREAD)), nominal * (1 + chance.gauss(0, SPREAD))

    named = [
        (player, f"{player}-{number + 1}" if setup is WorldStart.FREE else str(tube))
        for player in PLAYERS
        for number, tube in enumerate(START_TUBES[player])
    ]
    seconds = [drawn(GLASS_SECONDS) for _ in named]
    of_timer = drawn(TIMER_SECONDS)
    ends, placed = (End.A, End.B), setup is WorldStart.CORNERS
    glasses = tuple(
        WorldGlass(owner, name, index, pair, chance.choice(ends), running=placed)
        for index, ((owner, name), pair) in enumerate(zip(named, seconds, strict=True))
    )
    timer = SandGlass(of_timer, chance.choice(ends), running=setup is not WorldStart.BOX)
    for glass in (*glasses, timer):
        glass.magnets = chance.uniform(0.95, 1.05), chance.uniform(0.95, 1.05)
    return glasses, timer
