"""The referee's memory of one game: mutable state that its parts share, and questions about it.

The parts (`glasses_in_hand`, `rings`, `turns`, `referee`) are functions on it; nothing here decides anything.
A game passes through these phases:

==================  ==============================  ===================================  ========================
phase               begins                          ruled on                             ends
==================  ==============================  ===================================  ========================
SETUP               with the stream                 the board's readiness (R1.3)         start is pressed and all
                                                                                         is in place (R1.5)
PLAY, a turn        with each turn (R2.1)           all that happens                     by the move, a pass, or
                                                                                         the 15 seconds
PLAY, nobody's      when neither player can move    rings until ``turn.rights_until``;   with the last right to a
turn                (R5.1)                          glasses put right                    ring; a glass is revived
SAND                with equal rings (R5.3)         glasses that run out                 by the last glass, or by
                                                                                         a person
OVER                with `GameOver`                 nothing                              never
==================  ==============================  ===================================  ========================

In every phase but OVER, faults and the link are reported; after SETUP an arbiter may decide (R9.6) and a player
resign (R5.5).

A glass has a lawful place, `Glass.tube`, and counts either as standing there or as in its owner's hand (R2.6):

===================  ========  ==============  ==========  ====================================================
glass                ``off``   ``standing``    ``wrong``   how it came so
===================  ========  ==============  ==========  ====================================================
stands               False     ``tube``        None        set up, moved, placed, or put back
in the hand          True      None            None        lifted from its tube
stands wrong         True      a tube          a code      seated where or how it may not stand
wrong, in the hand   True      None            a code      lifted again after that; the code is still to be put
                                                           right
===================  ========  ==============  ==========  ====================================================

Whatever its place, its sand is in one of these states:

============  =======  ===========  ========  ============  ===================================================
sand          `sand`   ``started``  ``lost``  ``doubtful``  meaning
============  =======  ===========  ========  ============  ===================================================
none          None     False        False     False         level 1 (R6.5)
not started   a Sand   False        False     False         not moved yet (R2.4)
running       a Sand   True         False     False
doubtful      a Sand   True         False     True          it may have run out (R6.4)
lost          a Sand   True         True      False         it has run out (R6.2), during ``run_out``
============  =======  ===========  ========  ============  ===================================================

While a game is in play `Glasses.at` has exactly the glasses that stand, each under its ``standing``. When the sand
decides (R5.3) every glass counts as standing.
"""

from dataclasses import dataclass, field

from tamsk_hw.game.notation import RingKind
from tamsk_hw.game.position import Position
from tamsk_hw.game.sand import Sand, moment
from tamsk_hw.game.tubes import PLAYERS, RINGS_EACH, TUBES, End, Player, Tube
from tamsk_hw.referee.events import Seat, SensorId
from tamsk_hw.referee.rulings import Code, Content, Correction, Empty, GameOver, Question, Ruling
from tamsk_hw.referee.stream import Header
from tamsk_hw.referee.view import Phase


@dataclass(slots=True, eq=False, kw_only=True)
class Glass:
    """A glass of the game."""

    owner: Player
    tube: Tube
    """Its lawful place."""
    end: End
    """The end that is down there."""
    standing: Tube | None
    """The tube where it stands in fact; None while it is in a hand."""
    off: bool = False
    """It counts as in its owner's hand (R2.6)."""
    lift_order: int = 0
    """The number of the lift by which it left its lawful place."""
    hand_order: int = 0
    """The number of its last lift."""
    wrong: Code | None = None
    """The violation that is put right by it."""

    sand: Sand | None
    started: bool = False
    lost: bool = False
    doubtful: bool = False
    run_out: tuple[float, float] = (0.0, 0.0)
    """Of a lost one the earliest and the latest time at which it ran out (`Watching.unseen`)."""
    run_out_unseen: tuple[float, float] | None = None
    """The same of a glass that may have run out while nobody watched; infinite if it need not have."""

    @property
    def is_running(self) -> bool:
        """Started and not lost, wherever it is (R2.4, R6.2)."""
        return self.started and not self.lost

    def due(self) -> float | None:
        """The time at which its sand next changes what is known of it; None while in a hand, unstarted or lost."""
        if self.standing is None or not self.started or self.lost:
            return None
        assert self.sand is not None
        return self.sand.empty_at() if self.doubtful else self.sand.possibly_empty_at()


@dataclass(slots=True)
class Lean:
    """Something leaning in a tube since a time; ``ruled`` once it was called out of place (R9.2)."""

    since: float
    ruled: bool = False


@dataclass(slots=True)
class Glasses:
    """All glasses, and what else stands or leans on the board."""

    every: list[Glass] = field(default_factory=list)
    """The glasses of the game, in the order in which they came to the board."""
    at: dict[Tube, Glass] = field(default_factory=dict)
    """The glass of the game that stands in a tube."""
    unknown: dict[Tube, tuple[Player | None, str]] = field(default_factory=dict)
    """Other glasses that stand in a tube, never one that is in ``at``: their colour, and the clause by which they
    must be taken away. Nobody's hand accounts for them (R9.2), or they were placed wrongly (R8)."""
    leaning: dict[Tube, Lean] = field(default_factory=dict)
    lifts: int = 0
    """The number of lifts so far."""
    two_off: set[Player] = field(default_factory=set)
    """Players who have yet to put a second glass back (R2.9)."""

    def in_hands(self) -> list[Glass]:
        """The glasses that are in a hand in fact."""
        return [glass for glass in self.every if glass.standing is None]

    def off_tubes(self, player: Player) -> list[Glass]:
        """``player``'s glasses that count as in his hand (R2.6), the first lifted first."""
        off = [glass for glass in self.every if glass.off and glass.owner is player]
        off.sort(key=lambda glass: glass.lift_order)
        return off

    def home_at(self, tube: Tube) -> Glass | None:
        """The glass that lawfully stands in ``tube``."""
        for glass in self.every:
            if glass.tube is tube:
                return glass
        return None


#: Seconds within which the board reports all that it finds when it is seen again.
FIRST_LOOK = 0.15


@dataclass(slots=True)
class TurnState:
    """The present turn: everything that falls due in it is gone when it ends."""

    player: Player | None = None
    """The player to move; None outside of PLAY, and when neither player can move."""
    number: int = 0
    next_player: Player = Player.RED
    """The player to move or, in nobody's turn, the player who moves next if a glass is revived."""
    move_started: bool = False
    """The player has a glass in the hand that he may move."""
    had_started: bool = False
    """He had one at some time in this turn."""
    deadline: float | None = None
    """The time at which the 15-second timer runs out against him (R7.2), by `State.clock`; at level 3 only."""
    overtime_due: float | None = None
    """The time at which he is warned (R7.8), by `State.clock`; at level 2 only."""
    rights_until: float | None = None
    """The time at which the last right to a ring lapses (R5.1), by `State.clock`; in nobody's turn only."""
    skips: set[Player] = field(default_factory=set)
    """Players whose next turn is skipped (R8)."""

    def end(self) -> None:
        """Nobody's turn: no move is started, and nothing falls due (R5.1, R7.3, R7.7)."""
        self.player = None
        self.move_started = False
        self.deadline = self.overtime_due = self.rights_until = None


@dataclass(slots=True)
class RingState:
    """The rings on the board; those that count are in `Position.rings`, too."""

    seen: list[int] = field(default_factory=lambda: [0] * len(TUBES))
    """Rings that lie around each tube, counted or not."""
    wrong: set[Tube] = field(default_factory=set)
    """Tubes to be put right (R4.7): in PLAY those where ``seen`` is not the number that counts."""
    counted: list[list[tuple[Player, RingKind]]] = field(default_factory=lambda: [[] for _ in TUBES])
    """The rings that count on each tube, in the order of counting: the owner, and the right that allowed it."""
    in_holders: dict[Player, int] = field(default_factory=lambda: dict.fromkeys(PLAYERS, RINGS_EACH))
    """The rings in the players' holders (R4.6)."""
    holders_at_fault: set[Player] = field(default_factory=set)
    disputed: list[Tube] = field(default_factory=list)
    """Tubes with a ring that either player may have dropped unseen (R9.8)."""
    unread: dict[SensorId, dict[Tube, float]] = field(default_factory=dict)
    """Tubes whose rings cannot be read, and since when, by the sensor at fault (R9.8)."""
    is_end_asked: bool = False
    """It was asked whether rings that nobody can see hold up the end (R9.8)."""


@dataclass(slots=True, eq=False)
class EnteredTube:
    """A player's last finished move, and the rights to a ring in the tube that it entered (R4).

    ``t`` is the time of its finish by `State.clock`.
    """

    tube: Tube
    t: float
    """The time of the move's finish, later by the seconds for which its rights stood still."""
    ring: bool = False
    """The ring of that move counts there."""
    own_open: bool = True
    claim_open: bool = True
    opened: float = 0.0
    """The time of the move's finish, in the stream's time."""


@dataclass(slots=True, eq=False)
class Right:
    """A right to a ring; it allows one from ``opened`` until ``lapses``, by the stream's time (R9.8)."""

    player: Player
    kind: RingKind
    source: EnteredTube | float
    """The move that gave it; of a penalty ring the end of its window by `State.clock`."""
    announced: float | None
    """Of an announced claim the time of the announcement by `State.clock`."""
    opened: float
    lapses: float
    """Infinite while only a move can end it."""
    used: bool = False

    @property
    def tube(self) -> Tube | None:
        """The tube in which it allows a ring; None: any that is not full."""
        return self.source.tube if isinstance(self.source, EnteredTube) else None

    @property
    def key(self) -> tuple[Player, RingKind, EnteredTube | float, float | None]:
        """The same for the same right noted at two times."""
        return self.player, self.kind, self.source, self.announced


@dataclass(slots=True)
class Rights:
    """The players' rights to rings. All times are those of `State.clock`, but in ``open`` and ``past``."""

    entries: dict[Player, EnteredTube] = field(default_factory=dict)
    entered_last: dict[Tube, Player] = field(default_factory=dict)
    """The player who entered a tube last (R9.6)."""
    last_finish: float = 0.0
    """The time of the last finished move."""
    moved_last: Player | None = None
    """The player who finished it."""
    announced: dict[Player, float] = field(default_factory=dict)
    """The time of each player's last announcement of a claim that is not used up (R4.6)."""
    penalty_due: set[Player] = field(default_factory=set)
    """Players who get a penalty ring with their next finished move (R7.6)."""
    penalty_until: dict[Player, float] = field(default_factory=dict)
    """Until when a player may drop his penalty ring."""
    open: list[Right] = field(default_factory=list)
    """The rights that were open after the last event."""
    past: list[Right] = field(default_factory=list)
    """Those that are not open any more."""

    @property
    def every(self) -> list[Right]:
        """All rights of the game so far, the earlier ones first."""
        return [*self.past, *self.open]


@dataclass(slots=True)
class Watching:
    """The link, and the time in which nobody watched the board (R9.5)."""

    lost: bool = False
    lost_at: float = 0.0
    paused: bool = False
    """The arbiter has the game pause."""
    lifts: int = 0
    """`Glasses.lifts` when it began to."""
    still_since: float = 0.0
    stood_still: float = 0.0
    """For how many seconds in all rights and deadlines have stood still, up to the last time that they went on."""
    seen_again_at: float = float("-inf")
    unwatched: float = 0.0
    """For how many seconds at most nobody had watched the board when it was seen again."""
    unreported: float = 0.0
    """The same of an earlier time, if the board was lost again before it had reported what it found then."""
    unseen: float = 0.0
    """Seconds by which times of the order of R5.3 are ahead of the stream's: the sand ran on unseen."""


@dataclass(slots=True)
class State:
    """All that the referee remembers of one game."""

    header: Header
    now: float = 0.0
    phase: Phase = Phase.SETUP
    out: list[Ruling] = field(default_factory=list)
    """Rulings not yet handed out."""
    position: Position = field(init=False)
    """The lawful position."""
    set_up: dict[Tube, Seat] = field(default_factory=dict)
    """The glasses that stand on the board before the start; not used afterwards."""
    is_ready: bool = False
    """Nothing was missing or wrong after the last event before the start."""
    glasses: Glasses = field(default_factory=Glasses)
    turn: TurnState = field(default_factory=TurnState)
    late: list[Glass] = field(default_factory=list)
    """The glasses that may still complete a move started before the 15 seconds ran out (R7.5), of one player."""
    rings: RingState = field(default_factory=RingState)
    rights: Rights = field(default_factory=Rights)
    timer: Sand | None = None
    """The 15-second glass, once it was seen."""
    watch: Watching = field(default_factory=Watching)
    question: Question | None = None
    """The question that an arbiter has not answered."""
    sand_asked: bool = False
    """He was asked about the sand, which happens once (R5.4)."""
    over: GameOver | None = None
    """The end of the game; in OVER only."""

    def __post_init__(self) -> None:
        self.position = Position.start(self.header.ruleset)

    @property
    def has_sand(self) -> bool:
        """Level 2 or 3 (R6.5)."""
        return self.header.ruleset.has_sand

    # Time

    @property
    def stands_still(self) -> bool:
        """No right to a ring lapses and no deadline passes now: a pause, or the board is out of reach (R9.5)."""
        return self.watch.paused or (self.watch.lost and self.header.pauses)

    def note_standing_still(self, before: bool) -> None:
        """Note since when rights and deadlines stand still, or for how long they did; ``before``: they did."""
        if self.stands_still and not before:
            self.watch.still_since = self.now
        elif before and not self.stands_still:
            self.watch.stood_still += self.now - self.watch.still_since

    @property
    def clock(self) -> float:
        """The time by which rights and deadlines are counted (seconds): it stops while they stand still (R9.5)."""
        return self._counted_to(self.now) - self.watch.stood_still

    def _counted_to(self, t: float) -> float:
        """The time of the stream to which `clock` counts at ``t``, if nothing happens until then."""
        return self.watch.still_since if self.stands_still else t

    def due(self, clock: float | None) -> float | None:
        """The stream's time at ``clock`` by `clock`; None without one, and while that stands still."""
        return None if clock is None or self.stands_still else moment(clock + self.watch.stood_still)

    def seconds_to(self, clock: float, t: float) -> float:
        """Seconds from ``t`` (of the stream) until it is ``clock`` by `clock`, if nothing happens until then."""
        return moment(clock + self.watch.stood_still) - self._counted_to(t)

    @property
    def unseen_by(self) -> float:
        """By how many seconds what is reported now may have happened before: it was found so (R6.4)."""
        return self.watch.unwatched if self.now <= self.watch.seen_again_at + FIRST_LOOK else 0.0

    # Glasses and rings

    @property
    def holders_counted(self) -> bool:
        """Rings are known by the holders they come from: both counted, neither at fault (R4.6, R9.5)."""
        return self.header.holders and not self.rings.holders_at_fault

    def is_on_move(self, glass: Glass) -> bool:
        """It is its owner's turn, or it is the glass of his late move (R7.5); in a pause nobody moves (R9.5)."""
        return not self.watch.paused and (glass.owner is self.turn.player or glass in self.late)

    @property
    def late_player(self) -> Player | None:
        """The player who may still complete a late move (R7.5)."""
        return self.late[0].owner if self.late else None

    def may_be_moved(self, glass: Glass) -> bool:
        """Neither lost (R2.3) nor barred by R2.4 or R8, destinations aside."""
        return bool(self.position.movable(glass.owner) >> glass.tube & 1)

    # Putting right

    def content(self, tube: Tube) -> Content:
        """The known content of ``tube``; None for a glass whose owner is unknown."""
        glasses = self.glasses
        glass = glasses.at.get(tube)
        if glass is not None:
            return glass.owner
        if tube in glasses.unknown:
            return glasses.unknown[tube][0]
        return None if tube in glasses.leaning else Empty()

    def mend_glass(self, tube: Tube) -> Correction:
        """The glass in ``tube``, and the one that should be there."""
        return Correction(tube, self.content(tube), self.position.owner(tube) or Empty())

    def mend_rings(self, tube: Tube) -> Correction:
        """The rings around ``tube`` and those that count."""
        return Correction(tube, self.rings.seen[tube], self.position.rings[tube])

    def mend_wrong(self, glass: Glass) -> tuple[Correction, ...]:
        """The way to put a wrong glass right: to turn it over, or to move it to the tube where it belongs."""
        if glass.standing is None:
            return (self.mend_glass(glass.tube),)
        if glass.wrong in (Code.NOT_TURNED, Code.TURNED_IN_PLACE):
            assert glass.sand is not None
            return (Correction(glass.standing, glass.sand.end, glass.sand.end.other),)
        if glass.standing is glass.tube:
            return (self.mend_glass(glass.tube),)
        return (self.mend_glass(glass.standing), self.mend_glass(glass.tube))
