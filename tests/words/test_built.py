"""The catalogues in a package that was built: compiled, and enough to speak each language."""

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
for language in Language:
    with speaking(language):
        print(ascii(say(Passed(0.0, "R2.7", Player.RED))))
"""


#: A sentence in each language, in the order of `Language`.
WORDS = [
    "Red has no legal move and passes. (R2.7)",
    "Rot hat keinen zulässigen Zug und passt. (R2.7)",
    "Rouge n'a aucun coup possible et passe. (R2.7)",
    "Rood heeft geen geldige zet en past. (R2.7)",
]


@pytest.mark.slow
def test_a_package_built_from_the_sources_alone_speaks_all_its_languages(tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "built"
    source.mkdir()
    for part in PARTS:
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, source / part, ignore=shutil.ignore_patterns("*.mo", "__pycache__"))
        else:
            shutil.copy(ROOT / part, source)
    command = [sys.executable, "setup.py", "-q", "build_py", "--build-lib", target]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    done = subprocess.run([sys.executable, "-c", SCRIPT], cwd=target, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [ascii(words) for words in WORDS]
