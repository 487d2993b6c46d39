"""The fixture `tamsk_board`, used as its documentation shows, in a pytest of its own."""

import textwrap
from pathlib import Path

import pytest

from tamsk_hw.errors import ConfigError
from tamsk_hw.game.tubes import Player, Tube
from tamsk_hw.referee.events import ButtonName
from tamsk_hw.simulator import pytest_plugin
from tamsk_hw.simulator.pty_board import RunningBoard
from tamsk_hw.simulator.truth import ButtonPressed, GlassSeated, RingDropped

pytest_plugins = ["pytester"]

# not by its entry point, so that it is found where the package is not installed, too
PLUGIN = ("-p", "no:tamsk_board", "-p", "tamsk_hw.simulator.pytest_plugin", "-p", "no:cacheprovider")


def documented_example() -> str:
    """The code in the fixture's documentation."""
    assert pytest_plugin.__doc__ is not None
    _, code = pytest_plugin.__doc__.split("::\n", 1)
    return textwrap.dedent(code.split("``@pytest.mark", 1)[0])


def test_the_ten_documented_lines_pass(pytester: pytest.Pytester) -> None:
    code = documented_example()
    assert len([line for line in code.splitlines() if line.strip()]) <= 10
    marked = code.replace("def test_", "import pytest\n@pytest.mark.tamsk_board(speed=5.0)\ndef test_")
    pytester.makepyfile(marked)
    result = pytester.runpytest_inprocess(*PLUGIN, "--strict-markers")
    result.assert_outcomes(passed=1)


def test_the_plugin_imports_nothing_before_it_is_used(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import sys

        def test_nothing_is_imported():
            ours = {name for name in sys.modules if name.startswith("tamsk_hw.")}
            assert ours == {"tamsk_hw.simulator", "tamsk_hw.simulator.pytest_plugin"}
        """
    )
    pytester.makeini("[pytest]\npythonpath = " + str(Path(pytest_plugin.__file__).parents[2]))
    result = pytester.runpytest_subprocess(*PLUGIN[:2], *PLUGIN[2:])
    result.assert_outcomes(passed=1)


def test_hands_at_a_running_board_return_when_they_are_done(tmp_path: Path) -> None:
    with RunningBoard(tmp_path / "board", speed=100.0) as board:
        board.move(Player.RED, Tube.D1, Tube.D2)
        done = board.drop(Player.RED, Tube.D2)
        assert board.now >= done
        board.press(ButtonName.RED)
        board.wait(1.0)
        truth = board.truth
    seated = next(entry for entry in truth if isinstance(entry, GlassSeated))
    dropped = next(entry for entry in truth if isinstance(entry, RingDropped))
    pressed = next(entry for entry in truth if isinstance(entry, ButtonPressed))
    assert (seated.tube, seated.turned, dropped.tube, dropped.t) == (Tube.D2, True, Tube.D2, done)
    assert pressed.t > done
    assert not Path(board.port).is_symlink()


def test_a_speed_that_cannot_be_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="speed: 0; allowed is more than 0"):
        RunningBoard(tmp_path / "board", speed=0)
