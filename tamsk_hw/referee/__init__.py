"""Events in, rulings out: the referee, a pure core that reads no clock and no hardware.

`Referee` takes the events of `tamsk_hw.referee.events` and returns the rulings of `tamsk_hw.referee.rulings`;
what is ruled, clause by clause, is written in RULES.md beside this file.
"""

from tamsk_hw.referee.header import Header
from tamsk_hw.referee.referee import Referee

__all__ = ["Header", "Referee"]
