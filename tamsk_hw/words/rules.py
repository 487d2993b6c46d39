"""The rules that the referee applies, clause by clause, as they stand in RULES.md.

`rule_book` reads the copy that goes along with the package, `find_rule` finds a clause in it. Texts are
Markdown without line breaks, but for tables. `anchor_of` names the places of clauses and sections on a page.
"""

import re
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib.resources import files

from tamsk_hw.errors import TamskError, printable

_SECTION = re.compile(r"^## (R\d+) (.+)$", re.MULTILINE)
_CLAUSE = re.compile(r"^- \*\*(R\d+\.\d+)\*\*\s+(.+?)(?=\n- \*\*R|\n\n|\Z)", re.MULTILINE | re.DOTALL)

#: The number of clauses that a refusal names, and their least likeness to what was asked for (0 … 1).
_NEAR, _LIKENESS = 3, 0.7


def anchor_of(number: str) -> str:
    """The anchor of a clause or section: ``r4-6`` for ``R4.6``."""
    return number.lower().replace(".", "-")


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause: its number, as ``R4.6``, and its text."""

    number: str
    text: str

    @property
    def markdown(self) -> str:
        """The clause with its number."""
        return f"**{self.number}** {self.text}"


@dataclass(frozen=True, slots=True)
class RuleSection:
    """A section: its number, as ``R4``, its title, its clauses, and the text that belongs to no clause.

    R8 has no clauses: its text is the table of the variants, and rulings cite the section itself.
    """

    number: str
    title: str
    clauses: tuple[Clause, ...]
    text: str

    @property
    def markdown(self) -> str:
        """The section with its title and all its clauses."""
        parts = (f"**{self.number} {self.title}**", self.text, *(clause.markdown for clause in self.clauses))
        return "\n\n".join(part for part in parts if part)


def _unwrapped(text: str) -> str:
    """The paragraphs of a text, each on one line; a table keeps its lines."""
    paragraphs = text.strip().split("\n\n")
    return "\n\n".join(each if each.startswith("|") else " ".join(each.split()) for each in paragraphs)


def read_rules(text: str) -> tuple[RuleSection, ...]:
    """The sections and clauses of a text in the form of RULES.md; what stands before the first is left out."""
    _, *parts = _SECTION.split(text)
    sections = []
    for number, title, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        clauses = tuple(Clause(name, _unwrapped(words)) for name, words in _CLAUSE.findall(body))
        sections.append(RuleSection(number, title, clauses, _unwrapped(_CLAUSE.sub("", body))))
    return tuple(sections)


@cache
def rule_book() -> tuple[RuleSection, ...]:
    """The sections of the rules of this version, in the order of their numbers."""
    return read_rules((files("tamsk_hw.referee") / "RULES.md").read_text(encoding="utf-8"))


def find_rule(citation: str) -> RuleSection | Clause:
    """The clause or section of that number: ``R4.6``, also as ``r4.6``, ``4.6`` or the anchor ``r4-6``.

    Raises:
        TamskError: there is none; the message names those of similar numbers.
    """
    named: dict[str, RuleSection | Clause] = {section.number: section for section in rule_book()}
    named |= {clause.number: clause for section in rule_book() for clause in section.clauses}
    asked = citation.strip().upper().replace("-", ".")
    number = asked if asked.startswith("R") else f"R{asked}"
    if number not in named:
        within = named.get(number.partition(".")[0])
        pool = [clause.number for clause in within.clauses] if isinstance(within, RuleSection) else []
        near = get_close_matches(number, pool or named, _NEAR, _LIKENESS)
        hint = f"near it are {', '.join(sorted(near))}" if near else "tamsk-hw rule lists the sections"
        raise TamskError(f'the rules have no clause "{printable(citation)}"', hint)
    return named[number]
