"""Reading a unit file, as far as the tests of it need."""

from collections import defaultdict
from pathlib import Path

#: For each key of a section all that was assigned to it, in its order.
Section = dict[str, list[str]]


def read_unit(file: Path) -> dict[str, Section]:
    """The sections of a unit file (systemd.syntax(7)), without continued lines."""
    sections: dict[str, Section] = {}
    section: Section | None = None
    for line in map(str.strip, file.read_text(encoding="utf-8").splitlines()):
        if not line or line[0] in "#;":
            continue
        if line[0] == "[":
            section = sections.setdefault(line.strip("[]"), defaultdict(list))
            continue
        assert section is not None, f"{file}: {line}: stands before any section"
        assert not line.endswith("\\"), f"{file}: {line}: continued"
        key, equals, value = line.partition("=")
        assert equals, f"{file}: {line}: no assignment"
        section[key].append(value)
    return sections
