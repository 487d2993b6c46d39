"""What people do on the page at a simulated board, as facts; the values are the names of the hands' deeds."""

from __future__ import annotations

from enum import Enum


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
