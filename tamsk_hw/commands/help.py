"""Help pages of the command groups."""

from __future__ import annotations

import click

#: Longer than any first sentence: click cuts what exceeds its limit.
_UNCUT = 1000


class HelpfulGroup(click.Group):
    """A group of commands whose help page has the whole first sentence of each, wrapped instead of cut."""

    group_class = type

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands."""
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        rows = [(name, each.get_short_help_str(_UNCUT)) for name, each in commands if each and not each.hidden]
        with formatter.section("Commands"):
            formatter.write_dl(rows)
