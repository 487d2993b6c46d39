"""``tamsk-hw selftest``: tests board and panel part by part, with a person or without, and says what to do."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from tamsk_hw.board.wiring import Wiring
from tamsk_hw.board.wiring_map import expected_of
from tamsk_hw.errors import WiringError
from tamsk_hw.facts.selftest_findings import Part
from tamsk_hw.game.tubes import Tube, names_of
from tamsk_hw.system.service import Stopped
from tamsk_hw.workbench.doctor.doctor import print_findings
from tamsk_hw.workbench.listening import board_of, line_to, port_of
from tamsk_hw.workbench.selftest.step import ON_THE_BOARD, Bench, FinishedTube
from tamsk_hw.workbench.selftest.walk import SelfTestWalk, parts_of
from tamsk_hw.workbench.walk.leading import Equipment, lead


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfTestSettings:
    """The options of ``tamsk-hw selftest``: ``parts``, all without any; ``hands``: a person is there.

    ``tube``: the one finished tube that is tested instead of the parts.
    """

    parts: tuple[Part, ...] = ()
    tube: Tube | None = None
    hands: bool = True
    port: str | None = None
    config: Path | None = None


def show_selftest(settings: SelfTestSettings, equipment: Equipment | None = None) -> int:
    """Test, then print all findings; the program's exit status: 0 without problems, 1 with some.

    Raises:
        ConfigError: the configuration is refused.
        WiringError: the wiring map is refused, the tube is not fitted, or nothing is calculated for this map.
        LinkError: no port is named, and a part is on the board.
        Stopped: it was stopped; what was found until then is printed.
    """
    board = board_of(settings.config)
    finished = None if settings.tube is None else _finished(settings.tube, board.wiring)
    parts = parts_of(settings.parts if finished is None else (Part.TUBE,), hands=settings.hands)
    port = port_of(settings.port, board.configuration) if ON_THE_BOARD & set(parts) else ""
    equipment = equipment or Equipment()
    bench = Bench(
        configuration=board.configuration,
        wiring=board.wiring,
        known=board.known,
        finished=finished,
        hands=settings.hands,
    )
    walk = SelfTestWalk(bench, parts, port, equipment.clock.now())
    try:
        with ExitStack() as stack:
            link = stack.enter_context(line_to(port, board)) if port else None
            lead(walk, board, link, equipment, alone=not settings.hands)
    except Stopped:
        print_findings(walk.findings(), equipment.console)
        raise
    return print_findings(walk.findings(), equipment.console)


def _finished(tube: Tube, wiring: Wiring) -> FinishedTube:
    if tube not in wiring.tubes:
        raise WiringError(f"--tube: {tube}; allowed are {names_of(wiring.tubes)}")
    return FinishedTube(tube, expected_of(wiring))


def chosen_parts(names: Collection[str]) -> tuple[Part, ...]:
    """The parts by the names that people give."""
    return tuple(Part(name) for name in names)
