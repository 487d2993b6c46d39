"""`electrics.md`: the checked calculations behind the values of the circuit's parts, as a builder reads them."""

from __future__ import annotations

from functools import partial

from tamsk_hw.panel.lights import DEFAULT_MILLIAMPS
from wiring.make import electrics_fields as fields
from wiring.make import electrics_guard as guard
from wiring.make import electrics_guard as holders
from wiring.make import electrics_guard as logic
from wiring.make import electrics_light as expected
from wiring.make import electrics_light as photo_transistors
from wiring.make import electrics_lights as budget
from wiring.make import electrics_lights as copper
from wiring.make import electrics_lights as lights
from wiring.make import electrics_supply as converter
from wiring.make import electrics_supply as emitters
from wiring.make import electrics_supply as lines
from wiring.make import electrics_supply as rail
from wiring.make.board import Board
from wiring.make.electrics_lights import RailBudget, power_budget
from wiring.make.electrics_values import Check, Subject, alike
from wiring.make.texts import render


def subjects(board: Board, milliamp_cap: float = DEFAULT_MILLIAMPS) -> dict[str, Subject | None]:
    """All subjects of a board by name, the power budget last; None for one that the board does without."""
    return {
        "emitters": emitters.emitter_subject(board),
        "photo_transistors": photo_transistors.photo_transistor_subject(board),
        "lines": lines.line_subject(board),
        "fields": fields.field_subject(board),
        "converter": converter.converter_subject(board),
        "rail": rail.rail_subject(board, milliamp_cap),
        "holders": holders.holder_subject(board),
        "lights": lights.light_subject(board, milliamp_cap),
        "logic": logic.logic_subject(board),
        "guard": guard.guard_subject(board, milliamp_cap),
        "copper": copper.copper_subject(board, milliamp_cap),
        "budget": budget.budget_subject(board, milliamp_cap),
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
        "electrics.md.j2",
        board=board,
        checks=every,
        part=board.circuit.by_ref,
        alike=partial(alike, board.circuit),
        **found,
    )


__all__ = ["Check", "RailBudget", "checks", "files", "power_budget"]


def files(board: Board) -> dict[str, str]:
    """The files of a board: names and texts."""
    return {"electrics.md": document(board), "expected.toml": expected.document(board)}
