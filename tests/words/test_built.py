"""The catalogues in a package that was built: compiled, and enough to speak each language."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

#: What `make install` builds from (systemd/install.sh).
PARTS = ("pyproject.toml", "setup.py", "README.md", "LICENSE", "tamsk_hw", "wiring")

SCRIPT = """
import sys
from pathlib import Path

import tamsk_hw
from tamsk_hw.game.tubes import Player
from tamsk_hw.referee.rulings import Passed
from tamsk_hw.system.output import Language
from tamsk_hw.words.rulings import say
from tamsk_hw.words.translating import speaking

assert Path(tamsk_hw.__file__).is_relative_to(Path.cwd())
with speaking(Language(sys.argv[1])):
    print(ascii(say(Passed(0.0, "R2.7", Player.RED))))
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a package built from the sources alone."""
    source = tmp_path_factory.mktemp("source")
    for part in PARTS:
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, source / part, ignore=shutil.ignore_patterns("*.mo", "__pycache__"))
        else:
            shutil.copy(ROOT / part, source)
    target = tmp_path_factory.mktemp("built")
    command = [sys.executable, "setup.py", "-q", "build_py", "--build-lib", target]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    return target


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "Red has no legal move and passes. (R2.7)"),
        ("de", "Rot hat keinen zulässigen Zug und passt. (R2.7)"),
        ("fr", "Rouge n'a aucun coup possible et passe. (R2.7)"),
        ("nl", "Rood heeft geen geldige zet en past. (R2.7)"),
    ],
)
def test_it_speaks_all_its_languages(built: Path, language: str, words: str) -> None:
    command = [sys.executable, "-c", SCRIPT, language]
    done = subprocess.run(command, cwd=built, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ascii(words)
