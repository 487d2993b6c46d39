"""``tamsk-hw calibrate glasses``: the glasses timed at the board, by buttons and lights, by keys and terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tamsk_hw.board.calibration import KnownCalibration, backup_of, check_can_be_saved
from tamsk_hw.errors import ConfigError
from tamsk_hw.words.notices import known_words
from tamsk_hw.workbench.glass_calibration.figures import TIMED_NAMES, merged
from tamsk_hw.workbench.glass_calibration.report import saved_lines, table_lines
from tamsk_hw.workbench.glass_calibration.session import GlassTiming
from tamsk_hw.workbench.glass_calibration.walk import GlassWalk
from tamsk_hw.workbench.listening import board_of, line_to, port_of
from tamsk_hw.workbench.saving import report, save_measured
from tamsk_hw.workbench.walk.leading import Equipment, lead
from tamsk_hw.workbench.walk.prompt import NoteKind


@dataclass(frozen=True, slots=True, kw_only=True)
class GlassesSettings:
    """``only``: names of `TIMED_NAMES`, all of them when it is empty; ``runs`` of each direction, 2 or more."""

    port: str | None = None
    config: Path | None = None
    only: Sequence[str] = ()
    runs: int = 2


def calibrate_glasses(settings: GlassesSettings, equipment: Equipment | None = None) -> int:
    """Time glasses until there are runs enough or a person ends it; then save what is complete.

    Gives the program's exit status, 0 when all that was asked for is complete, else 1.

    Raises:
        ConfigError: the configuration is refused, there is neither button nor input, or the file cannot be saved.
        WiringError: the wiring map is refused.
        LinkError: the board cannot be used.
        Stopped: it was stopped; what was complete is saved.
    """
    board = board_of(settings.config)
    port = port_of(settings.port, board.configuration)
    timing = GlassTiming(timed_names(settings.only, board.known), settings.runs, board.known)
    path = board.configuration.calibration_file
    check_can_be_saved(path)
    walk = GlassWalk(timing, board, port)
    if board.known.problem is not None:
        kept = f"a new one replaces it, the old one stays as {backup_of(path).name}"
        walk.say(f"{path} {board.known.problem}; {kept}.", NoteKind.WARNING)
    elif board.known.unmeasured:
        walk.say(f"This board is {known_words(board.known)}.")
    with line_to(port, board) as link:
        try:
            lead(walk, board, link, equipment or Equipment())
        finally:
            # Minutes of somebody's patience are in these figures, whatever ended them.
            if walk.board.hello is not None:
                _keep(timing, path, board.known.fitted)
    return 0 if all(map(timing.figures.complete, timing.names)) else 1


def timed_names(only: Sequence[str], known: KnownCalibration) -> tuple[str, ...]:
    """The glasses to be timed. Raises `ConfigError` for one whose start tube the board has not."""
    possible = tuple(name for name in TIMED_NAMES if name in known.fitted)
    for name in only:
        if name not in possible:
            raise ConfigError(
                f"--only {name}: this board has no tube {name}, on which that glass is timed; "
                f"allowed: {', '.join(possible)}"
            )
    return tuple(only) or possible


def _keep(timing: GlassTiming, path: Path, fitted: tuple[str, ...]) -> None:
    """Save what is complete into the present file, and print the table."""
    if not timing.figures.runs:
        report(["No glass was timed; nothing is saved."])
        return
    report(table_lines(timing))
    if not timing.figures.completed:
        report(["Nothing is complete; nothing is saved."])
        return
    saved = save_measured(path, fitted, partial(merged, figures=timing.figures))
    report(saved_lines(timing, saved, str(path)))
