"""The values of the configuration and their kinds.

The configuration as values: one frozen dataclass for each section of the file (``docs/configuration.md``).

A default stands here, or with the value that the section sets up (`Ruleset`, `Palette`, `SensingSettings`), and
nowhere else. What each key means and what is allowed stands in `tamsk_hw.configuration.keys`.

The kinds of values that a key of the configuration may have: read from TOML, shown as TOML, put in words.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from enum import Enum
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Protocol

from tamsk_hw.board.protocol import NO_BOARD_IDS
from tamsk_hw.board.sensor_report import SensingSettings
from tamsk_hw.errors import SettingError, printable
from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.game.tubes import Player
from tamsk_hw.panel.buttons import LONG_SECONDS, SETTLE_SECONDS
from tamsk_hw.panel.hardware import PinFactory
from tamsk_hw.panel.lights import DEFAULT_MILLIAMPS, PALETTE, Palette
from tamsk_hw.panel.outputs import LightRoute
from tamsk_hw.panel.sounds import Sound
from tamsk_hw.partner.intention import Strength
from tamsk_hw.system.output import Language

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


_HOST_NAME = re.compile(r"[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*")


class UnfitError(Exception):
    """A value that its kind does not allow; whoever reads the file says so, with the place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Base:
    """The folders that paths in a file stand on."""

    folder: Path = Path("/")
    """Where relative paths begin: the file's own folder."""
    home: Path | None = None
    """The folder of ``~``; None when the user has no home."""


class Kind(Protocol):
    """One kind of value."""

    @property
    def allowed(self) -> str:
        """The values that are allowed, in words that follow "allowed is"."""

    @property
    def unit(self) -> str:
        """The unit of its numbers; empty when it has none."""

    def read(self, value: object, base: Base) -> Any:
        """The value as the program wants it, from what TOML gives. Raises `UnfitError`."""

    def write(self, value: Any) -> str:
        """The program's value as it stands in the file."""


@dataclass(frozen=True, slots=True)
class Flag:
    """Yes or no."""

    allowed: str = "true or false"
    unit: str = ""

    def read(self, value: object, base: Base) -> bool:
        """A boolean."""
        if not isinstance(value, bool):
            raise UnfitError
        return value

    def write(self, value: bool) -> str:
        """``true`` or ``false``."""
        return "true" if value else "false"


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    """A whole number, ``least`` to ``most``."""

    least: int
    most: int
    unit: str = ""

    @property
    def allowed(self) -> str:
        """The bounds in words."""
        return f"a whole number{_of(self.unit)}, {self.least} to {self.most}"

    def read(self, value: object, base: Base) -> int:
        """A number without a decimal point."""
        if isinstance(value, bool) or not isinstance(value, int) or not self.least <= value <= self.most:
            raise UnfitError
        return value

    def write(self, value: int) -> str:
        """Its digits."""
        return str(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """A number, ``least`` to ``most``; with ``between`` neither bound itself.

    ``noun`` puts the number in words, ``bounds`` its bounds, where the usual ones do not fit.
    """

    least: float
    most: float
    unit: str = ""
    noun: str = ""
    between: bool = False
    bounds: str = ""

    @property
    def allowed(self) -> str:
        """The bounds in words."""
        bounds = f"{self.least:g} to {self.most:g}"
        if self.between:
            bounds = f"more than {self.least:g} and less than {self.most:g}"
        return f"{self.noun or f'a number{_of(self.unit)}'}, {self.bounds or bounds}"

    def read(self, value: object, base: Base) -> float:
        """A number with or without a decimal point; neither infinite nor "not a number"."""
        if isinstance(value, bool) or not isinstance(value, int | float) or not self.least <= value <= self.most:
            raise UnfitError
        if self.between and value in (self.least, self.most):
            raise UnfitError
        return float(value)

    def write(self, value: float) -> str:
        """The shortest digits that give it back."""
        return repr(float(value))


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the values of ``enum``; with ``none``, that word stands for None."""

    enum: type[Enum]
    none: str = ""
    unit: str = ""

    @property
    def allowed(self) -> str:
        """Its values."""
        return _either([str(item.value) for item in self.enum] + [self.none] * bool(self.none))

    def read(self, value: object, base: Base) -> Enum | None:
        """The member of the enum."""
        if isinstance(value, str):
            if self.none and value == self.none:
                return None
            for item in self.enum:
                if item.value == value:
                    return item
        raise UnfitError

    def write(self, value: Enum | None) -> str:
        """Its word."""
        return _quoted(self.none if value is None else str(value.value))


@dataclass(frozen=True, slots=True)
class Colour:
    """Red, green and blue."""

    allowed: str = "[red, green, blue], each a whole number, 0 to 255"
    unit: str = ""

    def read(self, value: object, base: Base) -> tuple[int, int, int]:
        """A list of three numbers."""
        if not isinstance(value, list) or len(value) != 3:
            raise UnfitError
        part = Whole(least=0, most=255)
        return part.read(value[0], base), part.read(value[1], base), part.read(value[2], base)

    def write(self, value: tuple[int, int, int]) -> str:
        """A list."""
        return str(list(value))


@dataclass(frozen=True, slots=True)
class Name:
    """A person's name; empty for nobody."""

    allowed: str = "a text of at most 40 printable characters, empty for nobody"
    unit: str = ""

    def read(self, value: object, base: Base) -> str | None:
        """The name without white space around it."""
        if not isinstance(value, str) or len(value) > 40 or printable(value) != value:
            raise UnfitError
        return value.strip() or None

    def write(self, value: str | None) -> str:
        """The name in quotes."""
        return _quoted(value or "")


@dataclass(frozen=True, slots=True)
class Device:
    """A device by its full path, or ``"none"``."""

    allowed: str = 'the full path of a device, as "/dev/tamsk-board", or "none"'
    unit: str = ""

    def read(self, value: object, base: Base) -> str | None:
        """The path as it stands, so that a symlink is followed when the device is opened."""
        if value == "none":
            return None
        if not isinstance(value, str) or not value.startswith("/") or not value.isprintable():
            raise UnfitError
        return value

    def write(self, value: str | None) -> str:
        """The path in quotes."""
        return _quoted(value or "none")


@dataclass(frozen=True, slots=True)
class Address:
    """An address of this computer, as a number."""

    allowed: str = 'an address, as "127.0.0.1" for this computer alone, "0.0.0.0" or "::" for the network, too'
    unit: str = ""

    def read(self, value: object, base: Base) -> str:
        """The address in its shortest form."""
        if not isinstance(value, str):
            raise UnfitError
        try:
            return str(ip_address(value))
        except ValueError:
            raise UnfitError from None

    def write(self, value: str) -> str:
        """The address in quotes."""
        return _quoted(value)


@dataclass(frozen=True, slots=True)
class HostNames:
    """Names by which computers in a network call this one."""

    allowed: str = 'a list of at most 20 names of this computer, as ["tamsk.local"]'
    unit: str = ""

    def read(self, value: object, base: Base) -> tuple[str, ...]:
        """The names in small letters."""
        if not isinstance(value, list) or len(value) > 20:
            raise UnfitError
        if not all(
            isinstance(name, str) and re.fullmatch(r"[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*", name) for name in value
        ):
            raise UnfitError
        return tuple(name.lower() for name in value)

    def write(self, value: tuple[str, ...]) -> str:
        """A list of names in quotes."""
        return f"[{', '.join(map(_quoted, value))}]"


@dataclass(frozen=True, slots=True)
class FilePath:
    """A file or folder; ``word`` stands for what is taken without one, None."""

    word: str
    unit: str = ""

    @property
    def allowed(self) -> str:
        """A path or the word."""
        return f'a path, or "{self.word}"'

    def read(self, value: object, base: Base) -> Path | None:
        """The full path; nothing is looked up on the disk."""
        if value == self.word:
            return None
        if not isinstance(value, str) or not value or not value.isprintable():
            raise UnfitError
        if value == "~" or value.startswith("~/"):
            if base.home is None:
                raise UnfitError
            return base.home / value[2:].lstrip("/")
        return base.folder / value

    def write(self, value: Path | None) -> str:
        """The path in quotes."""
        return _quoted(self.word if value is None else str(value))


@dataclass(frozen=True, slots=True)
class BoardId:
    """A board's id as the program shows it, or ``"any"``."""

    allowed: str = 'the eight hexadecimal digits of a board\'s id, as "0a1b2c3d", not all 0 or all f, or "any"'
    unit: str = ""

    def read(self, value: object, base: Base) -> int | None:
        """The id as a number."""
        if value == "any":
            return None
        if not isinstance(value, str) or not re.fullmatch("[0-9A-Fa-f]{8}", value):
            raise UnfitError
        if int(value, 16) in NO_BOARD_IDS:
            raise UnfitError
        return int(value, 16)

    def write(self, value: int | None) -> str:
        """Its digits in quotes."""
        return _quoted("any" if value is None else f"{value:08x}")


def _of(unit: str) -> str:
    return f" of {unit}" if unit else ""


def _quoted(text: str) -> str:
    """A text as a TOML string; what JSON writes of printable characters is TOML, too."""
    return json.dumps(text, ensure_ascii=False)


def _either(words: list[str]) -> str:
    quoted = [f'"{word}"' for word in words]
    return f"{', '.join(quoted[:-1])} or {quoted[-1]}"
