"""The words of a replay, in the terminal and on the page."""

from __future__ import annotations

from tamsk_hw.words.rulings import short_clock
from tamsk_hw.words.translating import tr


def replay_keys() -> str:
    """The keys of a replay, in one line."""
    return tr("space pause · ← → ruling · + - speed · q end")


def replay_words(ends: float, *, is_paused: bool) -> str:
    """What stands beside the time: how long the recorded stream is, and whether it stands still."""
    length = short_clock(ends)
    if is_paused:
        return tr("replay of {length}, paused", length=length)
    return tr("replay of {length}", length=length)


def replay_title(number: int, *, simulated: bool) -> str:
    """The heading of the page with the replay of a game."""
    if simulated:
        return tr("Replay of simulated game {number}", number=number)
    return tr("Replay of game {number}", number=number)


def time_words(t: float, ends: float) -> str:
    """The place in a recording whose end is at ``ends``, in seconds of the stream."""
    return tr("{time} of {length}", time=short_clock(t), length=short_clock(ends))


def play_words() -> str:
    """The button that has the replay run."""
    return tr("Play")


def pause_words() -> str:
    """The button that has the replay stand still."""
    return tr("Pause")


def earlier_words() -> str:
    """The step to the ruling before."""
    return tr("Previous ruling")


def later_words() -> str:
    """The step to the next ruling."""
    return tr("Next ruling")


def place_words() -> str:
    """The slider for the time in the game."""
    return tr("Time in the game")


def speed_words() -> str:
    """The choice of how much faster than the game the replay runs."""
    return tr("Speed")


def link_words() -> str:
    """The link to what is shown now."""
    return tr("Link to this moment")


def to_game_words() -> str:
    """The way back to the page of the game."""
    return tr("To the game")


def page_keys() -> str:
    """The keys of a replay on the page, in one line."""
    return tr("space pause · ← → ruling · + - speed")


def unreachable_words() -> str:
    """The page's program does not answer while a replay is looked at."""
    return tr("The page cannot be reached at the moment; the replay goes on as soon as it can.")
