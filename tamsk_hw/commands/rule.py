"""``tamsk-hw rule``: a clause, a section, or the list of sections of the rules."""

from __future__ import annotations

import click
from rich.console import Console
from rich.markdown import Markdown

from tamsk_hw.words.rules import rule_book

#: The largest number of columns in which long lines are still easy to read.
_COLUMNS = 100


def print_rule(citation: str | None) -> None:
    """Print the clause or section of that number on standard output; None: the list of sections.

    Raises:
        UnknownClause: the rules have none of that number.
    """
    book = rule_book()
    if citation is None:
        click.echo("\n".join(f"{section.number}  {section.title}" for section in book.sections))
        return
    console = Console()
    console.width = min(console.width, _COLUMNS)
    with console.capture() as captured:
        console.print(Markdown(book.find(citation).markdown))
    click.echo("\n".join(line.rstrip() for line in captured.get().splitlines()))
