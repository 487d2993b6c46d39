"""Common knowledge at the board: people see what the hands do, know the rules, and hear the rulings.

The table keeps the players' own record of the game (`Table.position`): moves and rings enter it when they
physically happen, judged by the rules as a player understands them. Rulings tell whose turn it is and what is
wrong; where they disagree with the record for longer than a moment, that is noted as `Surprised` and the rulings
win.
"""

from tamsk_hw.game.ruleset import LatePenalty
from tamsk_hw.game.tubes import Player, Tube
from tamsk_hw.referee import rulings
from tests.players.deeds import RING_KINDS, Deed
from tests.players.habits import Mischief
from tests.players.record import Entered, Key, strike
from tests.players.seeing import Seeing
from tests.players.story import Misdeed, Surprised

#: Seconds after which players notice that a ruling they expect does not come, or that one came unexpected.
PUZZLED_AFTER = 3.0


class Table(Seeing):
    """The common knowledge of a match."""

    def hear(self, ruling: rulings.Ruling) -> None:
        """Take in what the lights and the voice say."""
        if isinstance(ruling, rulings.Setup):
            self.ready_heard = not ruling.problems
        elif isinstance(ruling, rulings.Started):
            self.started = True
            for glass, home in self.belongs.items():
                if home is not None:
                    self.end[glass] = glass.down
        elif isinstance(ruling, rulings.Turn):
            self._hear_turn(ruling)
        elif isinstance(ruling, rulings.Moved):
            self._hear("move", ruling.player, ruling.from_tube, ruling.to)
        elif isinstance(ruling, rulings.RingCounted):
            self._hear("ring", ruling.player, ruling.tube, ruling.kind.value)
        elif isinstance(ruling, rulings.Violation):
            self._hear_violation(ruling)
        elif isinstance(ruling, rulings.Restored):
            self.restored_at = self.now
            self.tidy()
        elif isinstance(ruling, rulings.TimerStarted):
            self.deadline = (ruling.against, ruling.deadline)
        elif isinstance(ruling, rulings.TimerExpired):
            self.deadline = None
            if ruling.started:
                self.late = ruling.against
        elif isinstance(ruling, rulings.Forfeit | rulings.Passed | rulings.Skip):
            self.sitting_out.add(ruling.player)
            if isinstance(ruling, rulings.Forfeit) and self.late is ruling.player:
                self.late = None
        elif isinstance(ruling, rulings.Penalty):
            if self.ruleset.late_penalty is LatePenalty.TWO_RINGS:
                self.penalty.add(ruling.player)
            else:
                self.to_be_skipped.add(ruling.player.opponent)
        elif isinstance(ruling, rulings.GlassLost):
            lost = self.glass_of(ruling.tube)
            if lost is not None:
                self.ruled_lost.add(lost)
        elif isinstance(ruling, rulings.GameOver):
            self.over = ruling
            # a glass that had not leaned for long enough is nobody's wrong
            untold = [deed for deed in self.deeds if deed.kind is Mischief.OUT_OF_PLACE and deed.ruled_at is None]
            self.story = [
                entry
                for entry in self.story
                if not any(
                    isinstance(entry, Misdeed) and entry.kind is deed.kind and entry.t >= deed.t for deed in untold
                )
            ]

    def _hear_turn(self, ruling: rulings.Turn) -> None:
        self.called, self.number, self.called_at = ruling.player, ruling.number, self.now
        if ruling.player in self.to_be_skipped:
            self.to_be_skipped.discard(ruling.player)
        elif self.late is ruling.player:
            self.late = None  # a turn that is not skipped ends the late move (R7.5)
        self.deadline = None
        self.sitting_out.discard(ruling.player)
        # A move of the other that still bounces in its tube is finished in the record a moment later.
        self._turn_to(ruling.player)

    def _hear_violation(self, ruling: rulings.Violation) -> None:
        key: Key = ("violation", ruling.code.value)
        kind = Mischief(ruling.code.value)
        known = strike(self._expected, key)
        told = next((deed for deed in self.deeds if deed.kind is kind and deed.ruled_at is None), None)
        if told is not None:
            told.ruled_at = self.now
        elif kind is Mischief.TIMER_RUNNING and self.timer_misdeed_by is not None:
            self._hear(*key)  # the timer still bounces in its cradle
        elif not known:
            self._unplaced.append((self.now, ruling))

    def _understand(self, ruling: rulings.Violation) -> None:
        """A violation that nobody can explain is taken as it was ruled."""
        self._surprise("not expected", ("violation", ruling.code.value, ruling.tube))
        if not ruling.restore:
            return
        kind = Mischief(ruling.code.value)
        tubes = [mend.tube for mend in ruling.restore]
        glass = None
        if kind not in RING_KINDS:
            found = (self.world.glass_at[place] for place in tubes)
            glass = next((there for there in found if there is not None), None)
        culprit = (glass.owner if glass is not None else ruling.player) or self.turn or Player.RED
        tube = ruling.tube if ruling.tube is not None else tubes[0]
        self.deeds.append(Deed(culprit, kind, tube, self.now, glass, self.now, surprise=True, is_done=True))

    def compare(self) -> None:
        """Believe the rulings where they have disagreed with the record for `PUZZLED_AFTER` seconds."""
        before = self.now - PUZZLED_AFTER
        for expected in [entry for entry in self._expected if entry[0] < before]:
            self._expected.remove(expected)
            self._surprise("not ruled", expected[1])
            self._unlearn(expected[1])
        for heard in [entry for entry in self._heard if entry[0] < before]:
            self._heard.remove(heard)
            self._surprise("not expected", heard[1])
            self._learn(heard[1])
        for unplaced in [entry for entry in self._unplaced if entry[0] < before]:
            self._unplaced.remove(unplaced)
            self._understand(unplaced[1])

    def next_doubt(self) -> float | None:
        """The earliest time at which `compare` has something to do."""
        times = [entry[0] for entry in (*self._expected, *self._heard, *self._unplaced)]
        return min(times) + PUZZLED_AFTER + 0.01 if times else None

    def _surprise(self, what: str, key: Key) -> None:
        self.story.append(Surprised(self.now, f"{what}: {' '.join(str(part) for part in key)}"))

    def _unlearn(self, key: Key) -> None:
        match key:
            case ("move", Player() as player, home, Tube() as tube):
                glass = self.glass_of(tube)
                if glass is None or not isinstance(home, Tube):
                    return
                self.position = self.position.moved(tube, home)
                self.belongs[glass], self.end[glass] = home, self.end[glass].other
                self.entered.pop(player, None)
                if glass.tube is tube and not any(deed.glass is glass for deed in self.deeds):
                    self.deeds.append(
                        Deed(player, Mischief.NOT_ADJACENT, tube, self.now, glass, surprise=True, is_done=True)
                    )
            case ("ring", Player() as player, Tube() as tube, _):
                self.position = self.position.unringed(tube, player)

    def _learn(self, key: Key) -> None:
        match key:
            case ("move", Player() as player, Tube() as home, Tube() as tube):
                glass = self.glass_of(home)
                if glass is None:
                    return
                self.position = self.position.moved(home, tube)
                self.belongs[glass], self.end[glass] = tube, glass.down
                self.entered[player] = Entered(tube, self.now, claimable=False, answered=True)
                self.deeds = [deed for deed in self.deeds if deed.glass is not glass]
            case ("ring", Player() as player, Tube() as tube, _):
                self.position = self.position.ringed(tube, player)
