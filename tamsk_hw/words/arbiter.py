"""The words of the arbiter's desk: questions and answers, what is at a tube, and the game without a picture."""

from typing import Final, assert_never

from tamsk_hw.game.tubes import PLAYERS, Player, Tube
from tamsk_hw.panel.diagnosis import (
    Confirmation,
    Diagnosis,
    InputMethods,
    TimerSign,
    TubeRequest,
    TubeSign,
    TubeState,
    whole_seconds,
)
from tamsk_hw.referee.events import Action, Arbiter
from tamsk_hw.referee.rulings import Question
from tamsk_hw.referee.view import GlassState, GlassView, View
from tamsk_hw.system.output import marked
from tamsk_hw.words.prompts import decision_words, orders, prompt_words
from tamsk_hw.words.rulings import headline
from tamsk_hw.words.table import place_label
from tamsk_hw.words.translating import capital, ntr, tr, tr_in, worded


def glass_words(glass: GlassView) -> str:
    """A glass: whose, where, and its sand: ``red's glass on D4, 80 to 90 s left``.

    Of bounds that are nearly equal the lower one is said, as it is shown.
    """
    place = _place_words(glass)
    low, high = (whole_seconds(each) for each in glass.seconds)
    match glass.state:
        case GlassState.RUNNING if high - low <= 1:
            return tr("{glass}, {seconds} s left", glass=place, seconds=low)
        case GlassState.RUNNING:
            return tr("{glass}, {low} to {high} s left", glass=place, low=low, high=high)
        case GlassState.DOUBTFUL:
            return tr("{glass}, may have run out, at most {seconds} s left", glass=place, seconds=high)
        case GlassState.LOST:
            return tr("{glass}, has run out", glass=place)
        case GlassState.UNSTARTED:
            return tr("{glass}, not started", glass=place)
        case GlassState.NO_SAND:
            return place
        case _:
            assert_never(glass.state)


def sand_words(glass: GlassView) -> str:
    """The seconds that a glass has left, as a clock shows them: ``42``, or ``38–46`` where they are in doubt.

    A page counts them down by the same rule (`countDown` in `now.js`).
    """
    low, high = (whole_seconds(each) for each in glass.seconds)
    match glass.state:
        case GlassState.RUNNING | GlassState.DOUBTFUL:
            return f"{low}" if high - low <= 1 else f"{low}–{high}"
        case GlassState.LOST:
            return tr_in("a glass", "lost")
        case GlassState.UNSTARTED:
            return tr_in("a glass", "new")
        case GlassState.NO_SAND:
            return ""
        case _:
            assert_never(glass.state)


def _place_words(glass: GlassView) -> str:
    """A glass, whose and where."""
    if glass.standing is None:
        return tr("{player}'s glass in the hand, from {tube}", player=glass.owner, tube=glass.tube)
    if glass.standing is glass.tube:
        return tr("{player}'s glass on {tube}", player=glass.owner, tube=glass.tube)
    return tr(
        "{player}'s glass on {standing}, belongs on {tube}",
        player=glass.owner,
        standing=glass.standing,
        tube=glass.tube,
    )


def tube_words(tube: Tube, sign: TubeSign, seen: int) -> str:
    """A tube with what lies round it, ``seen`` rings, and what it asks: ``D4: 1 of 4 rings``."""
    words = place_label(tube, seen, None, leans=False)
    if sign.holds is TubeState.FULL:
        words = tr("{tube}, full", tube=words)
    elif sign.holds is TubeState.DESTINATION:
        words = tr("{tube}, the glass may go here", tube=words)
    if sign.blind:
        words = tr("{tube}, its rings are not read", tube=words)
    return _asking(words, sign)


#: Requests of a tube to the players; those with True, where a ring follows.
_ASKING: Final = {
    (TubeRequest.TAKE_AWAY, False): marked("{tube}, take the glass away"),
    (TubeRequest.SET_UPRIGHT, False): marked("{tube}, set the glass upright"),
    (TubeRequest.TURN_OVER, False): marked("{tube}, turn the glass over"),
    (TubeRequest.BELONGS, False): marked("{tube}, a {player} glass belongs here"),
    (TubeRequest.RING_OFF, False): marked("{tube}, too many rings"),
    (TubeRequest.RING_BACK, False): marked("{tube}, a ring is missing"),
    (TubeRequest.CARRY, False): marked("{tube}, carry this glass"),
    (TubeRequest.PUT_HERE, False): marked("{tube}, put the glass here"),
    (TubeRequest.PUT_HERE, True): marked("{tube}, put the glass here, then drop its ring"),
    (TubeRequest.PUT_HERE_TURNED, False): marked("{tube}, put the glass here, turned over"),
    (TubeRequest.PUT_HERE_TURNED, True): marked("{tube}, put the glass here, turned over, then drop its ring"),
    (TubeRequest.DROP_RING, False): marked("{tube}, drop a ring here"),
    (TubeRequest.RING_OPEN, False): marked("{tube}, a ring may be dropped"),
}


def _asking(tube: str, sign: TubeSign) -> str:
    """The words of a tube, with its request to the players."""
    if sign.asks is None:
        return tube
    if sign.asks is TubeRequest.BELONGS and sign.asked is None:
        return tr("{tube}, a glass belongs here", tube=tube)
    drops = sign.ring and sign.asks in (TubeRequest.PUT_HERE, TubeRequest.PUT_HERE_TURNED)
    return worded(_ASKING[sign.asks, drops], tube=tube, player=sign.asked)


def timer_words(timer: TimerSign) -> str:
    """The 15-second timer."""
    return tr(
        "15 seconds for {player}: {seconds} s left", player=timer.against, seconds=whole_seconds(timer.seconds)
    )


def drawing_title(view: View) -> str:
    """The state of a game in a few words."""
    if view.number:
        return tr("TAMSK, level {level}, turn {number}", level=view.level, number=view.number)
    return tr("TAMSK, level {level}", level=view.level)


def drawing_description(view: View, diagnosis: Diagnosis) -> str:
    """The state of a game in sentences: what matters now, rings left, each glass, what must be put right."""
    red, black = (
        ntr("{player} {count} ring", "{player} {count} rings", view.left[each], player=each) for each in PLAYERS
    )
    sentences = [headline(diagnosis).rstrip("."), tr("Rings left: {red}, {black}", red=red, black=black)]
    if diagnosis.timer is not None:
        sentences.append(timer_words(diagnosis.timer))
    sentences += [capital(glass_words(glass)) for glass in view.glasses]
    if view.over is None:
        sentences += [capital(order) for order in orders(view.wrong, setup=view.number == 0)]
    if view.full:
        sentences.append(tr("Full: {tubes}", tubes=", ".join(tube.name for tube in sorted(view.full))))
    return "".join(f"{sentence}. " for sentence in sentences).rstrip()


def answer_label(answer: Arbiter, question: Question) -> str:
    """The label of a button that answers the question, with what follows from it."""
    decision = decision_words(answer)
    match question.about, answer.action:
        case Tube(), Action.AWARD if answer.player is not None:
            return tr("{Player}'s: {decision}", player=answer.player.opponent, decision=decision)
        case Player(), Action.AWARD:
            return tr("Yes: {decision}", decision=decision)
        case Player(), Action.EXPIRE:
            return tr("No: {decision}", decision=decision)
        case None, Action.AWARD:
            return tr("{Player}'s: {decision}", player=answer.player, decision=decision)
        case _:
            return capital(decision)


def confirmation_words(asked: Confirmation, view: View) -> str:
    """The question before something is done that takes something away; it says what happens."""
    words = prompt_words(asked, view, InputMethods())
    return " ".join((words.title, *words.lines))


def tube_label(tube: Tube, view: View) -> str:
    """A tube in the list of those about which something can be decided."""
    parts = [tube.name]
    parts += [tr("{player}'s glass", player=glass.owner) for glass in view.glasses if glass.tube is tube][-1:]
    if view.rings[tube]:
        parts.append(ntr("{count} ring", "{count} rings", view.rings[tube]))
    return " · ".join(parts)
