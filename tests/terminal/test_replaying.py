"""A recorded stream in the picture: time and keys move it, and what is shown is the game at that time."""

from pathlib import Path

import pytest

from tamsk_hw.panel.diagnosis import LEFT, RIGHT
from tamsk_hw.referee.playback import Playback
from tamsk_hw.referee.stream import read_stream
from tamsk_hw.terminal.picture import picture
from tamsk_hw.terminal.screen import Replay
from tamsk_hw.words.rulings import line

RECORDING = Path(__file__).parents[1] / "recordings" / "level-3.jsonl"


@pytest.fixture
def replay() -> Replay:
    with RECORDING.open("rb") as lines:
        return Replay(Playback(*read_stream(lines)), now=1000.0)


def test_time_runs_as_fast_as_it_is_asked_to(replay: Replay) -> None:
    begins = replay.playback.begins
    replay.advance(1002.0)
    assert replay.t == begins + 2.0
    for _ in range(9):
        replay.press("+")
    assert replay.speed == 60.0
    replay.advance(1003.0)
    assert replay.t == begins + 62.0
    for _ in range(9):
        replay.press("-")
    replay.advance(1004.0)
    assert replay.t == begins + 63.0
    replay.press(" ")
    replay.advance(1500.0)
    assert replay.t == begins + 63.0, "a pause costs no time"
    replay.press(" ")
    replay.advance(1501.0)
    assert replay.t == begins + 64.0


def test_arrows_step_from_ruling_to_ruling_and_back(replay: Replay) -> None:
    moments = replay.playback.moments
    replay.t = moments[3].t
    replay.press(RIGHT)
    replay.press(RIGHT)
    assert (replay.t, replay.is_paused) == (moments[5].t, True)
    assert list(replay.scene().recent)[-1] == line(moments[5].rulings[-1])
    replay.press(LEFT)
    assert replay.t == moments[4].t
    assert list(replay.scene().recent)[-1] == line(moments[4].rulings[-1])
    assert replay.scene().view == replay.playback.at(moments[4].t)
    for _ in range(20):
        replay.press(LEFT)
    assert replay.t == moments[0].t


def test_at_its_end_it_stands_still_and_begins_again_when_asked(replay: Replay) -> None:
    replay.advance(99_999.0)
    assert (replay.t, replay.is_paused) == (replay.playback.ends, True)
    assert "wins" in picture(replay.scene()).plain
    replay.press(RIGHT)
    assert replay.t == replay.playback.ends
    replay.press(" ")
    replay.advance(100_000.0)
    assert replay.t == replay.playback.begins + 1.0
