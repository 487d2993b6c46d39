"""The state of a game as others see it: one frozen value for lights, sound, picture and page.

`Referee.view` makes it, always whole, never as a difference. Nobody else looks inside the referee.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import repeat
from operator import not_
from typing import Annotated, ClassVar

from tamsk_hw.forms import Count, Form, Shape, form_of, number
from tamsk_hw.game.ruleset import Level, Seconds, TimerSide
from tamsk_hw.game.tubes import TUBES, End, Player, Tube
from tamsk_hw.referee.events import RingTotal, SensorId
from tamsk_hw.referee.rulings import Correction, GameOver, Question, RingsLeft

#: A share of a whole.
Share = Annotated[float, number(float, 0, 1)]


class Phase(Enum):
    """The phases of a game."""

    SETUP = "setup"
    """The board is being set up; the only ruling is `setup`."""
    PLAY = "play"
    """The game is on. With `View.turn` None neither player has a legal move and rights run out (R5.1)."""
    SAND = "sand"
    """Equal rings: the sand decides (R5.3)."""
    OVER = "over"


class GlassState(Enum):
    """The referee's knowledge of a glass's sand."""

    UNSTARTED = "unstarted"
    """Not moved yet, so neither lost nor doubtful (R2.4)."""
    RUNNING = "running"
    DOUBTFUL = "doubtful"
    """It may have run out (R6.4)."""
    LOST = "lost"
    NO_SAND = "no_sand"
    """Level 1 has no sand (R6.5)."""

    @property
    def may_run(self) -> bool:
        """Sand may still be running."""
        return self in (GlassState.RUNNING, GlassState.DOUBTFUL)


@dataclass(frozen=True, slots=True, kw_only=True)
class GlassView:
    """One glass; ``seconds`` and ``fraction`` are (0, 0) when it is lost, unstarted or at level 1."""

    owner: Player
    """whose glass it is"""
    tube: Tube
    """where it lawfully stands"""
    standing: Tube | None
    """where it physically stands; null: in a hand"""
    end: End
    """the end that is down"""
    state: GlassState
    """`unstarted`: not moved yet (R2.4) · `running` · `doubtful`: it may have run out (R6.4) · `lost` (R6.2) ·
    `no_sand`: level 1"""
    seconds: tuple[Seconds, Seconds]
    """least and most seconds that it still runs as it stands, from `t` on"""
    fraction: tuple[Share, Share]
    """least and most share of a full glass that is above, 0 to 1"""
    may_move: bool
    """neither lost nor barred by R2.4"""


@dataclass(frozen=True, slots=True)
class OpenRing:
    """A move's ring that may still be dropped (R4.1): a right of ``player``, who moved."""

    player: Player
    seconds: Seconds | None = None
    """Seconds until it lapses; None while only the next move can end it (R4.2)."""


@dataclass(frozen=True, slots=True)
class _RingAt:
    """An `OpenRing` as JSON has it, with its tube."""

    tube: Tube
    player: Player
    seconds: Seconds | None


_BOOL = form_of(bool)
_NOT = replace(_BOOL, write=not_, read=lambda value: not _BOOL.read(value))


def _counts_form() -> Form:
    form = form_of(Mapping[Tube, RingTotal])
    return Form(
        lambda counts: {tube.name: counts[tube] for tube in TUBES if counts[tube]},
        lambda value: tuple(map(form.read(value).get, TUBES, repeat(0))),
        form.schema,
        form.allowed,
    )


def _rights_form() -> Form:
    form = form_of(tuple[_RingAt, ...])
    return Form(
        lambda open: form.write([_RingAt(tube, each.player, each.seconds) for tube, each in sorted(open.items())]),
        lambda value: {each.tube: OpenRing(each.player, each.seconds) for each in form.read(value)},
        form.schema,
        form.allowed,
    )


def _result_form() -> Form:
    """The form of a ruling `game_over` without its time."""
    form, rest = form_of(GameOver), {"t": 0, "ruling": GameOver.name}
    keys = [key for key in form.schema["properties"] if key not in rest]
    schema = {"properties": {key: form.schema["properties"][key] for key in keys}, "required": keys}
    return Form(
        lambda over: {key: value for key, value in form.write(over).items() if key in keys},
        lambda value: form.read({**value, **rest} if isinstance(value, Mapping) else value),
        form.schema | schema,
        form.allowed,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """The state of the game at time ``t`` (seconds)."""

    t: Annotated[float, number(float, allowed="a number of seconds")]
    """the stream's time of all that follows, in seconds"""
    phase: Phase
    """`offered`: an unfinished game waits to be resumed, and the rest is that game · `setup` · `play` · `sand`:
    equal rings, the sand decides (R5.3) · `over`"""
    link_lost: Annotated[bool, _NOT]
    """the board is there"""
    level: Level
    """the game's level"""
    turn: Player | None
    """the player to move, if any"""
    number: Count
    """the number of the turn, counting both players'; 0 before the start"""
    move_started: bool
    """he has lifted a glass that he may move"""
    glasses: tuple[GlassView, ...]
    """the glasses; before the start those that stand where they belong"""
    rings: Annotated[tuple[int, ...], _counts_form()]
    """the counted rings of each tube that has any"""
    rings_seen: Annotated[tuple[int, ...], _counts_form()]
    """the rings that lie there, whether or not they count"""
    full: frozenset[Tube]
    """the tubes that are full (R4.3)"""
    destinations: frozenset[Tube]
    """where the glass in the hand of the player to move may go"""
    left: RingsLeft
    """the rings left to each player"""
    ring_open: Annotated[dict[Tube, OpenRing], _rights_form()]
    """moves whose ring may still be dropped (R4.1), with the seconds until the right lapses; null: until the next
    move"""
    penalty: Player | None
    """who may drop a penalty ring now (R7.6)"""
    late: Player | None
    """who still may complete a late move (R7.5)"""
    deadline: float | None
    """the stream's time at which the 15-second timer runs out against the player to move (R7.2)"""
    timer_side: TimerSide | None
    """where the timer stands"""
    wrong: tuple[Correction, ...]
    """all that must be put right now; before the start all that is missing"""
    question: Question | None
    """the question that the arbiter has not answered (R9.3)"""
    over: Annotated[GameOver, _result_form()] | None
    """the result, as the ruling `game_over` has it"""
    tubes: tuple[Tube, ...] = TUBES
    """the board's tubes, in board order"""
    unread: Mapping[SensorId, frozenset[Tube]] = field(default_factory=dict)
    """the tubes whose rings cannot be read, by the sensor at fault (R9.8)"""
    paused: bool = False
    """the game pauses: rights and deadlines stand still (R9.5); at a simulated board everything does"""
    announced: Mapping[Player, float] = field(default_factory=dict)
    """the players who have announced a claim, with the stream's time at which that lapses (R4.6)"""
    shape: ClassVar = Shape(keys={"link_lost": "connected"})

    def clocks(self, player: Player) -> list[tuple[int, GlassView]]:
        """A player's glasses with their numbers (1 … 3) among his: the next to run out first, lost ones last."""
        his = [glass for glass in self.glasses if glass.owner is player]

        def order(numbered: tuple[int, GlassView]) -> tuple[bool, bool, tuple[float, float]]:
            glass = numbered[1]
            return glass.state is GlassState.LOST, not glass.state.may_run, glass.seconds

        return sorted(enumerate(his, 1), key=order)

    @property
    def is_played(self) -> bool:
        """The game has begun and is not over."""
        return self.phase in (Phase.PLAY, Phase.SAND)
