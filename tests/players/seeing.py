"""The record as it follows what people see at the board, by their own knowledge of the rules."""

from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.game.tubes import End, Player, Tube
from tamsk_hw.referee.events import ButtonName, Press
from tamsk_hw.simulator import truth
from tamsk_hw.simulator.glasses import WorldGlass
from tamsk_hw.simulator.world import World
from tests.players import story
from tests.players.deeds import RING_KINDS, Deed
from tests.players.habits import Mischief
from tests.players.record import Aim, Entered, Record


class Seeing(Record):
    """The record as it follows what physically happens: moves, rings, wrongs."""

    def __init__(self, world: World, ruleset: Ruleset, *, holders: bool = False) -> None:
        super().__init__(world, ruleset, holders=holders)
        world.listen(self.see)

    def see(self, fact: truth.Truth) -> None:
        """Take in what physically happened."""
        if not isinstance(fact, truth.GlassRanOut | truth.TimerRanOut):
            self.touched_at = fact.t
        if isinstance(fact, truth.GlassLifted):
            self._lifted(fact)
        elif isinstance(fact, truth.GlassSeated):
            self._seated(fact)
        elif isinstance(fact, truth.GlassLeaning):
            self._let_go(fact.glass)
            self.aims.pop(fact.player, None)
            self._done(fact.player, fact.tube, frozenset({Mischief.OUT_OF_PLACE}))
        elif isinstance(fact, truth.RingLifted):
            self._done(fact.player, fact.tube, frozenset({Mischief.RING_REMOVED}))
        elif isinstance(fact, truth.GlassRanOut):
            # One that still bounces under the hand is looked at when it rests.
            if fact.tube is not None and all(aim.glass != fact.glass for aim in self.aims.values()):
                self._lose_if_empty(fact.glass)
        elif isinstance(fact, truth.RingDropped):
            self._dropped(fact)
        elif isinstance(fact, truth.TimerRanOut):
            self.timer_empty_since = fact.t
            self.timer_cut_short = 0
        elif isinstance(fact, truth.TimerSet):
            self.at_timer = None
            if self.timer_misdeed_by is fact.player:
                self._turned_timer_wrongly(fact)
            self.timer_misdeed_by = None
            if fact.turned:
                self.timer_cut_short += not fact.was_empty
        elif isinstance(fact, truth.ButtonPressed):
            self._pressed(fact)
        if self.deeds and self.restored_at is not None and self.now < self.restored_at + 1.0:
            # The board may have seen it right before the glass or the ring had come to rest.
            self.tidy()

    def _pressed(self, fact: truth.ButtonPressed) -> None:
        if fact.button is ButtonName.START:
            return
        player = Player.RED if fact.button is ButtonName.RED else Player.BLACK
        if fact.press is Press.LONG:
            self.story.append(story.Resigned(fact.t, player))
        elif player in self.claiming:
            self.announced[player] = fact.t

    def _lifted(self, fact: truth.GlassLifted) -> None:
        glass, owner = fact.glass, fact.glass.owner
        self.lifting.pop(fact.player, None)
        self.grips.append(glass)
        if not self.started or self.over:
            return
        self._done(fact.player, fact.tube, frozenset({Mischief.TWO_GLASSES}))
        if self.turn is owner:
            if self.movable(glass):
                self._starts(owner)
            entered = self.entered.get(owner)
            if entered is not None:
                entered.claimable = False
        elif (
            self.belongs[glass] is fact.tube
            and self.late is not owner
            and self.movable(glass)
            and all(deed.glass is not glass or deed.ruled_at is None for deed in self.deeds)
        ):
            self.story.append(story.LiftedEarly(fact.t, owner, fact.tube))

    def _let_go(self, glass: WorldGlass) -> None:
        if glass in self.grips:
            self.grips.remove(glass)

    def _starts(self, player: Player) -> None:
        """The player starts his move of this turn, and claims no more (R4.5)."""
        self._started_in[player] = self.number
        entered = self.entered.get(player.opponent)
        if entered is not None:
            entered.claimable = False

    def _seated(self, fact: truth.GlassSeated) -> None:
        glass, owner, tube = fact.glass, fact.glass.owner, fact.tube
        self._let_go(glass)
        aim = self.aims.pop(fact.player, None)
        if self.over and aim is None:
            return
        if not self.started:
            if self.belongs[glass] is tube:
                self.end[glass] = fact.end_down
            return
        home = self.belongs[glass]
        # The turn may have been called while the glass still bounced: what counts is how things stood before.
        turn, late = (aim.turn, aim.late) if aim is not None else (self.turn, self.late)
        was_late = late is owner
        if home is tube:
            self._seated_at_home(fact, was_late)
            return
        fault = self.fault_of(glass, tube, fact.end_down, turn, late)
        if self.over and fault is not Mischief.FULL_TUBE and not self.was_heard("move", owner, home, tube):
            return
        self.story.append(story.MoveMade(fact.t, owner, home, tube, was_late and turn is not owner, fault))
        if fault is None:
            self._expect("move", owner, home, tube)
            self._finish(glass, tube, fact, turn, self.number if aim is None else aim.number)
            return
        if fault is Mischief.FULL_TUBE:
            return
        self._blame(Deed(owner, fault, tube, fact.t, glass, is_done=True))
        self._lose_if_empty(glass)

    def _seated_at_home(self, fact: truth.GlassSeated, was_late: bool) -> None:
        glass, owner, tube = fact.glass, fact.glass.owner, fact.tube
        if self.stands_right(glass):
            if was_late:
                self.late = None
            self._lose_if_empty(glass)
            return
        self.story.append(story.Misdeed(fact.t, owner, Mischief.TURNED_IN_PLACE))
        self._blame(Deed(owner, Mischief.TURNED_IN_PLACE, tube, fact.t, glass, is_done=True))

    def _finish(
        self, glass: WorldGlass, tube: Tube, fact: truth.GlassSeated, turn: Player | None, number: int
    ) -> None:
        """A lawful move is finished."""
        owner, home = glass.owner, self.belongs[glass]
        position = self.position
        self.position = position.placed(owner, tube) if home is None else position.moved(home, tube)
        self.belongs[glass], self.end[glass] = tube, fact.end_down
        other = self.entered.get(owner.opponent)
        if other is not None:
            other.answered = True
            other.claimable = False  # nobody sees a placing start, but it has (R4.3)
        self.entered[owner] = Entered(tube, fact.t)
        self.penalty_until.pop(owner, None)
        if owner in self.penalty:
            self.penalty.remove(owner)
            self.penalty_until[owner] = fact.t + self.ruleset.penalty_window
        if self.late is owner:
            self.late = None
        if turn is owner and self.number == number:  # else later turns were called while the glass still bounced
            self.called = None
            self._turn_to(owner if owner.opponent in self.to_be_skipped else owner.opponent)
        if self.turn is owner.opponent:
            if self._has_one_off(owner.opponent):
                self._starts(owner.opponent)
            elif self._started_in.get(owner.opponent) == self.number:
                self.entered[owner].claimable = False
        self._lose_if_empty(glass)

    def _turn_to(self, player: Player) -> None:
        self.turn = player
        if self.position.turn is not player:
            self.position = self.position.turned_to(player)
        if self._has_one_off(player):
            self._starts(player)

    def _has_one_off(self, player: Player) -> bool:
        """A glass that the player may move is off its tube: in his hand, or wrongly seated (R2.6, R2.8)."""
        for glass in self.own(player):
            home = self.belongs[glass]
            if home is None or not self.movable(glass):
                continue
            turned = self.ruleset.has_sand and glass.down is not self.end[glass]
            if glass.tube is not home or turned:
                return True
        return False

    def _lose_if_empty(self, glass: WorldGlass) -> None:
        home = self.belongs[glass]
        if home is None or not self.ruleset.has_sand or not self.started:
            return
        if (self.position.fresh | self.position.lost) >> home & 1 or glass.tube is None:
            return
        if glass.upper_seconds(self.world.now) <= 0:
            self.position = self.position.lose(home)
            self.lost_at[glass] = self.now

    def _dropped(self, fact: truth.RingDropped) -> None:
        player, tube = fact.player, fact.tube
        reach = self.reaching.pop(player, None)
        if reach is None or reach[1] is None:
            return
        intent = reach[1]
        if intent is story.RingIntent.MISCHIEF:
            deed = self._done(player, tube, RING_KINDS)
            if deed is not None:
                self.story.append(story.RingPlayed(fact.t, player, tube, intent))
            return
        if self.over and not self.was_heard("ring", player, tube, intent.value):
            return
        self.story.append(story.RingPlayed(fact.t, player, tube, intent))
        self.position = self.position.ringed(tube, player)
        self._expect("ring", player, tube, intent.value)
        if intent is story.RingIntent.PENALTY:
            self.penalty_until.pop(player, None)
            return
        mover = player if intent is story.RingIntent.MOVE else player.opponent
        entered = self.entered.get(mover)
        if entered is not None and entered.tube is tube:
            entered.ring = player
        if intent is story.RingIntent.CLAIM:
            self.announced.pop(player, None)

    def aim(self, player: Player, glass: WorldGlass, tube: Tube, end: End | None = None) -> None:
        """A player's hand sets out to seat ``glass`` in ``tube`` with ``end`` down (None: it does not matter)."""
        self.aims[player] = Aim(glass, tube, end, self.turn, self.late, self.number)

    def misdeed(self, player: Player, kind: Mischief, tube: Tube, glass: WorldGlass | None = None) -> Deed:
        """A player is about to break a rule in another way than by seating a glass elsewhere, and knows it."""
        return self._blame(Deed(player, kind, tube, self.now, glass))

    def timer_misdeed(self, player: Player) -> None:
        """A player is about to turn the timer while it runs; there is nothing to put right afterwards (R7.2)."""
        self.timer_misdeed_by = player

    def _turned_timer_wrongly(self, fact: truth.TimerSet) -> None:
        """The running timer was turned over, which matters while somebody has a move (R5.1)."""
        key = ("violation", Mischief.TIMER_RUNNING.value)
        if self.was_heard(*key) or not (self.over or self.blocked()):
            self.story.append(story.Misdeed(fact.t, fact.player, Mischief.TIMER_RUNNING))
            self._expect(*key)

    def undo(self, deed: Deed) -> None:
        """Withdraw a wrong that did not happen after all."""
        if deed in self.deeds:
            self.deeds.remove(deed)

    def _done(self, player: Player, tube: Tube, kinds: frozenset[Mischief]) -> Deed | None:
        """Note that an announced wrong has happened now, if it was that one; none is noted after the end."""
        for deed in self.deeds:
            if deed.player is player and deed.tube is tube and deed.kind in kinds and not deed.is_done:
                deed.is_done = True
                if self.over and deed.ruled_at is None:
                    return None
                self.story.append(story.Misdeed(self.now, player, deed.kind))
                if deed.ruled_at is None:
                    # leaning is wrong only once it has lasted (R9.2)
                    later = self.ruleset.settle if deed.kind is Mischief.OUT_OF_PLACE else 0.0
                    self._expected.append((self.now + later, ("violation", deed.kind.value)))
                return deed
        return None

    def _blame(self, deed: Deed) -> Deed:
        """Something is wrong from now on, and a ruling is to say so."""
        if deed.glass is not None:
            # a glass wrong again is a further wrong: the one before is no more
            self.deeds = [other for other in self.deeds if other.glass is not deed.glass]
        self.deeds.append(deed)
        for early in self._unplaced:
            if early[1].code.value == deed.kind.value:
                self._unplaced.remove(early)
                deed.ruled_at = self.now
                return deed
        if deed.is_done:
            self._expect("violation", deed.kind.value)
        return deed
