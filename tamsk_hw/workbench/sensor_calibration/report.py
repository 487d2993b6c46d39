"""The report of a calibration: a line for each tube with its margins, and the sensors that need attention."""

from __future__ import annotations

from textwrap import wrap

from tamsk_hw.board.calibration import FIELD_NAMES
from tamsk_hw.board.protocol import TIMER_FIELD, Settings
from tamsk_hw.facts.calibration_findings import CalibrationFinding, GlassMarkedWrongly
from tamsk_hw.facts.severity import Severity
from tamsk_hw.words.calibration_findings import calibration_words
from tamsk_hw.words.translating import some_of
from tamsk_hw.workbench.sensor_calibration.margins import (
    FieldVerdict,
    HolderVerdict,
    Judgement,
    LevelVerdict,
    Verdicts,
)

_WIDTH = 79

_HEAD = "tube    rest   end A   end B  noise  margin         rings"


def report_lines(verdicts: Verdicts) -> list[str]:
    """The table, the bad sensors, those with little to spare, and what was not measured."""
    lines = table_lines(verdicts)
    bad, weak = verdicts.findings(Severity.PROBLEM), verdicts.findings(Severity.WARNING)
    if bad:
        lines += ["", "Bad (earlier values, or else the reference build's, are used):"]
        lines += [row for finding in bad for row in _item(finding)]
    if weak:
        lines += ["", "Good for play, with little to spare:"]
        lines += [row for finding in weak for row in _item(finding)]
    if verdicts.glass_marked_wrongly:
        lines += ["", *_item(GlassMarkedWrongly())]
    left = _left_out(verdicts)
    if left:
        lines += ["", *wrap(f"Not measured: {'; '.join(left)}.", _WIDTH)]
    return [*lines, ""]


def _item(finding: CalibrationFinding) -> list[str]:
    words = calibration_words(finding)
    line = f"{words.subject}: {words.cause}{f': {words.advice}' if words.advice else ''}"
    return wrap(line, _WIDTH, initial_indent="- ", subsequent_indent="  ", break_long_words=False)


def _left_out(verdicts: Verdicts) -> list[str]:
    left = []
    fields = [FIELD_NAMES[verdict.index] for verdict in verdicts.fields if _is_left_out(verdict)]
    if fields:
        left.append(f"the fields of {some_of(fields)}" if len(fields) < len(verdicts.fields) else "the fields")
    if verdicts.levels and all(map(_is_left_out, verdicts.levels)):
        left.append("the ring sensors")
    if verdicts.holders and all(map(_is_left_out, verdicts.holders)):
        left.append("the ring holders")
    return left


def _is_left_out(verdict: FieldVerdict | LevelVerdict | HolderVerdict) -> bool:
    return verdict.judgement is Judgement.LEFT_OUT


def table_lines(verdicts: Verdicts) -> list[str]:
    """The table and its legend. Sensors that were not measured have no line."""
    fields = {verdict.index: verdict for verdict in verdicts.fields if not _is_left_out(verdict)}
    levels: dict[int, list[LevelVerdict]] = {}
    for level in verdicts.levels:
        levels.setdefault(int(level.tube), []).append(level)
    levels = {tube: row for tube, row in levels.items() if not all(map(_is_left_out, row))}
    lines: list[str] = []
    rows = [index for index in range(TIMER_FIELD + 1) if index in fields or index in levels]
    if rows:
        lines += [_HEAD, *(_row(index, fields.get(index), levels.get(index)) for index in rows)]
    if fields:
        lines.append("fields: steps of 255; margin: times the deflection that there must be at least")
    if levels:
        lines.append(
            f"rings: the light that sees each, from the bottom up; the board gives {Settings().light_time} µs"
        )
    lines += [_holder(holder) for holder in verdicts.holders if not _is_left_out(holder)]
    return lines


def _row(index: int, field: FieldVerdict | None, levels: list[LevelVerdict] | None) -> str:
    values = "".ljust(36)
    if field is not None and field.values is not None:
        own = field.values
        values = f"{own.rest:7.1f} {own.end_a:+7.1f} {-own.end_b:+7.1f} {own.noise:6.1f}  "
        values = f"{values}{f'×{field.margin:.1f}':>5}"
    words = field.judgement.value if field is not None else ""
    return f"{FIELD_NAMES[index]:5}{values:36}  {words:5}  {_rings(levels)}".rstrip()


def _rings(levels: list[LevelVerdict] | None) -> str:
    if levels is None:
        return ""
    times = " ".join(
        "  ?" if level.time is None else "  -" if not level.time else f"{level.time:3}" for level in levels
    )
    order = (Judgement.BAD, Judgement.LEFT_OUT, Judgement.WEAK, Judgement.GOOD)
    worst = next(each for each in order if any(level.judgement is each for level in levels))
    return f"{times:15}  {worst.value}"


def _holder(verdict: HolderVerdict) -> str:
    words = verdict.judgement.value
    if verdict.values is not None and verdict.unrest is not None:
        own = verdict.values
        words = (
            f"empty {own.zero:.0f}, {own.per_ring:.0f} counts a ring, unrest {verdict.unrest:.2f} rings  {words}"
        )
    return f"{verdict.player}'s ring holder: {words}"
