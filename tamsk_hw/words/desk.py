"""The words of the arbiter's desk: its headings, buttons and answers, and what it refuses."""

from __future__ import annotations

from typing import Final, assert_never

from tamsk_hw.game.tubes import Tube
from tamsk_hw.panel.prompts import Confirmation, Ways
from tamsk_hw.referee.events import Action, Arbiter, Button, ButtonName, Press
from tamsk_hw.referee.questions import FullTubeEntered, LastGlass, Question, RecordedQuestion, StillRunning
from tamsk_hw.referee.view import GlassView, View
from tamsk_hw.words.board_state import glass_words
from tamsk_hw.words.prompts import prompt_words
from tamsk_hw.words.sentences import capital

DESK: Final = "Arbiter's desk"
ANSWERS: Final = "Answers"
SIGN_IN: Final = "Sign in"
SIGN_OUT: Final = "Sign out"
TOKEN: Final = "Token"
TOKEN_HINT: Final = "tamsk-hw web token, on the computer of the page, makes one and shows it as a QR code."
NO_TOKEN: Final = "There is no token yet."
QUESTION: Final = "A question"
OTHERWISE: Final = "If it is not so, put the board right; the game goes on."
CONFIRM: Final = "Sure?"
YES: Final = "Yes"
CANCEL: Final = "No, go back"
GAME: Final = "Game"
RESUME: Final = "Resume the unfinished game"
ABANDON_OFFERED: Final = "Abandon the unfinished game"
NEXT: Final = "Next game"
REMATCH: Final = "Rematch, colours swapped"
PLAYERS_TITLE: Final = "For a player"
TUBE: Final = "Tube"
TUBE_HINT: Final = "Tap the board, or choose here."
SHOW: Final = "Show"
NOTHING_THERE: Final = "There is nothing to decide there."
GLASSES: Final = "Glasses"
RINGS: Final = "Rings"
END: Final = "End the game"
SET_UP: Final = "Set up a game"
SET_UP_NEXT: Final = "Set up the next game"
NAMES: Final = "Names"
LEVEL: Final = "Level"
LEVELS: Final = {"1": "1: without sand", "2": "2: with sand", "3": "3: with the 15-second timer"}
STARTS: Final = {"corners": "in the corners", "free": "free: placed one by one"}
PENALTIES: Final = {"two_rings": "the opponent drops two rings", "lose_turn": "the next turn is lost"}
FORFEITS: Final = {"yes": "has that penalty, too", "no": "has no other penalty"}
START_LABEL: Final = "Start of the glasses"
PENALTY_LABEL: Final = "Penalty for lateness"
FORFEIT_LABEL: Final = "A turn lost by the timer"
RED_NAME: Final = "Red's name"
BLACK_NAME: Final = "Black's name"
FORM_CHOICES: Final = (
    ("level", LEVEL, LEVELS),
    ("start", START_LABEL, STARTS),
    ("late_penalty", PENALTY_LABEL, PENALTIES),
    ("forfeit_penalised", FORFEIT_LABEL, FORFEITS),
)
LOT: Final = "Draw the colours by lot"
SAVE: Final = "Set up"
SAVE_NAMES: Final = "Change the names"

WRONG_TOKEN: Final = "That token is wrong, or a newer one has been made."
NOT_SIGNED_IN: Final = "You are not signed in, or no longer: sign in again."
TOO_OFTEN: Final = "Too many attempts; wait a minute."
FOREIGN: Final = "Only the desk's own pages may ask for that."
OTHER_FORM: Final = "That is neither a form nor JSON."
TOO_LARGE: Final = "That is too large."
MALFORMED: Final = "That is not understood."
STALE: Final = "The page was too old for that; look at the desk and press again."
UNREACHABLE: Final = "The service does not answer; nothing was changed."
GONE: Final = "The service is gone; nothing can be decided until it is back."
UNSURE: Final = "The service has not answered; look at the board before you try again."
NO_LONGER: Final = "That is not possible any more."
OTHER_GAME: Final = "Another game is on the board by now; nothing was changed."
OUT_OF_REACH: Final = "The page does not answer; nothing may have been changed."
NAMES_CHANGED: Final = "The names are changed."


def confirmation_words(asked: Confirmation, view: View) -> str:
    """The question before something is done that takes something away; it says what happens."""
    return prompt_words(asked, view, Ways()).title


def press_words(button: Button) -> str:
    """The label of a button that presses one of the board's."""
    match button:
        case Button(button=ButtonName.START):
            return "Start the game"
        case Button(button=ButtonName.RED, press=Press.SHORT):
            return "Red claims"
        case Button(button=ButtonName.BLACK, press=Press.SHORT):
            return "Black claims"
        case Button(button=ButtonName.RED):
            return "Red resigns"
        case Button(button=ButtonName.BLACK):
            return "Black resigns"
        case _:
            raise AssertionError(button)


def decision_label(decision: Arbiter) -> str:
    """The label of a button that decides."""
    tube = decision.tube
    match decision.action:
        case Action.AWARD:
            return f"{capital(str(decision.player))} wins"
        case Action.ABANDON:
            return "Abandon, without a result"
        case Action.EXPIRE:
            return f"The glass on {tube} has run out"
        case Action.REVIVE:
            return f"The glass on {tube} still runs"
        case Action.RING:
            return f"The last ring on {tube} is {decision.player}'s"
        case Action.UNCOUNT:
            return f"The last ring on {tube} was never dropped"
        case _:
            assert_never(decision.action)


def decided_words(decision: Arbiter) -> str:
    """A decision in the list of rulings."""
    tube = decision.tube
    match decision.action:
        case Action.AWARD:
            return f"The arbiter awards the game to {decision.player}."
        case Action.ABANDON:
            return "The arbiter abandons the game."
        case Action.EXPIRE:
            return f"The arbiter: the glass on {tube} has run out."
        case Action.REVIVE:
            return f"The arbiter: the glass on {tube} still runs."
        case Action.RING:
            return f"The arbiter: the last ring on {tube} is {decision.player}'s."
        case Action.UNCOUNT:
            return f"The arbiter: the last ring on {tube} was never dropped."
        case _:
            assert_never(decision.action)


def answer_words(answer: Arbiter, question: Question) -> str:
    """The label of a button that answers the question, with what follows from it."""
    match question, answer.action:
        case FullTubeEntered(), Action.AWARD if answer.player is not None:
            return f"{capital(str(answer.player.opponent))}'s: {answer.player} wins"
        case StillRunning(), Action.AWARD:
            return f"Yes: {answer.player} wins"
        case StillRunning(), Action.EXPIRE:
            return f"No: the glass on {answer.tube} has run out"
        case LastGlass(), Action.AWARD:
            return f"{capital(str(answer.player))}'s: {answer.player} wins"
        case RecordedQuestion() | FullTubeEntered() | StillRunning() | LastGlass(), _:
            return decision_label(answer)
        case _:
            assert_never(question)


def tube_label(tube: Tube, glass: GlassView | None, rings: int) -> str:
    """A tube in the list of those about which something can be decided."""
    parts = [tube.name]
    if glass is not None:
        parts.append(f"{glass.owner}'s glass")
    if rings:
        parts.append("1 ring" if rings == 1 else f"{rings} rings")
    return " · ".join(parts)


def glass_line(glass: GlassView) -> str:
    """A glass of the chosen tube, with its sand."""
    return f"{capital(glass_words(glass))}."


def rings_line(counted: int, seen: int) -> str:
    """The rings of the chosen tube."""
    lying = "" if seen == counted else f"; {seen} lie there"
    return f"{counted} {'ring counts' if counted == 1 else 'rings count'}{lying}."


def drawn_words(red: str | None, black: str | None) -> str:
    """The result of the lot."""
    return f"The lot: {red or 'nobody named'} has red, {black or 'nobody named'} has black. The game is set up."


def set_up_words() -> str:
    """A game was set up."""
    return "The game is set up."


def done_words(label: str) -> str:
    """Something was done."""
    return f"Done: {label}."


def refused_words(label: str, why: str) -> str:
    """The service refused, and why."""
    return f"Refused: {label}. {why}"
