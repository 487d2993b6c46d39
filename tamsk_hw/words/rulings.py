"""Rulings and the headline in plain English, for the people at the board.

`say` gives a ruling in words with its clause at the end; `line` puts its time before that. `headline` gives the
one line with what matters now. `orders` words everything that must be put right.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from tamsk_hw.errors import printable
from tamsk_hw.game.players import End, Player
from tamsk_hw.game.tubes import NEIGHBOURS
from tamsk_hw.panel.diagnosis import Diagnosis, News
from tamsk_hw.referee.questions import FullTubeEntered, LastGlass, Question, RecordedQuestion, StillRunning
from tamsk_hw.referee.rulings import (
    ArbiterNeeded,
    Caution,
    Code,
    Empty,
    Forfeit,
    GameOver,
    GlassDoubtful,
    GlassLost,
    Ground,
    Mend,
    Moved,
    MoveStarted,
    Passed,
    Penalty,
    PenaltyKind,
    Reason,
    Restored,
    RingCount,
    RingCounted,
    RingKind,
    Ruling,
    Setup,
    Skip,
    Started,
    TimerExpired,
    TimerStarted,
    Turn,
    Uncounted,
    Violation,
    Warned,
)
from tamsk_hw.referee.time_span import TimeSpan
from tamsk_hw.words.prompts import offered_words, ready_words

#: The number of orders in the headline; the rest are only counted.
_HEADLINE_MENDS = 2


def clock(t: float) -> str:
    """A time in seconds as ``mm:ss.mmm``; minutes count past 59."""
    milliseconds = round(t * 1000)
    return f"{milliseconds // 60000:02}:{milliseconds // 1000 % 60:02}.{milliseconds % 1000:03}"


def _name(player: Player) -> str:
    """A player, at the beginning of a sentence."""
    return "Red" if player is Player.RED else "Black"


def _glass(player: Player | None) -> str:
    """A glass, with its owner if he is known."""
    return "the glass" if player is None else f"{player}'s glass"


def _sentence(text: str) -> str:
    """The text with a capital letter."""
    return text[:1].upper() + text[1:]


def _rings(count: int) -> str:
    """A number of rings."""
    return "1 ring" if count == 1 else f"{count} rings"


def _mend(mend: Mend, setup: bool) -> str:
    """The order that puts one tube right, without a full stop."""
    tube, has, should = mend.tube, mend.has, mend.should
    match should:
        case RingCount():
            extra = (has.rings if isinstance(has, RingCount) else 0) - should.rings
            return f"take {_rings(extra)} off {tube}" if extra > 0 else f"put {_rings(-extra)} back on {tube}"
        case End():
            return f"turn the glass on {tube} over"
        case Player():
            if isinstance(has, Empty):
                return f"put a {should} glass on {tube}" if setup else f"put {should}'s glass back on {tube}"
            if has is None or has is should:
                return f"set the glass on {tube} upright"
            return f"take the glass off {tube}, where a {should} one belongs"
        case Empty() | None:
            return f"take {_glass(has if isinstance(has, Player) else None)} off {tube}"
        case _:
            assert_never(should)


def orders(mends: Sequence[Mend], setup: bool = False) -> list[str]:
    """The orders that put things right; ``setup``: the game has not begun.

    A glass in a wrong tube gives one order for its two tubes: off the one, back on the other.
    """
    listed: list[str] = []
    rest = list(mends)
    while rest:
        mend = rest.pop(0)
        home = rest[0] if rest else None
        if (
            home is not None
            and not setup
            and isinstance(mend.has, Player)
            and isinstance(mend.should, Empty)
            and isinstance(home.has, Empty)
            and home.should is mend.has
        ):
            rest.pop(0)
            listed.append(f"put {mend.has}'s glass from {mend.tube} back on {home.tube}")
        else:
            listed.append(_mend(mend, setup))
    return listed


def _restore(mends: Sequence[Mend]) -> str:
    """The orders that follow a violation, as sentences, each after a space."""
    return "".join(f" {_sentence(order)}." for order in orders(mends))


def _not_adjacent(violation: Violation) -> str:
    """The reason why a glass may not stand where it was seated."""
    tube = violation.tube
    origin = next((mend.tube for mend in violation.restore if isinstance(mend.has, Empty)), None)
    if violation.ground is Ground.FULL_TUBE:
        return f"Not a legal move: {tube} is full."
    if violation.ground is Ground.NO_PLACE or tube is None or origin is None:
        return f"A glass may not be placed on {tube}."
    if tube in NEIGHBOURS[origin]:
        return f"Not a legal move: {tube} is taken, a glass in the hand still counts as standing there."
    return f"Not a legal move: {tube} is not next to {origin}."


def _out_of_place(violation: Violation) -> str:
    """The glass that is out of place: it leans, or came from nowhere."""
    if any(isinstance(mend.should, Player) for mend in violation.restore):
        return f"The glass on {violation.tube} does not stand firm."
    return f"There is a glass on {violation.tube} where none should be."


def _penalty(penalty: Penalty) -> str:
    """The gain of the late player's opponent."""
    who = _name(penalty.player)
    match penalty.kind:
        case PenaltyKind.TWO_MOVES:
            return f"{who} will move twice in a row."
        case PenaltyKind.SECOND_RING:
            return f"{who} may drop a second ring with the next move, in any tube that is not full."
        case _:
            assert_never(penalty.kind)


def _fault(violation: Violation) -> str:
    """A violation, as a sentence."""
    owner, tube, code = violation.player, violation.tube, violation.code
    who = _glass(owner)
    match code:
        case Code.NOT_YOUR_TURN:
            return f"It is not {owner}'s turn." if owner is not None else "That glass may not be moved now."
        case Code.DEAD_GLASS:
            return f"Not a legal move: {who} has run out and may not be moved any more."
        case Code.ALREADY_MOVED if violation.ground is Ground.MUST_PLACE:
            return f"Not a legal move: {owner} places all three glasses before one is moved."
        case Code.ALREADY_MOVED:
            return f"Not a legal move: {owner} has moved that glass and must first move each of the others once."
        case Code.NOT_ADJACENT:
            return _not_adjacent(violation)
        case Code.NOT_TURNED:
            return f"Not a finished move: {who} was not turned over on the way to {tube}."
        case Code.TWO_GLASSES:
            return f"{_sentence(str(owner))} has lifted a second glass, from {tube}."
        case Code.TURNED_IN_PLACE:
            return f"{_sentence(who)} on {tube} was turned over without being moved."
        case Code.RING_WRONG_TUBE if violation.ground is Ground.UNCOUNTED:
            return f"A ring lies on {tube} that counts no more."
        case Code.RING_WRONG_TUBE:
            return f"The new ring on {tube} does not count: nobody may drop one there now."
        case Code.RING_TOO_MANY:
            return f"The new ring on {tube} does not count: the ring of that move is there already."
        case Code.RING_TOO_LATE:
            return f"The new ring on {tube} does not count: it came too late."
        case Code.RING_REMOVED:
            return f"A ring that counts was taken off {tube}."
        case Code.TIMER_RUNNING:
            return "The 15-second timer was turned over before it had run out."
        case Code.OUT_OF_PLACE:
            return _out_of_place(violation)
        case _:
            assert_never(code)


def _span(span: TimeSpan) -> str:
    """A length of time, known within bounds."""
    most = f"{span.most} {span.unit.name.lower()}{'' if span.most == 1 else 's'}"
    if span.least == span.most:
        return most
    return f"{span.least} to {most}" if span.least else f"up to {most}"


def _away(length: TimeSpan | str | None) -> str:
    """The time during which nobody watched the board."""
    if length is None:
        return "some time"
    return _span(length) if isinstance(length, TimeSpan) else printable(length)


def _warning(warned: Warned) -> str:
    """A warning, as a sentence or two."""
    player, tube = warned.player, warned.tube
    match warned.code:
        case Caution.EARLY_START:
            who = "A player" if player is None else _name(player)
            return f"{who} has lifted a glass from {tube} before his turn."
        case Caution.OVERTIME:
            return f"{_sentence(str(player))} has taken more than 15 seconds for this turn."
        case Caution.LINK_LOST:
            return "The board is out of reach; the sand runs on. Check its cable."
        case Caution.TIME_AWAY:
            return f"Nobody watched the board for {_away(warned.detail)}. The sand ran on; no deadline did."
        case Caution.SENSOR_FAULT:
            if warned.sensor is None:
                return f"A glass seems to have left {tube}, where none stood. Check the sensor of {tube}."
            detail = "" if warned.detail is None else f": {warned.detail}"
            return printable(f'The sensor "{warned.sensor}" cannot be trusted{detail}.')
        case _:
            assert_never(warned.code)


def question_words(question: Question) -> str:
    """A question for the arbiter (R5.4, R9.3)."""
    match question:
        case StillRunning(player):
            return f"Has {player} still a glass running, now that {player.opponent} has none?"
        case LastGlass():
            return "Whose glass ran out last?"
        case FullTubeEntered(tube):
            return f"Whose glass was put into the full tube {tube}? If it was the player's on move, he has lost."
        case RecordedQuestion(text):
            return printable(text)
        case _:
            assert_never(question)


def _setup(problems: Sequence[Mend]) -> str:
    """The board before the start: ready, or the orders that make it so."""
    if not problems:
        return "The board is ready."
    return f"The board is not ready: {'; '.join(orders(problems, setup=True))}."


def _ring(ruling: RingCounted) -> str:
    """A ring that counts."""
    left = f"{ruling.left} left" if ruling.left else "none left"
    match ruling.kind:
        case RingKind.MOVE:
            return f"{_name(ruling.player)}'s ring on {ruling.tube} counts; {left}."
        case RingKind.CLAIM:
            return f"{_name(ruling.player)} claims {ruling.tube}: the ring there is {ruling.player}'s; {left}."
        case RingKind.PENALTY:
            return f"{_name(ruling.player)}'s penalty ring on {ruling.tube} counts; {left}."
        case _:
            assert_never(ruling.kind)


def _move(ruling: Moved) -> str:
    """A finished move."""
    if ruling.from_tube is None:
        late = ", late" if ruling.late else ""
        return f"{_name(ruling.player)} places a glass on {ruling.to}{late}."
    if ruling.late:
        return f"{_name(ruling.player)} finishes a late move {ruling.from_tube}→{ruling.to}."
    return f"{_name(ruling.player)} moves {ruling.from_tube}→{ruling.to}."


def _reason(over: GameOver) -> str:
    """The reason why a game ended."""
    match over.reason:
        case Reason.FULL_TUBE:
            return f"{_loser(over)} seated a glass in a full tube"
        case Reason.FEWEST_RINGS:
            return "fewest rings left"
        case Reason.TIE:
            return "equal rings, and the sand does not decide" if over.by_sand else "equal rings"
        case Reason.LAST_GLASS:
            return "equal rings, and the last glass running"
        case Reason.RESIGNED:
            return f"{_loser(over)} resigned"
        case Reason.AWARDED:
            return "awarded by the arbiter"
        case Reason.ABANDONED:
            return "abandoned"
        case _:
            assert_never(over.reason)


def _loser(over: GameOver) -> str:
    return "a player" if over.winner is None else str(over.winner.opponent)


def _result(over: GameOver) -> str:
    """The result: the winner, the reason, and the rings left."""
    ending = f"{_reason(over)} (rings left: red {over.red_left}, black {over.black_left})."
    if over.winner is not None:
        return f"{_name(over.winner)} wins: {ending}"
    return f"No result: {ending}" if over.reason is Reason.ABANDONED else f"A tie: {ending}"


def _words(ruling: Ruling) -> str:
    """The ruling as one or more sentences, without its clause."""
    match ruling:
        case Setup(problems=problems):
            return _setup(problems)
        case Started(level=level, turn=turn):
            return f"The game begins, at level {level}. {_name(turn)} plays first."
        case Turn(player=player, number=number):
            return f"Turn {number}: {player} to move."
        case MoveStarted(player=player, tube=tube):
            return f"{_name(player)} lifts the glass on {tube}."
        case Moved():
            return _move(ruling)
        case RingCounted():
            return _ring(ruling)
        case Uncounted(player=player, tube=tube, left=left):
            return f"{_name(player)}'s ring on {tube} was never dropped and counts no more; {left} left."
        case Passed(player=player):
            return f"{_name(player)} has no legal move and passes."
        case GlassLost(player=player, tube=tube):
            return f"{_name(player)}'s glass on {tube} has run out: it stays there and is moved no more."
        case GlassDoubtful(player=player, tube=tube):
            return f"{_name(player)}'s glass on {tube} may have run out."
        case TimerStarted(against=against, deadline=deadline):
            return f"The 15-second timer runs against {against}, until {clock(deadline)}."
        case TimerExpired(against=against, started=True):
            return f"Time is up: {against} is late with the move that was started."
        case TimerExpired(against=against):
            return f"Time is up: {against} had not started a move."
        case Forfeit(player=player):
            return f"{_name(player)} loses this turn."
        case Penalty():
            return _penalty(ruling)
        case Skip(player=player):
            return f"{_name(player)}'s turn is skipped."
        case Violation():
            return _fault(ruling) + _restore(ruling.restore)
        case Restored():
            return "That has been put right."
        case Warned():
            return _warning(ruling)
        case ArbiterNeeded(question=question):
            return f"A question for the arbiter: {question_words(question)}"
        case GameOver():
            return _result(ruling)
        case _:
            assert_never(ruling)


def said(ruling: Ruling) -> str:
    """A ruling in plain words on one line, without its clause: ``Red moves D1→D2.``."""
    return _words(ruling)


def say(ruling: Ruling) -> str:
    """A ruling in plain words on one line, its clause at the end: ``Red moves D1→D2. (R2.1)``."""
    return f"{_words(ruling)} ({ruling.rule})"


def short_clock(t: float) -> str:
    """A time in seconds as ``mm:ss``, whole seconds that have passed; minutes count past 59."""
    return f"{int(t) // 60:02}:{int(t) % 60:02}"


def line(ruling: Ruling) -> str:
    """A ruling with its time, as `tamsk-hw replay` prints it: ``00:12.345  Red moves D1→D2. (R2.1)``."""
    return f"{clock(ruling.t)}  {say(ruling)}"


def headline(diagnosis: Diagnosis) -> str:
    """The one line with what matters now; it names no clause unless the game is over."""
    news = diagnosis.headline
    match news.news:
        case News.OFFERED:
            return offered_words(diagnosis.ways)
        case News.OVER:
            assert news.over is not None
            return say(news.over)
        case News.LINK_LOST:
            return "The board is out of reach: check its cable. The sand runs on."
        case News.QUESTION:
            assert news.question is not None
            to = "Arbiter, press a" if diagnosis.ways.keys else "For the arbiter"
            return f"{to}: {question_words(news.question)}"
        case News.SETUP:
            return _first("Set up the board", orders(news.mends, setup=True))
        case News.READY:
            return ready_words(diagnosis.ways)
        case News.PUT_RIGHT:
            return _first("Put right", orders(news.mends))
        case News.SAND:
            return "Equal rings: the sand decides. Let the glasses run."
        case News.LAST_RIGHTS:
            return "Nobody can move any more; the last rings may be dropped."
        case News.TO_MOVE:
            return f"{_sentence(str(news.player))} to move."
        case News.MOVING:
            return f"{_sentence(str(news.player))} is moving."
        case _:
            assert_never(news.news)


def _first(what: str, listed: Sequence[str]) -> str:
    """The first few orders, and the number of the others."""
    more = len(listed) - _HEADLINE_MENDS
    tail = f" … and {more} more" if more > 0 else ""
    return f"{what}: {'; '.join(listed[:_HEADLINE_MENDS])}{tail}."
