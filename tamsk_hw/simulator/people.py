"""Simulated people: two players and an arbiter, who act in simulated time, each by his own activity.

They act on a `World` and hear rulings. They never see sensors: events of what they do are made by sampling the
world. Their buttons and an arbiter's decisions come out of `PlayerScheduler.drain_events`. A loop around them::

    while people.over is None:
        t = min(people.next_wakeup, next_sample)
        board.advance(t)                    # takes the world along, samples it, makes events of it
        people.advance(t)                   # the people act at t
        for event in [*events_of_the_board, *people.drain_events()]:
            people.on_rulings(referee.handle(event))

A player's hands keep the rules, whether a demo or the partner decides. A demo's player keeps his glasses running,
and himself more mobile than his opponent; its arbiter looks at the sand when the referee cannot know it, and
answers truthfully (R9.6).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, field
from random import Random

from tamsk_hw.errors import MisuseError
from tamsk_hw.game.tubes import CAPACITY, NEIGHBOURS, PLAYERS, End, Player, Tube
from tamsk_hw.referee.events import Action, Arbiter, Button, ButtonName, Event, Press
from tamsk_hw.referee.rulings import GameOver, LateRing, Ruling
from tamsk_hw.referee.view import GlassState, Phase, View
from tamsk_hw.simulator.things import TimerPlace
from tamsk_hw.simulator.truth import ButtonPressed, GlassRanOut, RingDropped, Truth
from tamsk_hw.simulator.world import World


@dataclass(frozen=True, slots=True)
class Pause:
    """Pause until ``until`` (seconds); an ``attentive`` one ends early when something is ruled."""

    until: float
    attentive: bool = False


#: What a person does: a generator that yields its pauses and continues when each is over.
Activity = Generator[Pause, None, None]


class PlayerScheduler:
    """Runs the people at ``world``. The same activities, chance and rulings give the same acts."""

    def __init__(self, world: World, activities: Iterable[Activity], chance: Random) -> None:
        self.world = world
        self.events: list[Event] = []
        """Buttons and decisions that nobody has taken yet."""
        self.over: GameOver | None = None
        """The end of the game as it was ruled; None while it goes on."""
        self._chance = chance
        self._activities = list(activities)
        self._pauses: list[Pause | None] = [Pause(world.now) for _ in self._activities]
        """Each activity's current pause; None once it has ended."""
        self._next = world.now
        world.listen(self._see)

    @property
    def next_wakeup(self) -> float | None:
        """The time at which a person next acts (simulated seconds); None when the game is over."""
        return None if self.over is not None else self._next

    def drain_events(self) -> list[Event]:
        """Buttons and arbiter's decisions since the last call, in order of time."""
        events = sorted(self.events, key=lambda event: event.t)
        self.events.clear()
        return events

    def on_rulings(self, rulings: Sequence[Ruling]) -> None:
        """Report rulings to everybody; those who wait attentively continue a moment later."""
        if not rulings:
            return
        for ruling in rulings:
            if isinstance(ruling, GameOver):
                self.over = ruling
        for place, pause in enumerate(self._pauses):
            if pause is not None and pause.attentive:
                reaction = self._chance.uniform(0.15, 0.35)
                self._pauses[place] = Pause(min(pause.until, self.world.now + reaction))
        self._plan_wakeup()

    def leave(self) -> None:
        """Look at the world no more; a game's people are gone when the next ones sit down."""
        self.world.listeners.remove(self._see)

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
        for place, activity in enumerate(self._activities):
            pause = self._pauses[place]
            if pause is not None and pause.until <= self.world.now:
                self._pauses[place] = next(activity, None)
        self._plan_wakeup()

    def wakeups(self) -> list[float]:
        """The times at which somebody wants to act."""
        return [pause.until for pause in self._pauses if pause is not None]

    def _plan_wakeup(self) -> None:
        self._next = min(self.wakeups(), default=float("inf"))

    def _see(self, fact: Truth) -> None:
        if isinstance(fact, ButtonPressed):
            self.events.append(Button(fact.t, ButtonName(fact.button.value), Press(fact.press.value)))


#: A glass with less sand than this (seconds) makes its owner uneasy.
UNEASY = 50.0

#: A glass with less sand than this (seconds) is left alone: it could run out on the way to it.
TOO_LITTLE = 3.0

#: A glass's tube and the tube it goes to.
Way = tuple[Tube, Tube]


@dataclass(frozen=True)
class Prospect:
    """The board as a player imagines it: the glasses that may move, and the tubes that may be entered."""

    glasses: dict[Tube, Player]
    vacant: frozenset[Tube]

    def destinations(self, tube: Tube) -> list[Tube]:
        """The tubes to which the glass in ``tube`` may go."""
        return [near for near in NEIGHBOURS[tube] if near in self.vacant]

    def moves(self, player: Player) -> int:
        """The number of moves of ``player``."""
        return sum(len(self.destinations(tube)) for tube, owner in self.glasses.items() if owner is player)

    def lead(self, player: Player) -> int:
        """The number of moves of ``player`` less those of his opponent."""
        return self.moves(player) - self.moves(player.opponent)

    def entered(self, tube: Tube, player: Player, home: Tube | None = None) -> Prospect:
        """The board with a glass of ``player`` in ``tube``, from ``home`` or from off the board."""
        glasses = {other: owner for other, owner in self.glasses.items() if other is not home}
        left = frozenset() if home is None else {home}
        return Prospect(glasses | {tube: player}, (self.vacant | left) - {tube})


def prospect(view: View) -> Prospect:
    """The board as it is."""
    movable = {glass.tube: glass.owner for glass in view.glasses if glass.may_move}
    return Prospect(movable, frozenset(view.tubes) - view.full - {glass.tube for glass in view.glasses})


def best_move(view: View, world: World, player: Player, chance: Random, *, careless: bool) -> Way | None:
    """The move that leaves ``player`` best off, None without one; ``careless``: his glasses may run out."""
    board = prospect(view)
    #: seconds above and below in each of the player's glasses
    sand = {
        glass.tube: (there.upper_seconds(world.now), there.lower_seconds(world.now))
        for glass in view.glasses
        if glass.owner is player and (there := world.glass_at[glass.tube]) is not None
    }
    runs = {glass.tube for glass in view.glasses if glass.state.may_run}

    def fear(home: Tube) -> float:
        """The player's unease once the glass of ``home`` has been turned over."""
        if careless:
            return 0.0
        seconds = [sand[tube][tube is home] for tube in sand if tube is home or tube in runs]
        return sum(7.0 * (1.0 - left / UNEASY) for left in seconds if left < UNEASY)

    values = {
        (home, to): board.entered(to, player, home).lead(player) - fear(home) + chance.uniform(0.0, 1.5)
        for home in sand
        if board.glasses.get(home) is player and not (home in runs and sand[home][0] < TOO_LITTLE)
        for to in board.destinations(home)
        if world.can_seat(to)
    }
    return max(values, key=lambda way: values[way], default=None)


def best_place(view: View, player: Player, chance: Random) -> Tube | None:
    """The tube in which ``player`` places a glass from off the board (R8)."""
    board = prospect(view)
    values = {
        tube: board.entered(tube, player).lead(player) + chance.uniform(0.0, 1.5)
        for tube in sorted(view.destinations)
    }
    return max(values, key=lambda tube: values[tube], default=None)


def best_penalty(view: View, player: Player, chance: Random) -> Tube | None:
    """The tube in which a penalty ring (R7.6) hurts the opponent of ``player`` most."""
    board = prospect(view)

    def value(tube: Tube) -> float:
        fills = view.rings[tube] + 1 == CAPACITY[tube]
        after = Prospect(board.glasses, board.vacant - {tube}) if fills else board
        return after.lead(player) + chance.uniform(0.0, 0.9)

    open_tubes = [tube for tube in view.tubes if tube not in view.full and tube not in view.ring_open]
    return max(open_tubes, key=value, default=None)


class DemoArbiter:
    """Calls doubtful glasses that are empty and says whose glass ran longest, by events handed to ``decide``."""

    def __init__(
        self, world: World, view: Callable[[], View], decide: Callable[[Event], None], chance: Random
    ) -> None:
        self._world = world
        self._view = view
        self._decide = decide
        self._chance = chance

    def live(self) -> Activity:
        """The arbiter's game."""
        while True:
            view = self._view()
            if view.question is not None:
                yield Pause(self._world.now + self._chance.uniform(2.0, 5.0))
                if isinstance(view.question.about, LateRing):
                    self._name_owner(view.question.about)
                else:
                    yield from self._answer()
            elif view.turn is not None:
                self._call_empty_glasses(view)
            yield Pause(self._world.now + 1.0)

    def _call_empty_glasses(self, view: View) -> None:
        for seen in view.glasses:
            glass = self._world.glass_at[seen.tube]
            if (
                seen.state is GlassState.DOUBTFUL
                and glass is not None
                and not glass.upper_seconds(self._world.now)
            ):
                self._decide(Arbiter(self._world.now, Action.EXPIRE, seen.tube, None))

    def _name_owner(self, late: LateRing) -> None:
        """Say who dropped the ring that nobody saw (R9.8)."""
        dropped = [fact for fact in self._world.truth if isinstance(fact, RingDropped) and fact.tube is late.tube]
        if dropped:
            self._decide(Arbiter(self._world.now, Action.RING, late.tube, dropped[-1].player))

    def _answer(self) -> Activity:
        """Award the game to the owner of the glass that runs longest, once the other's have run out (R5.3)."""
        lasts = {player: self._last_runs_to(player) for player in PLAYERS}
        winner = max(PLAYERS, key=lambda player: lasts[player])
        yield Pause(max(self._world.now, lasts[winner.opponent]))
        self._decide(Arbiter(self._world.now, Action.AWARD, None, winner))

    def _last_runs_to(self, player: Player) -> float:
        """The time at which the last of the player's glasses ran out or will; 0 if none was ever started."""
        world = self._world
        ahead = [glass.runs_out_at(world.now) for glass in world.glasses if glass.owner is player]
        past = [fact.t for fact in world.truth if isinstance(fact, GlassRanOut) and fact.glass.owner is player]
        return max([*past, *(t for t in ahead if t is not None)], default=0.0)


#: Seconds for which a ring is held before it is dropped: a counted holder reports it before the tube does (R4.6).
HOLDS_RING = 0.9

#: Seconds in which a ring that is held over its tube comes to rest there.
FALLS = 0.2

#: Seconds for which a player waits until the referee has seen what he did.
PATIENCE = 5.0

BUTTONS = {Player.RED: ButtonName.RED, Player.BLACK: ButtonName.BLACK}


@dataclass
class Manners:
    """The players keep out of each other's way, and see what the other leaves out."""

    hand: Player | None = None
    """The player whose hand is over the board; the other's stays away."""
    forgotten: dict[Player, Tube] = field(default_factory=dict)
    """The tube that a player entered with his last move, if he forgot its ring."""


class LawfulHands:
    """The hands of ``me``, which keep out of the other's way. All their chances come from ``chance``."""

    def __init__(
        self, me: Player, world: World, view: Callable[[], View], manners: Manners, chance: Random
    ) -> None:
        self._me = me
        self._world = world
        self._view = view
        self._manners = manners
        self._chance = chance

    def _pause(self, least: float, most: float, *, attentive: bool = False) -> Pause:
        return Pause(self._world.now + self._chance.uniform(least, most), attentive)

    def _until(self, done: float) -> Pause:
        """The pause until a hand is done, and a moment longer."""
        return Pause(done + 0.02)

    def _start(self, view: View) -> Activity:
        """Red presses start when the board is ready (R1.5)."""
        if self._me is Player.RED and not view.wrong:
            yield self._pause(1.0, 2.0)
            yield self._until(self._world.press(ButtonName.START))
            yield self._pause(3.0, 4.0, attentive=True)

    def _is_on(self, number: int) -> bool:
        """The player is still to move, in the turn of that number."""
        view = self._view()
        return view.turn is self._me and view.number == number

    def _carry(self, home: Tube, tube: Tube, *, ring: bool) -> Generator[Pause, None, Tube | None]:
        """Lift a glass, turn it over and seat it; return the tube that was entered, if any.

        ``ring``: its ring is taken up meanwhile, by the other hand.
        """
        world = self._world
        yield self._until(world.lift(self._me, home))
        view = self._view()
        may_move = any(glass.tube is home and glass.may_move for glass in view.glasses)
        if self._me not in (view.turn, view.late) or not may_move:  # the timer, or an arbiter, was quicker
            yield self._until(world.seat(self._me, home, turned=False))
            return None
        if ring and world.holders[self._me].rings:  # not before the lift, which ends all claims (R4.3)
            world.take_up(self._me)
        yield self._until(world.seat(self._me, tube, turned=view.level > 1))
        return tube

    def _put_right(self) -> Activity:
        """Turn over a glass with the wrong end down; put back home, as it stood, one that moved wrongly (R2.6)."""
        view, world = self._view(), self._world
        to_turn = {mend.tube for mend in view.wrong if isinstance(mend.should, End)}
        for glass in view.glasses:
            at = glass.standing
            right = at if at in to_turn else glass.tube
            is_right = at is glass.tube and at not in to_turn
            if glass.owner is not self._me or at is None or is_right or self._manners.hand is not None:
                continue
            if view.phase is not Phase.PLAY or world.glass_at[at] is None:
                continue
            if right is at or world.can_seat(right):
                yield from self._bring(at, right, turned=view.level > 1)

    def _bring(self, at: Tube, right: Tube, *, turned: bool) -> Activity:
        """Bring a glass that stands wrongly to where it belongs."""
        self._manners.hand = self._me
        yield self._until(self._world.lift(self._me, at))
        yield self._until(self._world.seat(self._me, right, turned=turned))
        yield self._pause(0.2, 0.3)
        self._manners.hand = None

    def _take_up_ring(self) -> Activity:
        """Take a ring into the hand, unless one is there already or the holder is empty."""
        if self._world.holders[self._me].rings and not self._world.rings_in_hand(self._me):
            yield self._until(self._world.take_up(self._me))

    def _put_back_ring(self) -> Activity:
        """Put a ring that was not dropped back into the holder."""
        if self._world.rings_in_hand(self._me):
            yield self._until(self._world.put_back(self._me))

    def _drop_ring(self, tube: Tube) -> Activity:
        """Drop the ring in the hand, else one from the holder."""
        if not self._world.rings_in_hand(self._me):
            yield from self._take_up_ring()
            yield Pause(self._world.now + HOLDS_RING)
        if self._world.rings_in_hand(self._me) and self._world.can_drop(tube):
            yield self._until(self._world.drop(self._me, tube, within=FALLS))
            yield from self._see(lambda: self._view().rings_seen[tube] == self._world.rings[tube])
        yield from self._put_back_ring()

    def _claim_ring(self, tube: Tube) -> Activity:
        """Take a ring up, announce a claim by button and drop the ring at once (R4.3, R4.6).

        Not while the other has a ring in his hand: that could count as this player's.
        """
        world, lying = self._world, self._world.rings[tube]
        if world.rings_in_hand(self._me.opponent):
            return
        yield from self._take_up_ring()
        is_his = tube in self._view().ring_open and world.rings_in_hand(self._me.opponent)
        if world.rings_in_hand(self._me) and not is_his and world.rings[tube] == lying:
            yield self._until(world.press(BUTTONS[self._me]))
            if world.rings[tube] == lying:
                yield from self._drop_ring(tube)
        yield from self._put_back_ring()

    def _see_turn_end(self, number: int) -> Activity:
        """Wait until the move just made has been ruled on."""
        yield from self._see(lambda: not self._is_on(number))

    def _see(self, is_seen: Callable[[], bool]) -> Activity:
        """Wait until the referee has seen what was done; not for long, since he may never see it."""
        patience = self._world.now + PATIENCE
        while not is_seen() and self._world.now < patience:
            yield self._pause(0.04, 0.08)


#: Chances in each turn: a player forgets his ring, claims one that his opponent forgot, moves without a look at
#: the sand, thinks for long, is woken from that by the timer, turns the timer against an opponent who thinks.
FORGETS, CLAIMS, CARELESS, DAWDLES, HURRIES, TURNS_TIMER = 0.04, 0.7, 0.12, 0.06, 0.5, 0.6

#: Seconds before the timer runs out in which no glass is lifted any more, and none taken to be placed.
TOO_LATE_TO_LIFT, TOO_LATE_TO_PLACE = 1.0, 3.0


class DemoPlayer(LawfulHands):
    """Plays ``me``, and makes what can happen happen: he forgets rings, dawdles, lets glasses run out."""

    _waited_in = 0

    def live(self) -> Activity:
        """The player's game."""
        while True:
            yield from self._put_right()
            view = self._view()
            if view.phase is Phase.SETUP:
                yield from self._start(view)
            elif view.turn is self._me:
                yield from self._take_turn(view.number)
            elif view.turn is not None and view.level == 3:
                yield from self._wait(view.number)
            yield self._pause(0.4, 0.6)

    def _take_turn(self, number: int) -> Activity:
        yield from self._think(number)
        while self._manners.hand is not None:
            yield self._pause(0.2, 0.3)
        if not self._is_on(number):
            return
        self._manners.hand = self._me
        yield from self._claim()
        entered = yield from self._move()
        if entered is not None:
            yield from self._see_turn_end(number)
            yield from self._drop_rings(entered)
        yield from self._put_back_ring()
        self._manners.hand = None

    def _think(self, number: int) -> Activity:
        """Think, for 16 to 28 s if he dawdles, unless the timer wakes him."""
        chance = self._chance
        dawdles = chance.random() < DAWDLES
        wakes = not dawdles or chance.random() < HURRIES
        until = self._world.now + (chance.uniform(16.0, 28.0) if dawdles else chance.triangular(0.5, 8.0, 2.0))
        while self._world.now < until and self._is_on(number):
            if wakes and self._view().deadline is not None:
                until = min(until, self._world.now + chance.uniform(0.5, 3.0))
                wakes = False
            yield Pause(min(until, self._world.now + 1.0), attentive=True)

    def _claim(self) -> Activity:
        """Claim the ring that the opponent forgot: announce it by button, then drop one (R4.3, R4.6)."""
        tube = self._manners.forgotten.pop(self._me.opponent, None)
        if tube is None or not self._world.holders[self._me].rings or self._view().deadline is not None:
            return
        if self._chance.random() >= CLAIMS:
            return
        yield from self._claim_ring(tube)
        yield self._pause(0.5, 1.0)

    def _move(self) -> Generator[Pause, None, Tube | None]:
        """Lift a glass, turn it over and seat it, or place one; return the tube that was entered, if any."""
        world, view = self._world, self._view()
        left = float("inf") if view.deadline is None else view.deadline - world.now
        if world.in_box(self._me):
            tube = best_place(view, self._me, self._chance)
            if tube is not None and world.can_seat(tube) and left > TOO_LATE_TO_PLACE:
                yield self._until(world.place(self._me, tube))
                return tube
            return None
        # Whoever has dropped all his rings gains nothing by further moves: he lets the game end.
        if not view.left[self._me] and view.level > 1 and not prospect(view).moves(self._me.opponent):
            return None
        careless = not view.left[self._me] or self._chance.random() < CARELESS
        way = best_move(view, world, self._me, self._chance, careless=careless)
        if way is None or left < TOO_LATE_TO_LIFT:
            return None
        home, tube = way
        return (yield from self._carry(home, tube, ring=True))

    def _drop_rings(self, entered: Tube) -> Activity:
        """Drop the ring of the move, or forget it; then a penalty ring (R4.1, R7.6)."""
        self._manners.forgotten.pop(self._me, None)
        if self._chance.random() < FORGETS:
            self._manners.forgotten[self._me] = entered
        elif (ring := self._view().ring_open.get(entered)) is not None and ring.player is self._me:
            yield from self._drop_ring(entered)
        view = self._view()
        if view.penalty is self._me:
            tube = best_penalty(view, self._me, self._chance)
            if tube is not None:
                yield from self._drop_ring(tube)

    def _wait(self, number: int) -> Activity:
        """Turn the timer against an opponent who takes his time (R7.2)."""
        if self._waited_in == number:
            return
        self._waited_in = number
        if self._chance.random() >= TURNS_TIMER:
            return
        for _ in range(2):  # the timer must be seen empty twice
            yield self._pause(1.5, 4.0)
            if not self._may_turn_timer(number):
                return
        yield self._until(self._world.turn_timer(self._me))

    def _may_turn_timer(self, number: int) -> bool:
        world, view = self._world, self._view()
        if view.number != number or view.deadline is not None or self._manners.hand is not None:
            return False
        return world.timer_place is TimerPlace.CRADLE and world.timer.runs_out_at(world.now) is None
