"""The configuration as values: one frozen dataclass for each section of the file (``docs/configuration.md``).

A default stands here, or with the value that the section sets up (`Ruleset`, `Palette`, `SensingSettings`), and
nowhere else. What each key means and what is allowed stands in `tamsk_hw.configuration.keys`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from tamsk_hw.board.sensing.settings import SensingSettings
from tamsk_hw.errors import SettingError
from tamsk_hw.game.players import Player
from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.panel.lights import DEFAULT_MILLIAMPS
from tamsk_hw.panel.palette import PALETTE, Palette
from tamsk_hw.panel.pins import PinFactory
from tamsk_hw.panel.pixels import LightRoute
from tamsk_hw.panel.presses import LONG_SECONDS, SETTLE_SECONDS
from tamsk_hw.panel.sounds import Sound
from tamsk_hw.partner.strength import Strength
from tamsk_hw.system.language import Language

#: Where the service keeps what it must not lose: journal and calibration.
SYSTEM_STATE = Path("/var/lib/tamsk-hw")

#: The names of the calibration there, and of the file of followed rests in the journal's folder.
CALIBRATION_NAME = "calibration.toml"
RESTS_NAME = "rests.toml"


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardSettings:
    """The board, and what belongs to it."""

    port: str | None = None
    """Device of the serial line; None without a configured board."""
    wiring: Path | None = None
    """Wiring map; None for the map that comes with the program, as `load_wiring` takes it."""
    calibration: Path | None = None
    """Calibration file; None for the one in the state folder (`Configuration.calibration_file`)."""
    board_id: int | None = None
    """The only board to be used (`Hello.board_id`, 32 bits); None for any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SandOptions:
    """The reckoning of the sand on a real board; its durations are the calibration's."""

    exact_hands: bool = False
    """Time in the hand adds no doubt (`SandSettings.exact_hands`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LightSettings:
    """The lights of the board."""

    route: LightRoute = LightRoute.GPIO
    """Way to drive them."""
    milliamps: int = round(DEFAULT_MILLIAMPS)
    """Current that all pixels together may draw, in milliamperes."""
    palette: Palette = PALETTE
    """The colour of each meaning."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GpioSettings:
    """The pins of the Raspberry Pi; which pin is what says the wiring map."""

    factory: PinFactory = PinFactory.LGPIO
    """gpiozero's pin factory."""
    hands: Path | None = None
    """Socket of the simulated board, for the factory "simulate"; None: it is looked for in the usual places."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ButtonSettings:
    """The three buttons. Raises `SettingError` when a long press would not be longer than the debounce."""

    enabled: bool = True
    """The buttons are there."""
    debounce_seconds: float = SETTLE_SECONDS
    """Seconds that a contact must hold before it counts."""
    long_press_seconds: float = LONG_SECONDS
    """Seconds that a button must be held down for a long press."""

    def __post_init__(self) -> None:
        if not self.long_press_seconds > self.debounce_seconds:
            allowed = f"more than debounce_seconds, {self.debounce_seconds!r}"
            raise SettingError(
                "buttons", "long_press_seconds", self.long_press_seconds, allowed, against=("debounce_seconds",)
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class BuzzerSettings:
    """The buzzer, and which sounds it makes."""

    enabled: bool = True
    """The buzzer is there."""
    violation: bool = True
    """A sound for a violation."""
    glass_lost: bool = True
    """A sound for a glass that ran out."""
    last_seconds: bool = True
    """A tick for each of the timer's last five seconds."""
    game_over: bool = True
    """A sound for the end of the game."""

    @property
    def sounds(self) -> frozenset[Sound]:
        """The sounds that are wanted; none without a buzzer."""
        return frozenset(sound for sound in Sound if self.enabled and getattr(self, sound.value))


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalSettings:
    """The folder of the journal."""

    folder: Path | None = None
    """Folder of the database; None for the state folder (`Configuration.journal_folder`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageOptions:
    """The page that shows the table in browsers (`tamsk-hw web`)."""

    address: str = "127.0.0.1"
    """The address that it listens on."""
    port: int = 8137
    """Its port."""
    names: tuple[str, ...] = ()
    """Names of this computer in its network."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerNames:
    """Names of the players for the journal; None for a player without a name."""

    red: str | None = None
    """The red player's name."""
    black: str | None = None
    """The black player's name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PartnerSettings:
    """The player who is played by the program."""

    player: Player | None = None
    """Who that is; None for nobody."""
    strength: Strength = Strength.STRONG


@dataclass(frozen=True, slots=True, kw_only=True)
class WordsSettings:
    """The sentences that people read."""

    language: Language | None = None
    """Their language; None for the environment's (`environment_language`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """The whole configuration, and the file that it was read from."""

    board: BoardSettings = BoardSettings()
    ruleset: Ruleset = field(default_factory=Ruleset)
    sand: SandOptions = SandOptions()
    lights: LightSettings = LightSettings()
    gpio: GpioSettings = GpioSettings()
    buttons: ButtonSettings = ButtonSettings()
    buzzer: BuzzerSettings = BuzzerSettings()
    sensing: SensingSettings = field(default_factory=SensingSettings)
    journal: JournalSettings = JournalSettings()
    players: PlayerNames = PlayerNames()
    partner: PartnerSettings = PartnerSettings()
    web: PageOptions = PageOptions()
    words: WordsSettings = WordsSettings()

    file: Path | None = None
    """The file that was read; None when there was none, and every value is its default."""
    retired: tuple[str, ...] = ()
    """Keys of the file that an earlier version had, and that have no effect."""
    state_folder: Path = SYSTEM_STATE
    """Where journal and calibration are kept that have no place of their own."""

    @property
    def origin(self) -> str:
        """The configuration's origin, in words."""
        return "defaults (there is no configuration file)" if self.file is None else str(self.file)

    @property
    def journal_folder(self) -> Path:
        """Folder of the journal's database; it need not exist yet."""
        return self.journal.folder or self.state_folder

    @property
    def calibration_file(self) -> Path:
        """File of the calibration; it need not exist yet."""
        return self.board.calibration or self.state_folder / CALIBRATION_NAME

    @property
    def rests_file(self) -> Path:
        """File of the followed rests; it need not exist yet. It is beside the journal, which one program at a time
        keeps."""
        return self.journal_folder / RESTS_NAME
