"""What ``tamsk-hw run`` says of itself: its board in a few words, its beginning and its end."""

from __future__ import annotations

from pathlib import Path

from tamsk_hw.words.translating import tr


def board_words(port: Path) -> str:
    """A real board, for the picture's first row."""
    return tr("board at {port}", port=port)


def simulated_words(emulated: bool, seed: int) -> str:
    """A simulated board, for the picture's first row; ``emulated``: with the firmware."""
    return (
        tr("emulated board, seed {seed}", seed=seed) if emulated else tr("simulated board, seed {seed}", seed=seed)
    )


def building_words() -> str:
    """The line while people wait for the firmware."""
    return tr("Building the controller's firmware and its emulator ...")


def stopped_words() -> str:
    """The line under the score sheet of a game that was stopped."""
    return tr("Stopped before the end of the game.")
