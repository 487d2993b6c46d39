"""Numbers on the command line, called by names that people use."""

from __future__ import annotations

from typing import Any

import click


class IntegerRange(click.IntRange):
    """A whole number in a range."""

    name = "integer"


class NumberRange(click.FloatRange):
    """A number in a range, to which "not a number" does not belong."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number. Refuses what is none."""
        number = super().convert(value, param, ctx)
        if number != number:
            self.fail(f"{value} is not a valid number.", param, ctx)
        return number
