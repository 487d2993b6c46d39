"""People at a board, who act in simulated time, each by his own activity.

People act on a `World` and hear rulings. They never see sensors: whoever samples the world makes events of what
they do. Their buttons and an arbiter's decisions come out of `People.take_events`. A loop around them::

    while people.over is None:
        t = min(people.next_wakeup, next_sample)
        board.advance(t)                    # takes the world along, samples it, makes events of it
        people.advance(t)                   # the people act at t
        for event in [*events_of_the_board, *people.take_events()]:
            people.hear(referee.handle(event))
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass
from random import Random

from tamsk_hw.errors import MisuseError
from tamsk_hw.referee.events import Button, ButtonName, Event, Press
from tamsk_hw.referee.rulings import GameOver, Ruling
from tamsk_hw.simulator.truth import ButtonPressed, Truth
from tamsk_hw.simulator.world import World


@dataclass(frozen=True, slots=True)
class Pause:
    """Pause until ``until`` (seconds); an ``attentive`` one ends early when something is ruled."""

    until: float
    attentive: bool = False


#: What a person does: a generator that yields its pauses and continues when each is over.
Activity = Generator[Pause, None, None]


@dataclass(slots=True)
class _Actor:
    """An activity and its current pause; None once the activity has ended."""

    activity: Activity
    pause: Pause | None


class People:
    """The people at ``world``. The same activities, chance and rulings give the same acts."""

    def __init__(self, world: World, activities: Iterable[Activity], chance: Random) -> None:
        self.world = world
        self.events: list[Event] = []
        """Buttons and decisions that nobody has taken yet."""
        self.over: GameOver | None = None
        """The end of the game as it was ruled; None while it goes on."""
        self._chance = chance
        self._actors = [_Actor(activity, Pause(world.now)) for activity in activities]
        self._next = world.now
        world.listen(self._see)

    @property
    def next_wakeup(self) -> float | None:
        """The time at which a person next acts (simulated seconds); None when the game is over."""
        return None if self.over is not None else self._next

    def take_events(self) -> list[Event]:
        """Buttons and arbiter's decisions since the last call, in order of time."""
        events = sorted(self.events, key=lambda event: event.t)
        self.events.clear()
        return events

    def hear(self, rulings: Sequence[Ruling]) -> None:
        """Have everybody hear ``rulings``; whoever waits attentively continues a moment later."""
        if not rulings:
            return
        for ruling in rulings:
            if isinstance(ruling, GameOver):
                self.over = ruling
        for actor in self._actors:
            if actor.pause is not None and actor.pause.attentive:
                reaction = self._chance.uniform(0.15, 0.35)
                actor.pause = Pause(min(actor.pause.until, self.world.now + reaction))
        self._plan_wakeup()

    def leave(self) -> None:
        """Look at the world no more; a game's people are gone when the next ones sit down."""
        self.world.stop_listening(self._see)

    def advance(self, t: float) -> None:
        """Have the people decide and act up to ``t`` seconds; the world is taken along to each act, not to ``t``.

        Raises:
            MisuseError: ``t`` is not a number that time can reach.
        """
        if t != t:
            raise MisuseError("people cannot advance to a time that is no number")
        while self._next <= t and self.over is None:
            if self._next > self.world.now:
                self.world.advance(self._next)
            self.act()

    def act(self) -> None:
        """Continue every activity whose pause is over."""
        for actor in self._actors:
            if actor.pause is not None and actor.pause.until <= self.world.now:
                actor.pause = next(actor.activity, None)
        self._plan_wakeup()

    def wakeups(self) -> list[float]:
        """The times at which somebody wants to act."""
        return [actor.pause.until for actor in self._actors if actor.pause is not None]

    def _plan_wakeup(self) -> None:
        self._next = min(self.wakeups(), default=float("inf"))

    def _see(self, fact: Truth) -> None:
        if isinstance(fact, ButtonPressed):
            self.events.append(Button(fact.t, ButtonName(fact.button.value), Press(fact.press.value)))
