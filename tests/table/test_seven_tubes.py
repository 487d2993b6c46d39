"""The commands at a board of seven tubes: what is not fitted is not shown, not asked for and not counted."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from tamsk_hw.board.calibration import KnownCalibration, field_names, read_calibration
from tamsk_hw.board.protocol import Snapshot
from tamsk_hw.commands.main import main
from tamsk_hw.errors import ConfigError
from tamsk_hw.game.ruleset import Ruleset, Start
from tamsk_hw.game.tubes import CAPACITY, Tube
from tamsk_hw.panel.diagnosis import diagnose
from tamsk_hw.panel.lights import pixels
from tamsk_hw.table.run import sand_notices
from tamsk_hw.terminal.picture import Scene, picture
from tamsk_hw.words.notices import known_words, notice_words
from tamsk_hw.workbench.calibrate import wanted_of
from tamsk_hw.workbench.findings import OK, WARNING
from tamsk_hw.workbench.frames import SnapshotWords, snapshot_record
from tamsk_hw.workbench.glasses import timed_names
from tamsk_hw.workbench.parts import Part
from tamsk_hw.workbench.sensors import SensorsWalk
from tamsk_hw.workbench.walk import Answer
from tests.boards import SEVEN, SEVEN_MAP
from tests.players.habits import Habits
from tests.players.simulated_game import SimulatedGame
from tests.workbench.boards import setup_of
from tests.workbench.selftest_bench import RED, Trial
from tests.workbench.walker import Walker, lay_rings

WIRING = SEVEN.wiring
NAMES = {str(tube) for tube in WIRING.tubes}

#: The board as its controller sends it: nothing on it, 0 and unknown for what is not fitted.
EMPTY = Snapshot(
    seq=0,
    time=0,
    rings=0,
    unknown=(1 << 64) - (1 << 24),
    fields=bytes(128 if index in WIRING.fields else 0 for index in range(38)),
    references=bytes((64, 128, 191)),
    holders=(0, 0),
    faults=0,
)


def tubes_named(text: str) -> set[str]:
    """The tubes whose names stand in a text."""
    return {name for name in re.findall(r"\b[A-G][1-7]", text) if name in Tube.__members__}


def test_a_start_from_corners_that_are_not_there_is_refused_with_what_to_do(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text(f'[board]\nwiring = "{SEVEN_MAP}"\n', encoding="utf-8")
    result = CliRunner().invoke(main, ["run", "--simulated", "--config", str(file)])
    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert f'{file}: ruleset.start: "corners"; allowed is "free"' in line
    assert "A1, A4, D1, D7, G1, G4" in line
    assert 'write start = "free" below [ruleset]' in line


def test_pictures_and_lights_have_the_boards_tubes() -> None:
    game = SimulatedGame(Ruleset(level=1, start=Start.FREE), 4, wiring=WIRING, habits=Habits(pace=0.5))
    game.advance(40.0)
    view = game.refereeing.view()
    known = KnownCalibration(fitted=field_names(WIRING), measured=frozenset(field_names(WIRING)), modified=0.0)
    walk = SensorsWalk(setup_of(WIRING, known))
    drawn = [picture(Scene(view=view, diagnosis=diagnose(view))), walk.picture(0.0)]
    walk.board.snapshot = EMPTY
    drawn.append(walk.picture(0.0))
    for each in drawn:
        assert tubes_named(each.plain) == NAMES
        assert {len(row) for row in each.plain.split("\n")} == {80}
    lit = pixels(diagnose(view), 0.0, WIRING)
    assert len(lit) == 3 * 12
    # Each glass on the board lights its tube's pixel.
    for glass in view.glasses:
        pixel = WIRING.tube_pixels[glass.tube]
        assert pixel is not None
        assert any(lit[3 * pixel : 3 * pixel + 3])


def test_frames_are_told_of_the_boards_tubes() -> None:
    board = setup_of(WIRING)
    record = snapshot_record(EMPTY, board)
    assert list(record["fields"]) == [*(str(tube) for tube in WIRING.tubes), "timer"]  # type: ignore[call-overload]
    assert list(record["rings"]) == [str(tube) for tube in WIRING.tubes]  # type: ignore[call-overload]
    words = SnapshotWords(board)
    assert "glasses none; timer 128; rings none;" in words.words(EMPTY)
    # What comes for a tube that is not fitted is told no more than it is looked at.
    assert words.words(replace(EMPTY, fields=b"\xc3" * 11 + EMPTY.fields[11:])) == "no change"
    assert tubes_named(SnapshotWords(board, everything=True).words(EMPTY)) == NAMES


def test_the_self_test_counts_and_asks_for_what_is_there() -> None:
    trial = Trial(Part.RINGS, Part.GLASSES, hands=False, wiring=WIRING, holders=False)
    trial.until_over()
    assert trial.wrong() == []
    words = [finding.cause for finding in trial.test.findings()]
    assert "22 sensors: 0 see a ring with margin, 22 none" in words
    assert "8 sensors: all quiet, 8 without a glass" in words
    glasses = Trial(Part.GLASSES, wiring=WIRING, holders=False)
    glasses.play("empty")
    assert set(glasses.test.prompt.marks) == NAMES | {"timer"}
    glasses.do(lambda world: world.place(RED, Tube.D4))
    glasses.do(lambda world: world.lift(RED, Tube.D4))
    glasses.do(lambda world: world.seat(RED, Tube.D4, turned=True))
    assert glasses.test.prompt.progress == "1 of 8 with both ends"


def test_a_bank_or_a_converter_without_light_is_named_as_such() -> None:
    """Bank 1 lights three sensors of this board, converter 0 has seven."""
    for bits, words in (([1, 9, 17], "they are bank 1"), ([1, 2, 3, 4, 5, 6, 7], "they are all of converter 0")):
        trial = Trial(Part.RINGS, wiring=WIRING, holders=False)
        for place, bit in trial.board.sensors.bit_of_place.items():
            if bit in bits:
                trial.board.sensors.ring_counts[place] = 0.0
        trial.play("empty")
        assert set(trial.test.prompt.marks) == NAMES
        for tube in WIRING.tubes:
            lay_rings(trial.world, tube, CAPACITY[tube])
        trial.run(0.5)
        trial.answer(Answer.YES)
        assert words in trial.wrong()[-1].advice


def test_the_walk_measures_the_board_and_no_more() -> None:
    walker = Walker(wanted=wanted_of(WIRING), wiring=WIRING).go()
    verdicts = walker.walk.verdicts()
    assert set(verdicts.severities) <= {OK, WARNING}
    assert [*verdicts.fields] == list(WIRING.fields)
    assert sum(map(len, verdicts.levels.values())) == 22
    assert not verdicts.holders
    known = verdicts.merged(KnownCalibration(fitted=field_names(WIRING)))
    assert known.unmeasured == ()
    assert known_words(replace(known, modified=0.0)) == "calibrated"
    shown = " ".join(showing.words for showing in walker.seen)
    assert "Fill with rings: C3 (3) C4 (3) D3 (3) D4 (4) D5 (3) E3 (3) E4 (3)" in shown
    assert tubes_named(shown) == NAMES


def test_a_tube_that_is_not_there_cannot_be_measured_and_is_not_missed(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="--tube a1: this board has no such tube; allowed are C3, C4, D3, D4"):
        wanted_of(WIRING, tubes=("a1",))
    assert list(wanted_of(WIRING, tubes=("d4", "timer")).fields) == [Tube.D4, 37]
    file = tmp_path / "calibration.toml"
    file.write_text("[fields]\nD4 = { rest = 128.0, end_a = 60.0, end_b = 60.0 }\n", encoding="utf-8")
    known = read_calibration(file, field_names(WIRING))
    assert known_words(known) == "calibrated but for 7 of 8 fields"


def test_glasses_are_timed_where_their_corners_are() -> None:
    known = KnownCalibration(fitted=field_names(WIRING))
    assert timed_names((), known) == ("timer",)
    with pytest.raises(ConfigError, match="--only D1: this board has no tube D1, on which that glass is timed"):
        timed_names(("D1",), known)
    (notice,) = sand_notices(known, Ruleset(start=Start.FREE, tubes=WIRING.tubes))
    words = notice_words(notice)
    assert words == "Glasses cannot be timed on this board, without their corners: all are known to 6 %."
