"""What the referee remembers: the mutable state that its parts share, and the questions asked of it.

Each part (`hands`, `rings`, `turns`, `timer`, `ending`, `setup`, `arbiter`) is a set of functions on this state;
none of them reads a clock. Nothing here decides anything.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tamsk_hw.game.players import PLAYERS, RINGS_EACH, End, Player
from tamsk_hw.game.position import Position
from tamsk_hw.game.sand import Sand
from tamsk_hw.game.tubes import TUBES, Tube
from tamsk_hw.referee.header import Header
from tamsk_hw.referee.questions import Question
from tamsk_hw.referee.rulings import Code, Content, Empty, GameOver, Mend, RingCount, Ruling
from tamsk_hw.referee.view import Phase

#: Seconds within which all has been reported that is found when the board is seen again.
FIRST_LOOK = 0.15


@dataclass(slots=True, eq=False)
class Glass:
    """A glass of the game, and where it is.

    ``tube`` and ``end`` are its lawful place and the end that is down there; ``standing`` is the tube where it
    physically stands, None when it is in a hand. A glass that is ``off`` its tube counts as in its owner's hand,
    wrongly seated or not (R2.6): ``lift_order`` says when it left its tube, ``hand_order`` when it was last taken
    up. ``wrong`` is the violation to be put right by it, ``run_out`` (when lost) the earliest and the latest time
    at which it may have run out, ``run_out_unseen`` the same of a glass that may have run out in time that nobody
    saw (the latest infinite if it need not have); both are times of the order of R5.3 (`State.unseen`).
    """

    owner: Player
    tube: Tube
    end: End
    standing: Tube | None
    sand: Sand | None
    off: bool = False
    lift_order: int = 0
    hand_order: int = 0
    wrong: Code | None = None
    started: bool = False
    lost: bool = False
    doubtful: bool = False
    run_out: tuple[float, float] = (0.0, 0.0)
    run_out_unseen: tuple[float, float] | None = None

    @property
    def is_running(self) -> bool:
        """Started and not lost, wherever it is (R2.4, R6.2)."""
        return self.started and not self.lost

    def due(self) -> float | None:
        """When its sand next changes what is known of it; None while it is in a hand, unstarted or lost."""
        if self.standing is None or not self.started or self.lost:
            return None
        assert self.sand is not None
        return self.sand.empty_at() if self.doubtful else self.sand.possibly_empty_at()


@dataclass(frozen=True, slots=True)
class Stranger:
    """A glass that nobody's hand accounts for (R9.2), or one placed wrongly from off the board (R8)."""

    colour: Player | None
    code: Code


@dataclass(slots=True)
class Lean:
    """Something leaning in a tube since a time; ``ruled`` once it was called out of place (R9.2)."""

    since: float
    ruled: bool = False


@dataclass(slots=True)
class Entry:
    """A player's last finished move, and the rights to a ring in the tube that it entered (R4)."""

    tube: Tube
    t: float
    ring: bool = False
    own_open: bool = True
    claim_open: bool = True


@dataclass(slots=True)
class Seen:
    """What was reported of the board before the start: the glass that stands in a tube."""

    end: End
    colour: Player | None


@dataclass(slots=True)
class State:
    """All that the referee remembers of one game."""

    header: Header
    now: float = 0.0
    phase: Phase = Phase.SETUP
    out: list[Ruling] = field(default_factory=list)
    position: Position = field(init=False)

    # Before the start
    seen: dict[Tube, Seen] = field(default_factory=dict)
    ready: bool = False

    # Glasses
    glasses: list[Glass] = field(default_factory=list)
    at: dict[Tube, Glass] = field(default_factory=dict)
    strangers: dict[Tube, Stranger] = field(default_factory=dict)
    leaning: dict[Tube, Lean] = field(default_factory=dict)
    order: int = 0
    two_glasses: set[Player] = field(default_factory=set)

    # The turn
    turn: Player | None = None
    number: int = 0
    next_player: Player = Player.RED
    move_started: bool = False
    had_started: bool = False
    overtime_due: float | None = None
    late: Player | None = None
    late_glasses: list[Glass] = field(default_factory=list)
    skips: set[Player] = field(default_factory=set)

    # Rings
    rings_seen: list[int] = field(default_factory=lambda: [0] * len(TUBES))
    rings_wrong: set[Tube] = field(default_factory=set)
    ring_owners: list[list[Player]] = field(default_factory=lambda: [[] for _ in TUBES])
    entered_last: dict[Tube, Player] = field(default_factory=dict)
    entries: dict[Player, Entry] = field(default_factory=dict)
    last_finish: float = 0.0
    announced: dict[Player, list[float]] = field(default_factory=lambda: {player: [] for player in PLAYERS})
    penalty_due: set[Player] = field(default_factory=set)
    penalty_until: dict[Player, float] = field(default_factory=dict)
    holder: dict[Player, int] = field(default_factory=lambda: dict.fromkeys(PLAYERS, RINGS_EACH))
    holders_at_fault: set[Player] = field(default_factory=set)

    # The 15-second timer
    timer: Sand | None = None
    deadline: float | None = None

    # Beyond the game
    link_lost: bool = False
    lost_at: float = 0.0
    seen_again_at: float = float("-inf")
    unwatched: float = 0.0
    """For how long at most nobody had watched the board when it was seen again (seconds)."""
    unreported: float = 0.0
    """The same of a time before, when the board was lost again before all was reported that was found then."""
    unseen: float = 0.0
    """What times of the order of R5.3 are ahead of the stream's: room for what ran out while nobody looked."""
    question: Question | None = None
    sand_asked: bool = False
    rights_until: float | None = None
    over: GameOver | None = None

    def __post_init__(self) -> None:
        self.position = Position.start(self.header.ruleset)

    @property
    def has_sand(self) -> bool:
        """Level 2 or 3 (R6.5)."""
        return self.header.ruleset.has_sand

    @property
    def rights_stand(self) -> bool:
        """No right to a ring lapses now: the board is out of reach, and a ring may lie there unseen (R9.5).

        Where the times of a stream are exact, what it reports happened when it says so, and nothing stands still.
        """
        return self.link_lost and not self.header.sand.exact_hands

    def rights_at(self, t: float | None = None) -> float:
        """The time by which rights to rings lapse, now or as of ``t`` (seconds), if nothing happens until then."""
        if self.rights_stand:
            return self.lost_at
        return self.now if t is None else t

    @property
    def unseen_by(self) -> float:
        """By how many seconds what is reported now may have happened before: it was found so (R6.4)."""
        return self.unwatched if self.now <= self.seen_again_at + FIRST_LOOK else 0.0

    def in_hands(self) -> list[Glass]:
        """The glasses that are physically in a hand."""
        return [glass for glass in self.glasses if glass.standing is None]

    def off_tubes(self, player: Player) -> list[Glass]:
        """``player``'s glasses that count as in his hand (R2.6), the first lifted first."""
        off = [glass for glass in self.glasses if glass.off and glass.owner is player]
        off.sort(key=lambda glass: glass.lift_order)
        return off

    def is_on_move(self, glass: Glass) -> bool:
        """It is its owner's turn, or it is the glass of his late move (R7.5)."""
        return glass.owner is self.turn or glass in self.late_glasses

    def forget_late(self) -> None:
        """No late move may be completed any more (R7.5)."""
        self.late = None
        self.late_glasses.clear()

    def may_be_moved(self, glass: Glass) -> bool:
        """Neither lost (R2.3) nor barred by R2.4 or R8, destinations aside."""
        return bool(self.position.movable(glass.owner) >> glass.tube & 1)

    def glass_of(self, tube: Tube) -> Glass | None:
        """The glass that lawfully stands in ``tube``."""
        for glass in self.glasses:
            if glass.tube is tube:
                return glass
        return None

    def lawful_content(self, tube: Tube) -> Content:
        """What should stand in ``tube``."""
        return self.position.owner(tube) or Empty()

    def content(self, tube: Tube) -> Content:
        """What stands in ``tube`` as far as is known; None for a glass whose owner nobody knows."""
        glass = self.at.get(tube)
        if glass is not None:
            return glass.owner
        stranger = self.strangers.get(tube)
        if stranger is not None:
            return stranger.colour
        return None if tube in self.leaning else Empty()

    def mend_glass(self, tube: Tube) -> Mend:
        """What stands in ``tube`` and what should."""
        return Mend(tube, self.content(tube), self.lawful_content(tube))

    @property
    def holders_counted(self) -> bool:
        """Rings are known by the holders they come from: both counted, neither at fault (R4.6, R9.5)."""
        return self.header.holders and not self.holders_at_fault

    def mend_rings(self, tube: Tube) -> Mend:
        """The rings around ``tube`` and those that count."""
        return Mend(tube, RingCount(self.rings_seen[tube]), RingCount(self.position.rings[tube]))

    def mend_wrong(self, glass: Glass) -> tuple[Mend, ...]:
        """What puts a wrong glass right: turning it, or the tube where it stands and the one where it belongs."""
        if glass.standing is None:
            return (self.mend_glass(glass.tube),)
        if glass.wrong in (Code.NOT_TURNED, Code.TURNED_IN_PLACE):
            assert glass.sand is not None
            return (Mend(glass.standing, glass.sand.end, glass.sand.end.other),)
        if glass.standing is glass.tube:
            return (self.mend_glass(glass.tube),)
        return (self.mend_glass(glass.standing), self.mend_glass(glass.tube))
