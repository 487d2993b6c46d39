"""The meanings that are shown: lights, sounds, picture and headline all derive from one `Diagnosis`.

It has for each tube its state (a fact of the view) and its request to the players (something to put right, an act
that is advised, a ring that may be dropped), the count of the timer, the status of each player, the subject of
the headline, the ways in which people can press something, and the prompt of a terminal, which
`tamsk_hw.panel.keys` makes. It has no colours and no words: `tamsk_hw.panel.lights`, `tamsk_hw.panel.sounds`,
`tamsk_hw.terminal.picture` and `tamsk_hw.words` add those, each with a `match` that mypy checks for missing
meanings.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from math import ceil
from typing import assert_never

from tamsk_hw.game.tubes import PLAYERS, TUBES, End, Player, Tube
from tamsk_hw.partner.intention import Act, Advice, MoveGlass, MoveRing, PutRight, RingAct, TurnTimerOver
from tamsk_hw.referee.events import Action, Arbiter, Button, ButtonName, SensorId
from tamsk_hw.referee.rulings import Correction, Empty, GameOver, Question
from tamsk_hw.referee.view import GlassState, GlassView, Phase, View
from tamsk_hw.system.output import SentenceEnum, marked

#: Keys without a character of their own, as `tamsk_hw.terminal.keyboard` gives them.
ENTER, ESCAPE, BACKSPACE, UP, DOWN, LEFT, RIGHT = "", "\x1b", "\x7f", "↑", "↓", "←", "→"


@dataclass(frozen=True, slots=True, kw_only=True)
class InputMethods:
    """The ways to press something here and now.

    ``buttons`` are those that work; ``keys``: a terminal's keys are read; ``live``: the live stream is published,
    so that ``tamsk-hw do`` and ``tamsk-hw arbiter`` reach the game; ``demo``: simulated players press for
    themselves; ``page``: people look at it in a browser, where nothing is pressed or run; ``simulated``: of a
    board that is a simulated one.
    """

    buttons: frozenset[ButtonName] = frozenset()
    keys: bool = False
    live: bool = False
    demo: bool = False
    page: bool = False
    simulated: bool = False


#: The three buttons, and nothing else.
ALL_BUTTONS = InputMethods(buttons=frozenset(ButtonName))


class Idle(SentenceEnum):
    """Reasons for which a key does nothing."""

    UNKNOWN_KEY = "unknown_key", marked("That key does nothing; ? lists the keys.")
    RUNNING = "running", marked("The game has begun already; ? lists the keys.")
    NO_GAME = "no_game", marked("No game is being played: nobody can claim or resign.")
    NOTHING_TO_DECIDE = "nothing_to_decide", marked("No game is being played: there is nothing to decide.")
    NO_LONGER = "no_longer", marked("That is not possible any more.")


@dataclass(frozen=True, slots=True)
class KeyList:
    """The list of keys is shown."""


@dataclass(frozen=True, slots=True)
class Confirmation:
    """A long press or an arbiter's decision, at time 0, waits for yes or no; None: the program's end does."""

    deed: Button | Arbiter | None


#: Choices of a menu: actions, then perhaps tubes, then perhaps players.
Option = Action | Tube | Player


@dataclass(frozen=True, slots=True, kw_only=True)
class Menu:
    """The arbiter's menu: ``options`` of which one is ``chosen``, after ``action`` and ``tube`` were selected.

    ``typed`` is the beginning of a tube's name.
    """

    options: tuple[Option, ...]
    chosen: int = 0
    action: Action | None = None
    tube: Tube | None = None
    typed: str = ""


#: A terminal's question, or its answer to the last key; `Button`: the press that announced a claim, as no ruling
#: says so.
Prompt = KeyList | Idle | Button | Confirmation | Menu


#: A lot (E 1.1): the seat of the player who gets red, and when it was drawn, in seconds of the watchers' own time.
Lot = tuple[Player, float]


#: A running glass is urgent from this many seconds left on.
URGENT_SECONDS = 30.0

#: The 15-second count is urgent from this many seconds left on.
TIMER_URGENT_SECONDS = 5.0

#: The nominal seconds of the 15-second timer (R6.1).
TIMER_SECONDS = 15.0


def whole_seconds(seconds: float) -> int:
    """The number shown, read out and sounded for ``seconds`` (0 …) that are left: rounded up, so 0 means over.

    The page counts by the same rule (`countDown` in `now.js`). Less than half a millisecond is rounding error.
    """
    return ceil(round(seconds, 3))


class TubeState(Enum):
    """The content of a tube: one of these; a glass comes before everything that concerns the tube alone."""

    EMPTY = "empty"
    """No glass, and room for a ring."""
    FULL = "full"
    """No glass, and full: nobody may enter (R3)."""
    DESTINATION = "destination"
    """No glass; the glass in the hand may go here (R2.1)."""
    LIFTED = "lifted"
    """The glass that belongs here is in the hand, or stands where it may not (R2.6)."""
    STILL = "still"
    """A glass at level 1, which has no sand (R6.5)."""
    UNSTARTED = "unstarted"
    """A glass that has not been moved yet (R2.4)."""
    RUNNING = "running"
    URGENT = "urgent"
    """A running glass in its last `URGENT_SECONDS`."""
    DOUBTFUL = "doubtful"
    """A glass that may have run out (R6.4)."""
    LOST = "lost"
    """A glass that has run out (R6.2)."""


class TubeRequest(Enum):
    """Requests of a tube to the players, the most urgent first; a tube shows one."""

    TAKE_AWAY = "take_away"
    """The glass here must be taken off (R2.6, R9.2)."""
    SET_UPRIGHT = "set_upright"
    """The glass here leans (R9.2)."""
    TURN_OVER = "turn_over"
    """The glass here must be turned over (R2.5)."""
    BELONGS = "belongs"
    """A glass belongs here and is not here (R2.6, R1.3)."""
    RING_OFF = "ring_off"
    """More rings lie here than count (R4.7)."""
    RING_BACK = "ring_back"
    """A ring that counts was taken away (R4.7)."""
    CARRY = "carry"
    """Advice: carry this glass."""
    PUT_HERE = "put_here"
    """Advice: put the glass here as it stood."""
    PUT_HERE_TURNED = "put_here_turned"
    """Advice: put the glass here, turned over on the way (R2.2)."""
    DROP_RING = "drop_ring"
    """Advice: drop a ring here."""
    RING_OPEN = "ring_open"
    """The ring of the move into this tube may be dropped (R4.1)."""


_URGENCY: dict[TubeRequest, int] = {asks: place for place, asks in enumerate(TubeRequest)}

#: The requests to put something right, which come before all advice.
CORRECTIONS = frozenset(asks for asks, place in _URGENCY.items() if place < _URGENCY[TubeRequest.CARRY])


@dataclass(frozen=True, slots=True)
class TubeSign:
    """The sign of one tube.

    ``player`` owns the glass held or lifted; without a glass it is None. ``share`` (0 … 1) and ``seconds`` are the
    sand that is surely left above, the lower end of the referee's interval; both are 0 unless the glass runs or is
    in the hand. ``asked`` is the owner of the glass that belongs here, or of the right to the open ring, or whose
    hand an advice is for. ``ring``: once the glass is put here as advised, its ring follows. ``blind``: the rings
    here cannot be read (R9.8).
    """

    holds: TubeState
    player: Player | None = None
    share: float = 0.0
    seconds: float = 0.0
    asks: TubeRequest | None = None
    asked: Player | None = None
    ring: bool = False
    blind: bool = False

    @property
    def owner(self) -> Player:
        """The owner of the glass held or lifted; only where there is one."""
        assert self.player is not None
        return self.player

    @property
    def hand(self) -> Player:
        """The player for whom an advice is; only where there is one."""
        assert self.asked is not None
        return self.asked


@dataclass(frozen=True, slots=True)
class TimerSign:
    """The 15-second count: ``seconds`` (0 …) left to ``against``."""

    against: Player
    seconds: float
    urgent: bool


class PlayerStatus(Enum):
    """The situation of a player."""

    READY = "ready"
    """The board is set up and waits for the start button (R1.3)."""
    WAITING = "waiting"
    TO_MOVE = "to_move"
    MOVING = "moving"
    """His turn, and he has started his move."""
    LATE = "late"
    """Not his turn any more, but he may complete his late move (R7.5)."""
    WON = "won"
    TIED = "tied"
    BEATEN = "beaten"


@dataclass(frozen=True, slots=True)
class PlayerSign:
    """The sign of one player: ``left`` rings (0 … 32), of which ``due`` (0 … 2) may be dropped now.

    ``penalty``: one of those due is a penalty ring (R7.6). ``claim``: he is advised to announce a claim (R4.3).
    """

    stance: PlayerStatus
    left: int
    due: int = 0
    penalty: bool = False
    claim: bool = False


class HeadlineKind(Enum):
    """The subject of the one line for the players, the most important first."""

    OFFERED = "offered"
    """An unfinished game waits to be resumed; its last state is shown."""
    OVER = "over"
    LINK_LOST = "link_lost"
    QUESTION = "question"
    SETUP = "setup"
    """The board is not ready for the start."""
    READY = "ready"
    PUT_RIGHT = "put_right"
    PAUSED = "paused"
    """The arbiter has the game pause (R9.5)."""
    SAND = "sand"
    """Equal rings: the sand decides (R5.3)."""
    ADVICE = "advice"
    """An act is advised."""
    LAST_RIGHTS = "last_rights"
    """Nobody can move; the last rings may be dropped (R5.1)."""
    TO_MOVE = "to_move"
    MOVING = "moving"


@dataclass(frozen=True, slots=True)
class Headline:
    """The content of the one line; `tamsk_hw.words.rulings.headline` puts it in words.

    ``player`` is the player to move; ``corrections`` is all that must be put right, in the referee's order.
    """

    news: HeadlineKind
    player: Player | None = None
    corrections: tuple[Correction, ...] = ()
    question: Question | None = None
    over: GameOver | None = None


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Everything shown at game time ``t`` (seconds), with a sign for each of the 37 tubes in board order."""

    t: float
    tubes: tuple[TubeSign, ...]
    timer: TimerSign | None
    players: dict[Player, PlayerSign]
    headline: Headline
    asking: bool
    """People must decide something (R5.4, R9.3, an unfinished game)."""
    stale: bool
    """The board is out of reach; the last known state is shown (R9.5)."""
    ways: InputMethods
    """The ways to press something."""
    prompt: Prompt | None
    """The terminal's question, or its answer to the last key."""
    unread: Mapping[SensorId, frozenset[Tube]]
    """The tubes whose rings cannot be read, by the sensor at fault (R9.8)."""
    advice: Advice | None = None
    """The advice that is shown; the signs of its tubes and of its player have it, too."""
    lot: Lot | None = None
    """The lot that is shown, before the start."""

    @property
    def timer_hand(self) -> Player | None:
        """The player who is advised to turn the 15-second timer over (R7.2), if any."""
        advice = self.advice
        return advice.player if advice is not None and isinstance(advice.act, TurnTimerOver) else None


_BARE = [TubeSign(TubeState.EMPTY)] * len(TUBES)
_FULL = TubeSign(TubeState.FULL)
_DESTINATION = TubeSign(TubeState.DESTINATION)


def _glass_sign(glass: GlassView) -> TubeSign:
    """The sign of a glass where it physically stands."""
    match glass.state:
        case GlassState.RUNNING:
            seconds = glass.seconds[0]
            holds = TubeState.URGENT if seconds <= URGENT_SECONDS else TubeState.RUNNING
            return TubeSign(holds, glass.owner, glass.fraction[0], seconds)
        case GlassState.DOUBTFUL:
            return TubeSign(TubeState.DOUBTFUL, glass.owner, glass.fraction[0], glass.seconds[0])
        case GlassState.LOST:
            return TubeSign(TubeState.LOST, glass.owner)
        case GlassState.UNSTARTED:
            return TubeSign(TubeState.UNSTARTED, glass.owner)
        case GlassState.NO_SAND:
            return TubeSign(TubeState.STILL, glass.owner)
        case _:
            assert_never(glass.state)


def _asked(mend: Correction) -> tuple[TubeRequest, Player | None]:
    """The request of a tube that must be put right, and the owner of the glass that belongs there."""
    should = mend.should
    match should:
        case int():
            seen = mend.has if isinstance(mend.has, int) else 0
            return (TubeRequest.RING_OFF if seen > should else TubeRequest.RING_BACK), None
        case End():
            return TubeRequest.TURN_OVER, None
        case Player():
            if isinstance(mend.has, Empty):
                return TubeRequest.BELONGS, should
            upright = mend.has is None or mend.has is should
            return (TubeRequest.SET_UPRIGHT if upright else TubeRequest.TAKE_AWAY), None
        case Empty() | None:
            return TubeRequest.TAKE_AWAY, None
        case _:
            assert_never(should)


def _players(view: View, advice: Advice | None) -> dict[Player, PlayerSign]:
    """The signs of the two players."""
    signs = {}
    ready = view.phase is Phase.SETUP and not view.wrong and not view.link_lost
    for player in PLAYERS:
        left = view.left[player]
        if view.over is not None:
            stances = {None: PlayerStatus.TIED, player: PlayerStatus.WON, player.opponent: PlayerStatus.BEATEN}
            signs[player] = PlayerSign(stances[view.over.winner], left)
            continue
        if view.turn is player:
            stance = PlayerStatus.MOVING if view.move_started else PlayerStatus.TO_MOVE
        elif view.late is player:
            stance = PlayerStatus.LATE
        elif ready:
            stance = PlayerStatus.READY
        else:
            stance = PlayerStatus.WAITING
        penalty = view.penalty is player
        due = int(penalty) + sum(ring.player is player for ring in view.ring_open.values())
        match advice:
            case Advice(asked, MoveRing(RingAct.CLAIM)):
                claim = asked is player
            case _:
                claim = False
        signs[player] = PlayerSign(stance, left, due if due < left else left, penalty and left > 0, claim)
    return signs


def _advised(act: Act) -> dict[Tube, tuple[TubeRequest, bool]] | None:
    """The requests of the tubes that an act is about, each with True if the ring of the move is to follow.

    None for an act that puts something right, which is asked for without advice.
    """
    match act:
        case MoveGlass(at, to, turned, ring):
            put: dict[Tube, tuple[TubeRequest, bool]] = {
                to: (TubeRequest.PUT_HERE_TURNED if turned else TubeRequest.PUT_HERE, ring)
            }
            return put if at is None else {at: (TubeRequest.CARRY, False), **put}
        case MoveRing(RingAct.TAKE) | PutRight():
            return None
        case MoveRing(_, tube):
            return {tube: (TubeRequest.DROP_RING, False)}
        case TurnTimerOver():
            return {}
        case _:
            assert_never(act)


def _advise(view: View, signs: list[TubeSign], advice: Advice) -> bool:
    """Put the advice into the signs of its tubes; give False where it must wait.

    It waits while nobody plays, the board is out of reach or people must decide something, and until its tubes are
    right. A glass that is in the hand already is not asked for.
    """
    tubes = _advised(advice.act)
    if tubes is None or view.phase is not Phase.PLAY or view.link_lost or view.question is not None:
        return False
    if any(signs[tube].asks in CORRECTIONS for tube in tubes):
        return False
    for tube, (asks, ring) in tubes.items():
        sign = signs[tube]
        if not (asks is TubeRequest.CARRY and sign.holds is TubeState.LIFTED):
            signs[tube] = replace(sign, asks=asks, asked=advice.player, ring=ring)
    return True


def _headline(view: View, offered: bool, advice: Advice | None) -> Headline:
    """The content of the one line for the players."""
    if offered:
        return Headline(HeadlineKind.OFFERED, view.turn)
    if view.over is not None:
        return Headline(HeadlineKind.OVER, over=view.over)
    if view.link_lost:
        return Headline(HeadlineKind.LINK_LOST, view.turn, view.wrong)
    if view.question is not None:
        return Headline(HeadlineKind.QUESTION, view.turn, view.wrong, view.question)
    if view.phase is Phase.SETUP:
        return Headline(HeadlineKind.SETUP if view.wrong else HeadlineKind.READY, corrections=view.wrong)
    if view.wrong:
        return Headline(HeadlineKind.PUT_RIGHT, view.turn, view.wrong)
    if view.paused:
        return Headline(HeadlineKind.PAUSED, view.turn)
    if view.phase is Phase.SAND:
        return Headline(HeadlineKind.SAND)
    if advice is not None:
        return Headline(HeadlineKind.ADVICE, advice.player)
    if view.turn is None:
        return Headline(HeadlineKind.LAST_RIGHTS)
    return Headline(HeadlineKind.MOVING if view.move_started else HeadlineKind.TO_MOVE, view.turn)


def diagnose(
    view: View,
    *,
    offered: bool = False,
    ways: InputMethods = ALL_BUTTONS,
    prompt: Prompt | None = None,
    advice: Advice | None = None,
    lot: Lot | None = None,
) -> Diagnosis:
    """The diagnosis of a view. Pure; after the game it asks nothing.

    ``offered``: the game was interrupted, and the players are asked whether they resume it. ``ways`` are those to
    press something, ``prompt`` is what the terminal asks. ``advice`` is shown unless something else comes first,
    ``lot`` before the start.
    """
    signs = _BARE.copy()
    for tube in view.full:
        signs[tube] = _FULL
    for tube in view.destinations:
        signs[tube] = _DESTINATION
    for glass in view.glasses:
        if glass.standing is not glass.tube:
            signs[glass.tube] = TubeSign(TubeState.LIFTED, glass.owner, glass.fraction[0], glass.seconds[0])
    for glass in view.glasses:
        if glass.standing is not None:
            signs[glass.standing] = _glass_sign(glass)
    if view.over is None:
        for tube, ring in view.ring_open.items():
            signs[tube] = replace(signs[tube], asks=TubeRequest.RING_OPEN, asked=ring.player)
        for mend in view.wrong:
            asks, asked = _asked(mend)
            sign = signs[mend.tube]
            if sign.asks is None or _URGENCY[asks] < _URGENCY[sign.asks]:
                signs[mend.tube] = replace(sign, asks=asks, asked=asked)
        for tube in frozenset[Tube]().union(*view.unread.values()):
            signs[tube] = replace(signs[tube], blind=True)
    shown = advice if advice is not None and not offered and _advise(view, signs, advice) else None
    timer = None
    if view.deadline is not None and view.turn is not None and view.over is None:
        seconds = max(0.0, view.deadline - view.t)
        timer = TimerSign(view.turn, seconds, seconds <= TIMER_URGENT_SECONDS)
    return Diagnosis(
        view.t,
        tuple(signs),
        timer,
        _players(view, shown),
        _headline(view, offered, shown),
        offered or (view.question is not None and view.over is None),
        view.link_lost,
        ways,
        prompt,
        view.unread if view.over is None else {},
        shown,
        lot if view.phase is Phase.SETUP else None,
    )
