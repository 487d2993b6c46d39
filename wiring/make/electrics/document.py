"""`electrics.md`: the calculations as a builder reads them."""

from __future__ import annotations

from wiring.make.board import Board
from wiring.make.circuit import nets
from wiring.make.electrics import (
    budget,
    converter,
    emitters,
    fields,
    holders,
    lights,
    logic,
    photo_transistors,
    rail,
)
from wiring.make.electrics.budget import RailBudget, power_budget
from wiring.make.electrics.check import Check, Subject, number
from wiring.make.electrics.currents import typical_current
from wiring.make.markdown import table


def subjects(board: Board) -> tuple[Subject, ...]:
    """All subjects of a board, the power budget last."""
    found = (
        emitters.subject(board),
        photo_transistors.subject(board),
        fields.subject(board),
        converter.subject(board),
        rail.subject(board),
        holders.subject(board),
        lights.subject(board),
        logic.subject(board),
        budget.subject(board),
    )
    return tuple(subject for subject in found if subject is not None)


def checks(board: Board) -> tuple[Check, ...]:
    """Every check of a board."""
    return tuple(check for subject in subjects(board) for check in subject.checks)


def document(board: Board) -> str:
    """The text of `electrics.md`."""
    all_of_them = checks(board)
    failed = [check.what for check in all_of_them if not check.holds]
    verdict = f"All {len(all_of_them)} checks hold." if not failed else f"Not held: {'; '.join(failed)}."
    lines = [
        f"# Electrics: {board.title}",
        "",
        f"Why each part has the value that it has, made from `{board.map_name}` and the circuit. {verdict}",
        "",
        "Sources are data sheets by their numbers. *Simulated* and *estimate* mean: measured by nobody yet. "
        "*Customary* means: the usual figure for such a part, not read in its sheet; compare it before you "
        "order in numbers. The supply is 5 V ± 5 %.",
        "",
    ]
    for subject in subjects(board):
        lines += _subject(subject)
    lines += _budget(power_budget(board))
    lines += _unprotected(board)
    return "\n".join(lines)


def _subject(subject: Subject) -> list[str]:
    lines = [f"## {subject.title}", "", subject.text, "", *table(("part", "value", "for"), subject.values), ""]
    rows = [
        (check.what, check.formula, check.result, check.limit, "yes" if check.holds else "**NO**", check.source)
        for check in subject.checks
    ]
    return [*lines, *table(("what", "calculation", "result", "limit", "holds", "source"), rows), ""]


def _budget(rows: tuple[RailBudget, ...]) -> list[str]:
    cells = [
        (
            f"`{row.rail}`",
            row.feeds,
            f"{round(row.typical)} mA",
            f"{round(row.worst)} mA",
            row.fuse,
            f"{round(row.limit)} mA",
            row.reason,
            "yes" if row.holds else "**NO**",
        )
        for row in rows
    ]
    headings = ("rail", "feeds", "typical", "worst", "fuse", "may carry", "because", "holds")
    return ["## Power budget", "", *table(headings, cells), ""]


def _unprotected(board: Board) -> list[str]:
    drawn = typical_current(board.circuit, nets.LOGIC)
    return [
        "## What no fuse protects",
        "",
        "**Do not run the Pi with the board's supply unplugged.** A Nano feeds its 5 V pin from the USB port "
        "through a small diode (0.5 A on most). Without the supply the Pi then feeds the sensors "
        f"({number(drawn)} mA typical), and backwards through FU3 the pixels and emitters as well: more than the "
        "diode and a port bear. Plug the board's supply in first and pull it last, both from one switched "
        "socket at best. Or cut the red wire of the USB cable: the Nano then has its supply from the board "
        "alone.",
        "",
        "**Polarity.** The inlet has plus inside. There is no diode against a plug with minus inside: use only "
        "the supply of the parts list.",
        "",
    ]
