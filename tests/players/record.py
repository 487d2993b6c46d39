"""The players' own record of a game: what they know at the board, and the questions that they ask of it.

Nothing changes here; what is seen and what is heard enters the record in `seeing` and `table`.
"""

from collections.abc import Callable
from dataclasses import dataclass

from tamsk_hw.game.position import Illegality, Move, Position
from tamsk_hw.game.ruleset import Ruleset, Start
from tamsk_hw.game.tubes import PLAYERS, START_TUBES, End, Player, Tube
from tamsk_hw.referee.events import ButtonName
from tamsk_hw.referee.rulings import GameOver, Violation
from tamsk_hw.simulator.glasses import WorldGlass
from tamsk_hw.simulator.world import World
from tests.players.deeds import Deed
from tests.players.habits import Mischief
from tests.players.story import RingIntent, StoryEntry

#: Seconds for which an announced claim counts (R4.6), and a little.
ANNOUNCED_FOR = 5.6
BUTTON_OF: dict[Player, ButtonName] = {Player.RED: ButtonName.RED, Player.BLACK: ButtonName.BLACK}

_FAULT_OF: dict[Illegality, Mischief] = {
    Illegality.NOT_YOUR_TURN: Mischief.NOT_YOUR_TURN,
    Illegality.DEAD_GLASS: Mischief.DEAD_GLASS,
    Illegality.ALREADY_MOVED: Mischief.ALREADY_MOVED,
    Illegality.MUST_PLACE: Mischief.ALREADY_MOVED,
    Illegality.NOT_ADJACENT: Mischief.NOT_ADJACENT,
    Illegality.NO_TUBE: Mischief.NOT_ADJACENT,
    Illegality.OCCUPIED: Mischief.NOT_ADJACENT,
    Illegality.FULL: Mischief.FULL_TUBE,
}


@dataclass(slots=True)
class Entered:
    """A player's last finished move: ``tube`` entered at ``t`` (seconds), and the rights to its ring."""

    tube: Tube
    t: float
    ring: Player | None = None
    """The player whose ring counts there."""
    claimable: bool = True
    """The opponent has not started a move since (R4.3, R4.5)."""
    answered: bool = False
    """The opponent has finished a move since (R4.2)."""


@dataclass(frozen=True, slots=True)
class Aim:
    """A hand that carries ``glass`` to its seat in ``tube``; whose turn it was (and its number), and who was late,
    as it set out."""

    glass: WorldGlass
    tube: Tube
    end: End | None
    turn: Player | None
    late: Player | None
    number: int


Key = tuple[object, ...]


def strike(entries: list[tuple[float, Key]], key: Key) -> bool:
    """Strike the first entry of that key; whether there was one."""
    for entry in entries:
        if entry[1] == key:
            entries.remove(entry)
            return True
    return False


class Record:
    """Common knowledge at the board. ``holders``: the ring holders are counted (R4.6)."""

    def __init__(self, world: World, ruleset: Ruleset, *, holders: bool = False) -> None:
        self.world = world
        self.ruleset = ruleset
        self.holders = holders
        self.story: list[StoryEntry] = []
        self.position = Position.start(ruleset)
        corners = ruleset.start is Start.CORNERS
        #: where each glass belongs and which end is down there; None: off the board
        self.belongs: dict[WorldGlass, Tube | None] = {}
        for player in PLAYERS:
            own = [glass for glass in world.glasses if glass.owner is player]
            for glass, tube in zip(own, START_TUBES[player], strict=True):
                self.belongs[glass] = tube if corners else None
        self.end: dict[WorldGlass, End] = {glass: glass.down for glass in world.glasses}
        #: glasses in anybody's hands, in the order in which they were lifted
        self.grips: list[WorldGlass] = []
        self.aims: dict[Player, Aim] = {}
        #: glasses that a hand is about to lift
        self.lifting: dict[Player, WorldGlass] = {}
        #: tubes to which a hand with a ring is on its way, and what the ring is meant as (None: put back)
        self.reaching: dict[Player, tuple[Tube, RingIntent | None]] = {}
        self.entered: dict[Player, Entered] = {}
        #: when a claim was announced that is still unused (it serves one claim, R4.6)
        self.announced: dict[Player, float] = {}
        self.claiming: dict[Player, Tube] = {}
        self.deeds: list[Deed] = []

        self.ready_heard: bool | None = None
        self.started = False
        self.over: GameOver | None = None
        #: whose turn it is, by the record and by what was called
        self.turn: Player | None = None
        #: whose turn was called and is not finished by the record
        self.called: Player | None = None
        self.number = 0
        self.called_at = 0.0
        self.late: Player | None = None
        #: whose next turn is skipped (R8)
        self.to_be_skipped: set[Player] = set()
        #: who passed, forfeited or was skipped, and has not been called since (R4.3)
        self.sitting_out: set[Player] = set()
        #: who has a penalty ring with his next move, and until when one may be dropped (R7.6)
        self.penalty: set[Player] = set()
        self.penalty_until: dict[Player, float] = {}
        self.deadline: tuple[Player, float] | None = None
        #: glasses that were ruled lost, and when glasses were seen to be lost
        self.ruled_lost: set[WorldGlass] = set()
        self.lost_at: dict[WorldGlass, float] = {}
        self.restored_at: float | None = None
        self._started_in: dict[Player, int] = {}
        self._expected: list[tuple[float, Key]] = []
        self._heard: list[tuple[float, Key]] = []
        self._unplaced: list[tuple[float, Violation]] = []
        #: whose hand is at the 15-second timer, and since when its upper part is empty
        self.at_timer: Player | None = None
        self.timer_misdeed_by: Player | None = None
        self.timer_empty_since = 0.0
        #: how often it was turned with sand left since it last ran out: each time less is known of its sand
        self.timer_cut_short = 0
        #: when a hand last did something at the board
        self.touched_at = 0.0

    # ---- questions

    @property
    def now(self) -> float:
        """Simulated seconds."""
        return self.world.now

    def blocked(self) -> bool:
        """Neither player has a legal move, by the record (R5.1)."""
        return self.position.is_blocked()

    def glass_of(self, tube: Tube) -> WorldGlass | None:
        """The glass that belongs in ``tube``."""
        for glass, home in self.belongs.items():
            if home is tube:
                return glass
        return None

    def stands_right(self, glass: WorldGlass) -> bool:
        """The glass stands where and as it belongs, upright."""
        home = self.belongs[glass]
        if glass.tube is not home or glass.leaning:
            return False
        return home is None or not self.ruleset.has_sand or glass.down is self.end[glass]

    def own(self, player: Player) -> list[WorldGlass]:
        """The player's three glasses."""
        return [glass for glass in self.world.glasses if glass.owner is player]

    def in_hands(self) -> list[WorldGlass]:
        """The glasses in anybody's hands, in the order in which they were lifted, and then those about to be."""
        return self.grips + [glass for glass in self.lifting.values() if glass not in self.grips]

    def movable(self, glass: WorldGlass) -> bool:
        """The glass may be moved by its owner on his turn, destinations aside (R2.3, R2.4)."""
        home = self.belongs[glass]
        if home is None or glass in self.ruled_lost:
            return False
        return bool(self.position.movable(glass.owner) >> home & 1)

    def may_move(self, player: Player) -> bool:
        """It is the player's turn, or he may complete a late move (R7.5)."""
        return self.turn is player or self.late is player

    def home_of(self, glass: WorldGlass) -> Tube:
        """The tube in which a glass belongs that is not off the board."""
        home = self.belongs[glass]
        assert home is not None
        return home

    def wrong_tubes(self) -> set[Tube]:
        """Tubes in which something is to be put right."""
        tubes = {deed.tube for deed in self.deeds}
        for deed in self.deeds:
            if deed.glass is not None:
                home = self.belongs[deed.glass]
                if home is not None:
                    tubes.add(home)
        return tubes

    def is_reached_for(self, tube: Tube) -> bool:
        """A hand with a ring is on its way to the tube."""
        return any(reach[0] is tube for reach in self.reaching.values())

    def under_hand_of(self, player: Player) -> set[Tube]:
        """Tubes to which a hand of the player is on its way, with a glass or a ring."""
        tubes = {aim.tube for who, aim in self.aims.items() if who is player}
        return tubes | {tube for who, (tube, _) in self.reaching.items() if who is player}

    def fault_of(
        self, glass: WorldGlass, to: Tube, end: End, turn: Player | None, late: Player | None
    ) -> Mischief | None:
        """The rule that is broken by seating ``glass`` in ``to`` with ``end`` down; None for a lawful move."""
        owner, home = glass.owner, self.belongs[glass]
        if turn is not owner and late is not owner:
            return Mischief.NOT_YOUR_TURN
        if self.position.is_full(to):
            return Mischief.FULL_TUBE
        obstacle = self.position.obstacle(owner, Move(home, to))
        if obstacle is not None:
            return _FAULT_OF[obstacle]
        if self.ruleset.has_sand and home is not None and end is self.end[glass]:
            return Mischief.NOT_TURNED
        return None

    def would_be_taken_for(self, glass: WorldGlass, tube: Tube, end: End) -> WorldGlass:
        """The glass in hand for which a board without colours takes the next seat in ``tube`` (R9.3)."""
        left = [other for other in self.in_hands() if self.belongs[other] is not None] or [glass]

        def keep(test: Callable[[WorldGlass], bool]) -> None:
            passed = [other for other in left if test(other)]
            if passed:
                left[:] = passed

        keep(lambda other: self.belongs[other] is tube)
        keep(lambda other: self.fault_of(other, tube, end, self.turn, self.late) is None)
        keep(lambda other: other.owner is self.turn)
        return left[-1]

    def may_drop_own(self, player: Player, seconds: float) -> bool:
        """The player may still drop the ring of his last move, lying ``seconds`` from now (R4.1 to R4.4)."""
        entered = self.entered.get(player)
        if entered is None or entered.ring is not None or self.position.left(player) < 1:
            return False
        if self.is_claimed(entered.tube, player.opponent) or not self.world.can_drop(entered.tube):
            return False
        at = self.now + seconds
        if self.ruleset.has_sand:
            return at < entered.t + self.ruleset.ring_window
        aim = self.aims.get(player.opponent)
        if entered.answered or (aim is not None and aim.turn is player.opponent):
            return False
        return not self.blocked() or at < entered.t + self.ruleset.final_window

    def may_claim(self, player: Player, seconds: float) -> bool:
        """The player may claim the ring of the other's last move, lying ``seconds`` from now (R4.3, R4.5)."""
        entered = self.entered.get(player.opponent)
        if entered is None or entered.ring is not None or not entered.claimable:
            return False
        if self.position.left(player) < 1 or not self.world.can_drop(entered.tube):
            return False
        reach = self.reaching.get(player.opponent)
        if (reach is not None and reach[0] is entered.tube) or entered.tube in self.wrong_tubes():
            return False
        if self.blocked():
            return self.now + seconds < entered.t + self.ruleset.final_window
        return self.called is player or player in self.sitting_out

    def is_claimed(self, tube: Tube, claimer: Player) -> bool:
        """``claimer`` has announced a claim on ``tube``, or is about to (R4.6)."""
        if self.claiming.get(claimer) is tube:
            return True
        said = self.announced.get(claimer)
        return said is not None and self.now < said + ANNOUNCED_FOR

    def may_drop_penalty(self) -> bool:
        """Somebody may drop a penalty ring now, or could with a move that he finishes in a moment (R7.6)."""
        return bool(self.penalty) or any(self.now < until + 0.5 for until in self.penalty_until.values())

    def has_open_right(self, tube: Tube) -> bool:
        """Somebody may yet have a right to a ring in ``tube``, so that a wrong one there could be taken for it."""
        return self.may_drop_penalty() or any(entered.tube is tube for entered in self.entered.values())

    # ---- what is to be ruled, and what is to be put right

    def _expect(self, *key: object) -> None:
        """Something was done that should be ruled on."""
        if not strike(self._heard, key):
            self._expected.append((self.now, key))

    def was_heard(self, *key: object) -> bool:
        """It was ruled and not yet seen: the board was quicker than the eye."""
        return any(heard[1] == key for heard in self._heard)

    def _hear(self, *key: object) -> None:
        """Something was ruled that should have been done."""
        if not strike(self._expected, key):
            self._heard.append((self.now, key))

    def is_right(self, deed: Deed) -> bool:
        """By the look of it, what was wrong is right."""
        if deed.is_of_rings:
            return self.world.rings[deed.tube] == self.position.rings[deed.tube]
        if deed.kind is Mischief.TWO_GLASSES:
            return sum(glass.tube is None for glass in self.own(deed.player)) <= 1
        return deed.glass is None or self.stands_right(deed.glass)

    def tidy(self) -> None:
        """Strike out the wrongs that are right again and were ruled restored."""
        for deed in list(self.deeds):
            if deed.ruled_at is None or self.restored_at is None or self.restored_at < deed.ruled_at:
                continue
            # a ring that still falls has done nothing yet, and nothing comes right by itself
            if deed.is_done and deed.tries and self.is_right(deed):
                self.deeds.remove(deed)
