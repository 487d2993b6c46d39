"""Whole recorded games: each `NAME.jsonl` gives the rulings of `NAME.rulings.jsonl`, byte for byte, for ever."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from tamsk_hw.commands.main import main

HERE = Path(__file__).parent
RULINGS = ".rulings.jsonl"
RECORDINGS = sorted(path for path in HERE.glob("*.jsonl") if not path.name.endswith(RULINGS))


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
def test_a_recording_gives_the_same_rulings_and_is_exported_as_it_was(path: Path, tmp_path: Path) -> None:
    def printed(*arguments: str) -> str:
        result = CliRunner().invoke(main, [*arguments])
        assert result.exit_code == 0, result.output
        return result.stdout

    rulings = path.with_name(path.stem + RULINGS).read_text(encoding="utf-8")
    assert printed("replay", "--json", str(path)) == rulings
    folder = ("--folder", str(tmp_path))
    printed("games", "import", str(path), *folder)
    assert printed("games", "export", "1", *folder) == path.read_text(encoding="utf-8")
