"""`electrics.md`: the calculations as a builder reads them; the prose stands in `electrics.md.j2`."""

from __future__ import annotations

from functools import partial

from tamsk_hw.panel.lights import DEFAULT_MILLIAMPS
from wiring.make.board import Board
from wiring.make.electrics import (
    budget,
    converter,
    copper,
    emitters,
    fields,
    guard,
    holders,
    lights,
    lines,
    logic,
    photo_transistors,
    rail,
)
from wiring.make.electrics.check import Check, Subject
from wiring.make.electrics.values import alike
from wiring.make.templates import render


def subjects(board: Board, milliamp_cap: float = DEFAULT_MILLIAMPS) -> dict[str, Subject | None]:
    """All subjects of a board by name, the power budget last; None for one that the board does without."""
    return {
        "emitters": emitters.subject(board),
        "photo_transistors": photo_transistors.subject(board),
        "lines": lines.subject(board),
        "fields": fields.subject(board),
        "converter": converter.subject(board),
        "rail": rail.subject(board, milliamp_cap),
        "holders": holders.subject(board),
        "lights": lights.subject(board, milliamp_cap),
        "logic": logic.subject(board),
        "guard": guard.subject(board, milliamp_cap),
        "copper": copper.subject(board, milliamp_cap),
        "budget": budget.subject(board, milliamp_cap),
    }


def checks(board: Board, milliamp_cap: float = DEFAULT_MILLIAMPS) -> tuple[Check, ...]:
    """Every check of a board, its pixels' current capped."""
    return tuple(
        check for subject in subjects(board, milliamp_cap).values() if subject for check in subject.checks
    )


def document(board: Board) -> str:
    """The text of `electrics.md`."""
    found = subjects(board)
    every = [check for subject in found.values() if subject for check in subject.checks]
    return render(
        "electrics/electrics.md.j2",
        board=board,
        checks=every,
        part=board.circuit.by_ref,
        alike=partial(alike, board.circuit),
        **found,
    )
