"""Sensing: whole snapshots become events, with hysteresis, dwell, beginnings, faults and recovery.

See docs/design.md, Sensing.
"""

from tamsk_hw.board.sensing.assumed import Assumed, AssumedGlass, assumed_from
from tamsk_hw.board.sensing.sensed import Sensed
from tamsk_hw.board.sensing.sensing import Sensing
from tamsk_hw.board.sensing.settings import SensingSettings

__all__ = ["Assumed", "AssumedGlass", "Sensed", "Sensing", "SensingSettings", "assumed_from"]
