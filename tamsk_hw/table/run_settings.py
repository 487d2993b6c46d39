"""The options of ``tamsk-hw run``."""

from dataclasses import dataclass, replace
from pathlib import Path

from tamsk_hw.configuration import Configuration
from tamsk_hw.game.tubes import Player
from tamsk_hw.live.stream import Names
from tamsk_hw.partner.intention import Strength, partner_name


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSettings:
    """The options of one ``tamsk-hw run``."""

    level: int | None = None
    seed: int | None = None
    speed: float | None = None
    record: Path | None = None
    capture: Path | None = None
    live: Path | None = None
    partner: Player | None = None
    """The player played by the program; None: as configured."""
    strength: Strength | None = None
    plays_itself: bool = False
    """The partner has hands of its own at the board, so nobody needs its advice."""
    simulated: bool = False
    web: bool = False
    """Show the table in browsers, too."""
    page: str | None = None
    """The page's address, when it is there."""
    beside: Path | None = None
    """Games are kept as simulated ones beside the players' journal in this folder; None: as the players' own."""

    @property
    def of_the_simulation(self) -> list[str]:
        """The given options that apply to the simulated board only."""
        values = {"--seed": self.seed, "--speed": self.speed, "--record": self.record}
        return [option for option, value in values.items() if value is not None]


def names_with_partner(settings: RunSettings, configuration: Configuration) -> Names:
    """The configured names; the partner, if one is asked for, sits down under his own."""
    names = Names(red=configuration.players.red, black=configuration.players.black)
    name = partner_name(settings.strength or configuration.partner.strength)
    match settings.partner or configuration.partner.player:
        case Player.RED:
            return replace(names, red=name)
        case Player.BLACK:
            return replace(names, black=name)
        case None:
            return names
