"""Fills in the templates of pages and programs (Jinja2): the prose is there, the figures come from the code."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import jinja2

from wiring.make.markdown import table
from wiring.make.numbers import number, places


def flow(text: str) -> str:
    """A paragraph as one line."""
    return " ".join(text.split()) + "\n"


def _environment() -> jinja2.Environment:
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    made.filters.update(flow=flow, number=number, places=places)
    made.globals.update(table=table)
    return made


_TEMPLATES: Final = _environment()


def render(name: str, **facts: object) -> str:
    """The text of a template (a path below ``wiring/make``) with these facts. A missing fact is an error."""
    return _TEMPLATES.get_template(name).render(facts)
