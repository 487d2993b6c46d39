"""The language that the environment asks for."""

import subprocess
import sys
from pathlib import Path

import pytest

from tamsk_hw.system import output as language_module
from tamsk_hw.system.output import CATALOGUES, Language, environment_language


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, Language.ENGLISH),
        ({"LANG": "C.UTF-8"}, Language.ENGLISH),
        ({"LANG": "en_GB.UTF-8"}, Language.ENGLISH),
        ({"LANG": "de_DE.UTF-8"}, Language.DE),
        ({"LANG": "de"}, Language.DE),
        ({"LANG": "de_DE@euro"}, Language.DE),
        ({"LANG": "eo.UTF-8"}, Language.ENGLISH),
        ({"LANG": "deutsch"}, Language.ENGLISH),
        ({"LANG": "\x1b[31m"}, Language.ENGLISH),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "fr_FR.UTF-8"}, Language.FR),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "fr_FR.UTF-8", "LC_ALL": "C"}, Language.ENGLISH),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "", "LC_ALL": ""}, Language.DE),
        ({"LANG": "de_DE.UTF-8", "LC_CTYPE": "fr_FR.UTF-8"}, Language.DE),
    ],
)
def test_the_first_variable_that_is_set_decides(environment: dict[str, str], language: Language) -> None:
    assert environment_language(environment) is language


#: Begins docs/languages.md, How to add a language; then imports all modules of the program.
ADDED = """
import pkgutil, sys, types
import tamsk_hw
with open(sys.argv[1], encoding="utf-8") as file:
    text = file.read().replace('Path(__file__).parents[1] / "words" / "catalogues"', "Path(sys.argv[2])")
language = sys.modules["tamsk_hw.system.output"] = types.ModuleType("tamsk_hw.system.output")
exec(text, language.__dict__)
for module in pkgutil.walk_packages(tamsk_hw.__path__, "tamsk_hw."):
    __import__(module.name)
from tamsk_hw.lessons.lessons import all_lessons
assert {lesson.texts[language.Language.EO].title for lesson in all_lessons()}
"""


def test_a_language_can_be_added_before_it_is_translated(tmp_path: Path) -> None:
    """The folder of its catalogue is enough."""
    for folder in CATALOGUES.iterdir():
        (tmp_path / folder.name).symlink_to(folder)
    (tmp_path / "eo" / "LC_MESSAGES").mkdir(parents=True)
    command = [sys.executable, "-c", ADDED, language_module.__file__, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
