"""A capture gives the same events, rulings and notices again: all levels, with faults, kills and pulled cables."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tamsk_hw.board.calibration import Calibration
from tamsk_hw.board.sensing_settings import SensingSettings
from tamsk_hw.board.wiring import Wiring, load_wiring
from tamsk_hw.errors import StreamError
from tamsk_hw.facts.notices import BoardLost, BoardNotice, BoardRestarted, BoardUnusable, Notice
from tamsk_hw.referee import Header
from tamsk_hw.referee.events import Button, ButtonName, Event, Press
from tamsk_hw.referee.rulings import Caution, Ruling, Violation, Warned
from tamsk_hw.simulator.faults import fault_of
from tamsk_hw.table.capture import Capture, read_capture
from tamsk_hw.table.replay import Heard, Noticed, ReplayedEvent, replay_capture
from tamsk_hw.table.simulation import SteppedLink, calibration_of
from tests.boards import SEVEN, WHOLE, PlayedBoard
from tests.disturbances.board import DisturbedBoard
from tests.disturbances.sensors import RestDrift
from tests.players.habits import Habits
from tests.table.test_board_table import Evening

SENSING = SensingSettings()


def heard_of(lines: Sequence[str], wiring: Wiring) -> list[Heard]:
    captured = read_capture([f"{line}\n".encode() for line in lines], "capture")
    return replay_capture(captured, wiring, "capture")


def rulings_of(heard: Sequence[Heard]) -> list[Ruling]:
    return [ruling for each in heard if isinstance(each, ReplayedEvent) for ruling in each.rulings]


def events_of(heard: Sequence[Heard]) -> list[Event]:
    return [each.event for each in heard if isinstance(each, ReplayedEvent)]


def notices_of(heard: Sequence[Heard]) -> list[BoardNotice]:
    return [each.notice for each in heard if isinstance(each, Noticed)]


class CapturedEvening(Evening):
    """Players at a table on a port whose programs may be killed; each writes a capture."""

    rests: tuple[float, ...] | None = None

    def start(self, line: Any = None, **more: Any) -> None:
        if self.starts:
            self.link.close()
        self.shown = []
        self.lines: list[str] = []
        self.notices: list[BoardNotice] = []
        wiring = self.simulation.wiring
        capture = Capture(self.lines.append, wiring, calibration_of(self.values), SENSING, self.rests)
        assert isinstance(self.simulation.board, DisturbedBoard)
        self.board = self.simulation.board
        self.link = SteppedLink(self.board, wiring, self.folder / "board", capture.line)
        super().start(self.link, notice=self._notice, capture=capture, rests=self.rests)

    def _notice(self, notice: Notice) -> None:
        self.said(notice)
        if isinstance(notice, BoardNotice):
            self.notices.append(notice)

    def events(self, number: int) -> list[Event]:
        """The events of a game, as they are in the journal."""
        self.journal.writer.attempt()
        return list(self.journal.archive.load(number).header_and_events()[1])

    def replay(self) -> list[Heard]:
        self.link.close()
        return heard_of(self.lines, self.simulation.wiring)

    def gives_the_same_again(self) -> list[Heard]:
        """Fail unless the capture gives this program's rulings and events."""
        heard = self.replay()
        assert rulings_of(heard) == self.shown == self.table.refereeing.rulings
        assert events_of(heard) == self.events(1)
        return heard


@pytest.mark.soak(but=["level 2, holders", "seven tubes"])
@pytest.mark.parametrize(
    ("level", "board", "holders"),
    [(1, WHOLE, False), (2, WHOLE, True), (3, WHOLE, False), (3, SEVEN, False)],
    ids=["level 1", "level 2, holders", "level 3", "seven tubes"],
)
def test_a_capture_gives_the_same_again(level: int, board: PlayedBoard, holders: bool, tmp_path: Path) -> None:
    """With players who break rules, lost and damaged frames, a reset, a broken sensor."""
    habits = Habits(mischief=0.3, pace=0.5)
    game = CapturedEvening(tmp_path, level=level, seed=7, board=board, holders=holders, habits=habits)
    game.play(30.0)
    game.board.corrupt_frames(5)
    game.board.drop_frames(3)
    game.play(35.0)
    fault = fault_of("glass D4 0")
    game.board.put_fault(fault)
    game.play(45.0)
    game.board.clear_fault(fault)
    game.board.reset()
    game.play(90.0)
    heard = game.gives_the_same_again()
    assert notices_of(heard) == game.notices
    assert any(isinstance(notice, BoardRestarted) for notice in game.notices)
    assert any(isinstance(ruling, Violation) for ruling in rulings_of(heard))
    assert any(isinstance(r, Warned) and r.code is Caution.SENSOR_FAULT for r in rulings_of(heard))
    assert any(isinstance(event, Button) for event in events_of(heard))


def test_a_pulled_cable_is_in_the_capture(tmp_path: Path) -> None:
    """Why the port was closed is not: only that it was."""
    game = CapturedEvening(tmp_path, level=3, seed=7)
    game.play(30.0)
    game.link.pty.unplug()
    game.play(33.0)
    game.link.pty.replug()
    game.play(60.0)
    heard = game.gives_the_same_again()
    assert {json.loads(line).get("port") for line in game.lines} == {None, "open", "closed"}
    reported = [type(notice) for notice in game.notices if not isinstance(notice, BoardUnusable)]
    assert [type(notice) for notice in notices_of(heard)] == reported
    assert BoardLost in reported


@pytest.mark.soak(but=["2-0.0", "1-14.0"])
@pytest.mark.parametrize(("level", "drifted"), [(1, 0.0), (2, 0.0), (1, 14.0)])
def test_a_game_that_is_resumed_and_the_next_are_in_the_capture(
    level: int, drifted: float, tmp_path: Path
) -> None:
    """Sensors that had drifted before the program was killed are sensed from where they had come to."""
    evening = CapturedEvening(tmp_path, level=level, seed=3)
    evening.play(40.0)
    drift = RestDrift(drifted, 5, seconds=0.1, start=evening.now)
    evening.board.sensors.disturb(drift=drift)
    if drifted:
        ends = zip(evening.values.rest, drift.at(evening.now + 1.0), strict=True)
        evening.rests = tuple(rest + end for rest, end in ends)
    evening.kill()
    assert evening.table.is_offered
    past = len(evening.events(1))
    evening.steps(60)
    evening.press()
    evening.play(evening.now + 40.0)
    evening.step([Button(evening.now - 0.1, ButtonName.RED, Press.LONG)])
    evening.steps(10)
    assert evening.table.refereeing.is_over
    evening.press()
    evening.steps(60)
    assert len(evening.shown) > 5
    heard = evening.replay()
    assert rulings_of(heard) == evening.shown
    first = evening.events(1)[past:]
    assert events_of(heard)[: len(first)] == first
    if drifted:
        calibrated = [json.loads(evening.lines[0]), *map(json.loads, evening.lines[1:])]
        del calibrated[0]["rests"]
        assert (
            rulings_of(heard_of([json.dumps(each) for each in calibrated], evening.simulation.wiring))
            != evening.shown
        )
        assert evening.table.rests is not None
        assert evening.table.rests == pytest.approx(evening.rests, abs=3.0)


def test_a_capture_that_has_not_every_round_is_given_them(tmp_path: Path) -> None:
    """Another program's: time passes between its lines, so that a silent board is lost in time."""
    game = CapturedEvening(tmp_path, level=1, seed=7)
    game.play(5.0)
    records = [json.loads(line) for line in game.lines]
    del records[0]["rounds"]
    foreign = [record for record in records if record.get("rx") != "" and "end" not in record]
    last = max(record["t"] for record in foreign if "rx" in record)
    foreign.append({"t": last + 5.0, "end": True})
    heard = heard_of([json.dumps(record) for record in foreign], game.simulation.wiring)
    (lost,) = [each for each in heard if isinstance(each, Noticed) and isinstance(each.notice, BoardLost)]
    assert lost.at == pytest.approx(last + 0.5, abs=0.003)
    kinds = [type(ruling) for ruling in rulings_of(heard)]
    assert kinds[:-1] == [type(ruling) for ruling in game.shown]


HEAD = {"capture": 1, "header": {"tamsk": 1}, "calibration": None, "wiring": f"{load_wiring().hash:08x}"}


def refusal(*records: Any, head: Any = HEAD) -> str:
    with pytest.raises(StreamError) as refused:
        heard_of([json.dumps(each) for each in (head, *records)], load_wiring())
    return str(refused.value)


@pytest.mark.parametrize(
    ("record", "words"),
    [
        ({"t": "1", "rx": "00"}, "capture line 2: t is"),
        ({"t": 1.0}, "capture line 2: the line has no kind; allowed: rx, tx, port, event, header, end"),
        ({"t": 1.0, "rx": "0", "tx": ""}, "capture line 2: the line has rx and tx"),
        ({"t": 1.0, "rx": "0"}, "capture line 2: rx is"),
        ({"t": 1.0, "tx": 7}, "capture line 2: tx is 7"),
        ({"t": 1.0, "port": "ajar"}, "capture line 2: port is"),
        ({"t": 1.0, "end": False}, "capture line 2: end is"),
        ({"t": 1.0, "event": {"event": "tick"}}, "capture line 2: event is"),
        ({"t": 1.0, "event": {"event": "button", "button": "start", "press": "short", "t": 1}}, "without t"),
        ({"t": 1.0, "event": {"event": "arbiter", "action": "expire", "tube": "Z9"}}, "capture line 2: tube is"),
        ({"t": 1.0, "header": {"tamsk": 2}}, "capture line 2: tamsk is 2"),
        ({"t": 1.0, "header": {"tamsk": 1}, "past": [{"t": 0.0, "event": "hop"}]}, "line 2, past event 1"),
        ({"t": 1.0, "header": {"tamsk": 1}, "past": 7}, "capture line 2: past is 7"),
        ([], "capture line 2: the line is []"),
    ],
)
def test_a_line_that_is_none_is_refused(record: Any, words: str) -> None:
    assert words in refusal(record)


def test_time_never_goes_back_nor_on_for_days() -> None:
    assert "1.0 or later" in refusal({"t": 1.0, "rx": ""}, {"t": 0.5, "rx": ""})
    assert "a day after the line before" in refusal({"t": 1.0, "rx": ""}, {"t": 90_000.0, "end": True})


@pytest.mark.parametrize(
    ("head", "words"),
    [
        ({"tamsk": 1}, "this is no capture"),
        ({**HEAD, "capture": 2}, "capture is 2; allowed: 1"),
        ({**HEAD, "wiring": "12"}, 'line 1: wiring is "12"'),
        ({**HEAD, "wiring": "0badf00d"}, 'line 1: wiring is "0badf00d"; this map is d26e7b07: configure the map'),
        ({**HEAD, "calibration": {"fields": {"Z9": 1}}}, "line 1: calibration.fields"),
        ({**HEAD, "calibration": 3}, "line 1: calibration is 3"),
        ({**HEAD, "sensing": {"glass_dwell": -1}}, "line 1: sensing"),
        ({**HEAD, "sensing": {"patience": 1}}, "line 1: sensing"),
        ({**HEAD, "rests": [128.0] * 37}, "line 1: rests"),
        ({**HEAD, "rests": 128}, "line 1: rests"),
        ({**HEAD, "header": None}, "line 1"),
    ],
)
def test_a_first_line_that_is_none_is_refused(head: Any, words: str) -> None:
    assert words in refusal({"t": 0.0, "rx": ""}, head=head)


def test_a_torn_last_line_is_left_out() -> None:
    lines = [json.dumps(HEAD), json.dumps({"t": 1.0, "port": "open"}), '{"t": 2.0, "rx": "00']
    captured = read_capture("\n".join(lines).encode().splitlines(keepends=True), "capture")
    assert (captured.torn, len(captured.items)) == (3, 1)
    with pytest.raises(StreamError, match="capture line 3: not JSON"):
        read_capture([f"{line}\n".encode() for line in lines], "capture")
    with pytest.raises(StreamError, match="the capture is empty"):
        read_capture([], "capture")


def test_dwells_that_the_owner_has_set_are_in_the_capture() -> None:
    lines: list[str] = []
    slow = SensingSettings(ring_dwell=0.5, rail=3)
    capture = Capture(lines.append, load_wiring(), None, slow)
    capture.close()
    assert lines == []  # nothing was begun
    capture.game(0.0, Header())
    captured = read_capture([f"{line}\n".encode() for line in lines], "capture")
    assert captured.sensing == slow
    assert captured.calibration == Calibration()
