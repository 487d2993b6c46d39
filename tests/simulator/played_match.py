"""Matches played without sensors: a witness turns what happens at once into events, so that the players are tested
by themselves.
"""

from tamsk_hw.game.ruleset import Ruleset, Start
from tamsk_hw.game.tubes import TUBES
from tamsk_hw.referee.events import Event, Holder, Lift, Rings, Seat, Tilt, TimerLifted, TimerSeated
from tamsk_hw.referee.referee import Referee
from tamsk_hw.referee.rulings import Ruling
from tamsk_hw.referee.stream import Header, SandSettings
from tamsk_hw.simulator import truth
from tamsk_hw.simulator.people import PlayerScheduler
from tamsk_hw.simulator.things import TimerPlace, WorldStart
from tamsk_hw.simulator.world import World


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
        elif self._holders and isinstance(fact, truth.HolderChanged):
            self._told.append(Holder(fact.t, fact.player, fact.left))

    def take(self) -> list[Event]:
        told, self._told = self._told, []
        return told


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
    people: PlayerScheduler, referee: Referee, *, holders: bool = False, limit: float = 7200.0
) -> tuple[list[Ruling], list[Event]]:
    """Let people play to the end, or to ``limit`` seconds; give the rulings and the events that led to them."""
    world = people.world
    witness = Witness(world, holders=holders)
    ruled: list[Ruling] = []
    events: list[Event] = []

    def tell(rulings: list[Ruling]) -> None:
        ruled.extend(rulings)
        people.on_rulings(rulings)

    def report() -> None:
        for event in sorted([*witness.take(), *people.drain_events()], key=lambda event: event.t):
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
