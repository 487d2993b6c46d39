"""The ways in which people can press something, and what a terminal asks of them: facts without words.

`tamsk_hw.panel.desk` makes the prompts from keys, `tamsk_hw.words.prompts` words them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from tamsk_hw.game.players import Player
from tamsk_hw.game.tubes import Tube
from tamsk_hw.referee.events import Action, ButtonName

#: Keys without a character of their own, as `tamsk_hw.terminal.keyboard` gives them.
ENTER, ESCAPE, BACKSPACE, UP, DOWN, LEFT, RIGHT = "", "\x1b", "\x7f", "↑", "↓", "←", "→"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ways:
    """The ways to press something here and now.

    ``buttons`` are those that work; ``keys``: a terminal's keys are read; ``live``: the live stream is published,
    so that ``tamsk-hw do`` and ``tamsk-hw arbiter`` reach the game; ``demo``: simulated players press for
    themselves; ``page``: people look at it in a browser, where nothing is pressed or run.
    """

    buttons: frozenset[ButtonName] = frozenset()
    keys: bool = False
    live: bool = False
    demo: bool = False
    page: bool = False


#: The three buttons, and nothing else.
ALL_BUTTONS = Ways(buttons=frozenset(ButtonName))


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision that an arbiter may take (R9.6), with the tube and the player that it needs."""

    action: Action
    tube: Tube | None = None
    player: Player | None = None


@dataclass(frozen=True, slots=True)
class Resignation:
    """``player`` resigns."""

    player: Player


class Deed(Enum):
    """Deeds that concern no player."""

    ABANDON_OFFERED = "abandon_offered"
    """Abandon the game that is offered to be resumed."""
    END = "end"
    """End the program."""


class Idle(Enum):
    """Reasons for which a key does nothing."""

    UNKNOWN_KEY = "unknown_key"
    RUNNING = "running"
    """The game has begun already."""
    NO_GAME = "no_game"
    """No game is being played."""
    NOTHING_TO_DECIDE = "nothing_to_decide"
    NO_LONGER = "no_longer"
    """The decision is not possible any more."""


@dataclass(frozen=True, slots=True)
class KeyList:
    """The list of keys is shown."""


@dataclass(frozen=True, slots=True)
class Idled:
    """A key did nothing."""

    why: Idle


@dataclass(frozen=True, slots=True)
class ClaimAnnounced:
    """``player`` announced a claim; no ruling says so."""

    player: Player


@dataclass(frozen=True, slots=True)
class Confirmation:
    """A deed waits for yes or no."""

    deed: Decision | Resignation | Deed


#: What a menu offers: actions, then perhaps tubes, then perhaps players.
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


Prompt = KeyList | Idled | ClaimAnnounced | Confirmation | Menu
