"""The tables of the reference page ``docs/configuration.md`` and the sample ``systemd/config.toml``.

The page keeps what stands above its first table.
"""

import textwrap
from pathlib import Path

from tamsk_hw.configuration.reading import SYSTEM_FILE
from tamsk_hw.configuration.settings import SECTIONS

#: What is made, with its place in the checkout.
PAGE, SAMPLE = "docs/configuration.md", "systemd/config.toml"

_FIRST = f"## `[{SECTIONS[0].name}]`"
_WIDTH = 112


def page(before: str) -> str:
    """The reference page, in Markdown, in place of the one ``before``."""
    parts = [before.partition(_FIRST)[0].rstrip("\n") + "\n"]
    for section in SECTIONS:
        table = "| key | default | unit | allowed | meaning |\n|---|---|---|---|---|"
        for key in section.keys:
            cells = [f"`{key.name}`", f"`{key.kind.write(key.default)}`", key.kind.unit or "–"]
            cells += [text.replace("|", "\\|") for text in (key.kind.allowed, key.meaning)]
            table += f"\n| {' | '.join(cells)} |"
        parts.append(f"## `[{section.name}]`\n\n{textwrap.fill(section.meaning, _WIDTH)}\n\n{table}\n")
    return "\n".join(parts)


def sample() -> str:
    """A configuration file with every key at its default, commented out."""
    parts = [
        _comment(
            f"Configuration of tamsk-hw, to be kept as {SYSTEM_FILE}. Every key stands here with its default; to "
            "change one, take away the # before it. 'tamsk-hw config check' says whether all is well, "
            f"{PAGE} says more."
        )
    ]
    for section in SECTIONS:
        lines = [_comment(section.meaning), f"[{section.name}]"]
        for key in section.keys:
            lines += ["", _comment(key.meaning), _comment(f"Allowed: {key.kind.allowed}.")]
            lines.append(f"#{key.name} = {key.kind.write(key.default)}")
        parts.append("\n".join(lines))
    return "\n\n\n".join(parts) + "\n"


def _comment(text: str) -> str:
    return textwrap.fill(text, _WIDTH, initial_indent="# ", subsequent_indent="# ", break_on_hyphens=False)


def files(folder: Path) -> dict[str, str]:
    """Both texts, by their places in the checkout at ``folder``."""
    return {PAGE: page((folder / PAGE).read_text(encoding="utf-8")), SAMPLE: sample()}
