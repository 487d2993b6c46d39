"""A match: two simulated players and an arbiter at one board, in simulated time.

The match acts on a `World` and hears rulings; what the sensors make of it is the business of whoever samples the
world. Buttons and arbiter's decisions are no sensors: they come out of `Match.take_events`. A loop around it::

    match = Match(world, ruleset, seed=7)
    while match.over is None:
        t = min(match.next_wakeup, next_sample)
        board.advance(t)                    # takes the world along, samples it, makes events of it
        match.advance(t)                    # the players act at t
        for event in [*events_of_the_board, *match.take_events()]:
            match.hear(referee.handle(event))
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from tamsk_hw.errors import MisuseError, TamskError
from tamsk_hw.game.players import PLAYERS, Player
from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.referee.events import Button, ButtonName, Event, Press
from tamsk_hw.referee.rulings import (
    Forfeit,
    GameOver,
    GlassLost,
    Moved,
    Passed,
    RingCounted,
    Ruling,
    Setup,
    Skip,
    Started,
    Turn,
)
from tamsk_hw.simulator.players.arbiter import ArbiterPersona
from tamsk_hw.simulator.players.habits import Habits
from tamsk_hw.simulator.players.person import Activity, Pause
from tamsk_hw.simulator.players.player import SimulatedPlayer
from tamsk_hw.simulator.players.story import StoryEntry
from tamsk_hw.simulator.players.table import Table
from tamsk_hw.simulator.truth import ButtonPressed, Truth
from tamsk_hw.simulator.world import World

#: Rulings that show that a game gets on.
PROGRESS = (Setup, Started, Turn, Moved, RingCounted, Passed, Skip, Forfeit, GlassLost, GameOver)


class StalledGame(TamskError):
    """A simulated game has not got on for too long; the message says who waits for what."""


class _Actor:
    """A person with what he is doing, and when he goes on with it."""

    __slots__ = ("activity", "pause", "person")

    def __init__(self, person: SimulatedPlayer | ArbiterPersona, activity: Activity) -> None:
        self.person = person
        self.activity = activity
        self.pause: Pause | None = Pause(0.0)


class Match:
    """Two players and an arbiter at ``world``, from a seed. Same seed, same rulings heard: same game."""

    def __init__(
        self,
        world: World,
        ruleset: Ruleset,
        seed: int,
        *,
        habits: Habits | dict[Player, Habits] | None = None,
        pace: float | None = None,
        mischief: float | None = None,
        holders: bool = False,
        attentive_arbiter: bool = True,
        patience: float = 600.0,
    ) -> None:
        """Sit two players down at ``world``.

        ``habits``: one for both, or each player's. ``pace`` (factor on their delays) and ``mischief`` (probability
        0 … 1, for each turn) overrule those of the habits. ``holders``: the ring holders are counted, so that
        rings are taken up well before they are dropped. ``patience``: seconds without progress after which
        `advance` raises `StalledGame`.

        Raises:
            ConfigError: pace or mischief out of range.
        """
        self.world = world
        self.ruleset = ruleset
        self.table = Table(world, ruleset, holders=holders)
        self._events: list[Event] = []
        self._patience = patience
        self._progress_at = world.now
        self._said = "nothing"
        world.listen(self._see)
        self.players: dict[Player, SimulatedPlayer] = {}
        for player in PLAYERS:
            own = habits.get(player, Habits()) if isinstance(habits, dict) else habits or Habits()
            own = own.with_(pace=pace, mischief=mischief)
            self.players[player] = SimulatedPlayer(player, self.table, own, Random(f"{seed}/{player}"))
        self.arbiter = ArbiterPersona(self.table, Random(f"{seed}/arbiter"), attentive=attentive_arbiter)
        self._reaction = Random(f"{seed}/reaction")
        people: list[SimulatedPlayer | ArbiterPersona] = [*self.players.values(), self.arbiter]
        self._actors = [_Actor(person, person.live()) for person in people]
        for actor in self._actors:
            actor.pause = Pause(world.now)
        self._next = world.now

    @property
    def story(self) -> Sequence[StoryEntry]:
        """The players' own account of what they did and meant, in order."""
        return self.table.story

    @property
    def over(self) -> GameOver | None:
        """The end of the game as it was ruled; None while it goes on."""
        return self.table.over

    @property
    def next_wakeup(self) -> float | None:
        """When a player next does or decides something (simulated seconds); None when the game is over."""
        return None if self.table.over is not None else self._next

    def take_events(self) -> list[Event]:
        """Buttons and arbiter's decisions since the last call, in order of time."""
        if not self._events and not self.arbiter.events:
            return []
        events = sorted([*self._events, *self.arbiter.events], key=lambda event: event.t)
        self._events.clear()
        self.arbiter.events.clear()
        return events

    def hear(self, rulings: Sequence[Ruling]) -> None:
        """Have everybody at the board hear ``rulings``; who waits for a word goes on a moment later."""
        if not rulings:
            return
        now = self.world.now
        for ruling in rulings:
            self.table.hear(ruling)
            self.arbiter.hear(ruling)
            if isinstance(ruling, PROGRESS):
                self._progress_at = now
            self._said = ruling.name
        for actor in self._actors:
            if actor.pause is not None and actor.pause.attentive:
                actor.pause = Pause(min(actor.pause.until, now + self._reaction.uniform(0.15, 0.35)))
        self._plan_wakeup()

    def advance(self, t: float) -> None:
        """Have the players decide and act up to ``t`` seconds; the world is taken along to each act, not to ``t``.

        Raises:
            MisuseError: ``t`` is not a number that time can reach.
            StalledGame: nothing has got on for `patience` seconds.
        """
        if t != t:
            raise MisuseError("a match cannot advance to a time that is no number")
        while self._next <= t and self.table.over is None:
            if self._next > self.world.now:
                self.world.advance(self._next)
            now = self.world.now
            self.table.compare()
            for actor in self._actors:
                if actor.pause is not None and actor.pause.until <= now:
                    actor.pause = next(actor.activity, None)
            self._plan_wakeup()
            if now - self._progress_at > self._patience:
                raise StalledGame(self._complaint())

    def _plan_wakeup(self) -> None:
        times = [actor.pause.until for actor in self._actors if actor.pause is not None]
        doubt = self.table.next_doubt()
        if doubt is not None:
            times.append(doubt)
        self._next = min(times) if times else float("inf")

    def _complaint(self) -> str:
        doing = ", ".join(f"{player} is {person.doing}" for player, person in self.players.items())
        return (
            f"the simulated game has not got on for {self._patience:.0f} s at {self.world.now:.1f} s, "
            f"turn {self.table.number}: {doing}; last said: {self._said}"
        )

    def _see(self, fact: Truth) -> None:
        if isinstance(fact, ButtonPressed):
            button, press = ButtonName(fact.button.value), Press(fact.press.value)
            self._events.append(Button(fact.t, button, press))
