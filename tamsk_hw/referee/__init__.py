"""The referee: events in, rulings out. Pure: it reads no clock and no hardware.

`Referee` takes the events of `tamsk_hw.referee.events` and returns the rulings of `tamsk_hw.referee.rulings`.
RULES.md beside this file has the rules, clause by clause.
"""

from tamsk_hw.referee.referee import Referee
from tamsk_hw.referee.stream import Header

__all__ = ["Header", "Referee"]
