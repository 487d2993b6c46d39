"""The prompts of a walk over the sensors, in lines and as a picture with the sensors' readings."""

from __future__ import annotations

from typing import Final

from rich.text import Text

from tamsk_hw.board.protocol import TIMER_FIELD, Snapshot
from tamsk_hw.board.wiring import Wiring
from tamsk_hw.game.tubes import Tube
from tamsk_hw.panel.lights import TIMER_PLACE
from tamsk_hw.terminal.picture import CELL, EDGE, PLAIN, QUIET, UNSURE, Piece
from tamsk_hw.workbench.readings import ring_code
from tamsk_hw.workbench.walk.picture import SIGNS, prompt_picture
from tamsk_hw.workbench.walk.prompt import Prompt
from tamsk_hw.workbench.walk.walk import Spoken

_KEYS: Final = "Enter: go on; back, skip, quit + Enter. Buttons: start; black, red, start held"


def spoken(prompt: Prompt) -> Spoken:
    """The prompt in lines."""
    return Spoken((f"{prompt.title}: {prompt.words}.",), trouble=prompt.trouble)


def picture(
    prompt: Prompt, snapshot: Snapshot | None, wiring: Wiring, *, port: str, note: str = "", typed: str = ""
) -> Text:
    """The prompt as a picture. ``note``: the last note; ``typed``: the line that is being typed."""
    timer: list[Piece] = [(f"timer {_reading(snapshot, TIMER_FIELD)} ", PLAIN), _sign(prompt, TIMER_PLACE)]
    return prompt_picture(
        prompt,
        heading="TAMSK calibration",
        corner=port,
        cells={tube: (_upper(prompt, snapshot, tube), _lower(snapshot, wiring, tube)) for tube in wiring.tubes},
        beside=[timer],
        footer=[(note, UNSURE), (_KEYS, QUIET), (f"> {typed}", PLAIN)],
    )


def _sign(prompt: Prompt, place: str) -> Piece:
    marks = prompt.marks.get(place)
    return SIGNS[marks[0]][0] if marks else (" ", PLAIN)


def _reading(snapshot: Snapshot | None, index: int) -> str:
    return "  -" if snapshot is None else f"{snapshot.fields[index]:3}"


def _upper(prompt: Prompt, snapshot: Snapshot | None, tube: Tube) -> tuple[Piece, ...]:
    return (f"{_reading(snapshot, tube)} ", PLAIN), _sign(prompt, tube.name), (" ", PLAIN)


def _lower(snapshot: Snapshot | None, wiring: Wiring, tube: Tube) -> tuple[Piece, ...]:
    rings = "" if snapshot is None else ring_code(snapshot, wiring, tube)
    return (tube.name, PLAIN), ("_" * (CELL - 2 - len(rings)), EDGE), (rings, QUIET)
