"""``tamsk-hw calibrate sensors``: the walk at the board, by buttons and lights, by keys and terminal."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tamsk_hw.board.calibration import backup_of, check_can_be_saved
from tamsk_hw.errors import LinkError
from tamsk_hw.words.notices import known_words
from tamsk_hw.workbench.listening import Board, BoardState, await_board, board_of, line_to, port_of
from tamsk_hw.workbench.saving import report, save_measured
from tamsk_hw.workbench.sensor_calibration.margins import Judgement
from tamsk_hw.workbench.sensor_calibration.report import report_lines
from tamsk_hw.workbench.sensor_calibration.walk import SensorWalk
from tamsk_hw.workbench.sensor_calibration.wanted import SensorPart, SensorsSettings, Wanted, wanted_of
from tamsk_hw.workbench.walk.leading import Equipment, lead


def calibrate_sensors(settings: SensorsSettings, equipment: Equipment | None = None) -> int:
    """Measure what is asked for, led by a person; save what is complete, however it ends.

    Gives the program's exit status: 0 when all is measured and none is bad, else 1.

    Raises:
        ConfigError: the configuration or what is asked for is refused, nobody could press start, or the file
            cannot be written.
        WiringError: the wiring map is refused.
        LinkError: no board answers, or one that cannot be used.
        Stopped: it was stopped; what was complete is saved.
    """
    board = board_of(settings.config)
    wanted = wanted_of(settings, board.wiring)
    equipment = equipment or Equipment()
    path = board.configuration.calibration_file
    check_can_be_saved(path)
    port = port_of(settings.port, board.configuration)
    with line_to(port, board) as link:
        state = await_board(link, equipment.clock)
        wanted = _fitted(wanted, settings, state)
        walk = SensorWalk(wanted, board.wiring, board.known, board.configuration, state, port)
        if board.known.problem is not None:
            walk.say(f"{path} {board.known.problem}; it is replaced at the end.")
        try:
            lead(walk, board, link, equipment)
        finally:
            # Minutes of somebody's patience are in these figures, whatever ended them.
            _keep(walk, path, board)
    good = all(each.judgement in (Judgement.GOOD, Judgement.WEAK) for each in walk.verdicts().all)
    return 0 if good and walk.done else 1


def _fitted(wanted: Wanted, settings: SensorsSettings, board: BoardState) -> Wanted:
    """``wanted`` without the holders where the board has none."""
    if not wanted.holders or board.hello is None or board.hello.holders:
        return wanted
    if SensorPart.HOLDERS.value in settings.only:
        raise LinkError(f"board {board.hello.board_id:08x} has no ring holders: leave --only holders out")
    return replace(wanted, holders=False)


def _keep(walk: SensorWalk, path: Path, board: Board) -> None:
    """Save what is complete into the present file, and report on each sensor."""
    verdicts = walk.verdicts()
    if any(each.judgement is not Judgement.LEFT_OUT for each in verdicts.all):
        report(report_lines(verdicts))
    if not walk.done:
        report(["Ended early."])
    if not verdicts.saves_something:
        report([f"Nothing was completed; {path} stays as it is."])
        return
    before = f"; the one before is {backup_of(path).name}" if path.exists() else ""
    known = save_measured(path, board.known.fitted, verdicts.merged)
    extent = known_words(replace(known, modified=0.0))
    report([f"What was completed is saved in {path}{before}.", f"This board is {extent}."])
