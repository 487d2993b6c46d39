"""Words for what can be pressed, and for what a terminal asks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, assert_never

from tamsk_hw.game.players import Player
from tamsk_hw.game.tubes import Tube
from tamsk_hw.panel.diagnosis import Diagnosis, News
from tamsk_hw.panel.prompts import (
    ClaimAnnounced,
    Confirmation,
    Decision,
    Deed,
    Idle,
    Idled,
    KeyList,
    Menu,
    Option,
    Prompt,
    Resignation,
    Ways,
)
from tamsk_hw.referee.events import Action, ButtonName
from tamsk_hw.referee.rings import ANNOUNCEMENT_SECONDS
from tamsk_hw.referee.view import View
from tamsk_hw.words.sentences import capital

#: The keys in one line.
KEYS_LINE: Final = "s start · r b claim · R B resign · a arbiter · q end · ? help"

_KEY_LIST: Final = (
    "s or Enter   start, resume, next game, as the start button",
    "r  b         red, black announces a claim",
    "R  B         red, black resigns",
    "a            arbiter: award, abandon, decide on a glass or a ring",
    "q end (Ctrl-C too)   ? these keys   Ctrl-Z suspend",
)

_NOBODY: Final = "enable the buttons in the configuration, or use tamsk-hw run in a terminal, where keys do it"


def press_words(ways: Ways) -> str | None:
    """The imperative for start: "press start"; None where nothing can be pressed."""
    match ButtonName.START in ways.buttons, ways.keys:
        case True, True:
            return "press start, or s here"
        case True, False:
            return "press start"
        case False, True:
            return "press s"
        case _:
            return None


def ready_words(ways: Ways) -> str:
    """The board is ready, and what starts the game."""
    if ways.demo:
        return "The board is ready: the players start the game."
    press = press_words(ways)
    return f"The board is ready{', but nothing here can start it' if press is None else f': {press}'}."


def offered_words(ways: Ways) -> str:
    """An unfinished game is offered, and what answers."""
    match ButtonName.START in ways.buttons, ways.keys:
        case True, True:
            how = ": start (s) resumes it, start held (a) abandons it."
        case True, False:
            how = ": start resumes it, start held abandons it."
        case False, True:
            how = ": s resumes it, a abandons it."
        case _:
            how = ", but nothing here can resume or abandon it."
    return f"A game is unfinished{how}"


def how_words(diagnosis: Diagnosis) -> str | None:
    """The words for the keys or buttons that the game waits for; None when it waits for none."""
    ways = diagnosis.ways
    press = press_words(ways)
    if ways.demo:
        is_over = diagnosis.headline.news is News.OVER
        return "Press s for another game, q to end." if is_over and ways.keys else None
    match diagnosis.headline.news:
        case News.READY:
            return f"Nothing here can start a game: {_NOBODY}." if press is None else f"{capital(press)}."
        case News.OFFERED:
            return f"Nothing here can resume a game: {_NOBODY}." if press is None else offered_words(ways)
        case News.OVER:
            return None if press is None else f"{capital(press)} to set up the next game."
        case News.QUESTION if ways.keys:
            return "Press a to answer as the arbiter."
        case News.QUESTION:
            return "To answer, end this program, use tamsk-hw run in a terminal, resume the game and press a."
        case (
            News.LINK_LOST
            | News.SETUP
            | News.PUT_RIGHT
            | News.SAND
            | News.LAST_RIGHTS
            | News.TO_MOVE
            | News.MOVING
        ):
            return None
        case _:
            assert_never(diagnosis.headline.news)


def how_besides(diagnosis: Diagnosis) -> str | None:
    """The same for people who read the headline: None where that says it."""
    match diagnosis.headline.news:
        case News.READY | News.OFFERED:
            is_said = press_words(diagnosis.ways) is not None
        case News.QUESTION:
            is_said = diagnosis.ways.keys
        case _:
            is_said = False
    return None if is_said else how_words(diagnosis)


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptWords:
    """A prompt in words: ``title``, then ``lines``, of which one may be ``chosen``; ``keys`` answer it."""

    title: str
    lines: tuple[str, ...] = ()
    chosen: int | None = None
    keys: str = ""


def prompt_words(prompt: Prompt, view: View, ways: Ways) -> PromptWords:
    """The words of a terminal's question, or of its answer to the last key."""
    match prompt:
        case KeyList():
            return PromptWords(title="The keys, while no question is asked:", lines=_KEY_LIST)
        case Idled(why):
            return PromptWords(title=_idle(why))
        case ClaimAnnounced(player):
            seconds = f"{ANNOUNCEMENT_SECONDS:g} seconds"
            return PromptWords(title=f"{capital(str(player))} announces a claim: drop the ring within {seconds}.")
        case Confirmation(deed):
            return PromptWords(title=_confirmation(deed, view, ways), keys="y yes · n no")
        case Menu():
            lines = tuple(_option(prompt, option, view) for option in prompt.options)
            keys = "↑ ↓ Enter or number · Esc back"
            return PromptWords(title=_menu(prompt, view), lines=lines, chosen=prompt.chosen, keys=keys)
        case _:
            assert_never(prompt)


def _idle(why: Idle) -> str:
    match why:
        case Idle.UNKNOWN_KEY:
            return "That key does nothing; ? lists the keys."
        case Idle.RUNNING:
            return "The game has begun already; ? lists the keys."
        case Idle.NO_GAME:
            return "No game is being played: nobody can claim or resign."
        case Idle.NOTHING_TO_DECIDE:
            return "No game is being played: there is nothing to decide."
        case Idle.NO_LONGER:
            return "That is not possible any more."
        case _:
            assert_never(why)


def _glass_on(tube: Tube, view: View) -> str:
    """The glass that belongs on a tube."""
    owner = next((glass.owner for glass in view.glasses if glass.tube is tube), None)
    return f"the glass on {tube}" if owner is None else f"{owner}'s glass on {tube}"


def _menu(menu: Menu, view: View) -> str:
    match menu.action:
        case None:
            return "The arbiter decides:"
        case Action.AWARD:
            return "Who wins?"
        case Action.ABANDON:
            return "Abandon the game?"
        case Action.EXPIRE:
            return "Which glass has run out?"
        case Action.REVIVE:
            return "Which glass is still running?"
        case Action.RING:
            return "Which tube's last ring?" if menu.tube is None else f"Whose is the last ring on {menu.tube}?"
        case Action.UNCOUNT:
            return "On which tube does a ring count that was never dropped?"
        case _:
            assert_never(menu.action)


def _option(menu: Menu, option: Option, view: View) -> str:
    match option:
        case Tube():
            return str(option) if menu.action in (Action.RING, Action.UNCOUNT) else _glass_on(option, view)
        case Player():
            return str(option)
        case Action.AWARD:
            return "award the game to a player"
        case Action.ABANDON:
            return "abandon the game, without a result"
        case Action.EXPIRE:
            return "a glass has run out"
        case Action.REVIVE:
            return "a glass that counts as lost is still running"
        case Action.RING:
            return "say whose ring it is"
        case Action.UNCOUNT:
            return "a ring counts that was never dropped"
        case _:
            assert_never(option)


def _confirmation(deed: Decision | Resignation | Deed, view: View, ways: Ways) -> str:
    match deed:
        case Resignation(player):
            return f"{capital(str(player))} resigns, and {player.opponent} wins?"
        case Deed.ABANDON_OFFERED:
            return "Abandon the unfinished game for good?"
        case Deed.END:
            kept = "" if ways.demo else " A game that is not over is offered at the next start."
            return f"End the program?{kept}"
        case Decision(action, tube, player):
            match action:
                case Action.AWARD:
                    return f"Award the game to {player}?"
                case Action.ABANDON:
                    return "Abandon the game, without a result?"
                case Action.EXPIRE:
                    assert tube is not None
                    return f"{capital(_glass_on(tube, view))} has run out and is lost?"
                case Action.REVIVE:
                    assert tube is not None
                    return f"{capital(_glass_on(tube, view))} is still running?"
                case Action.RING:
                    return f"The last ring on {tube} is {player}'s? If it is already, nothing changes."
                case Action.UNCOUNT:
                    return f"The last ring that counts on {tube} was never dropped?"
                case _:
                    assert_never(action)
        case _:
            assert_never(deed)
