"""Why something that was asked for is refused, in words."""

from __future__ import annotations

from typing import assert_never

from tamsk_hw.panel.possible import Hindrance


def hindrance_words(hindrance: Hindrance) -> str:
    """The sentence for the person who asked."""
    match hindrance:
        case Hindrance.NO_GAME:
            return "No game is being played."
        case Hindrance.RUNNING:
            return "A game is being played; end or abandon it first."
        case Hindrance.OFFERED:
            return "An unfinished game waits: resume or abandon it first."
        case Hindrance.NOT_OFFERED:
            return "No unfinished game waits to be resumed or abandoned."
        case Hindrance.NOT_OVER:
            return "The game is not over; the next one cannot begin yet."
        case Hindrance.OTHER_TUBES:
            return "The unfinished game is of a board with other tubes; it can only be abandoned here."
        case Hindrance.NO_EFFECT:
            return "That would change nothing, as the game stands now."
        case Hindrance.NO_JOURNAL:
            return "This service keeps no games."
        case Hindrance.ENDED:
            return "The game ended before that took effect."
        case _:
            assert_never(hindrance)
