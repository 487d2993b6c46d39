"""Edits of board files as texts, by which faults are planted."""

import re
from collections.abc import Callable

Edit = Callable[[str], str]


def block(text: str, begin: int) -> str:
    """The bracket that begins at a place, to its end."""
    depth = 0
    for place in range(begin, len(text)):
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        if depth == 0:
            return text[begin : place + 1]
    raise AssertionError("a bracket is missing")


def part(text: str, ref: str) -> str:
    """The footprint with a designator."""
    for found in re.finditer(r"\(footprint ", text):
        whole = block(text, found.start())
        if f'(fp_text reference "{ref}"' in whole:
            return whole
    raise AssertionError(f"{ref} is not in the file")


def net_number(text: str, net: str) -> str:
    """The number of a net in the file."""
    found = re.search(rf'^  \(net (\d+) "{re.escape(net)}"\)', text, re.MULTILINE)
    assert found, net
    return found[1]


def lines(text: str, kind: str, net: str, layer: str = "") -> list[str]:
    """The segments or vias of a net, the longest segment first."""
    number = net_number(text, net)
    found = [
        line
        for line in text.splitlines()
        if line.startswith(f"  ({kind} ") and f"(net {number})" in line and (not layer or f'"{layer}"' in line)
    ]
    assert found, (kind, net, layer)
    return sorted(found, key=lambda line: -_length(line))


def _length(line: str) -> float:
    ends = re.findall(r"\((?:start|end) (\S+) (\S+?)\)", line)
    if len(ends) != 2:
        return 0.0
    (x, y), (x2, y2) = ends
    return abs(float(x) - float(x2)) + abs(float(y) - float(y2))


def once(old: str, new: str) -> Edit:
    """Replace what is there exactly once."""

    def edit(text: str) -> str:
        assert text.count(old) == 1, (old, text.count(old))
        return text.replace(old, new)

    return edit


def in_part(ref: str, pattern: str, new: str, count: int = 0) -> Edit:
    """Replace within a footprint, everywhere or ``count`` times."""

    def edit(text: str) -> str:
        whole = part(text, ref)
        changed = re.sub(pattern, new, whole, count=count)
        assert changed != whole, (ref, pattern)
        return text.replace(whole, changed)

    return edit


def in_line(kind: str, net: str, pattern: str, new: str, layer: str = "") -> Edit:
    """Replace within the longest segment, or the first via, of a net."""

    def edit(text: str) -> str:
        line = lines(text, kind, net, layer)[0]
        changed = re.sub(pattern, new, line)
        assert changed != line, line
        return text.replace(line, changed)

    return edit


def without(kind: str, net: str, layer: str = "") -> Edit:
    """Remove the longest segment, or the first via, of a net."""
    return lambda text: text.replace(lines(text, kind, net, layer)[0] + "\n", "")


def without_part(ref: str) -> Edit:
    """Remove a part."""
    return lambda text: text.replace(part(text, ref), "")


def copied(ref: str, new: str) -> Edit:
    """A part once more under another designator, far away."""

    def edit(text: str) -> str:
        whole = part(text, ref)
        again = whole.replace(f'reference "{ref}"', f'reference "{new}"')
        again = re.sub(r"\n    \(at \S+ \S+?(?=[ )])", "\n    (at 50 50", again, count=1)
        return text.replace(whole, f"{whole}\n  {again}")

    return edit


def with_track(net: str, a: tuple[float, float], b: tuple[float, float], layer: str, width: float = 0.2) -> Edit:
    """One more piece of track."""

    def edit(text: str) -> str:
        ends = f"(start {a[0]} {a[1]}) (end {b[0]} {b[1]}) (width {width})"
        piece = f'  (segment {ends} (layer "{layer}") (net {net_number(text, net)}) (tstamp 0))\n'
        return text[: text.rstrip().rindex(")")] + piece + ")\n"

    return edit


def with_via(net: str, at: tuple[float, float]) -> Edit:
    """One more via."""

    def edit(text: str) -> str:
        piece = (
            f'  (via (at {at[0]} {at[1]}) (size 0.6) (drill 0.3) (layers "F.Cu" "B.Cu") '
            f"(net {net_number(text, net)}) (tstamp 0))\n"
        )
        return text[: text.rstrip().rindex(")")] + piece + ")\n"

    return edit


def mirrored(ref: str) -> Edit:
    """A part whose pads are on the wrong side, left for right."""

    def edit(text: str) -> str:
        whole = part(text, ref)
        changed = re.sub(
            r"(\(pad \S+ \S+ \S+ \(at )(-?)([\d.]+)",
            lambda found: f"{found[1]}{'' if found[2] else '-'}{found[3]}",
            whole,
        )
        return text.replace(whole, changed)

    return edit


def moved(ref: str, x: float, y: float) -> Edit:
    """A part elsewhere."""

    def edit(text: str) -> str:
        whole = part(text, ref)
        changed = re.sub(
            r"(\n    \(at )(\S+) ([^ )]+)",
            lambda found: f"{found[1]}{float(found[2]) + x:g} {float(found[3]) + y:g}",
            whole,
            count=1,
        )
        return text.replace(whole, changed)

    return edit


def turned(ref: str, degrees: float) -> Edit:
    """A part turned about its origin, its pads with it."""

    def edit(text: str) -> str:
        whole = part(text, ref)
        found = re.search(r"\n    \(at (\S+) ([^ )]+)( [^)]+)?\)", whole)
        assert found
        angle = (float(found[3] or 0) + degrees) % 360
        changed = whole.replace(found[0], f"\n    (at {found[1]} {found[2]} {angle:g})", 1)
        return text.replace(whole, changed)

    return edit


def without_first(kind: str) -> Edit:
    """Remove the first line of a kind."""
    return lambda text: re.sub(rf"^  \({kind} .*\n", "", text, count=1, flags=re.MULTILINE)
