"""Words of the table's page.

The words of the charts of a game's course.

The page's own words: headings, buttons, and what is the matter with service and board.
"""

from __future__ import annotations

from collections import Counter
from typing import Final, assert_never

from tamsk_hw.game.tubes import PLAYERS, RINGS_EACH, Player, Tube
from tamsk_hw.panel.diagnosis import Diagnosis, Stance
from tamsk_hw.referee.playback import Course
from tamsk_hw.referee.rulings import Reason
from tamsk_hw.referee.view import View
from tamsk_hw.words.translating import capital, player_words, tr, tr_in


def rings_title() -> str:
    """The title of the chart of rings."""
    return tr("Rings left")


def sand_title() -> str:
    """The title of the chart of sand."""
    return tr("Sand in the glasses, seconds")


def clock_words(seconds: float) -> str:
    """A time of the game as minutes and seconds: ``4:30``."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02}"


def line_label(player: Player, number: int) -> str:
    """A line's name, with the number of rings left or of a player's glass: ``red 1``."""
    return tr("{player} {number}", player=player, number=number)


def glass_labels(course: Course) -> list[str]:
    """The names of the glasses, in the course's order."""
    numbers: Counter[Player] = Counter()
    labels = []
    for glass in course.glasses:
        numbers[glass.owner] += 1
        labels.append(line_label(glass.owner, numbers[glass.owner]))
    return labels


def rings_description(course: Course) -> str:
    """The rings that both players have left at the end, for whoever cannot see the chart."""
    left = course.rings[-1].left
    return tr(
        "{Red} {red_left} and {black} {black_left} of {each} rings left after {time}.",
        red=Player.RED,
        red_left=left[Player.RED],
        black=Player.BLACK,
        black_left=left[Player.BLACK],
        each=RINGS_EACH,
        time=clock_words(course.ends - course.begins),
    )


def sand_description(course: Course) -> str:
    """When each glass ran out, for whoever cannot see the chart."""
    said = []
    for glass, name in zip(course.glasses, glass_labels(course), strict=True):
        lost = next((each.t for each in glass.samples if each.is_lost), None)
        if lost is None:
            said.append(tr("{glass} has not run out", glass=name))
        else:
            said.append(tr("{glass} ran out at {time}", glass=name, time=clock_words(lost - course.begins)))
    if not said:
        return tr("No glass was started.")
    return f"{capital(tr_in('between orders', '; ').join(said))}."


TITLE: Final = "TAMSK"


def page_texts() -> dict[str, str]:
    """The texts that templates name. Those with ``{}`` are for the page's scripts, which put a time there."""
    return {
        "title": TITLE,
        "scoreboard": tr("Scoreboard"),
        "rules": tr("Rules"),
        "play_table": tr("Table"),
        "lessons": tr("Lessons"),
        "simulated": tr("simulated board"),
        "skip": tr("Skip to the board"),
        "board": tr("Board"),
        "rulings": tr("Rulings"),
        "timer": tr("15-second timer, seconds left:"),
        "to_put_right": tr("To put right"),
        "score_sheet": tr("Score sheet"),
        "close": tr("Close"),
        "in_the_rules": tr("In the rules"),
        "theme": tr("Colours"),
        "auto_theme": tr_in("colours", "Auto"),
        "light_theme": tr_in("colours", "Light"),
        "dark_theme": tr_in("colours", "Dark"),
        "language": tr("Language"),
        "rules_title": tr("The rules that the referee applies"),
        "rules_lead": tr("Each ruling names the clause that it rests on."),
        "rules_language": tr("The clauses themselves are in English, the language in which they are binding."),
        "home": tr("To the scoreboard"),
        "waiting": waiting_words()[0],
        "lost": tr("The service is gone since {time}; this is how things stood.", time="{}"),
        "unplugged": tr("The board is out of reach since {time}; this is how things stood.", time="{}"),
        "unsure": tr(
            "No answer has come: it is not known whether that was done. Look at the board before you try again."
        ),
        "disconnected": tr("This device has had no news since {time}; this is how things stood.", time="{}"),
    }


# What the page waits for, and what helps.


def waiting_words() -> tuple[str, str]:
    """No service is there."""
    hint = tr("The page shows the table as soon as the referee runs: tamsk-hw run.")
    return tr("Waiting for the service"), hint


def forbidden_words() -> tuple[str, str]:
    """This user may not speak to the service."""
    hint = tr("Its user must be in the group of the service: tamsk-hw.")
    return tr("The page may not speak to the service"), hint


def other_version_words() -> tuple[str, str]:
    """The service's stream is not of this version."""
    hint = tr("Install page and service of the same version.")
    return tr("The service is of another version"), hint


# What is refused.


def not_found_words() -> str:
    """There is nothing at an address."""
    return tr("There is no such page.")


def not_allowed_words() -> str:
    """An address does not take such a request."""
    return tr("That cannot be done here; this address only shows something.")


def failed_words() -> str:
    """The page's program has a fault."""
    return tr("Something went wrong in the page's program; its log says what.")


def other_host_words() -> str:
    """The page was called by a name that it does not have."""
    return tr(
        "This page does not go by the name in the header Host. Use its address, or put the name into the "
        "configuration: [web] names."
    )


def too_many_words() -> str:
    """No more browsers can be served."""
    return tr("Too many are watching at the moment; try again in half a minute.")


def takes_long_words() -> str:
    """An answer is not ready in time."""
    return tr("Working this out takes more than 10 seconds; try again in half a minute.")


def no_state_words() -> str:
    """There is no table to be shown yet."""
    return tr("Nothing is known of the table yet.")


# What is said of a table.


def page_words(address: str) -> str:
    """The address of the page."""
    return tr("The table in browsers: {address}", address=address)


def no_address_words(address: str) -> str:
    """The computer does not have the page's address yet, as before a network has given it one."""
    return tr(
        "This computer does not have the address {address} yet; the page is there as soon as it does. Correct "
        "[web] address in the configuration if it never will.",
        address=address,
    )


def player_name(player: Player, name: str | None) -> str:
    """The name of a player, his colour without one."""
    return name or capital(player_words(player))


def penalty_words() -> str:
    """The right to a penalty ring (R7.6)."""
    return tr("Penalty ring: any tube with room")


def ring_words(tube: Tube) -> str:
    """The right to a ring in one tube (R4.1)."""
    return tr("Ring on {tube}", tube=tube)


def token_words(address: str, *, is_local: bool) -> str:
    """A new token, in the address that signs in by it; ``is_local``: only this computer reaches the page."""
    shown = tr("The arbiter's desk, shown this once:")
    hint = tr("Only this computer reaches the page; [web] address in the configuration opens it to others.")
    return "\n".join((shown, address, *((hint,) if is_local else ())))


def level_words(view: View) -> str:
    """The level and the turn."""
    if view.number:
        return tr("Level {level} · turn {number}", level=view.level, number=view.number)
    return tr("Level {level}", level=view.level)


def result_words(diagnosis: Diagnosis, names: dict[Player, str]) -> str | None:
    """The result in large letters; None before the end."""
    if diagnosis.headline.over is None:
        return None
    for player in PLAYERS:
        stance = diagnosis.players[player].stance
        match stance:
            case Stance.WON:
                return tr("{name} wins", name=names[player])
            case Stance.TIED:
                return tr("A tie") if diagnosis.headline.over.reason is Reason.TIE else tr("No result")
            case Stance.READY | Stance.WAITING | Stance.TO_MOVE | Stance.MOVING | Stance.LATE | Stance.BEATEN:
                continue
            case _:
                assert_never(stance)
    return None


def page_title(diagnosis: Diagnosis | None, names: dict[Player, str]) -> str:
    """The title of the browser's window."""
    result = None if diagnosis is None else result_words(diagnosis, names)
    return f"{result} · {TITLE}" if result else TITLE
