"""Simulated players: they see the world, hear the rulings, and act with hands that take time."""

from tamsk_hw.simulator.players.arbiter import ArbiterPersona
from tamsk_hw.simulator.players.habits import MISCHIEF, Habits, Mischief
from tamsk_hw.simulator.players.player import SimulatedPlayer
from tamsk_hw.simulator.players.table import Table

__all__ = ["MISCHIEF", "ArbiterPersona", "Habits", "Mischief", "SimulatedPlayer", "Table"]
