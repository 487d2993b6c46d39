"""A simulated player: what he turns to next."""

from random import Random

from tamsk_hw.game.tubes import Player
from tamsk_hw.simulator.people import Activity, Pause
from tests.players.deeds import Deed
from tests.players.habits import Habits
from tests.players.mending import due_at, put_back, put_right
from tests.players.person import Person
from tests.players.record import Entered
from tests.players.setting_up import set_up
from tests.players.table import Table
from tests.players.turns import Plan, after_move, finish, take_turn
from tests.players.waiting import WaitingPlan, claim_at_the_end, wait


class SimulatedPlayer(Person):
    """Plays ``me`` at ``table`` with the given habits; all his chances come from ``chance``."""

    def __init__(self, me: Player, table: Table, habits: Habits, chance: Random) -> None:
        super().__init__(me, table, habits, chance)
        self._plan: Plan | None = None
        self._waiting: WaitingPlan | None = None
        self._last_look: Entered | None = None

    def live(self) -> Activity:
        """The player's whole game, as one activity that ends with it."""
        while self.table.over is None:
            yield from self._next()

    def _next(self) -> Activity:
        table = self.table
        if not table.started:
            yield from set_up(self)
            return
        mine = [deed for deed in table.deeds if deed.player is self.me]
        if mine:
            yield from self._see_to(mine)
            return
        if self.my_turn():
            if self._plan is None or self._plan.number != table.number:
                self._plan = Plan(self, table.number)
                yield self.pause(0.1, 0.3)  # nobody reacts at once
            yield from take_turn(self, self._plan)
            # every way through a turn takes time, so that a turn which cannot go on does not spin
            yield Pause(self.now + 0.05)
            return
        if self.mine_in_hand():
            yield from self._see_to_hand()
            return
        if table.blocked():
            yield from self._wait_for_end()
            return
        if table.called is self.other:
            if self._waiting is None or self._waiting.number != table.number:
                self._waiting = WaitingPlan(self, table.number)
            yield from wait(self, self._waiting)
            return
        yield Pause(self.now + 2.0, attentive=True)

    def _see_to(self, mine: list[Deed]) -> Activity:
        deed = min(mine, key=lambda each: due_at(self, each))
        due = due_at(self, deed)
        if due <= self.now:
            yield from put_right(self, deed)
            yield Pause(self.now + 0.05)
        else:
            yield Pause(min(due, self.now + 5.0), attentive=True)

    def _see_to_hand(self) -> Activity:
        """A glass in the hand on the other's turn: a late move is completed, everything else goes back."""
        table, glass = self.table, self.mine_in_hand()[0]
        if table.late is self.me and self.roll(self.habits.completes_late):
            done = yield from finish(self, glass)
            if done and self._plan is not None:
                yield from after_move(self, self._plan)
        else:
            yield from put_back(self, glass)
        yield Pause(self.now + 0.1)

    def _wait_for_end(self) -> Activity:
        entered = self.table.entered.get(self.other)
        if entered is not None and entered is not self._last_look:
            self._last_look = entered
            if self.roll(self.habits.claims):
                yield Pause(entered.t + 0.5 + self.chance.uniform(1.8, 3.5) * self.habits.pace, attentive=True)
                if self.table.blocked():
                    yield from claim_at_the_end(self)
                return
        yield Pause(self.now + 2.0, attentive=True)
