"""The page's own words: headings, buttons, and what is the matter with service and board."""

from __future__ import annotations

from typing import Final, assert_never

from tamsk_hw.game.players import PLAYERS, Player
from tamsk_hw.game.tubes import Tube
from tamsk_hw.panel.diagnosis import Diagnosis, Stance
from tamsk_hw.referee.view import View
from tamsk_hw.words.sentences import capital
from tamsk_hw.words.translating import tr

TITLE: Final = "TAMSK"
SCOREBOARD: Final = "Scoreboard"
RULES: Final = "Rules"
SIMULATED: Final = "simulated board"
SKIP: Final = "Skip to the board"
BOARD: Final = "Board"
RULINGS: Final = "Rulings"
RINGS_LEFT: Final = "rings left"
SECONDS: Final = "s"
TIMER: Final = "15-second timer, seconds left:"
TO_PUT_RIGHT: Final = "To put right"
SCORE_SHEET: Final = "Score sheet"
CLOSE: Final = "Close"
IN_THE_RULES: Final = "In the rules"
LIGHT_THEME: Final = "Light"
DARK_THEME: Final = "Dark"
AUTO_THEME: Final = "As the device"
THEME: Final = "Colours"
RULES_TITLE: Final = "The rules that the referee applies"
RULES_LEAD: Final = "Each ruling names the clause that it rests on."

WAITING: Final = "Waiting for the service"
WAITING_HINT: Final = "The page shows the table as soon as the referee runs: tamsk-hw run."
FORBIDDEN: Final = "The page may not speak to the service"
FORBIDDEN_HINT: Final = "Its user must be in the group of the service: tamsk-hw."
OTHER_VERSION: Final = "The service is of another version"
OTHER_VERSION_HINT: Final = "Install page and service of the same version."
LOST: Final = "The service is gone since {}; this is how things stood."
UNPLUGGED: Final = "The board is out of reach since {}; this is how things stood."
DISCONNECTED: Final = "This device has had no news since {}; this is how things stood."

NOT_FOUND: Final = "There is no such page."
NOT_ALLOWED: Final = "That cannot be done here; this address only shows something."
FAILED: Final = "Something went wrong in the page's program; its log says what."
OTHER_HOST: Final = (
    "This page does not go by that name. Use its address, or put the name into the configuration: [web] names."
)
TOO_MANY: Final = "Too many are watching at the moment; try again in half a minute."
NO_STATE: Final = "Nothing is known of the table yet."
HOME: Final = "To the scoreboard"


def page_words(address: str) -> str:
    """The address of the page."""
    return tr("The table in browsers: {address}", address=address)


def player_name(player: Player, name: str | None) -> str:
    """The name of a player, his colour without one."""
    return name or capital(player.value)


def penalty_words() -> str:
    """The right to a penalty ring (R7.6)."""
    return "Penalty ring: any tube with room"


def ring_words(tube: Tube) -> str:
    """The right to a ring in one tube (R4.1)."""
    return f"Ring on {tube.name}"


def token_words(address: str, *, is_local: bool) -> str:
    """A new token, in the address that signs in by it; ``is_local``: only this computer reaches the page."""
    hint = "Only this computer reaches the page; [web] address in the configuration opens it to others."
    return f"The arbiter's desk, shown this once:\n{address}" + (f"\n{hint}" if is_local else "")


def level_words(view: View) -> str:
    """The level and the turn."""
    turn = f" · turn {view.number}" if view.number else ""
    return f"Level {view.level}{turn}"


def result_words(diagnosis: Diagnosis, names: dict[Player, str]) -> str | None:
    """The result in large letters; None before the end."""
    if diagnosis.headline.over is None:
        return None
    for player in PLAYERS:
        stance = diagnosis.players[player].stance
        match stance:
            case Stance.WON:
                return f"{names[player]} wins"
            case Stance.TIED:
                return "A tie" if diagnosis.headline.over.reason.value == "tie" else "No result"
            case Stance.READY | Stance.WAITING | Stance.TO_MOVE | Stance.MOVING | Stance.LATE | Stance.BEATEN:
                continue
            case _:
                assert_never(stance)
    return None


def page_title(diagnosis: Diagnosis | None, names: dict[Player, str]) -> str:
    """The title of the browser's window."""
    result = None if diagnosis is None else result_words(diagnosis, names)
    return f"{result} · {TITLE}" if result else TITLE
