"""`electrics.md`: the checked calculations behind the values of the circuit's parts, as a builder reads them."""

from functools import partial

from tamsk_hw.panel.lights import DEFAULT_MILLIAMPS
from wiring.make import electrics_fields as fields
from wiring.make import electrics_guard as guard
from wiring.make import electrics_light as light
from wiring.make import electrics_lights as lights
from wiring.make import electrics_supply as supply
from wiring.make.board import Board
from wiring.make.electrics_values import Check, Subject, alike
from wiring.make.texts import render


def subjects(board: Board, milliamp_cap: float = DEFAULT_MILLIAMPS) -> dict[str, Subject | None]:
    """All subjects of a board by name, the power budget last; None for one that the board does without."""
    return {
        "emitters": supply.emitter_subject(board),
        "photo_transistors": light.photo_transistor_subject(board),
        "lines": supply.line_subject(board),
        "fields": fields.field_subject(board),
        "converter": supply.converter_subject(board),
        "rail": supply.rail_subject(board, milliamp_cap),
        "holders": guard.holder_subject(board),
        "lights": lights.light_subject(board, milliamp_cap),
        "logic": guard.logic_subject(board),
        "guard": guard.guard_subject(board, milliamp_cap),
        "copper": lights.copper_subject(board, milliamp_cap),
        "budget": lights.budget_subject(board, milliamp_cap),
    }


def checks(board: Board, milliamp_cap: float = DEFAULT_MILLIAMPS) -> tuple[Check, ...]:
    """Every check of a board, its pixels' current capped."""
    return tuple(
        check for subject in subjects(board, milliamp_cap).values() if subject for check in subject.checks
    )


def files(board: Board) -> dict[str, str]:
    """The files of a board: names and texts."""
    found = {
        name: {**each.figures, "checks": each.checks} if each else None for name, each in subjects(board).items()
    }
    page = render(
        "electrics.md.j2",
        board=board,
        checks=[check for each in found.values() if each for check in each["checks"]],
        part=board.circuit.by_ref,
        alike=partial(alike, board.circuit),
        **found,
    )
    return {"electrics.md": page, "expected.toml": light.document(board)}
