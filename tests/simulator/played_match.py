"""Matches played without sensors: a witness turns what happens at once into events, so that the players are tested
by themselves. Beside the real referee there is an umpire of a few lines who knows level 1 alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from tamsk_hw.game.notation import RingKind
from tamsk_hw.game.ruleset import Ruleset, Start
from tamsk_hw.game.tubes import CAPACITY, NEIGHBOURS, TUBES, Player, Tube
from tamsk_hw.referee.events import (
    Button,
    ButtonName,
    Event,
    Holder,
    Lift,
    Press,
    Rings,
    Seat,
    Tilt,
    TimerLifted,
    TimerSeated,
)
from tamsk_hw.referee.header import Header, SandSettings
from tamsk_hw.referee.referee import Referee
from tamsk_hw.referee.rulings import (
    GameOver,
    Moved,
    MoveStarted,
    Passed,
    Reason,
    RingCounted,
    Ruling,
    Setup,
    Started,
    Turn,
)
from tamsk_hw.simulator import truth
from tamsk_hw.simulator.people import People
from tamsk_hw.simulator.things import TimerPlace, WorldStart
from tamsk_hw.simulator.world import World
from tests.players.match import Match
from tests.players.story import StoryEntry


class Witness:
    """A board with perfect sensors: tells as an event whatever happens, when it has happened."""

    def __init__(self, world: World, *, holders: bool) -> None:
        self._holders = holders
        self._told: list[Event] = []
        for tube in TUBES:
            glass = world.glass_at[tube]
            if glass is not None:
                self._told.append(Seat(world.now, tube, glass.down))
        if world.timer_place is TimerPlace.CRADLE:
            self._told.append(TimerSeated(world.now, world.timer.down))
        world.listen(self._see)

    def _see(self, fact: truth.Truth) -> None:
        if isinstance(fact, truth.GlassLifted):
            self._told.append(Lift(fact.t, fact.tube))
        elif isinstance(fact, truth.GlassSeated):
            self._told.append(Seat(fact.t, fact.tube, fact.end_down))
        elif isinstance(fact, truth.GlassLeaning):
            self._told.append(Tilt(fact.t, fact.tube))
        elif isinstance(fact, truth.RingDropped | truth.RingLifted):
            self._told.append(Rings(fact.t, fact.tube, fact.count))
        elif isinstance(fact, truth.TimerTaken):
            self._told.append(TimerLifted(fact.t))
        elif isinstance(fact, truth.TimerSet):
            self._told.append(TimerSeated(fact.t, fact.end_down))
        elif self._holders and isinstance(fact, truth.RingTaken | truth.RingPutBack):
            self._told.append(Holder(fact.t, fact.player, fact.left))

    def take(self) -> list[Event]:
        told, self._told = self._told, []
        return told


@dataclass
class Played:
    """A match that was played: ``rulings`` heard in order, ``events`` that led to them."""

    match: Match
    world: World
    rulings: list[Ruling] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)

    @property
    def over(self) -> GameOver:
        assert self.match.over is not None, "the game has not ended"
        return self.match.over

    def told(self, kind: type[StoryEntry]) -> list[StoryEntry]:
        return [entry for entry in self.match.story if isinstance(entry, kind)]

    def ruled(self, kind: type[Ruling]) -> list[Ruling]:
        return [ruling for ruling in self.rulings if isinstance(ruling, kind)]


def everything(ruling: Ruling) -> bool:
    return True


def world_for(seed: int, ruleset: Ruleset) -> World:
    return World(seed, setup=WorldStart.FREE if ruleset.start is Start.FREE else WorldStart.CORNERS)


def referee_for(world: World, ruleset: Ruleset, *, holders: bool = False) -> Referee:
    """A referee who knows the world's glasses as somebody measured them."""
    corners = ruleset.start is Start.CORNERS
    sand = SandSettings(
        glasses={glass.name: glass.seconds for glass in world.glasses} if corners else {},
        timer=world.timer.seconds,
        tolerance=0.001 if corners else 0.06,
        exact_hands=False,
    )
    return Referee(Header(ruleset=ruleset, sand=sand, holders=holders))


def run(
    people: People,
    referee: Referee | Umpire,
    *,
    heard: Callable[[Ruling], bool] = everything,
    holders: bool = False,
    limit: float = 7200.0,
) -> tuple[list[Ruling], list[Event]]:
    """Let people play to the end, or to ``limit`` seconds; give the rulings and the events that led to them."""
    world = people.world
    witness = Witness(world, holders=holders)
    ruled: list[Ruling] = []
    events: list[Event] = []

    def tell(rulings: list[Ruling]) -> None:
        ruled.extend(rulings)
        people.hear([ruling for ruling in rulings if heard(ruling)])

    def report() -> None:
        for event in sorted([*witness.take(), *people.take_events()], key=lambda event: event.t):
            events.append(event)
            tell(referee.handle(event))

    report()
    while people.over is None and world.now < limit:
        due = (people.next_wakeup, world.next_change(), referee.next_deadline)
        world.advance(max(world.now, min(t for t in due if t is not None)))
        report()
        tell(referee.advance(world.now))
        people.advance(world.now)
    report()
    return ruled, events


def play(
    seed: int,
    ruleset: Ruleset,
    *,
    world: World | None = None,
    umpire: Umpire | None = None,
    heard: Callable[[Ruling], bool] = everything,
    holders: bool = False,
    limit: float = 7200.0,
    **match_settings: object,
) -> Played:
    """Play a match to its end, or to ``limit`` seconds; the players hear the rulings that pass ``heard``."""
    world = world or world_for(seed, ruleset)
    referee = umpire or referee_for(world, ruleset, holders=holders)
    match = Match(world, ruleset, seed, holders=holders, **match_settings)  # type: ignore[arg-type]
    rulings, events = run(match, referee, heard=heard, holders=holders, limit=limit)
    return Played(match, world, rulings, events)


class Umpire:
    """An honest umpire for level 1 without claims and wrongs: turns, moves, rings, passes, the end."""

    next_deadline: float | None = None

    def __init__(self) -> None:
        self.glasses = {
            Tube.D1: Player.RED, Tube.G4: Player.RED, Tube.A4: Player.RED,
            Tube.G1: Player.BLACK, Tube.D7: Player.BLACK, Tube.A1: Player.BLACK,
        }  # fmt: skip
        self.rings = dict.fromkeys(TUBES, 0)
        self.left = {Player.RED: 32, Player.BLACK: 32}
        self.entered: dict[Tube, Player] = {}
        self.hand: dict[Tube, Player] = {}
        self.turn: Player | None = None
        self.number = 0
        self.seats = 0

    def can_move(self, player: Player) -> bool:
        own = [tube for tube, owner in {**self.glasses, **self.hand}.items() if owner is player]
        return any(self.is_free(near) for tube in own for near in NEIGHBOURS[tube])

    def is_free(self, tube: Tube) -> bool:
        return tube not in self.glasses and tube not in self.hand and self.rings[tube] < CAPACITY[tube]

    def advance(self, t: float) -> list[Ruling]:
        return []

    def handle(self, event: Event) -> list[Ruling]:
        t = event.t
        if self.turn is None:
            if isinstance(event, Seat):
                self.seats += 1
                return [Setup(t, "R1.3", ())] if self.seats == 6 else []
            if event == Button(t, ButtonName.START, Press.SHORT):
                return [Started(t, "R1.5", 1, Player.RED), *self.call(t, Player.RED)]
            return []
        if isinstance(event, Lift):
            self.hand[event.tube] = self.glasses.pop(event.tube)
            mover = self.hand[event.tube]
            return [MoveStarted(t, "R2.1", mover, event.tube)] if mover is self.turn else []
        if isinstance(event, Seat):
            return self.seat(t, event.tube)
        if isinstance(event, Rings):
            self.rings[event.tube] = event.count
            owner = self.entered.pop(event.tube)
            self.left[owner] -= 1
            rulings: list[Ruling] = [RingCounted(t, "R4.1", owner, event.tube, RingKind.MOVE, self.left[owner])]
            nothing_left = not any(self.left.values()) or not any(self.can_move(player) for player in Player)
            return rulings + (self.end(t) if nothing_left else [])
        return []

    def seat(self, t: float, tube: Tube) -> list[Ruling]:
        if tube in self.hand:
            self.glasses[tube] = self.hand.pop(tube)
            return []
        [home] = [tube for tube, owner in self.hand.items() if owner is self.turn]
        assert tube in NEIGHBOURS[home]
        assert self.is_free(tube)
        mover = self.hand.pop(home)
        self.glasses[tube] = mover
        self.entered = {other: owner for other, owner in self.entered.items() if owner is not mover.opponent}
        if self.left[mover]:
            self.entered[tube] = mover
        return [Moved(t, "R2.1", mover, home, tube, False), *self.call(t, mover.opponent)]

    def call(self, t: float, player: Player) -> list[Ruling]:
        rulings: list[Ruling] = []
        for called in (player, player.opponent):
            self.number += 1
            self.turn = called
            rulings.append(Turn(t, "R2.1", called, self.number))
            if self.can_move(called):
                return rulings
            rulings.append(Passed(t, "R2.7", called))
        return rulings if self.entered else rulings + self.end(t)

    def end(self, t: float) -> list[Ruling]:
        red, black = self.left[Player.RED], self.left[Player.BLACK]
        winner = None if red == black else Player.RED if red < black else Player.BLACK
        reason = Reason.TIE if winner is None else Reason.FEWEST_RINGS
        return [GameOver(t, "R5.1", winner, reason, {Player.RED: red, Player.BLACK: black})]
