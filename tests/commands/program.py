"""The program, run to its end, as a process or in this one."""

import os
import subprocess
from pathlib import Path

from click.testing import CliRunner, Result

from tamsk_hw.commands.main import main
from tests.commands.at_a_terminal import PROGRAM


def tamsk(*arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """The ended program; no variable of the locale is set but these."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG"))}
    kept |= {"PYTHONIOENCODING": "utf-8"} | environment
    return subprocess.run(
        [*PROGRAM, *map(str, arguments)], env=kept, capture_output=True, encoding="utf-8", check=False
    )


def invoked(*arguments: str | Path, **environment: str) -> Result:
    """The same in this process, which is quicker."""
    unset: dict[str, str | None] = dict.fromkeys(name for name in os.environ if name.startswith(("LC_", "LANG")))
    return CliRunner().invoke(main, [*map(str, arguments)], env=unset | environment)
