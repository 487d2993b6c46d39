"""Numbers, tables and templates (Jinja2) of pages: the prose is in templates, the figures come from the code."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import jinja2


def table(head: Sequence[object], rows: Iterable[Sequence[object]]) -> str:
    """A table, its head first."""
    return "\n".join(f"| {' | '.join(map(str, row))} |" for row in (head, ["---"] * len(head), *rows))


def number(value: float) -> str:
    """A number with three digits that count, without a power of ten (0.00123, 1.23, 123, 12300)."""
    if value == 0:
        return "0"
    text = f"{value:.3g}"
    if "e" in text:
        text = f"{float(text):.0f}" if abs(value) >= 1 else f"{float(text):.10f}".rstrip("0")
    return text


def places(value: float) -> str:
    """A length with at most three decimals, without zeros at its end."""
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def flow(text: str) -> str:
    """A paragraph as one line."""
    return " ".join(text.split()) + "\n"


def _environment() -> jinja2.Environment:
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).with_name("templates")),
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
    """The text of a template of ``wiring/make/templates`` with these facts. A missing fact is an error."""
    return _TEMPLATES.get_template(name).render(facts)
