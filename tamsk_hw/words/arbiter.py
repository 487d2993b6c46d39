"""Words of the arbiter's page.

The state of a game in words, for whoever cannot see the drawing: all of it, and each thing on the board.

The words of the arbiter's desk: its headings, buttons and answers, and what it refuses.
"""

from __future__ import annotations

from typing import assert_never

from tamsk_hw.facts.refusals import DeskRefusal
from tamsk_hw.game.tubes import CAPACITY, Player, Tube
from tamsk_hw.panel.diagnosis import Asks, Confirmation, Diagnosis, Holds, TimerSign, TubeSign, Ways, whole_seconds
from tamsk_hw.partner.intention import PARTNER_NAMES
from tamsk_hw.referee.events import Action, Arbiter, Button, ButtonName, Press
from tamsk_hw.referee.rulings import FullTubeEntered, LastGlass, Question, RecordedQuestion, StillRunning
from tamsk_hw.referee.view import GlassState, GlassView, View
from tamsk_hw.words.archive import no_stream_words, too_large_words
from tamsk_hw.words.prompts import decision_words, orders, prompt_words
from tamsk_hw.words.rulings import headline
from tamsk_hw.words.translating import capital, ntr, tr, tr_in


def rings_left_words(count: int) -> str:
    """The caption beside the number ``count`` of a player's rings."""
    return ntr("ring left", "rings left", count)


def out_of_reach_words() -> str:
    """The words across a board that cannot be reached."""
    return tr_in("across the board", "board out of reach")


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
    words = ntr(
        "{tube}: {seen} of {count} ring", "{tube}: {seen} of {count} rings", CAPACITY[tube], tube=tube, seen=seen
    )
    if sign.holds is Holds.FULL:
        words = tr("{tube}, full", tube=words)
    elif sign.holds is Holds.DESTINATION:
        words = tr("{tube}, the glass may go here", tube=words)
    return _asking(words, sign)


def _asking(tube: str, sign: TubeSign) -> str:
    """The words of a tube, with its request to the players."""
    match sign.asks:
        case None:
            return tube
        case Asks.TAKE_AWAY:
            return tr("{tube}, take the glass away", tube=tube)
        case Asks.SET_UPRIGHT:
            return tr("{tube}, set the glass upright", tube=tube)
        case Asks.TURN_OVER:
            return tr("{tube}, turn the glass over", tube=tube)
        case Asks.BELONGS if sign.asked is None:
            return tr("{tube}, a glass belongs here", tube=tube)
        case Asks.BELONGS:
            return tr("{tube}, a {player} glass belongs here", tube=tube, player=sign.asked)
        case Asks.RING_OFF:
            return tr("{tube}, too many rings", tube=tube)
        case Asks.RING_BACK:
            return tr("{tube}, a ring is missing", tube=tube)
        case Asks.CARRY:
            return tr("{tube}, carry this glass", tube=tube)
        case Asks.PUT_HERE if sign.ring:
            return tr("{tube}, put the glass here, then drop its ring", tube=tube)
        case Asks.PUT_HERE:
            return tr("{tube}, put the glass here", tube=tube)
        case Asks.PUT_HERE_TURNED if sign.ring:
            return tr("{tube}, put the glass here, turned over, then drop its ring", tube=tube)
        case Asks.PUT_HERE_TURNED:
            return tr("{tube}, put the glass here, turned over", tube=tube)
        case Asks.DROP_RING:
            return tr("{tube}, drop a ring here", tube=tube)
        case Asks.RING_OPEN:
            return tr("{tube}, a ring may be dropped", tube=tube)
        case _:
            assert_never(sign.asks)


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
    """The state of a game in sentences: what matters now, rings left, each glass, what is to be put right."""
    red, black = (_left_words(player, view.left[player]) for player in (Player.RED, Player.BLACK))
    sentences = [headline(diagnosis).rstrip("."), tr("Rings left: {red}, {black}", red=red, black=black)]
    if diagnosis.timer is not None:
        sentences.append(timer_words(diagnosis.timer))
    sentences += [capital(glass_words(glass)) for glass in view.glasses]
    if view.over is None:
        sentences += [capital(order) for order in orders(view.wrong, setup=view.number == 0)]
    if view.full:
        sentences.append(tr("Full: {tubes}", tubes=", ".join(tube.name for tube in sorted(view.full))))
    return "".join(f"{sentence}. " for sentence in sentences).rstrip()


def _left_words(player: Player, count: int) -> str:
    """A player with the number of his rings."""
    return ntr("{player} {count} ring", "{player} {count} rings", count, player=player)


def desk_texts() -> dict[str, str]:
    """The texts that the desk's templates name."""
    return {
        "desk": tr("Arbiter's desk"),
        "sign_in": tr("Sign in"),
        "sign_out": tr("Sign out"),
        "token": tr("Token"),
        "token_hint": tr("tamsk-hw web token, on the computer of the page, makes one and shows it as a QR code."),
        "no_token": tr("There is no token yet."),
        "question": tr("A question"),
        "cancel": tr("No, go back"),
        "game": tr("Game"),
        "players": tr("For a player"),
        "tube": tr("Tube"),
        "tube_hint": tr("Tap the board, or choose here."),
        "tube_gone": tr("{tube}: nothing to decide there any more", tube="{}"),
        "show": tr("Show"),
        "nothing_there": tr("There is nothing to decide there."),
        "glasses": tr("Glasses"),
        "end": tr("End the game"),
        "set_up": set_up_label(),
        "set_up_next": tr("Set up the next game"),
        "names": tr("Names"),
        "red_name": tr("{Player}'s name", player=Player.RED),
        "black_name": tr("{Player}'s name", player=Player.BLACK),
        "programs": tr("The program plays whoever is named {names}.", names=", ".join(PARTNER_NAMES)),
        "lot": tr("Draw the colours by lot"),
        "save": tr("Set up"),
        "save_names": names_label(),
        "no_longer": tr("That is not possible any more."),
        "gone": tr("The service is gone; nothing can be decided until it is back."),
    }


def form_choices() -> tuple[tuple[str, str, dict[str, str]], ...]:
    """The choices of the form by which a game is set up: each its key, its label, and its values with theirs."""
    levels = {"1": tr("1: without sand"), "2": tr("2: with sand"), "3": tr("3: with the 15-second timer")}
    starts = {"corners": tr("in the corners"), "free": tr("free: placed one by one")}
    penalties = {"two_rings": tr("the opponent drops two rings"), "lose_turn": tr("the next turn is lost")}
    forfeits = {"yes": tr("has that penalty, too"), "no": tr("has no other penalty")}
    return (
        ("level", tr("Level"), levels),
        ("start", tr("Start of the glasses"), starts),
        ("late_penalty", tr("Penalty for lateness"), penalties),
        ("forfeit_penalised", tr("A turn lost by the timer"), forfeits),
    )


def desk_refusal_words(why: DeskRefusal) -> str:
    """The sentence for the person who asked."""
    match why:
        case DeskRefusal.WRONG_TOKEN:
            return tr("That token is wrong, or a newer one has been made.")
        case DeskRefusal.NOT_SIGNED_IN:
            return tr("You are not signed in, or no longer: sign in again.")
        case DeskRefusal.TOO_OFTEN:
            return tr("Too many attempts; wait a minute.")
        case DeskRefusal.FOREIGN:
            return tr(
                "Only this page's own forms may ask for that. A proxy in front of the page must pass on the "
                "header Host as the browser sends it, with the port."
            )
        case DeskRefusal.OTHER_FORM:
            return tr("That is neither a form nor JSON.")
        case DeskRefusal.TOO_LARGE:
            return tr("That is too large.")
        case DeskRefusal.FILE_TOO_LARGE:
            return too_large_words()
        case DeskRefusal.NO_FILE:
            return no_stream_words()
        case DeskRefusal.MALFORMED:
            return tr("That is not understood.")
        case DeskRefusal.STALE:
            return tr("The page was too old for that; look at the desk and press again.")
        case DeskRefusal.UNREACHABLE:
            return tr("The service does not answer; nothing was changed.")
        case DeskRefusal.UNSURE:
            return tr("The service has not answered; look at the board before you try again.")
        case DeskRefusal.OTHER_GAME:
            return tr("Another game is on the board by now; nothing was changed.")
        case DeskRefusal.NOT_ASKED:
            return tr("That is not asked any more; nothing was changed.")
        case DeskRefusal.NO_SEAT:
            return tr("You have no seat here, or the page was started again since: scan a seat's QR code.")
        case DeskRefusal.OTHER_SEAT:
            return tr("That is for the other player's hands; you have yours only.")
        case DeskRefusal.DEAD_SEAT:
            return tr(
                "This seat's link is not whole, or holds no longer, as the page was started again. Scan the "
                "new QR code: tamsk-hw play prints it, and the table on the board's own computer shows it."
            )
        case DeskRefusal.NOT_BY_HAND:
            return tr("Players do no such thing here; tamsk-hw hands breaks and repairs parts.")
        case _:
            assert_never(why)


# Labels of buttons.


def resume_label() -> str:
    """Resume an offered game."""
    return tr("Resume the unfinished game")


def abandon_offered_label() -> str:
    """Abandon an offered game."""
    return tr("Abandon the unfinished game")


def next_label() -> str:
    """Set up the next game."""
    return tr("Next game")


def rematch_label() -> str:
    """Set up the next game with colours swapped."""
    return tr("Rematch, colours swapped")


def set_up_label() -> str:
    """Set up a game by the form."""
    return tr("Set up a game")


def names_label() -> str:
    """Change the names alone."""
    return tr("Change the names")


def press_label(button: Button) -> str:
    """The label of a button that presses one of the board's."""
    match button:
        case Button(button=ButtonName.START):
            return tr("Start the game")
        case Button(button=ButtonName.RED, press=Press.SHORT):
            return tr("{Player} claims", player=Player.RED)
        case Button(button=ButtonName.BLACK, press=Press.SHORT):
            return tr("{Player} claims", player=Player.BLACK)
        case Button(button=ButtonName.RED):
            return tr("{Player} resigns", player=Player.RED)
        case Button(button=ButtonName.BLACK):
            return tr("{Player} resigns", player=Player.BLACK)
        case _:
            raise AssertionError(button)


def decision_label(decision: Arbiter) -> str:
    """The label of a button that decides."""
    return capital(decision_words(decision))


def answer_label(answer: Arbiter, question: Question) -> str:
    """The label of a button that answers the question, with what follows from it."""
    decision = decision_words(answer)
    match question, answer.action:
        case FullTubeEntered(), Action.AWARD if answer.player is not None:
            return tr("{Player}'s: {decision}", player=answer.player.opponent, decision=decision)
        case StillRunning(), Action.AWARD:
            return tr("Yes: {decision}", decision=decision)
        case StillRunning(), Action.EXPIRE:
            return tr("No: {decision}", decision=decision)
        case LastGlass(), Action.AWARD:
            return tr("{Player}'s: {decision}", player=answer.player, decision=decision)
        case RecordedQuestion() | FullTubeEntered() | StillRunning() | LastGlass(), _:
            return capital(decision)
        case _:
            assert_never(question)


def confirm_label(label: str) -> str:
    """The label of the button that confirms what another one stands for."""
    return tr("Yes: {decision}", decision=label)


# What is shown and answered.


def otherwise_words() -> str:
    """What helps when none of the answers to a question holds."""
    return tr("If it is not so, put the board right; the game goes on.")


def confirmation_words(asked: Confirmation, view: View) -> str:
    """The question before something is done that takes something away; it says what happens."""
    words = prompt_words(asked, view, Ways())
    return " ".join((words.title, *words.lines))


def tube_label(tube: Tube, glass: GlassView | None, rings: int) -> str:
    """A tube in the list of those about which something can be decided."""
    parts = [tube.name]
    if glass is not None:
        parts.append(tr("{player}'s glass", player=glass.owner))
    if rings:
        parts.append(ntr("{count} ring", "{count} rings", rings))
    return " · ".join(parts)


def glass_line(glass: GlassView) -> str:
    """A glass of the chosen tube, with its sand."""
    return f"{capital(glass_words(glass))}."


def rings_line(counted: int, seen: int) -> str:
    """The rings of the chosen tube."""
    if seen == counted:
        return ntr("{count} ring counts.", "{count} rings count.", counted)
    return ntr(
        "{count} ring counts; {seen} lie there.", "{count} rings count; {seen} lie there.", counted, seen=seen
    )


def drawn_words(red: str | None, black: str | None) -> str:
    """The result of the lot."""
    nobody = tr("nobody named")
    return tr(
        "The lot: {red} has red, {black} has black. The game is set up.", red=red or nobody, black=black or nobody
    )


def set_up_words() -> str:
    """A game was set up."""
    return tr("The game is set up.")


def names_changed_words() -> str:
    """The names alone were changed."""
    return tr("The names are changed.")


def done_words(label: str) -> str:
    """Something was done."""
    return tr("Done: {label}.", label=label)


def refused_words(label: str, why: str) -> str:
    """Something was refused, and why."""
    return tr("Refused: {label}. {why}", label=label, why=why)


def form_refused_words(detail: str) -> str:
    """A form that no desk has sent; ``detail`` is its wrong field."""
    return tr("That is not understood. The wrong field: {detail}.", detail=detail)
