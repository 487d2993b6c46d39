"""The words of ``tamsk-hw simulate`` once its board runs."""

from __future__ import annotations

import json
from pathlib import Path

from tamsk_hw.words.translating import tr


def begun_words(port: Path, hands: Path, *, emulator: bool, seed: int) -> list[str]:
    """The lines for whoever started it: where things are, and what to type next."""
    board = (
        tr("An emulated board is at {port} (seed {seed}).", port=port, seed=seed)
        if emulator
        else tr("A simulated board is at {port} (seed {seed}).", port=port, seed=seed)
    )
    return [
        board,
        tr("Its hands listen at {hands}.", hands=hands),
        tr("For the service's configuration:"),
        "    [board]",
        f"    port = {json.dumps(str(port))}",
        "    [gpio]",
        '    factory = "simulate"',
        f"    hands = {json.dumps(str(hands))}",
        tr("Then: tamsk-hw run, tamsk-hw hands look, tamsk-hw hands press start. Ctrl-C ends it."),
    ]
