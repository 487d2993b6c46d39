"""Words of the table's page.

The words of the charts of a game's course.

The table on the page in words: its level, its players and its result.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Mapping
from typing import Final

from tamsk_hw.errors import printable
from tamsk_hw.game.tubes import PLAYERS, RINGS_EACH, Player
from tamsk_hw.panel.diagnosis import Diagnosis, PlayerStatus
from tamsk_hw.referee.playback import Course
from tamsk_hw.referee.rulings import Reason
from tamsk_hw.words.translating import capital, player_words, tr, tr_in


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
    """The rings that both players have left at the end, for people who cannot see the chart."""
    _, left = course.rings[-1]
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
    """The times at which glasses ran out, for people who cannot see the chart."""
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


#: Classes of characters that steer the direction of a text, or a terminal.
_STEERING: Final = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


def shown_name(name: str) -> str:
    """A name as a page shows it: characters that steer something stand as their numbers."""
    return "".join(
        printable(character)
        if unicodedata.category(character) in ("Cc", "Cs") or unicodedata.bidirectional(character) in _STEERING
        else character
        for character in name
    )


def both_names(red: str | None, black: str | None) -> dict[Player, str]:
    """The players' names as a page shows them, their colours without."""
    names = zip(PLAYERS, (red, black), strict=True)
    return {player: shown_name(name) if name else capital(player_words(player)) for player, name in names}


def result_words(diagnosis: Diagnosis, names: Mapping[Player, str]) -> str | None:
    """The result in large letters; None before the end."""
    over = diagnosis.headline.over
    if over is None:
        return None
    winner = next((player for player in PLAYERS if diagnosis.players[player].stance is PlayerStatus.WON), None)
    if winner is not None:
        return tr("{name} wins", name=names[winner])
    return tr("A tie") if over.reason is Reason.TIE else tr("No result")
