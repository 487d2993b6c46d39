"""The configured rules on the configured board: a game has the tubes that the wiring map has."""

from __future__ import annotations

from dataclasses import replace

from tamsk_hw.board.wiring import Wiring
from tamsk_hw.configuration.values import Configuration
from tamsk_hw.errors import ConfigError
from tamsk_hw.game.ruleset import Ruleset, Start, missing_corners
from tamsk_hw.game.tubes import names_of


def ruleset_on(wiring: Wiring, configuration: Configuration) -> Ruleset:
    """The ruleset that games on this board begin with.

    Raises:
        ConfigError: the glasses begin in corners that the board has not; one line that says what to do.
    """
    rules = configuration.ruleset
    missing = missing_corners(wiring.tubes)
    if missing and rules.start is Start.CORNERS:
        raise ConfigError(
            f'{configuration.origin}: ruleset.start: "corners"; allowed is "free", as this board (board.wiring) '
            f'has no {names_of(missing)}: write start = "free" below [ruleset]'
        )
    return replace(rules, tubes=wiring.tubes)
