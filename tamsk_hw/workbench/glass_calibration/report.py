"""The report of a timing: the table of durations, and what was saved."""

from __future__ import annotations

from tamsk_hw.board.calibration import KnownCalibration
from tamsk_hw.workbench.glass_calibration.figures import ENDS, run_words
from tamsk_hw.workbench.glass_calibration.session import GlassTiming


def table_lines(timing: GlassTiming) -> list[str]:
    """The durations with their spread, the runs that do not agree, and the glasses that are missing."""
    lines = [f"{'glass':<7}{'end A down':<30}end B down"]
    figures = timing.figures
    for name in timing.names:
        cells = []
        for end in ENDS:
            found = figures.of(name, end)
            if not found.runs:
                cells.append("–")
                continue
            runs = "1 run" if len(found.runs) == 1 else f"{len(found.runs)} runs, ±{found.half_range:.2f} s"
            cells.append(f"{found.mean:.2f} s ({runs})")
        lines.append(f"{name:<7}{cells[0]:<30}{cells[1]}".rstrip())
    lines += [f"Odd: {words}." for words in run_words(figures.odd)]
    dropped = [str(run.number) for run in figures.runs if run.dropped]
    if dropped:
        lines.append(f"Thrown out: run {', '.join(dropped)}.")
    missing = [name for name in timing.names if not figures.complete(name)]
    if missing:
        lines.append(f"Not complete, so not kept: {', '.join(missing)}.")
    return lines


def saved_lines(timing: GlassTiming, saved: KnownCalibration, path: str) -> list[str]:
    """The tolerance after saving, and the glasses still to be timed."""
    tolerance = timing.figures.tolerance()
    assert tolerance is not None
    kept = saved.calibration.sand.tolerance
    lines = [f"Tolerance {100 * kept:.2f} %: so far a run in a game may be off these durations."]
    if kept > tolerance:
        lines.append(
            f"This session alone would give {100 * tolerance:.2f} %; glasses timed earlier keep the larger one. "
            "Time all of them again to better it."
        )
    doubt = timing.figures.timer_doubt()
    if doubt is not None:
        lines.append(f"The timer's own durations may be off by {doubt:.2f} s.")
    untimed = [
        *(name for name in saved.untimed if name in saved.fitted),
        *([] if saved.timer_timed else ["timer"]),
    ]
    if untimed:
        lines.append(f"Still to be timed: {', '.join(untimed)}.")
    lines.append(f"Saved in {path}.")
    return lines
