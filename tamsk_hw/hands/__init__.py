"""A simulated board as a process of its own, and the hands that play at it (docs/simulate.md)."""
