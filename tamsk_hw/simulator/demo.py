"""The people of a demonstration: two players who keep the rules, and an arbiter.

They see the board and the referee's view. A player's hands decide nothing: they carry out what his brain wants.
"""

from collections.abc import Callable, Mapping
from random import Random
from typing import Protocol, assert_never

from tamsk_hw.game.tubes import PLAYERS, Player, Tube
from tamsk_hw.partner.intention import Await, Intention, MoveGlass, MoveRing, PutRight, RingAct, TurnTimerOver
from tamsk_hw.referee.view import Phase, View
from tamsk_hw.simulator.people import Activity, DemoArbiter, DemoPlayer, LawfulHands, Manners, PlayerScheduler
from tamsk_hw.simulator.things import TimerPlace
from tamsk_hw.simulator.world import World


class Brain(Protocol):
    """Whoever decides: the partner, or a test's."""

    def intend(self, view: View) -> Intention:
        """The next thing to do, as the board stands in ``view``; asked again at every look."""


class ThinkingPlayer(LawfulHands):
    """Plays ``me`` as a brain intends. All chances of the hands come from ``chance``."""

    _brain: Brain

    def live(self, brain: Brain) -> Activity:
        """The player's game, as ``brain`` intends."""
        self._brain = brain
        while True:
            view = self._view()
            if view.phase is Phase.SETUP:
                yield from self._start(view)
            intention = self._brain.intend(view)
            if self._manners.hand is None:
                yield from self._carry_out(intention, view)
            yield self._pause(0.2, 0.3)

    def _carry_out(self, intention: Intention, view: View) -> Activity:
        match intention:
            case Await(seconds):
                yield self._pause(seconds, seconds, attentive=True)
            case MoveGlass():
                # He makes up his mind, makes the move, and drops what rings it allows at once.
                yield self._pause(0.3, 0.8)
                if self._manners.hand is None and self._is_on(view.number):
                    yield from self._with_hand(self._move_and_drop(intention, view.number))
                yield from self._put_back_ring()
            case MoveRing(RingAct.DROP | RingAct.DROP_PENALTY, tube):
                yield from self._with_hand(self._drop_ring(tube))
            case MoveRing(RingAct.CLAIM, tube):
                yield from self._with_hand(self._claim_ring(tube))
            case MoveRing(_, tube):
                if self._world.rings[tube]:
                    yield self._until(self._world.take(self._me, tube))
            case PutRight(at, to, turned):
                if self._world.glass_at[at] is not None and (at is to or self._world.can_seat(to)):
                    yield from self._bring(at, to, turned=turned)
            case TurnTimerOver():
                yield from self._turn_timer(view.number)
            case _:
                assert_never(intention)

    def _with_hand(self, deed: Activity) -> Activity:
        """Do something at the board while the other's hand stays away."""
        self._manners.hand = self._me
        yield from deed
        yield self._pause(0.2, 0.3)
        self._manners.hand = None

    def _move_and_drop(self, intention: MoveGlass, number: int) -> Activity:
        home, tube = intention.at, intention.to
        entered: Tube | None = None
        if home is not None:
            entered = yield from self._carry(home, tube, ring=intention.ring)
        elif self._world.can_seat(tube):
            yield self._until(self._world.place(self._me, tube))
            entered = tube
        if entered is not None:
            yield from self._see_turn_end(number)
            while True:
                match self._brain.intend(self._view()):
                    case MoveRing(RingAct.DROP | RingAct.DROP_PENALTY, place) if self._world.can_drop(place):
                        yield from self._drop_ring(place)
                        yield self._pause(0.2, 0.3)
                    case _:
                        break

    def _turn_timer(self, number: int) -> Activity:
        """Turn the timer if it is seen to be empty, and the other has still not moved."""
        yield self._pause(0.5, 1.0)
        world, view = self._world, self._view()
        if view.number == number and view.deadline is None and self._manners.hand is None:
            if world.timer_place is TimerPlace.CRADLE and world.timer.runs_out_at(world.now) is None:
                yield self._until(world.turn_timer(self._me))
            yield self._pause(0.3, 0.5)


class Demo(PlayerScheduler):
    """Two players and an arbiter who play one lawful game at ``world``, from a seed.

    ``view`` returns what the referee shows: whose turn it is, which glasses may move, which rings may be dropped.
    A player with one of ``brains`` plays as that intends.
    """

    def __init__(
        self, world: World, view: Callable[[], View], seed: int, brains: Mapping[Player, Brain] | None = None
    ) -> None:
        manners = Manners()

        def live(player: Player) -> Activity:
            chance, brain = Random(f"{seed}/{player}"), (brains or {}).get(player)
            if brain is None:
                return DemoPlayer(player, world, view, manners, chance).live()
            return ThinkingPlayer(player, world, view, manners, chance).live(brain)

        arbiter = DemoArbiter(world, view, lambda event: self.events.append(event), Random(f"{seed}/arbiter"))
        lives = [*(live(player) for player in PLAYERS), arbiter.live()]
        super().__init__(world, lives, Random(f"{seed}/reaction"))
