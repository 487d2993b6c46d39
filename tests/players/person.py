"""A person at the board: eyes, hands that wait for each other, and a chance of his own.

What a person does is a generator, an *activity*: it yields how long he pauses and goes on when the time has come.
"""

from collections.abc import Callable, Generator
from random import Random

from tamsk_hw.game.tubes import End, Player, Tube
from tamsk_hw.referee.events import Press
from tamsk_hw.simulator.glasses import WorldGlass
from tamsk_hw.simulator.people import Activity, Pause
from tamsk_hw.simulator.world import PressKind, World
from tests.players.deeds import Deed
from tests.players.habits import Habits, Mischief
from tests.players.record import BUTTON_OF, Aim
from tests.players.story import RingIntent
from tests.players.table import Table

#: Seconds around an instant that decides (a timer's end, a window's end) in which nobody acts: whoever does things
#: in the very same instant cannot say himself what came first.
BORDER = 0.6

#: The longest that a ring in the hand takes to its rest, in seconds: fall and bounce; and that fetching one takes.
RING_FALLS = 1.75
RING_FETCHED = 0.45

#: Seconds for which a ring is held before it is dropped when the holders are counted: a holder takes longer to
#: tell of the ring than the tube does.
RING_HELD = 0.9

#: The longest that carrying and seating a glass takes, in seconds.
SEATING_TAKES = 1.7


#: An activity that says at its end whether it succeeded.
Attempt = Generator[Pause, None, bool]


class Person:
    """One of the two players, with hands, eyes, chance and habits. ``me`` is his colour."""

    def __init__(self, me: Player, table: Table, habits: Habits, chance: Random) -> None:
        self.me = me
        self.table = table
        self.world: World = table.world
        self.habits = habits
        self.chance = chance

    @property
    def now(self) -> float:
        """Simulated seconds."""
        return self.world.now

    @property
    def other(self) -> Player:
        """The opponent."""
        return self.me.opponent

    def my_turn(self) -> bool:
        """My turn was called, and I have not finished my move."""
        return self.table.called is self.me and self.table.turn is self.me

    def roll(self, probability: float) -> bool:
        """Throw the dice; nothing is drawn for what never happens."""
        return probability > 0 and self.chance.random() < probability

    def pause(self, low: float, high: float, *, attentive: bool = False) -> Pause:
        """A pause of ``low`` to ``high`` seconds, in the person's own pace."""
        return Pause(self.now + self.chance.uniform(low, high) * self.habits.pace, attentive)

    def mine_in_hand(self) -> list[WorldGlass]:
        """My glasses that I hold, first lifted first."""
        return [glass for glass in self.table.in_hands() if glass.owner is self.me]

    def turned_end(self, glass: WorldGlass) -> End | None:
        """The end that must be down for a lawful move of the glass; None when it does not matter (R2.2)."""
        return self.table.end[glass].other if self.table.ruleset.has_sand else None

    # ---- hands

    def lift(self, tube: Tube) -> Attempt:
        """Lift my glass out of ``tube``; False when it cannot be done just now."""
        glass, table = self.world.glass_at[tube], self.table
        while (
            self.other in table.aims and not self._is_beyond_doubt(table.aims[self.other])
        ) or self.other in table.claiming:
            yield Pause(self.now + 0.15)
        if glass is None or self.world.glass_at[tube] is not glass or not len(self.world.free_hands(self.me)):
            return False
        if table.over is not None or any(aim.tube is tube for aim in table.aims.values()):
            return False
        table.lifting[self.me] = glass
        yield Pause(self.world.lift(self.me, tube))
        return glass in self.table.grips

    def _is_beyond_doubt(self, aim: Aim) -> bool:
        """The glass that the other is about to seat is taken for what it is, whatever I lift meanwhile (R9.3)."""
        if aim.turn is not self.other or aim.end is None:
            return False
        return self.table.fault_of(aim.glass, aim.tube, aim.end, aim.turn, None) is None

    def seat(
        self, glass: WorldGlass, tube: Tube, end: End | None, *, still: Callable[[], bool] = lambda: True
    ) -> Attempt:
        """Carry my glass to ``tube`` and seat it with ``end`` down (None: as it is).

        Waits until the other's hand is out of the way and the glass cannot be mistaken for another; False when by
        then it is not ``still`` wanted.
        """
        table, world = self.table, self.world
        asked = self.now
        while True:
            if not still() or glass not in table.grips or not world.can_seat(tube):
                return False
            if any(reach[0] is tube for who, reach in table.reaching.items() if who is not self.me):
                return False
            down = glass.down if end is None else end
            wait = self.until_free_to_seat()
            if wait is None and table.would_be_taken_for(glass, tube, down) is not glass:
                if self.now > asked + 4.0:
                    return False
                wait = self.now + 0.25
            if wait is None:
                break
            yield Pause(wait)
        table.aim(self.me, glass, tube, down)
        turned = glass.down is not down
        yield Pause(world.seat(self.me, tube, turned=turned, glass=glass) + 0.02)
        return True

    def until_free_to_seat(self) -> float | None:
        """The time to look again for a chance to seat a glass; None when nothing speaks against it now."""
        table = self.table
        if self.other in table.aims:
            return self.now + 0.15
        if not table.ruleset.has_sand and self.other in table.reaching:
            return self.now + 0.15  # his ring first: my seat may end his right (R4.2)
        if table.deadline is not None:
            deadline = table.deadline[1]
            if deadline - SEATING_TAKES - BORDER < self.now < deadline + BORDER:
                return deadline + BORDER
        return None

    def drop(
        self, tube: Tube, intent: RingIntent | None, *, still: Callable[[float], bool] = lambda seconds: True
    ) -> Attempt:
        """Drop a ring on ``tube``; ``intent`` None: one that belongs there is put back.

        False when it is not ``still`` wanted, given the seconds until the ring will lie there.
        """
        table, world, me = self.table, self.world, self.me
        if not world.can_drop(tube) or not len(world.free_hands(me)) or not world.holders[me].rings:
            return False
        if not still(self.ring_takes()) or table.is_reached_for(tube):
            return False
        table.reaching[me] = (tube, intent)
        if table.holders:
            # a counted holder must have reported the ring before it is seen on the board
            yield Pause(world.take_up(me))
            yield Pause(self.now + RING_HELD)
            if not still(RING_FALLS) or not world.can_drop(tube):
                table.reaching.pop(me, None)
                yield Pause(world.put_back(me))
                return False
        yield Pause(world.drop(me, tube) + 0.02)
        return True

    def ring_takes(self) -> float:
        """The longest that a ring takes from the decision to its rest, in seconds."""
        return RING_FETCHED + RING_FALLS + (RING_HELD if self.table.holders else 0.0)

    def press(self, press: Press) -> Activity:
        """Press my button."""
        yield Pause(self.world.press(BUTTON_OF[self.me], PressKind(press.value)))

    def take_off_ring(self, tube: Tube) -> Attempt:
        """Take the top ring off ``tube`` into my holder."""
        if not self.world.rings[tube] or not len(self.world.free_hands(self.me)):
            return False
        if self.table.is_reached_for(tube):
            return False
        yield Pause(self.world.take(self.me, tube) + 0.02)
        return True

    def reach_for_timer(self) -> bool:
        """Put a hand to the 15-second timer; False when another hand is there."""
        if self.table.at_timer is not None:
            return False
        self.table.at_timer = self.me
        return True

    def did(self, kind: Mischief, tube: Tube, glass: WorldGlass | None = None) -> Deed:
        """Own up to a broken rule, right before one's hand breaks it."""
        return self.table.misdeed(self.me, kind, tube, glass)
