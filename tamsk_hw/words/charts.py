"""The words of the charts of a game's course."""

from __future__ import annotations

from tamsk_hw.game.players import PLAYERS
from tamsk_hw.referee.course import Course
from tamsk_hw.words.sentences import capital

RINGS_TITLE = "Rings left"
SAND_TITLE = "Sand in the glasses, seconds"


def clock_words(seconds: float) -> str:
    """A time of the game as minutes and seconds: ``4:30``."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02}"


def rings_description(course: Course) -> str:
    """The rings that both players have left at the end, for whoever cannot see the chart."""
    left = course.rings[-1].left
    said = " and ".join(f"{player} {left[player]}" for player in PLAYERS)
    return f"{capital(said)} of 32 rings left after {clock_words(course.ends - course.begins)}."


def sand_description(course: Course) -> str:
    """When each glass ran out, for whoever cannot see the chart."""
    said = []
    for glass in course.glasses:
        lost = next((each.t for each in glass.samples if each.is_lost), None)
        when = "has not run out" if lost is None else f"ran out at {clock_words(lost - course.begins)}"
        said.append(f"{glass.name.replace('-', ' ')} {when}")
    return f"{capital('; '.join(said))}." if said else "No glass was started."
