"""The person who is asked when the referee cannot know (R9.6): he looks at the sand and answers truthfully."""

from random import Random
from typing import assert_never

from tamsk_hw.game.tubes import PLAYERS, Player, Tube
from tamsk_hw.referee import rulings
from tamsk_hw.referee.events import Action, Arbiter
from tamsk_hw.simulator.glasses import WorldGlass
from tamsk_hw.simulator.people import Activity, Pause
from tamsk_hw.simulator.truth import GlassRanOut, RingDropped
from tests.players.habits import Mischief
from tests.players.story import Decided, MoveMade
from tests.players.table import Table

#: A glass ruled lost with more sand than this left (seconds) is revived: that is beyond a measuring error.
CLEARLY_RUNNING = 1.5


class ArbiterPersona:
    """Watches the board for the referee, and says, unasked, when a doubtful glass has run out, and when one ruled
    lost clearly runs.
    """

    def __init__(self, table: Table, chance: Random) -> None:
        self.table = table
        self.chance = chance
        self.events: list[Arbiter] = []
        self._asked: list[rulings.ArbiterNeeded] = []
        self._doubtful: list[WorldGlass] = []
        self._too_soon: list[WorldGlass] = []

    def hear(self, ruling: rulings.Ruling) -> None:
        """Take in what concerns an arbiter."""
        if isinstance(ruling, rulings.ArbiterNeeded):
            self._asked.append(ruling)
        elif isinstance(ruling, rulings.GlassDoubtful | rulings.GlassLost):
            glass = self.table.glass_of(ruling.tube)
            if glass is not None:
                (self._doubtful if isinstance(ruling, rulings.GlassDoubtful) else self._too_soon).append(glass)

    def live(self) -> Activity:
        """The arbiter's whole game, as one activity that ends with it."""
        table = self.table
        while table.over is None:
            if self._asked:
                yield Pause(table.now + self.chance.uniform(2.0, 5.0))
                yield from self._answer(self._asked.pop(0).question)
            elif self._too_soon:
                yield Pause(table.now + self.chance.uniform(1.0, 2.0))
                self._revive(self._too_soon.pop(0))
            elif self._doubtful:
                yield Pause(table.now + self.chance.uniform(0.8, 2.0))
                self._doubtful = [glass for glass in self._doubtful if not self._is_settled(glass)]
            else:
                yield Pause(table.now + 60.0, attentive=True)

    def _decide(self, action: Action, tube: Tube | None = None, player: Player | None = None) -> None:
        if self.table.over is not None:
            return
        self.events.append(Arbiter(self.table.now, action, tube, player))
        self.table.story.append(Decided(self.table.now, action, player))

    def _is_settled(self, glass: WorldGlass) -> bool:
        """The doubt is over: the glass was moved or ruled lost, or is empty and has now been called."""
        table, world = self.table, self.table.world
        if glass in table.ruled_lost or table.over is not None or table.blocked():
            return True
        home = table.belongs[glass]
        if home is None or not table.stands_right(glass):
            return False
        if glass.upper_seconds(world.now) > 20.0:
            return True
        if table.position.lost >> home & 1:
            self._decide(Action.EXPIRE, home)
            return True
        return False

    def _revive(self, glass: WorldGlass) -> None:
        table = self.table
        home = table.belongs[glass]
        if home is None or table.blocked() or table.position.lost >> home & 1 or not table.stands_right(glass):
            return
        if glass.upper_seconds(table.world.now) > CLEARLY_RUNNING:
            self._decide(Action.REVIVE, home)
            table.ruled_lost.discard(glass)

    def _answer(self, question: rulings.Question) -> Activity:
        match question.about:
            case Tube():
                loser = self._entered_full_tube()
                if loser is not None:
                    self._decide(Action.AWARD, player=loser.opponent)
            case Player() | None:
                yield from self._decide_by_sand()
            case rulings.LateRing(tube):
                dropped = [each for each in self.table.world.truth if isinstance(each, RingDropped)]
                owners = [each.player for each in dropped if each.tube is tube]
                if owners and tube is not None:
                    self._decide(Action.RING, tube, owners[-1])
            case str():
                pass
            case _:
                assert_never(question.about)

    def _decide_by_sand(self) -> Activity:
        """The last glass wins (R5.3); he waits until everybody can see it."""
        last = self.run_outs()
        if not last:
            self._decide(Action.ABANDON)
            return
        winner = max(last, key=lambda player: last[player])
        yield Pause(max(self.table.now, last.get(winner.opponent, 0.0)))
        self._decide(Action.AWARD, player=winner)

    def _entered_full_tube(self) -> Player | None:
        for entry in reversed(self.table.story):
            if isinstance(entry, MoveMade):
                return entry.player if entry.fault is Mischief.FULL_TUBE else None
        return None

    def run_outs(self) -> dict[Player, float]:
        """When the last of each player's started glasses ran out or will run out as they stand (seconds)."""
        table, world = self.table, self.table.world
        emptied = {fact.glass: fact.t for fact in world.truth if isinstance(fact, GlassRanOut)}
        last: dict[Player, float] = {}
        for player in PLAYERS:
            times = []
            for glass in table.own(player):
                home = table.belongs[glass]
                if home is None or table.position.fresh >> home & 1:
                    continue
                lost_at = table.lost_at.get(glass)
                ahead = glass.runs_out_at(world.now)
                if lost_at is not None:
                    times.append(lost_at)
                elif ahead is not None:
                    times.append(ahead)
                elif glass in emptied:
                    times.append(emptied[glass])
            if times:
                last[player] = max(times)
        return last
