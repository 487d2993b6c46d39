"""Words of prompts, decisions, orders that put things right, and advice."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, assert_never

from tamsk_hw.game.tubes import End, Player, Tube
from tamsk_hw.panel.diagnosis import (
    Confirmation,
    Diagnosis,
    HeadlineKind,
    Idle,
    InputMethods,
    KeyList,
    Menu,
    Option,
    Prompt,
)
from tamsk_hw.partner.intention import Advice, MoveGlass, MoveRing, PutRight, RingAct, TurnTimerOver
from tamsk_hw.referee.events import Action, Arbiter, Button, ButtonName, Link
from tamsk_hw.referee.rings import ANNOUNCEMENT_SECONDS
from tamsk_hw.referee.rulings import Correction, Empty
from tamsk_hw.referee.view import View
from tamsk_hw.system.output import marked
from tamsk_hw.words.translating import capital, ntr, player_words, tr, tr_in, worded


def decision_words(decision: Arbiter, owner: Player | None = None) -> str:
    """The content of a decision, without a full stop; ``owner``: of its glass, if it is known (R9.6, R9.7)."""
    tube = decision.tube
    match decision.action:
        case Action.AWARD:
            return tr("{player} wins", player=decision.player)
        case Action.ABANDON:
            return tr("the game is abandoned, without a result")
        case Action.EXPIRE if owner is None:
            return tr("the glass on {tube} has run out", tube=tube)
        case Action.EXPIRE:
            return tr("{player}'s glass on {tube} has run out", player=owner, tube=tube)
        case Action.REVIVE if owner is None:
            return tr("the glass on {tube} is still running", tube=tube)
        case Action.REVIVE:
            return tr("{player}'s glass on {tube} is still running", player=owner, tube=tube)
        case Action.RING:
            return tr("the last ring on {tube} is {player}'s", tube=tube, player=decision.player)
        case Action.UNCOUNT:
            return tr("the last ring that counts on {tube} was never dropped", tube=tube)
        case Action.PAUSE:
            return tr("the game pauses")
        case Action.RESUME:
            return tr("the game goes on")
        case _:
            assert_never(decision.action)


def consequences(decision: Arbiter, view: View) -> tuple[str, ...]:
    """Consequences of a decision (R9.6, R9.7), in lines."""
    tube, player = decision.tube, decision.player
    match decision.action:
        case Action.AWARD:
            red, black = view.left.values()
            return (tr("That ends the game; rings left now: red {red}, black {black}.", red=red, black=black),)
        case Action.EXPIRE:
            return (tr("It is lost then, and must not be moved any more."),)
        case Action.REVIVE:
            return (tr("It may be moved again."),)
        case Action.UNCOUNT:
            return (tr("It no longer counts, and its player has one ring more left."),)
        case Action.RING if tube is not None and player is not None:
            left = view.left[player] - 1
            if view.rings_seen[tube] > view.rings[tube] and tube not in view.full:
                return (tr("One ring more counts for {player}: {count} left.", player=player, count=left),)
            return (
                tr(
                    "If it counts for {opponent}, it passes to {player}: {count} left.",
                    opponent=player.opponent,
                    player=player,
                    count=left,
                ),
                tr("Otherwise nothing changes."),
            )
        case _:
            return ()


def decided_words(decision: Arbiter | Link) -> str:
    """The entry of a decision, or of a board that is back, in the list of rulings."""
    if isinstance(decision, Link):
        return tr("The board is in reach again.")
    if decision.action in (Action.PAUSE, Action.RESUME):
        return f"{capital(decision_words(decision))}."
    return tr("The arbiter decides: {decision}.", decision=decision_words(decision))


def orders(corrections: Sequence[Correction], setup: bool = False) -> list[str]:
    """The orders that put things right, each without a full stop; ``setup``: the game has not begun.

    A glass in a wrong tube gives one order for its two tubes: off the one, back on the other.
    """
    listed: list[str] = []
    rest = list(corrections)
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
            listed.append(
                tr(
                    "put {player}'s glass from {tube} back on {home}",
                    player=mend.has,
                    tube=mend.tube,
                    home=home.tube,
                )
            )
        else:
            listed.append(_order(mend, setup))
    return listed


def joined(listed: Sequence[str]) -> str:
    """Orders in one line."""
    return tr_in("between orders", "; ").join(listed)


def _order(mend: Correction, setup: bool) -> str:
    """The order that puts one tube right."""
    tube, has, should = mend.tube, mend.has, mend.should
    match should:
        case int():
            return _rings(tube, (has if isinstance(has, int) else 0) - should)
        case End():
            return tr("turn the glass on {tube} over", tube=tube)
        case Player():
            if isinstance(has, Empty):
                if setup:
                    return tr("put a {player} glass on {tube}", player=should, tube=tube)
                return tr("put {player}'s glass back on {tube}", player=should, tube=tube)
            if has is None or has is should:
                return tr("set the glass on {tube} upright", tube=tube)
            return tr("take the glass off {tube}, where a {player} one belongs", tube=tube, player=should)
        case Empty() | None:
            if isinstance(has, Player):
                return tr("take {player}'s glass off {tube}", player=has, tube=tube)
            return tr("take the glass off {tube}", tube=tube)
        case _:
            assert_never(should)


def _rings(tube: Tube, extra: int) -> str:
    """The order for a tube that has ``extra`` rings too many, or too few where that is negative."""
    if extra > 0:
        return ntr("take {count} ring off {tube}", "take {count} rings off {tube}", extra, tube=tube)
    return ntr("put {count} ring back on {tube}", "put {count} rings back on {tube}", -extra, tube=tube)


def advice_words(advice: Advice) -> str:
    """The advice as a sentence: ``Black: carry D4 to E5, turned over, then drop its ring.``."""
    player, act = advice.player, advice.act
    match act:
        case MoveGlass():
            return _move(player, act)
        case MoveRing(RingAct.DROP, tube):
            return tr("{Player}: drop the ring on {tube}.", player=player, tube=tube)
        case MoveRing(RingAct.DROP_PENALTY, tube):
            return tr("{Player}: drop a penalty ring on {tube}.", player=player, tube=tube)
        case MoveRing(RingAct.CLAIM, tube):
            return tr(
                "{Player}: announce a claim by the button, then drop a ring on {tube}.", player=player, tube=tube
            )
        case MoveRing(_, tube):
            return tr("{Player}: take the ring off {tube} again.", player=player, tube=tube)
        case PutRight(at, to) if at is to:
            return tr("{Player}: turn the glass on {tube} over.", player=player, tube=at)
        case PutRight(at, to):
            return tr("{Player}: put the glass on {tube} back on {home}.", player=player, tube=at, home=to)
        case TurnTimerOver():
            return tr("{Player}: turn the 15-second timer over, if it is empty.", player=player)
        case _:
            assert_never(act)


def _move(player: Player, act: MoveGlass) -> str:
    """A move, with how the glass is to stand and with its ring."""
    home, tube = act.at, act.to
    match home, act.turned, act.ring:
        case None, _, True:
            return tr("{Player}: place a glass on {tube}, then drop its ring.", player=player, tube=tube)
        case None, _, _:
            return tr("{Player}: place a glass on {tube}.", player=player, tube=tube)
        case _, True, True:
            return tr(
                "{Player}: carry {home} to {tube}, turned over, then drop its ring.",
                player=player,
                home=home,
                tube=tube,
            )
        case _, True, _:
            return tr("{Player}: carry {home} to {tube}, turned over.", player=player, home=home, tube=tube)
        case _, _, True:
            return tr("{Player}: carry {home} to {tube}, then drop its ring.", player=player, home=home, tube=tube)
        case _:
            return tr("{Player}: carry {home} to {tube}.", player=player, home=home, tube=tube)


def keys_line() -> str:
    """The keys in one line; it fits a row of the picture."""
    return tr("s start · r b claim · R B resign · a arbiter · q end · ? help")


def _nobody() -> str:
    return tr("enable the buttons in the configuration, or use tamsk-hw run in a terminal, where keys do it")


def press_words(ways: InputMethods) -> str | None:
    """The imperative for start: "press start"; None where nothing can be pressed."""
    match ButtonName.START in ways.buttons, ways.keys:
        case True, True:
            return tr("press start, or s here")
        case True, False:
            return tr("press start")
        case False, True:
            return tr("press s")
        case _:
            return None


def ready_words(ways: InputMethods) -> str:
    """The board is ready, and what starts the game."""
    if ways.demo:
        return tr("The board is ready: the players start the game.")
    press = press_words(ways)
    if press is not None:
        return tr("The board is ready: {press}.", press=press)
    if ways.page:
        return tr("The board is ready.")
    if ways.live:
        return tr("The board is ready: run tamsk-hw do start.")
    return tr("The board is ready, but nothing here can start it.")


def offered_words(ways: InputMethods) -> str:
    """An unfinished game is offered, and what answers."""
    match ButtonName.START in ways.buttons, ways.keys:
        case True, True:
            return tr("A game is unfinished: start (s) resumes it, start held (a) abandons it.")
        case True, False:
            return tr("A game is unfinished: start resumes it, start held abandons it.")
        case False, True:
            return tr("A game is unfinished: s resumes it, a abandons it.")
        case _ if ways.page:
            return tr("A game is unfinished.")
        case _ if ways.live:
            return tr("A game is unfinished: run tamsk-hw do resume or tamsk-hw do abandon.")
        case _:
            return tr("A game is unfinished, but nothing here can resume or abandon it.")


def how_words(diagnosis: Diagnosis) -> str | None:
    """The words for the keys or buttons that the game waits for; None when it waits for none."""
    ways = diagnosis.ways
    press = press_words(ways)
    if ways.demo:
        is_over = diagnosis.headline.news is HeadlineKind.OVER
        return tr("Press s for another game, q to end.") if is_over and ways.keys else None
    if ways.page:
        return None
    match diagnosis.headline.news:
        case HeadlineKind.READY if press is None and ways.live:
            return tr("Run tamsk-hw do start to start the game.")
        case HeadlineKind.READY if press is None:
            return tr("Nothing here can start a game: {advice}.", advice=_nobody())
        case HeadlineKind.READY:
            return tr("{Press}.", press=press)
        case HeadlineKind.OFFERED if press is None and not ways.live:
            return tr("Nothing here can resume a game: {advice}.", advice=_nobody())
        case HeadlineKind.OFFERED:
            return offered_words(ways)
        case HeadlineKind.OVER if press is None and ways.live:
            return tr("Run tamsk-hw do next to set up the next game.")
        case HeadlineKind.OVER:
            return None if press is None else tr("{Press} to set up the next game.", press=press)
        case HeadlineKind.QUESTION if ways.keys:
            return tr("Press a to answer as the arbiter.")
        case HeadlineKind.QUESTION if ways.live:
            return tr("To answer as the arbiter, run tamsk-hw arbiter; by itself it lists the decisions.")
        case HeadlineKind.QUESTION:
            return tr("To answer, end this program, use tamsk-hw run in a terminal, resume the game and press a.")
        case (
            HeadlineKind.LINK_LOST
            | HeadlineKind.SETUP
            | HeadlineKind.PUT_RIGHT
            | HeadlineKind.PAUSED
            | HeadlineKind.SAND
            | HeadlineKind.ADVICE
            | HeadlineKind.LAST_RIGHTS
            | HeadlineKind.TO_MOVE
            | HeadlineKind.MOVING
        ):
            return None
        case _:
            assert_never(diagnosis.headline.news)


def how_besides(diagnosis: Diagnosis) -> str | None:
    """The same for people who read the headline: None where that says it."""
    match diagnosis.headline.news:
        case HeadlineKind.READY | HeadlineKind.OFFERED:
            is_said = diagnosis.ways.live or press_words(diagnosis.ways) is not None
        case HeadlineKind.QUESTION:
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


def prompt_words(prompt: Prompt, view: View, ways: InputMethods) -> PromptWords:
    """The words of a terminal's question, or of its answer to the last key."""
    match prompt:
        case KeyList():
            keys = (
                tr("s or Enter   start, resume, next game · l before it: draw lots"),
                tr("r  b         red, black announces a claim"),
                tr("R  B         red, black resigns"),
                tr("a            arbiter: award, abandon, decide on a glass or a ring"),
                tr("q end (Ctrl-C too)   ? these keys   Ctrl-Z suspend"),
            )
            return PromptWords(title=tr("The keys, while no question is asked:"), lines=keys)
        case Idle() as why:
            return PromptWords(title=worded(why.sentence))
        case Button(button=button):
            title = tr(
                "{Player} announces a claim: drop the ring within {seconds:g} seconds.",
                player=Player(button.value),
                seconds=ANNOUNCEMENT_SECONDS,
            )
            return PromptWords(title=title)
        case Confirmation(asked):
            lines = consequences(asked, view) if isinstance(asked, Arbiter) else ()
            return PromptWords(title=_confirmation(asked, view, ways), lines=lines, keys=tr("y yes · n no"))
        case Menu():
            lines = tuple(_option(prompt, option, view) for option in prompt.options)
            answers = tr("↑ ↓ Enter or number · Esc back")
            return PromptWords(title=_menu(prompt), lines=lines, chosen=prompt.chosen, keys=answers)
        case _:
            assert_never(prompt)


def owner_of(tube: Tube, view: View) -> Player | None:
    """The owner of the glass that belongs on a tube."""
    return next((glass.owner for glass in view.glasses if glass.tube is tube), None)


def _glass_on(tube: Tube, view: View) -> str:
    """The glass that belongs on a tube."""
    owner = owner_of(tube, view)
    if owner is None:
        return tr("the glass on {tube}", tube=tube)
    return tr("{player}'s glass on {tube}", player=owner, tube=tube)


#: Titles of menus; of that of a tube whose last ring is decided on, see `_menu`.
_MENUS: Final = {
    None: marked("The arbiter decides:"),
    Action.AWARD: marked("Who wins?"),
    Action.ABANDON: marked("Abandon the game?"),
    Action.EXPIRE: marked("Which glass has run out?"),
    Action.REVIVE: marked("Which glass is still running?"),
    Action.RING: marked("Which tube's last ring?"),
    Action.UNCOUNT: marked("On which tube does a ring count that was never dropped?"),
    Action.PAUSE: marked("Pause the game?"),
    Action.RESUME: marked("Go on with the game?"),
}

#: Decisions to choose from.
_CHOICES: Final = {
    Action.AWARD: marked("award the game to a player"),
    Action.ABANDON: marked("abandon the game, without a result"),
    Action.EXPIRE: marked("a glass has run out"),
    Action.REVIVE: marked("a glass that counts as lost is still running"),
    Action.RING: marked("say whose ring it is"),
    Action.UNCOUNT: marked("a ring counts that was never dropped"),
    Action.PAUSE: marked("pause the game"),
    Action.RESUME: marked("go on with the game"),
}


def _menu(menu: Menu) -> str:
    if menu.action is Action.RING and menu.tube is not None:
        return tr("Whose is the last ring on {tube}?", tube=menu.tube)
    return worded(_MENUS[menu.action])


def _option(menu: Menu, option: Option, view: View) -> str:
    match option:
        case Tube():
            return str(option) if menu.action in (Action.RING, Action.UNCOUNT) else _glass_on(option, view)
        case Player():
            return player_words(option)
        case _:
            return worded(_CHOICES[option])


def _confirmation(asked: Button | Arbiter | None, view: View, ways: InputMethods) -> str:
    match asked:
        case None if ways.demo:
            return tr("End the program?")
        case None:
            return tr("End the program? A game that is not over is offered at the next start.")
        case Button(button=ButtonName.START):
            return tr("Abandon the unfinished game for good?")
        case Button(button=button):
            player = Player(button.value)
            return tr("{Player} resigns, and {opponent} wins?", player=player, opponent=player.opponent)
        case Arbiter(tube=tube):
            return tr(
                "{Decision}?", decision=decision_words(asked, None if tube is None else owner_of(tube, view))
            )
        case _:
            assert_never(asked)
