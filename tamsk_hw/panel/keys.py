"""Presses and decisions that are possible as the game stands, and a terminal's keys, without I/O.

::

    s, Enter   start                r, b   announce a claim for red, for black
    a          arbiter's menu       R, B   resign, after a confirmation
    l          draw lots (E 1.1)    ?      list of the keys
    q          end the program, after a confirmation

What a key does is the very event of a button or of the arbiter; time is an argument.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final, assert_never

from tamsk_hw.game.tubes import PLAYERS, TUBES, Player
from tamsk_hw.panel import diagnosis
from tamsk_hw.referee.events import Action, Arbiter, Button, ButtonName, Event, Press
from tamsk_hw.referee.view import GlassState, Phase, View
from tamsk_hw.system.output import SentenceEnum, marked


class Rejection(SentenceEnum):
    """Reasons for which a press or a decision would have no effect now, each with the sentence that says so."""

    NO_GAME = "no_game", marked("No game is being played.")
    RUNNING = "running", marked("A game is being played; end or abandon it first.")
    OFFERED = "offered", marked("An unfinished game waits: resume or abandon it first.")
    NOT_OFFERED = "not_offered", marked("No unfinished game waits to be resumed or abandoned.")
    NOT_OVER = "not_over", marked("The game is not over; the next one cannot begin yet.")
    OTHER_TUBES = (
        "other_tubes",
        marked("The unfinished game is of a board with other tubes; it can only be abandoned here."),
    )
    NO_EFFECT = "no_effect", marked("That would change nothing, as the game stands now.")
    NO_JOURNAL = "no_journal", marked("This service keeps no games.")
    #: The game, or the service, ended.
    ENDED = "ended", marked("The game ended before that took effect.")


def is_played(view: View, offered: bool) -> bool:
    """A game is being played; not while it waits to be resumed (``offered``)."""
    return not offered and view.is_played


def rejection_of(event: Button | Arbiter, view: View, offered: bool) -> Rejection | None:
    """The reason for which the event would have no effect; None when it would. ``offered``: an unfinished game
    waits to be resumed.
    """
    played = is_played(view, offered)
    match event:
        case Button(button=ButtonName.START, press=Press.SHORT):
            return Rejection.RUNNING if played else None
        case Button(button=ButtonName.START):
            return None if offered or view.phase is Phase.SETUP else Rejection.NOT_OFFERED
        case Button() | Arbiter() if not played:
            return Rejection.OFFERED if offered else Rejection.NO_GAME
        case Button(press=Press.SHORT):
            return None if view.phase is Phase.PLAY else Rejection.NO_EFFECT
        case Button():
            return None
        case Arbiter():
            return None if replace(event, t=0.0) in decisions(view) else Rejection.NO_EFFECT
        case _:
            assert_never(event)


def decisions(view: View) -> tuple[Arbiter, ...]:
    """The arbiter's decisions that are possible now (R9.6), at time 0; none unless a game is being played."""
    if not view.is_played:
        return ()
    return tuple(decision for action in Action for decision in _of(action, view))


def _of(action: Action, view: View) -> Iterator[Arbiter]:
    """The decisions of one kind."""
    match action:
        case Action.AWARD:
            yield from (Arbiter(0.0, action, None, player) for player in PLAYERS)
        case Action.ABANDON:
            yield Arbiter(0.0, action)
        case Action.EXPIRE:
            yield from (Arbiter(0.0, action, glass.tube) for glass in view.glasses if glass.state.may_run)
        case Action.REVIVE:
            yield from (Arbiter(0.0, action, each.tube) for each in view.glasses if each.state is GlassState.LOST)
        case Action.RING:
            tubes = [tube for tube in TUBES if view.rings[tube] or view.rings_seen[tube]]
            yield from (
                Arbiter(0.0, action, tube, player) for tube in tubes for player in PLAYERS if view.left[player]
            )
        case Action.UNCOUNT:
            yield from (Arbiter(0.0, action, tube) for tube in TUBES if view.rings[tube])
        case Action.PAUSE | Action.RESUME:
            if view.phase is Phase.PLAY and view.paused is (action is Action.RESUME):
                yield Arbiter(0.0, action)
        case _:
            assert_never(action)


#: Seconds for which a remark stays.
REMARK_SECONDS: Final = 5.0

_BUTTONS: Final = {"r": ButtonName.RED, "b": ButtonName.BLACK}
_BACK: Final = (diagnosis.ESCAPE, diagnosis.BACKSPACE, "q", "n")


class KeyCommands:
    """The keys of one terminal, and what it asks. Times are those of the events."""

    def __init__(self) -> None:
        self.prompt: diagnosis.Prompt | None = None
        """The question to the person at the keys, or the answer to the last key."""
        self.is_left = False
        """Somebody wants the program to end."""
        self._gone_at = float("inf")

    def advance(self, view: View, now: float) -> None:
        """Time has passed to ``now``: remarks go, and a menu offers what is possible in ``view``."""
        if now >= self._gone_at:
            self._show(None)
        if isinstance(menu := self.prompt, diagnosis.Menu):
            options = _options(menu, view)
            if options != menu.options:
                chosen = menu.options[menu.chosen]
                place = options.index(chosen) if chosen in options else 0
                self._show(replace(menu, options=options, chosen=place) if options else None)

    def on_key(self, key: str, view: View, *, offered: bool, now: float) -> Event | None:
        """Take a key; give the event that follows. ``offered``: an unfinished game waits to be resumed."""
        self.advance(view, now)
        prompt = self.prompt
        self._show(None)
        match prompt:
            case diagnosis.Confirmation():
                return self._confirm(prompt, key, view, offered, now)
            case diagnosis.Menu():
                self._choose(prompt, key, view)
                return None
            case diagnosis.KeyList() | diagnosis.Idle() | Button() | None:
                return self._command(key, view, offered, now)
            case _:
                assert_never(prompt)

    def _show(self, prompt: diagnosis.Prompt | None) -> None:
        self.prompt = prompt
        self._gone_at = float("inf")

    def _remark(self, remark: diagnosis.Idle | Button, now: float) -> None:
        self.prompt = remark
        self._gone_at = now + REMARK_SECONDS

    def _command(self, key: str, view: View, offered: bool, now: float) -> Event | None:
        """A key while nothing is asked."""
        played = is_played(view, offered)
        match key:
            case "s" | "S" | "" if not played:
                return Button(now, ButtonName.START, Press.SHORT)
            case "l" | "L" if not offered and view.phase is Phase.SETUP:
                return Button(now, ButtonName.START, Press.LONG)
            case "s" | "S" | "l" | "L":
                self._remark(diagnosis.Idle.RUNNING, now)
            case "r" | "b" | "R" | "B" if not played:
                self._remark(diagnosis.Idle.NO_GAME, now)
            case "r" | "b":
                claim = Button(now, _BUTTONS[key], Press.SHORT)
                self._remark(claim, now)
                return claim
            case "R" | "B":
                self._show(diagnosis.Confirmation(Button(0.0, _BUTTONS[key.lower()], Press.LONG)))
            case "a" | "A" if offered:
                self._show(diagnosis.Confirmation(Button(0.0, ButtonName.START, Press.LONG)))
            case "a" | "A" if played:
                menu = diagnosis.Menu(options=())
                self._show(replace(menu, options=_options(menu, view)))
            case "a" | "A":
                self._remark(diagnosis.Idle.NOTHING_TO_DECIDE, now)
            case "q" | "Q":
                self._show(diagnosis.Confirmation(None))
            case "?" | "h":
                self._show(diagnosis.KeyList())
            case "" | "\x1b" | "\x7f" | "↑" | "↓":
                pass
            case _:
                self._remark(diagnosis.Idle.UNKNOWN_KEY, now)
        return None

    def _confirm(
        self, asked: diagnosis.Confirmation, key: str, view: View, offered: bool, now: float
    ) -> Event | None:
        """A key while a deed waits for yes or no; other keys are no answer."""
        if key in ("y", "Y"):
            if asked.deed is None:
                self.is_left = True
            elif rejection_of(asked.deed, view, offered) is None:
                return replace(asked.deed, t=now)
            else:
                self._remark(diagnosis.Idle.NO_LONGER, now)
            return None
        if key not in _BACK:
            self._show(asked)
        return None

    def _choose(self, menu: diagnosis.Menu, key: str, view: View) -> None:
        """A key in the arbiter's menu; an unknown one changes nothing."""
        count = len(menu.options)
        if key in (diagnosis.UP, diagnosis.DOWN):
            self._show(
                replace(menu, chosen=(menu.chosen + (1 if key == diagnosis.DOWN else -1)) % count, typed="")
            )
        elif key == diagnosis.ENTER:
            self._select(menu, menu.options[menu.chosen], view)
        elif key in _BACK:
            self._back(menu, view)
        elif not menu.typed and key.isdecimal() and 1 <= int(key) <= min(count, 9):
            self._select(menu, menu.options[int(key) - 1], view)
        else:
            typed = menu.typed + key.upper()
            named = [place for place, option in enumerate(menu.options) if option.name.startswith(typed)]
            self._show(replace(menu, typed=typed, chosen=named[0]) if named else replace(menu, typed=""))

    def _select(self, menu: diagnosis.Menu, option: diagnosis.Option, view: View) -> None:
        """Go on with the option: to the next choice, or to the confirmation."""
        player = None
        match option:
            case Action():
                menu = replace(menu, action=option)
            case Player():
                player = option
            case _:  # a tube
                menu = replace(menu, tube=option)
        assert menu.action is not None
        decision = Arbiter(0.0, menu.action, menu.tube, player)
        if decision in decisions(view):
            self._show(diagnosis.Confirmation(decision))
        else:
            self._show(replace(menu, options=_options(menu, view), chosen=0, typed=""))

    def _back(self, menu: diagnosis.Menu, view: View) -> None:
        """Go back to the choice before, or leave the menu."""
        if menu.action is None:
            return
        before = replace(menu, tube=None) if menu.tube is not None else replace(menu, action=None)
        options = _options(before, view)
        chosen = menu.action if menu.tube is None else menu.tube
        place = options.index(chosen) if chosen in options else 0
        self._show(replace(before, options=options, chosen=place, typed=""))


def _options(menu: diagnosis.Menu, view: View) -> tuple[diagnosis.Option, ...]:
    """The options of the next step of a menu, each once."""
    options: dict[diagnosis.Option, None] = {}
    for decision in decisions(view):
        if menu.action is None:
            options[decision.action] = None
        elif decision.action is menu.action and menu.tube in (None, decision.tube):
            option = decision.tube if menu.tube is None and decision.tube is not None else decision.player
            if option is not None:
                options[option] = None
    return tuple(options)
