"""Refusals of commands and acts.

Reasons for which the arbiter's desk does not do what was asked of it.

What people do on the page at a simulated board, as facts; the values are the names of the hands' deeds.
"""

from __future__ import annotations

from enum import Enum


class DeskRefusal(Enum):
    """A reason of the desk itself; those of the service are `tamsk_hw.panel.keys.Hindrance`."""

    WRONG_TOKEN = "wrong_token"
    NOT_SIGNED_IN = "not_signed_in"
    TOO_OFTEN = "too_often"
    FOREIGN = "foreign"
    """Another site's page asks."""
    OTHER_FORM = "other_form"
    """What was posted is neither a form nor JSON."""
    TOO_LARGE = "too_large"
    FILE_TOO_LARGE = "file_too_large"
    NO_FILE = "no_file"
    """No file was chosen, or it is empty."""
    MALFORMED = "malformed"
    STALE = "stale"
    """The form is of an older session."""
    UNREACHABLE = "unreachable"
    """The service does not answer; nothing was asked of it."""
    UNSURE = "unsure"
    """The service was asked and has not answered."""
    OTHER_GAME = "other_game"
    """The form is of another game."""
    NOT_ASKED = "not_asked"
    """The question was answered by somebody else, or holds no more."""
    NO_SEAT = "no_seat"
    """Who asks has no seat at the simulated board."""
    OTHER_SEAT = "other_seat"
    """It is for the hands of the other player."""
    DEAD_SEAT = "dead_seat"
    """The secret of a seat's link is not that of this page."""
    NOT_BY_HAND = "not_by_hand"
    """It is nothing that players do, as a fault."""


class HandDeed(Enum):
    """The deeds of people at a table: no faults, no repairs."""

    LIFT = "lift"
    SEAT = "seat"
    TURN = "turn"
    TURN_TIMER = "turn_timer"
    PUT_TIMER_AWAY = "put_timer_away"
    PLACE_TIMER = "place_timer"
    PLACE = "place"
    PUT_AWAY = "put_away"
    LEAN = "lean"
    STRAIGHTEN = "straighten"
    DROP = "drop"
    TAKE_UP = "take_up"
    PUT_BACK = "put_back"
    TAKE = "take"
    PRESS = "press"
