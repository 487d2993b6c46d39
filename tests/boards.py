"""The boards that the tests play on: the whole one, and the first build of seven tubes round the centre."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tamsk_hw.board.wiring import Wiring, load_wiring
from tamsk_hw.game.ruleset import Start
from tamsk_hw.game.tubes import Player, Tube

WIRING = Path(__file__).resolve().parents[1] / "wiring"

#: The wiring map of the seven tubes.
SEVEN_MAP = WIRING / "seven" / "board.toml"

#: A configuration of the seven tubes, on which simulated people play a whole game in a quarter of the time.
SEVEN_CONFIG = f'[ruleset]\nstart = "free"\n[board]\nwiring = "{SEVEN_MAP}"\n'

RED, BLACK = Player.RED, Player.BLACK

#: A turn: who, from where (None: a glass from off the board), to where; its ring follows.
PlayedTurn = tuple[Player, Tube | None, Tube]


@dataclass(frozen=True)
class PlayedBoard:
    """A board: its wiring map, the start that it has for sure, and lawful turns from there, each with its ring.

    ``firmware`` is the fixture with the controller's program.
    """

    name: str
    map_file: Path
    firmware: str
    start: Start
    turns: tuple[PlayedTurn, ...]

    def __str__(self) -> str:
        return self.name

    @cached_property
    def wiring(self) -> Wiring:
        """The map, read."""
        return load_wiring(self.map_file)


WHOLE = PlayedBoard(
    name="whole",
    map_file=WIRING / "board.toml",
    firmware="firmware",
    start=Start.CORNERS,
    turns=(
        (RED, Tube.D1, Tube.D2),
        (BLACK, Tube.G1, Tube.F1),
        (RED, Tube.A4, Tube.A3),
        (BLACK, Tube.D7, Tube.D6),
        (RED, Tube.G4, Tube.F4),
        (BLACK, Tube.A1, Tube.A2),
    ),
)

# Round the ring the colours take turns, so that whoever stands next to the tube that becomes free may go there.
SEVEN = PlayedBoard(
    name="seven",
    map_file=SEVEN_MAP,
    firmware="seven_firmware",
    start=Start.FREE,
    turns=(
        (RED, None, Tube.C3),
        (BLACK, None, Tube.C4),
        (RED, None, Tube.D5),
        (BLACK, None, Tube.E4),
        (RED, None, Tube.E3),
        (BLACK, None, Tube.D3),
        (RED, Tube.C3, Tube.D4),
        (BLACK, Tube.C4, Tube.C3),
    ),
)
