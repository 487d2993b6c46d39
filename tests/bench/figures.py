"""A row of the table."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """Rows of name, budget, measurement, and whether it is within the budget; None where none is set."""

    what: str
    budget: str
    measured: str
    met: bool | None
