"""Rulings and the headline in plain words, for the people at the board.

`say` gives a ruling in words with its clause at the end; `line` puts its time before that. `headline` gives the
one line with what matters now.
"""

from collections.abc import Sequence
from typing import Final, assert_never

from tamsk_hw.errors import printable
from tamsk_hw.game.notation import RingKind
from tamsk_hw.game.tubes import NEIGHBOURS, Player, Tube
from tamsk_hw.panel.diagnosis import Diagnosis, HeadlineKind
from tamsk_hw.referee import rulings
from tamsk_hw.referee.events import Arbiter, Link, SensorId, SensorKind, TimeSpan, TimeUnit, read_span
from tamsk_hw.words.hardware import sensor_words
from tamsk_hw.words.prompts import advice_words, joined, offered_words, orders, ready_words
from tamsk_hw.words.translating import capital, ntr, tr

#: The number of orders in the headline; the rest are only counted.
_HEADLINE_MENDS = 2


def clock(t: float) -> str:
    """A time in seconds as ``mm:ss.mmm``; minutes count past 59."""
    milliseconds = round(t * 1000)
    return f"{milliseconds // 60000:02}:{milliseconds // 1000 % 60:02}.{milliseconds % 1000:03}"


def _not_adjacent(violation: rulings.Violation) -> str:
    """The reason why a glass may not stand where it was seated."""
    tube = violation.tube
    origin = next((mend.tube for mend in violation.restore if isinstance(mend.has, rulings.Empty)), None)
    if violation.ground is rulings.Ground.FULL_TUBE:
        return tr("Not a legal move: {tube} is full.", tube=tube)
    if violation.ground is rulings.Ground.NO_PLACE or tube is None or origin is None:
        return tr("A glass may not be placed on {tube}.", tube=tube)
    if tube in NEIGHBOURS[origin]:
        return tr(
            "Not a legal move: {tube} is taken, a glass in the hand still counts as standing there.", tube=tube
        )
    return tr("Not a legal move: {tube} is not next to {origin}.", tube=tube, origin=origin)


def _out_of_place(violation: rulings.Violation) -> str:
    """The glass that is out of place: it is missing after a pause, it leans, or it came from nowhere."""
    mend = violation.restore[0]
    if isinstance(mend.has, rulings.Empty):
        return tr("{Player}'s glass is not back on {tube}.", player=violation.player, tube=violation.tube)
    if isinstance(mend.should, Player):
        return tr("The glass on {tube} does not stand firm.", tube=violation.tube)
    return tr("There is a glass on {tube} where none should be.", tube=violation.tube)


def _penalty(penalty: rulings.Penalty) -> str:
    """The gain of the late player's opponent."""
    if penalty.two_moves:
        return tr("{Player} will move twice in a row.", player=penalty.player)
    return tr(
        "{Player} may drop a second ring with the next move, in any tube that is not full.", player=penalty.player
    )


def _fault(violation: rulings.Violation) -> str:
    """A violation, as a sentence."""
    owner, tube, code = violation.player, violation.tube, violation.code
    match code:
        case rulings.Code.NOT_YOUR_TURN:
            return tr("It is not {player}'s turn.", player=owner)
        case rulings.Code.DEAD_GLASS:
            return tr(
                "Not a legal move: {player}'s glass has run out and may not be moved any more.", player=owner
            )
        case rulings.Code.NOT_TURNED:
            return tr(
                "Not a finished move: {player}'s glass was not turned over on the way to {tube}.",
                player=owner,
                tube=tube,
            )
        case rulings.Code.TURNED_IN_PLACE:
            return tr("{Player}'s glass on {tube} was turned over without being moved.", player=owner, tube=tube)
        case rulings.Code.ALREADY_MOVED if violation.ground is rulings.Ground.MUST_PLACE:
            return tr("Not a legal move: {player} places all three glasses before one is moved.", player=owner)
        case rulings.Code.ALREADY_MOVED:
            return tr(
                "Not a legal move: {player} has moved that glass and must first move each of the others once.",
                player=owner,
            )
        case rulings.Code.NOT_ADJACENT:
            return _not_adjacent(violation)
        case rulings.Code.TWO_GLASSES:
            return tr("{Player} has lifted a second glass, from {tube}.", player=owner, tube=tube)
        case rulings.Code.RING_WRONG_TUBE if violation.ground is rulings.Ground.UNCOUNTED:
            return tr("A ring lies on {tube} that counts no more.", tube=tube)
        case rulings.Code.RING_WRONG_TUBE:
            return tr("The new ring on {tube} does not count: nobody may drop one there now.", tube=tube)
        case rulings.Code.RING_TOO_MANY:
            return tr("The new ring on {tube} does not count: the ring of that move is there already.", tube=tube)
        case rulings.Code.RING_TOO_LATE:
            return tr("The new ring on {tube} does not count: it came too late.", tube=tube)
        case rulings.Code.RING_REMOVED:
            return tr("A ring that counts was taken off {tube}.", tube=tube)
        case rulings.Code.TIMER_RUNNING:
            return tr("The 15-second timer was turned over before it had run out.")
        case rulings.Code.OUT_OF_PLACE:
            return _out_of_place(violation)
        case _:
            assert_never(code)


def _length(count: int, unit: TimeUnit) -> str:
    """A length of time in seconds, minutes …"""
    match unit:
        case TimeUnit.SECOND:
            return ntr("{count} second", "{count} seconds", count)
        case TimeUnit.MINUTE:
            return ntr("{count} minute", "{count} minutes", count)
        case TimeUnit.DAY:
            return ntr("{count} day", "{count} days", count)
        case TimeUnit.HOUR:
            return ntr("{count} hour", "{count} hours", count)
        case _:
            assert_never(unit)


def _span(span: TimeSpan) -> str:
    """A length of time, known within bounds."""
    most = _length(span.most, span.unit)
    if span.least == span.most:
        return most
    if not span.least:
        return tr("up to {length}", length=most)
    return tr("{least} to {length}", least=span.least, length=most)


def _away(length: str | None) -> str:
    """The time during which nobody watched the board."""
    if length is None:
        return tr("some time")
    span = read_span(length)
    return printable(length) if span is None else _span(span)


def _warning(warned: rulings.Warned) -> str:
    """A warning, as a sentence or two."""
    player, tube = warned.player, warned.tube
    match warned.code:
        case rulings.Caution.EARLY_START if player is None:
            return tr("A player has lifted a glass from {tube} before his turn.", tube=tube)
        case rulings.Caution.EARLY_START:
            return tr("{Player} has lifted a glass from {tube} before his turn.", player=player, tube=tube)
        case rulings.Caution.OVERTIME:
            return tr("{Player} has taken more than 15 seconds for this turn.", player=player)
        case rulings.Caution.LINK_LOST:
            return tr("The board is out of reach; the sand runs on.")
        case rulings.Caution.TIME_AWAY:
            return tr(
                "Nobody watched the board for {length}. The sand ran on; no deadline did.",
                length=_away(warned.detail),
            )
        case rulings.Caution.SENSOR_FAULT:
            return _sensor_fault(warned)
        case _:
            assert_never(warned.code)


def _sensor_fault(warned: rulings.Warned) -> str:
    """A sensor that cannot be trusted; what ails it is a text of the stream, in the words in which it came."""
    tube, detail = warned.tube, warned.detail
    if warned.sensor is None:
        return tr("A glass seems to have left {tube}, where none stood. Check the sensor of {tube}.", tube=tube)
    sensor = sensor_words(warned.sensor)
    if detail is None:
        return printable(tr('The sensor "{sensor}" cannot be trusted.', sensor=sensor))
    if warned.sensor.kind is SensorKind.RING_SIGNALS:
        return printable(tr("Rings may soon be missed: {detail}.", detail=detail))
    return printable(tr('The sensor "{sensor}" cannot be trusted: {detail}.', sensor=sensor, detail=detail))


def question_words(question: rulings.Question) -> str:
    """A question for the arbiter (R5.4, R9.3, R9.8)."""
    match question.about:
        case Player() as player:
            return tr(
                "Has {player} still a glass running, now that {opponent} has none?",
                player=player,
                opponent=player.opponent,
            )
        case None:
            return tr("Whose glass ran out last?")
        case Tube() as tube:
            return tr(
                "Whose glass was put into the full tube {tube}? If it was the player's on move, he has lost.",
                tube=tube,
            )
        case rulings.LateRing(None):
            return tr("Are there rings on tubes that cannot be read?")
        case rulings.LateRing(tube):
            return tr("Whose is the ring on {tube}? Both could have dropped it unseen.", tube=tube)
        case str(text):
            return printable(text)
        case _:
            assert_never(question.about)


def _setup(problems: Sequence[rulings.Correction]) -> str:
    """The board before the start: ready, or the orders that make it so."""
    if not problems:
        return tr("The board is ready.")
    return tr("The board is not ready: {orders}.", orders=joined(orders(problems, setup=True)))


def _ring(ruling: rulings.RingCounted) -> str:
    """A ring that counts."""
    player, tube = ruling.player, ruling.tube
    left = tr("{left} left", left=ruling.left) if ruling.left else tr("none left")
    match ruling.kind:
        case RingKind.MOVE:
            return tr("{Player}'s ring on {tube} counts; {left}.", player=player, tube=tube, left=left)
        case RingKind.CLAIM:
            return tr(
                "{Player} claims {tube}: the ring there is {player}'s; {left}.",
                player=player,
                tube=tube,
                left=left,
            )
        case RingKind.PENALTY:
            return tr("{Player}'s penalty ring on {tube} counts; {left}.", player=player, tube=tube, left=left)
        case _:
            assert_never(ruling.kind)


def _move(ruling: rulings.Moved) -> str:
    """A finished move."""
    player, origin, to = ruling.player, ruling.from_tube, ruling.to
    if origin is None and ruling.late:
        return tr("{Player} places a glass on {to}, late.", player=player, to=to)
    if origin is None:
        return tr("{Player} places a glass on {to}.", player=player, to=to)
    if ruling.late:
        return tr("{Player} finishes a late move {origin}→{to}.", player=player, origin=origin, to=to)
    return tr("{Player} moves {origin}→{to}.", player=player, origin=origin, to=to)


def reason_words(over: rulings.GameOver) -> str:
    """The reason why a game ended."""
    loser = None if over.winner is None else over.winner.opponent
    match over.reason:
        case rulings.Reason.FULL_TUBE if loser is None:
            return tr("a player seated a glass in a full tube")
        case rulings.Reason.FULL_TUBE:
            return tr("{player} seated a glass in a full tube", player=loser)
        case rulings.Reason.FEWEST_RINGS if over.by_repetition:
            return tr("fewest rings left, and the position stands for the third time")
        case rulings.Reason.FEWEST_RINGS:
            return tr("fewest rings left")
        case rulings.Reason.TIE if over.by_sand:
            return tr("equal rings, and the sand does not decide")
        case rulings.Reason.TIE if over.by_repetition:
            return tr("equal rings, and the position stands for the third time")
        case rulings.Reason.TIE:
            return tr("equal rings")
        case rulings.Reason.LAST_GLASS:
            return tr("equal rings, and the last glass running")
        case rulings.Reason.RESIGNED if loser is None:
            return tr("a player resigned")
        case rulings.Reason.RESIGNED:
            return tr("{player} resigned", player=loser)
        case rulings.Reason.AWARDED:
            return tr("awarded by the arbiter")
        case rulings.Reason.ABANDONED:
            return tr("abandoned")
        case _:
            assert_never(over.reason)


def _result(over: rulings.GameOver) -> str:
    """The result: the winner, the reason, and the rings left."""
    reason, red, black = reason_words(over), over.rings_left[Player.RED], over.rings_left[Player.BLACK]
    if over.winner is not None:
        return tr(
            "{Player} wins: {reason} (rings left: red {red}, black {black}).",
            player=over.winner,
            reason=reason,
            red=red,
            black=black,
        )
    if over.reason is rulings.Reason.ABANDONED:
        return tr(
            "No result: {reason} (rings left: red {red}, black {black}).", reason=reason, red=red, black=black
        )
    return tr("A tie: {reason} (rings left: red {red}, black {black}).", reason=reason, red=red, black=black)


def said(ruling: rulings.Ruling) -> str:
    """A ruling in plain words on one line, without its clause: ``Red moves D1→D2.``."""
    match ruling:
        case rulings.Setup(problems=problems):
            return _setup(problems)
        case rulings.Started(level=level, turn=turn):
            return tr("The game begins, at level {level}. {Player} plays first.", level=level, player=turn)
        case rulings.Turn(player=player, number=number):
            return tr("Turn {number}: {player} to move.", number=number, player=player)
        case rulings.MoveStarted(player=player, tube=tube):
            return tr("{Player} lifts the glass on {tube}.", player=player, tube=tube)
        case rulings.Moved():
            return _move(ruling)
        case rulings.RingCounted():
            return _ring(ruling)
        case rulings.Uncounted(player=player, tube=tube, left=left):
            return tr(
                "{Player}'s ring on {tube} was never dropped and counts no more; {left} left.",
                player=player,
                tube=tube,
                left=left,
            )
        case rulings.Passed(player=player):
            return tr("{Player} has no legal move and passes.", player=player)
        case rulings.GlassLost(player=player, tube=tube):
            return tr(
                "{Player}'s glass on {tube} has run out: it stays there and is moved no more.",
                player=player,
                tube=tube,
            )
        case rulings.GlassDoubtful(player=player, tube=tube):
            return tr("{Player}'s glass on {tube} may have run out.", player=player, tube=tube)
        case rulings.TimerStarted(against=against, deadline=deadline):
            return tr(
                "The 15-second timer runs against {player}, until {time}.", player=against, time=clock(deadline)
            )
        case rulings.TimerExpired(against=against, started=True):
            return tr("Time is up: {player} is late with the move that was started.", player=against)
        case rulings.TimerExpired(against=against):
            return tr("Time is up: {player} had not started a move.", player=against)
        case rulings.Forfeit(player=player):
            return tr("{Player} loses this turn.", player=player)
        case rulings.Penalty():
            return _penalty(ruling)
        case rulings.Skip(player=player):
            return tr("{Player}'s turn is skipped.", player=player)
        case rulings.Violation():
            return _fault(ruling) + "".join(f" {capital(order)}." for order in orders(ruling.restore))
        case rulings.Restored():
            return tr("That has been put right.")
        case rulings.Warned():
            return _warning(ruling)
        case rulings.ArbiterNeeded(question=question):
            return tr("A question for the arbiter: {question}", question=question_words(question))
        case rulings.GameOver():
            return _result(ruling)
        case _:
            assert_never(ruling)


def say(ruling: rulings.Ruling) -> str:
    """A ruling in plain words on one line, its clause at the end: ``Red moves D1→D2. (R2.1)``."""
    return f"{said(ruling)} ({ruling.rule})"


#: The marks of rulings, in lists and on strips.
_MARKS: Final[dict[type[rulings.Ruling | Arbiter | Link], str]] = {
    **dict.fromkeys((rulings.Violation, rulings.Forfeit), "wrong"),
    **dict.fromkeys((Arbiter, rulings.ArbiterNeeded, rulings.GlassDoubtful, rulings.Uncounted), "doubt"),
    **dict.fromkeys((rulings.GlassLost, rulings.TimerExpired, rulings.Penalty, rulings.Passed), "loss"),
    **dict.fromkeys((rulings.Started, rulings.GameOver, rulings.Warned, Link), "news"),
    rulings.Moved: "move",
}


def mark_of(what: rulings.Ruling | Arbiter | Link) -> str:
    """The mark of a ruling: ``wrong``, ``doubt``, ``loss``, ``news`` or ``move``; empty for one that has none."""
    if isinstance(what, rulings.RingCounted) and what.kind is not RingKind.MOVE:
        return "news"
    return _MARKS.get(type(what), "")


def is_routine(what: rulings.Ruling | Arbiter | Link) -> bool:
    """The list of moves has it, or nobody needs it: a list of what matters leaves it out."""
    return mark_of(what) in ("", "move") and not isinstance(what, rulings.Restored)


def short_clock(t: float) -> str:
    """A time in seconds as ``mm:ss``, whole seconds that have passed; minutes count past 59."""
    return f"{int(t) // 60:02}:{int(t) % 60:02}"


def line(ruling: rulings.Ruling) -> str:
    """A ruling with its time, as `tamsk-hw replay` prints it: ``00:12.345  Red moves D1→D2. (R2.1)``."""
    return f"{clock(ruling.t)}  {say(ruling)}"


#: News beside which nothing is said of tubes that cannot be read.
_ALONE = frozenset({HeadlineKind.OFFERED, HeadlineKind.OVER, HeadlineKind.LINK_LOST, HeadlineKind.QUESTION})

#: Blind tubes that are named; more are counted.
_NAMED_TUBES = 4


def headline(diagnosis: Diagnosis) -> str:
    """The one line with what matters now; it names no clause unless the game is over."""
    unread = {} if diagnosis.headline.news in _ALONE else diagnosis.unread
    return " ".join([_news(diagnosis), *(_unread(*each) for each in unread.items())])


def _unread(sensor: SensorId, tubes: frozenset[Tube]) -> str:
    """Tubes whose rings cannot be read for this sensor's sake, and what to do (R9.8)."""
    names = ", ".join(tube.name for tube in sorted(tubes))
    if len(tubes) > _NAMED_TUBES:
        names = ntr("{count} tube", "{count} tubes", len(tubes))
    if sensor.kind is SensorKind.RING_LIGHT:
        return tr("Light hides the rings of {tubes}: shade the board.", tubes=names)
    if sensor.kind is SensorKind.RING_SIGNALS:
        return tr("The rings of {tubes} are not seen clearly: clean the windows of their sensors.", tubes=names)
    of = sensor_words(sensor)
    return tr('The rings of {tubes} are not read: see to the sensor "{sensor}".', tubes=names, sensor=of)


def _news(diagnosis: Diagnosis) -> str:
    """The sentence of what matters most."""
    news = diagnosis.headline
    match news.news:
        case HeadlineKind.OFFERED:
            return offered_words(diagnosis.ways)
        case HeadlineKind.OVER:
            assert news.over is not None
            return say(news.over)
        case HeadlineKind.LINK_LOST if diagnosis.ways.simulated:
            return tr("The simulated board is not heard: this computer may be too busy. The sand runs on.")
        case HeadlineKind.LINK_LOST:
            return tr("The board is out of reach: check its cable. The sand runs on.")
        case HeadlineKind.QUESTION:
            assert news.question is not None
            question = question_words(news.question)
            if diagnosis.ways.keys:
                return tr("Arbiter, press a: {question}", question=question)
            return tr("For the arbiter: {question}", question=question)
        case HeadlineKind.SETUP:
            return _set_up(orders(news.corrections, setup=True))
        case HeadlineKind.READY:
            return ready_words(diagnosis.ways)
        case HeadlineKind.PUT_RIGHT:
            return _put_right(orders(news.corrections))
        case HeadlineKind.PAUSED if diagnosis.ways.simulated:
            return tr("Paused: sand and clocks stand still.")
        case HeadlineKind.PAUSED:
            return tr("Paused: only the sand runs on. Glasses may be laid on their sides.")
        case HeadlineKind.SAND:
            return tr("Equal rings: the sand decides. Let the glasses run.")
        case HeadlineKind.ADVICE:
            assert diagnosis.advice is not None
            return advice_words(diagnosis.advice)
        case HeadlineKind.LAST_RIGHTS:
            return tr("Nobody can move any more; the last rings may be dropped.")
        case HeadlineKind.TO_MOVE:
            return tr("{Player} to move.", player=news.player)
        case HeadlineKind.MOVING:
            return tr("{Player} is moving.", player=news.player)
        case _:
            assert_never(news.news)


def set_up_words(listed: Sequence[str]) -> str:
    """The orders that set up the board, in one line."""
    return tr("Set up the board: {orders}.", orders=joined(listed))


def _set_up(listed: Sequence[str]) -> str:
    """The first few orders of the set-up, and the number of the others."""
    first, more = listed[:_HEADLINE_MENDS], len(listed) - _HEADLINE_MENDS
    if more <= 0:
        return set_up_words(first)
    return tr("Set up the board: {orders} … and {more} more.", orders=joined(first), more=more)


def _put_right(listed: Sequence[str]) -> str:
    """The first few orders that put things right, and the number of the others."""
    first, more = joined(listed[:_HEADLINE_MENDS]), len(listed) - _HEADLINE_MENDS
    if more <= 0:
        return tr("Put right: {orders}.", orders=first)
    return tr("Put right: {orders} … and {more} more.", orders=first, more=more)
