"""The demo's people: two players who keep the rules, and an arbiter. They see the board and the referee's view."""

from tamsk_hw.simulator.players.demo import Demo

__all__ = ["Demo"]
