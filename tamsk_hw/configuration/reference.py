"""The reference page ``docs/configuration.md`` and the sample ``systemd/config.toml``, made from the keys' table.

``python -m tamsk_hw.configuration.reference [FOLDER]`` writes both into the checkout at FOLDER (here).
"""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path

from tamsk_hw.configuration.keys import SECTIONS, Key, Section
from tamsk_hw.configuration.reading import MOST_BYTES, SYSTEM_FILE, VARIABLE

#: What is made, with its place in the checkout.
PAGE, SAMPLE = "docs/configuration.md", "systemd/config.toml"

_COMMAND = "python -m tamsk_hw.configuration.reference"

_WIDTH = 112

_INTRODUCTION = f"""\
# Configuration

<!-- Made by {_COMMAND}; do not edit. -->

`tamsk-hw` reads one file in [TOML](https://toml.io). It is the first of these that is there:

1. the file named by `--config FILE`;
2. the file named by the environment variable `{VARIABLE}`;
3. `{SYSTEM_FILE}`;
4. `$XDG_CONFIG_HOME/tamsk-hw/config.toml`, that is `~/.config/tamsk-hw/config.toml` where the variable is not set.

A file named by 1 or 2 must be there. Without any file every value is its default. Files are not merged: one is
read, and the others are not.

```sh
tamsk-hw config check
```

says which file is read, which values differ from their defaults, and what will not work on this computer as it is
(a warning; exit status 0). A mistake ends the check, as it ends `tamsk-hw run`, with exit status 2 and one line:

```
tamsk-hw: {SYSTEM_FILE}: line 3: board.prot: unknown key; did you mean port? allowed are port, wiring, …
tamsk-hw: {SYSTEM_FILE}: line 9: lights.route: "uart"; allowed is "gpio", "spi" or "none"
```

A file for a board on a Raspberry Pi may be as short as this:

```toml
[board]
port = "/dev/tamsk-board"

[lights]
route = "spi"
```

[{SAMPLE}](../{SAMPLE}) is a file with every key at its default. Which sensor, light and
pin is which does not stand here but in the wiring map, `wiring/board.toml`.

Texts stand in quotes, numbers and `true` or `false` do not. A whole number has no decimal point; others may have
one. A relative path begins at the folder of the configuration file, one with `~/` at the user's home. The file is
in UTF-8 and at most {MOST_BYTES // 1024} KiB long.

## Places of your own and the service

systemd lets the service write in `/var/lib/tamsk-hw` only (`ProtectSystem=strict`), shows it nothing below
`/home`, `/root` and `/run/user` (`ProtectHome=yes`), and gives it a `/tmp` and `/var/tmp` of its own, which are
emptied when it stops (`PrivateTmp=yes`). Another place needs a drop-in. `tamsk-hw config check` and `tamsk-hw
doctor` ask systemd for the installed units and name each place that is shut, with the lines that open it. For
`folder = "/srv/tamsk"` below `[journal]`:

```sh
sudo install -d -o tamsk-hw -g tamsk-hw -m 750 /srv/tamsk
sudo systemctl edit tamsk-hw      # enter the lines below
sudo systemctl restart tamsk-hw
```

```ini
[Service]
ReadWritePaths=-/srv/tamsk
```

The folder of a capture (`ExecStart=` with `run --capture`) is opened in the same way; a wiring map and a
calibration are only read, so they need it below `/home` alone. There `ReadWritePaths` does not help. The page
shows the games of the past, so it needs to see the journal's folder, too:

```ini
# sudo systemctl edit tamsk-hw
[Service]
ProtectHome=tmpfs
BindPaths=-/home/anna/tamsk
BindReadOnlyPaths=-/home/anna/board.toml
```

```ini
# sudo systemctl edit tamsk-hw-web
[Service]
ProtectHome=tmpfs
BindReadOnlyPaths=-/home/anna/tamsk
```

With the `-` the service also starts when the place is missing, as on a disk that is not plugged in; it then
reports that nothing can be saved.
"""


def page() -> str:
    """The reference page, in Markdown."""
    parts = [_INTRODUCTION]
    for section in SECTIONS:
        rows = [
            f"| `{key.name}` | `{_default(section, key)}` | {key.kind.unit or '–'} | {_cell(key.kind.allowed)} | "
            f"{_cell(key.meaning)} |"
            for key in section.keys
        ]
        table = "\n".join(["| key | default | unit | allowed | meaning |", "|---|---|---|---|---|", *rows])
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
            lines.append(f"#{key.name} = {_default(section, key)}")
        parts.append("\n".join(lines))
    return "\n\n\n".join(parts) + "\n"


def write(folder: Path) -> None:
    """Write page and sample into the checkout at ``folder``."""
    for name, text in ((PAGE, page()), (SAMPLE, sample())):
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")


def _default(section: Section, key: Key) -> str:
    return key.kind.write(section.default(key))


def _cell(text: str) -> str:
    """A text that stays within its cell of a table."""
    return text.replace("|", "\\|")


def _comment(text: str) -> str:
    return textwrap.fill(text, _WIDTH, initial_indent="# ", subsequent_indent="# ", break_on_hyphens=False)


if __name__ == "__main__":
    write(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
